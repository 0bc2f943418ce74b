"""Arithmetic on sparse tensors: sums, products with dense tensors, reductions, softmax, maximum and minimum."""
import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import require_rank, unknown, with_rank
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.gather import gather_nd
from evergraph.ops.arrays.limits import lowest
from evergraph.ops.arrays.reshape import expand_dims, reshape
from evergraph.ops.sparse.sparse import (
    check_bounds,
    check_parts,
    dense_shape,
    first_of_equals,
    flat_places,
    handed_back,
    in_order,
    neighbours,
    pair_up,
    sparse_tensor_dense_add,
    summed_at,
)

_A = "a_indices: int64, a_values: T, a_shape: int64"
_B = "b_indices: int64, b_values: T, b_shape: int64"


# ---- sums of sparse tensors


def _check_pair(a_indices, a_values, a_shape, b_indices, b_values, b_shape):
    check_parts(a_indices, a_values, a_shape, "a_")
    check_parts(b_indices, b_values, b_shape, "b_")
    if len(a_shape) != len(b_shape):
        raise invalid(f"Operands do not have the same ranks: {a_shape.tolist()} and {b_shape.tolist()}")
    for dim, (a, b) in enumerate(zip(a_shape, b_shape)):
        if a != b:
            raise invalid(f"Operands' shapes do not match: got {a} and {b} for dimension {dim}")


def _values_at(values, places):
    """The values at these positions, 0 for a position of -1."""
    if not len(values):
        return np.zeros(len(places), values.dtype)
    found = values.take(places, mode="wrap")
    found[places < 0] = 0
    return found


@op(f"SparseAdd({_A}, {_B}, thresh: Treal, *, T: number, Treal: real) -> sum_indices: int64, sum_values: T, "
    "sum_shape: int64", on="host")
def sparse_add(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh):
    """The sum of two sparse tensors; sums of entries in both with an absolute value below `thresh` are dropped."""
    _check_pair(a_indices, a_values, a_shape, b_indices, b_values, b_shape)
    if np.ndim(thresh):
        raise invalid(f"threshold must be a scalar; its shape is {list(np.shape(thresh))}")
    rows, in_a, in_b = pair_up(a_indices, b_indices)
    total = _values_at(a_values, in_a) + _values_at(b_values, in_b)
    kept = (in_a < 0) | (in_b < 0) | (thresh <= np.abs(total))
    return (rows, total, a_shape) if kept.all() else (rows[kept], total[kept], a_shape)


@sparse_add.shape
def _(a_shape):
    a_shape = with_rank(a_shape, 1)
    return [(None, a_shape[0]), (None,), a_shape]


@sparse_add.grad
def _(op, _indices, dy, _shape):
    slopes = sparse_add_grad(dy, op.inputs[0], op.inputs[3], op.outputs[0])
    return [None, slopes[0], None, None, slopes[1], None, None]


@op("SparseAddGrad(backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64, *, T: number) -> "
    "a_val_grad: T, b_val_grad: T", on="host", grad=STOP)
def sparse_add_grad(backprop_val_grad, a_indices, b_indices, sum_indices):
    """The gradients of SparseAdd's operands: those of the sum's entries at their indices, zeros elsewhere."""
    for indices in (a_indices, b_indices, sum_indices):
        if np.ndim(indices) != 2 or indices.shape[1] != sum_indices.shape[1]:
            raise invalid(f"Input indices should be matrices of as many columns, but one has shape "
                          f"{list(np.shape(indices))}")
    if np.shape(backprop_val_grad) != (len(sum_indices),):
        raise invalid(f"each element of the sum needs its gradient: got {np.size(backprop_val_grad)} for "
                      f"{len(sum_indices)}")
    return tuple(handed_back(backprop_val_grad, indices, sum_indices) for indices in (a_indices, b_indices))


@sparse_add_grad.shape
def _(a_indices, b_indices):
    return [(with_rank(a_indices, 2)[0],), (with_rank(b_indices, 2)[0],)]


# ---- maximum and minimum


