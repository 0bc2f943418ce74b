"""Reductions along axes: sums, extrema, argmax, cumulative sums, histograms."""
from __future__ import annotations

import functools
import math
import operator

import numpy as np

from evergraph.base import errors
from evergraph.base.recent import Computed
from evergraph.graph import shaping
from evergraph.graph.differentiate import dense_of
from evergraph.graph.opdef import op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import same_as, static_value, unchanged
from evergraph.graph.traits import Memory
from evergraph.kernel import native_reduce
from evergraph.kernel.fence import computed_once, on_cpu
from evergraph.kernel.rows import along_first, behind, one_by_one, with_axes
from evergraph.ops.arrays.basic import broadcast_to, cast, ones_like, range_, rank, shape, size, zeros_like
from evergraph.ops.arrays.limits import capped, floored, highest, lowest
from evergraph.ops.arrays.multi_hot import multi_hot_of
from evergraph.ops.math import channels, lines
from evergraph.ops.math.elementwise import (
    add_v2,
    conj_if_complex,
    equal,
    exp,
    floor_div,
    floor_mod,
    greater,
    less,
    log,
    maximum,
    mul,
    neg,
    real_div,
    select,
    sub,
)

# ---- reductions

def axes_of(indices, rank):
    """The axes that a reduction's `indices` name, as non-negative indices.

    Raises:
        InvalidArgumentError: an axis is out of range or repeated.
    """
    named = tuple(np.asarray(indices).reshape(-1).tolist())
    axes = _within(named, rank)
    if len(set(axes)) != len(axes):
        raise errors.InvalidArgumentError(None, None, f"Invalid reduction arguments: axes {list(named)} contain a "
                                                      f"duplicate")
    return axes


@functools.lru_cache(maxsize=1024)
def _within(named, rank):
    for axis in named:
        if not -rank <= axis < rank:
            raise errors.InvalidArgumentError(None, None, f"Invalid reduction dimension ({axis} for input with {rank} "
                                                          f"dimension(s)")
    return tuple(axis % rank for axis in named)


def reduced(input, reduction_indices, keep_dims, value_of):
    """The shape function of reductions."""
    if reduction_indices is not None and len(reduction_indices) > 1:
        raise ValueError(f"Shape must be at most rank 1 but is rank {len(reduction_indices)}")
    indices = value_of("reduction_indices")
    if input is None:
        return None
    if indices is None:
        if reduction_indices == (0,) or reduction_indices is not None and 0 in reduction_indices:
            return input
        return (None,) * len(input) if keep_dims else None
    try:
        axes = _within(tuple(indices.ravel().tolist()), len(input))
    except errors.InvalidArgumentError as error:
        raise ValueError(error.message) from None
    if keep_dims:
        return tuple(1 if i in axes else d for i, d in enumerate(input))
    return tuple(d for i, d in enumerate(input) if i not in axes)


_all_at_once = with_axes(behind)


def _in_rows(call, node, values, count):
    """All rows at once, unless the order of rounded sums would show in the last bit."""
    is_rounded = node.inputs[0].dtype.np.kind not in "iub" and node.opdef not in (max_, min_)
    return (one_by_one if is_rounded else _all_at_once)(call, node, values, count)


def reduction(name, domain, kernel, doc, grad=None, keeps_one=True, **traits):
    """Declares a reduction whose kernel takes (xp, input, axes, keep_dims); if it `keeps_one`, single numbers stay."""
    def run(xp, input, reduction_indices, keep_dims):
        axes = axes_of(reduction_indices, input.ndim)
        if keeps_one and not axes and xp is np:
            return input
        if keeps_one and axes and all([input.shape[each] == 1 for each in axes]):
            return _copied(xp, input, axes, keep_dims)
        if _is_of_a_column(xp, input, axes) and not keep_dims:
            input, axes = computed_once(input.reshape(input.shape[:-1])), tuple(range(input.ndim - 1))
        return kernel(xp, input, axes, keep_dims)
    run.__doc__ = doc
    kind = "bool" if domain is None else "T"
    declared = "" if domain is None else f"T: {domain}, "

    def bound(node, known):
        indices, keep = known(1), node.attrs["keep_dims"]
        if indices is None:
            return None
        axes = Computed(lambda rank: axes_of(indices, rank))
        return lambda input, _: kernel(np, input, axes[input.ndim], keep)

    found = op(f"{name}(input: {kind}, reduction_indices: Tidx, *, keep_dims: bool = False, {declared}"
               f"Tidx: index = int32) -> output: {kind}", static=("reduction_indices",), shape=reduced, grad=grad,
               memory=Memory.STORED, in_batches=_in_rows, called={"reduction_indices": "axis"}, **traits)(run)
    found.bind(bound)
    return found


