"""Random numbers, in compiled programs on CPUs and on NumPy, and in programs the sine of many numbers.

The kernels are in native/draws.c and native/waves.c. NumPy makes a dozen arrays on the way to normal numbers. XLA has
no vectors for the sine, goes through all groups of truncated normal numbers, and all gamma and Poisson variables, until
the last one is found, and swaps two places of a shuffle by a scatter each time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, available_now, call, call_for_all, call_now
from evergraph.kernel.values import is_traced

NORMAL, TRUNCATED_NORMAL, PERMUTATION = "draws.normal", "draws.truncated_normal", "draws.permutation"
GAMMA, POISSON, CLASSES, _CANDIDATES = "draws.gamma", "draws.poisson", "draws.classes", "draws.candidates"
_SINE = "waves.sine"
LOG_UNIFORM, UNIFORM, WEIGHTED, COUNTED = range(4)  # distributions of candidates, as in native/candidates.h
_MANY = 256  # numbers; a call costs more than it saves below that
_PRODUCTS = 16  # of numbers take about as long as it takes to draw one


def takes(kernel: str, state: Any, count: int) -> bool:
    """Whether a kernel draws so many numbers from a state: as many in programs as on NumPy, so that these agree."""
    return count >= _MANY and (available(kernel) if is_traced(state) else available_now(kernel))


def floats(kernel: str, state: Any, shape: Sequence[int]) -> Any:
    """Numbers of one of the distributions: float32."""
    return _drawn(kernel, shape, np.float32, [state], [math.prod(shape)])


def variables(kernel: str, state: Any, parameters: Any, samples: int) -> Any:
    """Samples of the distribution with each of the parameters, which are float64: [samples, parameters]."""
    count = parameters.shape[0]
    return _drawn(kernel, [samples, count], np.float64, [state, parameters], [samples, count])


def permutation(state: Any, size: int) -> Any:
    """The order in which a shuffle puts `size` things: int32."""
    return _drawn(PERMUTATION, [size], np.int32, [state], [size])


def classes(weights: Any, parts: Any) -> Any:
    """The first class in each row at which the running sum of weights is above each part of the whole sum: int32."""
    return _drawn(CLASSES, parts.shape, np.int32, [weights, parts], [*weights.shape, parts.shape[1]])


def _drawn(kernel: str, shape: Sequence[int], dtype: Any, operands: Sequence[Any], numbers: Sequence[int]) -> Any:
    """What a kernel draws: in the program that is being traced, or at once."""
    if any(is_traced(each) for each in operands):
        return call(kernel, shape, dtype, operands, numbers)
    given = np.array(numbers, np.int64).tobytes()
    return call_now(kernel, [shape], operands, given, _PRODUCTS * math.prod(shape), dtype)[0]


def takes_candidates(count: int, range_max: int, unique: bool) -> bool:
    """Whether the kernel draws so many candidates: where most draws find a new one, as it cannot be interrupted."""
    return (not unique or 2 * count <= range_max) and available(_CANDIDATES)


def candidates(
    state: Any, true_classes: Any, count: int, range_max: int, unique: bool, distribution: int
) -> Sequence[Any]:
    """Classes from a distribution, and the expected counts of the true classes and of those drawn.

    The distribution is LOG_UNIFORM or UNIFORM.
    """
    results = [([count], np.int64), (true_classes.shape, np.float32), ([count], np.float32)]
    numbers = [count, range_max, unique, true_classes.size, distribution]
    return call_for_all(_CANDIDATES, results, [state, true_classes], numbers)


def takes_angles(x: Any) -> bool:
    """Whether the kernel computes the sine of these numbers: traced, float32, many."""
    return is_traced(x) and np.dtype(x.dtype) == np.float32 and x.size >= _MANY and available(_SINE)


def sine(x: Any, quarters: int) -> Any:
    """The sine of `x` after so many quarter turns: 0 for the sine, 1 for the cosine."""
    import jax

    fast = jax.custom_vjp(lambda x: call(_SINE, x.shape, np.float32, [x], [x.size, quarters]))
    slope = (lambda x: sine(x, 1)) if quarters == 0 else (lambda x: -sine(x, 0))
    fast.defvjp(lambda x: (fast(x), x), lambda x, dy: (slope(x) * dy,))
    return fast(x)
