"""tf.nn.ctc_*: what is refused, and that training with changing numbers of labels compiles little."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from tests.harness.tiers import compile_after


def _sparse(*sequences):
    places = [(row, i) for row, sequence in enumerate(sequences) for i in range(len(sequence))]
    return np.array(places, np.int64), np.array([v for s in sequences for v in s], np.int32), \
        np.array([len(sequences), max(map(len, sequences))], np.int64)


def test_dense_labels_are_refused():
    with pytest.raises(TypeError, match="SparseTensor"):
        tf.nn.ctc_loss(tf.constant([[1]]), tf.zeros([3, 1, 4]), [3])


def test_sparse_labels_need_a_blank():
    with pytest.raises(ValueError, match="blank_index"):
        tf.nn.ctc_loss_v2(tf.SparseTensor(*_sparse([1])), tf.zeros([3, 1, 4]), None, [3])


def test_second_derivative_is_refused():
    logits = tf.zeros([3, 1, 4])
    loss = tf.nn.ctc_loss(tf.SparseTensor(*_sparse([1])), logits, [3])
    gradient, = tf.gradients(loss, logits)
    with pytest.raises(LookupError, match="gradient of CTCLoss"):
        tf.gradients(gradient, logits)


def test_training_compiles_once_for_labels_of_many_sizes(monkeypatch):
    """The loss falls, and labels of another number do not compile the step again."""
    compile_after(monkeypatch, 0)
    labels = tf.sparse_placeholder(tf.int32)
    x = np.random.RandomState(0).randn(8, 2, 6).astype("float32")
    w = tf.get_variable("w", initializer=np.eye(6, 5, dtype="float32"))
    logits = tf.reshape(tf.matmul(tf.reshape(tf.constant(x), [-1, 6]), w), [8, 2, 5])
    loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, [8, 6]))
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    feeds = [_sparse([0, 1, 2], [3]), _sparse([0, 1], [3, 2, 1]), _sparse([2], [0]), _sparse([0, 3], [1, 2])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = [sess.run([loss, train], {labels: f})[0] for f in feeds]
        compiled = compilations.count
        for _ in range(20):
            last = [sess.run([loss, train], {labels: f})[0] for f in feeds]
        assert compilations.count == compiled
    assert np.mean(last) < 0.7 * np.mean(first)