def _is_of_a_column(xp, x, axes):
    """Whether a reduction joins all numbers of a long column: XLA would go through them one by one, in a loop over the
    last axis, with the formula of each fused into it."""
    return xp is not np and x.ndim > 1 and len(axes) == x.ndim and x.shape[-1] == 1 and x.size >= _MANY and on_cpu()


def _copied(xp, x, axes, keep):
    """The reduction of axes of one element each: NumPy would call a loop for every element, and so would XLA."""
    result = x if keep else x.reshape([size for at, size in enumerate(x.shape) if at not in axes])
    return result.copy() if xp is np else computed_once(result) if result.size >= _MANY else result


def _wide(x):
    """Half precision is summed in single precision."""
    dtype = np.dtype(x.dtype)
    return x.astype(np.float32) if dtype.itemsize == 2 and dtype.kind in "fV" else x


_FEW, _MANY = 4, 4096  # channels of a pixel, and numbers of an image


_WIDE, _FEW_ROWS = 1 << 14, 32


def _has_wide_rows(xp, x, axes):
    """Whether reducing these axes joins rows that are wide: the library that XLA calls for it on CPUs takes a time that
    grows with the square of their width."""
    return xp is not np and np.dtype(x.dtype).kind == "f" and axes == tuple(range(axes[0], axes[-1] + 1)) \
        and math.prod(x.shape[axes[-1] + 1:]) >= _WIDE and math.prod(x.shape[:axes[-1] + 1]) > 1 and 0 not in x.shape \
        and on_cpu()


def _joined_rows(x, axes, keep, join):
    """A reduction that joins whole rows one after the other."""
    from jax import lax

    count, axis = math.prod(x.shape[each] for each in axes), axes[0]
    rows = x.reshape(*x.shape[:axis], count, *x.shape[axes[-1] + 1:])
    row = lambda at: lax.dynamic_index_in_dim(rows, at, axis, keepdims=False)
    if count <= _FEW_ROWS:
        joined = computed_once(functools.reduce(
            join, [lax.index_in_dim(rows, at, axis, keepdims=False) for at in range(count)]))
    else:
        joined = lax.fori_loop(1, count, lambda at, found: join(found, row(at)), row(0))
    return joined.reshape([1 if at in axes else size for at, size in enumerate(x.shape)]) if keep else joined


def _is_over_few_channels(xp, x, axes):
    """Whether a reduction has short rows, through which XLA and NumPy go one number at a time."""
    return axes == (x.ndim - 1,) and 2 <= x.shape[-1] <= _FEW and x.size >= _MANY and (xp is np or on_cpu())


def _joined_channels(x, keep, join):
    """A reduction that joins whole channels, many numbers at a time."""
    joined = computed_once(functools.reduce(join, [x[..., at] for at in range(x.shape[-1])]))
    return joined[..., None] if keep else joined


