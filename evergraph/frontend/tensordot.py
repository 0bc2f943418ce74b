"""tf.tensordot: products summed along any axes of two tensors."""
from __future__ import annotations

import math
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import range as range_of
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import setdiff1d
from evergraph.frontend.reduce import reduce_prod
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value


@export("tensordot", "linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products of elements of `a` and `b` along the axes; the axes of the result are the others' of `a`,
    then the others' of `b`.

    Args:
        a: a tensor.
        b: a tensor of the same dtype.
        axes: how many of the last axes of `a` and of the first of `b` are summed along; or two axes, or two lists of
            axes, or a tensor with two rows of them, of `a` and of `b`.
        name: a name for the operation.

    Raises:
        ValueError: the axes are not of that form, or not there.

    >>> a, b = tf.ones([2, 3, 4]), tf.ones([4, 3, 5])
    >>> tf.tensordot(a, b, [[2, 1], [0, 1]]).shape.as_list()
    [2, 5]
    """
    with name_scope(name, "Tensordot", [a, b]) as scope:
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        a_axes, b_axes = _both_axes(a, b, axes)
        rows, a_sizes, a_known = _as_matrix(a, a_axes, summed_first=False)
        columns, b_sizes, b_known = _as_matrix(b, b_axes, summed_first=True)
        product = matmul(rows, columns)
        if isinstance(a_sizes, list) and isinstance(b_sizes, list):
            if product.shape.is_fully_defined() and product.shape.as_list() == a_sizes + b_sizes:
                return product
            return array.reshape(product, a_sizes + b_sizes, name=scope)
        sizes = [convert_to_tensor(part, dtypes.int32) for part in (a_sizes, b_sizes)]
        result = array.reshape(product, array.concat(sizes, 0), name=scope)
        if a_known is not None and b_known is not None:
            result.set_shape(a_known + b_known)
        return result


def _both_axes(a: Tensor, b: Tensor, axes: Any) -> tuple[Any, Any]:
    """The axes of each tensor that are summed along: lists, or tensors where they are known only when it runs."""
    if isinstance(axes, Tensor):
        known = static_value(axes)
        if known is None:
            return axes[0], axes[1]
        axes = known.tolist()
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"'axes' must be at least 0, not {axes}.")
        if a.shape.rank is None:
            return range_of(array.rank(a) - axes, array.rank(a)), list(range(axes))
        if axes > a.shape.rank:
            raise ValueError(f"'axes' must not be larger than the number of dimensions of tensor {a}. Received {axes}.")
        return list(range(a.shape.rank - axes, a.shape.rank)), list(range(axes))
    if len(axes) != 2:
        raise ValueError("'axes' must be an integer or have length 2.")
    a_axes, b_axes = ([each] if isinstance(each, int) else [int(axis) for axis in each] for each in axes)
    if len(a_axes) != len(b_axes):
        raise ValueError(f"Different number of contraction axes 'a' and 'b', {len(a_axes)} != {len(b_axes)}.")
    return a_axes, b_axes


def _as_matrix(x: Tensor, axes: Any, summed_first: bool) -> tuple[Tensor, Any, list[int | None] | None]:
    """The tensor as a matrix, the summed axes its rows or its columns; the sizes of the other axes, as a list where
    all are known and else as a tensor; and what is known of them."""
    rank = x.shape.rank
    if rank is None or isinstance(axes, Tensor):
        rank, axes = array.rank(x), convert_to_tensor(axes, dtypes.int32, name="axes")
        axes = indexing.where(axes >= 0, axes, axes + rank)
        free, _ = setdiff1d(range_of(0, rank), axes)
        return *_measured_matrix(x, axes, free, array.concat([axes, free] if summed_first else [free, axes], 0),
                                 summed_first), None
    if any(not -rank <= axis < rank for axis in axes):
        raise ValueError(f"The axes {axes} are not all axes of {x}.")
    axes = [axis % rank for axis in axes]
    free = [axis for axis in range(rank) if axis not in axes]
    order = axes + free if summed_first else free + axes
    known = x.shape.as_list()
    if x.shape.is_fully_defined():
        sizes = [known[axis] for axis in free]
        shape = [math.prod(known[axis] for axis in axes), math.prod(sizes)]
        shape = shape if summed_first else shape[::-1]
        x = _transposed(x, order)
        return x if x.shape.as_list() == shape else array.reshape(x, shape), sizes, sizes
    axes, free = (convert_to_tensor(each, dtypes.int32, name=name) for each, name in ((axes, "axes"), (free, "free")))
    return *_measured_matrix(x, axes, free, order, summed_first), [known[axis] for axis in static_value(free)]


def _measured_matrix(x: Tensor, axes: Tensor, free: Tensor, order: Any, summed_first: bool) -> tuple[Tensor, Tensor]:
    """The matrix, and the sizes of the free axes, by the shape that the tensor has when it runs."""
    whole = array.shape(x)
    sizes = indexing.gather(whole, free)
    counts = [reduce_prod(indexing.gather(whole, axes)), reduce_prod(sizes)]
    shape = array.stack(counts if summed_first else counts[::-1])
    return array.reshape(_transposed(x, order), shape), sizes


def _transposed(x: Tensor, order: Any) -> Tensor:
    return x if isinstance(order, list) and order == sorted(order) else array.transpose(x, order)
