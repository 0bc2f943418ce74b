"""tf.sparse: construction, conversion and arithmetic of sparse tensors."""
from __future__ import annotations

import numbers

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import dimension_value
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.ordering import setdiff1d
from evergraph.frontend.reduce import either
from evergraph.graph.composite import IndexedSlices, SparseTensor, SparseTensorValue
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.math.matmul import sparse_mat_mul
from evergraph.ops.sparse import cross
from evergraph.ops.sparse import math as sparse_math
from evergraph.ops.sparse import sparse as ops

_SPARSE = (SparseTensor, SparseTensorValue)


def as_sparse(value):
    """`value` as a SparseTensor.

    Raises:
        TypeError: `value` is neither a SparseTensor nor a SparseTensorValue.
    """
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


# ---- conversion


@export("sparse_to_dense")
def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None):
    """Converts to a dense tensor: `sparse_values` at `sparse_indices`, `default_value` elsewhere.

    Args:
        sparse_indices: the indices: one row each, or one number each for a vector.
        output_shape: the shape of the result.
        sparse_values: a value for each index, or one for all.
        default_value: the value of all other elements.
        validate_indices: whether the indices must be sorted and unique.
        name: a name for the operation.

    >>> tf.Session().run(tf.sparse_to_dense([1, 3], [5], 7))
    array([0, 7, 0, 7, 0], dtype=int32)
    """
    return ops.sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=default_value,
                               validate_indices=validate_indices, name=name)


@export("sparse.to_dense", "sparse_tensor_to_dense")
def sparse_tensor_to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    """Converts a sparse tensor to a dense one.

    Args:
        sp_input: a sparse tensor.
        default_value: the value of missing entries; zero (False, the empty string) by default.
        validate_indices: whether the indices must be sorted and unique.
        name: a name for the operation.

    >>> s = tf.SparseTensor([[0, 1]], [5], [1, 3])
    >>> tf.Session().run(tf.sparse.to_dense(s))
    array([[0, 5, 0]], dtype=int32)
    """
    sp_input = as_sparse(sp_input)
    if default_value is None:
        default_value = array.zeros([], dtype=sp_input.dtype)
    return ops.sparse_to_dense(sp_input.indices, sp_input.dense_shape, sp_input.values, default_value=default_value,
                               validate_indices=validate_indices, name=name)


@export("sparse.from_dense")
def from_dense(tensor, name=None):
    """Converts a dense tensor to a sparse one, of its nonzero elements."""
    with name_scope(name, "dense_to_sparse"):
        tensor = convert_to_tensor(tensor)
        zero = "" if tensor.dtype.base_dtype is dtypes.string else 0
        indices = indexing.where_v2(elementwise.not_equal(tensor, array.constant(zero, tensor.dtype)))
        values = indexing.gather_nd(tensor, indices)
        return SparseTensor(indices, values, array.shape(tensor, out_type=dtypes.int64))


@export("sparse.eye")
def sparse_eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    """A sparse identity matrix.

    Args:
        num_rows: an int or a scalar tensor.
        num_columns: likewise; by default the number of rows.
        dtype: the dtype of the ones.
        name: a name for the operations.
    """
    with name_scope(name, "eye", [num_rows, num_columns]):
        num_rows = _as_int64(num_rows, "num_rows")
        num_columns = num_rows if num_columns is None else _as_int64(num_columns, "num_columns")
        length = elementwise.minimum(num_rows, num_columns)
        diagonal = math.range(length, dtype=dtypes.int64)
        return SparseTensor(array.stack([diagonal, diagonal], axis=1), array.ones(length, dtype=dtype),
                            [num_rows, num_columns])


def _as_int64(value, name):
    if isinstance(value, numbers.Integral):
        return convert_to_tensor(int(value), dtypes.int64, name=name)
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be an integer value")
    return math.cast(value, dtypes.int64)


# ---- products and sums

sparse_matmul = export("sparse_matmul")(sparse_mat_mul)


@export("sparse.sparse_dense_matmul", "sparse.matmul", "sparse_tensor_dense_matmul")
def sparse_tensor_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    """Multiplies a sparse matrix by a dense one.

    Args:
        sp_a: a sparse matrix, its entries in any order.
        b: a dense matrix of the same dtype.
        adjoint_a: whether to use the adjoint (conjugate transpose) of the sparse one.
        adjoint_b: whether to use the adjoint (conjugate transpose) of the dense one.
        name: a name prefix for the operations.

    >>> s = tf.SparseTensor([[0, 1]], [5.0], [1, 2])
    >>> tf.Session().run(tf.sparse.sparse_dense_matmul(s, [[1.0], [2.0]]))
    array([[10.]], dtype=float32)
    """
    sp_a = as_sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]):
        b = convert_to_tensor(b, name="b")
        return ops.sparse_tensor_dense_mat_mul(sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a=adjoint_a,
                                               adjoint_b=adjoint_b)


