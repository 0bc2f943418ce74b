"""Basic ops on sparse tensors, given as indices, values and shape: densifying, sorting, multiplying, filling rows.

Ops with a fixed output size run on the device; those whose output size depends on the values run on the host. The
helpers at the top serve the other sparse families too.
"""
import math

import numpy as np

from evergraph import native
from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import merge, require_equal, require_rank, with_rank
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.gather import are_inside, gather_nd, gather_v2
from evergraph.ops.arrays.reshape import reshape, transpose
from evergraph.ops.arrays.segment import is_summed_in_c, sum_in_c
from evergraph.ops.sparse.bags import bags_of_ids

# ---- checks


def check_parts(indices, values, shape, what=""):
    """Raises InvalidArgumentError unless indices, values and shape have matching shapes."""
    if np.ndim(indices) != 2:
        raise invalid(f"{what}indices should be a matrix, one row for each value; their shape is "
                      f"{_listed(np.shape(indices))}")
    if np.ndim(values) != 1:
        raise invalid(f"{what}values should be a vector; their shape is {_listed(np.shape(values))}")
    if np.ndim(shape) != 1:
        raise invalid(f"{what}shape should be a vector, one number for each axis; its shape is "
                      f"{_listed(np.shape(shape))}")
    if np.shape(indices)[0] != np.shape(values)[0]:
        raise invalid(f"Number of rows of {what}indices ({np.shape(indices)[0]}) does not match the number of "
                      f"{what}values ({np.shape(values)[0]})")
    if np.shape(indices)[1] != np.shape(shape)[0]:
        raise invalid(f"Number of columns of {what}indices ({np.shape(indices)[1]}) does not match the length of "
                      f"{what}shape ({np.shape(shape)[0]})")


def _listed(sizes):
    return f"[{','.join(str(int(size)) for size in sizes)}]"


def _module(xp, indices):
    """NumPy for concrete indices, even if the values are traced."""
    return xp if is_traced(indices) else np


def check_bounds(xp, check, indices, shape, what=""):
    """Fails the step unless every row of `indices` is within `shape`, a NumPy vector."""
    sizes = enumerate(shape.tolist())
    if type(indices) is np.ndarray and all([are_inside(indices[:, column], size) for column, size in sizes]):
        return
    inside = ((indices >= 0) & (indices < shape)).all(axis=1)
    _check_rows(xp, check, inside, indices, f"is out of bounds: need 0 <= index < {_listed(shape)}", what)


def _check_rows(xp, check, fine, indices, how, what=""):
    """Fails the step unless all rows are valid; the message names the first that is not."""
    if not len(fine):
        return
    xp = _module(xp, indices)
    if not is_traced(fine) and fine.all():
        return
    at = xp.argmin(fine)
    place = ",".join(["{}"] * indices.shape[1])
    check(fine, f"{what}indices[{{}}] = [{place}] {how}", at, *(indices[at, c] for c in range(indices.shape[1])))


def rows_inside(indices, start, stop):
    """Whether each row of `indices` is within [start, stop), column by column: NumPy is slow along a short axis."""
    inside = np.ones(len(indices), bool)
    for column, low, high in zip(indices.T, start, stop):
        inside &= (column >= low) & (column < high)
    return inside


def neighbours(xp, indices):
    """(whether row i precedes row i + 1, whether they are equal), for all rows but the last."""
    xp = _module(xp, indices)
    above, below = indices[:-1], indices[1:]
    before = xp.zeros(above.shape[:1], bool)
    equal = xp.ones(above.shape[:1], bool)
    for column in range(indices.shape[1]):
        before = before | equal & (above[:, column] < below[:, column])
        equal = equal & (above[:, column] == below[:, column])
    return before, equal


def check_order(xp, check, indices):
    """Fails the step unless the rows are sorted and unique."""
    before, equal = neighbours(xp, indices)
    rest = indices[1:]
    _check_rows(xp, _one_later(check), before | equal, rest, "is out of order")
    _check_rows(xp, _one_later(check), ~equal, rest, "is repeated")


