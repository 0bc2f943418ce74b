"""Distributions that take more than a formula of uniform numbers: sampled by rejection, by search and by swaps.

As in `draws`, the numbers are those of TensorFlow's CPU kernels, run on one thread: with several, TensorFlow's own
multinomial and bounded normal numbers depend on how the rows were divided. Rejection consumes an unknown number of
words, so each value has blocks reserved for it.
"""
from __future__ import annotations

import functools
import math

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.kernel import native_draws
from evergraph.kernel.philox import blocks, runs, runs_at, stateless_words
from evergraph.kernel.values import array_module
from evergraph.ops.math.draws import RESERVED, box_muller, uniform, unit, words_per


def _quiet(function):
    """Silences NumPy's warnings about lanes that are already decided and compute something meaningless."""
    return functools.wraps(function)(np.errstate(all="ignore")(function))


def _repeat(xp, unfinished, step, carry):
    """Applies `step` to the carry while some lane is `unfinished`."""
    if xp is np:
        while unfinished(carry):
            carry = step(carry)
        return carry
    from jax import lax
    return lax.while_loop(unfinished, step, carry)


def _lanes(xp, parameter, samples):
    """The parameter of each output value, and the first block of its own; [samples, parameters], flat.

    Blocks are handed out parameter by parameter, while the values of one sample are neighbours in the output.
    """
    count = parameter.shape[0]
    sample = xp.repeat(xp.arange(samples, dtype=xp.uint64), count)
    which = xp.tile(xp.arange(count, dtype=xp.uint64), samples)
    start = (which * xp.uint64(samples) + sample) * xp.uint64(RESERVED)
    return xp.tile(parameter.astype(xp.float64), samples), start


def _natively(xp, kernel, state, parameters, samples):
    """Samples of a distribution by the C code, float64 [samples, parameters]; None without it."""
    shape, parameters = (samples, parameters.shape[0]), parameters.astype(xp.float64)
    if native_draws.takes(kernel, state, math.prod(shape)):
        return native_draws.variables(kernel, state, parameters, samples)
    if xp is not np or native.random is None:
        return None
    found = np.empty(shape)
    draw = native.random.gamma if kernel == native_draws.GAMMA else native.random.poisson
    draw(np.ascontiguousarray(state), np.ascontiguousarray(parameters), found)
    return found


# Gamma: Marsaglia and Tsang, A simple method for generating gamma variables, 2000.


@_quiet
def gamma(xp, state, alpha, samples, dtype):
    """Gamma variables of scale 1: [samples, len(alpha)].

    A shape below 1 takes a variable of shape alpha + 1 and shrinks it by a power of a uniform number; shape 1 is the
    exponential distribution. NaN for a negative shape, with which TensorFlow never ends.
    """
    shape = (samples, alpha.shape[0])
    found = _natively(xp, native_draws.GAMMA, state, alpha, samples)
    if found is not None:
        return found.astype(dtype)
    alpha, start = _lanes(xp, xp.asarray(alpha), samples)
    d = xp.where(alpha < 1, alpha + 1, alpha) - 1 / 3
    c = 1 / xp.sqrt(9 * d)

    def step(carry):
        open_, cursor, normals, uniforms, value = carry
        x, cursor, normals = _draw(xp, state, _normal_pair, cursor, normals, open_)
        v = 1 + c * x
        tried = open_ & (v > 0)
        u, cursor, uniforms = _draw(xp, state, _uniform_pair, cursor, uniforms, tried)
        v = v * v * v
        taken = tried & ((u < 1 - 0.0331 * x**4) | (xp.log(u) < 0.5 * x * x + d * (1 - v + xp.log(v))))
        return open_ & ~taken, cursor, normals, uniforms, xp.where(taken, d * v, value)

    nothing = xp.full(start.shape, xp.nan, dtype=xp.float64)
    carry = (alpha >= 0) & (alpha != 1), start, nothing, nothing, nothing
    _, cursor, _, uniforms, value = _repeat(xp, lambda carry: xp.any(carry[0]), step, carry)
    u, _, _ = _draw(xp, state, _uniform_pair, cursor, uniforms, True)
    value = xp.where(alpha < 1, value * u ** (1 / alpha), value)
    return xp.where(alpha == 1, -xp.log1p(-u), value).astype(dtype).reshape(shape)


def _draw(xp, state, pair, cursor, spare, wanted):
    """One number a lane: the spare one, or else the second of the next block, whose first becomes the spare one.

    Returns:
        The numbers, and the cursors (next block) and spares (NaN: none) afterwards; where a number was not `wanted`
        these stay as they are.
    """
    first, second = pair(xp, blocks(xp, state, cursor))
    empty = xp.isnan(spare)
    value = xp.where(empty, second, spare)
    spare = xp.where(wanted, xp.where(empty, first, xp.nan), spare)
    return value, cursor + (empty & wanted).astype(xp.uint64), spare


