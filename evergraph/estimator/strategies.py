"""Distribution strategies of one device, as RunConfig takes them: what they distribute to is that device."""
from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evergraph.base import errors, nest
from evergraph.base.devices import canonical_name
from evergraph.base.export import export
from evergraph.data.dataset import DatasetV1, make_initializable_iterator
from evergraph.frontend import reduce
from evergraph.frontend.array import identity
from evergraph.frontend.blocks import colocate_with, control_dependencies, device
from evergraph.frontend.control_flow import group, while_loop
from evergraph.frontend.variables.base import variable_creator_scope
from evergraph.graph.convert import constant
from evergraph.graph.scopes import DefaultStack


@export("distribute.InputContext")
class InputContext:
    """What an input function is told: which part of the input it makes, and for how many replicas.

    Args:
        num_input_pipelines: how many parts there are.
        input_pipeline_id: the number of this one.
        num_replicas_in_sync: how many replicas share a batch.
    """

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.num_input_pipelines, self.input_pipeline_id = num_input_pipelines, input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The part of a batch that one replica gets.

        Raises:
            ValueError: the batch cannot be divided evenly.
        """
        size, rest = divmod(global_batch_size, self.num_replicas_in_sync)
        if rest:
            raise ValueError(f"{global_batch_size} examples cannot be shared by {self.num_replicas_in_sync} replicas")
        return size


@export("distribute.InputReplicationMode")
class InputReplicationMode(enum.Enum):
    """How often an input function is called: once for each worker."""

    PER_WORKER = "PER_WORKER"


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How values of several replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


class Batches:
    """The elements of a dataset, drawn by `Strategy.experimental_run`."""

    def __init__(self, dataset: Any) -> None:
        self._iterator = make_initializable_iterator(dataset)

    def initialize(self) -> Any:
        """The operation that begins with the first element; nothing works before."""
        return self._iterator.initializer

    initializer = property(initialize)

    def get_next(self) -> Any:
        """The next element."""
        return self._iterator.get_next()


@export("distribute.ReplicaContext")
class ReplicaContext:
    """What a function that a strategy runs may ask about the replica that it is.

    Attributes:
        strategy: the strategy.
        num_replicas_in_sync: 1.
        replica_id_in_sync_group: 0, the number of the only replica.
    """

    num_replicas_in_sync = 1

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: int) -> None:
        self.strategy, self.replica_id_in_sync_group = strategy, replica_id_in_sync_group

    def merge_call(self, merge_fn: Callable[..., Any], args: Sequence[Any] = (),
                   kwargs: Mapping[str, Any] | None = None) -> Any:
        """Calls `merge_fn(strategy, ...)` for all replicas together, with the values of the only one."""
        with _entered.pushed((self.strategy, None)):
            return merge_fn(self.strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """The sum or the mean over the replicas: the value of the only one; `destinations` have no meaning here.

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
        """
        return self.strategy.reduce(reduce_op, value)


_entered = DefaultStack()
"""(strategy, ReplicaContext or None) of the blocks around; None stands for all replicas together."""


@export("distribute.Strategy", "contrib.distribute.DistributionStrategy")
class Strategy:
    """One replica on one device.

    Attributes:
        num_replicas_in_sync: 1, by which programs divide their batches.
    """

    num_replicas_in_sync = 1

    def __init__(self, placement: str | None) -> None:
        self._device = placement

    @property
    def extended(self) -> StrategyExtended:
        """What libraries that are made for strategies ask of one; see `tf.distribute.StrategyExtended`."""
        return StrategyExtended(self)

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Places operations and variables on the device, where one is named; `as` gives the strategy itself."""
        with _entered.pushed((self, None)), self._placed(), variable_creator_scope(self._created):
            yield self

    def _created(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A variable that knows whose it is."""
        variable = next_creator(**kwargs)
        variable._distribute_strategy = self
        return variable

    def _placed(self) -> Any:
        return contextlib.nullcontext() if self._device is None else device(self._device)

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
        return colocate_with(colocate_with_variable)

    # ---- input

    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """The dataset itself: the only replica gets all of it."""
        return dataset

    def experimental_distribute_datasets_from_function(self, dataset_fn: Callable[[InputContext], Any]) -> Any:
        """The dataset that a function returns for the only worker."""
        return dataset_fn(InputContext())

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays; they are constants of the graph, so that no session has to keep them."""
        return DatasetV1.from_tensor_slices(numpy_input)

    def make_dataset_iterator(self, dataset: Any) -> Batches:
        """The elements of a dataset for `experimental_run`; run its `initialize()` first."""
        return Batches(dataset)

    def make_input_fn_iterator(self, input_fn: Callable[[InputContext], Any],
                               replication_mode: InputReplicationMode = InputReplicationMode.PER_WORKER) -> Batches:
        """As `make_dataset_iterator`, for a dataset that a function returns.

        Raises:
            ValueError: `replication_mode` is none of InputReplicationMode's.
        """
        if replication_mode is not InputReplicationMode.PER_WORKER:
            raise ValueError(f"replication_mode must be InputReplicationMode.PER_WORKER, not {replication_mode!r}")
        return Batches(input_fn(InputContext()))

    # ---- computing

    def experimental_run(self, fn: Callable[..., Any], input_iterator: Batches | None = None) -> Any:
        """Calls a function on the device; with an iterator, on its next element."""
        return self.experimental_run_v2(fn, () if input_iterator is None else (input_iterator.get_next(),))

    def experimental_run_v2(self, fn: Callable[..., Any], args: Sequence[Any] = (),
                            kwargs: Mapping[str, Any] | None = None) -> Any:
        """Calls a function on the device, as the only replica, and returns its result."""
        with _entered.pushed((self, ReplicaContext(self, 0))), self._placed():
            return fn(*args, **(kwargs or {}))

    # ---- results

    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The value of the only replica; with an axis, the sum or the mean along it.

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
        """
        how = ReduceOp(reduce_op.upper() if isinstance(reduce_op, str) else reduce_op)
        if axis is None:
            return value
        return (reduce.reduce_sum if how is ReduceOp.SUM else reduce.reduce_mean)(value, axis)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, which are one."""
        return (value,)

    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The older name of `experimental_local_results`."""
        return self.experimental_local_results(value)

    def group(self, value: Any, name: str | None = None) -> Any:
        """An operation that is done when the value is computed."""
        return group(value, name=name)

    # ---- sessions

    def configure(self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
                  task_id: int | None = None) -> None:
        """Prepares for a cluster; the configuration of sessions in this process stays as it is.

        Raises:
            UnimplementedError: there is one.
        """
        if cluster_spec or task_type is not None or task_id is not None:
            raise errors.UnimplementedError(None, None, "a distribution strategy for the tasks of a cluster")

    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a tf.ConfigProto, in which one device needs no changes."""
        copy = type(config_proto)()
        copy.CopyFrom(config_proto)
        return copy


class StepsContext:
    """What a step of `StrategyExtended.experimental_run_steps_on_iterator` sets.

    Attributes:
        last_step_outputs: tensors of the last step, by name.
        non_tensor_outputs: other values, by name.
        run_op: the operation that runs all steps.
    """

    def __init__(self) -> None:
        self.last_step_outputs: dict[str, Any] = {}
        self.non_tensor_outputs: dict[str, Any] = {}
        self.run_op: Any = None

    def set_last_step_output(self, name: str, output: Any, reduce_op: Any = None) -> None:
        """Hands a tensor on; `reduce_op` has no meaning for one replica, whose sum and mean are the tensor itself."""
        self.last_step_outputs[name] = output

    def set_non_tensor_output(self, name: str, output: Any) -> None:
        """Keeps any other value."""
        self.non_tensor_outputs[name] = output


@export("distribute.StrategyExtended")
class StrategyExtended:
    """What a strategy offers to libraries: where it computes, and how values and variables of its replicas are treated.

    >>> tf.distribute.OneDeviceStrategy("/cpu:0").extended.worker_devices
    ('/replica:0/task:0/device:CPU:0',)

    Args:
        container_strategy: the strategy. It has one replica, so that its values and variables are what they are.

    Attributes:
        experimental_between_graph: whether each worker builds its own graph: no.
        experimental_require_static_shapes: whether all shapes have to be known: no.
        experimental_should_init, should_checkpoint, should_save_summary: whether this worker does so: yes.
    """

    experimental_between_graph = experimental_require_static_shapes = False
    experimental_should_init = should_checkpoint = should_save_summary = True

    def __init__(self, container_strategy: Strategy) -> None:
        self._strategy = container_strategy

    _global_batch_size = True  # whether the batches of datasets are those of all replicas together

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The device that replicas compute on."""
        return (canonical_name(f"/replica:0/task:0{canonical_name(self._strategy._device or '/device:CPU:0')}"),)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The device that variables are on."""
        return self.worker_devices

    # ---- variables

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
        return self._strategy.colocate_vars_with(colocate_with_variable)

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made in the scope of the strategy."""
        return getattr(v, "_distribute_strategy", _everywhere) is self._strategy

    def value_container(self, value: Any) -> Any:
        """The variable that a replica's part belongs to: the only one is the whole."""
        return value

    def read_var(self, v: Any) -> Any:
        """The value of a variable."""
        return identity(v)

    def non_slot_devices(self, var_list: Sequence[Any]) -> tuple[str, ...]:
        """Where optimizers keep what belongs to no variable; `var_list` has no meaning here, there is one device."""
        return self.parameter_devices

    # ---- values

    def call_for_each_replica(self, fn: Callable[..., Any], args: Sequence[Any] = (),
                              kwargs: Mapping[str, Any] | None = None) -> Any:
        """Calls a function as the only replica."""
        return self._strategy.experimental_run_v2(fn, args, kwargs)

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """The sum or the mean over the replicas: the value of the only one; `destinations` have no meaning here.

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
        """
        return self._strategy.reduce(reduce_op, value)

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """`reduce_to` for several pairs of a value and destinations."""
        return [self.reduce_to(reduce_op, value, destinations) for value, destinations in value_destination_pairs]

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """A value for all devices, which are one, so that `destinations` have no meaning here."""
        return tensor

    def update(self, var: Any, fn: Callable[..., Any], args: Sequence[Any] = (),
               kwargs: Mapping[str, Any] | None = None, group: bool = True) -> Any:
        """Calls `fn(var, ...)` where the variable is; the result, in a tuple if it is not grouped."""
        with colocate_with(var):
            return self._grouped(fn(var, *args, **(kwargs or {})), group)

    def update_non_slot(self, colocate_with: Any, fn: Callable[..., Any], args: Sequence[Any] = (),
                        kwargs: Mapping[str, Any] | None = None, group: bool = True) -> Any:
        """Calls `fn(...)` on the only device, which `colocate_with` is too; the result, in a tuple if not grouped."""
        with self._strategy._placed():
            return self._grouped(fn(*args, **(kwargs or {})), group)

    @staticmethod
    def _grouped(result: Any, group: bool) -> Any:
        return result if group else (result,)

    # ---- input

    def experimental_run_steps_on_iterator(self, fn: Callable[..., Any], iterator: Any, iterations: Any = 1,
                                           initial_loop_values: Any = None) -> StepsContext:
        """Calls `fn(context, element)` in a loop, for so many elements of an iterator.

        Args:
            fn: one step; what it returns is computed in each, and what it sets in the context is handed on.
            iterator: has `get_next`.
            iterations: how many steps there are.
            initial_loop_values: what the outputs are before the first step, a dictionary.

        Returns:
            The context, whose `run_op` runs the loop, with the outputs of the last step.
        """
        context, initial = StepsContext(), initial_loop_values or {}

        def step(number: Any, *_: Any) -> list[Any]:
            done = fn(context, iterator.get_next())
            with control_dependencies(nest.flatten(done)):
                return [number + 1, *map(identity, nest.flatten(context.last_step_outputs))]

        with self._strategy._placed():
            found = while_loop(lambda number, *_: number < iterations, step, [constant(0), *nest.flatten(initial)],
                               parallel_iterations=1, return_same_structure=True)
        context.last_step_outputs = nest.pack_sequence_as(initial, found[1:]) if initial else {}
        context.run_op = group(found)
        return context

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays."""
        return self._strategy.experimental_make_numpy_dataset(numpy_input, session)


_everywhere = Strategy(None)


@export("distribute.get_strategy", "contrib.distribute.get_strategy")
def get_strategy() -> Strategy:
    """The strategy whose scope is open; outside of all scopes one that changes nothing.

    >>> with tf.distribute.OneDeviceStrategy("/cpu:0").scope() as strategy:
    ...     tf.distribute.get_strategy() is strategy
    True
    """
    entered = _entered.top()
    return _everywhere if entered is None else entered[0]


@export("distribute.has_strategy", "contrib.distribute.has_strategy")
def has_strategy() -> bool:
    """Whether the scope of a strategy is open."""
    return get_strategy() is not _everywhere


@export("distribute.get_replica_context", "contrib.distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The replica that the code runs for; None where it runs for all of them, as in the scope of a strategy."""
    entered = _entered.top()
    return ReplicaContext(_everywhere, 0) if entered is None else entered[1]


@export("distribute.in_cross_replica_context", "contrib.distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether the code runs for all replicas together."""
    return get_replica_context() is None


@export("distribute.OneDeviceStrategy", "contrib.distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Runs a model on one device.

    >>> config = tf.estimator.RunConfig(train_distribute=tf.distribute.OneDeviceStrategy("/cpu:0"))
    >>> config.train_distribute.num_replicas_in_sync
    1

    Args:
        device: the name of the device.
    """

    def __init__(self, device: str) -> None:
        super().__init__(device)


@export("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """Data parallelism over one device, where there is nothing to add up.

    Args:
        devices: a list of one device; by default the device that evergraph computes on.
        cross_device_ops: how TensorFlow adds up gradients of several devices; one device does without.

    Raises:
        UnimplementedError: several devices are given.
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        super().__init__(_only(devices))


@export("contrib.distribute.MirroredStrategy")
class ContribMirroredStrategy(Strategy):
    """Data parallelism over one device, with the arguments of tf.contrib.

    Args:
        devices: a list of one device; by default the device that evergraph computes on.
        num_gpus, num_gpus_per_worker: 0 or 1, instead of `devices`.
        cross_device_ops: how TensorFlow adds up gradients of several devices; one device does without.
        auto_shard_dataset: whether workers share one dataset; there is one worker.
        cross_tower_ops: the older name of `cross_device_ops`.

    Raises:
        UnimplementedError: several devices are given.
    """

    def __init__(self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
                 num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
                 cross_tower_ops: Any = None) -> None:
        count = num_gpus if num_gpus is not None else num_gpus_per_worker
        if count:
            devices = [f"/device:GPU:{place}" for place in range(count)]
        super().__init__(_only(devices))


def _only(devices: Sequence[str] | None) -> str | None:
    """The one device of a list, or None for the default."""
    if devices is None:
        return None
    if len(devices) != 1:
        raise errors.UnimplementedError(
            None, None, f"MirroredStrategy computes on one device here, and {list(devices)} are {len(devices)}")
    return devices[0]


def scope_of(strategy: Strategy | None) -> contextlib.AbstractContextManager[Any]:
    """The scope of a strategy, if there is one."""
    return contextlib.nullcontext() if strategy is None else strategy.scope()


def check(name: str, value: Any) -> None:
    """Raises for a setting of RunConfig that is no strategy of one device."""
    if name == "experimental_distribute" or not isinstance(value, Strategy):
        raise errors.UnimplementedError(
            None, None, f"RunConfig({name}=...): evergraph has OneDeviceStrategy and MirroredStrategy of one device")
