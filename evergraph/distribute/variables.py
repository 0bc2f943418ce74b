"""Variables with a copy for each replica: mirrored, synchronized when they are read, or one for all replicas."""
from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.distribute.reductions import ReduceOp, placed, total
from evergraph.distribute.values import Mirrored, local_values, selected
from evergraph.frontend import array, replicas
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.base import VariableAggregation
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor

_SHARED = ("_dtype", "_static", "_trainable", "_constraint", "_synchronization", "_aggregation", "_save_slice_info",
           "_graph", "serial")


class DistributedVariable(ResourceVariable):
    """A variable that consists of copies, one on each device of a strategy. It has the name of the first.

    Whoever reads it for a replica, or updates one copy, gets that copy; else it is the first. Assigning changes all
    copies.

    Args:
        strategy: the strategy.
        parts: the copies, which are variables.
        aggregation: how the values that replicas assign become one.
    """

    def __init__(self, strategy: Any, parts: Sequence[ResourceVariable], aggregation: VariableAggregation) -> None:
        vars(self).update({name: vars(parts[0])[name] for name in _SHARED})
        self._distribute_strategy, self._parts, self._aggregation = strategy, tuple(parts), aggregation
        self._cached_value = None
        for part in parts:
            part._distributed_container = weakref.ref(self)  # type: ignore[attr-defined]
        self._all_initialized = None if self._graph.is_eager else self._initialized_together()

    def _initialized_together(self) -> Any:
        if len(self._parts) == 1:
            return self._parts[0].initializer
        with self._graph.as_default():
            return group(*(part.initializer for part in self._parts), name=f"{self._parts[0].op.name}/replicas_init")

    # ---- the copy that is meant

    def _number(self) -> int | None:
        """The number of the copy that the code is about; None where it is about all of them."""
        inside = replicas.current()
        if inside is None or inside.strategy is not self._distribute_strategy:
            return None
        return inside.copy if inside.replica is None else inside.replica.number

    def get(self) -> ResourceVariable:
        """The copy that is meant here."""
        return self._parts[self._number() or 0]

    @property
    def values(self) -> tuple[ResourceVariable, ...]:
        """The copies."""
        return self._parts

    @property
    def primary(self) -> ResourceVariable:
        """The first copy."""
        return self._parts[0]

    @property
    def distribute_strategy(self) -> Any:
        """The strategy that the variable belongs to."""
        return self._distribute_strategy

    handle = property(lambda self: self.get().handle)  # type: ignore[assignment]
    op = property(lambda self: self.get().op)
    name = property(lambda self: self._parts[0].name)
    device = property(lambda self: self.get().device)
    _shared_name = property(lambda self: self._parts[0]._shared_name)
    _graph_element = property(lambda self: self.get()._graph_element)  # type: ignore[assignment]
    _is_initialized_op = property(lambda self: self.get()._is_initialized_op)  # type: ignore[assignment]

    @property
    def _initial_value(self) -> Any:  # type: ignore[override]
        return self._parts[0]._initial_value

    @_initial_value.setter
    def _initial_value(self, value: Any) -> None:
        self._parts[0]._initial_value = value

    @property
    def _initializer_op(self) -> Any:  # type: ignore[override]
        return self._all_initialized

    @_initializer_op.setter
    def _initializer_op(self, operation: Any) -> None:
        """Takes another operation that initializes the first copy, as from a checkpoint; the others follow it."""
        with control_dependencies([operation]):
            value = self._parts[0]._read()
        self._all_initialized = group(operation, *(_assigned(part, value) for part in self._parts[1:]))

    def load(self, value: Any, session: Any = None) -> None:
        """Sets all copies in a session, without adding to the graph."""
        for part in self._parts:
            part.load(value, session)

    def __deepcopy__(self, memo: Any) -> Any:
        raise NotImplementedError(f"{self.name} belongs to a distribution strategy, and is not copied")

    # ---- changes

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        return self._changed(lambda part, x: part.assign(x, use_locking, name, read_value), value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        return self._changed(lambda part, x: part.assign_add(x, use_locking, name, read_value), delta)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        return self._changed(lambda part, x: part.assign_sub(x, use_locking, name, read_value), delta)

    def _scatter(self, kind: str, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
        inside = replicas.current()
        if inside is not None and inside.replica is not None and len(self._parts) > 1:
            raise NotImplementedError(f"rows of {self.name} cannot be changed by its replicas one by one: call "
                                      f"scatter_{kind} in strategy.extended.update")
        return self._changed(lambda part, x: part._scatter(kind, x[0], x[1], use_locking, name), (indices, updates))

    def _changed(self, change: Callable[[Any, Any], Any], value: Any) -> Any:
        """The result of changing the copy that is meant, or all of them by one value.

        Raises:
            ValueError: a replica assigns, and nothing says how the values of all replicas become one.
        """
        inside = replicas.current()
        if inside is None or inside.strategy is not self._distribute_strategy:
            return updated(self, change, (value,))
        if inside.copy is not None:
            return change(self._parts[inside.copy], value)
        if inside.replica is None:
            return updated(self, change, (value,))
        if self._aggregation is VariableAggregation.NONE:
            raise ValueError(f"You must specify an aggregation method to update a {type(self).__name__} in Replica "
                             f"Context. You can do so by making {self.name} with "
                             "aggregation=tf.VariableAggregation.SUM, MEAN or ONLY_FIRST_REPLICA, or assigning "
                             "outside of the replicas")
        return inside.replica.merge_call(
            lambda strategy, found: updated(self, change, (self._combined(strategy, found),)), (value,))

    def _combined(self, strategy: Any, value: Any) -> Any:
        """One value of those that the replicas assign."""
        if self._aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
            return strategy.extended.broadcast_to(local_values(value)[0], self)
        return strategy.extended.reduce_to(ReduceOp.from_variable_aggregation(self._aggregation), value, self)

    # ---- checkpoints

    def _as_saveable(self, name: str) -> SaveableObject:
        return _Saveable(self, name)

    def _saved_value(self) -> Tensor:
        return self._parts[0].read_value()

    def _restored(self, value: Tensor) -> list[Any]:
        return [_assigned(part, value) for part in self._parts]


class MirroredVariable(DistributedVariable):
    """A variable with equal copies on all devices: what changes one of them changes all."""


class AggregatingVariable(DistributedVariable):
    """A variable that all replicas use, on a device of its own: its one copy is updated once for all of them."""

    def _number(self) -> int | None:
        return 0

    def _changed(self, change: Callable[[Any, Any], Any], value: Any) -> Any:
        inside = replicas.current()
        if inside is not None and inside.copy is not None:
            return change(self._parts[0], value)
        return super()._changed(change, value)


class SyncOnReadVariable(DistributedVariable):
    """A variable whose copies go their own ways: a replica changes its own, and a read by all combines them."""

    def _is_combined(self) -> bool:
        """Whether a read here is one of all copies."""
        return self._number() is None and self._aggregation is not VariableAggregation.NONE

    def _combination(self) -> Tensor:
        if self._aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
            return self._parts[0].read_value()
        how = ReduceOp.from_variable_aggregation(self._aggregation)
        return self._distribute_strategy.extended._across(self._combined_here(how), how)

    def _combined_here(self, how: ReduceOp) -> Tensor:
        with placed(self._parts[0].device):
            return total([part.read_value() for part in self._parts], how)

    def _read(self) -> Tensor:
        return self._combination() if self._is_combined() else super()._read()

    def value(self) -> Tensor:
        return self._combination() if self._is_combined() else self.get().value()

    def read_value(self) -> Tensor:
        return self._combination() if self._is_combined() else self.get().read_value()

    def _as_graph_element(self) -> Tensor:
        many = self._distribute_strategy.num_replicas_in_sync > 1
        return self._combination() if self._is_combined() and many else self.get()._as_graph_element()

    def _changed(self, change: Callable[[Any, Any], Any], value: Any) -> Any:
        number = self._number()
        return updated(self, change, (value,)) if number is None else change(self._parts[number], value)

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        if self._number() is None:
            value = self._share(convert_to_tensor(value, self._dtype))
        return super().assign(value, use_locking, name, read_value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        self._check_alone("assign_add")
        return super().assign_add(delta, use_locking, name, read_value)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        self._check_alone("assign_sub")
        return super().assign_sub(delta, use_locking, name, read_value)

    def _check_alone(self, verb: str) -> None:
        if self._number() is None and self._aggregation is VariableAggregation.SUM and len(self._parts) > 1:
            raise ValueError(f"{verb} in cross-replica context cannot tell which copy of {self.name} to change, whose "
                             "value is their SUM: assign to it, or let a replica change its own copy")

    def _share(self, value: Tensor) -> Tensor:
        """What each copy holds where they are to hold a value together."""
        if self._aggregation is not VariableAggregation.SUM or len(self._parts) == 1:
            return value
        return array.identity(value / convert_to_tensor(len(self._parts), value.dtype)) if value.dtype.is_floating \
            else value // convert_to_tensor(len(self._parts), value.dtype)

    def _saved_value(self) -> Tensor:
        """The value of all copies here: one worker alone saves, so that the others would not answer."""
        if self._aggregation in (VariableAggregation.SUM, VariableAggregation.MEAN):
            return self._combined_here(ReduceOp.from_variable_aggregation(self._aggregation))
        return super()._saved_value()

    def _restored(self, value: Tensor) -> list[Any]:
        return super()._restored(self._share(value))


class _Saveable(SaveableObject):
    """One value of a checkpoint for all copies of a variable."""

    def __init__(self, variable: DistributedVariable, name: str) -> None:
        self._variable, first = variable, variable.primary
        super().__init__(first, [SaveSpec(variable._saved_value, "", name, dtype=variable.dtype, device=first.device)],
                         name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Any:
        value = restored_tensors[0]
        if restored_shapes is not None:
            value = array.reshape(value, restored_shapes[0])
        self._variable.shape.assert_is_compatible_with(value.shape)
        return group(*self._variable._restored(value))


def _assigned(part: ResourceVariable, value: Tensor) -> Any:
    with placed(part.device):
        return part.assign(array.identity(value), read_value=False)


# ---- updating copies

def updated(variable: Any, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None,
            grouped: bool = True) -> Any:
    """The results of `fn(copy, *args, **kwargs)` for each copy of a variable, on the device of the copy.

    Args:
        variable: a variable with copies, or a plain one.
        fn: what updates a copy.
        args, kwargs: its other arguments; values that are distributed are given in part.
        grouped: whether the result is one that waits for all updates; else it is a tuple of one for each copy.
    """
    strategy = getattr(variable, "_distribute_strategy", None)
    results = []
    for number, part in enumerate(local_values(variable)):
        with replicas.entered.pushed(replicas.Entered(strategy, copy=number)), placed(part.device):
            results.append(fn(part, *selected(number, args), **dict(selected(number, kwargs or {}))))
    return together(results) if grouped else tuple(results)


def together(results: Sequence[Any]) -> Any:
    """One result of those of several updates: an operation that waits for all, or tensors that do."""
    if len(results) == 1 or default_graph().is_eager:
        return results[0]
    if all(result is None for result in results):
        return None
    if not all(isinstance(result, (Tensor, ResourceVariable)) for result in results):
        return group(*(result for result in results if result is not None))
    found = []
    with control_dependencies([result.op for result in results]):
        for result in results:
            with placed(result.device):
                found.append(array.identity(result))
    return Mirrored(found)