def _one_later(check):
    """A check whose row numbers are off by one, because they start at the second row."""
    return lambda fine, message, at, *row: check(fine, message, at + 1, *row)


# ---- rows of indices


def first_of_equals(indices):
    """Marks the rows that differ from the previous row; for sorted rows."""
    first = np.ones(len(indices), bool)
    first[1:] = ~neighbours(np, indices)[1]
    return first


def in_order(xp, indices):
    """The permutation that sorts the rows lexicographically; stable."""
    xp = _module(xp, indices)
    if not indices.shape[1]:
        return xp.arange(indices.shape[0])
    keys = _row_keys(indices) if xp is np and len(indices) else None
    if keys is not None:
        return np.argsort(keys, kind="stable")
    return xp.lexsort(tuple(indices[:, column] for column in reversed(range(indices.shape[1]))))


def _row_keys(rows):
    """An integer for each row, in the order of the rows; None where indices are negative or too large for that."""
    sizes = [int(column.max()) + 1 for column in rows.T]
    if min(int(column.min()) for column in rows.T) < 0 or math.prod(sizes) > np.iinfo(np.int64).max:
        return None
    return flat_places(np, rows, sizes)


def flat_places(xp, indices, shape):
    """The flat index of each row in a dense tensor of this shape."""
    places = _module(xp, indices).zeros(indices.shape[0], np.int64)
    for column, size in enumerate(shape):
        places = places * int(size) + indices[:, column].astype(np.int64)
    return places


def pair_up(a, b):
    """Matches the rows of two index matrices.

    Returns:
        (rows, positions in a, positions in b): the rows that occur, sorted, and the position of each in both; -1 where
        it is missing. Duplicates in one matrix are matched in order with duplicates in the other.
    """
    merged = _merged(a, b)
    if merged is not None:
        return merged
    rows = np.concatenate([_numbered(a), _numbered(b)])
    order = in_order(np, rows)
    rows = rows[order]
    first = first_of_equals(rows)
    number = np.cumsum(first) - 1
    in_a, in_b = np.full((2, int(first.sum())), -1, np.int64)
    from_b = order >= len(a)
    in_a[number[~from_b]] = order[~from_b]
    in_b[number[from_b]] = order[from_b] - len(a)
    return rows[first][:, :-1], in_a, in_b


def handed_back(slopes, indices, chosen):
    """The slope of each row of `indices` that is a row of `chosen`, which has these slopes; 0 for the others."""
    _, here, there = pair_up(indices, chosen)
    result = np.zeros(len(indices), slopes.dtype)
    both = np.flatnonzero((here >= 0) & (there >= 0))
    result[here.take(both)] = slopes.take(there.take(both))
    return result


def _merged(a, b):
    """The same by the C extension; None without it, and where rows are not in order or occur twice."""
    columns = a.shape[1]
    if native.pairs is None or not columns or b.shape[1] != columns:
        return None
    a, b = np.ascontiguousarray(a, np.int64), np.ascontiguousarray(b, np.int64)
    in_a, in_b = np.empty((2, len(a) + len(b)), np.int64)
    count = native.pairs.merge(a, b, columns, in_a, in_b)
    if count < 0:
        return None
    in_a, in_b = in_a[:count], in_b[:count]
    rows = a if count == len(a) else b if count == len(b) else np.concatenate([a, b]).take(
        np.where(in_a >= 0, in_a, in_b + len(a)), axis=0)
    return rows, in_a, in_b


def _numbered(rows):
    """The rows with one more column: the number of equal rows before."""
    order = in_order(np, rows)
    starts = np.flatnonzero(first_of_equals(rows[order]))
    result = np.empty((len(rows), rows.shape[1] + 1), np.int64)
    result[:, :-1] = rows
    result[order, -1] = np.arange(len(rows)) - np.repeat(starts, np.diff([*starts, len(rows)]))
    return result


