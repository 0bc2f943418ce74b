"""Set operations along the last axis: difference, intersection, union, size.

Each row of a dense tensor [..., n] is a set; in a sparse tensor, a row's values are its set, whatever their columns.
The sizes of the results depend on the values, so these ops run on the host.
"""
import math

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import at_least_rank, merge, merge_size
from evergraph.ops.sparse.sparse import neighbours, rows_inside

_DOMAIN = "{index, int8, int16, uint8, uint16, string}"

# ---- sets of integers: NumPy's own look up hashes, which takes ten times as long as sorting


def _distinct(keys):
    """The distinct integers, sorted."""
    keys = np.sort(keys)
    return keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys


def _common(a, b):
    both = np.sort(np.concatenate([_distinct(a), _distinct(b)]))
    return both[1:][both[1:] == both[:-1]]


def _only(a, b):
    """The integers of `a` that are not in `b`."""
    both = np.sort(np.concatenate([_distinct(a), _common(a, b)]))
    changes = np.concatenate([[True], both[1:] != both[:-1], [True]])
    return both[changes[1:] & changes[:-1]] if len(both) else both


_OPERATIONS = {"a-b": _only, "b-a": lambda a, b: _only(b, a), "intersection": _common,
               "union": lambda a, b: _distinct(np.concatenate([a, b]))}


# ---- rows


def _invalid(message):
    return errors.InvalidArgumentError(None, None, message)


def _dense_rows(values):
    """The row number of each value of a dense tensor, the values, and the shape of the rows."""
    if np.ndim(values) < 2:
        raise _invalid(f"Invalid rank {np.ndim(values)}: sets need a tensor of rank 2 or more.")
    rows = values.shape[:-1]
    return np.repeat(np.arange(math.prod(rows)), values.shape[-1]), values.reshape(-1), rows


def _sparse_rows(indices, values, shape, validate_indices):
    """As `_dense_rows`, for a sparse tensor."""
    if len(shape) < 2:
        raise _invalid(f"Invalid rank {len(shape)}: sets need a tensor of rank 2 or more.")
    if validate_indices:
        _check_order(indices, shape)
    rows = tuple(int(size) for size in shape[:-1])
    numbers = np.ravel_multi_index(tuple(indices[:, :-1].T), rows, mode="clip") if len(indices) else \
        np.zeros(0, np.int64)
    return numbers, values, rows


def _check_order(indices, shape):
    """Raises InvalidArgumentError unless the indices are in bounds, sorted and unique."""
    inside = rows_inside(indices, np.zeros_like(shape), shape)
    if not inside.all():
        where = int(inside.argmin())
        raise _invalid(f"indices[{where}] = {indices[where].tolist()} is out of bounds: need 0 <= index < "
                       f"{list(map(int, shape))}")
    ascends, _ = neighbours(np, indices)
    if not ascends.all():
        where = int(ascends.argmin()) + 1
        raise _invalid(f"indices[{where}] = {indices[where].tolist()} is out of order or repeated.")


def _operate(set_operation, a, b):
    """The indices, values and shape of the result of a set operation on two lists of sets."""
    if set_operation not in _OPERATIONS:
        raise _invalid(f"Invalid set_operation {set_operation}.")
    (rows_a, values_a, shape), (rows_b, values_b, shape_b) = a, b
    if shape != shape_b:
        raise _invalid(f"Mismatched group shapes {list(shape)} and {list(shape_b)}: sets need the same rows.")
    codes, count, decode = _coded(np.concatenate([values_a, values_b]), math.prod(shape))
    keys = np.concatenate([rows_a, rows_b]) * count + codes
    kept = _OPERATIONS[set_operation](keys[:len(rows_a)], keys[len(rows_a):]).astype(np.int64)
    rows, codes = np.divmod(kept, count)
    sizes = np.bincount(rows, minlength=math.prod(shape))
    places = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    indices = np.stack([*np.unravel_index(rows, shape), places], axis=1).astype(np.int64)
    return indices, decode(codes).astype(values_a.dtype), np.array([*shape, sizes.max(initial=0)], np.int64)