@export("sparse.add", "sparse_add")
def sparse_add(a, b, threshold=None, thresh=None):
    """Adds two tensors of which at least one is sparse.

    Args:
        a, b: sparse tensors of the same shape, or a sparse and a dense one.
        threshold: sums of entries in both with an absolute value below this are dropped; 0, which drops nothing, by
            default.
        thresh: the older name of `threshold`.

    Returns:
        A sparse tensor, or a dense one if one of the two is dense.
    """
    threshold = either("threshold", threshold, "thresh", thresh)
    if not isinstance(a, _SPARSE) and not isinstance(b, _SPARSE):
        raise TypeError("neither input is sparse; tf.add adds dense tensors")
    if not isinstance(a, _SPARSE) or not isinstance(b, _SPARSE):
        a, b = (b, a) if isinstance(b, _SPARSE) else (a, b)
        return ops.sparse_tensor_dense_add(a.indices, a.values, a.dense_shape, b)
    a, b = as_sparse(a), as_sparse(b)
    threshold = convert_to_tensor(0 if threshold is None else threshold, a.values.dtype.real_dtype.base_dtype,
                                  name="threshold")
    indices, values, shape = sparse_math.sparse_add(a.indices, a.values, a.dense_shape, b.indices, b.values,
                                                    b.dense_shape, threshold)
    a.get_shape().assert_is_compatible_with(b.get_shape())
    known = array.broadcast_static_shape(a.get_shape(), b.get_shape())
    return SparseTensor(indices, values, known.as_list() if known.is_fully_defined() else shape)


def sparse_dense_cwise_add(sp_t, dense_t):
    """The entries of a sparse tensor plus the elements of a dense tensor that broadcasts to its shape."""
    values = sparse_math.sparse_dense_cwise_add(sp_t.indices, sp_t.values, sp_t.dense_shape, dense_t)
    return SparseTensor(sp_t.indices, values, sp_t.dense_shape)


def _extreme(public, scope_name, opdef, which):
    def function(sp_a, sp_b, name=None):
        with name_scope(name, scope_name, [sp_a.indices, sp_a.values, sp_b.indices, sp_b.values]) as scope:
            indices, values = opdef(sp_a.indices, sp_a.values, sp_a.dense_shape, sp_b.indices, sp_b.values,
                                    sp_b.dense_shape, name=scope)
        return SparseTensor(indices, values, sp_a.dense_shape)
    function.__name__ = function.__qualname__ = f"sparse_{public}"
    function.__doc__ = f"The elementwise {which} of two sparse tensors; missing entries count as 0."
    return export(f"sparse.{public}", f"sparse_{public}")(function)


sparse_maximum = _extreme("maximum", "SparseSparseMaximum", sparse_math.sparse_sparse_maximum, "maximum")
sparse_minimum = _extreme("minimum", "SparseSparseMinimum", sparse_math.sparse_sparse_minimum, "minimum")


@export("sparse.softmax", "sparse_softmax")
def sparse_softmax(sp_input, name=None):
    """Softmax along the last axis over the stored entries, which must be sorted."""
    with name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]):
        values = sparse_math.sparse_softmax(sp_input.indices, sp_input.values, sp_input.dense_shape)
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)


# ---- reductions


def _axes(sp_input, axis, reduction_axes):
    """The axes to reduce; all by default."""
    axis = either("axis", axis, "reduction_axes", reduction_axes)
    if axis is not None:
        return axis
    rank = dimension_value(sp_input.dense_shape.shape[0])
    return constant(np.arange(rank, dtype=np.int32)) if rank is not None else math.range(0, array.rank(sp_input))


_ARGUMENTS = """

    Args:
        sp_input: a sparse tensor.
        axis: an axis or a list of axes, which may be negative; all by default.
        keepdims: whether to keep reduced axes, with size 1.
        reduction_axes: the older name of `axis`.
        keep_dims: the older name of `keepdims`.
    """


