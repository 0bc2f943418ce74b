"""Programs that use tf.losses; evergraph's graphs must have TensorFlow's nodes, names and numbers."""

import numpy as np

from tests.harness.nodes import listed

LABELS = np.array([[1.0, 9.0, 2.0], [-5.0, -2.0, 6.0]], np.float32)
PREDICTIONS = np.array([[4.0, 8.0, 12.0], [8.0, 1.0, 3.0]], np.float32)
PROBABILITIES = np.array([[0.9, 0.2, 0.2], [0.8, 0.4, 0.6]], np.float32)
TRUTHS = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]], np.float32)
LOGITS = np.array([[10.0, 0.5, -3.0], [0.2, 10.0, 1.0]], np.float32)
ONE_HOT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
CLASSES = np.array([0, 2], np.int32)
ROWS = np.array([[1.5], [0.0]], np.float32)
CELLS = np.array([[3.0, 6.0, 5.0], [0.0, 4.0, 0.0]], np.float32)

ELEMENTWISE = {
    "absolute_difference": (LABELS, PREDICTIONS),
    "mean_squared_error": (LABELS, PREDICTIONS),
    "huber_loss": (LABELS, PREDICTIONS),
    "log_loss": (TRUTHS, PROBABILITIES),
    "hinge_loss": (TRUTHS, LOGITS),
    "sigmoid_cross_entropy": (TRUTHS, LOGITS),
}
WEIGHTS = {"unweighted": 1.0, "scalar": 2.3, "rows": ROWS, "cells": CELLS, "nothing": np.zeros((2, 1), np.float32)}
REDUCTIONS = ("none", "weighted_sum", "weighted_sum_over_batch_size", "weighted_mean",
              "weighted_sum_by_nonzero_weights")

PROGRAMS = {}
# Only the values of these are compared: their nodes add nothing to those of the others, or belong to other functions.
VALUES_ONLY = {"gradients", "reductions"} | {
    f"{name}-{label}" for name in ELEMENTWISE for label in WEIGHTS if label not in ("rows", "scalar")}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def _of(name, weights):
    return lambda tf: [getattr(tf.losses, name)(*ELEMENTWISE[name], weights)]


for _name in ELEMENTWISE:
    for _label, _weights in WEIGHTS.items():
        PROGRAMS[f"{_name}-{_label}"] = _of(_name, _weights)


@program
def reductions(tf):
    return [tf.losses.absolute_difference(LABELS, PREDICTIONS, weights, reduction=reduction)
            for weights in (ROWS, 1.0, 2.0, CELLS) for reduction in REDUCTIONS]


@program
def reductions_by_rows(tf):
    return [tf.losses.absolute_difference(LABELS, PREDICTIONS, ROWS, reduction=reduction) for reduction in REDUCTIONS]


@program
def options(tf):
    return [tf.losses.huber_loss(LABELS, PREDICTIONS, delta=3.0),
            tf.losses.log_loss(TRUTHS, PROBABILITIES, epsilon=1e-3, scope="mine"),
            tf.losses.sigmoid_cross_entropy(TRUTHS, LOGITS, label_smoothing=0.2),
            tf.losses.softmax_cross_entropy(ONE_HOT, LOGITS, label_smoothing=0.2),
            tf.losses.absolute_difference(tf.constant(LABELS), tf.constant(PREDICTIONS), loss_collection=None),
            tf.losses.mean_squared_error(LABELS.astype(np.float64), PREDICTIONS),
            tf.losses.mean_squared_error(tf.constant(LABELS, tf.float16), tf.constant(PREDICTIONS, tf.float16))]


@program
def softmax(tf):
    return [tf.losses.softmax_cross_entropy(ONE_HOT, LOGITS, weights) for weights in (1.0, [1.2, 0.0], 2)]


@program
def sparse_softmax(tf):
    return [tf.losses.sparse_softmax_cross_entropy(CLASSES, LOGITS),
            tf.losses.sparse_softmax_cross_entropy(CLASSES.reshape(2, 1), LOGITS, weights=[[1.2], [0.5]]),
            tf.losses.sparse_softmax_cross_entropy(CLASSES.astype(np.int64), tf.constant(LOGITS), weights=2)]


@program
def cosine(tf):
    return [tf.losses.cosine_distance(ONE_HOT, LOGITS, axis=1), tf.losses.cosine_distance(ONE_HOT, LOGITS, dim=1),
            tf.losses.cosine_distance(ONE_HOT, LOGITS, 1, weights=ROWS),
            tf.losses.cosine_distance(ONE_HOT, LOGITS, 0, weights=2.0)]


@program
def pairwise(tf):
    return [tf.losses.mean_pairwise_squared_error(LABELS, PREDICTIONS, weights)
            for weights in (1.0, 2.3, ROWS, CELLS, 0.0)]


@program
def pairwise_of_images(tf):
    shape = (2, 2, 3, 2)
    x, y = np.arange(24, dtype=np.float32).reshape(shape), np.cos(np.arange(24, dtype=np.float32)).reshape(shape)
    return [tf.losses.mean_pairwise_squared_error(x, y, np.reshape([2.0, 1.0], (2, 1, 1, 1)))]


@program
def totals(tf):
    tf.losses.absolute_difference(LABELS, PREDICTIONS)
    tf.losses.add_loss(tf.constant(3.0))
    with tf.name_scope("part"):
        tf.losses.compute_weighted_loss([1.0, 2.0], [0.5, 2.0])
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(0.25))
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(0.5))
    return [*tf.losses.get_losses(), *tf.losses.get_losses("part"), *tf.losses.get_regularization_losses(),
            tf.losses.get_regularization_loss(), tf.losses.get_total_loss(),
            tf.losses.get_total_loss(add_regularization_losses=False, name="without", scope="part")]


@program
def no_regularization(tf):
    return [tf.losses.get_regularization_loss()]


@program
def gradients(tf):
    guess = tf.constant(PREDICTIONS)
    losses = [tf.losses.huber_loss(LABELS, guess, ROWS), tf.losses.mean_pairwise_squared_error(LABELS, guess),
              tf.losses.mean_squared_error(LABELS, guess, CELLS), tf.losses.cosine_distance(ONE_HOT, guess, 1)]
    return [tf.gradients(loss, guess)[0] for loss in losses]


def recorded(tf, function):
    """The program's nodes, its results' values, and how many losses it collected."""
    with tf.Graph().as_default() as graph:
        results = function(tf)
        nodes = listed(graph)
        with tf.Session() as session:
            return nodes, [np.asarray(value) for value in session.run(results)], len(tf.losses.get_losses())
