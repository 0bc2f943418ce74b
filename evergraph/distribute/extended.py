"""tf.distribute.StrategyExtended: how a strategy treats the variables and values of its replicas."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.distribute import input as inputs
from evergraph.distribute import reductions
from evergraph.distribute.contexts import ReplicaContext, defaults, require_cross_replica, require_strategy_scope
from evergraph.distribute.reductions import CrossDeviceOps, ReduceOp, full_name, is_value, placed
from evergraph.distribute.replica_threads import Replica, call_for_each
from evergraph.distribute.steps import StepsContext, run_steps
from evergraph.distribute.values import PerReplica, local_values, regrouped, selected
from evergraph.distribute.variables import together, updated
from evergraph.frontend import reduce, replicas
from evergraph.frontend.array import identity
from evergraph.frontend.blocks import colocate_with as colocated
from evergraph.frontend.blocks import device, root_graph
from evergraph.frontend.variables.base import variable_creator_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.scopes import DefaultStack

beside = DefaultStack()
"""The variables of `colocate_vars_with`, beside which others are made."""


@export("distribute.StrategyExtended", "contrib.distribute.DistributionStrategyExtended")
class StrategyExtended:
    """What a strategy offers to libraries: where it computes, and how values and variables of its replicas are treated.

    >>> tf.distribute.OneDeviceStrategy("/cpu:0").extended.worker_devices
    ('/replica:0/task:0/device:CPU:0',)

    Args:
        container_strategy: the strategy.
        devices: the device of each replica; "" is the one that the session prefers.

    Attributes:
        experimental_between_graph: whether each worker builds its own graph: no.
        experimental_require_static_shapes: whether all shapes have to be known: no.
        experimental_should_init, should_checkpoint, should_save_summary: whether this worker does so: yes.
    """

    experimental_between_graph = experimental_require_static_shapes = False
    experimental_should_init = should_checkpoint = should_save_summary = True
    _global_batch_size = True
    _in_multi_worker_mode = staticmethod(lambda: False)
    _first_replica = 0  # the number of this worker's first replica among all
    _worker_context: Any = None  # what sessions ask, where several workers train together

    def __init__(self, container_strategy: Any, devices: Sequence[str] = ("",)) -> None:
        self._strategy, self._devices = container_strategy, tuple(name and full_name(name) for name in devices)
        self._cross_device_ops = CrossDeviceOps()

    @property
    def _num_replicas_in_sync(self) -> int:
        return len(self._devices)

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The devices that replicas compute on."""
        return tuple(name or full_name("/device:CPU:0") for name in self._devices)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The devices that variables are on."""
        return self.worker_devices

    # ---- scopes

    @contextlib.contextmanager
    def _scope(self, strategy: Any) -> Iterator[Any]:
        inside = replicas.current()
        if inside is not None and inside.strategy is not strategy and strategy is not defaults.everywhere:
            raise RuntimeError(f"Mixing different tf.distribute.Strategy objects: the scope of {inside.strategy} is "
                               f"open, and {strategy} is entered")
        if strategy is defaults.everywhere:
            yield strategy
            return
        if inside is not None:
            require_cross_replica(strategy)
        is_open = self._creator in root_graph().scopes.variable_creators  # variables are made once
        with replicas.entered.pushed(replicas.Entered(strategy)), self._home(), \
                contextlib.nullcontext() if is_open else variable_creator_scope(self._creator):
            yield strategy

    def _home(self) -> Any:
        """Where operations are that are for all replicas."""
        return contextlib.nullcontext()

    def _creator(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """Makes a variable that belongs to the strategy."""
        require_strategy_scope(self._strategy)
        inside = replicas.current()
        make = lambda: self._made(next_creator, {**kwargs, "use_resource": True})
        if inside is None or inside.replica is None or inside.replica.shared is None:
            return make()
        return inside.replica.shared.variable(inside.replica.number, kwargs.get("name"), make)

    def _made(self, next_creator: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        variable = next_creator(**kwargs)
        variable._distribute_strategy = self._strategy
        return variable

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is.

        Raises:
            ValueError: that variable does not belong to the strategy.
        """
        if not self.variable_created_in_scope(colocate_with_variable):
            raise ValueError("colocate_vars_with takes a variable that was made in the scope of its strategy, and "
                             f"this one was not: {colocate_with_variable}")
        return beside.pushed(colocate_with_variable) if self._strategy is not defaults.everywhere \
            else colocated(colocate_with_variable)

    # ---- variables

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made in the scope of the strategy."""
        return getattr(v, "_distribute_strategy", defaults.everywhere) is self._strategy

    def value_container(self, value: Any) -> Any:
        """The variable that a replica's copy belongs to; any other value is returned as it is."""
        return replicas.whole(value)

    def read_var(self, v: Any) -> Any:
        """The value of a variable."""
        return identity(v)

    def non_slot_devices(self, var_list: Sequence[Any]) -> Any:
        """Where optimizers keep what belongs to no variable: on all devices with variables, whatever `var_list` is."""
        return self.parameter_devices

    def update(self, var: Any, fn: Callable[..., Any], args: Sequence[Any] = (),
               kwargs: Mapping[str, Any] | None = None, group: bool = True) -> Any:
        """Calls `fn(copy, ...)` for each copy of a variable, where the copy is.

        Args:
            var: the variable.
            fn: what changes a copy.
            args, kwargs: its other arguments; values that are distributed are given in part.
            group: whether the result waits for all copies; else it is a tuple of the results.

        Raises:
            RuntimeError: it is called for one replica.
        """
        require_cross_replica(self._strategy)
        return updated(var, fn, args, kwargs, group)

    def update_non_slot(self, colocate_with: Any, fn: Callable[..., Any], args: Sequence[Any] = (),
                        kwargs: Mapping[str, Any] | None = None, group: bool = True) -> Any:
        """Calls `fn(...)` on each of the devices that `non_slot_devices` returned.

        Raises:
            RuntimeError: it is called for one replica.
        """
        require_cross_replica(self._strategy)
        results = []
        for number, name in enumerate(reductions.devices_of(colocate_with)):
            with replicas.entered.pushed(replicas.Entered(self._strategy, copy=number)), placed(name):
                results.append(fn(*selected(number, tuple(args)), **selected(number, dict(kwargs or {}))))
        return together(results) if group else tuple(results)

    # ---- values

    def call_for_each_replica(self, fn: Callable[..., Any], args: Sequence[Any] = (),
                              kwargs: Mapping[str, Any] | None = None) -> Any:
        """Calls a function for each replica; see `tf.distribute.Strategy.experimental_run_v2`.

        Raises:
            RuntimeError: it is called for one replica already.
        """
        require_cross_replica(self._strategy)
        if len(self._devices) > 1:
            return self._called_in_turns(fn, tuple(args), dict(kwargs or {}))
        context = ReplicaContext(self._strategy, None)
        entered = replicas.Entered(self._strategy, context)
        with replicas.entered.pushed(entered), device(self._devices[0]) if self._devices[0] else \
                contextlib.nullcontext():
            return fn(*selected(0, tuple(args)), **selected(0, dict(kwargs or {})))

    def _called_in_turns(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        shared = SharedVariables()

        def call(number: int, thread: Replica) -> Any:
            context = ReplicaContext(self._strategy, None, thread, number)
            context.shared = shared
            with replicas.entered.pushed(replicas.Entered(self._strategy, context)):
                return fn(*selected(number, args), **selected(number, kwargs))

        def merge(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
            with replicas.entered.pushed(replicas.Entered(self._strategy)):
                return function(self._strategy, *args, **kwargs)

        with replicas.entered.pushed(replicas.Entered(self._strategy)):
            return regrouped(call_for_each(self._devices, call, merge))

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """The sum or the mean of the values of the replicas, on the devices of `destinations`.

        Args:
            reduce_op: a tf.distribute.ReduceOp, or its name.
            value: what is to be reduced; a value that all replicas share is its own mean.
            destinations: a variable, a value, or names of devices.

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN, or the value is not distributed and its sum is asked for.
            RuntimeError: it is called for one replica.
        """
        require_cross_replica(self._strategy)
        how = ReduceOp.of(reduce_op)
        if not is_value(value):
            return self._shared_value(how, value)
        if isinstance(value, reductions.Mirrored):
            return value if how is ReduceOp.MEAN else self._shared_value(how, value)
        return self._cross_device_ops.reduce(how, value, destinations)

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """`reduce_to` for several pairs of a value and destinations.

        Raises:
            ValueError: as `reduce_to`.
            RuntimeError: it is called for one replica.
        """
        require_cross_replica(self._strategy)
        how = ReduceOp.of(reduce_op)
        found = [None if isinstance(value, PerReplica) else self.reduce_to(how, value, destinations)
                 for value, destinations in value_destination_pairs]
        pairs = [pair for pair in value_destination_pairs if isinstance(pair[0], PerReplica)]
        reduced = iter(self._cross_device_ops.batch_reduce(how, pairs) if pairs else ())
        return [next(reduced) if isinstance(value, PerReplica) else done
                for done, (value, _) in zip(found, value_destination_pairs)]

    def _shared_value(self, how: ReduceOp, value: Any) -> Any:
        """The reduction of a value that all replicas have in common."""
        if how is ReduceOp.MEAN or len(self._devices) == 1 or isinstance(value, (int, float)) and value == 0:
            return value
        raise ValueError(f"A non-DistributedValues value {value} cannot be reduced with the given reduce op {how}.")

    def _reduced(self, how: ReduceOp, value: Any, axis: int | None) -> Any:
        if axis is None:
            return local_values(self.reduce_to(how, value, self._devices[:1]))[0] \
                if is_value(value) or len(self._devices) > 1 else value
        parts = [convert_to_tensor(part) for part in local_values(value)]
        sums = [reduce.reduce_sum(part, axis) for part in parts]
        if how is ReduceOp.SUM:
            return reductions.total(sums, how)
        return reductions.mean_of_rows(parts, sums, axis)

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """A value on the devices of `destinations`.

        Raises:
            RuntimeError: it is called for one replica.
        """
        require_cross_replica(self._strategy)
        return tensor if len(self._devices) == 1 else self._cross_device_ops.broadcast(tensor, destinations)

    def _across(self, value: Any, how: ReduceOp) -> Any:
        """A value of this process and those of the other workers as one."""
        return value

    def _agreed(self, array: Any) -> Any:
        """The first worker's array, for all workers."""
        return array

    # ---- input

    def _share(self) -> tuple[int, int] | None:
        """(the number of the first replica here, how many there are everywhere), where that is not all here."""
        return None

    def _distributed_dataset(self, dataset: Any) -> Any:
        return dataset if self._num_replicas_in_sync == 1 else \
            inputs.DistributedDataset(dataset, self._devices, share=self._share())

    def _dataset_from_function(self, dataset_fn: Callable[[Any], Any]) -> Any:
        found = dataset_fn(self._input_context())
        return found if len(self._devices) == 1 else inputs.DistributedDataset(found, self._devices, divides=False)

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return inputs.iterator(dataset, self._devices, divides=True, share=self._share())

    def _make_input_fn_iterator(self, input_fn: Callable[[Any], Any]) -> Any:
        return inputs.iterator(input_fn(self._input_context()), self._devices, divides=False)

    def _input_context(self) -> Any:
        return inputs.InputContext(num_replicas_in_sync=self._num_replicas_in_sync)

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays; see `tf.distribute.Strategy.experimental_make_numpy_dataset`."""
        return inputs.of_arrays(numpy_input)

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

        Raises:
            RuntimeError: it is called for one replica.
        """
        require_cross_replica(self._strategy)
        return run_steps(self._strategy, fn, iterator, iterations, initial_loop_values)

    # ---- sessions

    def _configure(self, cluster_spec: Any, task_type: str | None, task_id: int | None) -> None:
        if cluster_spec or task_type is not None or task_id is not None:
            raise errors.UnimplementedError(None, None, "a distribution strategy for the tasks of a cluster")

    def _updated_config(self, config: Any) -> Any:
        return config


class SharedVariables:
    """The variables that the replicas of one call make: those of the first, which the others find by their names.

    Names that scopes have made unique by numbers are the same name: the n-th variable of a name is the same in all
    replicas.
    """

    def __init__(self) -> None:
        self._made: dict[str, list[Any]] = {}
        self._found: dict[tuple[str, int], int] = {}

    def variable(self, number: int, name: str | None, make: Callable[[], Any]) -> Any:
        """The variable of this name for a replica, which the first one makes.

        Raises:
            RuntimeError: the first replica has made no such variable.
        """
        key = _plain(name)
        made = self._made.setdefault(key, [])
        if number == 0:
            made.append(make())
            return made[-1]
        place = self._found.get((key, number), 0)
        self._found[key, number] = place + 1
        if place >= len(made):
            raise RuntimeError(f"replica {number} makes more variables named {name} than the first one, which has "
                               f"made {len(made)}: all replicas have to make the same ones")
        return made[place]


def _plain(name: str | None) -> str:
    """A name without the numbers that make it unique."""
    words = (name or "Variable").split("/")
    return "/".join(head if (tail := word.rpartition("_")[2]).isdigit() and (head := word[:-len(tail) - 1]) else word
                    for word in words)
