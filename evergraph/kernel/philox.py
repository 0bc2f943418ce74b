"""The generator of TensorFlow's random numbers: Philox4x32-10. `ops/math/draws.py` has distributions.

A generator's state is uint64[3]: its key and the low and high half of a 128-bit counter. Each counter value names a
block of four 32-bit words; the words of consecutive blocks are the stream. Each kernel decides by how much it advances
the counter (`Stream.take`).

Under JAX each output element recomputes the block that its words come from: XLA fuses that into one loop without memory
traffic, which is several times faster than interleaving the words of shared blocks. NumPy computes each block once.
"""
from __future__ import annotations

import secrets

import numpy as np

from evergraph import native
from evergraph.kernel.values import array_module

WORD = 0xFFFFFFFF
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10

# The key under which TensorFlow encrypts the seeds of stateless ops.
SCRAMBLER = 0x02461E293EC8F720

CHUNK = 1 << 12
"""How many blocks NumPy computes at a time, so that they stay in the processor's cache."""


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
        for column, values in enumerate(_encrypt(np, state, index[part])):
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
_HALF = np.uint64(32)


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
