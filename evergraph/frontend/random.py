"""tf.random: functions that add random ops, and the seeds they get.

Every random op has two seeds. The first is the graph's (`tf.set_random_seed`), the second its own (the argument
`seed`); together they fix its numbers in every session, run after run. With neither, the numbers differ each time.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.graph.convert import constant, convert_to_tensor, sizes_to_tensor, to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic, index
from evergraph.ops.control.effects import assert_
from evergraph.ops.math import elementwise, reduce
from evergraph.ops.math import random as ops

DEFAULT_GRAPH_SEED = 87654321
_MODULUS = 2**31 - 1


# ---- seeds


@export("get_seed", "random.get_seed")
def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds of a random op that is made now with the argument `seed=op_seed`.

    A missing op seed is the number of operations the graph has so far when the graph has a seed, so that each op gets
    numbers of its own and the same program the same ones.

    Returns:
        (graph seed, op seed); (None, None) when neither is set.
    """
    graph = default_graph()
    if graph.seed is None and op_seed is None:
        return None, None
    first = DEFAULT_GRAPH_SEED if graph.seed is None else graph.seed
    second = graph.next_op_seed() if op_seed is None else op_seed
    seeds = first % _MODULUS, second % _MODULUS
    # Two zeros would ask the kernel for a different stream each time.
    return seeds if seeds != (0, 0) else (0, _MODULUS)


@export("set_random_seed", "random.set_random_seed", "compat.v2.random.set_seed")
def set_random_seed(seed: int) -> None:
    """Sets the seed of the default graph, from which every random op created afterwards derives its own.

    A random op has two seeds, the graph's and that of its `seed` argument. With either set, every new session draws
    the same numbers; with neither, each session draws others.

    >>> tf.set_random_seed(1234)
    >>> a = tf.random_uniform([1])   # the same numbers in every session and every program run

    Args:
        seed: an integer.
    """
    default_graph().seed = seed


def _seeds(op_seed: int | None) -> dict[str, int]:
    first, second = get_seed(op_seed)
    return {"seed": first or 0, "seed2": second or 0}


def _shape_tensor(shape: Any) -> Tensor:
    """A shape argument as a vector; the empty list has no dtype of its own."""
    empty = isinstance(shape, (list, tuple)) and not shape
    return convert_to_tensor(shape, dtypes.int32 if empty else None, name="shape")


def _scaled(numbers: Tensor, factor: Tensor, offset: Tensor, name: str) -> Tensor:
    """numbers * factor + offset, under the name of the scope."""
    return elementwise.add(elementwise.mul(numbers, factor, name="mul"), offset, name=name)


# ---- uniform

_UNIFORM = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)


def _upper_bound(maxval: Any, dtype: dtypes.DType) -> Any:
    """`maxval`, which is 1 unless given; integers have no such default.

    Raises:
        ValueError: the dtype is not one that uniform numbers can have, or needs a `maxval`.
    """
    if dtype not in _UNIFORM:
        raise ValueError(f"Invalid dtype {dtype}: uniform random numbers are of {[d.name for d in _UNIFORM]}")
    if maxval is None and dtype.is_integer:
        raise ValueError(f"Must specify maxval for integer dtype {dtype}")
    return 1 if maxval is None else maxval


@export("random_uniform", "random.uniform")
def random_uniform(shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32,
                   seed: int | None = None, name: str | None = None) -> Tensor:
    """Draws from the uniform distribution on [minval, maxval), new numbers in every run.

    >>> tf.random_uniform([2, 3], 0, 10, dtype=tf.int32)      # integers 0 to 9

    Args:
        shape: of the result.
        minval: the lower bound, included.
        maxval: the upper bound, excluded; 1 by default, and required for integers. Unless maxval - minval is a power of
            two, the smaller integers are slightly more likely.
        dtype: float16, bfloat16, float32, float64, int32 or int64.
        seed: see `tf.set_random_seed`.
        name: of the scope and the result.

    Raises:
        ValueError: another dtype, or an integer one without `maxval`.
    """
    dtype = dtypes.as_dtype(dtype)
    maxval = _upper_bound(maxval, dtype)
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as scope:
        shape = _shape_tensor(shape)
        minval = convert_to_tensor(minval, dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype, name="max")
        seeds = _seeds(seed)
        if dtype.is_integer:
            return ops.random_uniform_int(shape, minval, maxval, **seeds, name=scope)
        numbers = ops.random_uniform(shape, dtype, **seeds)
        return _scaled(numbers, elementwise.sub(maxval, minval, name="sub"), minval, scope)