def _normal_pair(xp, words):
    return box_muller(xp, words)


def _uniform_pair(xp, words):
    return unit(words[:2], np.float64), unit(words[2:], np.float64)


# Poisson: Knuth's product of uniform numbers for small rates; for the others PTRS of Hormann, The transformed rejection
# method for generating Poisson random variables, 1993.


@_quiet
def poisson(xp, state, rate, samples, dtype):
    """Poisson variables: [samples, len(rate)]; NaN (as an integer: 0) for a rate that is not finite."""
    shape = (samples, rate.shape[0])
    unknown = xp.nan if np.dtype(dtype).kind != "i" else 0
    found = _natively(xp, native_draws.POISSON, state, rate, samples)
    if found is not None:
        return xp.where(xp.isnan(found), unknown, found).astype(dtype)
    rate, start = _lanes(xp, xp.asarray(rate), samples)
    small, limit = rate < 10, xp.exp(-rate)
    transformed = functools.partial(_transformed_rejection, xp, rate)

    def step(carry):
        open_, position, product, value = carry
        u, v = (_nth_uniform(xp, state, start, position + xp.uint64(i)) for i in (0, 1))
        product = product * u
        k, fits = transformed(u, v)
        k, fits = xp.where(small, value + 1, k), xp.where(small, product <= limit, fits)
        position = position + xp.where(small, xp.uint64(1), xp.uint64(2))
        return open_ & ~fits, position, product, xp.where(open_, k, value)

    ones = xp.ones(start.shape, dtype=xp.float64)
    carry = xp.isfinite(rate), xp.zeros(start.shape, xp.uint64), ones, -ones
    value = _repeat(xp, lambda carry: xp.any(carry[0]), step, carry)[3]
    return xp.where(xp.isfinite(rate), value, unknown).astype(dtype).reshape(shape)


def _nth_uniform(xp, state, start, position):
    """The uniform number at this position of a lane; of the two in a block the second comes first."""
    return unit(runs_at(xp, state, start * xp.uint64(2) + (position ^ xp.uint64(1)), 2), np.float64)


def _transformed_rejection(xp, rate, u, v):
    """The count that u proposes, and whether v accepts it."""
    b = 0.931 + 2.53 * xp.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    u = u - 0.5
    edge = 0.5 - xp.abs(u)
    k = xp.floor((2 * a / edge + b) * u + rate + 0.43)
    at_once = (edge >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
    hopeless = (k < 0) | ((edge < 0.013) & (v > edge))
    ratio = xp.log(v * inverse_alpha / (a / (edge * edge) + b))
    return k, at_once | (~hopeless & (ratio <= k * xp.log(rate) - rate - _log_factorial(xp, xp.maximum(k, 0))))


FACTORIALS = np.log(np.array([math.factorial(k) for k in range(16)], np.float64))


def _log_factorial(xp, k):
    """log(k!) of whole numbers: a table, then Stirling's series."""
    n = xp.maximum(k, 9.0)
    series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * n * n)) / (n * n)) / (n * n)) / n
    stirling = (n + 0.5) * xp.log(n) - n + 0.5 * math.log(2 * math.pi) + series
    return xp.where(k < 16, xp.asarray(FACTORIALS)[xp.where(k < 16, k, 0).astype(xp.int32)], stirling)


# Searching and swapping.


@_quiet
def multinomial(xp, state, logits, samples):
    """Class numbers drawn for each row of unnormalised log-probabilities: int64 [rows, samples].

    Logits that are not finite are never drawn; a row of nothing else gives the number of classes.
    """
    parts = uniform(xp, state, (logits.shape[0], samples), np.float64)
    if logits.size and native_draws.takes(native_draws.CLASSES, parts, logits.size):
        return native_draws.classes(_mass(xp, logits), parts).astype(xp.int64)
    mass = xp.cumsum(_mass(array_module(logits), logits), axis=1)
    sought = parts * mass[:, -1:]
    if xp is not np:
        import jax
        return jax.vmap(functools.partial(xp.searchsorted, side="right"))(mass, sought).astype(xp.int64)
    rows = [np.searchsorted(row, values, side="right") for row, values in zip(mass, sought)]
    return np.array(rows, np.int64).reshape(sought.shape)


@_quiet
def multinomials(seeds, logits, samples):
    """`multinomial` with the same logits for each seed of a stateless op: int64 [seeds, rows, samples], on NumPy."""
    words = stateless_words(seeds, logits.shape[0] * samples * 2).reshape(len(seeds), logits.shape[0], samples, 2)
    mass = np.cumsum(_mass(np, logits), axis=1)
    sought = unit((words[..., 0], words[..., 1]), np.float64) * mass[:, -1:]
    return np.stack([np.searchsorted(row, sought[:, at], side="right") for at, row in enumerate(mass)], axis=1)


