"""tf.nn: activations, softmax, biases, dense layers and dropout."""
from __future__ import annotations

import numbers

import numpy as np

from evergraph.base import dtypes, errors, logging
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math, random
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import where
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import either, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations

# ---- softmax

@export("nn.softmax", "math.softmax")
def softmax(logits, axis=None, name=None, dim=None):
    """Computes softmax(x)_i = exp(x_i) / sum_j exp(x_j) along `axis`: logits become probabilities.

    Args:
        logits: floating point numbers.
        axis: the axis of the classes; by default the last.
        name: a name for the operation.
        dim: the older name of `axis`.

    Raises:
        InvalidArgumentError: there is no such axis.

    >>> tf.Session().run(tf.nn.softmax([0.0, 0.0]))
    array([0.5, 0.5], dtype=float32)
    """
    return _along(activations.softmax, logits, either("axis", axis, "dim", dim), name)


@export("nn.log_softmax", "math.log_softmax")
def log_softmax(logits, axis=None, name=None, dim=None):
    """Computes log(softmax(x)) = x - log(sum(exp(x))) along `axis`, without underflow.

    Args:
        logits, axis, name, dim: as for `tf.nn.softmax`.
    """
    return _along(activations.log_softmax, logits, either("axis", axis, "dim", dim), name)


def _along(opdef, logits, axis, name):
    """An op of the last axis, along any."""
    logits = convert_to_tensor(logits, name="logits")
    rank = logits.shape.rank
    if isinstance(axis, Tensor) and static_value(axis) is None:
        return _along_unknown(opdef, logits, axis, name)
    axis = -1 if axis is None else known_axis(axis)
    if axis == -1 or rank is not None and axis == rank - 1:
        return opdef(logits, name=name)
    if rank is not None and not -rank <= axis < rank:
        raise errors.InvalidArgumentError(
            None, None, f"axis {axis} is outside of [{-rank}, {rank}): the input has {rank} dimensions")
    if rank is not None:
        default_graph()._count_more(26)  # TensorFlow computes the order of the axes, twice
    exchanged = array.transpose(logits, _exchanged(logits, axis))
    result = array.transpose(opdef(exchanged), _exchanged(logits, axis), name=name)
    result.set_shape(logits.shape)
    return result


def _along_unknown(opdef, logits, axis, name):
    """An op of the last axis, along one that the run tells."""
    count = basic.rank(logits)
    axis = where(axis < 0, axis + count, axis)
    places, last = math.range(count), count - 1
    at_axis, at_end = elementwise.equal(places, axis), elementwise.equal(places, last)
    order = where(at_axis, places * 0 + last, where(at_end, places * 0 + axis, places))
    result = array.transpose(opdef(array.transpose(logits, order)), order, name=name)
    result.set_shape(logits.shape)
    return result


def known_axis(axis):
    """An axis as a number.

    Raises:
        ValueError: it is a tensor whose value is not known while the graph is built.
    """
    if not isinstance(axis, Tensor):
        return int(axis)
    value = static_value(axis)
    if value is None:
        raise ValueError(f"The axis {axis!r} must be known while the graph is built.")
    return int(value)


def _exchanged(x, axis):
    """The order of axes in which `axis` and the last have changed places."""
    rank = x.shape.rank
    if rank is not None:
        order = list(range(rank))
        order[axis], order[-1] = order[-1], order[axis]
        return order
    count = basic.rank(x)
    axis = axis + count if axis < 0 else convert_to_tensor(axis)
    return array.concat([math.range(axis), [count - 1], math.range(axis + 1, count - 1), [axis]], 0)


# ---- activations

@export("nn.leaky_relu")
def leaky_relu(features, alpha=0.2, name=None):
    """Computes the leaky rectifier max(x, alpha * x) (Maas et al., 2013); integers become float32.

    Args:
        features: numbers.
        alpha: the slope below zero.
        name: a name for the operation.
    """
    with name_scope(name, "LeakyRelu", [features, alpha]) as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = math.cast(features, dtypes.float32)
        return activations.leaky_relu(features, alpha=np.asarray(alpha).item(), name=scope)


@export("nn.crelu")
def crelu(features, name=None, axis=-1):
    """Computes the concatenated rectifier (Shang et al., 2016): relu(x) and relu(-x) concatenated along `axis`.

    Args:
        features: numbers.
        name: a name for the operations.
        axis: the axis that doubles.
    """
    with name_scope(name, "CRelu", [features]) as scope:
        features = convert_to_tensor(features, name="features")
        return activations.relu(array.concat([features, -features], axis, name=scope))


@export("nn.swish")
def swish(features):
    """Computes swish(x) = x * sigmoid(x) (Ramachandran et al., 2017), also called SiLU."""
    features = convert_to_tensor(features, name="features")
    return features * elementwise.sigmoid(features)


