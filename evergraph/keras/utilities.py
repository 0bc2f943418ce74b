"""tf.keras.utils for arrays and shapes, and tf.keras.metrics as functions."""
from __future__ import annotations

import functools

import numpy as np

from evergraph.base.export import export
from evergraph.base.shapes import Dimension, TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.ordering import in_top_k
from evergraph.frontend.reduce import argmax, reduce_mean
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import settings
from evergraph.ops.math import elementwise


@export("keras.utils.to_categorical")
def to_categorical(y, num_classes=None, dtype="float32"):
    """One-hot encodes an array of class indices.

    Args:
        y: an array of integers.
        num_classes: the number of classes; by default the largest index plus one.
        dtype: of the array.
    """
    y = np.array(y, dtype="int")
    shape = y.shape[:-1] if y.ndim > 1 and y.shape[-1] == 1 else y.shape
    count = num_classes or int(np.max(y)) + 1
    return np.eye(count, dtype=dtype)[y.ravel()].reshape(*shape, count)


@export("keras.utils.normalize")
def normalize(x, axis=-1, order=2):
    """Normalizes vectors along an axis of an array to norm 1, in the norm of this order."""
    lengths = np.atleast_1d(np.linalg.norm(x, order, axis))
    lengths[lengths == 0] = 1
    return x / np.expand_dims(lengths, axis)


# ---- metrics

@export("keras.metrics.binary_accuracy")
def binary_accuracy(y_true, y_pred, threshold=0.5):
    """Binary accuracy: the fraction of thresholded predictions that equal the labels, along the last axis."""
    y_pred = convert_to_tensor(y_pred)
    guessed = math.cast(elementwise.greater(y_pred, threshold), y_pred.dtype)
    right = elementwise.equal(math.cast(y_true, y_pred.dtype), guessed)
    return reduce_mean(math.cast(right, settings.floatx()), axis=-1)


@export("keras.metrics.categorical_accuracy")
def categorical_accuracy(y_true, y_pred):
    """Categorical accuracy: whether the predicted class is the class of the one-hot label."""
    return math.cast(elementwise.equal(argmax(y_true, -1), argmax(y_pred, -1)), settings.floatx())


@export("keras.metrics.sparse_categorical_accuracy")
def sparse_categorical_accuracy(y_true, y_pred):
    """Categorical accuracy with integer labels: whether the predicted class is the label."""
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    if y_true.shape.rank == y_pred.shape.rank and y_true.shape.rank is not None:
        y_true = array.squeeze(y_true, [-1])
    guessed = math.cast(argmax(y_pred, -1), y_true.dtype)
    return math.cast(elementwise.equal(y_true, guessed), settings.floatx())


@export("keras.metrics.top_k_categorical_accuracy")
def top_k_categorical_accuracy(y_true, y_pred, k=5):
    """Top-k accuracy: whether the class of the one-hot label is among the k largest predictions."""
    return math.cast(in_top_k(y_pred, argmax(y_true, -1), k), settings.floatx())


@export("keras.metrics.sparse_top_k_categorical_accuracy")
def sparse_top_k_categorical_accuracy(y_true, y_pred, k=5):
    """Top-k accuracy with integer labels: whether the label is among the k largest predictions."""
    y_true = convert_to_tensor(y_true)
    if y_true.shape.rank != 1:
        y_true = array.reshape(y_true, [-1])
    return math.cast(in_top_k(y_pred, math.cast(y_true, "int32"), k), settings.floatx())


def shape_type_conversion(fn):
    """Decorates a method of shapes, such as `compute_output_shape`: it is given tuples, and returns a TensorShape.

    Lists and dicts of shapes are converted shape by shape.
    """
    @functools.wraps(fn)
    def converted(instance, input_shape):
        given = None if input_shape is None else _each_shape(lambda shape: tuple(shape.as_list()), input_shape)
        found = fn(instance, given)
        return None if found is None else _each_shape(lambda shape: shape, found)

    return converted


def _each_shape(convert, shapes):
    if isinstance(shapes, dict):
        return {key: _each_shape(convert, shape) for key, shape in shapes.items()}
    if isinstance(shapes, TensorShape) or all(size is None or isinstance(size, (int, np.integer, Dimension))
                                              for size in shapes):
        return convert(TensorShape(shapes))
    return type(shapes)(_each_shape(convert, shape) for shape in shapes)
