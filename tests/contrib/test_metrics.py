"""tf.contrib.metrics and tf.contrib.losses.metric_learning, against NumPy."""

import numpy as np
import pytest

import evergraph as tf

metrics, learning = tf.contrib.metrics, tf.contrib.losses.metric_learning
RANDOM = np.random.RandomState(0)


def streamed(metric, batches, *fed):
    """(the updates, the value) of a metric after feeding batches."""
    value, update = metric
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        updates = [session.run(update, dict(zip(fed, batch))) for batch in batches]
        return updates, session.run(value)


def test_covariance_and_correlation():
    x, y, w = (tf.placeholder(tf.float32, [None]) for _ in range(3))
    data = RANDOM.rand(2, 12).astype(np.float32)
    weights = RANDOM.randint(0, 4, 12).astype(np.float32)
    batches = [(data[0, at:at + 4], data[1, at:at + 4], weights[at:at + 4]) for at in (0, 4, 8)]
    repeated = np.repeat(data, weights.astype(int), 1)
    updates, value = streamed(metrics.streaming_covariance(x, y), batches, x, y, w)
    np.testing.assert_allclose([updates[1], value], [np.cov(data[:, :8])[0, 1], np.cov(data)[0, 1]], rtol=1e-5)
    _, value = streamed(metrics.streaming_covariance(x, y, w), batches, x, y, w)
    np.testing.assert_allclose(value, np.cov(repeated)[0, 1], rtol=1e-5)
    updates, value = streamed(metrics.streaming_pearson_correlation(x, y, w), batches, x, y, w)
    np.testing.assert_allclose([updates[-1], value], np.corrcoef(repeated)[0, 1], rtol=1e-5)


def test_concatenation():
    x = tf.placeholder(tf.float32, [2, None])
    batches = [(np.full((2, n), n),) for n in (1, 3, 2)]
    updates, value = streamed(metrics.streaming_concat(x, axis=1), batches, x)
    assert updates == [1, 4, 6] and value.tolist() == [[1, 3, 3, 3, 2, 2]] * 2
    updates, value = streamed(metrics.streaming_concat(x, axis=1, max_size=3), batches, x)
    assert updates == [1, 3, 3] and value.shape == (2, 3)
    with pytest.raises(ValueError):
        metrics.streaming_concat(x, axis=0)


def test_counts_and_rates():
    said = tf.constant([True, True, False, False, True])
    true = tf.constant([True, False, False, True, False])
    assert streamed(metrics.count(said), [()] * 2)[1] == 10
    assert streamed(metrics.count(tf.ones([3]), [1.0, 0.0, 2.5]), [()])[1] == 3.5
    assert streamed(metrics.streaming_false_positive_rate(said, true), [()])[1] == np.float32(2 / 3)
    assert streamed(metrics.streaming_false_negative_rate(said, true), [()])[0] == [0.5]


def test_scores():
    labels, scores = [0, 1, 1, 0, 1], tf.constant([0.1, 0.4, 0.9, 0.6, 0.7])
    np.testing.assert_allclose(streamed(metrics.f1_score(labels, scores), [()])[1], 6 / 7, rtol=1e-5)
    assert abs(streamed(metrics.recall_at_precision(labels, scores, 1.0), [()])[1] - 2 / 3) < 1e-5
    assert abs(streamed(metrics.recall_at_precision(labels, scores, 0.9, strict_mode=True), [()])[1] - 2 / 3) < 1e-5
    assert abs(streamed(metrics.precision_at_recall(labels, scores, 1.0), [()])[1] - 0.75) < 1e-5
    kappa = metrics.cohen_kappa(tf.constant([0, 1, 2, 0, 1]), tf.constant([0, 1, 1, 0, 2]), 3)
    np.testing.assert_allclose(streamed(kappa, [()])[1], (3 - 1.8) / (5 - 1.8), rtol=1e-5)


LABELS = [0, 0, 1, 0, 0, 1, 0, 1, 1, 0]
SCORES = [0.0, 0.2, 0.3, 0.3, 0.4, 0.5, 0.6, 0.6, 0.8, 1.0]


def pairs_area(labels, scores, weights):
    """The share of pairs of a positive and a negative element that are in order, half of it for equal scores."""
    labels, scores, weights = map(np.array, (labels, scores, weights))
    order = (scores[:, None] > scores) + 0.5 * (scores[:, None] == scores)
    pairs = np.outer(weights * labels, weights * (1 - labels))
    return (order * pairs).sum() / pairs.sum()


