"""Ops newer than TensorFlow 1.15 that occur in graphs of TensorFlow 2, so that its models load.

Ops that belong to a family are declared there: MatrixDiagV3 in `diagonal`, ParseExampleV2 in `parsing_later`.
"""

import math

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, VJP, op
from evergraph.graph.shaping import at_most_rank, broadcast, require_equal, same_as, with_rank
from evergraph.graph.traits import Memory
from evergraph.kernel.philox import stateless_state
from evergraph.ops.arrays.basic import cast, ones_like, zeros_like
from evergraph.ops.control.functional import case, stateless_if
from evergraph.ops.math import draws
from evergraph.ops.math.elementwise import add_v2, exp, is_finite, mul, not_equal, select, xdivy
from evergraph.ops.math.matmul import adjoint_product, batch_mat_mul_v2

# ---- variables


@op("DisableCopyOnRead(resource: resource) -> ()", stateful=True, shape=lambda: None)
def disable_copy_on_read():
    """Does nothing: evergraph never copies a variable on read."""
    return ()


# ---- branches


@op("StatelessCase(branch_index: int32, input: Tin, *, Tin: list(type) >= 0, Tout: list(type) >= 0, "
    "branches: list(func) >= 1, output_shapes: list(shape) = []) -> output: Tout", shape=stateless_if.shape_fn,
    grad=case.grad_fn, memory=Memory.STORED)
def stateless_case(context, node, branch_index, input, branches):
    """A Case whose branches have no side effects."""
    return context.choose(node, branch_index, branches, input)


# ---- products


_FACTOR = "{inexact, index, uint8, int8, int16}"


@op(f"BatchMatMulV3(x: Ta, y: Tb, *, Ta: {_FACTOR}, Tb: {_FACTOR}, Tout: {{inexact, index, int16}}, "
    "adj_x: bool = False, adj_y: bool = False) -> output: Tout", shape=batch_mat_mul_v2.shape_fn, grad=VJP,
    memory=Memory.STORED, multilinear=True)
def batch_mat_mul_v3(xp, x, y, adj_x, adj_y, Tout):
    """Batched matrix multiplication, computed in the dtype of the output."""
    return adjoint_product(xp, x.astype(Tout), y.astype(Tout), adj_x, adj_y)


# ---- numbers


def _xlog1py(xp, x, y):
    zero = x == 0
    return xp.where(zero, xp.zeros((), x.dtype), x * xp.log1p(xp.where(zero, xp.ones((), y.dtype), y)))


def _xlog1py_grad(op, dz):
    x, y = op.inputs
    counts = cast(not_equal(x, zeros_like(x)), x.dtype.base_dtype)
    return mul(xlog1py(counts, y), dz), mul(xdivy(x, add_v2(y, ones_like(y))), dz)


@op("Xlog1py(x: T, y: T, *, T: inexact) -> z: T", shape=lambda x, y: broadcast(x, y), grad=_xlog1py_grad,
    broadcasts=True)
def xlog1py(xp, x, y):
    """x * log1p(y), or 0 where `x` is 0."""
    return _xlog1py(xp, x, y)


@op("Erfinv(x: T, *, T: floating) -> y: T", shape=same_as("x"), grad=VJP)
def erfinv(lax, xp, x):
    """The inverse error function."""
    return lax.erf_inv(xp.asarray(x))


@op("Ndtri(x: T, *, T: floating) -> y: T", shape=same_as("x"))
def ndtri(xp, x):
    """The inverse cumulative distribution function (quantile function) of the standard normal distribution."""
    if xp is np:
        from scipy import special
    else:
        from jax.scipy import special
    wide = x.astype(np.float64) if xp is np else x.astype(np.float32) if x.dtype.itemsize < 4 else x
    return special.ndtri(wide).astype(x.dtype)


@ndtri.grad
def _(op, dy):
    """The inverse of the density, and zero where the quantile is infinite."""
    y = op.outputs[0]
    slope = mul(exp(mul(mul(y, y), 0.5)), math.sqrt(2.0 * math.pi))
    return mul(select(is_finite(y), slope, zeros_like(y)), dy)


# ---- counting