def _coded(values, rows):
    """Numbers in the order of the values, a bound above them, and the function that turns them into values again.

    Integers close to each other are their own codes: a row's number times the bound plus the code fits 64 bits.
    """
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if (high - low + 1) * max(rows, 1) <= np.iinfo(np.int64).max:
            return values.astype(np.int64) - low, high - low + 1, lambda codes: codes + low
    distinct, codes = np.unique(values, return_inverse=True)
    return codes.reshape(-1), max(len(distinct), 1), lambda codes: distinct[codes]


def _result_shapes(rank):
    return [(None, rank), (None,), (rank,)]


def _dense_shapes(set1, set2):
    known = merge(*(None if shape is None else at_least_rank(shape, 2)[:-1] for shape in (set1, set2)))
    return _result_shapes(None if known is None else len(known) + 1)


def _rank(shape):
    return None if shape is None else len(shape)


def _length(shape):
    return None if shape is None else shape[0]


@op(f"DenseToDenseSetOperation(set1: T, set2: T, *, set_operation: string, validate_indices: bool = True, T: {_DOMAIN})"
    " -> result_indices: int64, result_values: T, result_shape: int64", on="host", grad=STOP, shape=_dense_shapes)
def dense_to_dense_set_operation(set1, set2, set_operation):
    """The set operation on the rows of two dense tensors, as a sparse tensor."""
    return _operate(set_operation, _dense_rows(set1), _dense_rows(set2))


@op("DenseToSparseSetOperation(set1: T, set2_indices: int64, set2_values: T, set2_shape: int64, *, "
    f"set_operation: string, validate_indices: bool = True, T: {_DOMAIN}) -> "
    "result_indices: int64, result_values: T, result_shape: int64", on="host", grad=STOP,
    shape=lambda set1, set2_shape: _result_shapes(merge_size(_rank(set1), _length(set2_shape))))
def dense_to_sparse_set_operation(set1, set2_indices, set2_values, set2_shape, set_operation, validate_indices):
    """The set operation on the rows of a dense and a sparse tensor, as a sparse tensor."""
    sets2 = _sparse_rows(set2_indices, set2_values, set2_shape, validate_indices)
    return _operate(set_operation, _dense_rows(set1), sets2)


@op("SparseToSparseSetOperation(set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: int64, "
    "set2_values: T, set2_shape: int64, *, set_operation: string, validate_indices: bool = True, "
    f"T: {_DOMAIN}) -> result_indices: int64, result_values: T, result_shape: int64", on="host", grad=STOP,
    shape=lambda set1_shape, set2_shape: _result_shapes(merge_size(_length(set1_shape), _length(set2_shape))))
def sparse_to_sparse_set_operation(set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape,
                                   set_operation, validate_indices):
    """The set operation on the rows of two sparse tensors, as a sparse tensor."""
    sets1 = _sparse_rows(set1_indices, set1_values, set1_shape, validate_indices)
    return _operate(set_operation, sets1, _sparse_rows(set2_indices, set2_values, set2_shape, validate_indices))


@op(f"SetSize(set_indices: int64, set_values: T, set_shape: int64, *, validate_indices: bool = True, T: {_DOMAIN})"
    " -> size: int32", on="host", grad=STOP, shape=lambda: None)
def set_size(set_indices, set_values, set_shape, validate_indices):
    """The number of unique values in each row of a sparse tensor."""
    rows, values, shape = _sparse_rows(set_indices, set_values, set_shape, validate_indices)
    codes, count, _ = _coded(values, math.prod(shape))
    sizes = np.bincount(_distinct(rows * count + codes) // count, minlength=math.prod(shape))
    return sizes.reshape(shape).astype(np.int32)
