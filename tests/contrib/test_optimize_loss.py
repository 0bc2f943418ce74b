"""tf.contrib.layers.optimize_loss."""

import numpy as np
import pytest

import evergraph as tf

layers = tf.contrib.layers


def after(rate=0.1, optimizer="SGD", steps=1, **options):
    """The variable after steps on |5 v| from v = 10, and the global step."""
    variable = tf.get_variable("v", [], initializer=tf.constant_initializer(10.0))
    step = tf.train.get_or_create_global_step()
    train = layers.optimize_loss(tf.abs(variable * 5.0), step, rate, optimizer, **options)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            session.run(train)
        return session.run([variable, step])


@pytest.mark.parametrize("optimizer", [
    "SGD", "Momentum", tf.train.GradientDescentOptimizer, tf.train.GradientDescentOptimizer(0.1),
    lambda rate: tf.train.GradientDescentOptimizer(rate)])
def test_optimizers(optimizer):
    assert after(optimizer=optimizer) == [9.5, 1]


@pytest.mark.parametrize("optimizer", ["Adam", "Adagrad", "Ftrl", "RMSProp"])
def test_named(optimizer):
    value, step = after(optimizer=optimizer)
    assert value < 10 and step == 1


def test_rates():
    decay = lambda rate, step: rate * tf.pow(0.5, tf.cast(step, tf.float32))
    value, _ = after(learning_rate_decay_fn=decay, steps=2)
    np.testing.assert_allclose(value, 10 - 0.5 - 0.25, rtol=1e-6)
    assert [v.op.name for v in tf.global_variables()] == ["v", "global_step", "OptimizeLoss/learning_rate"]


def test_gradients():
    assert after(clip_gradients=0.5)[0] == pytest.approx(9.95)
    names = [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)]
    assert names == ["OptimizeLoss/learning_rate_1", "OptimizeLoss/global_norm/gradient_norm",
                     "OptimizeLoss/global_norm/clipped_gradient_norm", "OptimizeLoss/loss"]


def test_multipliers_and_functions():
    assert after(gradient_multipliers={"v": 2.0})[0] == pytest.approx(9.0)
    with tf.Graph().as_default():
        assert after(clip_gradients=lambda pairs: [(g * 0.0, v) for g, v in pairs])[0] == 10
    with tf.Graph().as_default():
        value, step = after(increment_global_step=False, summaries=["gradients", "gradient_norm"])
        assert value == 9.5 and step == 0
    with tf.Graph().as_default():
        assert after(clip_gradients=layers.python.layers.optimizers.adaptive_clipping_fn(), steps=3)[0] < 10


def test_updates_come_first():
    count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), trainable=False)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, count.assign_add(1.0))
    variable = tf.get_variable("v", [], initializer=tf.constant_initializer(10.0))
    train = layers.optimize_loss(variable * 1.0, None, 0.1, "SGD", name="step")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        assert session.run(count) == 1 and session.run(variable) == pytest.approx(9.9)


def test_noise_changes_the_gradient():
    assert after(gradient_noise_scale=10.0)[0] != 9.5


@pytest.mark.parametrize("options", [
    {"optimizer": "blah"}, {"optimizer": object()}, {"optimizer": lambda rate: None}, {"summaries": ["bad"]},
    {"rate": -0.1}, {"rate": "0.1"}, {"rate": None}, {"clip_gradients": "x"}])
def test_refuses(options):
    with pytest.raises(ValueError):
        after(**options)