def test_points_of_curves():
    labels, scores = [1, 0, 0, 1, 1, 1], tf.constant([0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
    for curve, wanted in (("ROC", [[1, 1], [0, 0.75], [0, 0]]), ("PR", [[1, 4 / 6], [0.75, 1], [0, 1]])):
        points = metrics.streaming_curve_points(labels, scores, num_thresholds=3, curve=curve)
        np.testing.assert_allclose(streamed(points, [()] * 2)[1], wanted, atol=1e-6)
    data = metrics.precision_recall_at_equal_thresholds(np.array(labels, bool), scores, [0, 0.5, 2, 0, 0.5, 1], 3)
    data = streamed(data, [()] * 2)[1]
    np.testing.assert_allclose([data.tp, data.fp, data.tn, data.fn], [[3, 3, 0], [5, 0, 0], [0, 5, 5], [0, 0, 3]])
    np.testing.assert_allclose([data.precision, data.recall, data.thresholds], [[0.375, 1, 0], [1, 1, 0], [0, 0.5, 1]])
    for name, wanted in (("positive", [1, 0.5, 0]), ("negative", [0, 0.25, 0.5])):
        rate = getattr(metrics, f"streaming_false_{name}_rate_at_thresholds")(scores, labels, [0.0, 0.35, 0.65])
        np.testing.assert_allclose(streamed(rate, [()])[1], wanted, atol=1e-6)


def test_areas_without_thresholds():
    weights = [0.5, 0.6, 1.2, 1.5, 2.0, 2.0, 1.5, 1.2, 0.6, 0.5]
    for weight in (None, weights):
        area = metrics.streaming_dynamic_auc(LABELS, tf.constant(SCORES) * 3 - 1, weights=weight)
        wanted = pairs_area(LABELS, SCORES, weight or np.ones(10))
        np.testing.assert_allclose(streamed(area, [()])[1], wanted, rtol=1e-6)
        interval = streamed(metrics.auc_with_confidence_intervals(LABELS, SCORES, weight), [()])[1]
        np.testing.assert_allclose(interval.auc, wanted, rtol=1e-6)
        assert 0.2 < interval.lower < wanted < interval.upper < 0.95
    area = metrics.streaming_dynamic_auc([0, 0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.1, 0.135, 0.81], "PR")
    np.testing.assert_allclose(streamed(area, [()])[1], 1 / 3 + 5 / 36 + (0.4 + 3 / 7) / 6, rtol=1e-6)
    plain = metrics.auc_with_confidence_intervals([0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0], logit_transformation=False)
    assert streamed(plain, [()])[1] == (1, 1, 1)
    alone = metrics.auc_with_confidence_intervals([0, 1], [1.0, 2.0])
    assert streamed(alone, [()])[1] == (0, 0, 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least one is >1"):
        streamed(metrics.streaming_dynamic_auc([2, 0], [1.0, 2.0]), [()])


def embeddings(count=10, classes=4):
    return RANDOM.rand(count, 6).astype(np.float32), RANDOM.randint(0, classes, count)


def distances(points):
    return np.sqrt(((points[:, None] - points) ** 2).sum(-1))


def test_triplets(session):
    points, labels = embeddings()
    squared, found = distances(points) ** 2, []
    for i in range(10):
        negatives = np.sort(squared[i][labels != labels[i]])
        for j in (j for j in range(10) if labels[i] == labels[j] and i != j):
            farther = negatives[negatives > squared[i, j]]
            found.append(max(0.0, 1.0 + squared[i, j] - (farther[0] if len(farther) else negatives[-1])))
    loss = learning.triplet_semihard_loss(labels, points)
    np.testing.assert_allclose(session.run(loss), np.mean(found), rtol=1e-5)
    fed = tf.constant(points)
    assert np.isfinite(session.run(tf.gradients(learning.lifted_struct_loss(labels, fed), fed)[0])).all()


def test_lifted_structures(session):
    points, labels = embeddings()
    apart, found = distances(points), []
    for i in range(10):
        for j in (j for j in range(10) if labels[i] == labels[j] and i != j):
            others = np.concatenate([1 - apart[k][labels != labels[k]] for k in (i, j)])
            found.append(max(0.0, np.log(np.exp(others).sum()) + apart[i, j]) ** 2)
    np.testing.assert_allclose(session.run(learning.lifted_struct_loss(labels, points)), np.mean(found) / 2, rtol=1e-4)


def test_pairs(session):
    one, labels = embeddings(8)
    two = embeddings(8)[0]
    alike = (labels[:, None] == labels) / (labels[:, None] == labels).sum(1, keepdims=True)
    logits = one @ two.T
    entropy = -(alike * (logits - np.log(np.exp(logits).sum(1, keepdims=True)))).sum(1).mean()
    wanted = entropy + 0.25 * 0.02 * ((one ** 2).sum(1).mean() + (two ** 2).sum(1).mean())
    np.testing.assert_allclose(session.run(learning.npairs_loss(labels, one, two, 0.02)), wanted, rtol=1e-5)
    rows = [tf.SparseTensor([[label]], [1], [4]) for label in labels]
    several = learning.npairs_loss_multilabel(rows, one, two, 0.02)
    np.testing.assert_allclose(session.run(several), wanted, rtol=1e-5)
    is_pair = (labels % 2).astype(np.float32)
    apart = np.sqrt(((one - two) ** 2).sum(1))
    contrast = (is_pair * apart ** 2 + (1 - is_pair) * np.maximum(1 - apart, 0) ** 2).mean()
    np.testing.assert_allclose(session.run(learning.contrastive_loss(is_pair, one, two)), contrast, rtol=1e-5)


def test_flipped_losses(session):
    logits, targets = [[0.5, -1.0]], [[1.0, 0.0]]
    nn = tf.contrib.nn
    pairs = [
        (nn.deprecated_flipped_softmax_cross_entropy_with_logits(logits, targets),
         tf.nn.softmax_cross_entropy_with_logits_v2(labels=targets, logits=logits)),
        (nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, targets),
         tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits)),
        (nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, [0]),
         tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0], logits=logits))]
    for one, two in pairs:
        np.testing.assert_array_equal(*session.run([one, two]))