def _reduction(public, opdef, what):
    def function(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
        keepdims = either("keepdims", keepdims, "keep_dims", keep_dims)
        result = opdef(sp_input.indices, sp_input.values, sp_input.dense_shape, _axes(sp_input, axis, reduction_axes),
                       bool(keepdims))
        return SparseTensor(*result) if isinstance(result, tuple) else result
    function.__name__ = function.__qualname__ = f"sparse_{public}"
    function.__doc__ = what + _ARGUMENTS
    return export(f"sparse.{public}", f"sparse_{public}")(function)


sparse_reduce_sum = _reduction("reduce_sum", sparse_math.sparse_reduce_sum,
                               "The sum of a sparse tensor along axes, as a dense tensor.")
sparse_reduce_max = _reduction("reduce_max", sparse_math.sparse_reduce_max,
                               "The maximum of a sparse tensor along axes, as a dense tensor; 0 where it is empty.")
sparse_reduce_sum_sparse = _reduction("reduce_sum_sparse", sparse_math.sparse_reduce_sum_sparse,
                                      "The sum of a sparse tensor along axes, as a sparse tensor.")
sparse_reduce_max_sparse = _reduction("reduce_max_sparse", sparse_math.sparse_reduce_max_sparse,
                                      "The maximum of a sparse tensor along axes, as a sparse tensor.")


# ---- entries


@export("sparse.reorder", "sparse_reorder")
def sparse_reorder(sp_input, name=None):
    """Sorts the entries of a sparse tensor in row-major order."""
    sp_input = as_sparse(sp_input)
    indices, values = ops.sparse_reorder(sp_input.indices, sp_input.values, sp_input.dense_shape, name=name)
    known = sp_input.get_shape()
    shape = known.as_list() if known.is_fully_defined() else array.identity(sp_input.dense_shape)
    return SparseTensor(indices, values, shape)


@export("sparse.retain", "sparse_retain")
def sparse_retain(sp_input, to_retain):
    """Retains the entries that a bool vector marks.

    >>> s = tf.SparseTensor([[0], [2]], [5, 6], [4])
    >>> tf.Session().run(tf.sparse.retain(s, [False, True])).values
    array([6], dtype=int32)

    Args:
        sp_input: a SparseTensor.
        to_retain: the vector, a truth for each entry.
    """
    sp_input = as_sparse(sp_input)
    to_retain = convert_to_tensor(to_retain)
    to_retain.shape.assert_has_rank(1)
    sp_input.values.shape.assert_is_compatible_with(to_retain.shape)
    chosen = array.reshape(indexing.where_v2(to_retain), [-1])
    return SparseTensor(indexing.gather(sp_input.indices, chosen), indexing.gather(sp_input.values, chosen),
                        array.identity(sp_input.dense_shape))


@export("sparse.fill_empty_rows", "sparse_fill_empty_rows")
def sparse_fill_empty_rows(sp_input, default_value, name=None):
    """Adds an entry of `default_value` in the first column of each empty row.

    Args:
        sp_input: a sparse tensor.
        default_value: the value of the new entries.
        name: a name prefix for the operations.

    Returns:
        (the sparse tensor, a bool vector that marks the rows that were empty)
    """
    sp_input = as_sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [sp_input]):
        default_value = convert_to_tensor(default_value, dtype=sp_input.values.dtype)
        indices, values, empty, _ = ops.sparse_fill_empty_rows(sp_input.indices, sp_input.values,
                                                               sp_input.dense_shape, default_value)
        return SparseTensor(indices, values, sp_input.dense_shape), empty


@export("sparse.mask", "sparse_mask")
def sparse_mask(a, mask_indices, name=None):
    """IndexedSlices without the rows in `mask_indices`.

    Args:
        a: IndexedSlices.
        mask_indices: the row numbers to remove.
        name: a name prefix for the operations.
    """
    with name_scope(name, "sparse_mask", [a, mask_indices]) as scope:
        kept, places = setdiff1d(a.indices, mask_indices)
        return IndexedSlices(indexing.gather(a.values, places, name=scope), kept, a.dense_shape)


# ---- ids in a vocabulary


@export("sparse.merge", "sparse_merge")
def sparse_merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    """Merges ids and values to a sparse tensor whose last axis is the vocabulary: each value at its id.

    Args:
        sp_ids: a sparse tensor of ids, or a list with one for each new axis.
        sp_values: a sparse tensor with the same entries.
        vocab_size: the number of ids; a list of sizes for a list of ids.
        name: a name prefix for the operations.
        already_sorted: whether the entries are sorted, which saves a sort.

    Raises:
        TypeError, ValueError: ids and sizes do not match.
    """
    sp_ids, vocab_size = _listed_ids(sp_ids, vocab_size)
    with name_scope(name, "SparseMerge", [*sp_ids, sp_values]):
        sp_ids, sp_values = [as_sparse(ids) for ids in sp_ids], as_sparse(sp_values)
        columns = [array.expand_dims(math.cast(ids.values, dtypes.int64), axis=1) for ids in sp_ids]
        sizes = [math.cast(size, dtypes.int64) for size in vocab_size]
        indices = array.concat([sp_ids[0].indices[:, :-1], *columns], 1)
        shape = array.concat([sp_ids[0].dense_shape[:-1], sizes], 0)
        result = SparseTensor(indices, sp_values.values, shape)
        if already_sorted:
            return result
        ordered = sparse_reorder(result)
        return SparseTensor(ordered.indices, ordered.values, shape)