def _sum(xp, x, axes, keep):
    x = _wide(x)
    if axes and _has_wide_rows(xp, x, axes):
        return _joined_rows(x, axes, keep, operator.add)
    if _is_over_few_channels(xp, x, axes):
        return _joined_channels(x, keep, operator.add)
    if axes == (x.ndim - 1,) and lines.takes(x):
        return lines.sums(x, keep)
    if xp is np and x.ndim > 1 and axes == tuple(range(x.ndim - 1)) and channels.takes(x):
        return channels.sums(x).reshape((*(1,) * len(axes), -1)) if keep else channels.sums(x)
    if xp is np:  # which np.sum calls in the end
        return np.add.reduce(x, axis=axes, keepdims=keep, dtype=x.dtype)
    return xp.sum(x, axis=axes, keepdims=keep, dtype=x.dtype)


def _prod(xp, x, axes, keep):
    x = _wide(x)
    if _is_over_few_channels(xp, x, axes):
        return _joined_channels(x, keep, operator.mul)
    if native_reduce.takes(x, axes):
        product = native_reduce.products(x, axes)
        return xp.expand_dims(product, axes) if keep else product
    return xp.prod(x, axis=axes, keepdims=keep, dtype=x.dtype)


def _mean(xp, x, axes, keep):
    count = math.prod([x.shape[a] for a in axes])
    if np.dtype(x.dtype).kind not in "iu":
        total = _sum(xp, x, axes, keep)
        return total / np.array(count, total.dtype)
    if np.dtype(x.dtype) == np.uint64:
        return xp.sum(x, axis=axes, keepdims=keep, dtype=np.uint64) // np.uint64(max(count, 1))
    total = xp.sum(x, axis=axes, keepdims=keep, dtype=np.int64)
    whole = abs(total) // max(count, 1)  # integers are divided towards zero, as in C
    return xp.where(total < 0, -whole, whole)


def _extreme(function, empty):
    """Max or min; of nothing, the identity element."""
    def kernel(xp, x, axes, keep):
        join = getattr(xp, f"{function}imum")
        if axes and _has_wide_rows(xp, x, axes):
            return _joined_rows(x, axes, keep, join)
        if _is_over_few_channels(xp, x, axes):
            return _joined_channels(x, keep, join)
        initial = {"initial": empty(x.dtype)} if 0 in x.shape else {}
        return getattr(xp, function)(x, axis=axes, keepdims=keep, **initial)
    return kernel


def _logical(function):
    """All or any. XLA reduces bytes many at a time, but bits one by one."""
    extreme = {"all": "min", "any": "max"}[function]

    def kernel(xp, x, axes, keep):
        if xp is np or 0 in x.shape:
            return getattr(xp, function)(x, axis=axes, keepdims=keep)
        return getattr(xp, extreme)(x.astype(np.int8), axis=axes, keepdims=keep) != 0
    return kernel


def _euclidean_norm(xp, x, axes, keep):
    return xp.sqrt(_sum(xp, xp.real(x * xp.conj(x)), axes, keep))


# ---- gradients of reductions

def kept(op, tensor):
    """A tensor of the reduction's output shape with the reduced axes restored as size 1, so that it broadcasts.

    A full reduction needs no reshape: scalars broadcast with everything.
    """
    tensor = dense_of(tensor)
    if op.attrs["keep_dims"] or tensor._shape == ():
        return tensor
    return lookup("Reshape")(tensor, _kept_shape(op))


def _kept_shape(op):
    source, indices = op.inputs[0], static_value(op.inputs[1])
    sizes = source._shape
    if indices is None or sizes is None:
        return _kept_shape_at_run_time(op)
    axes = axes_of(indices, len(sizes))
    result = [1 if axis in axes else length for axis, length in enumerate(sizes)]
    if result.count(None) <= 1:
        return np.array([-1 if length is None else length for length in result], np.int32)
    return select([axis in axes for axis in range(len(sizes))], np.ones(len(sizes), np.int32), shape(source))


def _kept_shape_at_run_time(op):
    sizes = shape(op.inputs[0])
    return select(_is_axis(op, rank(op.inputs[0])), ones_like(sizes), sizes)


def _is_axis(op, count):
    """For each of the input's `count` axes, whether it is reduced."""
    indices = floor_mod(cast(op.inputs[1], "int32"), count)
    rows = lookup("Reshape")(range_(0, count, 1), [-1, 1])
    return any_(equal(rows, lookup("Reshape")(indices, [1, -1])), [1])