def _extreme(name, domain, ufunc, doc):
    def run(a_indices, a_values, a_shape, b_indices, b_values, b_shape):
        _check_pair(a_indices, a_values, a_shape, b_indices, b_values, b_shape)
        rows, in_a, in_b = pair_up(a_indices, b_indices)
        return rows, ufunc(_values_at(a_values, in_a), _values_at(b_values, in_b))

    def shape(a_indices, a_values, a_shape, b_indices, b_values, b_shape):
        for part, rank in ((a_indices, 2), (a_values, 1), (a_shape, 1), (b_indices, 2), (b_values, 1), (b_shape, 1)):
            require_rank(part, rank)
        return [(None, None), (None,)]

    def grad(op, _indices, dy):
        raise NotImplementedError(f"Gradient for {name} is currently not implemented yet.")

    run.__doc__ = doc
    return op(f"{name}({_A}, {_B}, *, T: {domain}) -> output_indices: int64, output_values: T", on="host", shape=shape,
              grad=grad)(run)


sparse_sparse_maximum = _extreme("SparseSparseMaximum", "real", np.maximum,
                                 "The elementwise maximum of two sparse tensors; missing entries are 0.")
sparse_sparse_minimum = _extreme("SparseSparseMinimum", "number", np.minimum,
                                 "The elementwise minimum of two sparse tensors; missing entries are 0.")


# ---- with dense tensors


def _across(xp, indices, shape, dense):
    """The elements of `dense`, broadcast to `shape`, at the indices."""
    extra = len(shape) - np.ndim(dense)
    sizes = np.shape(dense)
    if extra < 0 or any(size not in (1, whole) for size, whole in zip(sizes, shape[extra:])):
        raise invalid(f"the dense operand broadcasts to the sparse one, not the other way: "
                      f"{list(shape)} and {list(sizes)}")
    if np.size(dense) == 1:
        return xp.reshape(dense, 1)
    # Along an axis of size 1 every index is 0.
    inside = indices[:, extra:] * np.array([size != 1 for size in sizes], np.int64)
    places = flat_places(xp, inside, sizes)
    return xp.take(xp.reshape(dense, -1), places, mode="clip")


def _cwise(name, function, grad, doc):
    def run(xp, check, sp_indices, sp_values, sp_shape, dense):
        check_parts(sp_indices, sp_values, sp_shape, "sp_")
        shape = dense_shape(sp_shape, "sp_shape")
        check_bounds(xp, check, sp_indices, np.array(shape, np.int64))
        return function(xp, sp_values, _across(xp, sp_indices, shape, dense))

    run.__doc__ = doc
    return op(f"{name}(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T, *, T: number) -> output: T",
              static=("sp_shape",), shape=lambda sp_indices: (with_rank(sp_indices, 2)[0],), grad=grad)(run)


