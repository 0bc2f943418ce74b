"""A small model and its inputs, for tests of estimators."""
import numpy as np

import evergraph as tf

X = np.arange(8, dtype=np.float32).reshape(8, 1)


def line(features, labels, mode, params=None):
    """Fits y = w * x + b."""
    params = params or {}
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(params.get("start", 0.0)))
    b = tf.get_variable("b", [], initializer=tf.zeros_initializer())
    y = tf.add(w * features["x"], b, name="y")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y, "twice": 2.0 * y})
    loss = tf.losses.mean_squared_error(labels, y)
    train_op = tf.train.GradientDescentOptimizer(params.get("rate", 0.01)).minimize(loss, tf.train.get_global_step())
    metrics = {"mae": tf.metrics.mean_absolute_error(labels, y)}
    return tf.estimator.EstimatorSpec(mode, predictions={"y": y}, loss=loss, train_op=train_op,
                                      eval_metric_ops=metrics)


def batches(repeats=None):
    """Two batches of four examples of y = 2 x + 1."""
    return tf.data.Dataset.from_tensor_slices(({"x": X}, 2.0 * X + 1.0)).batch(4).repeat(repeats)


def serving():
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})
