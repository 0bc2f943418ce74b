"""Learning rates that change with the global step."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import cast
from evergraph.frontend.random import random_normal
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise as ops


def _scheduled(default_name: str, name: str | None, learning_rate: Any, global_step: Any, numbers: dict[str, Any],
               rate_at: Callable[..., Tensor]) -> Tensor:
    """`rate_at(learning_rate, step, scope, **numbers)`, with everything in the dtype of the learning rate."""
    if global_step is None:
        raise ValueError(f"global_step is required for {default_name}.")
    with name_scope(name or default_name) as scope:
        learning_rate = convert_to_tensor(learning_rate, name="initial_learning_rate")
        dtype = learning_rate.dtype.base_dtype
        numbers = {key: cast(value, dtype) for key, value in numbers.items()}
        return rate_at(learning_rate, cast(global_step, dtype), scope, **numbers)


@export("train.exponential_decay")
def exponential_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                      name: str | None = None) -> Tensor:
    """learning_rate * decay_rate ** (global_step / decay_steps).

    Args:
        learning_rate: where it starts.
        global_step: the step, as a scalar.
        decay_steps: after so many steps the rate is multiplied by `decay_rate`.
        decay_rate: the factor.
        staircase: lets the exponent grow by whole numbers only.
        name: of the operations.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor, decay_rate: Tensor) -> Tensor:
        periods = step / decay_steps
        return ops.mul(start, ops.pow_(decay_rate, ops.floor(periods) if staircase else periods), name=scope)
    return _scheduled("ExponentialDecay", name, learning_rate, global_step,
                      {"decay_steps": decay_steps, "decay_rate": decay_rate}, rate_at)


@export("train.natural_exp_decay")
def natural_exp_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                      name: str | None = None) -> Tensor:
    """learning_rate * exp(-decay_rate * global_step / decay_steps); see `tf.train.exponential_decay`."""
    return exponential_decay(learning_rate, global_step, decay_steps, ops.exp(ops.neg(decay_rate)), staircase, name)


@export("train.inverse_time_decay")
def inverse_time_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                       name: str | None = None) -> Tensor:
    """learning_rate / (1 + decay_rate * global_step / decay_steps); see `tf.train.exponential_decay`."""
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor, decay_rate: Tensor) -> Tensor:
        periods = step / decay_steps
        grown = ops.mul(decay_rate, ops.floor(periods) if staircase else periods)
        return ops.real_div(start, constant(1, start.dtype) + grown, name=scope)
    return _scheduled("InverseTimeDecay", name, learning_rate, global_step,
                      {"decay_steps": decay_steps, "decay_rate": decay_rate}, rate_at)


@export("train.polynomial_decay")
def polynomial_decay(learning_rate: Any, global_step: Any, decay_steps: Any, end_learning_rate: Any = 0.0001,
                     power: Any = 1.0, cycle: bool = False, name: str | None = None) -> Tensor:
    """Falls from `learning_rate` to `end_learning_rate` within `decay_steps`, along a power of the steps left.

    Args:
        learning_rate: where it starts.
        global_step: the step, as a scalar.
        decay_steps: how long the way is.
        end_learning_rate: where it ends.
        power: 1 is a straight line.
        cycle: goes up again when it has reached the end, over a longer and longer way.
        name: of the operations.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, end: Tensor, power: Tensor, decay_steps: Tensor) -> Tensor:
        if cycle:
            # The first way begins at step 0, where there is nothing to round up.
            rounds = ops.select(ops.equal(step, 0.0), constant(1.0, start.dtype), ops.ceil(step / decay_steps))
            decay_steps = ops.mul(decay_steps, rounds)
        else:
            step = ops.minimum(step, decay_steps)
        left = ops.pow_(1 - step / decay_steps, power)
        return ops.add_v2(ops.mul(start - end, left), end, name=scope)
    return _scheduled("PolynomialDecay", name, learning_rate, global_step,
                      {"end": end_learning_rate, "power": power, "decay_steps": decay_steps}, rate_at)


@export("train.piecewise_constant", "train.piecewise_constant_decay")
def piecewise_constant(x: Any, boundaries: list[Any], values: list[Any], name: str | None = None) -> Tensor:
    """values[0] up to boundaries[0], then values[1] up to boundaries[1], and so on.

    Args:
        x: the step, as a scalar.
        boundaries: increasing, of the dtype of `x`.
        values: one more than there are boundaries, all of one dtype.
        name: of the operations.

    Raises:
        ValueError: the numbers of boundaries and values do not fit, or their dtypes.
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("there must be one boundary less than there are values")
    bounds, pieces = [convert_to_tensor(b) for b in boundaries], [convert_to_tensor(v) for v in values]
    x = convert_to_tensor(x)
    for i, bound in enumerate(bounds):
        if bound.dtype.base_dtype is not x.dtype.base_dtype:
            if bound.dtype.base_dtype is not dtypes.int32 or x.dtype.base_dtype is not dtypes.int64:
                raise ValueError(f"Boundaries ({bound.dtype.name}) must have the same dtype as x "
                                 f"({x.dtype.base_dtype.name}).")
            bounds[i] = cast(bound, x.dtype.base_dtype)
    if any(p.dtype.base_dtype is not pieces[0].dtype.base_dtype for p in pieces):
        raise ValueError(f"the values must have the same dtype, got {[p.dtype.name for p in pieces]}")
    with name_scope(name, "PiecewiseConstant"):
        result = pieces[-1]
        for bound, piece in zip(reversed(bounds), reversed(pieces[:-1]), strict=True):
            result = ops.select(ops.less_equal(x, bound), piece, result)
        return result


