"""TensorFlow's random numbers: the Philox4x32-10 generator and the plain distributions drawn from it.

A generator's state is uint64[3]: its key and the low and high half of a 128-bit counter. Each counter value names a
block of four 32-bit words; the words of consecutive blocks are the stream. Every function takes `xp` (numpy or
jax.numpy), a state and parameters, and returns the numbers that TensorFlow's CPU kernels draw from that state. Each
kernel decides by how much it advances the counter (`Stream.take`).

Under JAX each output element recomputes the block that its words come from: XLA fuses that into one loop without memory
traffic, which is several times faster than interleaving the words of shared blocks. NumPy computes each block once.
"""
from __future__ import annotations

import functools
import math
import secrets

import ml_dtypes
import numpy as np

from evergraph import native
from evergraph.kernel import native_draws
from evergraph.kernel.values import array_module

WORD = 0xFFFFFFFF
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10

# The key under which TensorFlow encrypts the seeds of stateless ops.
SCRAMBLER = 0x02461E293EC8F720

CHUNK = 1 << 12
"""How many blocks NumPy computes at a time, so that they stay in the processor's cache."""

RESERVED = 256
"""Blocks that TensorFlow sets aside for each value, because rejection may need more than one."""


class Stream:
    """The random numbers of one node: what kernels ask for as `rng`.

    Args:
        cell: where the state lives between steps; it has `value` and `assign`.
    """

    def __init__(self, cell):
        self.cell = cell

    def take(self, blocks):
        """Returns the current state and advances the counter by `blocks`, a static number."""
        state = self.cell.value
        self.cell.assign(advanced(self.xp, state, blocks))
        return state

    @property
    def xp(self):
        """The module to compute with the state: numpy, or jax.numpy at trace time."""
        return array_module(self.cell.value)


def initial_state(seed, seed2):
    """The initial state of a node's stream; two zero seeds ask for a nondeterministic one."""
    if seed == 0 and seed2 == 0:
        seed, seed2 = secrets.randbits(64), secrets.randbits(64)
    return np.array([seed % 2**64, 0, seed2 % 2**64], np.uint64)


def stateless_state(xp, seed):
    """The state that a two-element seed of the stateless ops denotes."""
    seed = xp.asarray(seed).astype(xp.int64).astype(xp.uint64)
    scrambler = xp.concatenate([xp.asarray([SCRAMBLER], dtype=xp.uint64), seed])
    words = [w.astype(xp.uint64) for w in blocks(xp, scrambler, xp.zeros(1, xp.uint64))]
    key, high = (words[i] | (words[i + 1] << xp.uint64(32)) for i in (0, 2))
    return xp.concatenate([key, xp.zeros(1, xp.uint64), high])


