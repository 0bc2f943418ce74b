"""tf.contrib.training: rejection, stratified and weighted samples."""

import contextlib

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.training.resampling import repeat_range
from tests.harness.session import evaluated, started

training = tf.contrib.training


@contextlib.contextmanager
def queues(session):
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coordinator)
    yield
    coordinator.request_stop()
    coordinator.join(threads)


def test_rows_appear_as_often_as_their_rate_says():
    assert evaluated(repeat_range([0, 2, 1])).tolist() == [1, 1, 2]
    rows, = training.resample_at_rate([tf.constant([10, 20, 30])], tf.constant([2.0, 0.0, 0.5]), seed=3)
    session = started()
    counts = np.zeros(3)
    for _ in range(200):
        counts += np.bincount(session.run(rows) // 10 - 1, minlength=3)
    assert counts[0] == 400 and counts[1] == 0 and counts[2] == pytest.approx(100, abs=25)


def test_weights_choose_rows():
    (rows,), rates = training.weighted_resample([tf.constant([0, 1, 2])], tf.constant([1.0, 2.0, 0.0]), 1.0, seed=4)
    session = started()
    session.run(tf.local_variables_initializer())
    found, told = session.run([rows, rates])
    np.testing.assert_allclose(told, np.array([1.0, 2.0, 0.0])[found], rtol=1e-5)


def test_examples_are_kept_with_their_probability():
    value = tf.random_uniform([], 0, 4, tf.int32, seed=5)
    batch, = training.rejection_sample([value], lambda parts: tf.cast(parts[0] > 1, tf.float32), batch_size=8)
    session = started()
    with queues(session):
        assert set(session.run(batch)) <= {2, 3}
    with pytest.raises(ValueError, match="different sizes"):
        training.rejection_sample([tf.zeros([2]), tf.zeros([3])], lambda parts: 1.0, 8, enqueue_many=True)


def test_classes_get_their_share():
    label = tf.random_uniform([], 0, 2, tf.int32, seed=6)
    data, labels = training.stratified_sample([label * 10], label, [0.9, 0.1], 200, init_probs=[0.5, 0.5])
    session = started()
    with queues(session):
        found, classes = session.run([data[0], labels])
    assert (found == classes * 10).all() and classes.mean() == pytest.approx(0.1, abs=0.08)
    with pytest.raises(ValueError, match="are wanted"):
        training.stratified_sample([label], label, [0.5, 0.5], 4, init_probs=[0.0, 1.0])
