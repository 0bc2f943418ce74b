# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.math."""

from evergraph import Tensor, div_no_nan, floormod as _floormod
from evergraph.raw_ops import _TopKV2
from typing import Any

from evergraph import abs as abs
from evergraph import accumulate_n as accumulate_n
from evergraph import acos as acos
from evergraph import acosh as acosh
from evergraph import add as add
from evergraph import add_n as add_n
from evergraph import angle as angle
from evergraph import argmax as argmax
from evergraph import argmin as argmin
from evergraph import asin as asin
from evergraph import asinh as asinh
from evergraph import atan as atan
from evergraph import atan2 as atan2
from evergraph import atanh as atanh

def bessel_i0(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0."""

def bessel_i0e(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0, scaled by exp(-|x|)."""

def bessel_i1(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1."""

def bessel_i1e(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1, scaled by exp(-|x|)."""

from evergraph import betainc as betainc
from evergraph import bincount as bincount
from evergraph import ceil as ceil
from evergraph import confusion_matrix as confusion_matrix
from evergraph import conj as conj
from evergraph import cos as cos
from evergraph import cosh as cosh
from evergraph import count_nonzero as count_nonzero
from evergraph import cumprod as cumprod
from evergraph import cumsum as cumsum

def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: Any = False, reverse: Any = False, name: str | None = None,
) -> Any:
    """Computes the cumulative log(sum(exp(x))) along an axis, without overflow."""

from evergraph import digamma as digamma
from evergraph import divide as divide
divide_no_nan = div_no_nan
from evergraph import equal as equal
from evergraph import erf as erf
from evergraph import erfc as erfc
from evergraph import exp as exp
from evergraph import expm1 as expm1
from evergraph import floor as floor
from evergraph import floordiv as floordiv
from evergraph import floormod as floormod
from evergraph import greater as greater
from evergraph import greater_equal as greater_equal
from evergraph import igamma as igamma
from evergraph import igammac as igammac
from evergraph import imag as imag

def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """Tells for each row whether the score of its target class is among the `k` largest; ties count as
    in."""

from evergraph import invert_permutation as invert_permutation
from evergraph import is_finite as is_finite
from evergraph import is_inf as is_inf
from evergraph import is_nan as is_nan
from evergraph import is_non_decreasing as is_non_decreasing
from evergraph import is_strictly_increasing as is_strictly_increasing
from evergraph.linalg import l2_normalize as l2_normalize
from evergraph import lbeta as lbeta
from evergraph import less as less
from evergraph import less_equal as less_equal
from evergraph import lgamma as lgamma
from evergraph import log as log
from evergraph import log1p as log1p
from evergraph import log_sigmoid as log_sigmoid

def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """Computes log(softmax(x)) = x - log(sum(exp(x))) along `axis`, without underflow."""

from evergraph import logical_and as logical_and
from evergraph import logical_not as logical_not
from evergraph import logical_or as logical_or
from evergraph import logical_xor as logical_xor
from evergraph import maximum as maximum
from evergraph import minimum as minimum
mod = _floormod
from evergraph import multiply as multiply

def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The product, 0 where `y` is 0 even if `x` is infinite or NaN."""

from evergraph import negative as negative

def nextafter(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The next representable number after `x1` in the direction of `x2`."""

from evergraph import not_equal as not_equal
from evergraph import polygamma as polygamma

def polyval(coeffs: Any, x: Any, name: str | None = None) -> Any:
    """The polynomial with these coefficients, the highest power first, at each element of `x`."""

from evergraph import pow as pow
from evergraph import real as real
from evergraph import reciprocal as reciprocal

def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """One over the number, 0 where it is 0."""

from evergraph import reduce_all as reduce_all
from evergraph import reduce_any as reduce_any

def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None,
) -> Tensor:
    """Computes the L2 norm sqrt(sum(x**2)) along axes."""

from evergraph import reduce_logsumexp as reduce_logsumexp
from evergraph import reduce_max as reduce_max
from evergraph import reduce_mean as reduce_mean
from evergraph import reduce_min as reduce_min
from evergraph import reduce_prod as reduce_prod

def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None,
) -> Tensor:
    """Computes the (biased) standard deviation, the root of `tf.math.reduce_variance`, along axes."""

from evergraph import reduce_sum as reduce_sum

def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None,
) -> Tensor:
    """Computes the (biased) variance mean((x - mean(x))**2) along axes."""

from evergraph import rint as rint
from evergraph import round as round
from evergraph import rsqrt as rsqrt
from evergraph import scalar_mul as scalar_mul
from evergraph import segment_max as segment_max
from evergraph import segment_mean as segment_mean
from evergraph import segment_min as segment_min
from evergraph import segment_prod as segment_prod
from evergraph import segment_sum as segment_sum
from evergraph import sigmoid as sigmoid
from evergraph import sign as sign
from evergraph import sin as sin
from evergraph import sinh as sinh

def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """Computes softmax(x)_i = exp(x_i) / sum_j exp(x_j) along `axis`: logits become probabilities."""

def softplus(features: Any, name: str | None = None) -> Tensor:
    """The softplus function log(1 + exp(features))."""

def softsign(features: Any, name: str | None = None) -> Tensor:
    """The softsign function features / (1 + |features|)."""

from evergraph import sqrt as sqrt
from evergraph import square as square
from evergraph import squared_difference as squared_difference
from evergraph import subtract as subtract
from evergraph import tan as tan
from evergraph import tanh as tanh

def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> _TopKV2:
    """Returns the `k` largest elements of each row, in descending order, and their indices: (values,
    indices)."""

from evergraph import truediv as truediv
from evergraph import unsorted_segment_max as unsorted_segment_max
from evergraph import unsorted_segment_mean as unsorted_segment_mean
from evergraph import unsorted_segment_min as unsorted_segment_min
from evergraph import unsorted_segment_prod as unsorted_segment_prod
from evergraph import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from evergraph import unsorted_segment_sum as unsorted_segment_sum

def xdivy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, or 0 where `x` is 0."""

def xlogy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x * log(y), or 0 where `x` is 0."""

def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """Computes the fraction of elements that are zero, as float32: the sparsity of activations."""

from evergraph import zeta as zeta