_COUNTED = "Tidx: index, T: {int32, int64, float, double}, binary_output: bool = False) -> output: T"


def _counts(rows, values, count, size, weights, dtype, binary):
    """The histogram of 0 ... size - 1 in each of `count` rows of values, or the sums of their weights."""
    if size < 0:
        raise invalid(f"size ({size}) must be non-negative")
    if np.any(values < 0):
        raise invalid("Input must be non-negative")
    bins, inside = np.zeros((count, size), dtype), values < size
    places = rows[inside], values[inside]
    if binary:
        bins[places] = 1
    else:
        np.add.at(bins, places, weights[inside] if weights.size else np.ones(1, dtype))
    return bins


def _bins_shape(rows, value_of):
    size = value_of("size")
    return (*rows, None if size is None else int(size))


@op(f"DenseBincount(input: Tidx, size: Tidx, weights: T, *, {_COUNTED}", on="host", grad=STOP)
def dense_bincount(input, size, weights, T, binary_output):
    """Counts the occurrences of each of 0 ... size - 1 in a vector, or in each row of a matrix."""
    if np.ndim(input) > 2:
        raise invalid(f"Shape must be at most rank 2 but is rank {np.ndim(input)}")
    if np.size(weights) and np.shape(weights) != np.shape(input):
        raise invalid(f"weights of shape {list(np.shape(weights))} do not fit input of {list(np.shape(input))}")
    table = np.atleast_2d(input)
    rows = np.repeat(np.arange(len(table)), table.shape[1])
    bins = _counts(rows, np.ravel(table), len(table), int(size), np.ravel(weights), T, binary_output)
    return bins if np.ndim(input) == 2 else bins[0]


@dense_bincount.shape
def _(input, size, value_of):
    with_rank(size, 0)
    at_most_rank(input, 2)
    return None if input is None else _bins_shape(input[:1] if len(input) == 2 else (), value_of)


@op(f"SparseBincount(indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T, *, {_COUNTED}",
    on="host", grad=STOP)
def sparse_bincount(indices, values, dense_shape, size, weights, T, binary_output):
    """Counts the occurrences of each of 0 ... size - 1 in a sparse vector, or in each row of a sparse matrix."""
    is_matrix = len(dense_shape) == 2
    count = int(dense_shape[0]) if is_matrix else 1
    rows = indices[:, 0] if is_matrix else np.zeros(len(values), np.int64)
    if np.any((rows < 0) | (rows >= count)):
        raise invalid(f"an index is out of bounds of dense_shape {dense_shape.tolist()}")
    bins = _counts(rows, values, count, int(size), np.ravel(weights), T, binary_output)
    return bins if is_matrix else bins[0]


@sparse_bincount.shape
def _(dense_shape, size, value_of):
    with_rank(size, 0)
    dims = value_of("dense_shape")
    return None if dims is None else _bins_shape((int(dims[0]),) if len(dims) == 2 else (), value_of)


@op(f"RaggedBincount(splits: int64, values: Tidx, size: Tidx, weights: T, *, {_COUNTED}", on="host", grad=STOP)
def ragged_bincount(splits, values, size, weights, T, binary_output):
    """Counts the occurrences of each of 0 ... size - 1 in each row of a ragged matrix."""
    lengths = np.diff(splits)
    if not len(splits) or splits[0] != 0 or np.any(lengths < 0) or splits[-1] != len(values):
        raise invalid(f"splits {splits.tolist()} do not divide {len(values)} values")
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return _counts(rows, np.ravel(values), len(lengths), int(size), np.ravel(weights), T, binary_output)


@ragged_bincount.shape
def _(splits, size, value_of):
    with_rank(size, 0)
    (ends,) = with_rank(splits, 1)
    return _bins_shape((None if ends is None else ends - 1,), value_of)


# ---- random numbers from a key and a counter

_PHILOX, _ANY = 1, 3
_STATE = "shape: Tshape, key: uint64, counter: uint64, alg: int32"


def _state(xp, key, counter, alg):
    if int(alg) not in (_PHILOX, _ANY):
        raise invalid(f"Only Philox numbers (alg 1) are known, got alg {int(alg)}")
    if np.shape(key) != (1,) or np.shape(counter) != (2,):
        raise invalid(f"key must have shape [1] and counter [2], got {list(np.shape(key))}, {list(np.shape(counter))}")
    return xp.concatenate([key, counter])


