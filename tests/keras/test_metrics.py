"""tf.keras.metrics that are means of a function of labels and predictions."""

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
