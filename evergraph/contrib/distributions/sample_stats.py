"""Statistics of samples: percentiles and autocorrelation."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.distributions.numerics import move_dimension
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_greater_equal, assert_less_equal, assert_rank
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import gather
from evergraph.frontend.math import cast, conj, real
from evergraph.frontend.math import complex as complex_of
from evergraph.frontend.math import range as numbers
from evergraph.frontend.math import round as rounded
from evergraph.frontend.ordering import sort
from evergraph.frontend.reduce import reduce_mean
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import ceil, floor, minimum
from evergraph.ops.math.fft import INVERSE_TRANSFORMS, TRANSFORMS


@export("contrib.distributions.percentile")
def percentile(x: Any, q: Any, axis: Any = None, interpolation: str | None = None, keep_dims: bool = False,
               validate_args: bool = False, name: str | None = None) -> Any:
    """The q-th percentile of x, one of its elements.

    Args:
        x: a tensor of numbers.
        q: a number from 0 to 100.
        axis: the axes of the samples, an integer or several; all by default.
        interpolation: which of the two elements around the percentile: "lower", "higher" or "nearest", the default.
        keep_dims: whether the axes are kept, with the size 1.
        validate_args: whether steps check q.
        name: a name for the operations.

    Raises:
        ValueError: there is no such interpolation, or q is no scalar.
    """
    interpolation = interpolation or "nearest"
    if interpolation not in ("lower", "higher", "nearest"):
        raise ValueError(f"interpolation must be lower, higher or nearest, not {interpolation!r}")
    with name_scope(name, "percentile", [x, q]):
        x, q = convert_to_tensor(x, name="x"), convert_to_tensor(q, preferred_dtype=dtypes.float64, name="q")
        if q.shape.ndims not in (None, 0):
            raise ValueError(f"Expected q to have 0 ndims, it has the shape {q.shape}")
        q = cast(q, dtypes.float64)
        if validate_args:
            q = with_dependencies([assert_rank(q, 0), assert_greater_equal(q, array.zeros_like(q)),
                                   assert_less_equal(q, 100.0 * array.ones_like(q))], q)
        if x.shape.ndims is None and axis is not None:
            raise ValueError("the axes of a percentile can be chosen of tensors whose rank is known")
        samples, axes = _samples_last(x, axis)
        count = array.shape(samples)[-1]
        place = cast(count - 1, dtypes.float64) * q / 100.0
        place = {"lower": floor, "higher": ceil, "nearest": rounded}[interpolation](place)
        place = minimum(cast(place, dtypes.int32), count - 1)
        found = gather(sort(samples), place, axis=-1)
        if not keep_dims:
            return found
        for each in axes:
            found = array.expand_dims(found, each)
        return found


def _samples_last(x: Any, axis: Any) -> tuple[Any, list[int]]:
    """(x with the given axes together as the last one, these axes in order)"""
    rank = x.shape.ndims
    if axis is None:
        return array.reshape(x, [-1]), list(range(rank or 0))
    axes = sorted(each % rank for each in np.atleast_1d(np.asarray(axis)).tolist())
    others = [each for each in range(rank) if each not in axes]
    moved = array.transpose(x, others + axes)
    sizes = array.shape(moved)
    flat = array.reshape(moved, array.concat([sizes[:len(others)], [-1]], 0))
    static = x.shape.as_list()
    inner = [static[each] for each in axes]
    flat.set_shape([static[each] for each in others] + [None if None in inner else int(np.prod(inner))])
    return flat, axes


@export("contrib.distributions.auto_correlation")
def auto_correlation(x: Any, axis: Any = -1, max_lags: Any = None, center: bool = True, normalize: bool = True,
                     name: str = "auto_correlation") -> Any:
    """The autocorrelation of sequences: the mean of x[t] conj(x[t + lag]) for lags 0, 1, ..., max_lags.

    Args:
        x: floating-point or complex numbers.
        axis: the axis of time.
        max_lags: the largest lag; all by default.
        center: whether the mean is taken away first.
        normalize: whether all is divided by the value at lag 0.
        name: a name for the operations.
    """
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        last = move_dimension(x, axis, -1)
        if center:
            last -= reduce_mean(last, -1, keepdims=True)
        length = last.shape.as_list()[-1] if last.shape.ndims is not None else None
        steps = array.shape(last)[-1] if length is None else length
        # Twice the length, so that the ends do not meet.
        padded = array.concat([last, array.zeros_like(last)], -1)
        is_complex = padded.dtype.is_complex
        spectrum = TRANSFORMS[1](padded if is_complex else complex_of(padded, array.zeros_like(padded)))
        products = conj(INVERSE_TRANSFORMS[1](spectrum * conj(spectrum)))
        products = products if is_complex else real(products)
        largest = steps - 1 if max_lags is None else _least(max_lags, steps - 1)
        products = products[..., :largest + 1]
        counted = cast(steps - numbers(largest + 1), x.dtype.real_dtype)
        products = products / cast(counted, products.dtype)
        if normalize:
            products = products / products[..., :1]
        if length is not None:
            static = last.shape.as_list()
            known = array.get_static_value(convert_to_tensor(largest))
            products.set_shape(static[:-1] + [None if known is None else int(known) + 1])
        return move_dimension(products, -1, axis)


def _least(a: Any, b: Any) -> Any:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else minimum(a, b)
