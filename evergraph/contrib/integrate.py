"""tf.contrib.integrate: ordinary differential equations, by Runge-Kutta methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import where
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import cast, sqrt, square
from evergraph.frontend.reduce import reduce_all, reduce_mean
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.math.elementwise import equal, greater, less, less_equal, logical_and, maximum, minimum
from evergraph.ops.math.elementwise import pow_ as power

# The pair of orders 5 and 4 of Dormand and Prince (1980): times, weights of each stage, of the result, of its error.
_TIMES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_RESULT = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0)
_ERROR = (35 / 384 - 1951 / 21600, 0.0, 500 / 1113 - 22642 / 50085, 125 / 192 - 451 / 720,
          -2187 / 6784 + 12231 / 42400, 11 / 84 - 649 / 6300, -1 / 60)
# The value in the middle of a step, of order 4 (Shampine, 1986).
_MIDDLE = (6025192743 / 30085553152 / 2, 0.0, 51252292925 / 65400821598 / 2, -2691868925 / 45128329728 / 2,
           187940372067 / 1594534317056 / 2, -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2)


class _State(NamedTuple):
    """Where an integration is: the value and slope at t1, the last step from t0 to t1, the next step's size, and the
    polynomial of the last step."""

    y1: Any
    f1: Any
    t0: Any
    t1: Any
    dt: Any
    coefficients: Any


class _History(NamedTuple):
    """What is told of an integration: how often the function was called, the ends and the errors of all steps."""

    count: Any
    points: Any
    ratios: Any
    steps: Any


def _combined(factor: Any, weights: Any, slopes: list[Any]) -> Any:
    products = [cast(factor * weight, slope.dtype) * slope for weight, slope in zip(weights, slopes) if weight]
    return sum(products[1:], products[0])


def _runge_kutta(func: Callable, y0: Any, f0: Any, t0: Any, dt: Any) -> tuple[Any, Any, Any, list[Any]]:
    """One step: (the new value, its slope, an estimate of its error, the slopes of all stages)."""
    slopes, y = [f0], y0
    for time, weights in zip(_TIMES, _STAGES):
        y = y0 + _combined(dt, weights, slopes)
        slopes.append(convert_to_tensor(func(y, t0 + time * dt), y0.dtype))
    return y, slopes[-1], _combined(dt, _ERROR, slopes), slopes


def _interp_fit(y0: Any, y1: Any, y_mid: Any, f0: Any, f1: Any, dt: Any) -> list[Any]:
    """The coefficients, the highest first, of the polynomial of order 4 with these values and slopes at 0 and 1, and
    the middle value at 1/2; slopes are by time, and the step takes `dt`."""
    y0, y1, y_mid, f0, f1 = (convert_to_tensor(each) for each in (y0, y1, y_mid, f0, f1))
    dt = cast(dt, y0.dtype)
    return [2.0 * dt * (f1 - f0) - 8.0 * (y1 + y0) + 16.0 * y_mid,
            dt * (5.0 * f0 - 3.0 * f1) + 18.0 * y0 + 14.0 * y1 - 32.0 * y_mid,
            dt * (f1 - 4.0 * f0) - 11.0 * y0 - 5.0 * y1 + 16.0 * y_mid,
            dt * f0, y0]


def _interp_evaluate(coefficients: Any, t0: Any, t1: Any, t: Any) -> Any:
    """The polynomial of a step from t0 to t1 at a time between them, or the step of the session fails."""
    coefficients = [convert_to_tensor(each) for each in coefficients]
    t0, t1, t = (convert_to_tensor(each) for each in (t0, t1, t))
    t0, t1, t = (cast(each, t1.dtype) for each in (t0, t1, t))
    inside = Assert(logical_and(less_equal(t0, t), less_equal(t, t1)), ["the time is not in the step", t0, t, t1])
    with control_dependencies([inside]):
        x = cast((t - t0) / (t1 - t0), coefficients[0].dtype)
    total = coefficients[0]
    for each in coefficients[1:]:
        total = total * x + each
    return total


def _optimal_step_size(last_step: Any, error_ratio: Any, safety: Any = 0.9, ifactor: Any = 10.0, dfactor: Any = 0.2,
                       order: int = 5, name: str | None = None) -> Any:
    """The size of the next step: at most `ifactor` times the last one, at least `dfactor` times, or as large after a
    step that was good enough."""
    with name_scope(name, "optimal_step_size", [last_step, error_ratio]):
        error_ratio = cast(error_ratio, last_step.dtype)
        is_good = less(error_ratio, convert_to_tensor(1.0, last_step.dtype))
        most = where(is_good, convert_to_tensor(1.0, last_step.dtype), cast(1.0 / dfactor, last_step.dtype))
        safe = where(equal(error_ratio, 0.0), array.ones_like(error_ratio), error_ratio)
        wanted = power(safe, cast(1.0 / order, last_step.dtype)) / cast(safety, last_step.dtype)
        wanted = where(equal(error_ratio, 0.0), array.zeros_like(wanted), wanted)
        return last_step / minimum(maximum(wanted, cast(1.0 / ifactor, last_step.dtype)), most)


def _dopri5(func: Callable, y0: Any, t: Any, rtol: Any, atol: Any, full_output: bool, first_step: Any = None,
            safety: Any = 0.9, ifactor: Any = 10.0, dfactor: Any = 0.2, max_num_steps: int = 1000) -> Any:
    kind = t.dtype
    safety, ifactor, dfactor = (convert_to_tensor(each, dtypes.float64) for each in (safety, ifactor, dfactor))

    def one_step(state: _State, history: _History, taken: Any) -> Any:
        y0, f0, _, t0, dt, old = state
        enough = Assert(less(taken, max_num_steps), ["max_num_steps exceeded: too many steps between two times"])
        with control_dependencies([enough, Assert(greater(t0 + dt, t0), ["underflow in dt", dt])]):
            y1, f1, error, slopes = _runge_kutta(func, array.identity(y0), f0, t0, dt)
        allowed = cast(atol, y0.dtype.real_dtype) + cast(rtol, y0.dtype.real_dtype) * maximum(absolute(y0),
                                                                                             absolute(y1))
        ratio = sqrt(reduce_mean(square(absolute(error) / allowed)))
        good = less_equal(ratio, convert_to_tensor(1.0, ratio.dtype))
        middle = y0 + _combined(dt, _MIDDLE, slopes)
        fitted = _interp_fit(y0, y1, middle, f0, f1, dt)
        chosen = lambda new, old: where(broadcast_to(good, array.shape(new)), new, old)
        following = _State(chosen(y1, y0), chosen(f1, f0), where(good, t0, state.t0), where(good, t0 + dt, t0),
                           _optimal_step_size(dt, ratio, safety, ifactor, dfactor),
                           [chosen(new, before) for new, before in zip(fitted, old)])
        for new, before in zip((*following[:5], *following.coefficients), (*state[:5], *state.coefficients)):
            new.set_shape(before.shape)
        return following, _History(history.count + len(_TIMES), history.points.write(history.steps, t0 + dt),
                                   history.ratios.write(history.steps, ratio), history.steps + 1), taken + 1

    def until(target: Any, state: _State, history: _History) -> Any:
        """The integration until a time is reached, and the value there."""
        state, history, _ = while_loop(lambda state, history, taken: greater(target, state.t1), one_step,
                                       (state, history, convert_to_tensor(0)))
        return state, history, _interp_evaluate(state.coefficients, state.t0, state.t1, target)

    count = array.shape(t)[0]
    ordered = Assert(reduce_all(greater(t[1:], t[:-1])), ["`t` must be monotonic increasing", t])
    with control_dependencies([ordered]):
        t = array.identity(t)
    first = convert_to_tensor(func(y0, t[0]), y0.dtype)
    state = _State(y0, first, t[0], t[0], cast(1.0 if first_step is None else first_step, kind), [y0] * 5)
    growing = {"size": 0, "dynamic_size": True, "element_shape": []}
    history = _History(convert_to_tensor(1), TensorArray(kind, name="integrate_points", **growing),
                       TensorArray(y0.dtype.real_dtype, name="error_ratio", **growing), convert_to_tensor(0))
    values = TensorArray(y0.dtype, size=count, name="y", element_shape=y0.shape).write(0, y0)

    def next_time(values: Any, state: _State, history: _History, at: Any) -> Any:
        state, history, y = until(t[at], state, history)
        return values.write(at, y), state, history, at + 1

    values, _, history, _ = while_loop(lambda values, state, history, at: less(at, count), next_time,
                                       (values, state, history, convert_to_tensor(1)))
    y = values.stack(name="odeint")
    y.set_shape(t.shape.concatenate(y0.shape))
    if not full_output:
        return y
    return y, {"num_func_evals": history.count, "integrate_points": history.points.stack(),
               "error_ratio": history.ratios.stack()}


@export("contrib.integrate.odeint")
def odeint(func: Callable, y0: Any, t: Any, rtol: Any = 1e-6, atol: Any = 1e-12, method: str | None = None,
           options: Any = None, full_output: bool = False, name: str | None = None) -> Any:
    """Integrates dy/dt = func(y, t) from y(t[0]) = y0, by the method of Dormand and Prince with steps of varying size.

    >>> y = tf.contrib.integrate.odeint(lambda y, t: -y, tf.constant(1.0), [0.0, 1.0, 2.0])

    Args:
        func: a function of a tensor y and a scalar t to the slope, a tensor like y.
        y0: the value at t[0], of floating-point or complex numbers.
        t: the times of the values wanted, increasing.
        rtol: the relative error allowed in each step.
        atol: the absolute error allowed in each step.
        method: "dopri5", the only one.
        options: a dict with some of first_step, safety, ifactor, dfactor and max_num_steps (between two times).
        full_output: whether to return a dict with num_func_evals, integrate_points and error_ratio as well.
        name: a name for the operations.

    Returns:
        The values, [times, shape of y0]; with `full_output` (values, dict).

    Raises:
        TypeError: y0 or t are not of such numbers.
        ValueError: there are options without a method, or the method is another.
    """
    if method is None:
        if options is not None:
            raise ValueError("cannot supply `options` without specifying `method`")
    elif method != "dopri5":
        raise ValueError(f"the method of odeint is dopri5, not {method!r}")
    with name_scope(name, "odeint", [y0, t, rtol, atol]):
        y0 = convert_to_tensor(y0, name="y0")
        if not (y0.dtype.is_floating or y0.dtype.is_complex):
            raise TypeError(f"`y0` must have a floating point or complex dtype, not {y0.dtype.name}")
        t = convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        if not t.dtype.is_floating:
            raise TypeError(f"`t` must have a floating point dtype, not {t.dtype.name}")
        rtol, atol = (convert_to_tensor(each, preferred_dtype=dtypes.float64) for each in (rtol, atol))
        return _dopri5(func, y0, t, rtol, atol, full_output, **(options or {}))


def _midpoint(func: Callable, y: Any, t: Any, dt: Any) -> Any:
    step = cast(dt, y.dtype)
    return step * func(y + 0.5 * step * func(y, t), t + 0.5 * dt)


def _rk4(func: Callable, y: Any, t: Any, dt: Any) -> Any:
    step = cast(dt, y.dtype)
    k1 = func(y, t)
    k2 = func(y + 0.5 * step * k1, t + 0.5 * dt)
    k3 = func(y + 0.5 * step * k2, t + 0.5 * dt)
    k4 = func(y + step * k3, t + dt)
    return step * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0


_FIXED = {"midpoint": _midpoint, "rk4": _rk4}


@export("contrib.integrate.odeint_fixed")
def odeint_fixed(func: Callable, y0: Any, t: Any, dt: Any = None, method: str = "rk4",
                 name: str | None = None) -> Any:
    """Integrates dy/dt = func(y, t) from y(t[0]) = y0, with steps of a fixed size.

    Args:
        func: a function of a tensor y and a scalar t to the slope, a tensor like y.
        y0: the value at t[0].
        t: the times of the values wanted, a vector.
        dt: the size of a step: a number, or one for each interval between times; by default an interval is a step.
        method: "midpoint" or "rk4", of order 2 and 4.
        name: a name for the operations.

    Returns:
        The values, [times, shape of y0].

    Raises:
        ValueError: there is no such method, or t and dt have other shapes.
    """
    if method not in _FIXED:
        raise ValueError(f"the methods of odeint_fixed are {sorted(_FIXED)}, not {method!r}")
    with name_scope(name, "odeint_fixed", [y0, t, dt]):
        y0 = convert_to_tensor(y0, name="y0")
        t = convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        if t.shape.ndims not in (None, 1):
            raise ValueError(f"t is a vector of times, not of the shape {t.shape}")
        intervals = t[1:] - t[:-1]
        steps = intervals if dt is None else cast(convert_to_tensor(dt), t.dtype)
        if steps.shape.ndims not in (None, 0, 1) or not (
                steps.shape.ndims == 0 or steps.shape.is_compatible_with(intervals.shape)):
            raise ValueError(f"dt is a number, or one for each of the intervals {intervals.shape}; it is {steps.shape}")
        steps = steps + array.zeros_like(intervals) if steps.shape.ndims == 0 else steps
        return _grid(func, y0, t, steps, _FIXED[method])


def _grid(func: Callable, y0: Any, t: Any, steps: Any, method: Callable) -> Any:
    count = array.shape(t)[0]
    slope = lambda y, time: convert_to_tensor(func(y, time), y0.dtype)
    # A rounding error more than a whole number of steps is no step of its own.
    nearly = np.asarray(1e-6, t.dtype.np)

    def interval(values: Any, y: Any, at: Any) -> Any:
        end, size = t[at + 1], steps[at]

        def step(time: Any, y: Any) -> Any:
            taken = where(less(end - time, size * (1.0 + nearly)), end - time, size)
            moved = y + method(slope, y, time, taken)
            moved.set_shape(y.shape)
            return where(less(end - time, size * (1.0 + nearly)), end, time + taken), moved

        _, y = while_loop(lambda time, y: less(time, end), step, (t[at], y))
        return values.write(at + 1, y), y, at + 1

    values = TensorArray(y0.dtype, size=count, element_shape=y0.shape).write(0, y0)
    values, _, _ = while_loop(lambda values, y, at: less(at, count - 1), interval, (values, y0, convert_to_tensor(0)))
    grid = values.stack()
    grid.set_shape(t.shape.concatenate(y0.shape))
    return grid