# ---- along a cosine

@export("train.cosine_decay")
def cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0,
                 name: str | None = None) -> Tensor:
    """Falls along half a cosine to `alpha * learning_rate` within `decay_steps`.

    Args:
        learning_rate: where it starts.
        global_step: the step, as a scalar.
        decay_steps: how long the way is.
        alpha: the part of the learning rate that is left in the end.
        name: of the operations.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor) -> Tensor:
        done = ops.minimum(step, decay_steps) / decay_steps
        wave = 0.5 * (1.0 + ops.cos(constant(math.pi, start.dtype) * done))
        return ops.mul(start, (1 - alpha) * wave + alpha)
    return _scheduled("CosineDecay", name, learning_rate, global_step, {"decay_steps": decay_steps}, rate_at)


@export("train.cosine_decay_restarts")
def cosine_decay_restarts(learning_rate: Any, global_step: Any, first_decay_steps: Any, t_mul: Any = 2.0,
                          m_mul: Any = 1.0, alpha: Any = 0.0, name: str | None = None) -> Tensor:
    """Cosine decay that starts again and again.

    Args:
        learning_rate: where it starts.
        global_step: the step, as a scalar.
        first_decay_steps: how long the first way is.
        t_mul: each way is so many times as long as the one before.
        m_mul: each starts at so much of the rate of the one before.
        alpha: the part of the learning rate that is left at the end of each.
        name: of the operations.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, first: Tensor, alpha: Tensor, t_mul: Tensor,
                m_mul: Tensor) -> Tensor:
        restarts, done = _restarts(step / first, t_mul)
        wave = 0.5 * m_mul ** restarts * (1.0 + ops.cos(constant(math.pi, start.dtype) * done))
        return ops.mul(start, (1 - alpha) * wave + alpha, name=scope)
    return _scheduled("SGDRDecay", name, learning_rate, global_step,
                      {"first": first_decay_steps, "alpha": alpha, "t_mul": t_mul, "m_mul": m_mul}, rate_at)


def _restarts(ways: Tensor, t_mul: Tensor) -> tuple[Tensor, Tensor]:
    """How often it started again after so many first ways, and how far it has come since then."""
    even = ops.equal(t_mul, 1.0)
    safe = ops.select(even, constant(2.0, t_mul.dtype), t_mul)  # the logarithm of 1 must not be divided by
    growing = ops.floor(ops.log(1.0 - ways * (1.0 - safe)) / ops.log(safe))
    before = (1.0 - safe ** growing) / (1.0 - safe)
    restarts = ops.select(even, ops.floor(ways), growing)
    return restarts, ops.select(even, ways - ops.floor(ways), (ways - before) / safe ** growing)


@export("train.linear_cosine_decay")
def linear_cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any, num_periods: Any = 0.5,
                        alpha: Any = 0.0, beta: Any = 0.001, name: str | None = None) -> Tensor:
    """learning_rate * ((alpha + linear) * cosine + beta), where both fall from 1 within `decay_steps`.

    Args:
        learning_rate: where it starts.
        global_step: the step, as a scalar.
        decay_steps: how long the way is.
        num_periods: how many periods of the cosine lie on the way.
        alpha: added to the straight line.
        beta: added in the end.
        name: of the operations.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor, num_periods: Tensor, alpha: Tensor,
                beta: Tensor) -> Tensor:
        step = ops.minimum(step, decay_steps)
        line = (decay_steps - step) / decay_steps
        return _waving(start, line, step, decay_steps, num_periods, alpha, beta, scope)
    return _scheduled("LinearCosineDecay", name, learning_rate, global_step,
                      {"decay_steps": decay_steps, "num_periods": num_periods, "alpha": alpha, "beta": beta}, rate_at)


@export("train.noisy_linear_cosine_decay")
def noisy_linear_cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any, initial_variance: Any = 1.0,
                              variance_decay: Any = 0.55, num_periods: Any = 0.5, alpha: Any = 0.0, beta: Any = 0.001,
                              name: str | None = None) -> Tensor:
    """`tf.train.linear_cosine_decay` with noise of variance initial_variance / (1 + step) ** variance_decay."""
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor, initial_variance: Tensor,
                variance_decay: Tensor, num_periods: Tensor, alpha: Tensor, beta: Tensor) -> Tensor:
        step = ops.minimum(step, decay_steps)
        line = (decay_steps - step) / decay_steps
        spread = ops.sqrt(initial_variance / ops.pow_(1.0 + step, variance_decay))
        noisy = line + random_normal(line.shape, stddev=spread, dtype=start.dtype.base_dtype)
        return _waving(start, noisy, step, decay_steps, num_periods, alpha, beta, scope)
    return _scheduled("NoisyLinearCosineDecay", name, learning_rate, global_step,
                      {"decay_steps": decay_steps, "initial_variance": initial_variance,
                       "variance_decay": variance_decay, "num_periods": num_periods, "alpha": alpha, "beta": beta},
                      rate_at)


def _waving(start: Tensor, line: Tensor, step: Tensor, decay_steps: Tensor, num_periods: Tensor, alpha: Tensor,
            beta: Tensor, scope: str) -> Tensor:
    """A falling line times a cosine."""
    done = step / decay_steps
    wave = 0.5 * (1.0 + ops.cos(constant(math.pi, start.dtype) * (2.0 * num_periods * done)))
    return ops.mul(start, (alpha + line) * wave + beta, name=scope)