def _mass(xp, logits):
    """The unnormalised probability of each class."""
    logits = logits.astype(xp.float64)
    finite = xp.isfinite(logits)
    top = xp.max(xp.where(finite, logits, -xp.inf), axis=1, keepdims=True)
    return xp.where(finite, xp.exp(logits - top), 0)


def permutation(xp, state, size):
    """The order in which a shuffle puts `size` things: each place is swapped with itself or a later one."""
    if size < 2:
        return xp.arange(size)
    if native_draws.takes(native_draws.PERMUTATION, state, size):
        return native_draws.permutation(state, size)
    left = np.arange(size, 1, -1).astype(np.uint32)
    others = np.arange(size - 1) + (runs(xp, state, size - 1, 1)[0] % left).astype(xp.int64)
    if xp is not np:
        from jax import lax
        return lax.fori_loop(0, size - 1, lambda i, order: _swapped(xp, order, i, others[i]), xp.arange(size))
    order = list(range(size))
    for i, j in enumerate(others.tolist()):
        order[i], order[j] = order[j], order[i]
    return np.array(order)


def _swapped(xp, order, i, j):
    """`order` with two places swapped by one scatter, which XLA does in place; of two it would copy the whole."""
    return order.at[xp.stack([i, j])].set(order[xp.stack([j, i])], mode="promise_in_bounds")


# Normal variables between bounds: Robert, Simulation of truncated normal variables, 1995. A row begins where the one
# before it ended, so this runs row after row, on NumPy.

WIDE = 1.3
"""Bounds that reach so far from the mean leave enough of the normal distribution to draw from it and reject."""

MOST_ATTEMPTS = 1000


@_quiet
def bounded_normal(state, means, deviations, lows, highs, samples, dtype):
    """One row of `samples` for each set of parameters: normal variables between `lows` and `highs`."""
    rows, cursor = [], 0
    for parameters in zip(means, deviations, lows, highs):
        row, cursor = _bounded_row(state, cursor, *parameters, samples, np.dtype(dtype))
        rows.append(row)
    return np.array(rows, dtype).reshape(len(rows), samples)


def _bounded_row(state, cursor, mean, deviation, low, high, samples, dtype):
    """Values of one row, and the block after the last one used."""
    if low == -np.inf or high < mean:  # looked at in a mirror, so that the upper tail is the long one
        low, high, deviation = high, low, -deviation
    low, high = (low - mean) / deviation, (high - mean) / deviation
    root = np.sqrt(low * low + dtype.type(4))
    cutoff = 2 * np.exp(dtype.type(0.5) + low * (low - root) / 4) / (low + root)
    if (low < -WIDE and high >= 0) or (high > WIDE and low <= 0):
        attempt, width = _from_normal, 1
    elif high - low < cutoff:
        attempt, width = _from_uniform, 2
    else:
        attempt, width = _from_exponential, 1
    values, used = _first_accepted(state, cursor, functools.partial(attempt, low=low, high=high, dtype=dtype),
                                   width, samples)
    return (values * deviation + mean).astype(dtype), cursor + used


def _first_accepted(state, cursor, attempt, width, samples):
    """The first `samples` values that attempts of `width` blocks accept, and the number of blocks these took."""
    attempts = samples + 8
    while attempts < MOST_ATTEMPTS * (samples + 8):
        words = np.stack(blocks(np, state, np.arange(cursor, cursor + attempts * width, dtype=np.uint64)), axis=-1)
        values, accepted = attempt(words)
        found = np.flatnonzero(accepted)[:samples]
        if len(found) == samples:
            used = found[-1] // values.shape[1] + 1 if samples else 0
            return values.reshape(-1)[found], int(used) * width
        attempts *= 2
    raise errors.InternalError(None, None, "No number between the bounds was accepted: is a parameter not a number?")


def _units(words, dtype):
    """Uniform numbers of each row of words."""
    length = words_per(dtype)
    return unit(tuple(words[:, i::length] for i in range(length)), dtype)


def _from_normal(words, low, high, dtype):
    length = 4 if dtype == np.float64 else 2
    pairs = [box_muller(np, tuple(words[:, start:start + length].T)) for start in range(0, 4, length)]
    values = np.stack([value for pair in pairs for value in pair], axis=-1).astype(dtype)
    return values, (values >= low) & (values <= high)


def _from_uniform(words, low, high, dtype):
    values = _units(words[0::2], dtype) * (high - low) + low
    peak = low * low if low >= 0 else dtype.type(0)
    return values, _units(words[1::2], dtype) <= np.exp((peak - values * values) / 2)


def _from_exponential(words, low, high, dtype):
    rate = (low + np.sqrt(low * low + dtype.type(4))) / 2
    units = _units(words, dtype)
    values = -np.log(units[:, 0::2]) / rate + low
    return values, (units[:, 1::2] <= np.exp(-(values - rate) ** 2 / 2)) & (values < high)
