"""tf.keras.metrics that are means of a function of labels and predictions."""

import numpy as np
import pytest

import evergraph as tf

metrics = tf.keras.metrics

# what makes the metric, labels, predictions, weights, the mean
MEANS = [
    (metrics.Accuracy, [1, 2, 3, 4], [1.0, 2.0, 0.0, 4.0], None, 0.75),
    (metrics.BinaryAccuracy, [[1, 0], [0, 1]], [[0.6, 0.4], [0.7, 0.8]], None, 0.75),
    (lambda: metrics.BinaryAccuracy(threshold=0.75), [[1, 0], [0, 1]], [[0.6, 0.4], [0.7, 0.8]], [3.0, 1.0], 0.625),
    (metrics.SparseCategoricalAccuracy, [[2], [1]], [[0.1, 0.6, 0.3], [0.05, 0.95, 0.0]], [0.7, 0.3], 0.3),
    (metrics.CategoricalAccuracy, [[0, 0, 1], [0, 1, 0]], [[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]], None, 0.5),
    (metrics.MeanSquaredError, [[0.0, 1.0]], [[1.0, 1.0]], None, 0.5),
    (metrics.MeanAbsoluteError, [[0.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [3.0, 1.0]], [1.0, 3.0], 1.625),
]


@pytest.mark.parametrize("make, labels, predictions, weights, mean", MEANS)
def test_means(make, labels, predictions, weights, mean, session):
    metric = make()
    update = metric.update_state(labels, predictions, sample_weight=weights)
    session.run(tf.variables_initializer(metric.variables))
    session.run(update)
    assert session.run(metric.result()) == pytest.approx(mean)


@pytest.mark.parametrize("make, count", [(metrics.AUC, 0.0), (metrics.Precision, 1.0), (metrics.TruePositives, 1.0)])
def test_in_a_graph_scores_may_lie_outside_of_0_and_1(make, count, session):
    metric = make()
    update = metric.update_state([0.0, 1.0], tf.placeholder_with_default([-1.0, 2.0], [None]))
    session.run(tf.variables_initializer(metric.variables))
    session.run(update)
    assert session.run(metric.result()) == count


def compiled(**options):
    model = tf.keras.Sequential([tf.keras.layers.Lambda(lambda x: x, input_shape=(3,))])
    model.compile("sgd", "mse", **options)
    return model


@pytest.mark.parametrize("name", ["cosine_similarity", "cosine_proximity"])
def test_as_a_metric_the_cosine_has_no_minus(name, session):
    model = compiled(metrics=[name])
    assert model.metrics_names == ["loss", "cosine_proximity"]
    value = model.evaluate(np.array([[1.0, 2.0, 3.0]]), np.array([[3.0, 2.0, 1.0]]), verbose=0)[1]
    assert value == pytest.approx(10 / 14)


def test_the_last_metric_of_a_name_stands_for_all():
    metric = metrics.MeanAbsoluteError(name="mae")
    model = compiled(metrics=[metrics.MeanSquaredError(name="mae"), "mse", metric], weighted_metrics=["mse"])
    assert model.metrics_names == ["loss", "mae", "mean_squared_error", "weighted_mean_squared_error"]
    assert model.metrics[0] is metric


def test_counts_are_kept_in_the_order_of_their_files():
    names = [variable.name.partition(":")[0].rstrip("_0123456789") for variable in metrics.AUC().variables]
    assert names == ["true_positives", "true_negatives", "false_positives", "false_negatives"]
