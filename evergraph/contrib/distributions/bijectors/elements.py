"""Bijectors of single elements."""

from __future__ import annotations

import math
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.distributions.bijectors.bijector import Bijector
from evergraph.distributions.parameters import one_dtype, parameter
from evergraph.frontend import array
from evergraph.frontend.array import get_static_value
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import (
    assert_greater,
    assert_greater_equal,
    assert_less,
    assert_less_equal,
    assert_non_negative,
    assert_none_equal,
    assert_positive,
)
from evergraph.frontend.indexing import where
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import cast, sign, sqrt, square
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import asinh, exp, expm1, greater, log, log1p, sigmoid, sinh, tanh
from evergraph.ops.math.elementwise import pow_ as power_of
from evergraph.ops.nn.activations import softplus

LOG_2 = math.log(2.0)


class _Elements(Bijector):
    """A function of single elements."""

    def __init__(self, validate_args: bool, name: str, **kwargs: Any) -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name, **kwargs)


@export("contrib.distributions.bijectors.Identity")
class Identity(_Elements):
    """The bijector y = x, which changes nothing."""

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(validate_args, name, is_constant_jacobian=True)

    def _forward(self, x: Any) -> Any:
        return x

    def _inverse(self, y: Any) -> Any:
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return convert_to_tensor(0, x.dtype)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return convert_to_tensor(0, y.dtype)


