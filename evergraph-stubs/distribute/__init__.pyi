# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from evergraph import VariableAggregation
from evergraph.contrib.distribute import AllReduceCrossDeviceOps
from threading import Thread
from typing import Any, Self
from evergraph.distribute import cluster_resolver as cluster_resolver, experimental as experimental

import sys
if sys.platform == "":
    del (
        central_storage, cluster_roles, contexts, coordinator, device_names, extended, input,
        managed_resolvers, mirrored, multi_worker, one_device, reductions, replica_threads, resolvers,
        steps, strategy, tpu, tpu_resolver, tpu_sharding, training_step, values, variables,
    )

class CrossDeviceOps:
    """How a strategy adds up the values of its replicas and copies values to their devices."""
    def reduce(self, reduce_op: Any, per_replica_value: Any, destinations: Any) -> Any:
        """The sum or the mean of the values of the replicas, on the devices of `destinations`."""
    def batch_reduce(self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """`reduce` for several pairs of a value and its destinations."""
    def broadcast(self, tensor: Any, destinations: Any) -> Any:
        """A value on each of the devices of `destinations`."""
    def reduce_implementation(self, reduce_op: ReduceOp, per_replica_value: Any, destinations: Any) -> Any:
        """What `reduce` does, with arguments that have been looked at."""
    def batch_reduce_implementation(
        self, reduce_op: ReduceOp, value_destination_pairs: Sequence[tuple[Any, Any]],
    ) -> list[Any]:
        """What `batch_reduce` does, with arguments that have been looked at."""
    def broadcast_implementation(self, tensor: Any, destinations: Any) -> Any:
        """What `broadcast` does."""

class HierarchicalCopyAllReduce(AllReduceCrossDeviceOps):
    """Adds up values on every device; see `tf.distribute.CrossDeviceOps`."""
    def __init__(self, num_packs: int = 1) -> None: ...

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
    """Data parallelism over the devices of this machine."""
    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None: ...

class NcclAllReduce(AllReduceCrossDeviceOps):
    """Adds up values on every device; see `tf.distribute.CrossDeviceOps`."""
    def __init__(self, num_packs: int = 1) -> None: ...

class OneDeviceStrategy(Strategy):
    """Runs a model on one device."""
    def __init__(self, device: str) -> None: ...

class ReduceOp(Enum):
    """How values of several replicas become one."""
    @classmethod
    def of(cls, given: Any) -> ReduceOp:
        """The reduction that a caller names."""
    @staticmethod
    def from_variable_aggregation(aggregation: VariableAggregation) -> ReduceOp:
        """The reduction of a tf.VariableAggregation."""
    SUM = 'SUM'
    MEAN = 'MEAN'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class ReductionToOneDevice(CrossDeviceOps):
    """Adds up values in the way that the program says, on one device, and copies the result."""
    def reduce_implementation(self, reduce_op: ReduceOp, per_replica_value: Any, destinations: Any) -> Any:
        """The sum or the mean, added up on one device if there is a choice."""
    def __init__(
        self, reduce_to_device: Any = None, accumulation_fn: Callable[[Sequence[Any]], Any] | None = None,
    ) -> None: ...

class ReplicaContext:
    """What a function that a strategy runs may ask about the replica that it is."""
    @property
    def replica_id_in_sync_group(self) -> Any:
        """The number of the replica, a tensor in the functions that a strategy calls."""
    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
    @property
    def devices(self) -> tuple[str, ...]:
        """The device that the replica computes on, as the only element."""
    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls `merge_fn(strategy, *args, **kwargs)` once for all replicas, when all of them have come
        here."""
    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """The sum or the mean of a value over the replicas."""
    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...
    def __init__(
        self, strategy: Any, replica_id_in_sync_group: Any, thread: Thread | None = None, number: int = 0,
    ) -> None: ...
    shared: Any
    number: Any
    strategy: Any

class Server:
    """A task of a cluster."""
    @property
    def server_def(self) -> Any:
        """The ServerDef that describes this server."""
    @property
    def target(self) -> str:
        """What a tf.Session takes to use this server."""
    def start(self) -> None:
        """Lets sessions use the server."""
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
    """How a model is computed by several replicas, which share variables and divide batches among them."""
    @property
    def extended(self) -> StrategyExtended:
        """What libraries that are made for strategies ask of one; see `tf.distribute.StrategyExtended`."""
    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas compute the gradients of a step; programs divide their batches by it."""
    def scope(self) -> Any:
        """A with-block whose variables belong to the strategy; `as` gives the strategy itself."""
    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """The batches of a dataset, each divided among the replicas."""
    def experimental_distribute_datasets_from_function(self, dataset_fn: Callable[[Any], Any]) -> Any:
        """The elements of the dataset that a function returns, which takes a tf.distribute.InputContext."""
    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays."""
    def make_dataset_iterator(self, dataset: Any) -> Any:
        """The batches of a dataset, each divided among the replicas, for `experimental_run`."""
    def make_input_fn_iterator(
        self, input_fn: Callable[[Any], Any], replication_mode: InputReplicationMode = ...,
    ) -> Any:
        """As `make_dataset_iterator`, for what a function returns: a dataset, or a function that returns
        tensors."""
    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """Calls a function for each replica; with an iterator, on its next elements."""
    def experimental_run_v2(
        self, fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a function for each replica, on the device of the replica."""
    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The sum or the mean of the values of all replicas; with an axis, along this axis too."""
    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, as a tuple."""
    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The older name of `experimental_local_results`."""
    def group(self, value: Any, name: str | None = None) -> Any:
        """An operation that is done when the values of all replicas are computed."""
    def configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
        task_id: int | None = None,
    ) -> None:
        """Prepares for a task of a cluster, if there is one."""
    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a tf.ConfigProto with what the strategy needs."""
    def __init__(self, extended: StrategyExtended) -> None: ...

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
        """The devices that replicas compute on."""
    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The devices that variables are on."""
    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made in the scope of the strategy."""
    def value_container(self, value: Any) -> Any:
        """The variable that a replica's copy belongs to; any other value is returned as it is."""
    def read_var(self, v: Any) -> Any:
        """The value of a variable."""
    def non_slot_devices(self, var_list: Sequence[Any]) -> Any:
        """Where optimizers keep what belongs to no variable: on all devices with variables, whatever `var_list`
        is."""
    def update(
        self, var: Any, fn: Callable[..., Any], args: Sequence[Any] = ...,
        kwargs: Mapping[str, Any] | None = None, group: bool = True,
    ) -> Any:
        """Calls `fn(copy, ...)` for each copy of a variable, where the copy is."""
    def update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], args: Sequence[Any] = ...,
        kwargs: Mapping[str, Any] | None = None, group: bool = True,
    ) -> Any:
        """Calls `fn(...)` on each of the devices that `non_slot_devices` returned."""
    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a function for each replica; see `tf.distribute.Strategy.experimental_run_v2`."""
    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """The sum or the mean of the values of the replicas, on the devices of `destinations`."""
    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]],
    ) -> list[Any]:
        """`reduce_to` for several pairs of a value and destinations."""
    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """A value on the devices of `destinations`."""
    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays; see `tf.distribute.Strategy.experimental_make_numpy_dataset`."""
    def experimental_run_steps_on_iterator(
        self, fn: Callable[..., Any], iterator: Any, iterations: Any = 1, initial_loop_values: Any = None,
    ) -> Any:
        """Calls `fn(context, element)` in a loop, for so many elements of an iterator."""
    def __init__(self, container_strategy: Any, devices: Sequence[str] = ...) -> None: ...

def experimental_set_strategy(strategy: Strategy | None) -> None:
    """Opens the scope of a strategy for good, as `with strategy.scope()` around the rest of the program;
    None ends it."""

def get_loss_reduction() -> ReduceOp:
    """How the losses of replicas are to be combined: SUM, except in an Estimator, whose losses are mostly
    means."""

def get_replica_context() -> ReplicaContext | None:
    """The replica that the code runs for; None where it runs for all of them, as in the scope of a
    strategy."""

def get_strategy() -> Any:
    """The strategy whose scope is open; outside of all scopes one that changes nothing."""

def has_strategy() -> bool:
    """Whether the scope of a strategy is open."""

def in_cross_replica_context() -> bool:
    """Whether the code runs for all replicas together."""
