# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.math."""

from evergraph import div_no_nan, floormod as _floormod
from typing import Any

from evergraph import abs as abs
from evergraph import accumulate_n as accumulate_n
from evergraph import acos as acos
from evergraph import acosh as acosh
from evergraph import add as add
from evergraph import add_n as add_n
from evergraph import angle as angle
from evergraph.compat.v2 import argmax as argmax
from evergraph.compat.v2 import argmin as argmin
from evergraph import asin as asin
from evergraph import asinh as asinh
from evergraph import atan as atan
from evergraph import atan2 as atan2
from evergraph import atanh as atanh
from evergraph.math import bessel_i0 as bessel_i0
from evergraph.math import bessel_i0e as bessel_i0e
from evergraph.math import bessel_i1 as bessel_i1
from evergraph.math import bessel_i1e as bessel_i1e
from evergraph import betainc as betainc
from evergraph import bincount as bincount
from evergraph import ceil as ceil

def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None, dtype: Any = ...,
    name: str | None = None,
) -> Any:
    """A matrix whose element [i, j] says how often label i was predicted as j."""

from evergraph import conj as conj
from evergraph import cos as cos
from evergraph import cosh as cosh

def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = ..., name: str | None = None,
) -> Any:
    """How many elements along axes are not zero (not empty, for strings)."""

from evergraph import cumprod as cumprod
from evergraph import cumsum as cumsum
from evergraph.math import cumulative_logsumexp as cumulative_logsumexp
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

def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Any:
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
from evergraph.math import log_softmax as log_softmax
from evergraph import logical_and as logical_and
from evergraph import logical_not as logical_not
from evergraph import logical_or as logical_or
from evergraph import logical_xor as logical_xor
from evergraph import maximum as maximum
from evergraph import minimum as minimum
mod = _floormod
from evergraph import multiply as multiply
from evergraph.math import multiply_no_nan as multiply_no_nan
from evergraph import negative as negative
from evergraph.math import nextafter as nextafter
from evergraph import not_equal as not_equal
from evergraph import polygamma as polygamma
from evergraph.math import polyval as polyval
from evergraph import pow as pow
from evergraph import real as real
from evergraph import reciprocal as reciprocal
from evergraph.math import reciprocal_no_nan as reciprocal_no_nan
from evergraph.compat.v2 import reduce_all as reduce_all
from evergraph.compat.v2 import reduce_any as reduce_any
from evergraph.math import reduce_euclidean_norm as reduce_euclidean_norm
from evergraph.compat.v2 import reduce_logsumexp as reduce_logsumexp
from evergraph.compat.v2 import reduce_max as reduce_max
from evergraph.compat.v2 import reduce_mean as reduce_mean
from evergraph.compat.v2 import reduce_min as reduce_min
from evergraph.compat.v2 import reduce_prod as reduce_prod
from evergraph.math import reduce_std as reduce_std
from evergraph.compat.v2 import reduce_sum as reduce_sum
from evergraph.math import reduce_variance as reduce_variance
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
from evergraph.math import softmax as softmax
from evergraph.math import softplus as softplus
from evergraph.math import softsign as softsign
from evergraph import sqrt as sqrt
from evergraph import square as square
from evergraph import squared_difference as squared_difference
from evergraph import subtract as subtract
from evergraph import tan as tan
from evergraph import tanh as tanh
from evergraph.math import top_k as top_k
from evergraph import truediv as truediv
from evergraph import unsorted_segment_max as unsorted_segment_max
from evergraph import unsorted_segment_mean as unsorted_segment_mean
from evergraph import unsorted_segment_min as unsorted_segment_min
from evergraph import unsorted_segment_prod as unsorted_segment_prod
from evergraph import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from evergraph import unsorted_segment_sum as unsorted_segment_sum
from evergraph.math import xdivy as xdivy
from evergraph.math import xlogy as xlogy
from evergraph.math import zero_fraction as zero_fraction
from evergraph import zeta as zeta