def _spread(op, dy):
    """`dy` broadcast over the reduced axes."""
    sizes, dy = op.inputs[0]._shape, dense_of(dy)
    known = sizes is not None and None not in sizes
    if sizes and dy._shape == ():  # of all axes, with TensorFlow's nodes
        dy = lookup("Reshape")(dy, np.ones(len(sizes), np.int32))
        return lookup("Tile")(dy, np.array(sizes, np.int32) if known else shape(op.inputs[0]))
    return broadcast_to(kept(op, dy), np.array(sizes, np.int32) if known else shape(op.inputs[0]))


def _sum_grad(op, dy):
    return _spread(op, dy), None


def _mean_grad(op, dy):
    return _spread(op, real_div(dy, _mean_count(op, dy.dtype.base_dtype))), None


def _mean_count(op, kind):
    """The number of elements per mean."""
    source, result = op.inputs[0], op.outputs[0]
    indices = static_value(op.inputs[1])
    if source._shape is not None and indices is not None:
        count = shaping.product([source._shape[axis] for axis in axes_of(indices, len(source._shape))])
        if count is not None:
            return np.array(max(count, 1), kind.np)  # of nothing, the gradient of the gradient is 0
    if result._shape == ():
        return cast(maximum(size(source), 1), kind)
    return cast(maximum(floor_div(size(source), maximum(size(result), 1)), 1), kind)


def _prod_grad(op, dy):
    """`dy` times the product of the others: of those before a number and those after it, so that nothing is divided."""
    reshape, transpose = lookup("Reshape"), lookup("Transpose")
    source = conj_if_complex(op.inputs[0])
    order, way_back, rows = _reduced_first(op)
    front = transpose(source, order)
    flat = reshape(front, rows)
    others = mul(cumprod(flat, 0, exclusive=True), cumprod(flat, 0, exclusive=True, reverse=True))
    return mul(kept(op, dy), transpose(reshape(others, shape(front)), way_back)), None


def _reduced_first(op):
    """How to put the reduced axes first, how to undo that, and the shape with those and the others taken together."""
    source, indices = op.inputs[0], static_value(op.inputs[1])
    if indices is None or source._shape is None:
        return _reduced_first_at_run_time(op)
    axes = axes_of(indices, len(source._shape))
    others = [axis for axis in range(len(source._shape)) if axis not in axes]
    order = np.array([*axes, *others], np.int32)
    sizes = [shaping.product([source._shape[axis] for axis in part]) for part in (axes, others)]
    if None in sizes:
        rows = _taken_together(shape(source), [axis in axes for axis in range(len(order))])
    else:
        rows = np.array(sizes, np.int32)
    return order, np.argsort(order).astype(np.int32), rows


def _reduced_first_at_run_time(op):
    sizes, count = shape(op.inputs[0]), rank(op.inputs[0])
    is_axis = _is_axis(op, count)
    order = lookup("TopKV2")(cast(is_axis, "int32"), count)[1]
    return order, lookup("InvertPermutation")(order), _taken_together(sizes, is_axis)


def _taken_together(sizes, is_axis):
    """How many numbers lie along the reduced axes and along the others."""
    ones = ones_like(sizes)
    return lookup("Pack")([prod(select(is_axis, sizes, ones), [0]), prod(select(is_axis, ones, sizes), [0])])


def _extreme_grad(op, dy):
    """The gradient of max and min reductions: elements that tie share it."""
    source = op.inputs[0]
    chosen = cast(equal(kept(op, op.outputs[0]), source), dy.dtype.base_dtype)
    count = sum_(chosen, op.inputs[1], keep_dims=True)
    return mul(real_div(chosen, count), kept(op, dy)), None


def _euclidean_norm_grad(op, dy):
    return real_div(op.inputs[0], real_div(kept(op, op.outputs[0]), kept(op, dy))), None


