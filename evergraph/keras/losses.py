"""tf.keras.losses as functions, and the cross entropies of tf.keras.backend."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.indexing import where
from evergraph.frontend.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from evergraph.frontend.nn.normalize import l2_normalize
from evergraph.frontend.reduce import reduce_any, reduce_max, reduce_mean, reduce_sum
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras import settings
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations


def _pair(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    y_pred = convert_to_tensor(y_pred)
    return math.cast(convert_to_tensor(y_true), y_pred.dtype), y_pred


def _smoothed(labels: Any, smoothing: Any, towards: Any) -> Any:
    return labels * (1.0 - smoothing) + towards * smoothing if _is_smoothed(smoothing) else labels


def _is_smoothed(smoothing: Any) -> bool:
    return isinstance(smoothing, Tensor) or bool(smoothing)


def _within(probabilities: Any) -> Any:
    """Probabilities clipped away from 0 and 1, so that their logarithms are finite."""
    small = constant(settings.epsilon(), probabilities.dtype.base_dtype)
    return clip_by_value(probabilities, small, 1.0 - small)


# ---- tf.keras.backend

@export("keras.backend.binary_crossentropy")
def binary_entropy(target, output, from_logits=False):
    """The elementwise binary cross entropy of predicted probabilities with labels.

    Args:
        target: the labels.
        output: probabilities; or, with `from_logits`, their logits.
    """
    target, output = _pair(target, output)
    if from_logits:
        return sigmoid_cross_entropy_with_logits(labels=target, logits=output)
    if output.source.opdef is elementwise.sigmoid:  # the logits are available and more precise
        return sigmoid_cross_entropy_with_logits(labels=target, logits=output.source.inputs[0])
    output = _within(output)
    small = settings.epsilon()
    return -(target * elementwise.log(output + small) + (1 - target) * elementwise.log(1 - output + small))


@export("keras.backend.categorical_crossentropy")
def categorical_entropy(target, output, from_logits=False, axis=-1):
    """The categorical cross entropy of predicted class probabilities with a label distribution.

    Args:
        target: the label distribution.
        output: probabilities; or, with `from_logits`, their logits.
        axis: the axis of the classes.
    """
    target, output = _pair(target, output)
    if from_logits:
        return softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)
    if output.source.opdef is activations.softmax:
        return softmax_cross_entropy_with_logits_v2(labels=target, logits=output.source.inputs[0], axis=axis)
    output = _within(output / reduce_sum(output, axis, keepdims=True))
    return -reduce_sum(target * elementwise.log(output), axis)


@export("keras.backend.sparse_categorical_crossentropy")
def sparse_entropy(target, output, from_logits=False, axis=-1):
    """The categorical cross entropy of predicted class probabilities with integer labels.

    Args:
        target: class indices.
        output: probabilities; or, with `from_logits`, their logits.
        axis: the axis of the classes.
    """
    output = convert_to_tensor(output)
    if not from_logits:
        source = output.source
        output = source.inputs[0] if source.opdef is activations.softmax else elementwise.log(_within(output))
    rank = output.shape.rank
    if rank is None:
        if axis != -1:
            raise ValueError(f"Cannot compute sparse categorical crossentropy with `axis={axis}` where the rank of the "
                             f"output is unknown")
        return sparse_softmax_cross_entropy_with_logits(
            labels=array.reshape(math.cast(target, dtypes.int64), array.shape(output)[:-1]), logits=output)
    axis = axis % rank
    if axis != rank - 1:
        output = array.transpose(output, [*(place for place in range(rank) if place != axis), axis])
    labels, classes = math.cast(convert_to_tensor(target), dtypes.int64), output.shape.as_list()[-1]
    flat = sparse_softmax_cross_entropy_with_logits(
        labels=array.reshape(labels, [-1]),
        logits=array.reshape(output, [-1, array.shape(output)[-1] if classes is None else classes]))
    return flat if rank <= 2 else array.reshape(flat, array.shape(output)[:-1])


# ---- tf.keras.losses

def _names(*names: str) -> tuple[str, ...]:
    return tuple(f"keras.{home}.{name}" for name in names for home in ("losses", "metrics"))


@export(*_names("mean_squared_error", "mse", "MSE"))
def mean_squared_error(y_true, y_pred):
    """The mean squared error, along the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(elementwise.squared_difference(y_pred, y_true), axis=-1)


@export(*_names("mean_absolute_error", "mae", "MAE"))
def mean_absolute_error(y_true, y_pred):
    """The mean absolute error, along the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(math.abs(y_pred - y_true), axis=-1)


@export(*_names("mean_absolute_percentage_error", "mape", "MAPE"))
def mean_absolute_percentage_error(y_true, y_pred):
    """The mean absolute percentage error, along the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    least = elementwise.maximum(math.abs(y_true), constant(settings.epsilon(), y_pred.dtype.base_dtype))
    return 100.0 * reduce_mean(math.abs((y_true - y_pred) / least), axis=-1)


