"""Every loss of contrib, a line each, against NumPy."""

import numpy as np
import pytest

import evergraph as tf

losses = tf.contrib.losses
DRAW = np.random.RandomState(0)
PREDICTED, WANTED = DRAW.randn(3, 4), DRAW.randn(3, 4)
SHARES, TRUTHS = DRAW.rand(3, 4) * 0.9 + 0.05, DRAW.randint(0, 2, [3, 4]).astype(float)
UNIT = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in (PREDICTED, WANTED)]
ONE_HOT, CLASSES = np.eye(4)[[0, 3, 1]], np.array([0, 3, 1])
WEIGHTS = np.array([[1.0], [0.0], [3.0]])


def _log_softmax(x):
    return x - np.log(np.exp(x).sum(1, keepdims=True))


def _sigmoid_loss(logits, labels):
    return np.maximum(logits, 0) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


ELEMENTS = {  # the arguments before the weights, and the loss of each element
    "absolute_difference": ((PREDICTED, WANTED), np.abs(PREDICTED - WANTED)),
    "mean_squared_error": ((PREDICTED, WANTED), (PREDICTED - WANTED) ** 2),
    "log_loss": ((SHARES, TRUTHS), -TRUTHS * np.log(SHARES + 1e-7) - (1 - TRUTHS) * np.log(1 - SHARES + 1e-7)),
    "sigmoid_cross_entropy": ((PREDICTED, TRUTHS), _sigmoid_loss(PREDICTED, TRUTHS)),
}
ROWS = {
    "softmax_cross_entropy": ((PREDICTED, ONE_HOT), -(ONE_HOT * _log_softmax(PREDICTED)).sum(1)),
    "sparse_softmax_cross_entropy": ((PREDICTED, CLASSES), -_log_softmax(PREDICTED)[np.arange(3), CLASSES]),
}


@pytest.mark.parametrize("name", [*ELEMENTS, *ROWS])
def test_losses(session, name):
    """Without weights a loss is the mean; with them, a sum by the number of elements whose weight is not 0."""
    arguments, each = (ELEMENTS | ROWS)[name]
    function = getattr(losses, name)
    weights = WEIGHTS if name in ELEMENTS else WEIGHTS[:, 0]
    count = np.count_nonzero(weights * np.ones_like(each))
    found = session.run([function(*arguments), function(*arguments, weights=tf.constant(weights, tf.float32))])
    np.testing.assert_allclose(found, [each.mean(), (each * weights).sum() / count], rtol=1e-5)
    assert len(losses.get_losses()) == 2
    np.testing.assert_allclose(session.run(losses.get_total_loss(False)), sum(found), rtol=1e-6)


def test_cosine_distances(session):
    found = losses.cosine_distance(UNIT[0].astype(np.float32), UNIT[1].astype(np.float32), axis=1)
    np.testing.assert_allclose(session.run(found), np.mean(1 - (UNIT[0] * UNIT[1]).sum(1)), rtol=1e-5)


def test_hinge_losses(session):
    found = session.run(losses.hinge_loss(PREDICTED.astype(np.float32), TRUTHS.astype(np.float32)))
    np.testing.assert_allclose(found, np.maximum(0, 1 - (2 * TRUTHS - 1) * PREDICTED), rtol=1e-5)


def test_pairwise_errors(session):
    """Examples are added up, and each number has a pair with itself, other than in tf.losses."""
    apart = PREDICTED - WANTED
    wanted = sum(np.mean([(one - other) ** 2 for one in row for other in row]) for row in apart)
    found = session.run(losses.mean_pairwise_squared_error(PREDICTED, WANTED))
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_contrastive_losses(session):
    distance = np.linalg.norm(PREDICTED - WANTED, axis=1)
    alike = np.array([1.0, 0.0, 0.0])
    wanted = alike * distance ** 2 + (1 - alike) * np.maximum(3.0 - distance, 0) ** 2
    found = losses.metric_learning.contrastive_loss(alike.astype(np.float32), PREDICTED.astype(np.float32),
                                                    WANTED.astype(np.float32), margin=3.0)
    np.testing.assert_allclose(session.run(found), wanted.mean(), rtol=1e-5)