sum_ = reduction("Sum", "number", _sum, "The sum along axes.", _sum_grad, adds_up=True, fusion=multi_hot_of)
mean = reduction("Mean", "number", _mean, "The mean along axes; of integers, rounded towards zero.", _mean_grad)
prod = reduction("Prod", "number", _prod, "The product along axes.", _prod_grad)
max_ = reduction("Max", "number", _extreme("max", lowest), "The maximum along axes.", _extreme_grad)
min_ = reduction("Min", "number", _extreme("min", highest), "The minimum along axes.", _extreme_grad)
euclidean_norm = reduction("EuclideanNorm", "number", _euclidean_norm, "The Euclidean norm along axes.",
                           _euclidean_norm_grad, keeps_one=False)
all_ = reduction("All", None, _logical("all"), "Logical AND along axes.")
any_ = reduction("Any", None, _logical("any"), "Logical OR along axes.")


# ---- argmax and argmin

def _one_axis(dimension, rank, called="dim", what="dimension"):
    if dimension.ndim:
        raise errors.InvalidArgumentError(None, None, f"{called} must be a scalar, the axis; its shape is "
                                                      f"{list(dimension.shape)}")
    axis = int(dimension)
    if not -rank <= axis < rank:
        raise errors.InvalidArgumentError(None, None, f"Expected {what} in the range [{-rank}, {rank}), got {axis}")
    return axis % rank


def _position(name, function, seen, doc, public):
    """Declares a position; TensorFlow passes NaN over, and `seen` puts a number there that beats no other."""
    def run(xp, input, dimension):
        axis = _one_axis(dimension, input.ndim)
        _require_some(input, axis)
        if native_reduce.takes(input, [axis]):
            return native_reduce.positions(input, axis, of_minima=function == "argmin")
        return getattr(xp, function)(seen(xp, input), axis=axis)
    run.__doc__ = doc

    def bound(node, known):
        dimension = known(1)
        if dimension is None:
            return None
        axes, find = Computed(lambda rank: _one_axis(dimension, rank)), None
        if node.inputs[0].dtype.base_dtype.np == np.float32 and not dimension.ndim:
            find = native_reduce.positions_now(int(dimension), of_minima=function == "argmin")

        def positions(input, _):
            axis = axes[input.ndim]
            _require_some(input, axis)
            return getattr(seen(np, input), function)(axis) if find is None else find(input)
        return positions

    found = op(f"{name}(input: T, dimension: Tidx, *, T: number, Tidx: index = int32, output_type: index = int64) "
               f"-> output: output_type", static=("dimension",), shape=_without_axis,
               grad=lambda op, dy: (None, None), memory=Memory.STORED, export=(public,),
               in_batches=with_axes(behind))(run)
    found.bind(bound)
    return found


def _require_some(input, axis):
    if input.shape[axis] == 0:
        raise errors.InvalidArgumentError(None, None, f"Reduction axis {axis} is empty in shape {list(input.shape)}")


def _without_axis(input, dimension, value_of):
    shaping.require_rank(dimension, 0)
    axis = value_of("dimension")
    if input is None:
        return None
    if not input:
        return ()
    if axis is None:
        return (None,) * (len(input) - 1)
    axis = shaping.normal_axis(int(axis), len(input))
    return input[:axis] + input[axis + 1:]


arg_max = _position("ArgMax", "argmax", floored, "The index of the first maximum along an axis.", "arg_max")
arg_min = _position("ArgMin", "argmin", capped, "The index of the first minimum along an axis.", "arg_min")


# ---- cumulative reductions

