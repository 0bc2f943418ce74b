"""Tests of means of samples that are wrong with a chosen probability at most.

They follow from the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart: the empirical distribution function of n
samples is nowhere farther than e from the true one, except with a probability of 2 exp(-2 n e^2). Means of
distributions between two bounds follow from their distribution functions.
"""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert, assert_greater_equal, assert_less_equal
from evergraph.frontend.control_flow import group, with_dependencies
from evergraph.frontend.math import cast, sqrt
from evergraph.frontend.math import range as numbers
from evergraph.frontend.ordering import sort
from evergraph.frontend.reduce import reduce_all, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import ceil, greater_equal, less_equal, log, maximum, minimum


def _envelope(n: Any, error_rate: Any) -> Any:
    """How far the empirical distribution function of n samples may be from the true one, on both sides."""
    return sqrt(-log(error_rate / 2.0) / (2.0 * n))


def _one_sided(n: Any, error_rate: Any) -> Any:
    return sqrt(-log(error_rate) / (2.0 * n))


def _numbers(*values: Any) -> list[Any]:
    """Values as tensors of one floating dtype, that of the first one with one."""
    tensors = [convert_to_tensor(each) for each in values]
    kind = next((each.dtype.base_dtype for each in tensors if each.dtype.is_floating), dtypes.float32)
    return [each if each.dtype.base_dtype == kind else cast(each, kind) for each in tensors]


def _do_maximum_mean(samples: Any, envelope: Any, high: Any, name: str | None = None) -> Any:
    """The largest mean of a distribution whose distribution function is nowhere more than `envelope` below that of the
    samples, along the first axis: the mass of the least samples is moved to `high`."""
    with name_scope(name, "do_maximum_mean", [samples, envelope, high]):
        samples, envelope, high = _numbers(samples, envelope, high)
        count = cast(array.shape(samples)[0], samples.dtype)
        ordered = sort(samples, axis=0)
        shape = array.concat([array.shape(samples)[:1], array.ones_like(array.shape(samples)[1:])], 0)
        ends = array.reshape(cast(numbers(1, array.shape(samples)[0] + 1), samples.dtype) / count, shape)
        left = minimum(maximum(ends - envelope, 0.0), 1.0 / count)
        return reduce_sum(ordered * left, 0) + envelope * high


def _do_minimum_mean(samples: Any, envelope: Any, low: Any) -> Any:
    samples, envelope, low = _numbers(samples, envelope, low)
    return -_do_maximum_mean(-samples, envelope, -low)


def true_mean_confidence_interval_by_dkwm(samples: Any, low: Any, high: Any, error_rate: Any = 1e-6,
                                          name: str | None = None) -> tuple[Any, Any]:
    """An interval that holds the true mean, except with the probability `error_rate`.

    Args:
        samples: [samples, batch...], independent.
        low: the least value that the distribution has.
        high: the largest one.
        error_rate: the probability that the mean is outside.
        name: a name for the operations.

    Returns:
        The lower and the upper end, [batch...]; steps fail if samples are beyond low or high.
    """
    with name_scope(name, "true_mean_confidence_interval_by_dkwm", [samples, low, high, error_rate]):
        samples, low, high, error_rate = _numbers(samples, low, high, error_rate)
        inside = [assert_less_equal(samples, high, message="Given sample maximum value exceeds expectations"),
                  assert_greater_equal(samples, low, message="Given sample minimum value falls below expectations")]
        samples = with_dependencies(inside, samples)
        envelope = _envelope(cast(array.shape(samples)[0], samples.dtype), error_rate)
        return _do_minimum_mean(samples, envelope, low), _do_maximum_mean(samples, envelope, high)


def _greater(expected: Any, least: Any) -> Any:
    return Assert(reduce_all(greater_equal(expected, least)), ["Mean confidence interval too high: true mean greater "
                                                              "than expected", expected, least])


def _smaller(expected: Any, most: Any) -> Any:
    return Assert(reduce_all(less_equal(expected, most)), ["Mean confidence interval too low: true mean smaller than "
                                                          "expected", expected, most])


def assert_true_mean_equal_by_dkwm(samples: Any, low: Any, high: Any, expected: Any, false_fail_rate: Any = 1e-6,
                                   name: str | None = None) -> Any:
    """An operation that fails if the true mean of samples is not the expected one, and otherwise only with the
    probability `false_fail_rate`. The other arguments are those of `true_mean_confidence_interval_by_dkwm`."""
    return assert_true_mean_in_interval_by_dkwm(samples, low, high, expected, expected, false_fail_rate, name)


def assert_true_mean_in_interval_by_dkwm(samples: Any, low: Any, high: Any, expected_low: Any, expected_high: Any,
                                         false_fail_rate: Any = 1e-6, name: str | None = None) -> Any:
    """An operation that fails if the true mean of samples is not in an interval, and otherwise only with the
    probability `false_fail_rate`."""
    with name_scope(name, "assert_true_mean_in_interval_by_dkwm", [samples, low, high, expected_low, expected_high]):
        least, most = true_mean_confidence_interval_by_dkwm(samples, low, high, false_fail_rate)
        expected_low, expected_high = (convert_to_tensor(each, least.dtype) for each in (expected_low, expected_high))
        with control_dependencies([_greater(expected_high, least)]):
            return group(_smaller(expected_low, most))


