"""Sine and cosine of many float32 numbers on CPUs.

XLA reduces every angle as if it were huge, which takes ten times as long as TensorFlow. Angles below 1e5 are reduced
here in float64 by multiples of a quarter turn, and a polynomial gives the rest, to 1e-7. An array with a larger angle,
an infinity or NaN goes to XLA's own functions. Where there is a kernel in C, it does the same with vectors.
"""

from __future__ import annotations

import numpy as np

from evergraph.kernel import native_draws
from evergraph.kernel.fence import on_cpu

_MANY = 4096
_HUGE = 1e5
_HIGH, _LOW = 1.5707963267341256, 6.077100506506192e-11  # a quarter turn in two parts, the first with 33 bits
_SINE = (-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4)
_COSINE = (4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5)


def sine(xp, x, quarters):
    """The sine of `x` after so many quarter turns: 0 for the sine, 1 for the cosine."""
    slow = (xp.sin, xp.cos)[quarters]
    if native_draws.takes_angles(x):
        return native_draws.sine(x, quarters)
    if xp is np or np.dtype(x.dtype) != np.float32 or x.size < _MANY or not on_cpu():
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


def _polynomial(coefficients, x):
    total = np.float32(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * x + np.float32(coefficient)
    return total
