# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import Enum
from typing import Any, Self
from evergraph.distribute import cluster_resolver as cluster_resolver

class InputContext:
    """What an input function is told: which part of the input it makes, and for how many replicas."""
    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The part of a batch that one replica gets."""
    def __init__(
        self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1,
    ) -> None: ...
    num_replicas_in_sync: Any
    num_input_pipelines: Any
    input_pipeline_id: Any

class InputReplicationMode(Enum):
    """How often an input function is called: once for each worker."""
    PER_WORKER = 'PER_WORKER'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class MirroredStrategy(Strategy):
    """Data parallelism over one device, where there is nothing to add up."""
    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None: ...

class OneDeviceStrategy(Strategy):
    """Runs a model on one device."""
    def __init__(self, device: str) -> None: ...

class ReduceOp(Enum):
    """How values of several replicas become one."""
    SUM = 'SUM'
    MEAN = 'MEAN'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class ReplicaContext:
    """What a function that a strategy runs may ask about the replica that it is."""
    num_replicas_in_sync: int
    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls `merge_fn(strategy, ...)` for all replicas together, with the values of the only one."""
    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """The sum or the mean over the replicas: the value of the only one; `destinations` have no meaning
        here."""
    def __init__(self, strategy: Strategy, replica_id_in_sync_group: int) -> None: ...
    strategy: Any
    replica_id_in_sync_group: Any

class Server:
    """A task of a cluster."""
    @property
    def server_def(self) -> Any:
        """The ServerDef that describes this server."""
    @property
    def target(self) -> str:
        """What a tf.Session takes to use this server."""
    def start(self) -> None:
        """Lets sessions of this process use the server."""
    def join(self) -> None:
        """Waits for the server to stop, which it never does: it ends with the process."""
    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """A server of a cluster of its own, with one task, at a free port."""
    def __init__(
        self, server_or_cluster_def: Any, job_name: str | None = None, task_index: int | None = None,
        protocol: str | None = None, config: Any = None, start: bool = True,
    ) -> None: ...

class Strategy:
    """One replica on one device."""
    num_replicas_in_sync: int
    @property
    def extended(self) -> StrategyExtended:
        """What libraries that are made for strategies ask of one; see `tf.distribute.StrategyExtended`."""
    def scope(self) -> AbstractContextManager[Strategy]:
        """Places operations and variables on the device, where one is named; `as` gives the strategy itself."""
    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """The dataset itself: the only replica gets all of it."""
    def experimental_distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any],
    ) -> Any:
        """The dataset that a function returns for the only worker."""
    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays; they are constants of the graph, so that no session has to keep
        them."""
    def make_dataset_iterator(self, dataset: Any) -> Any:
        """The elements of a dataset for `experimental_run`; run its `initialize()` first."""
    def make_input_fn_iterator(
        self, input_fn: Callable[[InputContext], Any], replication_mode: InputReplicationMode = ...,
    ) -> Any:
        """As `make_dataset_iterator`, for a dataset that a function returns."""
    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """Calls a function on the device; with an iterator, on its next element."""
    def experimental_run_v2(
        self, fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a function on the device, as the only replica, and returns its result."""
    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The value of the only replica; with an axis, the sum or the mean along it."""
    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, which are one."""
    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The older name of `experimental_local_results`."""
    def group(self, value: Any, name: str | None = None) -> Any:
        """An operation that is done when the value is computed."""
    def configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
        task_id: int | None = None,
    ) -> None:
        """Prepares for a cluster; the configuration of sessions in this process stays as it is."""
    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a tf.ConfigProto, in which one device needs no changes."""
    def __init__(self, placement: str | None) -> None: ...

class StrategyExtended:
    """What a strategy offers to libraries: where it computes, and how values and variables of its replicas
    are treated."""
    experimental_between_graph: bool
    experimental_require_static_shapes: bool
    experimental_should_init: bool
    should_checkpoint: bool
    should_save_summary: bool
    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The device that replicas compute on."""
    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The device that variables are on."""
    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made in the scope of the strategy."""
    def value_container(self, value: Any) -> Any:
        """The variable that a replica's part belongs to: the only one is the whole."""
    def read_var(self, v: Any) -> Any:
        """The value of a variable."""
    def non_slot_devices(self, var_list: Sequence[Any]) -> tuple[str, ...]:
        """Where optimizers keep what belongs to no variable; `var_list` has no meaning here, there is one
        device."""
    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a function as the only replica."""
    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """The sum or the mean over the replicas: the value of the only one; `destinations` have no meaning
        here."""
    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]],
    ) -> list[Any]:
        """`reduce_to` for several pairs of a value and destinations."""
    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """A value for all devices, which are one, so that `destinations` have no meaning here."""
    def update(
        self, var: Any, fn: Callable[..., Any], args: Sequence[Any] = ...,
        kwargs: Mapping[str, Any] | None = None, group: bool = True,
    ) -> Any:
        """Calls `fn(var, ...)` where the variable is; the result, in a tuple if it is not grouped."""
    def update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], args: Sequence[Any] = ...,
        kwargs: Mapping[str, Any] | None = None, group: bool = True,
    ) -> Any:
        """Calls `fn(...)` on the only device, which `colocate_with` is too; the result, in a tuple if not
        grouped."""
    def experimental_run_steps_on_iterator(
        self, fn: Callable[..., Any], iterator: Any, iterations: Any = 1, initial_loop_values: Any = None,
    ) -> Any:
        """Calls `fn(context, element)` in a loop, for so many elements of an iterator."""
    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays."""
    def __init__(self, container_strategy: Strategy) -> None: ...

def get_replica_context() -> ReplicaContext | None:
    """The replica that the code runs for; None where it runs for all of them, as in the scope of a
    strategy."""

def get_strategy() -> Strategy:
    """The strategy whose scope is open; outside of all scopes one that changes nothing."""

def has_strategy() -> bool:
    """Whether the scope of a strategy is open."""

def in_cross_replica_context() -> bool:
    """Whether the code runs for all replicas together."""
