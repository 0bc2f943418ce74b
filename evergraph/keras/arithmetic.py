"""tf.keras.backend: arithmetic, reductions, comparisons, random numbers, variables."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, gradients, math, ordering
from evergraph.frontend import random as draws
from evergraph.frontend.blocks import name_scope, root_graph
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.control_flow import cond
from evergraph.frontend.indexing import where
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations, normalize
from evergraph.frontend.reduce import (
    argmax,
    argmin,
    cumprod,
    cumsum,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_std,
    reduce_sum,
    reduce_variance,
)
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras import history, settings
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.train.moving_averages import assign_moving_average

export("keras.backend.name_scope", module="evergraph.frontend.blocks")(name_scope)


def _kind(dtype: Any) -> dtypes.DType:
    return dtypes.as_dtype(settings.floatx() if dtype is None else dtype)


def _floating(x: Any) -> Any:
    """The tensor, with bools cast to floats."""
    x = convert_to_tensor(x)
    return math.cast(x, settings.floatx()) if x.dtype.base_dtype is dtypes.bool else x


# ---- elementwise functions

def named(name: str, what: str, function: Any, returns: Any = Tensor) -> Any:
    """Exports a function under this name and with this docstring and type."""
    function.__annotations__["return"] = returns
    function.__name__ = function.__qualname__ = name
    function.__doc__ = what
    return export(f"keras.backend.{name}", module=function.__module__)(function)


def _unary(name, op, what):
    return named(name, what, lambda x: op(x))


def _binary(name, op, what):
    return named(name, what, lambda x, y: op(x, y))


abs_ = _unary("abs", math.abs, "The absolute value of each element.")
exp = _unary("exp", elementwise.exp, "The exponential e ** x of each element.")
log = _unary("log", elementwise.log, "The natural logarithm of each element.")
square = _unary("square", math.square, "The square of each element.")
round_ = _unary("round", math.round, "Rounds half to even.")
sign = _unary("sign", math.sign, "The sign: -1, 0 or 1.")
sin = _unary("sin", elementwise.sin, "The sine of each angle in radians.")
cos = _unary("cos", elementwise.cos, "The cosine of each angle in radians.")
maximum = _binary("maximum", elementwise.maximum, "The larger one of x and y, element by element.")
minimum = _binary("minimum", elementwise.minimum, "The smaller one of x and y, element by element.")
equal = _binary("equal", elementwise.equal, "Whether x == y, element by element.")
not_equal = _binary("not_equal", elementwise.not_equal, "Whether x != y, element by element.")
greater = _binary("greater", elementwise.greater, "Whether x > y, element by element.")
greater_equal = _binary("greater_equal", elementwise.greater_equal, "Whether x >= y, element by element.")
less = _binary("less", elementwise.less, "Whether x < y, element by element.")
less_equal = _binary("less_equal", elementwise.less_equal, "Whether x <= y, element by element.")
pow_ = named("pow", "The power x ** a, element by element.", lambda x, a: elementwise.pow_(x, a))
softmax = named("softmax", "Softmax along an axis.", lambda x, axis=-1: activations.softmax(x, axis=axis))


@export("keras.backend.sqrt")
def sqrt(x):
    """The square root; 0 for negative numbers."""
    x = convert_to_tensor(x)
    return elementwise.sqrt(clip_by_value(x, constant(0.0, x.dtype.base_dtype), constant(np.inf, x.dtype.base_dtype)))


@export("keras.backend.clip")
def clip(x, min_value, max_value):
    """Clips x to [min_value, max_value]; the lower bound wins if they contradict each other."""
    x = convert_to_tensor(x)
    if max_value is not None and min_value is not None and max_value < min_value:
        max_value = min_value
    least = -np.inf if min_value is None else min_value
    most = np.inf if max_value is None else max_value
    return clip_by_value(x, constant(least, x.dtype.base_dtype), constant(most, x.dtype.base_dtype))


# ---- reductions

def _as_bools(x):
    return math.cast(x, dtypes.bool)


def _reduction(name, reduce, what, prepared=lambda x: x):
    return named(name, what, lambda x, axis=None, keepdims=False: reduce(prepared(x), axis=axis, keepdims=keepdims))


sum_ = _reduction("sum", reduce_sum, "The sum along axes.")
prod = _reduction("prod", reduce_prod, "The product along axes.")
mean = _reduction("mean", reduce_mean, "The mean along axes.", _floating)
var = _reduction("var", reduce_variance, "The variance along axes.", _floating)
std = _reduction("std", reduce_std, "The standard deviation along axes.", _floating)
max_ = _reduction("max", reduce_max, "The largest element along axes.")
min_ = _reduction("min", reduce_min, "The smallest element along axes.")
any_ = _reduction("any", reduce_any, "Whether any element along axes is not zero.", _as_bools)
all_ = _reduction("all", reduce_all, "Whether all elements along axes are not zero.", _as_bools)
argmax_ = named("argmax", "The index of the maximum along an axis.", lambda x, axis=-1: argmax(x, axis))
argmin_ = named("argmin", "The index of the minimum along an axis.", lambda x, axis=-1: argmin(x, axis))
cumsum_ = named("cumsum", "The cumulative sum along an axis.", lambda x, axis=0: cumsum(x, axis=axis))
cumprod_ = named("cumprod", "The cumulative product along an axis.", lambda x, axis=0: cumprod(x, axis=axis))
l2_normalize = named("l2_normalize", "Normalizes the vectors along an axis to L2 norm 1.",
                     lambda x, axis=None: normalize.l2_normalize(x, axis=axis))
in_top_k = named("in_top_k", "Whether each target is among the k largest predictions.",
                 lambda predictions, targets, k: ordering.in_top_k(predictions, targets, k))


# ---- products and normalization

@export("keras.backend.dot")
def dot(x, y):
    """The dot product of tensors of any ranks: the last axis of `x` with the one before the last of `y`.

    Tensors of unknown ranks are multiplied as matrices, or as batches of as many.
    """
    x, y = convert_to_tensor(x), convert_to_tensor(y)
    rank = y.shape.rank
    if x.shape.rank is None or rank is None or x.shape.rank == rank == 2:
        return matmul(x, y)
    sizes, inner = x.shape.as_list(), y.shape.as_list()
    dynamic = array.shape(x)
    outer = [dynamic[axis] if size is None else size for axis, size in enumerate(sizes[:-1])]
    if rank == 1:
        return reduce_sum(x * y, axis=-1)
    turned = array.reshape(array.transpose(y, [rank - 2, *range(rank - 2), rank - 1]), [inner[-2], -1])
    flat = matmul(array.reshape(x, [-1, sizes[-1]]), turned)
    result = array.reshape(flat, [*outer, *inner[:-2], inner[-1]])
    result.set_shape([*sizes[:-1], *inner[:-2], inner[-1]])
    return result


@export("keras.backend.batch_normalization")
def batch_normalization(x, mean, var, beta, gamma, axis=-1, epsilon=1e-3):
    """Batch normalization: (x - mean) / sqrt(var + epsilon) * gamma + beta.

    Args:
        x: a tensor.
        mean, var, beta, gamma: vectors along the axis, or tensors that broadcast; `beta` and `gamma` may be None.
        axis: the axis of the features.
        epsilon: added to the variance.
    """
    x = convert_to_tensor(x)
    rank = x.shape.rank
    is_last = not rank or axis % rank == rank - 1  # where the rank is not known, vectors broadcast

    def spread(value):
        if value is None:
            return None
        value = convert_to_tensor(value)
        if is_last or value.shape.rank != 1:
            return value
        return array.reshape(value, [-1 if place == axis % rank else 1 for place in range(rank)])
    return normalize.batch_normalization(x, spread(mean), spread(var), spread(beta), spread(gamma), epsilon)


@export("keras.backend.normalize_batch_in_training")
def normalize_batch_in_training(x, gamma, beta, reduction_axes, epsilon=1e-3):
    """Normalizes a batch by its own statistics: (normalized batch, mean, variance).

    Args:
        x: a tensor.
        gamma, beta: scale and offset, or None.
        reduction_axes: the axes to average over.
        epsilon: added to the variance.
    """
    x = convert_to_tensor(x)
    average, variance = normalize.moments(x, list(reduction_axes))
    rank = x.shape.rank
    spread = lambda value: value
    if sorted(reduction_axes) != list(range(rank - 1)):
        sizes, dynamic = x.shape.as_list(), array.shape(x)
        wide = [1 if axis in reduction_axes else dynamic[axis] if sizes[axis] is None else sizes[axis]
                for axis in range(rank)]
        spread = lambda value: None if value is None else array.reshape(value, wide)
    outputs = normalize.batch_normalization(x, spread(average), spread(variance), spread(beta), spread(gamma), epsilon)
    return outputs, average, variance


@export("keras.backend.bias_add")
def bias_add(x, bias, data_format=None):
    """Adds a bias: one element per channel, or a tensor of the shape of an example.

    Raises:
        ValueError: the bias has an invalid rank.
    """
    x, layout = convert_to_tensor(x), settings.layout_of(data_format)
    shape = bias.shape.as_list()
    rank = x.shape.rank
    if len(shape) != 1 and (rank is None or len(shape) != rank - 1):
        raise ValueError(f"the bias has rank {len(shape)}; with inputs of rank {rank} it may have 1"
                         f"{'' if rank is None else f' or {rank - 1}'}")
    if len(shape) == 1:
        has_channels_first = layout == "channels_first" and (rank is None or rank > 2)
        return activations.bias_add(x, bias, data_format="NCHW" if has_channels_first else "NHWC")
    if layout == "channels_first":
        bias = array.transpose(bias, [rank - 2, *range(rank - 2)])
    return x + array.expand_dims(bias, 0)


@export("keras.backend.dropout")
def dropout(x, level, noise_shape=None, seed=None):
    """Dropout with the probability `level` that an element is dropped."""
    return activations.dropout(x, noise_shape=noise_shape, seed=_seed(seed), rate=level)


# ---- conditionals

def _value(expression):
    return expression() if callable(expression) else expression


@export("keras.backend.switch")
def switch(condition, then_expression, else_expression):
    """Selects one expression or the other: as a whole for a scalar condition, else by row or element.

    Args:
        condition: a bool tensor.
        then_expression, else_expression: tensors, or functions that return them.

    Raises:
        ValueError: the condition has a higher rank than the expressions.
    """
    condition = math.cast(condition, dtypes.bool)
    if condition.shape.rank == 0:
        return cond(condition, lambda: convert_to_tensor(_value(then_expression)),
                    lambda: convert_to_tensor(_value(else_expression)))
    yes, no = convert_to_tensor(_value(then_expression)), convert_to_tensor(_value(else_expression))
    if condition.shape.rank > yes.shape.rank:
        raise ValueError(f"Rank of `condition` should be less than {yes.shape.rank + 1}, as what is chosen from has "
                         f"rank {yes.shape.rank}; got {condition.shape.rank}")
    for _ in range(yes.shape.rank - condition.shape.rank):
        condition = array.expand_dims(condition, -1)
    if condition.shape.rank > 1:
        condition = elementwise.logical_and(condition, array.ones_like(yes, dtype=dtypes.bool))
    return where(condition, yes, no)


@export("keras.backend.in_train_phase")
def in_train_phase(x, alt, training=None):
    """`x` in training, else `alt`.

    Args:
        x, alt: tensors, or functions that return them.
        training: whether to train; by default the learning phase.
    """
    training = settings.learning_phase() if training is None else training
    if isinstance(training, (bool, int)):
        return _value(x if training else alt)
    return switch(training, x, alt)


in_test_phase = named("in_test_phase", "`alt` in training, else `x`; see `in_train_phase`.",
                      lambda x, alt, training=None: in_train_phase(alt, x, training=training), Any)


# ---- random numbers

def _seed(seed):
    """A seed; drawn at random if None, so that two calls differ."""
    return int(np.random.randint(10000000)) if seed is None else seed


@export("keras.backend.random_normal")
def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Normal random numbers of a mean and a standard deviation."""
    return draws.random_normal(shape, mean=mean, stddev=stddev, dtype=_kind(dtype), seed=_seed(seed))