def assert_true_mean_equal_by_dkwm_two_sample(samples1: Any, low1: Any, high1: Any, samples2: Any, low2: Any,
                                              high2: Any, false_fail_rate: Any = 1e-6, name: str | None = None) -> Any:
    """An operation that fails if two sets of samples have different true means, and otherwise only with the
    probability `false_fail_rate`, half of it for each set."""
    with name_scope(name, "assert_true_mean_equal_by_dkwm_two_sample", [samples1, samples2]):
        samples1, samples2, rate = _numbers(samples1, samples2, false_fail_rate)
        least, most = true_mean_confidence_interval_by_dkwm(samples2, low2, high2, rate / 2.0)
        return assert_true_mean_in_interval_by_dkwm(samples1, low1, high1, least, most, rate / 2.0)


def min_discrepancy_of_true_means_detectable_by_dkwm(n: Any, low: Any, high: Any, false_fail_rate: Any,
                                                     false_pass_rate: Any, name: str | None = None) -> Any:
    """How far a mean must be from the expected one so that the test of n samples fails, except with the probability
    `false_pass_rate`.

    Args:
        n: the number of samples.
        low: the least value that the distribution has.
        high: the largest one.
        false_fail_rate: the probability that the test fails although the mean is right.
        false_pass_rate: the probability that it does not fail although the mean is that wrong.
        name: a name for the operations.
    """
    with name_scope(name, "min_discrepancy_of_true_means_detectable_by_dkwm", [n, low, high]):
        rates = _numbers(false_fail_rate, false_pass_rate, low, high, n)
        false_fail_rate, false_pass_rate, low, high, n = rates
        return (high - low) * (_envelope(n, false_fail_rate) + _one_sided(n, false_pass_rate))


def min_num_samples_for_dkwm_mean_test(discrepancy: Any, low: Any, high: Any, false_fail_rate: Any = 1e-6,
                                       false_pass_rate: Any = 1e-6, name: str | None = None) -> Any:
    """How many samples tell a mean from one at that distance: the inverse of
    `min_discrepancy_of_true_means_detectable_by_dkwm`, whose arguments it has."""
    with name_scope(name, "min_num_samples_for_dkwm_mean_test", [low, high, discrepancy]):
        discrepancy, low, high, false_fail_rate, false_pass_rate = _numbers(
            discrepancy, low, high, false_fail_rate, false_pass_rate)
        return _enough((high - low) / discrepancy, false_fail_rate, false_pass_rate)


def _enough(ratio: Any, false_fail_rate: Any, false_pass_rate: Any) -> Any:
    """The n for which (envelope + one-sided envelope) * ratio is at most 1."""
    both = _envelope(array.ones_like(ratio), false_fail_rate) + _one_sided(array.ones_like(ratio), false_pass_rate)
    # A little more, so that the discrepancy of so many samples is not rounded to more than the given one.
    return ceil((both * ratio) ** 2 * (1.0 + 1e-6)) + 1.0


def min_discrepancy_of_true_means_detectable_by_dkwm_two_sample(
        n1: Any, low1: Any, high1: Any, n2: Any, low2: Any, high2: Any, false_fail_rate: Any, false_pass_rate: Any,
        name: str | None = None) -> Any:
    """The same as `min_discrepancy_of_true_means_detectable_by_dkwm` for the means of two sets of samples."""
    with name_scope(name, "min_discrepancy_of_true_means_detectable_by_dkwm_two_sample", [n1, n2]):
        false_fail_rate, false_pass_rate = _numbers(false_fail_rate, false_pass_rate)
        halves = false_fail_rate / 2.0, false_pass_rate / 2.0
        return (min_discrepancy_of_true_means_detectable_by_dkwm(n1, low1, high1, *halves)
                + min_discrepancy_of_true_means_detectable_by_dkwm(n2, low2, high2, *halves))


def min_num_samples_for_dkwm_mean_two_sample_test(
        discrepancy: Any, low1: Any, high1: Any, low2: Any, high2: Any, false_fail_rate: Any = 1e-6,
        false_pass_rate: Any = 1e-6, name: str | None = None) -> tuple[Any, Any]:
    """The same as `min_num_samples_for_dkwm_mean_test` for two sets of samples: (n1, n2)."""
    with name_scope(name, "min_num_samples_for_dkwm_mean_two_sample_test", [discrepancy]):
        discrepancy, false_fail_rate, false_pass_rate, *bounds = _numbers(
            discrepancy, false_fail_rate, false_pass_rate, low1, high1, low2, high2)
        low1, high1, low2, high2 = bounds
        # Each set may be responsible for a part of the discrepancy that is as large as its range.
        whole = (high1 - low1) + (high2 - low2)
        enough = _enough(whole / discrepancy, false_fail_rate / 2.0, false_pass_rate / 2.0)
        return enough, enough