def dense_shape(shape, what="shape"):
    """A static shape input as a tuple."""
    sizes = tuple(np.asarray(shape).ravel().tolist())
    if min(sizes, default=0) < 0:
        raise invalid(f"Dimension {next(size for size in sizes if size < 0)} of {what} must be >= 0")
    return sizes


def parts_shapes(indices, values, shape, what=""):
    """Raises ValueError unless the static shapes of the three parts match; returns (entries, rank)."""
    indices = with_rank(indices, 2, f"{what}indices")
    values, shape = with_rank(values, 1, f"{what}values"), with_rank(shape, 1, f"{what}shape")
    return merge((indices[0],), values)[0], merge((indices[1],), shape)[0]


# ---- densifying


@op("SparseToDense(sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value: T, *, "
    "validate_indices: bool = True, T: type, Tindices: index) -> dense: T", static=("output_shape",))
def sparse_to_dense(xp, check, sparse_indices, output_shape, sparse_values, default_value, validate_indices, T):
    """Converts to a dense tensor: `sparse_values` at `sparse_indices`, `default_value` elsewhere."""
    indices, shape = _as_rows(sparse_indices, output_shape), dense_shape(output_shape, "output_shape")
    count = indices.shape[0]
    if np.ndim(sparse_values) > 1 or np.ndim(sparse_values) == 1 and np.shape(sparse_values)[0] != count:
        raise invalid(f"sparse_values has incorrect shape {_listed(np.shape(sparse_values))}, should be [] or "
                      f"[{count}]")
    if np.ndim(default_value):
        raise invalid("default_value should be a scalar.")
    check_bounds(xp, check, indices, np.array(shape, np.int64))
    if validate_indices:
        check_order(xp, check, indices)
    places = flat_places(xp, indices, shape)
    if xp is np:
        dense = np.full(int(np.prod(shape, dtype=np.int64)), default_value, T)
        dense[places] = sparse_values
    else:
        dense = xp.full(int(np.prod(shape, dtype=np.int64)), default_value, T).at[places].set(sparse_values)
    return dense.reshape(shape)


def _as_rows(indices, shape):
    """Indices in any form that TensorFlow accepts (scalar, vector, matrix) as a matrix."""
    if np.ndim(indices) > 2:
        raise invalid("sparse_indices should be a scalar, a vector or a matrix; their shape is "
                      f"{_listed(np.shape(indices))}")
    rank = np.shape(indices)[1] if np.ndim(indices) == 2 else 1
    if np.ndim(shape) > 1:
        raise invalid(f"output_shape should be a vector, got shape {_listed(np.shape(shape))}")
    if np.size(shape) != rank:
        raise invalid(f"output_shape has incorrect number of elements: {np.size(shape)} should be: {rank}")
    return indices.reshape((np.shape(indices)[0] if np.ndim(indices) else 1, rank))


@sparse_to_dense.shape
def _(output_shape, shape_of):
    return shape_of("output_shape") if output_shape is None or len(output_shape) < 2 else with_rank(output_shape, 1)


@sparse_to_dense.grad
def _(op, dy):
    indices, _, values, _ = op.inputs
    if indices._shape is not None and len(indices._shape) < 2:
        indices = reshape(indices, [-1, 1])
    slopes = gather_nd(dy, indices)
    default = lookup("Sub")(_total(dy), _total(slopes))
    return [None, None, _total(slopes) if values._shape == () else slopes, default]


def _total(tensor):
    """The sum of all elements."""
    rank = basic.rank(tensor) if tensor._shape is None else len(tensor._shape)
    return lookup("Sum")(tensor, basic.range_(0, rank, 1))


