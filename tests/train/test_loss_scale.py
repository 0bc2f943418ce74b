"""tf.train.experimental: loss scales and the optimizer that uses them."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER

scales = tf.train.experimental


@pytest.mark.parametrize("finite, wanted, settings", [
    ([1] * 6, [1, 2, 2, 4, 4, 8], (1, 2, 2)),
    ([0] * 6, [8, 4, 2, 1, 1, 1], (16, 2, 2)),
    ([1, 1, 1, 0, 1], [1, 2, 2, 1, 1], (1, 2, 2)),
    ([1, 1, 0, 1, 1], [4, 12, 4, 4, 12], (4, 2, 3)),
    ([1, 1, 1], [2.0 ** 127] * 3, (2.0 ** 127, 1, 2)),  # twice that is infinite
])  # fmt: skip
def test_dynamic_loss_scale(finite, wanted, settings):
    scale = scales.DynamicLossScale(*settings)
    gradient = tf.placeholder(tf.float32, [2])
    rows = tf.IndexedSlices(tf.ones([1, 2]), [0], [3, 2])
    update, should_apply = scale.update([gradient, None, rows])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for ok, value in zip(finite, wanted):
            fed = {gradient: [1.0, 2.0 if ok else np.inf]}
            assert sess.run([should_apply, update], fed)[0] == bool(ok)
            assert sess.run(scale()) == value


def test_fixed_loss_scale():
    scale = scales.FixedLossScale(8)
    _, should_apply = scale.update([tf.constant(np.nan)])
    assert should_apply is True and repr(scale) == "FixedLossScale(8.0)"
    with tf.Session() as sess:
        assert sess.run(scales.FixedLossScale.from_config(scale.get_config())()) == 8
    for wrong in (0.5, "8"):
        with pytest.raises(ValueError):
            scales.FixedLossScale(wrong)


def test_config():
    again = scales.DynamicLossScale.from_config(scales.DynamicLossScale(4, 5, 6).get_config())
    assert (again.initial_loss_scale, again.increment_period, again.multiplier) == (4, 5, 6)
    assert repr(again) == "DynamicLossScale(initial_loss_scale=4.0, increment_period=5, multiplier=6.0)"


def test_optimizer():
    """TensorFlow 2.15 gave these values and names."""
    w = tf.Variable([1.0, 2.0], name="w", use_resource=False)
    factor = tf.placeholder_with_default(1.0, [])
    optimizer = scales.MixedPrecisionLossScaleOptimizer(tf.train.AdamOptimizer(0.1), scales.DynamicLossScale(8.0, 2, 2))
    train = optimizer.minimize(tf.reduce_sum(w * w) * factor)
    assert [v.name for v in optimizer.variables()] == [
        "cond_1/beta1_power:0", "cond_1/beta2_power:0", "w/Adam:0", "w/Adam_1:0", "current_loss_scale:0",
        "good_steps:0"]
    steps = [(1, [0.90000004, 1.9], 8), (1, [0.8004126, 1.8001668], 16), (1, [0.7015873, 1.7006245], 16),
             (np.nan, [0.7015873, 1.7006245], 8), (np.inf, [0.7015873, 1.7006245], 4),
             (1, [0.60394037, 1.6015062], 4), (1, [0.5079652, 1.5029573], 8)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for number, value, scale in steps:
            sess.run(train, {factor: number})
            np.testing.assert_allclose(sess.run(w), value, rtol=1e-6)
            assert sess.run(optimizer._loss_scale()) == scale


def test_half_precision_gradients_survive():
    w = tf.Variable([1.0], dtype=tf.float32)
    tiny = tf.cast(tf.cast(w, tf.float16) * 2.0 ** -15, tf.float32)
    loss = tf.reduce_sum(tf.cast(tiny, tf.float16) * 2.0 ** -12)
    plain, = tf.gradients(loss, w)
    optimizer = scales.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(1.0), 1024)
    (scaled, _), = optimizer.compute_gradients(loss, [w])
    with tf.Session() as sess:
        sess.run(w.initializer)
        assert sess.run(plain) == 0 and sess.run(scaled) == 2.0 ** -27


def test_what_is_refused():
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    for wrong in (lambda: scales.MixedPrecisionLossScaleOptimizer(1, 2), lambda:
                  scales.MixedPrecisionLossScaleOptimizer(optimizer, "static"), lambda:
                  scales.MixedPrecisionLossScaleOptimizer(optimizer, None), lambda:
                  scales.enable_mixed_precision_graph_rewrite(1), lambda:
                  scales.enable_mixed_precision_graph_rewrite(
                      scales.MixedPrecisionLossScaleOptimizer(optimizer, 2)), lambda:
                  scales.enable_mixed_precision_graph_rewrite(
                      tf.keras.mixed_precision.experimental.LossScaleOptimizer(tf.keras.optimizers.SGD(), 2)), lambda:
                  scales.enable_mixed_precision_graph_rewrite(tf.keras.optimizers.SGD(clipnorm=1.0))):
        with pytest.raises(ValueError):
            wrong()
    scales.disable_mixed_precision_graph_rewrite()


def test_python_numbers_are_gradients_of_eager_steps():
    with EAGER.as_default():
        scale = scales.DynamicLossScale(initial_loss_scale=1, increment_period=2, multiplier=3)
        assert repr(scale) == ("DynamicLossScale(current_loss_scale=1.0, num_good_steps=0, initial_loss_scale=1.0, "
                               "increment_period=2, multiplier=3.0)")
        for gradient, wanted in ((1.0, 1), (2.0, 3), (float("nan"), 1)):
            scale.update([gradient])
            assert float(scale()) == wanted