def _quotient(xp, x, y):
    if np.dtype(x.dtype).kind not in "iu":
        return x / y
    return (xp.abs(x) // xp.abs(y)) * (xp.sign(x) * xp.sign(y))  # integers are truncated towards zero


def _no_gradient(op, dy):
    raise NotImplementedError("SparseDenseCwiseAdd has no gradient")


def _cwise_grad(slopes):
    """A gradient from `slopes(dy, x, y) -> (dx, dy)` where y are the dense elements at the entries."""
    def grad(op, dy):
        indices, values, shape, dense = op.inputs
        places, dense_sizes = _dense_places(indices, shape, dense)
        for_values, for_dense = slopes(dy, values, gather_nd(dense, places))
        return [None, for_values, None,
                sparse_tensor_dense_add(places, for_dense, dense_sizes, basic.zeros_like(dense))]
    return grad


def _dense_places(indices, shape, dense):
    """(the entries' flat positions in a dense tensor that is broadcast to `shape`, its shape)."""
    sizes = basic.shape(dense, out_type="int64")
    extra = expand_dims(lookup("Sub")(basic.size(shape), basic.size(sizes)), 0)
    ones = basic.fill(extra, np.int64(1))
    scale = lookup("FloorDiv")(shape, lookup("ConcatV2")([ones, sizes], 0))
    places = lookup("FloorDiv")(indices, scale)
    return lookup("Slice")(places, lookup("ConcatV2")([[0], extra], 0), [-1, -1]), sizes


def _product_slopes(dy, x, y):
    return lookup("Mul")(dy, y), lookup("Mul")(dy, x)


def _quotient_slopes(dy, x, y):
    outer = lookup("RealDiv")(lookup("Neg")(x), lookup("Square")(y))
    return lookup("RealDiv")(dy, y), lookup("Mul")(dy, outer)


sparse_dense_cwise_mul = _cwise("SparseDenseCwiseMul", lambda xp, x, y: x * y, _cwise_grad(_product_slopes),
                                "The entries of a sparse tensor times the dense elements at their indices.")
sparse_dense_cwise_div = _cwise("SparseDenseCwiseDiv", _quotient, _cwise_grad(_quotient_slopes),
                                "The entries of a sparse tensor divided by the dense elements at their indices.")
sparse_dense_cwise_add = _cwise("SparseDenseCwiseAdd", lambda xp, x, y: x + y, _no_gradient,
                                "The entries of a sparse tensor plus the dense elements at their indices.")


# ---- reductions

_REDUCED = ("input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32, *, "
            "keep_dims: bool = False")


def _axes(reduction_axes, rank):
    """The static axes to reduce, sorted."""
    if np.ndim(reduction_axes) > 1:
        raise invalid(f"reduction_axes is a scalar or a vector; its shape is {list(np.shape(reduction_axes))}")
    for axis in np.ravel(reduction_axes):
        if not -rank <= axis < rank:
            raise invalid(f"Invalid reduction dimension {axis}, for input with {rank} dimensions.")
    return sorted({int(axis) % rank for axis in np.ravel(reduction_axes)})


def _remaining(shape, axes, keep_dims):
    """The shape without the axes, or with 1 in their place."""
    return tuple(1 if axis in axes else size for axis, size in enumerate(shape) if keep_dims or axis not in axes)


def _reduced_shape(input_shape, keep_dims, shape_of, value_of):
    require_rank(input_shape, 1)
    shape, axes = shape_of("input_shape"), value_of("reduction_axes")
    if shape is None or axes is None or None in shape:
        return None
    axes = [int(axis) for axis in np.ravel(axes)]
    if not all(-len(shape) <= axis < len(shape) for axis in axes):
        return None  # TensorFlow raises at run time
    return _remaining(shape, [axis % len(shape) for axis in axes], keep_dims)


def _dense_reduction(name, domain, combine, doc, grad=None):
    def run(xp, check, input_indices, input_values, input_shape, reduction_axes, keep_dims):
        check_parts(input_indices, input_values, input_shape, "input_")
        shape = dense_shape(input_shape, "input_shape")
        axes = _axes(reduction_axes, len(shape))
        check_bounds(xp, check, input_indices, np.array(shape, np.int64))
        kept = [axis for axis in range(len(shape)) if axis not in axes]
        left = [shape[axis] for axis in kept]
        places = flat_places(xp, input_indices[:, np.array(kept, np.int64)], left)
        result = combine(xp, input_values, places, int(np.prod(left, dtype=np.int64)))
        return result.reshape(_remaining(shape, axes, keep_dims))

    run.__doc__ = doc
    return op(f"{name}({_REDUCED}, T: {domain}) -> output: T", static=("input_shape", "reduction_axes"),
              shape=_reduced_shape, grad=grad)(run)


def _sum_at(xp, values, places, count):
    return summed_at(xp, xp.zeros(count, values.dtype), places, values)


def _max_at(xp, values, places, count):
    """The maximum of each segment, 0 for an empty one."""
    start = xp.full(count, lowest(values.dtype), values.dtype)
    if xp is np:
        np.maximum.at(start, places, values)
        found = np.bincount(places, minlength=count) > 0
    else:
        start = start.at[places].max(values)
        found = xp.zeros(count, bool).at[places].set(True)
    return xp.where(found, start, xp.zeros((), values.dtype))


def _reduce_sum_grad(op, dy):
    indices, _, shape, axes = op.inputs
    kept = _with_ones(shape, axes)
    scale = lookup("FloorDiv")(shape, kept)
    return [None, gather_nd(reshape(dy, kept), lookup("FloorDiv")(indices, scale)), None, None]


def _with_ones(shape, axes):
    """The shape, an int64 tensor, with 1 at the axes."""
    rank = basic.size(shape)
    places = reshape(lookup("FloorMod")(lookup("AddV2")(axes, rank), rank), [-1])
    ones = basic.fill(basic.shape(places), np.int64(1))
    return lookup("TensorScatterUpdate")(shape, expand_dims(places, 1), ones)


sparse_reduce_sum = _dense_reduction("SparseReduceSum", "number", _sum_at,
                                     "The sum of a sparse tensor along axes, as a dense tensor.", _reduce_sum_grad)
sparse_reduce_max = _dense_reduction("SparseReduceMax", "real", _max_at,
                                     "The maximum of a sparse tensor along axes, as a dense tensor.")


def _sparse_reduction(name, domain, ufunc, doc):
    def run(input_indices, input_values, input_shape, reduction_axes, keep_dims):
        check_parts(input_indices, input_values, input_shape, "input_")
        axes = _axes(reduction_axes, len(input_shape))
        kept = [axis for axis in range(len(input_shape)) if axis not in axes]
        rows = input_indices[:, kept]
        order = in_order(np, rows)
        starts = np.flatnonzero(first_of_equals(rows[order]))
        values = ufunc.reduceat(input_values[order], starts) if len(starts) else input_values[:0]
        result = np.zeros((len(starts), len(input_shape) if keep_dims else len(kept)), np.int64)
        result[:, kept if keep_dims else slice(None)] = rows[order][starts]
        return result, values, np.array(_remaining(input_shape, axes, keep_dims), np.int64)

    run.__doc__ = doc
    return op(f"{name}({_REDUCED}, T: {domain}) -> output_indices: int64, output_values: T, output_shape: int64",
              on="host", shape=lambda: [unknown()] * 3)(run)


sparse_reduce_sum_sparse = _sparse_reduction("SparseReduceSumSparse", "number", np.add,
                                             "The sum of a sparse tensor along axes, as a sparse tensor.")
sparse_reduce_max_sparse = _sparse_reduction("SparseReduceMaxSparse", "real", np.maximum,
                                             "The maximum of a sparse tensor along axes, as a sparse tensor.")


# ---- softmax


@op("SparseSoftmax(sp_indices: int64, sp_values: T, sp_shape: int64, *, T: {float, double}) -> output: T")
def sparse_softmax(xp, sp_indices, sp_values, sp_shape):
    """Softmax along the last axis over the stored entries, in order."""
    check_parts(sp_indices, sp_values, sp_shape, "sp_")
    if np.shape(sp_shape)[0] < 2:
        raise invalid(f"Input should have rank >= 2, but received rank {np.shape(sp_shape)[0]}")
    count = np.shape(sp_values)[0]
    if not count:
        return sp_values
    order = in_order(xp, sp_indices)
    values = xp.asarray(sp_values)[order]
    _, same = neighbours(xp, sp_indices[order][:, :-1])
    group = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(~same)])
    largest = _max_at(xp, values, group, count)
    powers = xp.exp(values - largest[group])
    return powers / _sum_at(xp, powers, group, count)[group]


@sparse_softmax.shape
def _(sp_indices, sp_values, sp_shape):
    require_rank(sp_indices, 2)
    require_rank(sp_shape, 1)
    return with_rank(sp_values, 1)


@sparse_softmax.grad
def _(op, dy):
    indices, _, shape = op.inputs
    softmax = op.outputs[0]
    total = sparse_reduce_sum(indices, lookup("Mul")(softmax, dy), shape, [-1], keep_dims=True)
    centered = sparse_dense_cwise_add(indices, dy, shape, lookup("Neg")(total))
    return [None, lookup("Mul")(centered, softmax), None]
