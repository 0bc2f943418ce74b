"""Weights of values: when they may be spread over values, and spreading them.

Weights fit values when they are one number, or have as many axes as the values and, along each of them, the values'
size or size 1. Losses and metrics are stricter here than arithmetic, which would also spread a missing axis.
"""
from __future__ import annotations

from typing import Any

from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.reduce import reduce_all
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic
from evergraph.ops.control import effects
from evergraph.ops.math import elementwise

_MISFIT = "weights can not be broadcast to values."


def assert_broadcastable(weights: Any, values: Any) -> Operation:
    """An operation that fails unless the weights can be spread over the values.

    Raises:
        ValueError: the static shapes already say that they cannot.
    """
    with name_scope(None, "assert_broadcastable", [weights, values]) as scope:
        weights, weights_shape, weights_rank = _measured(weights, "weights")
        values, values_shape, values_rank = _measured(values, "values")
        verdict = _known_verdict(weights_rank, weights_shape, values_rank, values_shape)
        if verdict is not None:
            return basic.no_op(name=f"static_{verdict}_check_success")
        is_scalar = elementwise.equal(0, weights_rank, name="is_scalar")
        same_rank = elementwise.equal(values_rank, weights_rank)
        fits = cond(is_scalar, lambda: is_scalar,
                    lambda: cond(same_rank, lambda: _sizes_fit(weights_shape, values_shape), lambda: same_rank),
                    name="is_valid_shape")
        return effects.assert_(fits, [_MISFIT, "weights.shape=", weights.label, weights_shape, "values.shape=",
                                      values.label, values_shape, "is_scalar=", is_scalar], name=scope)


def _measured(value: Any, name: str) -> tuple[Tensor, Tensor, Tensor]:
    """The value as a tensor, its shape and its rank."""
    with name_scope(None, name, [value]) as scope:
        tensor = convert_to_tensor(value, name=scope)
        return tensor, array.shape(tensor, name="shape"), array.rank(tensor, name="rank")


def _known_verdict(weights_rank: Tensor, weights_shape: Tensor, values_rank: Tensor,
                   values_shape: Tensor) -> str | None:
    """By which static check the weights fit, "scalar" or "dims"; None when that shows only at run time."""
    ranks = static_value(weights_rank), static_value(values_rank)
    if ranks[0] is None or ranks[1] is None:
        return None
    if ranks[0] == 0:
        return "scalar"
    shapes = static_value(weights_shape), static_value(values_shape)
    told = (f"{_MISFIT} weights have rank {ranks[0]} and shape {shapes[0]}, values rank {ranks[1]} and "
            f"shape {shapes[1]}.")
    if ranks[0] != ranks[1]:
        raise ValueError(told)
    if shapes[0] is None or shapes[1] is None:
        return None
    if any(own not in (1, size) for own, size in zip(shapes[0], shapes[1])):
        raise ValueError(told)
    return "dims"


def _sizes_fit(weights_shape: Tensor, values_shape: Tensor) -> Tensor:
    same = elementwise.equal(weights_shape, values_shape)
    return reduce_all(elementwise.logical_or(same, elementwise.equal(weights_shape, 1)))


def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """The weights in the shape of the values; see `assert_broadcastable` for what fits.

    Raises:
        ValueError: the static shapes do not fit.
    """
    with name_scope(None, "broadcast_weights", [weights, values]) as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        if _surely_alike(weights, values):
            return weights
        with control_dependencies([assert_broadcastable(weights, values)]):
            return elementwise.mul(weights, array.ones_like(values), name=scope)


def _surely_alike(weights: Tensor, values: Tensor) -> bool:
    shapes = weights.shape, values.shape
    return shapes[0].is_fully_defined() and shapes[1].is_fully_defined() and shapes[0].is_compatible_with(shapes[1])
