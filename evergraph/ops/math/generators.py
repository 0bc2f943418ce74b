"""Random ops that keep their state in a variable, as tf.random.experimental.Generator does.

The state of the Philox algorithm is three int64: the low and the high half of the counter, and the key.
"""
import math
import secrets

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.kernel import philox
from evergraph.kernel.values import array_module
from evergraph.ops.math import draws

PHILOX = 1


def _require_philox(algorithm):
    if int(np.asarray(algorithm)) != PHILOX:
        raise errors.UnimplementedError(
            None, None, f"random numbers by algorithm {algorithm}; Philox, {PHILOX}, is there")


def _taken(resource, algorithm, count):
    """The module to compute with, and the state of the generator, which goes on behind `count` values."""
    _require_philox(algorithm)
    value = resource.value
    if np.shape(value) != (3,):
        raise errors.InvalidArgumentError(
            None, None, f"the state of a generator is a vector of 3 numbers, got shape {list(np.shape(value))}")
    xp = array_module(value)
    state = value.astype(np.uint64)[np.array([2, 0, 1])]
    after = philox.advanced(xp, state, count * draws.RESERVED)
    resource.assign(after[np.array([1, 2, 0])].astype(np.int64))
    return xp, state


def _drawn(name, sample, about, dtype="float"):
    """An op that draws an array of the shape that its input lists."""
    @op(f"{name}(resource: resource, algorithm: int64, shape: shape_dtype, *, dtype: type = {dtype}, "
        f"shape_dtype: type = int64) -> output: dtype", stateful=True, static=("algorithm", "shape"), grad=STOP)
    def draw(resource, algorithm, shape, dtype):
        dims = tuple(np.asarray(shape).tolist())
        return sample(*_taken(resource, algorithm, math.prod(dims)), dims, dtype)

    draw.__doc__ = about

    @draw.shape
    def _(resource, algorithm, shape, shape_of):
        with_rank(shape, 1)
        return shape_of("shape")

    return draw


def _all_bits(xp, state, dims, dtype):
    words = philox.runs(xp, state, math.prod(dims), draws.words_per(dtype))
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
    words = [w.astype(unsigned) for w in words]
    bits = words[0] if len(words) == 1 else words[0] | (words[1] << unsigned.type(32))
    return bits.view(dtype).reshape(dims)


stateful_uniform = _drawn("StatefulUniform", draws.uniform, "Uniform floats in [0, 1).")
stateful_standard_normal = _drawn("StatefulStandardNormalV2", draws.normal, "Standard normal random numbers.")
stateful_truncated_normal = _drawn("StatefulTruncatedNormal", draws.truncated_normal,
                                   "Standard normal numbers truncated to [-2, 2].")
stateful_uniform_full_int = _drawn("StatefulUniformFullInt", _all_bits, "Uniform integers of all values there are.",
                                   dtype="uint64")


@op("StatefulUniformInt(resource: resource, algorithm: int64, shape: shape_dtype, minval: dtype, maxval: dtype, *, "
    "dtype: type = int64, shape_dtype: type = int64) -> output: dtype", stateful=True, static=("algorithm", "shape"),
    grad=STOP)
def stateful_uniform_int(resource, algorithm, shape, minval, maxval, dtype, check):
    """Uniform integers in [minval, maxval)."""
    dims = tuple(np.asarray(shape).tolist())
    check(minval < maxval, "Need minval < maxval, got {} >= {}", minval, maxval)
    xp, state = _taken(resource, algorithm, math.prod(dims))
    return draws.uniform_int(xp, state, dims, minval, maxval, dtype)


@stateful_uniform_int.shape
def _(resource, algorithm, shape, minval, maxval, shape_of):
    with_rank(minval, 0)
    with_rank(maxval, 0)
    with_rank(shape, 1)
    return shape_of("shape")


@op("RngSkip(resource: resource, algorithm: int64, delta: int64) -> ()", stateful=True, static=("algorithm", "delta"))
def rng_skip(resource, algorithm, delta):
    """Lets a generator go on behind `delta` blocks."""
    _require_philox(algorithm)
    value = resource.value
    xp = array_module(value)
    after = philox.advanced(xp, value.astype(np.uint64)[np.array([2, 0, 1])], int(np.asarray(delta)))
    resource.assign(after[np.array([1, 2, 0])].astype(np.int64))


@rng_skip.shape
def _(resource, algorithm, delta):
    with_rank(delta, 0)
    return []


@op("NonDeterministicInts(shape: shape_dtype, *, dtype: type = int64, shape_dtype: type = int64) -> output: dtype",
    stateful=True, static=("shape",), grad=STOP, on="host")
def non_deterministic_ints(shape, dtype):
    """Integers that differ from run to run."""
    dims = tuple(np.asarray(shape).tolist())
    count = math.prod(dims)
    raw = secrets.token_bytes(count * np.dtype(dtype).itemsize)
    return np.frombuffer(raw, dtype).reshape(dims).copy()


@non_deterministic_ints.shape
def _(shape, shape_of):
    with_rank(shape, 1)
    return shape_of("shape")
