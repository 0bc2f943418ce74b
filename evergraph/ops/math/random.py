"""Random ops. Their numbers are those of TensorFlow's CPU kernels: see `draws` and `samplers`.

A stateful op advances its stream at each run by the amount that TensorFlow reserves for the output's size, whether or
not the numbers are used. Ops called Stateless take their whole state from a seed.
"""
import math

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import at_most_rank, broadcast, with_rank
from evergraph.graph.traits import Memory
from evergraph.kernel import philox
from evergraph.kernel.philox import stateless_state
from evergraph.kernel.rows import Rows, even, one_by_one
from evergraph.kernel.values import array_module
from evergraph.ops.arrays.basic import range_, size
from evergraph.ops.math import draws, large_gamma, samplers
from evergraph.ops.math.draws import RESERVED
from evergraph.ops.math.elementwise import mul
from evergraph.ops.math.reduce import sum_


def invalid(message):
    return errors.InvalidArgumentError(None, None, message)


def _dims(shape):
    """The sizes in a static shape input."""
    if np.ndim(shape) != 1:
        raise invalid(f"shape must be a vector of {{int32,int64}}; its own shape is {list(np.shape(shape))}")
    for dim in shape.tolist():
        if dim < 0:
            raise invalid(f"Dimension {dim} must be >= 0")
    return tuple(shape.tolist())


def _listed(shape, shape_of):
    """The static shape of an output whose sizes the input `shape` lists."""
    with_rank(shape, 1)
    return shape_of("shape")


def _seed_checked(seed):
    if np.shape(seed) != (2,):
        raise invalid(f"seed must have shape [2], not {list(np.shape(seed))}")
    return seed


def _seed_shape(seed):
    if with_rank(seed, 1)[0] not in (None, 2):
        raise ValueError(f"Dimension must be 2 but is {seed[0]}")


# ---- uniform and normal floats


def _many(length_of, made):
    """A rule for many rows: all their words at once, each row from where its own call would begin.

    Args:
        length_of: how many words make a value of a dtype.
        made: `made(node, words, *values)` makes the values of words, which are a tuple of vectors; None if it declines.
    """
    def rule(call, node, values, count):
        if any(isinstance(value, Rows) for value in values) or np.ndim(values[0]) != 1:
            return one_by_one(call, node, values, count)
        dims, stream = _dims(values[0]), call.context.rng(node)
        size, length = math.prod(dims), length_of(node.outputs[0].dtype.np)
        before = stream.cell.value
        words = philox.words_of_rows(stream.take(RESERVED * size * count), count, RESERVED * size, size * length)
        found = made(node, tuple(words.reshape(-1, length).T), *values[1:])
        if found is None:
            stream.cell.assign(before)
            return one_by_one(call, node, values, count)
        return [Rows(found.reshape(count, *dims))]
    return rule


def _floats(name, draw, doc, in_batches=None):
    """Declares an op that draws floats from its stream."""
    @op(f"{name}(shape: T, *, seed: int = 0, seed2: int = 0, dtype: floating, T: index) -> output: dtype",
        static=("shape",), shape=_listed, grad=STOP, stateful=True, in_batches=in_batches)
    def kernel(rng, shape, dtype):
        dims = _dims(shape)
        return draw(rng.xp, rng.take(RESERVED * math.prod(dims)), dims, dtype)
    kernel.__doc__ = doc
    return kernel


def _stateless_floats(name, draw, doc):
    """Declares an op that draws floats from a seed."""
    @op(f"{name}(shape: T, seed: Tseed, *, dtype: floating = float, T: index = int32, Tseed: index = int64) -> "
        "output: dtype", static=("shape",), grad=STOP, memory=Memory.EXPENSIVE)
    def kernel(xp, shape, seed, dtype):
        return draw(xp, stateless_state(xp, _seed_checked(seed)), _dims(shape), dtype)

    @kernel.shape
    def _(shape, seed, shape_of):
        _seed_shape(seed)
        return _listed(shape, shape_of)

    kernel.__doc__ = doc
    return kernel


