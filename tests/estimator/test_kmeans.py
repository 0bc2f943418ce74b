"""tf.estimator.experimental.KMeans: the centers here are TensorFlow 1.15's and 2.15's after the same batches."""

import numpy as np
import pytest

import evergraph as tf

KMeans = tf.estimator.experimental.KMeans
POINTS = np.random.RandomState(0).rand(40, 2).astype("float32") * 10


def batches(count):
    return lambda: tf.data.Dataset.from_tensor_slices(POINTS).batch(20).repeat().take(count)


CENTERS = {
    "full": [[0.71036, 0.871292], [8.91182, 6.526654], [3.712592, 7.080696]],
    "mini3": [[6.080935, 7.822342], [6.902689, 4.293487], [2.610693, 5.576632]],
    "cos": [[0.639541, 0.766449], [0.84435, 0.488933], [0.364959, 0.907319]],
    "random": [[2.32175, 5.47549], [8.17738, 7.105666], [7.404739, 2.600523]],
    "pp": [[6.906845, 4.612286], [1.28409, 8.009767], [1.899825, 1.614535]],
}


@pytest.mark.parametrize("options, centers", [
    ({"use_mini_batch": False}, CENTERS["full"]),
    ({"mini_batch_steps_per_iteration": 3}, CENTERS["mini3"]),
    ({"distance_metric": "cosine"}, CENTERS["cos"]),
    ({"initial_clusters": "random", "seed": 7}, CENTERS["random"]),
    ({"initial_clusters": "kmeans_plus_plus", "seed": 7}, CENTERS["pp"]),
])
def test_centers_are_tensorflows(options, centers, tmp_path):
    model = KMeans(3, str(tmp_path), **{"initial_clusters": POINTS[:3], **options})
    model.train(batches(8), steps=5)
    np.testing.assert_allclose(model.cluster_centers(), centers, atol=1e-5)


def test_what_a_model_tells(tmp_path):
    model = KMeans(4, str(tmp_path), seed=3, use_mini_batch=False)
    model.train(batches(8), steps=3)
    distances, nearest = np.array(list(model.transform(batches(1)))), list(model.predict_cluster_index(batches(1)))
    assert distances.shape == (20, 4)
    assert nearest == distances.argmin(axis=1).tolist()
    assert model.score(batches(1)) == pytest.approx(np.square(distances.min(axis=1)).sum(), rel=1e-4)


def test_batches_smaller_than_the_number_of_clusters(tmp_path):
    model = KMeans(5, str(tmp_path), mini_batch_steps_per_iteration=100)
    model.train(lambda: tf.data.Dataset.from_tensor_slices(POINTS[:5]).batch(1).repeat(), steps=1)
    np.testing.assert_array_equal(model.cluster_centers(), POINTS[:5])


def test_centers_chosen_from_the_only_batch_are_saved(tmp_path):
    model = KMeans(3, str(tmp_path))
    model.train(lambda: tf.data.Dataset.from_tensors(POINTS[:3]))
    np.testing.assert_array_equal(model.cluster_centers(), POINTS[:3])


def test_training_stops_when_the_loss_settles(tmp_path):
    model = KMeans(3, str(tmp_path), POINTS[:3], use_mini_batch=False, relative_tolerance=1e-3)
    model.train(lambda: tf.data.Dataset.from_tensors(POINTS).repeat(), steps=100)
    assert model.get_variable_value("global_step") < 50


def test_what_is_refused():
    with pytest.raises(ValueError, match="initialization algorithm 'best'"):
        KMeans(3, initial_clusters="best")
    with pytest.raises(ValueError, match="distance metric 'manhattan'"):
        KMeans(3, distance_metric="manhattan")