@export("random.stateless_uniform", "contrib.stateless.stateless_random_uniform")
def stateless_uniform(shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32,
                      name: str | None = None) -> Tensor:
    """The same as `tf.random_uniform`, but a function of `seed` alone: equal seeds give equal numbers.

    Args:
        shape: of the result.
        seed: two integers.
        minval: the lower bound, included.
        maxval: the upper bound, excluded; 1 by default, and required for integers.
        dtype: float16, bfloat16, float32, float64, int32 or int64.
        name: of the scope and the result.

    Raises:
        ValueError: another dtype, or an integer one without `maxval`.
    """
    dtype = dtypes.as_dtype(dtype)
    maxval = _upper_bound(maxval, dtype)
    with name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as scope:
        shape = _shape_tensor(shape)
        minval = convert_to_tensor(minval, dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype, name="max")
        if dtype.is_integer:
            return ops.stateless_random_uniform_int(shape, seed, minval, maxval, name=scope)
        numbers = ops.stateless_random_uniform(shape, seed, dtype)
        return _scaled(numbers, elementwise.sub(maxval, minval, name="sub"), minval, scope)


# ---- normal


def _normal(op: Any, default_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: int | None,
            name: str | None) -> Tensor:
    with name_scope(name, default_name, [shape, mean, stddev]) as scope:
        shape = _shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype, name="stddev")
        return _scaled(op(shape, dtype, **_seeds(seed)), stddev, mean, scope)


def _stateless_normal(op: Any, default_name: str, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any,
                      name: str | None) -> Tensor:
    with name_scope(name, default_name, [shape, seed, mean, stddev]) as scope:
        shape = _shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype, name="stddev")
        return _scaled(op(shape, seed, dtype), stddev, mean, scope)


@export("random_normal", "random.normal")
def random_normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, seed: int | None = None,
                  name: str | None = None) -> Tensor:
    """Draws from the normal distribution N(mean, stddev**2), new numbers in every run.

    Args:
        shape: of the result.
        mean: of the distribution; broadcast against `shape`.
        stddev: its standard deviation; broadcast likewise.
        dtype: a floating one.
        seed: see `tf.set_random_seed`.
        name: of the scope and the result.
    """
    return _normal(ops.random_standard_normal, "random_normal", shape, mean, stddev, dtype, seed, name)


@export("truncated_normal", "random.truncated_normal")
def truncated_normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
                     seed: int | None = None, name: str | None = None) -> Tensor:
    """Draws from the normal distribution truncated at two standard deviations from the mean.

    Args:
        shape, dtype, seed, name: as for `tf.random_normal`.
        mean, stddev: of the normal distribution before the truncation.
    """
    return _normal(ops.truncated_normal, "truncated_normal", shape, mean, stddev, dtype, seed, name)


@export("random.stateless_normal", "contrib.stateless.stateless_random_normal")
def stateless_normal(shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
                     name: str | None = None) -> Tensor:
    """The same as `tf.random_normal`, but a function of `seed`, two integers, alone."""
    return _stateless_normal(ops.stateless_random_normal, "stateless_random_normal", shape, seed, mean, stddev, dtype,
                             name)


@export("random.stateless_truncated_normal", "contrib.stateless.stateless_truncated_normal")
def stateless_truncated_normal(shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
                               name: str | None = None) -> Tensor:
    """The same as `tf.truncated_normal`, but a function of `seed`, two integers, alone."""
    return _stateless_normal(ops.stateless_truncated_normal, "stateless_truncated_normal", shape, seed, mean, stddev,
                             dtype, name)


