"""Changes the edges of a graph: which tensors operations use, and which operations they wait for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.graph_editor.select import make_list_of_op, make_list_of_t
from evergraph.graph.node import Operation, Tensor

_names = names_in("contrib.graph_editor", "contrib.graph_editor.reroute")


@export(*_names("reroute_ts"))
def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Makes the operations that use tensors `ts1` use `ts0` instead.

    Args:
        ts0: tensors.
        ts1: as many.
        can_modify: the operations that may change; all without it.
        cannot_modify: those that may not.

    Returns:
        The number of inputs that changed.

    Raises:
        ValueError: there are not as many, or dtypes or shapes do not fit.
    """
    pairs = _pairs(ts0, ts1)
    return sum(_replace(old, new, _allowed(can_modify, cannot_modify), old.consumers()) for new, old in pairs)


@export(*_names("swap_ts"))
def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Exchanges the operations that use tensors; see `reroute_ts`."""
    allowed = _allowed(can_modify, cannot_modify)
    # All users are found before the first one changes: a tensor may be in several pairs.
    changes = [(op, at, new) for one, two in _pairs(ts0, ts1) for old, new in ((one, two), (two, one))
               for op in dict.fromkeys(old.consumers()) if allowed(op)
               for at, tensor in enumerate(op.inputs) if tensor is old]
    for op, at, new in changes:
        op._update_input(at, new)
    return len(changes)


def _pairs(ts0: Any, ts1: Any) -> list[tuple[Tensor, Tensor]]:
    one, two = make_list_of_t(ts0), make_list_of_t(ts1)
    if len(one) != len(two):
        raise ValueError(f"there must be as many tensors in both lists, got {len(one)} and {len(two)}")
    for new, old in zip(one, two):
        if new.dtype.base_dtype != old.dtype.base_dtype or not new.shape.is_compatible_with(old.shape):
            raise ValueError(f"{new.name} cannot stand for {old.name}: {new.dtype.name} {new.shape} for "
                             f"{old.dtype.name} {old.shape}")
    return list(zip(one, two))


def _allowed(can_modify: Any, cannot_modify: Any) -> Any:
    may = None if can_modify is None else set(make_list_of_op(can_modify))
    must_not = set(make_list_of_op(cannot_modify)) if cannot_modify is not None else set()
    return lambda op: (may is None or op in may) and op not in must_not


def _replace(old: Tensor, new: Tensor, allowed: Any, users: Iterable[Operation]) -> int:
    changed = 0
    for op in list(dict.fromkeys(users)):
        if op is new.op or not allowed(op):
            continue
        for at, tensor in enumerate(op.inputs):
            if tensor is old:
                op._update_input(at, new)
                changed += 1
    return changed


@export(*_names("add_control_inputs"))
def add_control_inputs(op: Operation, cops: Any) -> None:
    """Makes an operation wait for others.

    Raises:
        TypeError: something is no operation.
        ValueError: it waits for one of them already.
    """
    if not isinstance(op, Operation):
        raise TypeError(f"op must be a tf.Operation, not {op!r}")
    others = make_list_of_op(cops, allow_graph=False)
    for other in others:
        if other in op.control_inputs:
            raise ValueError(f"{op.name} waits for {other.name} already")
    op._add_control_inputs(others)


@export(*_names("remove_control_inputs"))
def remove_control_inputs(op: Operation, cops: Any) -> None:
    """Makes an operation wait for others no more.

    Raises:
        TypeError: something is no operation.
        ValueError: it does not wait for one of them.
    """
    if not isinstance(op, Operation):
        raise TypeError(f"op must be a tf.Operation, not {op!r}")
    others = make_list_of_op(cops, allow_graph=False)
    for other in others:
        if other not in op.control_inputs:
            raise ValueError(f"{op.name} does not wait for {other.name}")
    kept = [each for each in op.control_inputs if each not in others]
    op._remove_all_control_inputs()
    op._add_control_inputs(kept)
