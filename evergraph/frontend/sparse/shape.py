"""tf.sparse: slicing, concatenating and reshaping sparse tensors."""
from __future__ import annotations

import numbers

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import dimension_value
from evergraph.frontend import array, indexing, math, reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_equal, assert_less_equal
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.sparse.arithmetic import as_sparse, sparse_reorder
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import denoted_shape, static_value
from evergraph.ops.math import elementwise
from evergraph.ops.sparse import shape as ops

# ---- reshape


@export("sparse.reshape", "sparse_reshape")
def sparse_reshape(sp_input, shape, name=None):
    """Reshapes a sparse tensor.

    Args:
        sp_input: a sparse tensor.
        shape: the new shape; one size may be -1 and is inferred.
        name: a name prefix for the operations.

    Raises:
        ValueError: the shapes are static and differ in their number of elements.

    >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2])
    >>> tf.Session().run(tf.sparse.reshape(s, [-1])).indices
    array([[1],
           [2]])
    """
    sp_input = as_sparse(sp_input)
    shape = math.cast(shape, dtypes.int64)
    with name_scope(name, "SparseReshape", [sp_input]) as scope:
        indices, new_shape = ops.sparse_reshape(sp_input.indices, sp_input.dense_shape, shape, name=scope)
        known = _known_shape(sp_input.get_shape(), shape)
        if known is not None:
            new_shape = constant(known, dtypes.int64)
        return SparseTensor(indices, array.identity(sp_input.values), new_shape)


def _known_shape(old, shape):
    """The static sizes in `shape`, with -1 inferred; None where unknown."""
    sizes = denoted_shape(shape)
    if sizes is None or not old.is_fully_defined():
        return None
    given = static_value(shape)
    if given is not None and (given == -1).sum() > 1:
        raise ValueError(f"At most one dimension can be -1, the one that follows from the others; got {given}")
    if sizes.count(None) > 1:
        return None
    count, known = old.num_elements(), int(np.prod([size for size in sizes if size is not None], dtype=np.int64))
    filled = [count // known if known and size is None else size or 0 for size in sizes]
    if np.prod(filled, dtype=np.int64) != count:
        raise ValueError(f"Cannot reshape a tensor with {count} elements: the shape {list(sizes)} has "
                         f"{np.prod(filled, dtype=np.int64)}.")
    return filled


@export("sparse.expand_dims")
def sparse_expand_dims(sp_input, axis=None, name=None):
    """Inserts an axis of size 1 into a sparse tensor.

    Args:
        sp_input: a sparse tensor.
        axis: the position of the new axis; negative counts from the end; the last by default.
        name: a name prefix for the operations.
    """
    rank = dimension_value(sp_input.dense_shape.get_shape()[0])
    axis = -1 if axis is None else axis
    with name_scope(name, "expand_dims", [sp_input]):
        if isinstance(axis, numbers.Integral):
            axis = convert_to_tensor(int(axis), name="axis", dtype=dtypes.int32)
        elif not isinstance(axis, Tensor):
            raise TypeError("axis must be an integer from -rank - 1 to rank of sp_input")
        count = array.rank(sp_input) if rank is None else rank
        axis = indexing.where_v2(axis >= 0, axis, axis + count + 1)
        zeros = array.zeros([array.shape(sp_input.indices)[0], 1], dtype=dtypes.int64)
        indices = array.concat([indexing.slice(sp_input.indices, [0, 0], [-1, axis]), zeros,
                                indexing.slice(sp_input.indices, [0, axis], [-1, -1])], axis=1)
        before = indexing.slice(sp_input.dense_shape, [0], [axis])
        behind = indexing.slice(sp_input.dense_shape, [axis], [-1])
        one = convert_to_tensor([1], name="new_shape", dtype=dtypes.int64)
        return SparseTensor(indices, sp_input.values, array.concat([before, one, behind], axis=0))


@export("sparse.transpose", "sparse_transpose")
def sparse_transpose(sp_input, perm=None, name=None):
    """Transposes a sparse tensor: permutes its axes.

    Args:
        sp_input: a sparse tensor.
        perm: the permutation of the axes; reversed order by default.
        name: a name prefix for the operations.
    """
    with name_scope(name, "SparseTranspose", [sp_input]):
        if perm is None:
            rank = array.rank(sp_input)
            perm = rank - 1 - math.range(0, rank, 1)
        indices = array.transpose(indexing.gather(array.transpose(sp_input.indices), perm))
        known, old = static_value(convert_to_tensor(perm)), sp_input.get_shape()
        if known is not None and old.is_fully_defined():
            shape = [old.as_list()[axis] for axis in known]
        else:
            shape = indexing.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(indices, sp_input.values, shape))


@export("sparse.reset_shape", "sparse_reset_shape")
def sparse_reset_shape(sp_input, new_shape=None):
    """Changes the dense shape of a sparse tensor to a larger one, or to the tight bounding shape of its entries.

    Args:
        sp_input: a sparse tensor.
        new_shape: the new shape, at least as large in every dimension; by default the tight bounding shape.

    Raises:
        ValueError: a size is statically smaller, or the ranks differ.
        InvalidArgumentError: the same, at run time.
    """
    sp_input = as_sparse(sp_input)
    indices, values = array.identity(sp_input.indices), array.identity(sp_input.values)
    old = array.identity(sp_input.dense_shape)
    if new_shape is None:
        least = reduce.reduce_max(indices, axis=0)
        shape = elementwise.maximum(constant(0, dtypes.int64), elementwise.add(least, array.ones_like(old)))
    else:
        shape = _enlarged(sp_input, old, new_shape)
    return SparseTensor(indices, values, shape)