def parameterized_truncated_normal(shape: Any, means: Any = 0.0, stddevs: Any = 1.0, minvals: Any = -2.0,
                                   maxvals: Any = 2.0, dtype: Any = dtypes.float32, seed: int | None = None,
                                   name: str | None = None) -> Tensor:
    """Normal random numbers between bounds.

    Args:
        shape: of the result; its first size is the number of rows.
        means: before the cut, a scalar or one for each row.
        stddevs: standard deviations before the cut, likewise.
        minvals: lower bounds, likewise.
        maxvals: upper bounds, likewise.
        dtype: a floating one.
        seed: see `tf.set_random_seed`.
        name: of the scope.
    """
    with name_scope(name, "parameterized_truncated_normal", [shape, means, stddevs, minvals, maxvals]):
        shape = _shape_tensor(shape)
        parameters = {"means": means, "stddevs": stddevs, "minvals": minvals, "maxvals": maxvals}
        tensors = [convert_to_tensor(value, dtype, name=each) for each, value in parameters.items()]
        return ops.parameterized_truncated_normal(shape, *tensors, **_seeds(seed))


# ---- orders and pieces


@export("random_shuffle", "random.shuffle")
def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """Shuffles a tensor along its first axis: rows change places at random and stay whole.

    >>> tf.random_shuffle([[1, 2], [3, 4], [5, 6]])      # for instance [[5, 6], [1, 2], [3, 4]]

    Args:
        value: a tensor of rank 1 or more.
        seed: see `tf.set_random_seed`.
        name: a name for the operation.
    """
    return ops.random_shuffle(value, **_seeds(seed), name=name)


@export("random_crop", "image.random_crop")
def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """Crops a window of a given size out of a tensor at a uniformly random offset.

    >>> tf.random_crop(image, [24, 24, 3])      # all channels of a random 24 x 24 square

    Args:
        value: what to cut from.
        size: of the piece, one number for each axis; in a run no axis may be shorter than its size.
        seed: see `tf.set_random_seed`.
        name: of the scope and the result.
    """
    with name_scope(name, "random_crop", [value, size]) as scope:
        value = convert_to_tensor(value, name="value")
        size = sizes_to_tensor(size, "size")
        shape = array.shape(value)
        fits = reduce.all_(elementwise.greater_equal(shape, size), constant([0], dtypes.int32))
        with name_scope("Assert"):
            check = assert_(fits, ["Need value.shape >= size, got ", shape, size], summarize=1000)
        default_graph()._count_more(1)  # the text once more
        with control_dependencies([check]):
            shape = basic.identity(shape, name="control_dependency")
        room = elementwise.add_v2(elementwise.sub(shape, size, name="sub"), 1, name="add")
        drawn = random_uniform(array.shape(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed)
        return index.slice_(value, elementwise.floor_mod(drawn, room, name="mod"), size, name=scope)


# ---- classes


@export("multinomial", "random.multinomial")
def multinomial(logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None,
                output_dtype: Any = None) -> Tensor:
    """Draws class indices from the categorical distributions softmax(logits); older name of `tf.random.categorical`.

    Args:
        logits: unnormalised log-probabilities, [rows, classes].
        num_samples: how many numbers to draw for each row.
        seed: see `tf.set_random_seed`.
        name: of the scope.
        output_dtype: int64 (the default) or int32.

    Returns:
        [rows, num_samples]
    """
    with name_scope(name, "multinomial", [logits]):
        return _categorical(logits, num_samples, output_dtype, seed)


@export("random.categorical")
def categorical(logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None,
                name: str | None = None) -> Tensor:
    """Draws class indices from categorical distributions, one per row: index j with probability softmax(logits)[j].

    >>> tf.random.categorical(tf.log([[0.5, 0.5]]), 5)      # five fair coins, [1, 5]

    Args:
        logits: unnormalised log-probabilities, [rows, classes].
        num_samples: how many numbers to draw for each row.
        dtype: int64 (the default) or int32.
        seed: see `tf.set_random_seed`.
        name: of the scope.

    Returns:
        [rows, num_samples]
    """
    with name_scope(name, "categorical", [logits]):
        return _categorical(logits, num_samples, dtype, seed)


def _categorical(logits: Any, num_samples: Any, dtype: Any, seed: int | None) -> Tensor:
    logits = convert_to_tensor(logits, name="logits")
    return ops.multinomial(logits, num_samples, **_seeds(seed), output_dtype=_class_dtype(dtype))


def _class_dtype(dtype: Any) -> dtypes.DType:
    return dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)