def stateless_words(seeds, count):
    """The first `count` words of the streams that two-element seeds denote, one in each row; for NumPy."""
    seeds = seeds.astype(np.int64).astype(np.uint64)
    none = np.zeros(len(seeds), np.uint64)
    words = [w.astype(np.uint64) for w in _encrypt(np, [none + np.uint64(SCRAMBLER), *seeds.T], none)]
    key, high = (words[i] | (words[i + 1] << _HALF) for i in (0, 2))
    found = [_encrypt(np, [key, none, high], none + np.uint64(block)) for block in range(-(-count // 4))]
    return np.stack([word for block in found for word in block], axis=1)[:, :count]


def advanced(xp, state, count):
    """The state `count` blocks further on."""
    if xp is np:
        key, low, high = state.tolist()
        low += int(count)
        return np.array([key, low & _ALL, (high + (low >> 64)) & _ALL], np.uint64)
    low = state[1:2] + xp.uint64(count)
    high = state[2:3] + (low < xp.uint64(count)).astype(xp.uint64)
    return xp.concatenate([state[:1], low, high])


def blocks(xp, state, index):
    """The four words of the blocks at these offsets (a uint64 vector): a tuple of uint32 vectors."""
    return tuple(rows(state, index).T) if xp is np else _encrypt(xp, state, index)


def rows(state, index):
    """The same on NumPy, as a matrix: each row has the words of a block."""
    words = np.empty((len(index), 4), np.uint32)
    if native.random is not None:
        native.random.blocks(np.ascontiguousarray(state), np.ascontiguousarray(index), words)
        return words
    for start in range(0, len(index), CHUNK):
        part = slice(start, start + CHUNK)
        for column, values in enumerate(_encrypt_pairs(state, index[part])):
            words[part, column] = values
    return words


def first_words(state, count):
    """The first `count` words of the stream, for NumPy."""
    return rows(state, np.arange(-(-count // 4), dtype=np.uint64)).reshape(-1)[:count]


def _encrypt(xp, state, index):
    """The ten rounds of Philox on counters and key."""
    u32, u64, half = xp.uint32, xp.uint64, xp.uint64(32)
    low = state[1] + index
    high = state[2] + (low < index).astype(u64)
    a, b, c, d = (low.astype(u32), (low >> half).astype(u32), high.astype(u32), (high >> half).astype(u32))
    keys = state[0] & u64(WORD), state[0] >> half
    for turn in range(ROUNDS):
        first, second = ((k + u64(turn * step & WORD)).astype(u32) for k, step in zip(keys, KEY_STEPS))
        p, q = a.astype(u64) * u64(MULTIPLIERS[0]), c.astype(u64) * u64(MULTIPLIERS[1])
        a, b, c, d = ((q >> half).astype(u32) ^ b ^ first, q.astype(u32),
                      (p >> half).astype(u32) ^ d ^ second, p.astype(u32))
    return a, b, c, d


_ALL = (1 << 64) - 1
_LOW, _HALF = np.uint64(WORD), np.uint64(32)
_FACTORS = np.array([[m] for m in MULTIPLIERS], np.uint64)
_KEYS_PASSED = np.array([[[turn * step & WORD] for step in KEY_STEPS] for turn in range(ROUNDS)], np.uint64)


def _encrypt_pairs(state, index):
    """The same rounds on NumPy, with few calls: the two multiplications of a round are one, in 64 bits."""
    low = state[1] + index
    high = state[2] + (low < index).astype(np.uint64)
    even, odd = np.stack([low & _LOW, high & _LOW]), np.stack([low >> _HALF, high >> _HALF])
    keys = (np.array([[state[0] & _LOW], [state[0] >> _HALF]]) + _KEYS_PASSED) & _LOW
    for key in keys:
        product = even * _FACTORS
        even = (product >> _HALF)[::-1]
        even ^= odd
        even ^= key
        product &= _LOW
        odd = product[::-1]
    (a, c), (b, d) = even.astype(np.uint32), odd.astype(np.uint32)
    return a, b, c, d


def runs_at(xp, state, index, length):
    """Run number `index` of the stream cut into runs of `length` words (1, 2 or 4): that many uint32 arrays."""
    if length == 4:
        return blocks(xp, state, index)
    a, b, c, d = blocks(xp, state, index >> xp.uint64(2 // length))
    odd = (index & xp.uint64(1)) != 0
    if length == 2:
        return xp.where(odd, c, a), xp.where(odd, d, b)
    return (xp.where((index & xp.uint64(2)) != 0, xp.where(odd, d, c), xp.where(odd, b, a)),)


def runs(xp, state, count, length):
    """The first `count` runs of the stream; see `runs_at`."""
    if xp is not np:
        return runs_at(xp, state, xp.arange(count, dtype=xp.uint64), length)
    return tuple(first_words(state, count * length).reshape(-1, length).T)


def words_of_rows(state, rows_wanted, step, count):
    """The first `count` words of streams that start `step` blocks after one another, one in each row; for NumPy."""
    starts = np.arange(rows_wanted, dtype=np.uint64) * np.uint64(step)
    index = starts[:, None] + np.arange(-(-count // 4), dtype=np.uint64)
    return rows(state, index.reshape(-1)).reshape(rows_wanted, -1)[:, :count]


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
