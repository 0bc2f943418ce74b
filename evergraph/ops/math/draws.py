"""The plain distributions, drawn from Philox as TensorFlow's CPU kernels do.

Every function takes `xp` (numpy or jax.numpy), a state of the generator and parameters.
"""

from __future__ import annotations

import functools
import math

import ml_dtypes
import numpy as np

from evergraph.kernel import native_draws
from evergraph.kernel.philox import blocks, runs, runs_at

RESERVED = 256
"""Blocks that TensorFlow sets aside for each value, because rejection may need more than one."""


def unit(words, dtype):
    """Numbers in [0, 1): the low bits of the words become the fraction of a float in [1, 2)."""
    one, pattern, mask = _one(np.dtype(dtype))
    if mask is None:
        high, low = (w.astype("uint64") for w in words)
        bits = ((high & np.uint64(0xFFFFF)) << np.uint64(32)) | low
    else:
        bits = (words[0] & mask).astype(pattern.dtype)
    return (bits | pattern).view(dtype) - one


@functools.cache
def _one(dtype):
    """One, its bits, and the bits of a word that make a fraction; None for the last if one word has too few."""
    one = np.ones(1, dtype)
    pattern = one.view(f"u{one.itemsize}")
    mask = None if one.itemsize == 8 else np.uint32((1 << ml_dtypes.finfo(dtype).nmant) - 1)
    return one[0], pattern[0], mask


def words_per(dtype):
    """How many words make one uniform number of this dtype."""
    return 2 if np.dtype(dtype).itemsize == 8 else 1


def uniform(xp, state, shape, dtype):
    """Uniform floats in [0, 1)."""
    return unit(runs(xp, state, math.prod(shape), words_per(dtype)), dtype).reshape(shape)


def uniform_int(xp, state, shape, low, high, dtype):
    """Uniform integers in [low, high), with the small bias of a remainder that TensorFlow has."""
    words = runs(xp, state, math.prod(shape), words_per(dtype))
    return bounded(xp, words, low, high, dtype).reshape(shape)


def bounded(xp, words, low, high, dtype):
    """The integers in [low, high) that words stand for."""
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
    words = [w.astype(unsigned) for w in words]
    bits = words[0] if len(words) == 1 else words[0] | (words[1] << unsigned.type(32))
    low, high = (xp.asarray(bound).astype(unsigned).reshape(1) for bound in (low, high))
    return (low + bits % (high - low)).view(dtype)


def box_muller(xp, words):
    """Two independent standard normal numbers from two words (as float32) or from four (as float64)."""
    wide = len(words) == 4
    dtype = np.dtype(np.float64 if wide else np.float32)
    half = len(words) // 2
    radius, turn = unit(words[:half], dtype), unit(words[half:], dtype)
    # NumPy's float32 functions are off by up to four units in the last place.
    log, sin, cos = (_rounded(f) if xp is np else f for f in (xp.log, xp.sin, xp.cos))
    scale = xp.sqrt(dtype.type(-2) * log(xp.maximum(radius, dtype.type(1e-7))))
    angle = (turn.astype(np.float64) * (2 * math.pi)).astype(dtype)
    return sin(angle) * scale, cos(angle) * scale


def _rounded(function):
    """A NumPy function computed in float64, whatever its argument is."""
    return lambda x: function(x, dtype=np.float64).astype(x.dtype)


def precision_of(dtype):
    """The dtype in which normal numbers of `dtype` are computed."""
    return np.dtype(np.float64 if np.dtype(dtype) == np.float64 else np.float32)


