"""Sine, cosine and their inverses, and the arctangent, of many float32 numbers on CPUs.

XLA reduces every angle as if it were huge, which takes ten times as long as TensorFlow. Angles below 1e5 are reduced
here in float64 by multiples of a quarter turn, and a polynomial gives the rest, to 1e-7. An array with a larger angle,
an infinity or NaN goes to XLA's own functions. Where there is a kernel in C, it does the same with vectors.

XLA's arctangent takes as long, and so do the arcsine and arccosine that it makes of it. Here the argument of the first
is brought below tan(pi / 8), and that of the others below 1/2, where polynomials are good to 1e-7.
"""

from __future__ import annotations

import numpy as np

from evergraph.kernel import native_draws
from evergraph.kernel.fence import on_cpu

_MANY = 4096
_HUGE = 1e5
_HIGH, _LOW = 1.5707963267341256, 6.077100506506192e-11  # a quarter turn in two parts, the first with 33 bits
_SINE = (-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4)
_ARCTANGENT = (-3.33329491539e-1, 1.99777106478e-1, -1.38776856032e-1, 8.05374449538e-2)
_ARCSINE = (1.6666666317e-1, 7.5000987323e-2, 4.4598039036e-2, 3.1116094216e-2, 1.7078108247e-2, 3.3805386323e-2)
_COSINE = (4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5)


def sine(xp, x, quarters):
    """The sine of `x` after so many quarter turns: 0 for the sine, 1 for the cosine."""
    slow = (xp.sin, xp.cos)[quarters]
    if native_draws.takes_angles(x):
        return native_draws.sine(x, quarters)
    if not _is_many(xp, x):
        return slow(x)
    import jax

    return jax.lax.cond(xp.all(xp.abs(x) < _HUGE), lambda x: _fast(xp, x, quarters), slow, x)


def _fast(xp, x, quarters):
    angle = x.astype(np.float64)
    turns = xp.round(angle * (2 / np.pi))
    rest = ((angle - turns * _HIGH) - turns * _LOW).astype(np.float32)
    quarter, square = turns.astype(np.int32) + quarters, rest * rest
    sine = rest + rest * square * _polynomial(_SINE, square)
    cosine = 1 - np.float32(0.5) * square + square * square * _polynomial(_COSINE, square)
    wave = xp.where(quarter & 1, cosine, sine)
    return xp.where(quarter & 2, -wave, wave)


def arctangent(xp, x):
    """The angle in (-pi/2, pi/2) that has the tangent `x`."""
    if not _is_many(xp, x):
        return xp.arctan(x)
    return xp.copysign(_angle_of(xp, xp.abs(x)), x)


def arctangent_of_point(xp, y, x):
    """The angle of the point (x, y) in [-pi, pi]."""
    if not _is_many(xp, y) or not _is_many(xp, x):
        return xp.arctan2(y, x)
    across, up = xp.abs(x), xp.abs(y)
    larger, smaller = xp.maximum(across, up), xp.minimum(across, up)
    ratio = xp.where(larger == smaller, larger == larger, smaller / larger).astype(np.float32)
    angle = _angle_of(xp, xp.where(larger == 0, larger, ratio))
    angle = xp.where(up > across, np.float32(np.pi / 2) - angle, angle)
    return xp.copysign(xp.where(xp.signbit(x), np.float32(np.pi) - angle, angle), y)


def arcsine(xp, x):
    """The angle in [-pi/2, pi/2] that has the sine `x`."""
    if not _is_many(xp, x):
        return xp.arcsin(x)
    large, angle = _angle_of_sine(xp, xp.abs(x))
    return xp.copysign(xp.where(large, np.float32(np.pi / 2) - 2 * angle, angle), x)


def arccosine(xp, x):
    """The angle in [0, pi] that has the cosine `x`."""
    if not _is_many(xp, x):
        return xp.arccos(x)
    large, angle = _angle_of_sine(xp, xp.abs(x))
    outer = xp.where(x < 0, np.float32(np.pi) - 2 * angle, 2 * angle)
    return xp.where(large, outer, np.float32(np.pi / 2) - xp.copysign(angle, x))


def _angle_of_sine(xp, sine):
    """(whether a sine in [0, 1] is above 1/2, its angle or, if so, half of the angle to a quarter turn)."""
    large = sine > np.float32(0.5)
    square = xp.where(large, np.float32(0.5) * (1 - sine), sine * sine)
    root = xp.where(large, xp.sqrt(square), sine)
    return large, root + root * square * _polynomial(_ARCSINE, square)


def _is_many(xp, x):
    """Whether XLA computes a function of these numbers on CPUs, and they are many."""
    return xp is not np and np.dtype(x.dtype) == np.float32 and x.size >= _MANY and on_cpu()


def _angle_of(xp, tangent):
    """The angle in [0, pi/2] that has this tangent."""
    steep, wide = tangent > np.float32(2.414213562373095), tangent > np.float32(0.4142135623730950)
    base = xp.where(steep, np.float32(np.pi / 2), xp.where(wide, np.float32(np.pi / 4), np.float32(0)))
    rest = xp.where(steep, -1 / tangent, xp.where(wide, (tangent - 1) / (tangent + 1), tangent))
    square = rest * rest
    return base + (rest * square * _polynomial(_ARCTANGENT, square) + rest)


def _polynomial(coefficients, x):
    total = np.float32(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * x + np.float32(coefficient)
    return total
