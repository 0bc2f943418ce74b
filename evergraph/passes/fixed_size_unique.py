"""Finds the Unique nodes that may fill up to a fixed size, so that sparse updates stay in one compiled program.

An optimizer adds up the gradients of rows that occur more than once: Unique, then UnsortedSegmentSum, then an update of
the rows that are left. How many are left changes from step to step. Where nothing but the update looks at them, Unique
can give as many as it was given instead: the surplus names no row, its sums are zero, and the update drops it.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evergraph.graph.node import Operation, Tensor

# Ops that compute each row of a sum by itself.
_BY_ROW = frozenset({"Identity", "Cast", "Mul", "Neg", "Square", "AddV2", "Add", "Sub", "RealDiv", "Sqrt", "Rsqrt",
                     "Abs", "Maximum", "Minimum"})
_SCATTERS = frozenset({"ScatterAdd", "ScatterSub", "ResourceScatterAdd", "ResourceScatterSub"})


def of_fixed_size(nodes: Sequence[Operation], fetches: Iterable[Tensor | Operation]) -> frozenset[Operation]:
    """Those of `nodes` that are a Unique which only updates of rows depend on."""
    candidates = [n for n in nodes if n.type == "Unique" and not n.outputs[0]._dtype.np.hasobject]
    if not candidates:
        return frozenset()
    running, fetched = set(nodes), {f for f in fetches if isinstance(f, Tensor)}
    return frozenset(n for n in candidates if _only_updates(n, running, fetched))


def _only_updates(node: Operation, running: Collection[Operation], fetched: set[Tensor]) -> bool:
    distinct, places = node.outputs
    if distinct in fetched or places in fetched:
        return False
    uses = [(user, distinct) for user in distinct.consumers() if user in running]
    sums = [user for user in places.consumers() if user in running]
    return all(_names_rows(user, distinct) or _counts_rows(user, running, fetched) for user, _ in uses) \
        and all(s.type == "UnsortedSegmentSum" and s._inputs[1] is places and _counts(s._inputs[2], distinct)
                and _ends_in_updates(s.outputs[0], distinct, running, fetched) for s in sums)


def _names_rows(user: Operation, distinct: Tensor) -> bool:
    """Whether the node updates the rows that `distinct` names."""
    if user.type in _SCATTERS:
        return user._inputs[1] is distinct
    return "SparseApply" in user.type and any(
        t is distinct and arg.name == "indices" for t, arg in zip(user._inputs, user.opdef.plan.inputs, strict=True))


def _counts_rows(user: Operation, running: Collection[Operation], fetched: set[Tensor]) -> bool:
    """Whether the node asks how many there are, for the sums to be made, and for nothing else."""
    if user.type != "Shape" or user.outputs[0] in fetched:
        return False
    for slice_ in (u for u in user.outputs[0].consumers() if u in running):
        if slice_.type != "StridedSlice" or slice_.outputs[0] in fetched:
            return False
        if any(u.type != "UnsortedSegmentSum" or u._inputs[2] is not slice_.outputs[0]
               for u in slice_.outputs[0].consumers() if u in running):
            return False
    return True


def _counts(number: Tensor, distinct: Tensor) -> bool:
    """Whether the scalar is the number of elements of `distinct`."""
    source = number.op
    return source.type == "StridedSlice" and source._inputs[0].op.type == "Shape" \
        and source._inputs[0].op._inputs[0] is distinct


def _ends_in_updates(rows: Tensor, distinct: Tensor, running: Collection[Operation], fetched: set[Tensor]) -> bool:
    """Whether everything computed from these rows goes, row by row, into updates of the rows of `distinct`."""
    if rows in fetched:
        return False
    for user in (u for u in rows.consumers() if u in running):
        if _names_rows(user, distinct):
            continue
        if user.type not in _BY_ROW or not _ends_in_updates(user.outputs[0], distinct, running, fetched):
            return False
    return True