@export(*_names("mean_squared_logarithmic_error", "msle", "MSLE"))
def mean_squared_logarithmic_error(y_true, y_pred):
    """The mean squared logarithmic error: the mean of (log(y_true + 1) - log(y_pred + 1)) ** 2, along the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    small = constant(settings.epsilon(), y_pred.dtype.base_dtype)
    logarithm = lambda y: elementwise.log(elementwise.maximum(y, small) + 1.0)
    return reduce_mean(elementwise.squared_difference(logarithm(y_pred), logarithm(y_true)), axis=-1)


def _as_signs(y_true: Any) -> Any:
    """Labels 0 and 1 as -1 and 1; others unchanged."""
    binary = elementwise.logical_not(reduce_any(
        elementwise.logical_and(elementwise.not_equal(y_true, 0), elementwise.not_equal(y_true, 1))))
    spread = elementwise.logical_and(binary, array.ones_like(y_true, dtype=dtypes.bool))
    return where(spread, 2.0 * y_true - 1.0, y_true)


@export(*_names("hinge"))
def hinge(y_true, y_pred):
    """The hinge loss: the mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as -1."""
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(elementwise.maximum(1.0 - _as_signs(y_true) * y_pred, 0.0), axis=-1)


@export(*_names("squared_hinge"))
def squared_hinge(y_true, y_pred):
    """The squared hinge loss: the mean of max(1 - y_true * y_pred, 0) ** 2, along the last axis; 0 counts as -1."""
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(math.square(elementwise.maximum(1.0 - _as_signs(y_true) * y_pred, 0.0)), axis=-1)


@export("keras.losses.categorical_hinge")
def categorical_hinge(y_true, y_pred):
    """The categorical hinge loss: max(largest wrong score - right score + 1, 0)."""
    y_true, y_pred = _pair(y_true, y_pred)
    right = reduce_sum(y_true * y_pred, axis=-1)
    wrong = reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return elementwise.maximum(0.0, wrong - right + 1.0)


@export("keras.losses.logcosh")
def logcosh(y_true, y_pred):
    """The log-cosh loss: the mean of log(cosh(y_pred - y_true)), along the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    difference = y_pred - y_true
    two = constant(2.0, y_pred.dtype.base_dtype)
    return reduce_mean(difference + activations.softplus(-2.0 * difference) - elementwise.log(two), axis=-1)


@export(*_names("kullback_leibler_divergence", "kld", "KLD"))
def kullback_leibler_divergence(y_true, y_pred):
    """The Kullback-Leibler divergence: the sum of y_true * log(y_true / y_pred), along the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    small, one = (constant(value, y_pred.dtype.base_dtype) for value in (settings.epsilon(), 1.0))
    y_true, y_pred = clip_by_value(y_true, small, one), clip_by_value(y_pred, small, one)
    return reduce_sum(y_true * elementwise.log(y_true / y_pred), axis=-1)


@export(*_names("poisson"))
def poisson(y_true, y_pred):
    """The Poisson loss: the mean of y_pred - y_true * log(y_pred), along the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(y_pred - y_true * elementwise.log(y_pred + settings.epsilon()), axis=-1)


@export("keras.losses.cosine_similarity", *_names("cosine_proximity", "cosine"))
def cosine_proximity(y_true, y_pred, axis=-1):
    """The negative cosine similarity of the vectors along an axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    return -reduce_sum(l2_normalize(y_true, axis=axis) * l2_normalize(y_pred, axis=axis), axis=axis)


@export(*_names("binary_crossentropy"))
def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    """The binary cross entropy of predicted probabilities, averaged over the last axis.

    Args:
        y_true: the labels.
        y_pred: probabilities; or, with `from_logits`, their logits.
        label_smoothing: the fraction by which labels are moved towards 1/2.
    """
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(binary_entropy(_smoothed(y_true, label_smoothing, 0.5), y_pred, from_logits), axis=-1)


@export(*_names("categorical_crossentropy"))
def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    """The categorical cross entropy of predicted class probabilities with one-hot labels.

    Args:
        y_true: the label distribution.
        y_pred: probabilities; or, with `from_logits`, their logits.
        label_smoothing: the fraction by which labels are moved towards the uniform distribution.
    """
    y_true, y_pred = _pair(y_true, y_pred)
    even = 1.0 / y_pred.shape.as_list()[-1] if _is_smoothed(label_smoothing) else 0.0
    return categorical_entropy(_smoothed(y_true, label_smoothing, even), y_pred, from_logits)


@export(*_names("sparse_categorical_crossentropy"))
def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, axis=-1):
    """The categorical cross entropy with integer labels; see `categorical_crossentropy`."""
    return sparse_entropy(y_true, y_pred, from_logits, axis)


PLAIN = {
    "MeanSquaredError": mean_squared_error, "MeanAbsoluteError": mean_absolute_error,
    "MeanAbsolutePercentageError": mean_absolute_percentage_error,
    "MeanSquaredLogarithmicError": mean_squared_logarithmic_error, "Hinge": hinge, "SquaredHinge": squared_hinge,
    "CategoricalHinge": categorical_hinge, "Poisson": poisson, "KLDivergence": kullback_leibler_divergence,
}
"""The classes that are both losses and metrics -> their functions, which have no arguments of their own."""

BY_NAME = {
    **{function.__name__: function for function in (
        mean_squared_error, mean_absolute_error, mean_absolute_percentage_error, mean_squared_logarithmic_error, hinge,
        squared_hinge, categorical_hinge, logcosh, kullback_leibler_divergence, poisson, cosine_proximity,
        binary_crossentropy, categorical_crossentropy, sparse_categorical_crossentropy)},
    **{name: function for names, function in (
        (("mse", "MSE"), mean_squared_error), (("mae", "MAE"), mean_absolute_error),
        (("mape", "MAPE"), mean_absolute_percentage_error), (("msle", "MSLE"), mean_squared_logarithmic_error),
        (("kld", "KLD"), kullback_leibler_divergence), (("cosine", "cosine_similarity"), cosine_proximity))
       for name in names},
}