def _running(name, domain, kernel, doc, grad, fill):
    """Declares a cumulative op: `kernel(xp, x, axis)` accumulates, `fill(dtype)` is the identity element."""
    def slow(xp, x, axis, exclusive, reverse):
        if reverse:
            x = xp.flip(x, axis)
        if exclusive:
            start = np.full((*x.shape[:axis], min(1, x.shape[axis]), *x.shape[axis + 1:]), fill(x.dtype), x.dtype)
            x = xp.concatenate([start, x[(slice(None),) * axis + (slice(None, -1),)]], axis=axis)
        result = kernel(xp, x, axis)
        return xp.flip(result, axis) if reverse else result

    def run(xp, x, axis, exclusive, reverse):
        axis = _one_axis(axis, x.ndim, "axis", "scan axis")
        if kernel in (_sums_so_far, _products_so_far) and native_reduce.takes(x, [axis]):
            return native_reduce.running(x, axis, kernel is _products_so_far, exclusive, reverse, slow)
        return slow(xp, x, axis, exclusive, reverse)
    run.__doc__ = doc
    return op(f"{name}(x: T, axis: Tidx, *, exclusive: bool = False, reverse: bool = False, T: {domain}, "
              f"Tidx: index = int32) -> out: T", static=("axis",), shape=unchanged, grad=grad,
              memory=Memory.STORED)(run)


def _backwards(op):
    """The attrs of the cumulative op in the opposite direction."""
    return {"exclusive": op.attrs["exclusive"], "reverse": not op.attrs["reverse"]}


def _cumsum_grad(op, dy):
    return cumsum(dy, op.inputs[1], **_backwards(op)), None


def _cumprod_grad(op, dy):
    """0 for an element that is 0, as in TensorFlow, although the slope there need not be."""
    source, axis = op.inputs
    totals = cumsum(mul(op.outputs[0], dy), axis, **_backwards(op))
    nothing = equal(source, zeros_like(source))  # DivNoNan does not take bfloat16
    return select(nothing, zeros_like(totals), real_div(totals, select(nothing, ones_like(source), source))), None


def _log_sum_exp(xp, x, axis):
    if xp is np:
        return np.logaddexp.accumulate(x, axis=axis)
    step, length = 1, x.shape[axis]
    while step < length:  # after k doublings each element covers the 2^k elements up to it
        before = x[(slice(None),) * axis + (slice(None, length - step),)]
        start = np.full((*x.shape[:axis], step, *x.shape[axis + 1:]), -np.inf, x.dtype)
        x = xp.logaddexp(x, xp.concatenate([start, before], axis=axis))
        step *= 2
    return x


def _cumulative_logsumexp_grad(op, dy):
    """Works with logarithms of the gradient, its positive and negative parts separately."""
    source, axis = op.inputs
    nothing = zeros_like(dy)
    bottom = add_v2(nothing, float(np.finfo(dy.dtype.base_dtype.np).min))
    parts = []
    for belongs, part in ((greater(dy, nothing), dy), (less(dy, nothing), neg(dy))):
        logs = select(belongs, log(part), bottom)
        totals = cumulative_logsumexp(sub(logs, op.outputs[0]), axis, **_backwards(op))
        parts.append(exp(add_v2(totals, source)))
    return sub(*parts), None


def _sums_so_far(xp, x, axis):
    return xp.cumsum(x, axis=axis, dtype=x.dtype)


def _products_so_far(xp, x, axis):
    return xp.cumprod(x, axis=axis, dtype=x.dtype)


cumsum = _running("Cumsum", "number", _sums_so_far,
                  "The cumulative sum along an axis.", _cumsum_grad, lambda dtype: 0)
cumprod = _running("Cumprod", "number", _products_so_far,
                   "The cumulative product along an axis.", _cumprod_grad, lambda dtype: 1)
cumulative_logsumexp = _running("CumulativeLogsumexp", "{half, float, double}", _log_sum_exp,
                                "The cumulative log-sum-exp along an axis.",
                                _cumulative_logsumexp_grad, lowest)


# ---- counting

_counted = "T: {int32, int64, float, double}"


