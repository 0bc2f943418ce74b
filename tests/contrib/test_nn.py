"""tf.contrib.nn."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.nn import fwd_gradients
from tests.harness.session import evaluated

nn = tf.contrib.nn


def test_scaled_softplus():
    x = np.array([-2.0, 0.0, 3.0])
    found = evaluated([nn.scaled_softplus(x, 0.5), nn.scaled_softplus(x, 0.5, clip=1.0)])
    np.testing.assert_allclose(found[0], 0.5 * np.log1p(np.exp(x / 0.5)))
    np.testing.assert_allclose(found[1], np.minimum(found[0], 1.0))


def test_alpha_dropout_keeps_mean_and_variance():
    x = tf.random_normal([200, 100], seed=1)
    found = evaluated(nn.alpha_dropout(x, 0.6, seed=2))
    assert abs(found.mean()) < 0.05 and abs(found.std() - 1) < 0.05
    a = (0.6 + 1.7580993408473766**2 * 0.6 * 0.4) ** -0.5
    dropped = a * -1.7580993408473766 * (1 - 0.4)
    assert np.isclose(found, dropped, atol=1e-5).mean() == pytest.approx(0.4, abs=0.02)
    assert nn.alpha_dropout(x, 1.0) is x
    with pytest.raises(ValueError, match="keep_prob"):
        nn.alpha_dropout(x, 1.5)


def test_forward_gradients():
    x = tf.constant([1.0, 2.0])
    ys = [x**2, tf.sin(x[0])]
    found = evaluated(fwd_gradients(ys, [x], [tf.constant([3.0, 0.5])]))
    np.testing.assert_allclose(found[0], [6.0, 2.0])
    np.testing.assert_allclose(found[1], 3 * np.cos(1.0), rtol=1e-6)


def test_the_best_of_sampled_classes_are_kept():
    weights, biases = tf.constant(np.eye(6, 3), tf.float32), tf.constant([0.0, 0, 0, 5, 6, 7])
    inputs, labels = tf.constant([[1.0, 0, 0]]), tf.constant([[0]], tf.int64)
    sampled = ([2, 3, 4, 5], [[1.0]], [1.0] * 4)
    ours = nn.rank_sampled_softmax_loss(weights, biases, labels, inputs, 4, 2, 6, 1, sampled, 1.0, False, "div")
    plain = tf.nn.sampled_softmax_loss(weights, biases, labels, inputs, 2, 6, 1, ([5, 4], [[1.0]], [1.0] * 2), False,
                                       "div")
    sparse = nn.sampled_sparse_softmax_loss(weights, biases, labels, inputs, 2, 6, ([5, 4], [[1.0]], [1.0] * 2), False,
                                            "div")
    found = evaluated([ours, plain, sparse])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)
    np.testing.assert_allclose(found[2], found[1], rtol=1e-6)
