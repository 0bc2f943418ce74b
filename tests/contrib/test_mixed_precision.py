"""tf.contrib.mixed_precision."""

import numpy as np
import pytest

import evergraph as tf

mixed = tf.contrib.mixed_precision


@pytest.mark.parametrize("finite, wanted, start, settings", [
    ([1] * 6, [1, 2, 2, 4, 4, 8], 1, (2, 2)),
    ([0] * 6, [1024, 512, 512, 256, 256, 128], 1024, (2, 2)),
    ([1, 1, 1, 0, 1, 0], [1, 2, 2, 2, 2, 1], 1, (2, 2)),
    ([1, 1, 1, 0, 1, 1], [2, 4, 8, 4, 8, 16], 1, (1, 1)),
    ([0, 0], [1, 1], 1, (1, 1)),
    ([1, 1], [2.0 ** 127] * 2, 2.0 ** 127, (1, 1)),
])  # fmt: skip
def test_exponential_updates(finite, wanted, start, settings):
    manager = mixed.ExponentialUpdateLossScaleManager(start, *settings, incr_ratio=2, decr_ratio=0.5)
    is_finite = tf.placeholder(tf.bool, [])
    update = manager.update_loss_scale(is_finite)
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for value in finite:
            sess.run(update, {is_finite: bool(value)})
            found.append(sess.run(manager.get_loss_scale()))
    assert found == wanted


def test_optimizer():
    v = tf.Variable([1.0, 2.0])
    factor = tf.placeholder(tf.float32, [])
    manager = mixed.ExponentialUpdateLossScaleManager(8.0, 2, 1, decr_ratio=0.5)
    optimizer = mixed.LossScaleOptimizer(tf.train.MomentumOptimizer(0.5, 0.5), manager)
    step = tf.train.create_global_step()
    train = optimizer.minimize(tf.reduce_sum(v * factor), global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for number, value, scale in ((1.0, [0.5, 1.5], 8), (np.inf, [0.5, 1.5], 4), (1.0, [-0.25, 0.75], 4)):
            sess.run(train, {factor: number})
            assert sess.run(v).tolist() == value and sess.run(manager.get_loss_scale()) == scale
        assert sess.run(step) == 2
    assert optimizer.get_slot_names() == ["momentum"] and optimizer.get_slot(v, "momentum") is not None


def test_fixed():
    manager = mixed.FixedLossScaleManager(4)
    optimizer = mixed.LossScaleOptimizer(tf.train.GradientDescentOptimizer(1.0), manager)
    v = tf.Variable(3.0)
    (gradient, _), = optimizer.compute_gradients(lambda: v * v, [v])
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(manager.update_loss_scale(tf.constant(False)))
        assert sess.run([gradient, manager.get_loss_scale()]) == [6.0, 4.0]
    with pytest.raises(ValueError, match="at least 1"):
        mixed.FixedLossScaleManager(0.5)
