"""Distributions of whole numbers that are made by rounding."""

from __future__ import annotations

import math
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.distributions.wrappers import Around
from evergraph.distributions.distribution import NOT_REPARAMETERIZED
from evergraph.distributions.parameters import own
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_equal, assert_less
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import where
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import (
    ceil,
    equal,
    exp,
    expm1,
    floor,
    greater_equal,
    less,
    log,
    log1p,
    maximum,
    minimum,
)


@export("contrib.distributions.QuantizedDistribution")
class QuantizedDistribution(Around):
    """The distribution of ceil(x), or of the limits beyond them, where x has another distribution of scalars.

    Args:
        distribution: the distribution of x, which has a cdf or survival function.
        low: the least value, a whole number; no limit by default.
        high: the largest value, likewise.
        validate_args: whether steps check that limits and values are whole numbers.
        name: a name for the operations.

    Raises:
        TypeError: the distribution has no cdf.
    """

    def __init__(self, distribution: Any, low: Any = None, high: Any = None, validate_args: bool = False,
                 name: str = "QuantizedDistribution") -> None:
        parameters = own(locals())
        self._inner = distribution
        with name_scope(name, values=[low, high]) as scope:
            self._low, self._high = (None if each is None else convert_to_tensor(each, distribution.dtype, name=word)
                                     for each, word in ((low, "low"), (high, "high")))
            if validate_args:
                self._check_limits()
        super().__init__(distribution.dtype, NOT_REPARAMETERIZED, validate_args, distribution.allow_nan_stats,
                         parameters, [each for each in (self._low, self._high) if each is not None], scope)

    distribution = property(lambda self: self._inner, doc="The distribution that is rounded.")
    low = property(lambda self: self._low, doc="The least value, or None.")
    high = property(lambda self: self._high, doc="The largest value, or None.")

    def _check_limits(self) -> None:
        if self._low is not None and self._high is not None:
            check = assert_less(self._low, self._high, message="low must be strictly less than high")
            self._low = with_dependencies([check], self._low)
        if self._low is not None:
            self._low = _whole(self._low, "low")
        if self._high is not None:
            self._high = _whole(self._high, "high")

    def _valid(self, y: Any) -> Any:
        return _whole(y, "value") if self.validate_args else y

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        drawn = ceil(self._inner.sample(n, seed=seed))
        drawn = drawn if self._low is None else maximum(drawn, self._low)
        return drawn if self._high is None else minimum(drawn, self._high)

    def _limited(self, y: Any, found: Any, below: float, above: float) -> Any:
        """`found`, or the values below the least one and from the largest one on."""
        y = y + array.zeros_like(found)
        if self._low is not None:
            found = where(less(y, self._low), array.zeros_like(found) + below, found)
        if self._high is not None:
            found = where(greater_equal(y, self._high), array.zeros_like(found) + above, found)
        return found

    def _cdf(self, y: Any) -> Any:
        return self._limited(floor(y), self._inner.cdf(floor(y)), 0.0, 1.0)

    def _log_cdf(self, y: Any) -> Any:
        return self._limited(floor(y), self._inner.log_cdf(floor(y)), -math.inf, 0.0)

    def _survival_function(self, y: Any) -> Any:
        return self._limited(ceil(y), self._inner.survival_function(ceil(y)), 1.0, 0.0)

    def _log_survival_function(self, y: Any) -> Any:
        return self._limited(ceil(y), self._inner.log_survival_function(ceil(y)), 0.0, -math.inf)

    def _prob(self, y: Any) -> Any:
        y = self._valid(y)
        lower, upper = self._cdf(y), self._survival_function(y)
        # The difference of the smaller numbers is the exact one.
        return where(less(lower, upper), lower - self._cdf(y - 1.0), self._survival_function(y - 1.0) - upper)

    def _log_prob(self, y: Any) -> Any:
        y = self._valid(y)
        lower, upper = self._log_cdf(y), self._log_survival_function(y)
        is_low = less(lower, upper)
        return _log_difference(where(is_low, lower, self._log_survival_function(y - 1.0)),
                               where(is_low, self._log_cdf(y - 1.0), upper))


def _log_difference(large: Any, small: Any) -> Any:
    """log(exp(large) - exp(small))"""
    gap = where(equal(small, -math.inf), array.zeros_like(small) + math.inf, large - small)
    is_near = less(gap, math.log(2.0))
    near, far = where(is_near, gap, array.ones_like(gap)), where(is_near, array.ones_like(gap), gap)
    return large + where(is_near, log(-expm1(-near)), log1p(-exp(-far)))


def _whole(value: Any, name: str) -> Any:
    return with_dependencies([assert_equal(value, floor(value), message=f"{name} has non-integer components")], value)
