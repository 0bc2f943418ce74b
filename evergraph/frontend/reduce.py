"""Reductions, positions of extrema, running totals and counts, as `tf.*` offers them."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import cast
from evergraph.frontend.math import range as range_of
from evergraph.graph.convert import constant, sizes_to_tensor, to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overloadable
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.reshape import reshape, unpack
from evergraph.ops.math import elementwise, reduce


def either(name, value, old_name, old_value):
    """An argument that also goes by an older name.

    Raises:
        ValueError: both are given.
    """
    if old_value is None:
        return value
    if value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{name}'.")
    return old_value


def axes_to_reduce(x, axis):
    """`axis`, or all axes of `x` when it is None."""
    if axis is not None:
        return axis
    if isinstance(x, Tensor) and x._shape is not None:
        return constant(np.arange(len(x._shape), dtype=np.int32))
    return range_of(0, _rank(x))


def _rank(x):
    with name_scope(None, "Rank", [x]) as scope:
        x = to_tensor(x)
        return basic.rank(x, name=scope) if x._shape is None else constant(len(x._shape), dtypes.int32, name=scope)


def _reduced(opdef, x, axis, keepdims, name):
    result = opdef(x, axes_to_reduce(x, axis), keep_dims=bool(keepdims), name=name)
    if axis is None and not keepdims and result._shape is None:
        result._shape = ()
    return result


def _reduction(opdef, public, what):
    """The public function of a reduction."""
    def function(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
        axis = either("axis", axis, "reduction_indices", reduction_indices)
        return _reduced(opdef, input_tensor, axis, either("keepdims", keepdims, "keep_dims", keep_dims), name)
    function.__name__ = function.__qualname__ = public
    function.__doc__ = f"""{what}

    Args:
        input_tensor: the tensor.
        axis: the axis or list of axes to reduce, which may count from the end; None reduces all to a scalar.
        keepdims: whether the reduced axes stay in the shape, with size 1.
        name: a name for the operation.
        reduction_indices: the older name of `axis`.
        keep_dims: the older name of `keepdims`.
    """
    return export(public, f"math.{public}")(overloadable(function))


reduce_sum = _reduction(reduce.sum_, "reduce_sum", "Sums the elements of a tensor along axes.")
reduce_mean = _reduction(reduce.mean, "reduce_mean",
                         "Averages the elements of a tensor along axes; means of integers are truncated to integers.")
reduce_prod = _reduction(reduce.prod, "reduce_prod", "Multiplies the elements of a tensor along axes.")
reduce_max = _reduction(reduce.max_, "reduce_max", "Computes the maximum of a tensor along axes.")
reduce_min = _reduction(reduce.min_, "reduce_min", "Computes the minimum of a tensor along axes.")
reduce_all = _reduction(reduce.all_, "reduce_all", "Computes the logical AND of a boolean tensor along axes.")
reduce_any = _reduction(reduce.any_, "reduce_any", "Computes the logical OR of a boolean tensor along axes.")


@export("math.reduce_euclidean_norm")
def reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
    """Computes the L2 norm sqrt(sum(x**2)) along axes."""
    return _reduced(reduce.euclidean_norm, input_tensor, axis, keepdims, name)


@export("reduce_logsumexp", "math.reduce_logsumexp")
def reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """Computes log(sum(exp(x))) along axes in a numerically stable way, as max(x) + log(sum(exp(x - max(x)))).

    Args:
        input_tensor: the tensor.
        axis: the axis or list of axes to reduce, which may count from the end; None reduces all to a scalar.
        keepdims: whether the reduced axes stay in the shape, with size 1.
        name: a name for the operation.
        reduction_indices: the older name of `axis`.
        keep_dims: the older name of `keepdims`.

    >>> print(tf.Session().run(tf.reduce_logsumexp([1000.0, 1000.0])))
    1000.6931
    """
    axis = either("axis", axis, "reduction_indices", reduction_indices)
    keepdims = either("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "ReduceLogSumExp", [input_tensor]) as scope:
        x = to_tensor(input_tensor, name="input_tensor")
        peak = _reduced(reduce.max_, x, axis, True, None)
        finite = elementwise.select(elementwise.is_finite(peak), peak, basic.zeros_like(peak))
        finite = basic.stop_gradient(finite)
        total = _reduced(reduce.sum_, elementwise.exp(elementwise.sub(x, finite)), axis, keepdims, None)
        result = elementwise.log(total)
        if not keepdims:
            finite = reshape(finite, basic.shape(result))
        return elementwise.add_v2(result, finite, name=scope)


@export("math.reduce_variance")
def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """Computes the (biased) variance mean((x - mean(x))**2) along axes.

    Raises:
        TypeError: the elements are integers.
    """
    with name_scope(name or "reduce_variance", values=[input_tensor]):
        x = to_tensor(input_tensor)
        mean = _reduced(reduce.mean, x, axis, True, None)
        if mean.dtype.is_integer:
            raise TypeError("Input must be either real or complex")
        deviation = elementwise.sub(x, mean, name="sub")
        if deviation.dtype.is_complex:
            squared = elementwise.real(elementwise.mul(elementwise.conj(deviation), deviation),
                                       Tout=deviation.dtype.real_dtype)
        else:
            squared = elementwise.square(deviation)
        return _reduced(reduce.mean, squared, axis, keepdims, None)


@export("math.reduce_std")
def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """Computes the (biased) standard deviation, the root of `tf.math.reduce_variance`, along axes."""
    with name_scope(name or "reduce_std", values=[input_tensor]):
        return elementwise.sqrt(reduce_variance(input_tensor, axis, keepdims))


@export("count_nonzero", "math.count_nonzero")
def count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=dtypes.int64, name=None, reduction_indices=None,
                  keep_dims=None, input=None):
    """How many elements along axes are not zero (not empty, for strings).

    Args:
        input_tensor: numbers, booleans or strings.
        axis: an axis, a list of axes, or None for all.
        keepdims: whether reduced axes stay, with size 1.
        dtype: the dtype of the counts.
        name: a name for the operation.
        reduction_indices: the older name of `axis`.
        keep_dims: the older name of `keepdims`.
        input: another name of `input_tensor`.
    """
    x = either("input", input, "input_tensor", input_tensor)
    axis = either("axis", axis, "reduction_indices", reduction_indices)
    keepdims = either("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "count_nonzero", [x]):
        x = to_tensor(x, name="input")
        kind = x.dtype.base_dtype
        nothing = constant(b"" if kind is dtypes.string else False if kind.is_bool else 0, kind, name="zeros")
        flags = basic.cast(elementwise.not_equal(x, nothing), dtypes.int64)
        return cast(_reduced(reduce.sum_, flags, axis, keepdims, None), dtype)


# ---- positions

def _position(opdef, public, what):
    def function(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
        axis = either("axis", axis, "dimension", dimension)
        return opdef(input, 0 if axis is None else axis, output_type=output_type, name=name)
    function.__name__ = function.__qualname__ = public
    function.__doc__ = f"""{what}

    Args:
        input: numbers.
        axis: the axis to look along, 0 by default.
        name: a name for the operation.
        dimension: the older name of `axis`.
        output_type: tf.int64 or tf.int32.
    """
    return export(public, f"math.{public}")(function)


argmax = _position(reduce.arg_max, "argmax", "Returns the index of the maximum along an axis, the first of equal ones.")
argmin = _position(reduce.arg_min, "argmin", "Returns the index of the minimum along an axis, the first of equal ones.")


# ---- running totals

def _running(opdef, public, what, *names):
    def function(x, axis=0, exclusive=False, reverse=False, name=None):
        return opdef(x, axis, exclusive=exclusive, reverse=reverse, name=name)
    function.__name__ = function.__qualname__ = public
    function.__doc__ = f"""{what}

    Args:
        x: numbers.
        axis: the axis to go along.
        exclusive: whether an element's own value is left out of its total.
        reverse: whether to go from the end.
        name: a name for the operation.
    """
    return export(*names)(function)


cumsum = _running(reduce.cumsum, "cumsum", "Computes the cumulative sum along an axis: [a, a + b, a + b + c].",
                  "cumsum", "math.cumsum")
cumprod = _running(reduce.cumprod, "cumprod", "Computes the cumulative product along an axis: [a, a * b, a * b * c].",
                   "cumprod", "math.cumprod")
cumulative_logsumexp = _running(reduce.cumulative_logsumexp, "cumulative_logsumexp",
                                "Computes the cumulative log(sum(exp(x))) along an axis, without overflow.",
                                "math.cumulative_logsumexp")


# ---- counting

@export("bincount", "math.bincount")
def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32):
    """How often each integer from 0 to the largest occurs in `arr`, or the sum of the weights where it does.

    Args:
        arr: int32, not negative.
        weights: numbers in the shape of `arr`.
        minlength: the result is padded to at least this length.
        maxlength: larger integers are not counted.
        dtype: the dtype of the counts, when there are no weights.
    """
    with name_scope("bincount"):
        arr = to_tensor(arr, dtypes.int32, name="arr")
        some = elementwise.greater(basic.size(arr), 0)
        largest = reduce.max_(arr, axes_to_reduce(arr, None))
        length = elementwise.mul(basic.cast(some, dtypes.int32), elementwise.add_v2(largest, 1, name="add"), name="mul")
        if minlength is not None:
            length = elementwise.maximum(sizes_to_tensor(minlength, "minlength"), length)
        if maxlength is not None:
            length = elementwise.minimum(sizes_to_tensor(maxlength, "maxlength"), length)
        amounts = constant([], dtype) if weights is None else to_tensor(weights, name="weights")
        return reduce.bincount(arr, length, amounts)


@export("histogram_fixed_width")
def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """How many values fall into each of `nbins` equal parts of a range; those outside count in the first or last.

    Args:
        values: numbers.
        value_range: the two ends of the range.
        nbins: how many parts.
        dtype: the dtype of the counts.
        name: a name for the operation.
    """
    with name_scope(name, "histogram_fixed_width", [values, value_range, nbins]) as scope:
        return reduce.histogram_fixed_width(values, value_range, nbins, dtype=dtype, name=scope)


@export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """Which of `nbins` equal parts of a range each value falls into; values outside belong to the first or last.

    Args:
        values: numbers.
        value_range: the two ends of the range.
        nbins: how many parts.
        dtype: int32 or int64; as in TensorFlow the result is int32 with either.
        name: a name for the operation.
    """
    with name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = to_tensor(values, name="values")
        kind = values.dtype.base_dtype
        low, high = unpack(to_tensor(value_range, kind, name="value_range"), num=2)
        count = sizes_to_tensor(nbins, "nbins")
        part = elementwise.real_div(elementwise.sub(values, low), elementwise.sub(high, low))
        place = elementwise.floor(elementwise.mul(basic.cast(count, kind), part))
        last = basic.cast(elementwise.sub(count, 1), kind)
        return cast(elementwise.maximum(elementwise.minimum(place, last), basic.zeros_like(place)), dtypes.int32)
