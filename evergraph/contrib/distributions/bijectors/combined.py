"""Bijectors made of others, or of functions: Chain, Invert, Inline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.distributions.bijectors.bijector import Bijector, one_dtype_of
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor


@export("contrib.distributions.bijectors.Chain")
class Chain(Bijector):
    """Several bijectors, the last one first: Chain([f, g]) is f(g(x)).

    Args:
        bijectors: the bijectors; none of them is the identity.
        validate_args: whether steps check arguments; each bijector has its own.
        name: a name for the operations.

    Raises:
        ValueError: the dtypes of bijectors differ.
        NotImplementedError: one of them is not injective.
    """

    def __init__(self, bijectors: Sequence[Bijector] | None = None, validate_args: bool = False,
                 name: str | None = None) -> None:
        self._bijectors = list(bijectors or ())
        for each in self._bijectors:
            if not each._is_injective:
                raise NotImplementedError(f"a chain is made of injective bijectors, and {each.name} is not")
        forward, inverse = _least_ranks(self._bijectors)
        name = name or ("_of_".join(["chain", *(each.name for each in self._bijectors)]) if self._bijectors
                        else "identity")
        super().__init__([parent for each in self._bijectors for parent in each.graph_parents],
                         all(each.is_constant_jacobian for each in self._bijectors), validate_args,
                         one_dtype_of(self._bijectors), forward, inverse, name)
        self._is_increasing = sum(not each._is_increasing for each in self._bijectors) % 2 == 0

    bijectors = property(lambda self: self._bijectors, doc="The bijectors, of which the last one is applied first.")

    def _forward_event_shape(self, input_shape: Any) -> Any:
        for each in reversed(self._bijectors):
            input_shape = each.forward_event_shape(input_shape)
        return input_shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        for each in self._bijectors:
            output_shape = each.inverse_event_shape(output_shape)
        return output_shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        for each in reversed(self._bijectors):
            input_shape = each.forward_event_shape_tensor(input_shape)
        return input_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        for each in self._bijectors:
            output_shape = each.inverse_event_shape_tensor(output_shape)
        return output_shape

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        for each in reversed(self._bijectors):
            x = each.forward(x, **kwargs.get(each.name, {}))
        return x

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        for each in self._bijectors:
            y = each.inverse(y, **kwargs.get(each.name, {}))
        return y

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        total, ndims = convert_to_tensor(0, x.dtype, name="log_det_jacobian"), self.forward_min_event_ndims
        for each in reversed(self._bijectors):
            own = kwargs.get(each.name, {})
            total += each.forward_log_det_jacobian(x, event_ndims=ndims, **own)
            x = each.forward(x, **own)
            ndims += each.inverse_min_event_ndims - each.forward_min_event_ndims
        return total

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        total, ndims = convert_to_tensor(0, y.dtype, name="log_det_jacobian"), self.inverse_min_event_ndims
        for each in self._bijectors:
            own = kwargs.get(each.name, {})
            total += each.inverse_log_det_jacobian(y, event_ndims=ndims, **own)
            y = each.inverse(y, **own)
            ndims += each.forward_min_event_ndims - each.inverse_min_event_ndims
        return total


def _least_ranks(bijectors: Sequence[Bijector]) -> tuple[int, int]:
    """The ranks of x and y of a chain such that each bijector gets events of its least rank or more."""
    rank, gained = 0, 0
    for each in reversed(bijectors):
        rank = max(rank, each.forward_min_event_ndims - gained)
        gained += each.inverse_min_event_ndims - each.forward_min_event_ndims
    return rank, rank + gained


@export("contrib.distributions.bijectors.Invert")
class Invert(Bijector):
    """The inverse of a bijector.

    Args:
        bijector: the bijector.
        validate_args: whether steps check arguments; the bijector has its own.
        name: a name for the operations.

    Raises:
        NotImplementedError: the bijector is not injective.
    """

    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None:
        if not bijector._is_injective:
            raise NotImplementedError(f"{bijector.name} is not injective: it has no inverse function")
        self._bijector = bijector
        super().__init__(bijector.graph_parents, bijector.is_constant_jacobian, validate_args, bijector.dtype,
                         bijector.inverse_min_event_ndims, bijector.forward_min_event_ndims,
                         name or f"invert_{bijector.name}")
        self._is_increasing = bijector._is_increasing

    bijector = property(lambda self: self._bijector, doc="The bijector of which this is the inverse.")

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._bijector.inverse_event_shape(input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self._bijector.forward_event_shape(output_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._bijector.inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._bijector.forward_event_shape_tensor(output_shape)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        return self._bijector.inverse(x, **kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        return self._bijector.forward(y, **kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._bijector.inverse_log_det_jacobian(x, event_ndims=self.forward_min_event_ndims, **kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._bijector.forward_log_det_jacobian(y, event_ndims=self.inverse_min_event_ndims, **kwargs)


@export("contrib.distributions.bijectors.Inline")
class Inline(Bijector):
    """A bijector of given functions.

    Args:
        forward_fn: y = g(x).
        inverse_fn: x with g(x) = y.
        inverse_log_det_jacobian_fn: log |det dx/dy| of y; one of the two Jacobians is enough.
        forward_log_det_jacobian_fn: log |det dy/dx| of x.
        forward_event_shape_fn: the static shape of y for that of x; the same by default.
        forward_event_shape_tensor_fn: the shape of y for that of x, as tensors.
        inverse_event_shape_fn: the static shape of x for that of y.
        inverse_event_shape_tensor_fn: the shape of x for that of y, as tensors.
        is_constant_jacobian: whether the Jacobian is the same everywhere.
        validate_args: whether steps check arguments.
        forward_min_event_ndims: the least rank of an x.
        inverse_min_event_ndims: the least rank of a y.
        name: a name for the operations.
    """

    def __init__(self, forward_fn: Callable | None = None, inverse_fn: Callable | None = None,
                 inverse_log_det_jacobian_fn: Callable | None = None,
                 forward_log_det_jacobian_fn: Callable | None = None, forward_event_shape_fn: Callable | None = None,
                 forward_event_shape_tensor_fn: Callable | None = None, inverse_event_shape_fn: Callable | None = None,
                 inverse_event_shape_tensor_fn: Callable | None = None, is_constant_jacobian: bool = False,
                 validate_args: bool = False, forward_min_event_ndims: int | None = None,
                 inverse_min_event_ndims: int | None = None, name: str = "inline") -> None:
        super().__init__(is_constant_jacobian=is_constant_jacobian, validate_args=validate_args,
                         forward_min_event_ndims=forward_min_event_ndims,
                         inverse_min_event_ndims=inverse_min_event_ndims, name=name)
        self._functions = {
            "forward_fn": forward_fn, "inverse_fn": inverse_fn,
            "inverse_log_det_jacobian_fn": inverse_log_det_jacobian_fn,
            "forward_log_det_jacobian_fn": forward_log_det_jacobian_fn,
            "forward_event_shape_fn": forward_event_shape_fn or (lambda shape: shape),
            "forward_event_shape_tensor_fn": forward_event_shape_tensor_fn or array.identity,
            "inverse_event_shape_fn": inverse_event_shape_fn or (lambda shape: shape),
            "inverse_event_shape_tensor_fn": inverse_event_shape_tensor_fn or array.identity,
        }

    def _call(self, name: str, value: Any, **kwargs: Any) -> Any:
        function = self._functions[name]
        if function is None:
            raise NotImplementedError(f"{name} is not given: {self.name} cannot do without")
        return function(value, **kwargs)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._call("forward_event_shape_fn", input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self._call("inverse_event_shape_fn", output_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._call("forward_event_shape_tensor_fn", input_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._call("inverse_event_shape_tensor_fn", output_shape)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        return self._call("forward_fn", x, **kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        return self._call("inverse_fn", y, **kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._call("forward_log_det_jacobian_fn", x, **kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._call("inverse_log_det_jacobian_fn", y, **kwargs)
