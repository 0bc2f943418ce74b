"""Finds the Unique nodes whose outputs may have a fixed size, so that a sparse update stays in one compiled program.

An optimizer adds up the gradients of rows that occur more than once: Unique, then UnsortedSegmentSum, then an update of
the distinct rows. Their number changes from step to step, and XLA compiles for static shapes. When only the update uses
them, Unique may return as many rows as it was given: the row numbers it pads with are outside the variable, their sums
are zero, and the update drops them.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind, Memory


def fixed_size_uniques(nodes: Sequence[Operation], fetches: Iterable[Tensor | Operation]) -> frozenset[Operation]:
    """Those of `nodes` that have a fixed-size kernel and whose outputs only updates of rows use."""
    candidates = [n for n in nodes if n.opdef.fixed_size_kernel is not None and n.opdef.padding is None
                  and not n.outputs[0]._dtype.np.hasobject]
    if not candidates:
        return frozenset()
    running, fetched = set(nodes), {f for f in fetches if isinstance(f, Tensor)}
    return frozenset(n for n in candidates if _only_updates(n, running, fetched))


def _only_updates(node: Operation, running: Collection[Operation], fetched: set[Tensor]) -> bool:
    distinct, places = node.outputs
    if distinct in fetched or places in fetched:
        return False
    users = [user for user in distinct.consumers() if user in running]
    sums = [user for user in places.consumers() if user in running]
    return all(_updates_rows(user, distinct) or _sizes_sums(user, running, fetched) for user in users) \
        and all(s.opdef.kind is Kind.SEGMENT_SUM and s._inputs[1] is places and _is_count(s._inputs[2], distinct)
                and _ends_in_updates(s.outputs[0], distinct, running, fetched) for s in sums)


def _updates_rows(user: Operation, distinct: Tensor) -> bool:
    """Whether the node updates the rows of a variable whose numbers are `distinct`."""
    rows = user.opdef.updates_rows
    return rows is not None and any(
        t is distinct and arg.name == rows for t, arg in zip(user._inputs, user.opdef.plan.inputs, strict=True))


def _sizes_sums(user: Operation, running: Collection[Operation], fetched: set[Tensor]) -> bool:
    """Whether the node is a Shape that gives UnsortedSegmentSum the number of sums, and has no other use."""
    if not _is_shape(user) or user.outputs[0] in fetched:
        return False
    for count in (u for u in user.outputs[0].consumers() if u in running):
        if not _is_view(count) or count.outputs[0] in fetched:
            return False
        if any(u.opdef.kind is not Kind.SEGMENT_SUM or u._inputs[2] is not count.outputs[0]
               for u in count.outputs[0].consumers() if u in running):
            return False
    return True


def _is_count(number: Tensor, distinct: Tensor) -> bool:
    """Whether the scalar is the number of elements of `distinct`: a view of its one-element shape."""
    return _is_view(number.op) and _is_shape(number.op._inputs[0].op) and number.op._inputs[0].op._inputs[0] is distinct


def _is_shape(node: Operation) -> bool:
    return node.opdef.kind is Kind.SHAPE and len(node._inputs) == 1


def _is_view(node: Operation) -> bool:
    return node.opdef.memory is Memory.VIEW and len(node.outputs) == 1


def _ends_in_updates(rows: Tensor, distinct: Tensor, running: Collection[Operation], fetched: set[Tensor]) -> bool:
    """Whether all uses of these rows are, row by row, updates of the rows whose numbers are `distinct`."""
    if rows in fetched:
        return False
    for user in (u for u in rows.consumers() if u in running):
        if _updates_rows(user, distinct):
            continue
        if not user.opdef.by_row or not _ends_in_updates(user.outputs[0], distinct, running, fetched):
            return False
    return True
