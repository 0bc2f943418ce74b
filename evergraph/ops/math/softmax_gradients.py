"""Gradients of softmax: recognizes the four nodes that compute one, and does their work at once on NumPy."""

from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Fusion
from evergraph.ops.math import lines


def softmax_gradient_of(node, resolve, users):
    """The fusion around the last node of (slopes - sum(slopes * y)) * y; None if it multiplies something else."""
    shifted, y = map(resolve, node.inputs)
    if node.outputs[0].dtype is not dtypes.float32 or node._control_inputs or not _is(shifted.op, "Sub"):
        return None
    slopes, total = map(resolve, shifted.op.inputs)
    if not _is(total.op, "Sum") or not total.op.attrs["keep_dims"]:
        return None
    product, axes = map(resolve, total.op.inputs)
    axis = static_value(axes)
    if axis is None or axis.tolist() not in (-1, [-1]) or not _is(product.op, "Mul") \
            or [*map(resolve, product.op.inputs)] != [slopes, y] or not y.op.type == "Softmax":
        return None
    nodes = frozenset((product.op, total.op, shifted.op, node))
    return Fusion(nodes, (slopes, y), (node.outputs[0],), softmax_gradient, is_recordable=True)


def _is(node, name):
    return node.opdef is lookup(name) and not node._control_inputs


def softmax_gradient(slopes, y):
    """The gradient by the logits, in a tuple."""
    if slopes.shape == y.shape and lines.takes(y) and lines.takes(slopes):
        return (lines.softmax_gradient(slopes, y),)
    return ((slopes - np.add.reduce(slopes * y, axis=-1, keepdims=True)) * y,)