def normal(xp, state, shape, dtype):
    """Standard normal numbers."""
    count = math.prod(shape)
    length = 4 if precision_of(dtype) == np.float64 else 2
    if length == 2 and native_draws.takes(native_draws.NORMAL, state, count):
        return native_draws.floats(native_draws.NORMAL, state, shape).astype(dtype)
    if xp is np:
        pairs = box_muller(np, runs(np, state, -(-count // 2), length))
        values = np.stack(pairs, axis=-1).reshape(-1)[:count]
    else:
        index = xp.arange(count, dtype=xp.uint64)
        sine, cosine = box_muller(xp, runs_at(xp, state, index >> xp.uint64(1), length))
        values = xp.where((index & xp.uint64(1)) != 0, cosine, sine)
    return values.astype(dtype).reshape(shape)


def truncated_normal(xp, state, shape, dtype):
    """Normal numbers of absolute value below 2.

    A group, as many values as one block gives, starts from blocks of its own and goes through normal numbers until it
    has enough that are small.
    """
    count = math.prod(shape)
    precise = precision_of(dtype)
    if precise == np.float32 and native_draws.takes(native_draws.TRUNCATED_NORMAL, state, count):
        return native_draws.floats(native_draws.TRUNCATED_NORMAL, state, shape).astype(dtype)
    fill = _fill_compact if xp is np else _fill_masked
    size = 16 // precise.itemsize
    values = fill(state, -(-count // size), size, precise)
    return values.reshape(-1)[:count].astype(dtype).reshape(shape)


def _fill_compact(state, groups, size, dtype):
    """Groups of `size` normal numbers below 2, one row each; most are the first the group is offered."""
    values = _offered(state, np.arange(groups), size, 0).astype(dtype)
    unfinished = np.flatnonzero((np.abs(values) >= 2).any(axis=1))
    filled = np.zeros(groups, np.int64)
    nth = 0
    while len(unfinished):
        offered = _offered(state, unfinished, size, nth)
        fits = np.abs(offered) < 2
        place = filled[unfinished, None] + np.cumsum(fits, axis=1) - 1
        row, column = np.nonzero(fits & (place < size))
        values[unfinished[row], place[row, column]] = offered[row, column]
        filled[unfinished] += fits.sum(axis=1)
        unfinished = unfinished[filled[unfinished] < size]
        nth += 1
    return values


def _offered(state, groups, size, nth):
    """The normal numbers of the `nth` block of each group."""
    words = blocks(np, state, (groups * (size * RESERVED // 4) + nth).astype(np.uint64))
    length = 8 // size
    pairs = (box_muller(np, words[start:start + length]) for start in range(0, 4, length))
    return np.stack([value for pair in pairs for value in pair], axis=-1)


def _fill_masked(state, groups, size, dtype):
    """The same for JAX, whose arrays keep their shape: all groups go on until the last one is finished."""
    import jax.numpy as jnp
    from jax import lax
    element = jnp.arange(groups * size, dtype=jnp.uint64)
    group, pair = element // jnp.uint64(size), element % jnp.uint64(size) // jnp.uint64(2)

    def offer(nth):
        block = group * jnp.uint64(size * RESERVED // 4) + nth
        words = runs_at(jnp, state, block * jnp.uint64(size // 2) + pair, 8 // size)
        sine, cosine = box_muller(jnp, words)
        return jnp.where((element & jnp.uint64(1)) != 0, cosine, sine).reshape(groups, size)

    def step(carry):
        nth, filled, values = carry
        # XLA would compute what is offered again for every use of it, but does not look into a branch.
        offered = lax.cond(nth < jnp.uint64(2**63), offer, lambda _: jnp.zeros_like(values), nth)
        for column in range(size):
            value = offered[:, column]
            fits = jnp.abs(value) < 2
            here = fits[:, None] & (filled[:, None] == jnp.arange(size, dtype=jnp.int32))
            values = jnp.where(here, value[:, None], values)
            filled = filled + fits
        return nth + jnp.uint64(1), filled, values

    start = jnp.uint64(0), jnp.zeros(groups, jnp.int32), jnp.zeros((groups, size), dtype)
    return lax.while_loop(lambda carry: jnp.any(carry[1] < size), step, start)[2]
