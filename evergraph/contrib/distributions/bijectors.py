"""tf.contrib.distributions.bijectors: invertible functions of elements, with the logarithm of their slope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.math.elementwise import exp, expm1, log, log1p, sigmoid, tanh
from evergraph.ops.nn.activations import softplus


class Bijector:
    """An invertible function of single elements. A subclass says `_forward`, `_inverse` and `_log_slope`.

    The `validate_args` of subclasses has no meaning: nothing is checked when a step runs.

    Args:
        name: a name for the operations.
    """

    is_increasing = True

    def __init__(self, name: str) -> None:
        self._name = name

    name = property(lambda self: self._name)

    def forward(self, x: Any, name: str = "forward") -> Any:
        """The function."""
        with name_scope(f"{self._name}_{name}", values=[x]):
            return self._forward(convert_to_tensor(x))

    def inverse(self, y: Any, name: str = "inverse") -> Any:
        """The inverse function."""
        with name_scope(f"{self._name}_{name}", values=[y]):
            return self._inverse(convert_to_tensor(y))

    def forward_log_det_jacobian(self, x: Any, event_ndims: int = 0, name: str = "forward_log_det_jacobian") -> Any:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
        with name_scope(f"{self._name}_{name}", values=[x]):
            x = convert_to_tensor(x)
            slopes = self._log_slope(x) + array.zeros_like(x)
            return reduce_sum(slopes, list(range(-event_ndims, 0))) if event_ndims else slopes

    def inverse_log_det_jacobian(self, y: Any, event_ndims: int = 0, name: str = "inverse_log_det_jacobian") -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
        return -self.forward_log_det_jacobian(self.inverse(y), event_ndims, name)

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError

    def _log_slope(self, x: Any) -> Any:
        raise NotImplementedError


@export("contrib.distributions.bijectors.Identity")
class Identity(Bijector):
    """y = x."""

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(name)

    def _forward(self, x: Any) -> Any:
        return x

    def _inverse(self, y: Any) -> Any:
        return y

    def _log_slope(self, x: Any) -> Any:
        return array.zeros_like(x)


@export("contrib.distributions.bijectors.Exp")
class Exp(Bijector):
    """y = exp(x)."""

    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(name)

    def _forward(self, x: Any) -> Any:
        return exp(x)

    def _inverse(self, y: Any) -> Any:
        return log(y)

    def _log_slope(self, x: Any) -> Any:
        return x


@export("contrib.distributions.bijectors.Softplus")
class Softplus(Bijector):
    """y = c log(1 + exp(x / c)), with c = `hinge_softness`, 1 by default."""

    def __init__(self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus") -> None:
        super().__init__(name)
        self._softness = 1.0 if hinge_softness is None else hinge_softness

    hinge_softness = property(lambda self: self._softness)

    def _forward(self, x: Any) -> Any:
        return self._softness * softplus(x / self._softness)

    def _inverse(self, y: Any) -> Any:
        y = y / self._softness
        return self._softness * (log(-expm1(-y)) + y)

    def _log_slope(self, x: Any) -> Any:
        return -softplus(-x / self._softness)


@export("contrib.distributions.bijectors.Sigmoid")
class Sigmoid(Bijector):
    """y = 1 / (1 + exp(-x))."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(name)

    def _forward(self, x: Any) -> Any:
        return sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return log(y) - log1p(-y)

    def _log_slope(self, x: Any) -> Any:
        return -softplus(-x) - softplus(x)


@export("contrib.distributions.bijectors.Tanh")
class Tanh(Bijector):
    """y = tanh(x)."""

    def __init__(self, validate_args: bool = False, name: str = "tanh") -> None:
        super().__init__(name)

    def _forward(self, x: Any) -> Any:
        return tanh(x)

    def _inverse(self, y: Any) -> Any:
        return 0.5 * (log1p(y) - log1p(-y))

    def _log_slope(self, x: Any) -> Any:
        return 2.0 * (0.6931471805599453 - x - softplus(-2.0 * x))


@export("contrib.distributions.bijectors.AffineScalar")
class AffineScalar(Bijector):
    """y = shift + scale * x. A scale that only a step knows must be positive, or cdf and quantile are reversed."""

    def __init__(self, shift: Any = None, scale: Any = None, validate_args: bool = False,
                 name: str = "affine_scalar") -> None:
        super().__init__(name)
        self._shift = convert_to_tensor(0.0 if shift is None else shift)
        self._scale = convert_to_tensor(1.0 if scale is None else scale)
        known = static_value(self._scale)
        self.is_increasing = known is None or bool((known > 0).all())

    shift = property(lambda self: self._shift)
    scale = property(lambda self: self._scale)

    def _forward(self, x: Any) -> Any:
        return self._shift + self._scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self._shift) / self._scale

    def _log_slope(self, x: Any) -> Any:
        return log(math.abs(self._scale))


@export("contrib.distributions.bijectors.Chain")
class Chain(Bijector):
    """Several bijectors, the last one first: Chain([f, g]) is f(g(x))."""

    def __init__(self, bijectors: Sequence[Bijector] = (), validate_args: bool = False,
                 name: str | None = None) -> None:
        super().__init__(name or "_of_".join(["chain", *(each.name for each in bijectors)]))
        self._bijectors = list(bijectors)
        self.is_increasing = sum(not each.is_increasing for each in self._bijectors) % 2 == 0

    bijectors = property(lambda self: list(self._bijectors))

    def _forward(self, x: Any) -> Any:
        for each in reversed(self._bijectors):
            x = each.forward(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for each in self._bijectors:
            y = each.inverse(y)
        return y

    def _log_slope(self, x: Any) -> Any:
        total = array.zeros_like(x)
        for each in reversed(self._bijectors):
            total += each.forward_log_det_jacobian(x)
            x = each.forward(x)
        return total


@export("contrib.distributions.bijectors.Invert")
class Invert(Bijector):
    """The inverse of a bijector."""

    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None:
        super().__init__(name or f"invert_{bijector.name}")
        self._bijector = bijector
        self.is_increasing = bijector.is_increasing

    bijector = property(lambda self: self._bijector)

    def _forward(self, x: Any) -> Any:
        return self._bijector.inverse(x)

    def _inverse(self, y: Any) -> Any:
        return self._bijector.forward(y)

    def _log_slope(self, x: Any) -> Any:
        return self._bijector.inverse_log_det_jacobian(x)
