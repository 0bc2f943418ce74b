"""Learning rates that change with the global step.

With eager execution the schedules return functions, which optimizers call for the rate at every step.
"""
from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import cast
from evergraph.frontend.random import random_normal
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise as ops


def _scheduled(default_name: str, name: str | None, learning_rate: Any, global_step: Any, numbers: dict[str, Any],
               rate_at: Callable[..., Tensor]) -> Any:
    """`rate_at(learning_rate, step, scope, **numbers)`, with everything in the dtype of the learning rate."""
    if global_step is None:
        raise ValueError(f"global_step is required for {default_name}.")
    now = functools.partial(_scheduled_now, default_name, name, learning_rate, global_step, numbers, rate_at)
    return now if default_graph().is_eager else now()


def _scheduled_now(default_name: str, name: str | None, learning_rate: Any, global_step: Any, numbers: dict[str, Any],
                   rate_at: Callable[..., Tensor]) -> Tensor:
    with name_scope(name or default_name) as scope:
        learning_rate = convert_to_tensor(learning_rate, name="initial_learning_rate")
        dtype = learning_rate.dtype.base_dtype
        numbers = {key: cast(value, dtype) for key, value in numbers.items()}
        return rate_at(learning_rate, cast(global_step, dtype), scope, **numbers)


@export("train.exponential_decay")
def exponential_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                      name: str | None = None) -> Tensor:
    """Exponential decay: learning_rate * decay_rate ** (global_step / decay_steps).

    >>> step = tf.train.get_or_create_global_step()
    >>> rate = tf.train.exponential_decay(0.1, step, decay_steps=1000, decay_rate=0.5, staircase=True)

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        decay_steps: the number of steps after which the rate has been multiplied by `decay_rate`.
        decay_rate: the factor.
        staircase: rounds the exponent down to an integer, so that the rate falls in discrete steps.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor, decay_rate: Tensor) -> Tensor:
        periods = step / decay_steps
        return ops.mul(start, ops.pow_(decay_rate, ops.floor(periods) if staircase else periods), name=scope)
    return _scheduled("ExponentialDecay", name, learning_rate, global_step,
                      {"decay_steps": decay_steps, "decay_rate": decay_rate}, rate_at)


@export("train.natural_exp_decay")
def natural_exp_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                      name: str | None = None) -> Tensor:
    """Exponential decay with base e: learning_rate * exp(-decay_rate * global_step / decay_steps).

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        decay_steps: the number of steps after which the rate has been multiplied by exp(-decay_rate).
        decay_rate: the rate of the decay.
        staircase: rounds global_step / decay_steps down to an integer.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
    """
    return exponential_decay(learning_rate, global_step, decay_steps, ops.exp(ops.neg(decay_rate)), staircase, name)


@export("train.inverse_time_decay")
def inverse_time_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                       name: str | None = None) -> Tensor:
    """Inverse time decay: learning_rate / (1 + decay_rate * global_step / decay_steps).

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        decay_steps: the number of steps in one unit of time.
        decay_rate: the rate of the decay.
        staircase: rounds global_step / decay_steps down to an integer.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor, decay_rate: Tensor) -> Tensor:
        periods = step / decay_steps
        grown = ops.mul(decay_rate, ops.floor(periods) if staircase else periods)
        return ops.real_div(start, cast(constant(1), start.dtype) + grown, name=scope)
    return _scheduled("InverseTimeDecay", name, learning_rate, global_step,
                      {"decay_steps": decay_steps, "decay_rate": decay_rate}, rate_at)


@export("train.polynomial_decay")
def polynomial_decay(learning_rate: Any, global_step: Any, decay_steps: Any, end_learning_rate: Any = 0.0001,
                     power: Any = 1.0, cycle: bool = False, name: str | None = None) -> Tensor:
    """Polynomial decay from `learning_rate` to `end_learning_rate` within `decay_steps`; linear decay with power 1.

    The rate is (learning_rate - end_learning_rate) * (1 - step / decay_steps) ** power + end_learning_rate, where step
    is min(global_step, decay_steps).

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        decay_steps: the number of steps until the rate is `end_learning_rate`.
        end_learning_rate: the final learning rate.
        power: the exponent.
        cycle: raises the rate again whenever it has reached the end: from then on, decay_steps is the next multiple of
            the given number that is not below global_step.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
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
def piecewise_constant(x: Any, boundaries: list[Any], values: list[Any], name: str | None = None) -> Any:
    """A piecewise constant schedule: values[0] while x <= boundaries[0], values[1] while x <= boundaries[1], and so on.

    >>> step = tf.train.get_or_create_global_step()
    >>> rate = tf.train.piecewise_constant(step, boundaries=[1000, 5000], values=[0.1, 0.01, 0.001])

    Args:
        x: the current step, a scalar.
        boundaries: increasing numbers of the dtype of `x`; int32 numbers are cast to int64 for an int64 `x`.
        values: one more than there are boundaries, all of one dtype.
        name: the name of the operations.

    Raises:
        ValueError: the numbers of boundaries and values do not fit, or their dtypes.
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("there must be one boundary less than there are values")
    now = functools.partial(_piece_at, x, boundaries, values, name)
    return now if default_graph().is_eager else now()