@export("keras.backend.truncated_normal")
def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Normal random numbers within two standard deviations."""
    return draws.truncated_normal(shape, mean, stddev, dtype=_kind(dtype), seed=_seed(seed))


@export("keras.backend.random_uniform")
def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    """Uniform random numbers between two bounds."""
    return draws.random_uniform(shape, minval=minval, maxval=maxval, dtype=_kind(dtype), seed=_seed(seed))


@export("keras.backend.random_binomial")
def random_binomial(shape, p=0.0, dtype=None, seed=None):
    """Bernoulli random numbers: 1 with probability `p`, else 0."""
    kind = _kind(dtype)
    drawn = draws.random_uniform(shape, dtype=kind, seed=_seed(seed))
    return where(elementwise.less_equal(drawn, p), array.ones(shape, dtype=kind), array.zeros(shape, dtype=kind))


@export("keras.backend.random_normal_variable")
def random_normal_variable(shape, mean, scale, dtype=None, name=None, seed=None):
    """A variable initialized with normal random numbers."""
    return variable(random_normal(shape, mean, scale, dtype, seed), dtype, name)


@export("keras.backend.random_uniform_variable")
def random_uniform_variable(shape, low, high, dtype=None, name=None, seed=None):
    """A variable initialized with uniform random numbers."""
    return variable(random_uniform(shape, low, high, dtype, seed), dtype, name)


# ---- variables

@export("keras.backend.variable")
def variable(value, dtype=None, name=None, constraint=None):
    """Creates a variable.

    Args:
        value: its initial value.
        dtype: its dtype; by default `tf.keras.backend.floatx()`.
        name: its name.
        constraint: a projection of it that optimizers apply after each step.

    A sparse matrix of SciPy becomes a constant `tf.SparseTensor`.
    """
    if hasattr(value, "tocoo"):
        matrix = value.tocoo()
        places = np.stack([matrix.row, matrix.col], axis=1).astype(np.int64)
        return SparseTensor(places, matrix.data, matrix.shape)
    return Variable(convert_to_tensor(value, dtype=_kind(dtype)), dtype=_kind(dtype), name=name, constraint=constraint,
                    use_resource=True)


zeros = named("zeros", "A variable of zeros; a tensor if a size is unknown.",
              lambda shape, dtype=None, name=None: _filled(array.zeros(shape, dtype=_kind(dtype)), dtype, name), Any)
ones = named("ones", "A variable of ones; a tensor if a size is unknown.",
             lambda shape, dtype=None, name=None: _filled(array.ones(shape, dtype=_kind(dtype)), dtype, name), Any)
eye = named("eye", "A variable initialized with the identity matrix.",
            lambda size, dtype=None, name=None: variable(array.eye(size, dtype=_kind(dtype)), dtype, name), Any)


def _filled(tensor, dtype, name):
    return variable(tensor, dtype, name) if tensor.shape.is_fully_defined() else tensor


update = named("update", "Assigns to a variable.", lambda x, new_x: _changed(assign.assign, x, new_x), Any)
update_add = named("update_add", "Adds to a variable.",
                   lambda x, increment: _changed(assign.assign_add, x, increment), Any)
update_sub = named("update_sub", "Subtracts from a variable.",
                   lambda x, decrement: _changed(assign.assign_sub, x, decrement), Any)


def _changed(change, x, value):
    """A change of a variable. With eager execution and a symbolic value it is an operation of the symbolic graph."""
    if history.is_symbolic_tensor(value) and root_graph().is_eager:
        with history.symbolic():
            return change(x, value)
    return change(x, value)


@export("keras.backend.moving_average_update")
def moving_average_update(x, value, momentum):
    """Updates an exponential moving average, with zero debiasing: x += (1 - momentum) * (value - x)."""
    return assign_moving_average(x, value, momentum, zero_debias=True)


gradients_ = named("gradients", "The gradients of a loss with respect to variables.",
                   lambda loss, variables: gradients.gradients(loss, variables), list[Any])


@export("keras.backend.stop_gradient")
def stop_gradient(variables):
    """Stops gradients through a tensor or a list of tensors."""
    if isinstance(variables, (list, tuple)):
        return [basic.stop_gradient(each) for each in variables]
    return basic.stop_gradient(variables)


@export("keras.backend.count_params")
def count_params(x):
    """The number of elements of a tensor or variable."""
    return int(np.prod(x.shape.as_list()))
