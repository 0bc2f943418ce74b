"""The sum of one-hot vectors counts ids, with what the two kernels would give."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.ops.arrays import multi_hot

IDS = np.array([[0, 2, 2], [-1, 5, 4], [3, 3, 3]])


@pytest.fixture
def calls(monkeypatch):
    """The ids that are counted."""
    found, count = [], multi_hot.MultiHot.__call__
    monkeypatch.setattr(multi_hot.MultiHot, "__call__", lambda self, ids: found.append(ids) or count(self, ids))
    return found


@pytest.mark.skipif(native.sparse is None, reason="the C code was not built here, or is turned off")
@pytest.mark.parametrize("kind", [tf.float32, tf.float64])
@pytest.mark.parametrize("ids_kind", [tf.int32, tf.int64])
@pytest.mark.parametrize("axis", [-2, 1])
def test_counts(kind, ids_kind, axis, calls):
    ids = tf.placeholder(ids_kind, [None, None])
    hot = tf.one_hot(ids, 5, tf.constant(1.5, kind), tf.constant(0.0, kind))
    with tf.Session() as session:
        for given in (IDS, IDS[:0], IDS[:, :0]):
            found = session.run(tf.reduce_sum(hot, axis=[axis]), {ids: given})
            np.testing.assert_array_equal(found, 1.5 * (given[..., None] == np.arange(5)).sum(1))
            assert found.dtype == kind.as_numpy_dtype
    assert len(calls) == 3


@pytest.mark.parametrize("make", [
    lambda ids: tf.reduce_sum(tf.one_hot(ids, 5, off_value=0.5), -2),
    lambda ids: tf.reduce_sum(tf.one_hot(ids, 5), -1),
    lambda ids: tf.reduce_sum(tf.one_hot(ids, 5), -2, keepdims=True),
    lambda ids: tf.reduce_sum(tf.one_hot(ids, 5, axis=1), -2),
    lambda ids: tf.reduce_sum(tf.one_hot(ids, 5, 1, 0), -2),
])  # fmt: skip
def test_other_sums(make, calls):
    ids = tf.placeholder(tf.int64, [None, None])
    with tf.Session() as session, tf.Session(tier="xla") as compiled:
        total = make(ids)
        np.testing.assert_array_equal(session.run(total, {ids: IDS}), compiled.run(total, {ids: IDS}))
    assert not calls


def test_one_hot_vectors_that_others_use(calls):
    ids = tf.placeholder(tf.int64, [None, None])
    hot = tf.one_hot(ids, 5)
    with tf.Session() as session:
        vectors, total = session.run([hot, tf.reduce_sum(hot, -2)], {ids: IDS})
    np.testing.assert_array_equal(vectors.sum(1), total)
    assert not calls
