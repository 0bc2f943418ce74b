"""Finds the Unique nodes whose outputs may have a fixed size, so that a sparse update stays in one compiled program.

An optimizer adds up the gradients of rows that occur more than once: Unique, then UnsortedSegmentSum, then an update of
the distinct rows. Their number changes from step to step, and XLA compiles for static shapes. When only the update uses
them, Unique may return as many rows as it was given: the row numbers it pads with are outside the variable, their sums
are zero, and the update drops them.

Programs of several towers do the same before they hand gradients to an optimizer: they average the sums, scale them by
their norm, and the optimizer makes their rows distinct once more. So padded rows may also go through arithmetic row by
row, be added up while they are zero, and be the input of another such Unique.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from evergraph.base import errors
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.calling import evaluate


def fixed_size_uniques(nodes: Sequence[Operation], fetches: Iterable[Tensor | Operation]) -> frozenset[Operation]:
    """Those of `nodes` that have a fixed-size kernel and whose outputs only updates of rows use."""
    candidates = [n for n in nodes if n.opdef.fixed_size_kernel is not None and n.opdef.padding is None
                  and not n.outputs[0]._dtype.np.hasobject]
    if not candidates:
        return frozenset()
    search = _Search(set(nodes), {f for f in fetches if isinstance(f, Tensor)}, set(candidates))
    while True:  # a Unique depends on those that take its rows
        refused = {n for n in search.fixed if not search.is_unnoticed(n)}
        if not refused:
            return frozenset(search.fixed)
        search.fixed -= refused


class _Search:
    """The nodes that run, the tensors that are fetched, and the Unique nodes that are still taken to be fixed."""

    def __init__(self, running: Collection[Operation], fetched: set[Tensor], fixed: set[Operation]) -> None:
        self._running, self._fetched, self.fixed = running, fetched, fixed

    def is_unnoticed(self, node: Operation) -> bool:
        """Whether no use of a Unique's outputs could tell that they are padded."""
        distinct, places = node.outputs
        if distinct in self._fetched or places in self._fetched:
            return False
        return all(_updates_rows(user, distinct) or self._sizes_sums(user) or self._is_next(user, distinct)
                   for user in self._users(distinct)) and all(
            user.opdef.kind is Kind.SEGMENT_SUM and user._inputs[1] is places and _is_count(user._inputs[2], distinct)
            and self._end_in_updates(user.outputs[0], distinct, True) for user in self._users(places))

    def _users(self, tensor: Tensor) -> list[Operation]:
        return [user for user in tensor.consumers() if user in self._running]

    def _is_next(self, user: Operation, distinct: Tensor) -> bool:
        """Whether the node is another Unique of fixed size, which leaves distinct rows as they are."""
        return user in self.fixed and user._inputs[0] is distinct

    def _sizes_sums(self, user: Operation) -> bool:
        """Whether the node is a Shape that gives UnsortedSegmentSum the number of sums, and has no other use."""
        if not _is_shape(user) or user.outputs[0] in self._fetched:
            return False
        for count in self._users(user.outputs[0]):
            if not _is_view(count) or count.outputs[0] in self._fetched:
                return False
            if any(u.opdef.kind is not Kind.SEGMENT_SUM or u._inputs[2] is not count.outputs[0]
                   for u in self._users(count.outputs[0])):
                return False
        return True

    def _end_in_updates(self, rows: Tensor, distinct: Tensor, are_zero: bool) -> bool:
        """Whether all uses of rows are updates of the rows whose numbers are `distinct`, which are padded.

        Or they leave out zeros, if `are_zero`: the rows that belong to the padding are.
        """
        if rows in self._fetched:
            return False
        for user in self._users(rows):
            if _updates_rows(user, distinct) or self._are_summed_again(user, rows, distinct):
                continue
            if user.opdef.adds_up and are_zero and _is_one_number(user.outputs[0]):
                continue
            fits = _is_by_row(user) and all(_fits(t, rows, distinct) for t in user._inputs)
            if not fits or not self._end_in_updates(user.outputs[0], distinct, are_zero and _keeps_zeros(user, rows)):
                return False
        return True

    def _are_summed_again(self, user: Operation, rows: Tensor, distinct: Tensor) -> bool:
        """Whether the node adds up the rows by the places that another Unique gives them."""
        return user.opdef.kind is Kind.SEGMENT_SUM and user._inputs[0] is rows \
            and self._is_next(user._inputs[1].op, distinct)


def _is_one_number(tensor: Tensor) -> bool:
    return tensor._shape is not None and all(size == 1 for size in tensor._shape)


def _updates_rows(user: Operation, distinct: Tensor) -> bool:
    """Whether the node updates the rows of a variable whose numbers are `distinct`."""
    rows = user.opdef.updates_rows
    return rows is not None and any(
        t is distinct and arg.name == rows for t, arg in zip(user._inputs, user.opdef.plan.inputs, strict=True))


def _is_count(number: Tensor, distinct: Tensor) -> bool:
    """Whether the scalar is the number of elements of `distinct`: a view of its one-element shape."""
    return _is_view(number.op) and _is_shape(number.op._inputs[0].op) and number.op._inputs[0].op._inputs[0] is distinct


def _is_shape(node: Operation) -> bool:
    return node.opdef.kind is Kind.SHAPE and len(node._inputs) == 1


def _is_view(node: Operation) -> bool:
    return node.opdef.memory is Memory.VIEW and len(node.outputs) == 1


def _is_by_row(node: Operation) -> bool:
    """Whether each row of the output follows from the same row of the inputs, and no row is an error."""
    return node.opdef.by_row or node.opdef.broadcasts and node.outputs[0]._dtype.is_floating


def _fits(tensor: Tensor, rows: Tensor, distinct: Tensor) -> bool:
    """Whether the tensor is the same for all rows, or has as many rows as `distinct`, those of the padding included."""
    shape = tensor._shape
    if tensor is rows or shape is not None and rows._shape is not None and (
            len(shape) < len(rows._shape) or shape[:1] == (1,)):
        return True
    node = tensor.op
    if node.opdef.kind is Kind.SEGMENT_SUM:
        return _is_count(node._inputs[2], distinct)
    return _is_by_row(node) and bool(node._inputs) and all(_fits(t, rows, distinct) for t in node._inputs)


def _keeps_zeros(node: Operation, rows: Tensor) -> bool:
    """Whether rows of zeros stay zeros: tried out, where all other inputs are known."""
    values = [np.zeros(1, t._dtype.np) if t is rows else static_value(t) for t in node._inputs]
    if not node.opdef.is_foldable or any(value is None or value.size != 1 for value in values):
        return False
    try:
        with np.errstate(all="ignore"):
            return not evaluate(node, [v for v in values if v is not None])[0].any()
    except errors.OpError:
        return False