def _sizes(shape):
    if np.ndim(shape) != 1 or np.any(shape < 0):
        raise invalid(f"shape must be a vector of numbers that are not negative, got {np.asarray(shape).tolist()}")
    return tuple(shape.tolist())


def _listed(shape, key, counter, alg, shape_of):
    with_rank(shape, 1)
    require_equal(with_rank(key, 1)[0], 1)
    require_equal(with_rank(counter, 1)[0], 2)
    with_rank(alg, 0)
    return shape_of("shape")


@op("StatelessRandomGetAlg() -> alg: int32", stateful=True, shape=lambda: ())
def stateless_random_get_alg():
    """The number of this device's random algorithm: Philox."""
    return np.int32(_PHILOX)


def _seeded(xp, seed):
    if np.shape(seed) != (2,):
        raise invalid(f"seed must have shape [2], not {list(np.shape(seed))}")
    state = stateless_state(xp, seed)
    return state[:1], state[1:]


def _two_seeds(seed):
    require_equal(with_rank(seed, 1)[0], 2)


@op("StatelessRandomGetKeyCounter(seed: Tseed, *, Tseed: index = int64) -> key: uint64, counter: uint64", grad=STOP)
def stateless_random_get_key_counter(xp, seed):
    """The Philox key and counter for a seed of two integers."""
    return _seeded(xp, seed)


@stateless_random_get_key_counter.shape
def _(seed):
    _two_seeds(seed)
    return [(1,), (2,)]


@op("StatelessRandomGetKeyCounterAlg(seed: Tseed, *, Tseed: index = int64) -> key: uint64, counter: uint64, "
    "alg: int32", grad=STOP)
def stateless_random_get_key_counter_alg(xp, seed):
    """The Philox key and counter for a seed of two integers, and the number of this device's algorithm."""
    return *_seeded(xp, seed), np.int32(_PHILOX)


@stateless_random_get_key_counter_alg.shape
def _(seed):
    _two_seeds(seed)
    return [(1,), (2,), ()]


def _floats(name, draw, doc):
    @op(f"{name}({_STATE}, *, dtype: floating = float, Tshape: index = int32) -> output: dtype",
        static=("shape", "alg"), shape=_listed, grad=STOP, memory=Memory.EXPENSIVE)
    def kernel(xp, shape, key, counter, alg, dtype):
        return draw(xp, _state(xp, key, counter, alg), _sizes(shape), dtype)
    kernel.__doc__ = doc
    return kernel


stateless_random_uniform_v2 = _floats("StatelessRandomUniformV2", draws.uniform, "Uniform random numbers in [0, 1).")
stateless_random_normal_v2 = _floats("StatelessRandomNormalV2", draws.normal, "Standard normal random numbers.")
stateless_truncated_normal_v2 = _floats("StatelessTruncatedNormalV2", draws.truncated_normal,
                                        "Standard normal numbers truncated to [-2, 2].")


@op(f"StatelessRandomUniformIntV2({_STATE}, minval: dtype, maxval: dtype, *, dtype: {{int32, int64, uint32, uint64}}, "
    "Tshape: index = int32) -> output: dtype", static=("shape", "alg"), grad=STOP, memory=Memory.EXPENSIVE)
def stateless_random_uniform_int_v2(xp, check, shape, key, counter, alg, minval, maxval, dtype):
    """Uniform random integers in [minval, maxval), from a key and a counter."""
    sizes = _sizes(shape)
    if 0 in sizes:
        return xp.zeros(sizes, dtype)
    check(minval < maxval, "Need minval < maxval, got {} >= {}", minval, maxval)
    return draws.uniform_int(xp, _state(xp, key, counter, alg), sizes, minval, maxval, dtype)


@stateless_random_uniform_int_v2.shape
def _(shape, key, counter, alg, minval, maxval, shape_of):
    with_rank(minval, 0)
    with_rank(maxval, 0)
    return _listed(shape, key, counter, alg, shape_of)
