"""Chooses the values that a compiled program should compute once, although several nodes read them.

XLA fuses what a node reads into the loop that computes the node, once for every reader. For a cheap value that is
right; but where each step of a long chain has two readers (the state of an unrolled recurrent network, residual
connections, their gradients), the last loop computes the whole chain anew, and the program grows with the square of its
length.
"""
from __future__ import annotations

from collections.abc import Sequence

from evergraph.graph.node import Operation, Tensor

HEAVY = 3  # how many nodes may be computed anew for each reader
_RANDOM = 100  # what a random number costs: ten rounds of encryption

# Their results lie in memory anyway.
_IN_MEMORY = frozenset({
    "MatMul", "BatchMatMul", "BatchMatMulV2", "Einsum", "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter",
    "Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", "Sum", "Mean", "Max", "Min", "Prod", "All", "Any",
    "ArgMax", "ArgMin", "Cumsum", "Cumprod", "TopK", "TopKV2", "UnsortedSegmentSum", "SegmentSum", "GatherV2", "Gather",
    "ResourceGather", "BiasAddGrad", "Const", "VariableV2", "VarHandleOp", "ReadVariableOp", "While", "StatelessWhile",
    "If", "StatelessIf", "Case", "PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient",
})

# They pass on what they read, in whole or in parts, so that their readers are readers of that too.
_VIEWS = frozenset({
    "Identity", "StopGradient", "PreventGradient", "Reshape", "ExpandDims", "Squeeze", "Transpose", "StridedSlice",
    "Slice", "Split", "SplitV", "Unpack", "IdentityN", "Cast", "BroadcastTo", "Tile",
})

# They read what they are given several times.
_READ_OFTEN = frozenset({"Softmax", "LogSoftmax", "SoftmaxCrossEntropyWithLogits",
                         "SparseSoftmaxCrossEntropyWithLogits", "L2Loss"})


def computed_once(nodes: Sequence[Operation]) -> frozenset[Tensor]:
    """The outputs of `nodes`, which stand in the order in which they run, that take much work and have many readers."""
    readers = _readers(nodes)
    work: dict[Tensor, int] = {}
    chosen = set()
    for node in nodes:
        amount = _work(node, work)
        for tensor in node.outputs:
            if amount > HEAVY and readers.get(tensor, 0) > 1 and not tensor._dtype.is_ref and len(node.outputs) == 1:
                chosen.add(tensor)
                work[tensor] = 0
            else:
                work[tensor] = amount
    return frozenset(chosen)


def _work(node: Operation, work: dict[Tensor, int]) -> int:
    """How many nodes have to be computed for the outputs of this one, from what lies in memory."""
    if node.type in _IN_MEMORY or "cell" in node.opdef.wants:
        return 0
    if "rng" in node.opdef.wants or "Random" in node.type:
        return _RANDOM
    return (node.type not in _VIEWS) + sum(work.get(t, 0) for t in node._inputs)


def _readers(nodes: Sequence[Operation]) -> dict[Tensor, int]:
    """How many loops read each tensor."""
    readers: dict[Tensor, int] = {}
    for node in reversed(nodes):
        count = 1
        if node.type in _VIEWS:
            count = max(sum(readers.get(t, 0) for t in node.outputs), 1)
        elif node.type in _READ_OFTEN or "Apply" in node.type or len(node.outputs) > 1:
            count = 2
        for tensor in node._inputs:
            readers[tensor] = readers.get(tensor, 0) + count
    return readers
