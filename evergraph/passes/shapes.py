"""Finds the small tensors whose values follow from shapes alone.

Such a value changes only when the shapes of the feeds change. A stage that gets one from an earlier stage is therefore
compiled for its value, which ops with static inputs (Reshape, Slice, Pad) would ask for anyway.
"""

from __future__ import annotations

from math import prod

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind

MOST_SIZES = 64  # elements of a tensor that shapes are made of: enough for every shape and pair of paddings


def follow_from_shapes(tensor: Tensor, known: dict[Operation, bool]) -> bool:
    """Whether the tensor is small and computed from shapes and constants; `known` caches the answer by node."""
    if tensor._dtype.np.kind not in "iub" or tensor._dtype.is_ref:
        return False
    sizes = tensor._shape
    if sizes is None or None in sizes:
        return tensor.op.opdef.bounded and _follows(tensor.op, known)
    return prod(size or 0 for size in sizes) <= MOST_SIZES and _follows(tensor.op, known)


def _follows(node: Operation, known: dict[Operation, bool]) -> bool:
    found = known.get(node)
    if found is None:
        known[node] = False  # a back edge leads here again
        is_leaf = node.opdef.kind in (Kind.SHAPE, Kind.CONSTANT)
        found = known[node] = is_leaf or _is_pure(node) and all(follow_from_shapes(t, known) for t in node._inputs)
    return found


def _is_pure(node: Operation) -> bool:
    """Whether the node computes its outputs from its inputs alone."""
    return bool(node._inputs) and node.opdef.is_foldable and node.opdef.on == "device"
