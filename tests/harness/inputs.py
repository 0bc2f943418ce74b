"""Makers of input arrays, the same numbers under every NumPy."""

import zlib

import ml_dtypes
import numpy as np


def array(value, dtype):
    """`value` as an array of `dtype` (a NumPy dtype or its name); arrays are fed, unlike Python literals."""
    return np.array(value, dtype=dtype)


def f16(value):
    return array(value, np.float16)


def f64(value):
    return array(value, np.float64)


def bf16(value):
    return array(value, ml_dtypes.bfloat16)


def i32(value):
    return array(value, np.int32)


def i64(value):
    return array(value, np.int64)


def strings(value):
    """A string tensor (fed): nested lists of str or bytes."""
    found = np.array(value, dtype=object)
    encoded = [each.encode() if isinstance(each, str) else each for each in found.ravel().tolist()]
    filled = np.empty(found.size, dtype=object)
    filled[:] = encoded
    return filled.reshape(found.shape)


def floats(*shape, low=-2.0, high=2.0, seed=0, dtype=np.float32):
    """Uniform numbers in [low, high), fixed by shape and seed."""
    return _generator("floats", shape, seed).uniform(low, high, size=shape).astype(dtype)


def ints(*shape, low=0, high=10, seed=0, dtype=np.int32):
    """Uniform integers in [low, high), fixed by shape and seed."""
    return _generator("ints", shape, seed).randint(low, high, size=shape).astype(dtype)


def bools(*shape, seed=0):
    return _generator("bools", shape, seed).randint(0, 2, size=shape).astype(bool)


def _generator(kind, shape, seed):
    # RandomState, not default_rng: its streams are frozen across NumPy versions.
    return np.random.RandomState(zlib.crc32(repr((kind, tuple(shape), seed)).encode()))