@op("SparseTensorDenseAdd(a_indices: Tindices, a_values: T, a_shape: Tindices, b: T, *, T: number, Tindices: index) -> "
    "output: T", static=("a_shape",), shape=lambda b: b)
def sparse_tensor_dense_add(xp, check, a_indices, a_values, a_shape, b):
    """The sum of a sparse and a dense tensor of the same shape."""
    check_parts(a_indices, a_values, a_shape, "a_")
    if dense_shape(a_shape, "a_shape") != np.shape(b):
        raise invalid(f"Dimensions of a_shape {_listed(a_shape)} and b {_listed(np.shape(b))} do not match")
    check_bounds(xp, check, a_indices, a_shape, "the sparse tensor has an invalid index: ")
    places = flat_places(xp, a_indices, np.shape(b))
    return summed_at(xp, xp.reshape(b, -1), places, a_values).reshape(np.shape(b))


@sparse_tensor_dense_add.grad
def _(op, dy):
    return [None, gather_nd(dy, op.inputs[0]), None, dy]


def summed_at(xp, start, places, values):
    """`start` with each of `values` (scalars or rows) added at its position; positions may repeat."""
    if xp is not np:
        return xp.asarray(start).at[places].add(values)
    result = start.copy()
    np.add.at(result, places, values)
    return result


# ---- products


@op("SparseTensorDenseMatMul(a_indices: Tindices, a_values: T, a_shape: int64, b: T, *, T: type, "
    "Tindices: index = int64, adjoint_a: bool = False, adjoint_b: bool = False) -> product: T", static=("a_shape",))
def sparse_tensor_dense_mat_mul(xp, check, a_indices, a_values, a_shape, b, adjoint_a, adjoint_b):
    """Multiplies a sparse matrix by a dense one; adjoint means conjugate transpose."""
    if np.ndim(b) != 2:
        raise invalid("Tensor 'b' is not a matrix")
    if np.shape(a_shape) != (2,):
        raise invalid(f"Tensor 'a_shape' must have 2 elements, not shape {_listed(np.shape(a_shape))}")
    check_parts(a_indices, a_values, a_shape, "a_")
    sizes, values = dense_shape(a_shape, "a_shape"), a_values
    rows, columns = a_indices[:, 0], a_indices[:, 1]
    if adjoint_a:
        sizes, rows, columns, values = sizes[::-1], columns, rows, xp.conj(values)
    if adjoint_b:
        b = xp.conj(b).T
    if sizes[1] != b.shape[0]:
        raise invalid(f"A is {_listed(a_shape)} and B {_listed(b.shape)}: the inner dimension does not match, "
                      f"{sizes[1]} and {b.shape[0]}. adjoint_a and adjoint_b transpose")
    if xp is np and _is_multiplied_in_c(a_indices, values, b):
        product = np.zeros((sizes[0], b.shape[1]), b.dtype)
        if native.sparse.add_products(a_indices, values, b.itemsize == 8, adjoint_a, b, b.shape[1], product):
            return product
    _check_index(xp, check, columns, "k", int(not adjoint_a), sizes[1])
    _check_index(xp, check, rows, "m", int(adjoint_a), sizes[0])
    parts = values[:, None] * xp.take(b, columns, axis=0, mode="clip")
    return _summed_rows(xp, parts, rows, sizes[0])


def _is_multiplied_in_c(indices, values, b):
    """Whether native/sparse.c multiplies a sparse matrix with these parts by a dense one."""
    return native.sparse is not None and is_summed_in_c(b) and indices.dtype == np.int64 and values.dtype == b.dtype \
        and indices.flags.c_contiguous and values.flags.c_contiguous and b.flags.c_contiguous


def _check_index(xp, check, index, name, column, size):
    """Fails the step unless every index of a column is in [0, size)."""
    if type(index) is np.ndarray and are_inside(index, size):
        return
    inside = (index >= 0) & (index < size)
    if len(inside) and (is_traced(inside) or not inside.all()):
        at = _module(xp, index).argmin(inside)
        check(inside, f"{name} ({{}}) from index[{{}},{column}] out of bounds (>={size})", index[at], at)