@export("random.stateless_multinomial", "contrib.stateless.stateless_multinomial")
def stateless_multinomial(logits: Any, num_samples: Any, seed: Any, output_dtype: Any = dtypes.int64,
                          name: str | None = None) -> Tensor:
    """The same as `tf.multinomial`, but a function of `seed`, two integers, alone."""
    with name_scope(name, "stateless_multinomial", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return ops.stateless_multinomial(logits, num_samples, seed, output_dtype=_class_dtype(output_dtype))


@export("random.stateless_categorical")
def stateless_categorical(logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64,
                          name: str | None = None) -> Tensor:
    """The same as `tf.random.categorical`, but a function of `seed`, two integers, alone."""
    with name_scope(name, "stateless_categorical", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return ops.stateless_multinomial(logits, num_samples, seed, output_dtype=_class_dtype(dtype))


# ---- gamma and Poisson


@export("random_gamma", "random.gamma")
def random_gamma(shape: Any, alpha: Any, beta: Any = None, dtype: Any = dtypes.float32, seed: int | None = None,
                 name: str | None = None) -> Tensor:
    """Draws from gamma distributions; the samples are differentiable by `alpha` and `beta`.

    Args:
        shape: of the samples drawn for each pair of parameters.
        alpha: the shape parameter; broadcast with `beta`.
        beta: the rate, or inverse scale; 1 by default.
        dtype: float16, float32 or float64.
        seed: see `tf.set_random_seed`.
        name: of the scope.

    Returns:
        A tensor of `shape` followed by the shape of the parameters. Never 0: the smallest normal number instead.
    """
    dtype = dtypes.as_dtype(dtype)
    with name_scope(name, "random_gamma", [shape, alpha, beta]):
        shape = to_tensor(shape, None, "shape", preferred_dtype=dtypes.int32, wraps=False)
        alpha = convert_to_tensor(alpha, dtype, name="alpha")
        beta = convert_to_tensor(1 if beta is None else beta, dtype, name="beta")
        together = basic.broadcast_args(array.shape(alpha), array.shape(beta))
        numbers = ops.random_gamma(shape, basic.broadcast_to(alpha, together), **_seeds(seed))
        smallest = np.finfo(dtype.as_numpy_dtype).tiny
        return elementwise.maximum(smallest, elementwise.real_div(numbers, beta, name="truediv"))


@export("random_poisson", "random.poisson")
def random_poisson(lam: Any, shape: Any, dtype: Any = dtypes.float32, seed: int | None = None,
                   name: str | None = None) -> Tensor:
    """Draws counts from Poisson distributions with the rates `lam`.

    Args:
        lam: the rates.
        shape: of the samples drawn for each rate.
        dtype: of the result: float16, float32, float64, int32 or int64.
        seed: see `tf.set_random_seed`.
        name: of the scope.

    Returns:
        A tensor of `shape` followed by the shape of `lam`.
    """
    with name_scope(name, "random_poisson", [lam, shape]):
        shape = to_tensor(shape, None, "shape", preferred_dtype=dtypes.int32, wraps=False)
        return ops.random_poisson_v2(shape, lam, **_seeds(seed), dtype=dtypes.as_dtype(dtype))