random_uniform = _floats("RandomUniform", draws.uniform, "Uniform floats in [0, 1).", _many(
    draws.words_per, lambda node, words: draws.unit(words, node.outputs[0].dtype.np)))
random_standard_normal = _floats("RandomStandardNormal", draws.normal, "Standard normal random numbers.")
truncated_normal = _floats("TruncatedNormal", draws.truncated_normal, "Standard normal numbers truncated to [-2, 2].")
stateless_random_uniform = _stateless_floats("StatelessRandomUniform", draws.uniform, "Uniform floats in [0, 1).")
stateless_random_normal = _stateless_floats("StatelessRandomNormal", draws.normal,
                                            "Standard normal random numbers.")
stateless_truncated_normal = _stateless_floats("StatelessTruncatedNormal", draws.truncated_normal,
                                               "Standard normal numbers truncated to [-2, 2].")


# ---- integers


def _integers(xp, state, dims, minval, maxval, dtype, check):
    """Integers in [minval, maxval); for an empty output the range is not checked."""
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if np.ndim(bound):
            raise invalid(f"{name} must be 0-D, got shape {list(np.shape(bound))}")
    if math.prod(dims) == 0:
        return xp.zeros(dims, dtype)
    check(minval < maxval, "Need minval < maxval, got {} >= {}", minval, maxval)
    return draws.uniform_int(xp, state, dims, minval, maxval, dtype)


def _many_integers(node, words, minval, maxval):
    if np.ndim(minval) or np.ndim(maxval) or minval >= maxval:
        return None
    return draws.bounded(np, words, minval, maxval, node.outputs[0].dtype.np)


@op("RandomUniformInt(shape: T, minval: Tout, maxval: Tout, *, seed: int = 0, seed2: int = 0, Tout: index, T: index) "
    "-> output: Tout", static=("shape",), stateful=True, in_batches=_many(draws.words_per, _many_integers))
def random_uniform_int(rng, check, shape, minval, maxval, Tout):
    """Uniform random integers in [minval, maxval)."""
    dims = _dims(shape)
    state = rng.take(RESERVED * math.prod(dims))
    return _integers(array_module(state, minval, maxval), state, dims, minval, maxval, Tout, check)


@random_uniform_int.shape
def _(shape, minval, maxval, shape_of):
    with_rank(minval, 0)
    with_rank(maxval, 0)
    return _listed(shape, shape_of)


@op("StatelessRandomUniformInt(shape: T, seed: Tseed, minval: dtype, maxval: dtype, *, dtype: index, T: index, "
    "Tseed: index = int64) -> output: dtype", static=("shape",), grad=STOP, memory=Memory.EXPENSIVE)
def stateless_random_uniform_int(xp, check, shape, seed, minval, maxval, dtype):
    """Uniform random integers in [minval, maxval), from a seed."""
    return _integers(xp, stateless_state(xp, _seed_checked(seed)), _dims(shape), minval, maxval, dtype, check)


@stateless_random_uniform_int.shape
def _(shape, seed, minval, maxval, shape_of):
    _seed_shape(seed)
    with_rank(minval, 0)
    with_rank(maxval, 0)
    return _listed(shape, shape_of)


# ---- truncated normal with parameters

PER_ROW = 100
"""Scalar parameters hold for every value; TensorFlow then draws rows of so many."""


@op("ParameterizedTruncatedNormal(shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype, *, "
    "seed: int = 0, seed2: int = 0, dtype: floating, T: index) -> output: dtype", static=("shape",), on="host",
    grad=STOP, stateful=True)