@export("nn.zero_fraction", "math.zero_fraction")
def zero_fraction(value, name=None):
    """Computes the fraction of elements that are zero, as float32: the sparsity of activations. NaN without elements.

    >>> tf.Session().run(tf.nn.zero_fraction([0.0, 1.0, 0.0, 3.0]))
    0.5
    """
    with name_scope(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        count = array.size(value, out_type=dtypes.int64)
        zero = np.zeros((), value.dtype.base_dtype.np)
        nonzero = reduce_sum(math.cast(elementwise.not_equal(value, zero), dtypes.int64))
        default_graph()._count_more(15)  # TensorFlow counts in a conditional, with int32 or int64
        with name_scope("counts_to_fraction"):
            fraction = math.cast(count - nonzero, dtypes.float32) / math.cast(count, dtypes.float32)
        return basic.identity(fraction, name="fraction")


# ---- layers

def _order_of(data_format):
    """NHWC or NCHW for a layout of any rank.

    Raises:
        ValueError: the layout is neither N...C nor NC....
    """
    if data_format is None or data_format.startswith("N") and data_format.endswith("C") and data_format != "NC":
        return "NHWC"
    if data_format.startswith("NC"):
        return "NCHW"
    raise ValueError("data_format must start with N and have C last or second")


@export("nn.bias_add")
def bias_add(value, bias, data_format=None, name=None):
    """Adds a bias vector, one number per channel, to a tensor.

    Args:
        value: a tensor of rank 2 or more.
        bias: one number for each channel.
        data_format: "N...C", the channels last (the default), or "NC...", channels right after the batch.
        name: a name for the operation.

    Raises:
        ValueError: `data_format` is neither.
    """
    with name_scope(name, "BiasAdd", [value, bias]) as scope:
        order = _order_of(data_format)
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, dtype=value.dtype.base_dtype, name="bias")
        return activations.bias_add(value, bias, data_format=order, name=scope)


@export("nn.xw_plus_b")
def xw_plus_b(x, weights, biases, name=None):
    """Computes the affine map matmul(x, weights) + biases of a dense layer.

    Args:
        x: [batch, inputs].
        weights: [inputs, outputs].
        biases: [outputs].
        name: a name for the operation.
    """
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as scope:
        return bias_add(*_dense(x, weights, biases), name=scope)


@export("nn.relu_layer")
def relu_layer(x, weights, biases, name=None):
    """relu(matmul(x, weights) + biases); see `tf.nn.xw_plus_b` for the arguments."""
    with name_scope(name, "relu_layer", [x, weights, biases]) as scope:
        return activations.relu(bias_add(*_dense(x, weights, biases)), name=scope)


def _dense(x, weights, biases):
    x = convert_to_tensor(x, name="x")
    weights = convert_to_tensor(weights, name="weights")
    biases = convert_to_tensor(biases, name="biases")
    return matmul(x, weights), biases


# ---- dropout

@export("nn.dropout")
def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    """Applies dropout (Srivastava et al., 2014): zeroes elements with probability `rate`, divides the rest by 1 - rate.

    Args:
        x: floating point numbers.
        keep_prob: the older way to say `rate`: 1 - rate.
        noise_shape: the shape of the random choice, which broadcasts to `x`: elements that share one are kept
            or dropped together.
        seed: see `tf.set_random_seed`.
        name: a name for the operations.
        rate: the probability that an element is dropped, from 0 up to but not including 1.

    Raises:
        ValueError: the rate is missing, given twice or out of range, or `x` is not floating point.
    """
    if keep_prob is not None:
        try:
            keep_prob = 1.0 - keep_prob
        except TypeError:
            raise ValueError(f"keep_prob must be a number or a tensor, got {keep_prob!r}") from None
    rate = either("rate", rate, "keep_prob", keep_prob)
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    with name_scope(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(f"x must be floating point, because what dropout leaves is scaled; got {x.dtype}")
        if _drops_nothing(rate):
            return x
        return _dropped(x, rate, noise_shape, seed)


def _drops_nothing(rate):
    if not isinstance(rate, numbers.Real):
        return False
    if not 0 <= rate < 1:
        raise ValueError(f"rate must be at least 0 and below 1, got {rate:g}")
    if rate > 0.5:
        logging.log_first_n(logging.WARN, "Large dropout rate: %g (>0.5): this is the share that is dropped, not the "
                                          "share that is kept.", 5, rate)
    return rate == 0


def _dropped(x, rate, noise_shape, seed):
    rate = convert_to_tensor(rate, dtype=x.dtype.base_dtype, name="rate")
    rate.shape.assert_has_rank(0)
    known = static_value(rate)
    if known is not None and known == 0:
        return x
    chance = random.random_uniform(_noise_shape(x, noise_shape), seed=seed, dtype=x.dtype.base_dtype)
    scale = 1 / (1 - rate)
    keep = chance >= rate
    result = x * scale * math.cast(keep, x.dtype.base_dtype)
    result.set_shape(x.shape)
    return result


def _noise_shape(x, noise_shape):
    """The shape of the noise; sizes it leaves open are those of `x`."""
    if noise_shape is None:
        return array.shape(x)
    try:
        wanted = TensorShape(noise_shape)
    except (TypeError, ValueError):
        return noise_shape
    if x.shape.rank is not None and wanted.rank == x.shape.rank:
        return TensorShape([own if size is None else size
                            for size, own in zip(wanted.as_list(), x.shape.as_list())])
    return noise_shape