@op(f"Bincount(arr: int32, size: int32, weights: T, *, {_counted}) -> bins: T", static=("size",))
def bincount(xp, arr, size, weights, T, check):
    """Counts the occurrences of each of 0 ... size - 1 in `arr`, or sums their weights."""
    count = int(size)
    if count < 0:
        raise errors.InvalidArgumentError(None, None, f"size ({count}) must be non-negative")
    check((arr >= 0).all(), "Input arr must be non-negative!")
    values = xp.ravel(arr)
    amounts = xp.ravel(weights) if weights.size else np.ones(arr.shape, T).ravel()
    if xp is not np:
        return xp.zeros(count, T).at[values].add(amounts, mode="drop")
    bins = np.zeros(count, T)
    inside = values < count
    np.add.at(bins, values[inside], amounts[inside])
    return bins


@bincount.shape
def _(size, value_of):
    shaping.require_rank(size, 0)
    count = value_of("size")
    if count is not None and count < 0:
        raise ValueError(f"size ({int(count)}) must be non-negative")
    return (None if count is None else int(count),)


@op(f"Bucketize(input: T, *, {_counted}, boundaries: list(float)) -> output: int32", shape=same_as("input"),
    by_row=True, in_batches=along_first)
def bucketize(xp, input, boundaries):
    """The bucket of each number: the number of boundaries that are at most the number."""
    if any(a > b for a, b in zip(boundaries, boundaries[1:])):
        raise errors.InvalidArgumentError(None, None, "Expected sorted boundaries")
    limits = np.array(boundaries, np.float32)
    if np.dtype(input.dtype) != np.float32:
        limits = limits.astype(np.float64)  # exact for int32 and float32
    return xp.searchsorted(limits, input, side="right")


@op(f"HistogramFixedWidth(values: T, value_range: T, nbins: int32, *, {_counted}, dtype: index = int32) -> out: dtype",
    static=("nbins",))
def histogram_fixed_width(xp, values, value_range, nbins, dtype, check):
    """The histogram of values in `nbins` equal-width bins of a range; values outside count in the first or last bin."""
    count = int(nbins)
    if count <= 0:
        raise errors.InvalidArgumentError(None, None, f"nbins is 1 or more, not {count}")
    if value_range.shape != (2,):
        raise errors.InvalidArgumentError(None, None, f"value_range should be a vector (lower, upper); its shape is "
                                                      f"{list(value_range.shape)}")
    low, high = value_range[0], value_range[1]
    check(low < high, "value_range ends before it begins")
    width = (high.astype(np.float64) - low.astype(np.float64)) / count
    check(values == values, "values must be numbers, but some are NaN")
    above = (xp.maximum(xp.ravel(values), low) - low).astype(np.float64)
    bins = xp.minimum(above / width, count - 1).astype(np.int32)
    if xp is np:
        return np.bincount(bins, minlength=count)
    return xp.zeros(count, dtype).at[bins].add(1)


@histogram_fixed_width.shape
def _(value_range, nbins, value_of):
    shaping.require_equal(2, shaping.with_rank(value_range, 1)[0], "Dimension must be 2")
    shaping.require_rank(nbins, 0)
    count = value_of("nbins")
    if count is not None and count <= 0:
        raise ValueError(f"Requires nbins > 0, but got {int(count)}")
    return (None if count is None else int(count),)


# ---- cross product

@op("Cross(a: T, b: T, *, T: real) -> product: T", export=("cross", "linalg.cross"))
def cross(xp, a, b):
    """The cross product of 3-vectors in the last axis."""
    if a.shape != b.shape:
        raise errors.InvalidArgumentError(None, None, f"Both inputs must be of same shape: {list(a.shape)} vs. "
                                                      f"{list(b.shape)}")
    if a.shape[-1:] != (3,):
        raise errors.FailedPreconditionError(None, None, f"Cross products are defined for vectors of 3, not for "
                                                         f"{list(a.shape)}")
    return computed_once(xp.cross(a, b))  # XLA picks components one by one in the loops that it fuses this into


@cross.shape
def _(a, b):
    both = shaping.merge(a, b)
    shaping.at_least_rank(both, 1)
    if both is not None:
        shaping.require_equal(both[-1], 3, "The last dimension must be 3")
    return both


@cross.grad
def _(op, dy):
    a, b = op.inputs
    return cross(b, dy), cross(dy, a)