def _enlarged(sp_input, old, new_shape):
    """`new_shape`, checked statically if both shapes are known, else at run time."""
    shape = convert_to_tensor(new_shape)
    shape.get_shape().assert_has_rank(1)
    shape = math.cast(shape, dtypes.int64)
    if shape.get_shape().rank is not None:
        shape.get_shape().dims[0].merge_with(old.get_shape().dims[0])
    known = static_value(shape)
    if known is not None and sp_input.get_shape().is_fully_defined():
        before = np.array(sp_input.get_shape().as_list())
        if not (before <= known).all():
            raise ValueError(f"new_shape should have dimension sizes no smaller than sp_input has, got {known} for "
                             f"{before}")
        return known
    shape = with_dependencies([assert_equal(array.shape(old), array.shape(shape))], shape)
    return with_dependencies([assert_less_equal(old, shape)], shape)


# ---- concat, split, slice


@export("sparse.concat", "sparse_concat")
def sparse_concat(axis, sp_inputs, name=None, expand_nonconcat_dim=False, concat_dim=None, expand_nonconcat_dims=None):
    """Concatenates sparse tensors along an axis.

    Args:
        axis: the axis; negative counts from the end.
        sp_inputs: a list of sparse tensors with sorted entries.
        name: a name for the operation.
        expand_nonconcat_dim: whether the other dimensions may differ: the largest counts.
        concat_dim: the older name of `axis`.
        expand_nonconcat_dims: the newer name of `expand_nonconcat_dim`.

    Raises:
        TypeError: `sp_inputs` is not a list or tuple of sparse tensors.
    """
    axis = reduce.either("axis", axis, "concat_dim", concat_dim)
    if not isinstance(sp_inputs, (list, tuple)):
        raise TypeError("Inputs must be a list or tuple.")
    sp_inputs = [as_sparse(each) for each in sp_inputs]
    if len(sp_inputs) == 1:
        return sp_inputs[0]
    shapes = [each.dense_shape for each in sp_inputs]
    if expand_nonconcat_dims if expand_nonconcat_dims is not None else expand_nonconcat_dim:
        shapes = _as_large_as_the_largest(shapes, axis)
    indices, values = [each.indices for each in sp_inputs], [each.values for each in sp_inputs]
    indices, values, shape = ops.sparse_concat(indices, values, shapes, axis, name=name)
    known = [static_value(each) for each in shapes]
    if all(each is not None for each in known):
        whole = known[0].copy()
        whole[axis] = sum(each[axis] for each in known)
        shape = convert_to_tensor(whole)
    return SparseTensor(indices, values, shape)


def _as_large_as_the_largest(shapes, axis):
    """The shapes with all dimensions but one expanded to the largest."""
    largest = reduce.reduce_max(array.concat([array.reshape(shape, [1, -1]) for shape in shapes], 0), 0)
    if axis == -1:
        return [array.concat([largest[:-1], shape[-1:]], 0) for shape in shapes]
    return [array.concat([largest[:axis], shape[axis:axis + 1], largest[axis + 1:]], 0) for shape in shapes]


class KeywordRequired:
    """The marker for arguments that must be passed by keyword."""

    def __repr__(self):
        return "KeywordRequired()"


@export("sparse.split", "sparse_split")
def sparse_split(keyword_required=KeywordRequired(), sp_input=None, num_split=None, axis=None, name=None,
                 split_dim=None):
    """Splits a sparse tensor along an axis.

    Args:
        keyword_required: must not be given: the other arguments are keyword-only.
        sp_input: a sparse tensor.
        num_split: the number of parts; if the sizes cannot be equal, the first parts are larger by one.
        axis: the axis.
        name: a name for the operation.
        split_dim: the older name of `axis`.

    Returns:
        A list of sparse tensors.

    Raises:
        ValueError: an argument is missing or was passed by position.
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError("Keyword arguments are required for this function.")
    axis = reduce.either("axis", axis, "split_dim", split_dim)
    for what, value in (("sp_input", sp_input), ("num_split", num_split), ("axis", axis)):
        if value is None:
            raise ValueError(f"{what} is required")
    sp_input = as_sparse(sp_input)
    parts = ops.sparse_split(axis, sp_input.indices, sp_input.values, sp_input.dense_shape, num_split, name=name)
    return [SparseTensor(*part) for part in zip(*parts)]


@export("sparse.slice", "sparse_slice")
def sparse_slice(sp_input, start, size, name=None):
    """The slice of a sparse tensor that starts at `start` and has at most the shape `size`.

    Args:
        sp_input: a sparse tensor.
        start, size: one number for each axis.
        name: a name prefix for the operations.
    """
    sp_input = as_sparse(sp_input)
    start, size = convert_to_tensor(start, dtypes.int64), convert_to_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [sp_input]) as scope:
        return SparseTensor(*ops.sparse_slice(sp_input.indices, sp_input.values, sp_input.dense_shape, start, size,
                                              name=scope))