def _listed_ids(sp_ids, vocab_size):
    """(ids, vocabulary sizes) as lists of the same length."""
    if isinstance(sp_ids, _SPARSE):
        if not isinstance(vocab_size, (Tensor, numbers.Integral)):
            raise TypeError(f"vocab_size must be an int or a tensor, got {type(vocab_size)}")
        return [sp_ids], [vocab_size]
    if not hasattr(sp_ids, "__iter__"):
        raise TypeError(f"sp_ids must be one or several SparseTensors, got {type(sp_ids)}")
    if isinstance(vocab_size, Tensor) or not hasattr(vocab_size, "__iter__"):
        raise TypeError(f"vocab_size must be a list, as sp_ids is, got {type(vocab_size)}")
    for size in vocab_size:
        if not isinstance(size, (Tensor, numbers.Integral)):
            raise TypeError(f"vocab_size must hold ints or tensors, got {type(size)}")
    if len(sp_ids) != len(vocab_size):
        raise ValueError("there must be as many vocab_size as sp_ids")
    return list(sp_ids), list(vocab_size)


@export("sparse.to_indicator", "sparse_to_indicator")
def sparse_to_indicator(sp_input, vocab_size, name=None):
    """A multi-hot dense bool tensor whose last axis is the vocabulary: true at the ids in each row of `sp_input`.

    Args:
        sp_input: a sparse tensor of int ids.
        vocab_size: the number of ids.
        name: a name prefix for the operations.
    """
    sp_input = as_sparse(sp_input)
    with name_scope(name, "SparseToIndicator", [sp_input]) as scope:
        count = array.shape(sp_input.indices)[0]
        true = SparseTensor(sp_input.indices, basic.fill(array.expand_dims(count, 0), True), sp_input.dense_shape)
        merged = sparse_merge(sp_input, true, vocab_size, scope)
        return sparse_tensor_to_dense(merged, default_value=False, validate_indices=False, name=scope)


# ---- feature crosses

_HASH_KEY = 0xDECAFCAFFE


@export("sparse.cross")
def sparse_cross_strings(inputs, name=None):
    """Crosses features: every combination of a value from each input, row by row, joined by "_X_".

    Args:
        inputs: a list of sparse or dense matrices of strings or integers.
        name: a name for the operation.

    Returns:
        A sparse matrix of strings.
    """
    return _crossed(inputs, False, 0, None, name)


@export("sparse.cross_hashed")
def sparse_cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    """Crosses features: every combination of a value from each input, row by row, hashed to a bucket.

    Args:
        inputs: a list of sparse or dense matrices of strings or integers.
        num_buckets: the number of buckets; 0 for the range of int64.
        hash_key: the key of the hash function.
        name: a name for the operation.

    Returns:
        A sparse matrix of int64.
    """
    return _crossed(inputs, True, num_buckets, hash_key, name)


def _crossed(inputs, hashed, num_buckets, hash_key, name):
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(i, (SparseTensor, Tensor)) for i in inputs):
        raise TypeError("All inputs must be SparseTensors")
    columns = [i for i in inputs if isinstance(i, SparseTensor)]
    values, dense = [c.values for c in columns], [i for i in inputs if isinstance(i, Tensor)]
    all_text = all(t.dtype.base_dtype is dtypes.string for t in (*values, *dense))
    return SparseTensor(*cross.sparse_cross(
        [c.indices for c in columns], list(map(_text_or_int64, values)), [c.dense_shape for c in columns],
        list(map(_text_or_int64, dense)), hashed_output=hashed, num_buckets=num_buckets,
        hash_key=hash_key or _HASH_KEY, out_type=dtypes.int64 if hashed else dtypes.string,
        internal_type=dtypes.string if all_text else dtypes.int64, name=name))


def _text_or_int64(tensor):
    return tensor if tensor.dtype.base_dtype is dtypes.string else math.cast(tensor, dtypes.int64)