def _summed_rows(xp, parts, rows, count):
    """Sums the parts that belong to the same row."""
    if xp is np and is_summed_in_c(parts, rows):
        return sum_in_c(parts, rows, count)
    start = xp.zeros((count, parts.shape[1]), parts.dtype)
    if xp is not np:
        return start.at[rows].add(parts)
    order = np.argsort(rows, kind="stable")
    if len(order):
        ordered = rows[order]
        starts = np.flatnonzero(first_of_equals(ordered[:, None]))
        start[ordered[starts]] = np.add.reduceat(parts[order], starts, axis=0)
    return start


@sparse_tensor_dense_mat_mul.shape
def _(a_indices, a_values, a_shape, b, adjoint_a, adjoint_b, shape_of):
    require_rank(a_indices, 2)
    require_rank(a_values, 1)
    require_rank(a_shape, 1)
    left, right = with_rank(shape_of("a_shape"), 2), with_rank(b, 2)
    left, right = left[::-1] if adjoint_a else left, right[::-1] if adjoint_b else right
    require_equal(left[1], right[0])
    return (left[0], right[1])


@sparse_tensor_dense_mat_mul.grad
def _(op, dy):
    indices, values, shape, b = op.inputs
    adjoint_a, adjoint_b = op.attrs["adjoint_a"], op.attrs["adjoint_b"]
    if values.dtype.is_complex:
        raise NotImplementedError("SparseTensorDenseMatMul op does not support complex gradients.")
    b_grad = sparse_tensor_dense_mat_mul(indices, values, shape, dy, adjoint_a=not adjoint_a)
    rows, columns = _column(indices, 0), _column(indices, 1)
    if adjoint_a:
        rows, columns = columns, rows
    across = transpose(b, [1, 0]) if adjoint_b else b
    parts = lookup("Mul")(gather_v2(dy, rows, 0), gather_v2(across, columns, 0))
    return [None, lookup("Sum")(parts, [1]), None, transpose(b_grad, [1, 0]) if adjoint_b else b_grad]


def _column(matrix, number):
    return lookup("StridedSlice")(matrix, [0, number], [0, number + 1], [1, 1], begin_mask=1, end_mask=1,
                                  shrink_axis_mask=2)


# ---- order


@op("SparseReorder(input_indices: int64, input_values: T, input_shape: int64, *, T: type) -> output_indices: int64, "
    "output_values: T", on="host")
def sparse_reorder(input_indices, input_values, input_shape):
    """Sorts the entries of a sparse tensor in row-major order."""
    check_parts(input_indices, input_values, input_shape)
    order = in_order(np, input_indices)
    return input_indices.take(order, axis=0), input_values.take(order)


@sparse_reorder.shape
def _(input_indices, input_values, input_shape):
    require_rank(input_shape, 1)
    return [with_rank(input_indices, 2), with_rank(input_values, 1)]


@sparse_reorder.grad
def _(op, _, dy):
    indices, _, shape = op.inputs
    count = lookup("StridedSlice")(basic.shape(indices), [0], [1], [1], shrink_axis_mask=1)
    _, places = sparse_reorder(indices, basic.range_(0, count, 1), shape)
    return [None, gather_v2(dy, lookup("InvertPermutation")(places), 0), None]


# ---- empty rows


@op("SparseFillEmptyRows(indices: int64, values: T, dense_shape: int64, default_value: T, *, T: type) -> "
    "output_indices: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64", on="host",
    fusion=bags_of_ids)