@export("contrib.distributions.bijectors.PowerTransform")
class PowerTransform(_Elements):
    """y = (1 + c x)^(1 / c) for x >= -1 / c, with c = `power`; exp(x) for c = 0.

    Args:
        power: a number that is not negative.
        validate_args: whether steps check that x is large enough and y positive.
        name: a name for the operations.

    Raises:
        ValueError: `power` is negative, or known only to steps.
    """

    def __init__(self, power: Any = 0.0, validate_args: bool = False, name: str = "power_transform") -> None:
        with name_scope(name, values=[power]):
            known = get_static_value(convert_to_tensor(power, name="power"))
        if known is None or known < 0:
            raise ValueError(f"power must be a non-negative number that is known when the graph is built: {power!r}")
        self._power = float(known)
        super().__init__(validate_args, name)

    power = property(lambda self: self._power, doc="The exponent of the inverse.")

    def _forward(self, x: Any) -> Any:
        x = self._valid_x(x)
        return exp(log1p(x * self._power) / self._power) if self._power else exp(x)

    def _inverse(self, y: Any) -> Any:
        y = self._valid_y(y)
        return expm1(log(y) * self._power) / self._power if self._power else log(y)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return (self._power - 1.0) * log(self._valid_y(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._valid_x(x)
        return (1.0 / self._power - 1.0) * log1p(x * self._power) if self._power else x

    def _valid_x(self, x: Any) -> Any:
        if not self._power:
            return x
        return self._checked(x, lambda given: assert_non_negative(
            1.0 + self._power * given, message="Forward transformation input must be at least -1 / power"))

    def _valid_y(self, y: Any) -> Any:
        return self._checked(y, lambda given: assert_positive(
            given, message="Inverse transformation input must be greater than 0"))


@export("contrib.distributions.bijectors.Exp")
class Exp(PowerTransform):
    """The bijector y = exp(x), from all numbers to the positive ones."""

    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(0.0, validate_args, name)


@export("contrib.distributions.bijectors.AbsoluteValue")
class AbsoluteValue(_Elements):
    """y = |x|. It is not injective: the inverse is the pair (-y, y), and so is that of log determinants, (0, 0)."""

    _is_injective = False

    def __init__(self, validate_args: bool = False, name: str = "absolute_value") -> None:
        super().__init__(validate_args, name, is_constant_jacobian=True)

    def _forward(self, x: Any) -> Any:
        return absolute(x)

    def _inverse(self, y: Any) -> Any:
        y = self._valid(y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        zero = 0.0 * self._valid(y) if self._validate_args else convert_to_tensor(0, y.dtype)
        zero = zero if zero.shape.ndims == 0 else array.reshape(zero, [-1])[0]
        return zero, zero

    def _valid(self, y: Any) -> Any:
        return self._checked(y, lambda given: assert_non_negative(given, message="Argument y was negative"))


@export("contrib.distributions.bijectors.Softplus")
class Softplus(_Elements):
    """y = c log(1 + exp(x / c)), with c = `hinge_softness`, 1 by default: the sign of y is that of c.

    Args:
        hinge_softness: how soft the hinge is; not 0.
        validate_args: whether steps check that.
        name: a name for the operations.
    """

    def __init__(self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus") -> None:
        with name_scope(name, values=[hinge_softness]):
            self._softness = None if hinge_softness is None else convert_to_tensor(hinge_softness,
                                                                                  name="hinge_softness")
        super().__init__(validate_args, name)
        if self._softness is not None:
            self._softness = self._checked(self._softness, lambda given: assert_none_equal(
                convert_to_tensor(0, given.dtype), given, message="hinge_softness must be non-zero"))

    hinge_softness = property(lambda self: self._softness, doc="How soft the hinge is.")

    def _forward(self, x: Any) -> Any:
        return softplus(x) if self._softness is None else self._soft(x) * softplus(x / self._soft(x))

    def _inverse(self, y: Any) -> Any:
        if self._softness is None:
            return log(-expm1(-y)) + y
        scaled = y / self._soft(y)
        return self._soft(y) * (log(-expm1(-scaled)) + scaled)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -log(-expm1(-(y if self._softness is None else y / self._soft(y))))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-(x if self._softness is None else x / self._soft(x)))

    def _soft(self, like: Any) -> Any:
        return self._softness if self._softness.dtype == like.dtype else cast(self._softness, like.dtype)


@export("contrib.distributions.bijectors.Softsign")
class Softsign(_Elements):
    """y = x / (1 + |x|), between -1 and 1."""

    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Any) -> Any:
        return x / (1.0 + absolute(x))

    def _inverse(self, y: Any) -> Any:
        y = self._valid(y)
        return y / (1.0 - absolute(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -2.0 * log1p(absolute(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -2.0 * log1p(-absolute(self._valid(y)))

    def _valid(self, y: Any) -> Any:
        return self._checked(
            y, lambda given: assert_greater(given, convert_to_tensor(-1, given.dtype), message="y is greater than -1"),
            lambda given: assert_less(given, convert_to_tensor(1, given.dtype), message="y is less than 1"))


@export("contrib.distributions.bijectors.Sigmoid")
class Sigmoid(_Elements):
    """y = 1 / (1 + exp(-x))."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Any) -> Any:
        return sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return log(y) - log1p(-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-x) - softplus(x)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -log1p(-y) - log(y)


@export("contrib.distributions.bijectors.Tanh")
class Tanh(_Elements):
    """The bijector y = tanh(x), to numbers between -1 and 1."""

    def __init__(self, validate_args: bool = False, name: str = "tanh") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Any) -> Any:
        return tanh(x)

    def _inverse(self, y: Any) -> Any:
        return 0.5 * (log1p(y) - log1p(-y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return 2.0 * (LOG_2 - x - softplus(-2.0 * x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -log1p(-square(y))


@export("contrib.distributions.bijectors.Square")
class Square(_Elements):
    """y = x^2, of numbers that are not negative."""

    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Any) -> Any:
        return square(self._valid(x))

    def _inverse(self, y: Any) -> Any:
        return sqrt(self._valid(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return LOG_2 + log(self._valid(x))

    def _valid(self, given: Any) -> Any:
        return self._checked(given, lambda each: assert_non_negative(
            each, message="the square is a bijector of non-negative numbers"))


@export("contrib.distributions.bijectors.AffineScalar")
class AffineScalar(_Elements):
    """y = shift + scale * x. A scale that only a step knows must be positive, or cdf and quantile are reversed.

    Args:
        shift: what is added, or None.
        scale: the factor, or None.
        validate_args: whether steps check that the scale is not 0.
        name: a name for the operations.
    """

    def __init__(self, shift: Any = None, scale: Any = None, validate_args: bool = False,
                 name: str = "affine_scalar") -> None:
        with name_scope(name, values=[shift, scale]):
            self._shift = None if shift is None else convert_to_tensor(shift, name="shift")
            self._scale = None if scale is None else convert_to_tensor(scale, name="scale")
        given = [each for each in (self._shift, self._scale) if each is not None]
        super().__init__(validate_args, name, is_constant_jacobian=True, dtype=one_dtype(*given) if given else None)
        if self._scale is not None:
            known = get_static_value(self._scale)
            self._is_increasing = known is None or bool((known > 0).all())
            self._scale = self._checked(self._scale, lambda each: assert_none_equal(
                each, array.zeros_like(each), message="scale must be non-zero"))

    shift = property(lambda self: self._shift, doc="What is added, or None.")
    scale = property(lambda self: self._scale, doc="The factor, or None.")

    def _forward(self, x: Any) -> Any:
        y = x if self._scale is None else x * self._scale
        return array.identity(y) if self._shift is None else y + self._shift

    def _inverse(self, y: Any) -> Any:
        x = y if self._shift is None else y - self._shift
        return array.identity(x) if self._scale is None else x / self._scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return convert_to_tensor(0, x.dtype) if self._scale is None else log(absolute(self._scale))


@export("contrib.distributions.bijectors.SinhArcsinh")
class SinhArcsinh(_Elements):
    """y = sinh((asinh(x) + skewness) * tailweight) (Jones and Pewsey, 2009).

    Args:
        skewness: moves mass to the right; 0 by default.
        tailweight: heavier tails above 1, lighter ones below; 1 by default.
        validate_args: whether steps check that tailweight is positive.
        name: a name for the operations.
    """

    def __init__(self, skewness: Any = None, tailweight: Any = None, validate_args: bool = False,
                 name: str = "SinhArcsinh") -> None:
        with name_scope(name, values=[skewness, tailweight]):
            kind = next((convert_to_tensor(each).dtype for each in (skewness, tailweight) if each is not None), None)
            self._skewness = convert_to_tensor(0.0 if skewness is None else skewness, kind, name="skewness")
            self._tailweight = convert_to_tensor(1.0 if tailweight is None else tailweight, kind, name="tailweight")
            one_dtype(self._skewness, self._tailweight)
        super().__init__(validate_args, name)
        self._tailweight = self._checked(self._tailweight, lambda given: assert_positive(
            given, message="Argument tailweight was not positive"))

    skewness = property(lambda self: self._skewness, doc="What moves mass to the right.")
    tailweight = property(lambda self: self._tailweight, doc="What makes tails heavier.")

    def _forward(self, x: Any) -> Any:
        return _sinh((asinh(x) + self._skewness) * self._tailweight)

    def _inverse(self, y: Any) -> Any:
        return _sinh(asinh(y) / self._tailweight - self._skewness)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return (_log_cosh(asinh(y) / self._tailweight - self._skewness) - _log_hypotenuse(y)
                - log(self._tailweight))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return (_log_cosh((asinh(x) + self._skewness) * self._tailweight) - _log_hypotenuse(x)
                + log(self._tailweight))


def _sinh(x: Any) -> Any:
    """sinh(x), also where exp(x) is too large and half of it is not."""
    is_large = greater(absolute(x), 50.0)
    root = exp(0.5 * where(is_large, absolute(x), array.zeros_like(x)))
    return where(is_large, sign(x) * (0.5 * root) * root, sinh(where(is_large, array.zeros_like(x), x)))


def _log_cosh(x: Any) -> Any:
    return absolute(x) + softplus(-2.0 * absolute(x)) - LOG_2


def _log_hypotenuse(x: Any) -> Any:
    """log(sqrt(x^2 + 1)), also where x^2 is too large."""
    largest = 1e10
    small = where(greater(absolute(x), largest), array.zeros_like(x), x)
    large = where(greater(absolute(x), largest), absolute(x), array.ones_like(x))
    return 0.5 * log1p(square(small)) + log(large)


class _Cumulative(_Elements):
    """The cumulative distribution function of a distribution with two parameters, to numbers from 0 to 1."""

    def __init__(self, first: Any, second: Any, names: tuple[str, str], positive: tuple[bool, bool],
                 validate_args: bool, name: str) -> None:
        with name_scope(name, values=[first, second]):
            self._first = parameter(first, names[0], validate_args and positive[0])
            self._second = parameter(second, names[1], validate_args and positive[1])
            one_dtype(self._first, self._second)
        super().__init__(validate_args, name)

    def _share(self, y: Any) -> Any:
        """y, which is from 0 to 1."""
        return self._checked(
            y, lambda given: assert_non_negative(given, message="numbers must be at least 0"),
            lambda given: assert_less_equal(given, convert_to_tensor(1, given.dtype),
                                            message="numbers must be at most 1"))


@export("contrib.distributions.bijectors.Gumbel")
class Gumbel(_Cumulative):
    """y = exp(-exp(-(x - loc) / scale)): the cumulative distribution function of the Gumbel distribution.

    Args:
        loc: the mode of the distribution.
        scale: its scale.
        validate_args: whether steps check that the scale is positive and y from 0 to 1.
        name: a name for the operations.
    """

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool = False, name: str = "gumbel") -> None:
        super().__init__(loc, scale, ("loc", "scale"), (False, True), validate_args, name)

    loc = property(lambda self: self._first, doc="The mode.")
    scale = property(lambda self: self._second, doc="The scale.")

    def _forward(self, x: Any) -> Any:
        return exp(-exp(-(x - self.loc) / self.scale))

    def _inverse(self, y: Any) -> Any:
        return self.loc - self.scale * log(-log(self._share(y)))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._share(y)
        return log(self.scale) - log(-log(y)) - log(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        z = (x - self.loc) / self.scale
        return -z - exp(-z) - log(self.scale)


@export("contrib.distributions.bijectors.Weibull")
class Weibull(_Cumulative):
    """y = 1 - exp(-(x / scale)^concentration): the cumulative distribution function of the Weibull distribution.

    Args:
        scale: the scale.
        concentration: the shape.
        validate_args: whether steps check that both are positive, x is not negative and y from 0 to 1.
        name: a name for the operations.
    """

    def __init__(self, scale: Any = 1.0, concentration: Any = 1.0, validate_args: bool = False,
                 name: str = "weibull") -> None:
        super().__init__(scale, concentration, ("scale", "concentration"), (True, True), validate_args, name)

    scale = property(lambda self: self._first, doc="The scale.")
    concentration = property(lambda self: self._second, doc="The shape.")

    def _forward(self, x: Any) -> Any:
        return -expm1(-power_of(self._valid(x) / self.scale, self.concentration))

    def _inverse(self, y: Any) -> Any:
        return self.scale * power_of(-log1p(-self._share(y)), 1.0 / self.concentration)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._share(y)
        return (-log1p(-y) + (1.0 / self.concentration - 1.0) * log(-log1p(-y))
                + log(self.scale / self.concentration))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._valid(x)
        return (-power_of(x / self.scale, self.concentration) + (self.concentration - 1.0) * log(x)
                + log(self.concentration) - self.concentration * log(self.scale))

    def _valid(self, x: Any) -> Any:
        return self._checked(x, lambda given: assert_greater_equal(
            given, array.zeros_like(given), message="Weibull's x must be at least 0"))


@export("contrib.distributions.bijectors.Kumaraswamy")
class Kumaraswamy(_Cumulative):
    """y = (1 - (1 - x)^(1 / b))^(1 / a): the quantile function of Kumaraswamy's distribution.

    Args:
        concentration1: a, which draws y to 1.
        concentration0: b, which draws y to 0.
        validate_args: whether steps check that both are positive and y from 0 to 1.
        name: a name for the operations.
    """

    def __init__(self, concentration1: Any = None, concentration0: Any = None, validate_args: bool = False,
                 name: str = "kumaraswamy") -> None:
        super().__init__(concentration1, concentration0, ("concentration1", "concentration0"), (True, True),
                         validate_args, name)

    concentration1 = property(lambda self: self._first, doc="What draws y to 1.")
    concentration0 = property(lambda self: self._second, doc="What draws y to 0.")

    def _forward(self, x: Any) -> Any:
        rest = exp(log1p(-self._share(x)) / self.concentration0)
        return exp(log1p(-rest) / self.concentration1)

    def _inverse(self, y: Any) -> Any:
        y = self._share(y)
        return -expm1(self.concentration0 * log1p(-power_of(y, self.concentration1)))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y, a, b = self._share(y), self.concentration1, self.concentration0
        return log(a) + log(b) + (a - 1.0) * log(y) + (b - 1.0) * log1p(-power_of(y, a))
