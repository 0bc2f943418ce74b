"""tf.metrics has TensorFlow's numbers, variables, nodes, collections and errors."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.nodes import as_in_1_15
from tests.harness.recorded import assert_as_recorded, numbers, texts
from tests.metrics.programs import CASES, recorded

VALUES, TEXTS = numbers("metrics"), texts("metrics")


@pytest.mark.parametrize("name", CASES)
def test_as_recorded(name):
    nodes, named, results = recorded(tf, CASES[name])
    wanted_named, wanted_nodes = TEXTS[name]
    assert named == wanted_named
    assert_as_recorded(VALUES, name, results, rtol=1e-5, atol=1e-7)
    if CASES[name].compare_nodes:
        assert nodes == as_in_1_15(wanted_nodes)


def run(metric, feeds=None):
    """The value after one batch, once it is known that the update says the same."""
    value, update = metric
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        updated = session.run(update, feeds)
        np.testing.assert_array_equal(updated, session.run(value))
        return updated


def flags(*values):
    return tf.constant(values, tf.int64)


@pytest.mark.parametrize("make", [
    lambda: tf.metrics.auc(flags(0, 1), tf.constant([0.1, 0.2]), curve="XY"),
    lambda: tf.metrics.auc(flags(0, 1), tf.constant([0.1, 0.2]), summation_method="guessing"),
    lambda: tf.metrics.sensitivity_at_specificity(flags(0, 1), tf.constant([0.1, 0.2]), 1.5),
    lambda: tf.metrics.specificity_at_sensitivity(flags(0, 1), tf.constant([0.1, 0.2]), -0.5),
    lambda: tf.metrics.accuracy(tf.zeros([3]), tf.zeros([4])),
    lambda: tf.metrics.mean(tf.zeros([3]), tf.zeros([2])),
    lambda: tf.metrics.mean(tf.zeros([3, 2, 2]), tf.zeros([3])),
    lambda: tf.metrics.true_positives(tf.ones([3, 2, 2]), tf.ones([3, 2, 2]), tf.zeros([3])),
    lambda: tf.metrics.mean_iou(flags(0, 2, 1), flags(1, 1), 3),
])
def test_wrong_arguments(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize("make", [
    lambda: tf.metrics.auc(flags(0, 1), tf.constant([0.1, 1.2])),
    lambda: tf.metrics.mean_iou(flags(0, 3), flags(1, 1), 3),
    lambda: tf.metrics.mean_iou(flags(0, -1), flags(1, 1), 3),
    lambda: tf.metrics.mean_per_class_accuracy(flags(0, 3), flags(1, 1), 3),
    lambda: tf.metrics.precision_at_k(flags([1, 2], [0, 1]), tf.constant([[0.1, 0.2, 0.3], [0.4, 0.1, 0.2]]), 2,
                                      weights=[1.0, 3.0, 4.0]),
])
def test_wrong_values(make):
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(make())


def test_labels_of_rankings_are_int64():
    with pytest.raises(TypeError):
        tf.metrics.precision_at_k(tf.constant([[1]], tf.int32), tf.constant([[0.1, 0.2]]), 1)


@pytest.mark.parametrize("labels, predictions, weights, wanted", [
    ([[1], [2]], [1, 3], [[1.0], [3.0]], 0.25),
    ([[1], [2]], [[1], [3]], [1.0, 3.0], 0.25),
    ([1, 2], [1, 3], 2.0, 0.5),
    ([1, 2], [[1], [3]], [3.0, 1.0], 0.75),
])
def test_shapes_known_only_when_it_runs(labels, predictions, weights, wanted):
    places = tf.placeholder(tf.int32), tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    feeds = dict(zip(places, (labels, predictions, weights), strict=True))
    assert run(tf.metrics.accuracy(*places), feeds) == pytest.approx(wanted)


def test_unknown_shapes_of_scores_and_rankings():
    labels, scores, weights = tf.placeholder(tf.int64), tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    recall = tf.metrics.recall_at_thresholds(labels, scores, [0.2, 0.5], weights)
    np.testing.assert_allclose(run(recall, {labels: [1, 0, 1], scores: [0.3, 0.6, 0.9], weights: [1.0, 1.0, 3.0]}),
                               [1.0, 0.75], rtol=1e-6)
    precision = tf.metrics.precision_at_k(labels, scores, 1, weights=weights)
    feeds = {labels: [1, 0], scores: [[0.1, 0.3], [0.2, 0.4]], weights: [1.0, 3.0]}
    assert run(precision, feeds) == pytest.approx(0.25)


@pytest.mark.parametrize("metric, options, wanted", [
    ("recall_at_k", {"k": 1}, 0.5), ("recall_at_k", {"k": 1, "class_id": 1}, 1.0),
    ("average_precision_at_k", {"k": 2}, 1.0)])
def test_labels_that_are_no_class(metric, options, wanted):
    scores = tf.constant([[0.1, 0.2], [0.3, 0.1]])
    labels = flags([1, -1], [5, 0])
    assert run(getattr(tf.metrics, metric)(labels, scores, **options)) == pytest.approx(wanted)


def test_sparse_labels_that_are_no_class():
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], flags(1, 5, 0), [2, 2])
    scores = tf.constant([[0.1, 0.2], [0.3, 0.1]])
    assert run(tf.metrics.average_precision_at_k(labels, scores, 2)) == pytest.approx(0.75)


def test_repeated_predictions_count_once():
    assert run(tf.metrics.precision_at_top_k(flags([1, 2]), flags([1, 1, 3]))) == pytest.approx(0.5)


def test_other_dtypes():
    assert run(tf.metrics.mean([True, False])) == 0.5
    assert run(tf.metrics.accuracy(["a", "b"], ["a", "c"])) == 0.5
    assert run(tf.metrics.accuracy(flags(1, 2), tf.constant([1.0, 3.0]))) == 0.5
    np.testing.assert_array_equal(run(tf.metrics.mean_tensor([1, 2])), [1.0, 2.0])


def test_collections():
    value, update = tf.metrics.precision(flags(1, 0), flags(1, 1), metrics_collections=["values", "all"],
                                         updates_collections="updates")
    assert tf.get_collection("values") == tf.get_collection("all") == [value]
    assert tf.get_collection("updates") == [update]
    assert tf.global_variables() == tf.trainable_variables() == []


def test_names_of_several():
    updates = [tf.metrics.mean([1.0], name=name)[1].name for name in (None, None, "mine", "mine")]
    assert updates == ["mean/update_op:0", "mean_1/update_op:0", "mine/update_op:0", "mine_1/update_op:0"]
    assert [v.name for v in tf.local_variables()][2:6] == ["mean_1/total:0", "mean_1/count:0", "mine/total:0",
                                                           "mine/count:0"]