def sparse_fill_empty_rows(indices, values, dense_shape, default_value):
    """Adds an entry of `default_value` at the start of each empty row of a sparse tensor."""
    check_parts(indices, values, dense_shape)
    if np.ndim(default_value):
        raise invalid(f"default_value must be a scalar, saw shape {_listed(np.shape(default_value))}")
    if not len(dense_shape):
        raise invalid("Dense shape cannot be empty.")
    count = int(dense_shape[0])
    rows = indices[:, 0]
    if count == 0 and len(rows):
        raise invalid(f"a sparse tensor without rows has {len(rows)} elements")
    empty, places, added = (_empty_rows if native.sparse is None else _empty_rows_in_c)(indices, count)
    filled_rows = np.zeros((len(places) + len(added), indices.shape[1]), np.int64)
    for column in range(indices.shape[1]):  # faster than whole rows, which NumPy copies one by one
        filled_rows[:, column][places] = indices[:, column]
    filled_values = np.empty(len(filled_rows), values.dtype)
    filled_values[places] = values
    if len(added):
        filled_rows[added, 0] = np.flatnonzero(empty)
        filled_values[added] = default_value
    return filled_rows, filled_values, empty, places


def _empty_rows(indices, count):
    """(which rows are empty, where each entry goes when they get one each, where those that they get go)."""
    rows = indices[:, 0]
    outside = (rows < 0) | (rows >= count)
    if outside.any():
        raise _not_a_row(indices, int(np.argmax(outside)), count)
    empty = np.bincount(rows, minlength=count) == 0 if count else np.zeros(0, bool)
    order = np.argsort(np.concatenate([rows, np.flatnonzero(empty)]), kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return empty, places[:len(rows)], places[len(rows):]


def _empty_rows_in_c(indices, count):
    """`_empty_rows` by native/sparse.c."""
    empty, places, added = np.empty(count, bool), np.empty(len(indices), np.int64), np.empty(count, np.int64)
    given = np.ascontiguousarray(indices)
    found = native.sparse.fill_empty_rows(given, indices.shape[1], count, empty, places, added)
    if found < 0:
        raise _not_a_row(indices, -1 - found, count)
    return empty, places, added[:found]


def _not_a_row(indices, at, count):
    return invalid(f"indices({at}, 0) is invalid: {indices[at, 0]} >= {count}")


@sparse_fill_empty_rows.shape
def _(indices, values, dense_shape, default_value, shape_of):
    require_rank(default_value, 0)
    entries, rank = parts_shapes(indices, values, dense_shape)
    whole = shape_of("dense_shape")
    return [(None, rank), (None,), (whole[0] if whole else None,), (entries,)]


@sparse_fill_empty_rows.grad
def _(op, _indices, dy, _empty, _places):
    values, default = sparse_fill_empty_rows_grad(op.outputs[3], dy)
    return [None, values, None, default]


@op("SparseFillEmptyRowsGrad(reverse_index_map: int64, grad_values: T, *, T: type) -> d_values: T, "
    "d_default_value: T")
def sparse_fill_empty_rows_grad(xp, check, reverse_index_map, grad_values, T):
    """The gradients of SparseFillEmptyRows: those of the original entries; their rest summed for the default."""
    for name, found in (("reverse_index_map", reverse_index_map), ("grad_values", grad_values)):
        if np.ndim(found) != 1:
            raise invalid(f"{name} must be a vector, saw: {_listed(np.shape(found))}")
    count = np.shape(grad_values)[0]
    check((reverse_index_map >= 0) & (reverse_index_map < count),
          f"Elements in reverse index must be in [0, {count})")
    known = xp.zeros(count, bool)
    if xp is np:
        known[reverse_index_map] = True
    else:
        known = known.at[reverse_index_map].set(True)
    rest = xp.where(known, xp.zeros((), T), grad_values)
    return xp.take(grad_values, reverse_index_map, mode="clip"), xp.sum(rest, dtype=T)


@sparse_fill_empty_rows_grad.shape
def _(reverse_index_map, grad_values):
    require_rank(grad_values, 1)
    return [with_rank(reverse_index_map, 1), ()]
