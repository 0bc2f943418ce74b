"""Finds the small tensors whose values follow from shapes alone.

They change only when the shapes of what is fed do. A stage that gets one from an earlier stage can therefore be
compiled for its value, which whatever needs a plain value (Reshape, Slice, Pad) would ask for anyway.
"""

from __future__ import annotations

from math import prod

from evergraph.graph.node import Operation, Tensor

_SMALL = 64  # elements: enough for every shape and pair of paddings
_ASK = frozenset({"Shape", "ShapeN", "Size", "Rank"})
_UNSIZED = frozenset({"BroadcastGradientArgs"})  # at most as many elements as the shapes that go in


def follow_from_shapes(tensor: Tensor, known: dict[Operation, bool]) -> bool:
    """Whether the tensor is small and follows from shapes and constants; `known` remembers what was found out."""
    if tensor._dtype.np.kind not in "iub" or tensor._dtype.is_ref:
        return False
    sizes = tensor._shape
    if sizes is None or None in sizes:
        return tensor.op.type in _UNSIZED and _follows(tensor.op, known)
    return prod(size or 0 for size in sizes) <= _SMALL and _follows(tensor.op, known)


def _follows(node: Operation, known: dict[Operation, bool]) -> bool:
    found = known.get(node)
    if found is None:
        known[node] = False  # a loop leads back here
        found = known[node] = node.type in _ASK or node.type == "Const" or _is_plain(node) and all(
            follow_from_shapes(t, known) for t in node._inputs)
    return found


def _is_plain(node: Operation) -> bool:
    """Whether the node computes its outputs from its inputs alone."""
    return bool(node._inputs) and node.opdef.is_foldable and node.opdef.on == "device"
