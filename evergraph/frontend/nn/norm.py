"""tf.norm: lengths of vectors and matrices."""
from __future__ import annotations

import numpy as np

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.linalg import svd
from evergraph.frontend.ordering import setdiff1d
from evergraph.frontend.reduce import either, reduce_max, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.reshape import invert_permutation
from evergraph.ops.math import elementwise


@export("norm", "linalg.norm")
def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """The norm of vectors or matrices.

    Args:
        tensor: numbers.
        ord: "euclidean", for vectors also a positive number p or np.inf, for matrices also "fro", 1, 2 or np.inf.
        axis: None for the norm of all elements as one vector, an axis for vectors, a pair of axes for matrices.
        keepdims: whether the axes stay, with size 1.
        name: a name for the operations.
        keep_dims: the older name of `keepdims`.

    Raises:
        ValueError: `ord` or `axis` is not one of those.

    >>> tf.Session().run(tf.norm([3.0, 4.0]))
    5.0
    """
    keepdims = either("keepdims", keepdims, "keep_dims", keep_dims)
    axis, of_matrices = _axes(axis)
    _check_order(ord, of_matrices)
    with name_scope(name, "norm", [tensor]):
        tensor = convert_to_tensor(tensor)
        if ord == 2 and of_matrices:
            result = _largest_singular_value(tensor, axis)
        elif ord in ("fro", "euclidean", 2):
            result = elementwise.sqrt(reduce_sum(tensor * math.conj(tensor), axis, keepdims=True))
        elif of_matrices:
            result = _of_matrices(math.abs(tensor), ord, axis)
        else:
            result = _of_vectors(math.abs(tensor), ord, axis)
        return result if keepdims else array.squeeze(result, axis)


def _axes(axis):
    """(the axes as a list or None, whether they are those of matrices)."""
    wrong = f"'axis' must be None, one axis or two different ones, got {axis}"
    if isinstance(axis, (tuple, list)) and len(axis) == 2:
        if not all(isinstance(a, (int, np.integer)) for a in axis) or axis[0] == axis[1]:
            raise ValueError(wrong)
        return list(axis), True
    if axis is not None and not isinstance(axis, (int, np.integer)):
        raise ValueError(wrong)
    return None if axis is None else [axis], False


def _check_order(ord, of_matrices):
    if of_matrices:
        if ord not in ("euclidean", "fro", 1, 2, np.inf):
            raise ValueError(f"'ord' must be a supported matrix norm ('euclidean', 'fro', 1, 2 or inf), not {ord}")
    elif ord != "euclidean" and (isinstance(ord, str) or not np.isreal(ord) or ord <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, not {ord}")


def _of_vectors(magnitude, ord, axis):
    if ord == 1:
        return reduce_sum(magnitude, axis, keepdims=True)
    if ord == np.inf:
        return reduce_max(magnitude, axis, keepdims=True)
    return elementwise.pow_(reduce_sum(elementwise.pow_(magnitude, ord), axis, keepdims=True), 1.0 / ord)


def _of_matrices(magnitude, ord, axis):
    """The largest sum of a column (1) or of a row (infinity)."""
    along, across = axis if ord == 1 else axis[::-1]
    return reduce_max(reduce_sum(magnitude, along, keepdims=True), across, keepdims=True)


def _largest_singular_value(tensor, axis):
    """The 2-norm of matrices, with sizes of 1 where their axes stood."""
    rank = tensor.shape.rank
    if rank is None:
        axes = math.range(array.rank(tensor))
        last = [a % array.rank(tensor) for a in axis]
        order = array.concat([setdiff1d(axes, last)[0], last], 0)
        back = invert_permutation(order)
    else:
        last = [a % rank for a in axis]
        order = [a for a in range(rank) if a not in last] + last
        back = np.argsort(order).astype(np.int32)
    values = svd(array.transpose(tensor, order), compute_uv=False)
    largest = array.expand_dims(reduce_max(math.abs(values), axis=-1, keepdims=True), axis=-1)
    return array.transpose(largest, back)


@export("linalg.normalize")
def normalize(tensor, ord="euclidean", axis=None, name=None):
    """(`tensor` divided by its norm, the norm); see `tf.norm` for the arguments."""
    with name_scope(name, "normalize", [tensor]):
        tensor = convert_to_tensor(tensor)
        length = norm(tensor, ord, axis, keepdims=True)
        length = math.cast(length, tensor.dtype.base_dtype)
        return tensor / length, length
