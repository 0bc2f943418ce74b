"""Recognizes reshapes of sparse tensors that keep their shape, whatever it is.

Feature columns reshape the ids of every column to a matrix, and most are one already. The new shape is computed from
the old one by ops that only move sizes. Evaluated with a mark in the place of each size, they show where each one goes.
"""

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import static_value
from evergraph.kernel.calling import evaluate

_FIRST_MARK = 1 << 30  # marks are integers from here on; constants are smaller
_INFERRED = -1
# Ops that move elements of their inputs, and up to which one; a product of one element is this element.
_MOVES = {"Cast": 1, "ConcatV2": -1, "ExpandDims": 1, "GatherV2": 1, "Pack": None, "Prod": 1, "Reshape": 1, "Slice": 1,
          "Squeeze": 1, "StridedSlice": 1}


def before_reshapes(indices, shape, resolve):
    """(the indices and the shape of a sparse tensor before such reshapes, those of them that cannot fail)."""
    spared = []
    while indices.op.opdef is lookup("SparseReshape") and shape is indices.op.outputs[1]:
        old, new = map(resolve, indices.op.inputs[1:])
        sizes = _marked(new, old, resolve)
        if sizes is None or not _are_kept(sizes, _marks(old)):
            break
        if _INFERRED not in sizes:  # a size cannot be inferred beside one of 0
            spared.append(indices.op)
        indices, shape = resolve(indices.op.inputs[0]), old
    return indices, shape, frozenset(spared)


def _are_kept(sizes, marks):
    """Whether all sizes but one that is inferred are in their places."""
    known = sizes != _INFERRED
    return marks is not None and sizes.shape == marks.shape and known.sum() >= len(marks) - 1 \
        and np.array_equal(sizes[known], marks[known])


def _marks(sizes):
    """A mark for each of the sizes in a vector; None if their number is not known."""
    shape = sizes._shape
    return None if shape is None or len(shape) != 1 or shape[0] is None else _FIRST_MARK + np.arange(shape[0])


def _marked(tensor, sizes, resolve):
    """The value of a tensor with marks in the place of sizes; None if it does more with them than move them."""
    if tensor is sizes:
        return _marks(sizes)
    if (known := static_value(tensor)) is not None:
        return known if (known < _FIRST_MARK).all() else None
    node = tensor.op
    if not any(node.opdef is lookup(name) for name in _MOVES) or tensor.dtype not in (dtypes.int32, dtypes.int64):
        return None
    inputs = list(map(resolve, node.inputs))
    moved = inputs[:_MOVES[node.type]]
    values = [*(_marked(t, sizes, resolve) for t in moved), *map(static_value, inputs[len(moved):])]
    if any(value is None for value in values):
        return None
    try:
        result = evaluate(node, [value.astype(t.dtype.np) for value, t in zip(values, inputs)])[tensor.value_index]
    except errors.OpError:  # which the step will raise too
        return None
    return None if node.type == "Prod" and result.size != values[0].size else result
