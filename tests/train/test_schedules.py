"""Learning rates are TensorFlow's at every step."""


import numpy as np
import pytest

import evergraph as tf
from tests.harness.recorded import numbers
from tests.train import schedules

GOLDENS = numbers("schedules")


@pytest.mark.parametrize("name", schedules.SCHEDULES)
def test_rates(name):
    np.testing.assert_allclose(schedules.computed(tf, schedules.SCHEDULES[name]), GOLDENS[name], rtol=2e-5, atol=1e-7)


def test_noise_falls_with_the_steps():
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        step = tf.placeholder(tf.int64, [])
        rate = tf.train.noisy_linear_cosine_decay(0.1, step, 1000, initial_variance=0.1)
        plain = tf.train.linear_cosine_decay(0.1, step, 1000)
        with tf.Session() as session:
            off = lambda at: np.std([np.subtract(*session.run([rate, plain], {step: at})) for _ in range(50)])
            early, late = off(0), off(500)
    assert 0.02 < early < 0.05
    assert late < early / 3


def test_names():
    with tf.Graph().as_default():
        step = tf.constant(3)
        assert tf.train.exponential_decay(0.1, step, 5, 0.9).name == "ExponentialDecay:0"
        assert tf.train.polynomial_decay(0.1, step, 5, name="mine").name == "mine:0"
        assert tf.train.cosine_decay(0.1, step, 5).name == "CosineDecay/Mul_3:0"


def test_wrong_arguments():
    with pytest.raises(ValueError, match="global_step is required"):
        tf.train.exponential_decay(0.1, None, 5, 0.9)
    with pytest.raises(ValueError, match="one boundary less"):
        tf.train.piecewise_constant(tf.constant(1), [1], [0.1])
    with pytest.raises(ValueError, match="agree in dtype"):
        tf.train.piecewise_constant(tf.constant(1), [1.5], [0.1, 0.2])