def parameterized_truncated_normal(rng, shape, means, stdevs, minvals, maxvals, dtype):
    """Samples of truncated normal distributions, with mean, deviation and bounds per row."""
    dims = _dims(shape)
    if not dims:
        raise invalid("Shape tensor must not be empty, got a shape of no dimensions")
    parameters = {"means": means, "stdevs": stdevs, "minvals": minvals, "maxvals": maxvals}
    rows, samples = dims[0], math.prod(dims[1:])
    _check_bounds(parameters, rows)
    if all(np.ndim(p) == 0 for p in parameters.values()):
        rows, samples = -(-math.prod(dims) // PER_ROW), PER_ROW
    state = rng.take(rows * 2 * samplers.MOST_ATTEMPTS * (samples + 3) // 4)
    if math.prod(dims) == 0:
        return np.zeros(dims, dtype)
    spread = (np.broadcast_to(np.reshape(p, -1), rows) for p in parameters.values())
    values = samplers.bounded_normal(state, *spread, samples, dtype)
    return values.reshape(-1)[:math.prod(dims)].reshape(dims)


def _check_bounds(parameters, rows):
    """Raises if the parameters do not fit the output or each other."""
    for name, value in parameters.items():
        if np.ndim(value) > 1:
            raise invalid(f"{name} should be a scalar or vector; its shape is {list(np.shape(value))}")
        if np.ndim(value) and np.size(value) not in (1, rows):
            raise invalid(f"there is one of {name} for all rows or one for each, got shape: {list(np.shape(value))}")
    _, stdevs, minvals, maxvals = parameters.values()
    endless = np.isinf(minvals) & np.isinf(maxvals)
    if np.any(stdevs <= 0) or np.any(minvals >= maxvals) or np.any(endless):
        raise invalid("Invalid parameters")


@parameterized_truncated_normal.shape
def _(shape, means, stdevs, minvals, maxvals, shape_of):
    for parameter in (means, stdevs, minvals, maxvals):
        at_most_rank(parameter, 1)
    return _listed(shape, shape_of)


# ---- categorical and shuffling


def _classes(state_for, logits, num_samples):
    """Checks the inputs of the categorical ops, then draws; `state_for(rows, samples)` returns the state."""
    if np.ndim(logits) != 2:
        raise invalid(f"logits should be a matrix, got shape {list(np.shape(logits))}")
    if np.ndim(num_samples):
        raise invalid(f"num_samples should be a scalar, got shape {list(np.shape(num_samples))}")
    rows, classes, samples = *logits.shape, int(num_samples)
    if samples < 0:
        raise invalid(f"num_samples should be nonnegative, got {samples}")
    if classes == 0:
        raise invalid("num_classes should be positive, got 0")
    state = state_for(rows, samples)
    return samplers.multinomial(array_module(state, logits), state, logits, samples)


def _samples_of(logits, num_samples, value_of):
    rows, _ = with_rank(logits, 2)
    with_rank(num_samples, 0)
    samples = value_of("num_samples")
    return rows, None if samples is None else int(samples)


@op("Multinomial(logits: T, num_samples: int32, *, seed: int = 0, seed2: int = 0, T: real, "
    "output_dtype: index = int64) -> output: output_dtype", static=("num_samples",), shape=_samples_of, grad=STOP,
    stateful=True)
def multinomial(rng, logits, num_samples):
    """Samples class numbers from categorical distributions, given by rows of unnormalized log-probabilities."""
    return _classes(lambda rows, samples: rng.take(rows * (-(-samples // 4) * 4) * 2 * RESERVED), logits,
                    num_samples)


@even
def _classes_of_rows(call, node, values, count):
    """Rows that differ in their seeds alone, as the choices between datasets do."""
    logits, samples, seeds = values
    differ = [isinstance(value, Rows) for value in values]
    if differ != [False, False, True] or seeds.values.shape[1:] != (2,) or np.ndim(logits) != 2 or not logits.size \
            or np.ndim(samples) or samples <= 0:
        return one_by_one(call, node, values, count)
    return [Rows(samplers.multinomials(seeds.values, logits, int(samples)).astype(node.attrs["output_dtype"].np))]


@op("StatelessMultinomial(logits: T, num_samples: int32, seed: Tseed, *, T: real, Tseed: index = int64, "
    "output_dtype: index = int64) -> output: output_dtype", static=("num_samples",), grad=STOP,
    in_batches=_classes_of_rows)
def stateless_multinomial(xp, logits, num_samples, seed):
    """Samples class numbers from categorical distributions, given by unnormalized log-probabilities and a seed."""
    return _classes(lambda rows, samples: stateless_state(xp, _seed_checked(seed)), logits, num_samples)


@stateless_multinomial.shape
def _(logits, num_samples, seed, value_of):
    _seed_shape(seed)
    return _samples_of(logits, num_samples, value_of)


@op("RandomShuffle(value: T, *, seed: int = 0, seed2: int = 0, T: type) -> output: T", grad=STOP, stateful=True)
def random_shuffle(rng, value):
    """Randomly permutes the slices along the first axis."""
    if np.ndim(value) == 0 or value.shape[0] < 2 or value.size <= 1:
        return value
    count = value.shape[0]
    state = rng.take(-(-(count - 1) // 4))
    order = samplers.permutation(rng.xp, state, count)
    return array_module(value, order).take(value, order, axis=0)


@random_shuffle.shape
def _(value):
    return value


# ---- gamma and Poisson


def _followed(sizes, rest):
    """The static shape of `sizes` followed by `rest`."""
    return None if sizes is None or rest is None else (*sizes, *rest)


def _rates(shape, rate, shape_of):
    return _followed(_listed(shape, shape_of), rate)


def _sampled(rng, draw, shape, parameter, dtype):
    """One sample of each parameter for each element of `shape`."""
    dims, rest = _dims(shape), np.shape(parameter)
    samples = math.prod(dims)
    state = rng.take(RESERVED * samples * math.prod(rest))
    xp = array_module(state, parameter)
    return draw(xp, state, xp.reshape(parameter, -1), samples, dtype).reshape(dims + rest)


@op("RandomGamma(shape: S, alpha: T, *, seed: int = 0, seed2: int = 0, S: index, T: {half, float, double}) -> "
    "output: T", static=("shape",), stateful=True)
def random_gamma(rng, shape, alpha, T):
    """Samples of gamma distributions with shape `alpha` and rate 1."""
    return _sampled(rng, samplers.gamma, shape, alpha, T)


@random_gamma.shape
def _(shape, alpha, shape_of):
    return _followed(_listed(shape, shape_of), alpha)


@random_gamma.grad
def _(op, dy):
    alpha, sample = op.inputs[1], op.outputs[0]
    weighted = mul(dy, random_gamma_grad(alpha, sample))
    return None, sum_(weighted, range_(0, size(op.inputs[0]), 1))


@op("RandomGammaGrad(alpha: T, sample: T, *, T: {float, double}) -> output: T",
    shape=lambda alpha, sample: broadcast(alpha, sample), memory=Memory.EXPENSIVE)
def random_gamma_grad(lax, xp, alpha, sample):
    """The derivative of a gamma sample with respect to its shape parameter (implicit reparameterization)."""
    return large_gamma.for_any(xp, *xp.broadcast_arrays(alpha, sample), lax.random_gamma_grad,
                               lambda a, x: large_gamma.sample_slope(xp, a, x))


@op("RandomPoisson(shape: S, rate: dtype, *, seed: int = 0, seed2: int = 0, S: index, dtype: {half, float, double}) "
    "-> output: dtype", static=("shape",), shape=_rates, stateful=True)
def random_poisson(rng, shape, rate, dtype):
    """Samples of Poisson distributions, in the dtype of the rate; superseded by RandomPoissonV2."""
    return _sampled(rng, samplers.poisson, shape, rate, dtype)


@op("RandomPoissonV2(shape: S, rate: R, *, seed: int = 0, seed2: int = 0, S: index, "
    "R: {half, float, double, int32, int64} = double, dtype: {half, float, double, int32, int64} = int64) -> "
    "output: dtype", static=("shape",), shape=_rates, stateful=True)
def random_poisson_v2(rng, shape, rate, dtype):
    """Samples of Poisson distributions with the given rates."""
    return _sampled(rng, samplers.poisson, shape, rate, dtype)