def _piece_at(x: Any, boundaries: list[Any], values: list[Any], name: str | None) -> Tensor:
    """The piece of a piecewise constant schedule that x is in."""
    bounds, pieces = [convert_to_tensor(b) for b in boundaries], [convert_to_tensor(v) for v in values]
    x = convert_to_tensor(x)
    for i, bound in enumerate(bounds):
        if bound.dtype.base_dtype is not x.dtype.base_dtype:
            if bound.dtype.base_dtype is not dtypes.int32 or x.dtype.base_dtype is not dtypes.int64:
                raise ValueError(f"boundaries and x must agree in dtype, got {bound.dtype.name} and "
                                 f"{x.dtype.base_dtype.name}")
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
    """Cosine decay (Loshchilov and Hutter, 2016, without restarts): half a period of a cosine within `decay_steps`.

    The rate is learning_rate * ((1 - alpha) * (1 + cos(pi * step / decay_steps)) / 2 + alpha), where step is
    min(global_step, decay_steps).

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        decay_steps: the number of steps until the rate is alpha * learning_rate.
        alpha: the final learning rate as a fraction of the initial one.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
    """
    def rate_at(start: Tensor, step: Tensor, scope: str, decay_steps: Tensor) -> Tensor:
        done = ops.minimum(step, decay_steps) / decay_steps
        wave = 0.5 * (1.0 + ops.cos(constant(math.pi, start.dtype) * done))
        return ops.mul(start, (1 - alpha) * wave + alpha)
    return _scheduled("CosineDecay", name, learning_rate, global_step, {"decay_steps": decay_steps}, rate_at)


@export("train.cosine_decay_restarts")
def cosine_decay_restarts(learning_rate: Any, global_step: Any, first_decay_steps: Any, t_mul: Any = 2.0,
                          m_mul: Any = 1.0, alpha: Any = 0.0, name: str | None = None) -> Tensor:
    """Cosine decay with warm restarts, SGDR (Loshchilov and Hutter, 2016).

    Each period is a `tf.train.cosine_decay`, after which the rate is raised again.

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        first_decay_steps: the number of steps in the first period.
        t_mul: the length of a period divided by that of the period before.
        m_mul: the initial rate of a period divided by that of the period before.
        alpha: the rate at the end of a period as a fraction of `learning_rate`.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
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
    """Linear cosine decay (Bello et al., 2017): a linear decay times a cosine.

    The rate is learning_rate * ((alpha + linear) * cosine + beta), where

        step = min(global_step, decay_steps)
        linear = (decay_steps - step) / decay_steps
        cosine = (1 + cos(2 * pi * num_periods * step / decay_steps)) / 2

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        decay_steps: the number of steps of the decay.
        num_periods: the number of periods of the cosine within `decay_steps`.
        alpha: see the formula.
        beta: see the formula.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
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
    """Linear cosine decay with noise (Bello et al., 2017): `tf.train.linear_cosine_decay` with noise added to linear.

    The noise is normal with mean 0 and variance initial_variance / (1 + step) ** variance_decay.

    Args:
        learning_rate: the initial learning rate.
        global_step: the current step, a scalar integer tensor or variable.
        decay_steps: the number of steps of the decay.
        initial_variance: the variance of the noise in step 0.
        variance_decay: the exponent by which the variance falls.
        num_periods: the number of periods of the cosine within `decay_steps`.
        alpha: see `tf.train.linear_cosine_decay`.
        beta: see `tf.train.linear_cosine_decay`.
        name: the name of the operations.

    Returns:
        A scalar of the dtype of `learning_rate`.

    Raises:
        ValueError: `global_step` is None.
    """
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
