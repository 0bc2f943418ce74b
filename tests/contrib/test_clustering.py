"""tf.contrib.factorization.KMeans."""

import numpy as np
import pytest

import evergraph as tf

factorization = tf.contrib.factorization


@pytest.mark.parametrize("options", [
    {}, {"use_mini_batch": True}, {"initial_clusters": "kmeans_plus_plus"}, {"distance_metric": "cosine"}])
def test_clusters_are_found(session, options):
    random = np.random.RandomState(0)
    middles = np.array([[10.0, 0.5], [0.5, 10.0]], np.float32)
    points = (middles[np.arange(60) % 2] + random.randn(60, 2) * 0.3).astype(np.float32)
    fed = tf.placeholder(tf.float32, [None, 2])
    first = options.pop("initial_clusters", points[:2])
    tf.set_random_seed(3)
    model = factorization.KMeans(fed, 2, initial_clusters=first, **options)
    distances, (nearest,), (scores,), is_initialized, choose, train = model.training_graph()
    session.run(tf.global_variables_initializer(), {fed: points})
    while not session.run(is_initialized):
        session.run(choose, {fed: points})
    before = session.run(scores, {fed: points}).mean()
    for _ in range(8):
        session.run(train, {fed: points})
    found, after, all_of_them = session.run([nearest, scores, distances[0]], {fed: points})
    assert all_of_them.shape == (60, 2) and after.mean() <= before
    assert len(set(found[::2])) == len(set(found[1::2])) == 1 and found[0] != found[1]


def test_what_does_not_fit():
    for wrong in ({"distance_metric": "city"}, {"initial_clusters": "kmc2"}):
        with pytest.raises(ValueError):
            factorization.KMeans(tf.zeros([3, 2]), 2, **wrong)
    with pytest.raises(ValueError, match="tf.concat"):
        factorization.KMeans([tf.zeros([3, 2])] * 2, 2)
