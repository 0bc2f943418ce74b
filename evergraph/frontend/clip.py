"""Keeps numbers and norms within bounds: tf.clip_by_value, tf.clip_by_norm and their relatives."""
from __future__ import annotations

import collections.abc

from evergraph.base.export import export
from evergraph.frontend.array import ones_like
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import axes_to_reduce
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import constant, to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.overloads import overloadable
from evergraph.graph.shaping import merge
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.reshape import pack
from evergraph.ops.math import elementwise, reduce
from evergraph.ops.nn.activations import l2_loss


def _values(t, name="t"):
    return to_tensor(t.values if isinstance(t, IndexedSlices) else t, name=name)


def _like(t, values):
    """`values` in the form of `t`: rows stay rows."""
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


def _same_shape(values, result):
    """Raises ValueError when a bound has widened the values by broadcasting."""
    merge(values._shape, result._shape)
    return result


@export("clip_by_value")
@overloadable
def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """Clips elements to an interval: min(max(t, clip_value_min), clip_value_max).

    Args:
        t: a tensor or IndexedSlices.
        clip_value_min: the lower bounds, which broadcast to `t`.
        clip_value_max: the upper bounds, which broadcast to `t`.
        name: a name for the operation.

    Raises:
        ValueError: a bound has a larger shape than `t`.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as scope:
        values = _values(t)
        low = _same_shape(values, elementwise.minimum(values, clip_value_max))
        return _like(t, _same_shape(values, elementwise.maximum(low, clip_value_min, name=scope)))


@export("clip_by_norm")
def clip_by_norm(t, clip_norm, axes=None, name=None):
    """Clips a tensor to an L2 norm: t * clip_norm / norm(t) where the norm is larger, else t itself.

    Args:
        t: a tensor or IndexedSlices.
        clip_norm: the largest norm allowed.
        axes: the axes the norm is taken along; all by default.
        name: a name for the operation.
    """
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as scope:
        values = _values(t)
        squares = elementwise.mul(values, values, name="mul")
        total = reduce.sum_(squares, axes_to_reduce(squares, axes), keep_dims=True)
        positive = elementwise.greater(total, 0.0)
        # The root of 0 has no finite slope: 0 goes around it.
        root = elementwise.sqrt(elementwise.select(positive, total, ones_like(total)))
        norm = elementwise.select(positive, root, total)
        scaled = _same_shape(values, elementwise.mul(values, clip_norm, name="mul"))
        clipped = elementwise.real_div(scaled, elementwise.maximum(norm, clip_norm), name="truediv")
        return _like(t, basic.identity(clipped, name=scope))


@export("clip_by_average_norm")
def clip_by_average_norm(t, clip_norm, name=None):
    """`t`, scaled so that its norm divided by its number of elements is at most `clip_norm`."""
    with name_scope(name, "clip_by_average_norm", [t, clip_norm]) as scope:
        t = to_tensor(t, name="t")
        kind = t.dtype.base_dtype
        count = basic.cast(basic.size(t), kind)
        squares = elementwise.mul(t, t, name="mul")
        inverse = elementwise.rsqrt(reduce.sum_(squares, axes_to_reduce(squares, None)))
        limit = elementwise.real_div(constant(1.0, kind), clip_norm, name="truediv")
        factor = elementwise.minimum(elementwise.mul(inverse, count, name="mul"), limit)
        clipped = elementwise.mul(elementwise.mul(t, clip_norm, name="mul"), factor, name="mul")
        return basic.identity(clipped, name=scope)


def _check_sequence(t_list):
    if not isinstance(t_list, collections.abc.Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")


def _listed(t_list):
    return [t if t is None else t if isinstance(t, IndexedSlices) else to_tensor(t, name=f"t_{i}")
            for i, t in enumerate(t_list)]


@export("global_norm", "linalg.global_norm")
def global_norm(t_list, name=None):
    """Computes the L2 norm of all tensors as if they were one vector, sqrt(sum of all squares); None is left out.

    Raises:
        TypeError: `t_list` is no sequence.
    """
    _check_sequence(t_list)
    with name_scope(name, "global_norm", t_list):
        values = [t.values if isinstance(t, IndexedSlices) else t for t in _listed(t_list)]
        halves = []
        for v in values:
            if v is not None:
                with default_graph().colocate_with(v):
                    halves.append(l2_loss(v))
        stacked = pack(halves, name="stack")
        half = reduce.sum_(stacked, axes_to_reduce(stacked, None))
        two = constant(2.0, half.dtype.base_dtype)
        return elementwise.sqrt(elementwise.mul(half, two, name="mul"), name="global_norm")


@export("clip_by_global_norm")
def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """Clips gradients by their joint L2 norm: all are scaled by clip_norm / max(global_norm, clip_norm).

    Args:
        t_list: tensors, IndexedSlices and None.
        clip_norm: the largest norm allowed.
        use_norm: the norm, when it is known already.
        name: a name for the operations.

    Returns:
        A list like `t_list`, and the norm before clipping. Where the norm is not finite everything becomes NaN.

    Raises:
        TypeError: `t_list` is no sequence.
    """
    _check_sequence(t_list)
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as scope:
        tensors = _listed(t_list)
        factor = _global_factor(to_tensor(use_norm), clip_norm)
        clipped = [None if t is None else _scaled(t, factor, f"{scope}_{i}") for i, t in enumerate(tensors)]
    return clipped, use_norm


def _global_factor(norm, clip_norm):
    kind = norm.dtype.base_dtype
    limit = elementwise.real_div(constant(1.0, kind), clip_norm, name="truediv")
    inverse = elementwise.real_div(constant(1.0, kind), norm, name="truediv")
    factor = elementwise.mul(elementwise.minimum(inverse, limit), clip_norm, name="mul")
    # Adds 0 for a finite norm and NaN for any other, which no clipping can repair.
    return elementwise.add_v2(factor, elementwise.sub(norm, norm, name="sub"), name="add")


def _scaled(t, factor, name):
    with default_graph().colocate_with(t.values if isinstance(t, IndexedSlices) else t):
        values = t.values if isinstance(t, IndexedSlices) else t
        return _like(t, basic.identity(elementwise.mul(values, factor, name="mul"), name=name))
