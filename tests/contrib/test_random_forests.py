"""tensorflow.contrib.tensor_forest: random forests trained with batches."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib import forest_data as data_ops
from evergraph.contrib.random_forests import ForestHParams, RandomForestGraphs
from evergraph.frontend import resources
from evergraph.ops.trees.random_tree import RandomTree, TreeSettings

client = tf.contrib.tensor_forest.client
eval_metrics, random_forest = client.eval_metrics, client.random_forest


def forest(**more):
    params = ForestHParams(**{"num_classes": 2, "num_features": 3, "num_trees": 4, "max_nodes": 50,
                              "split_after_samples": 20, "base_random_seed": 5, **more}).fill()
    return RandomForestGraphs(params)


def begun():
    session = tf.Session()
    session.run([tf.global_variables_initializer(), resources.initialize_resources(resources.shared_resources())])
    return session


def batches(count, label):
    """Batches of 100 points of [0, 1]^3, with labels."""
    random = np.random.RandomState(0)
    for _ in range(count):
        points = random.rand(100, 3).astype(np.float32)
        yield points, label(points)


def trained(graphs, x, y, label, session, count=15):
    train = graphs.training_graph(x, y)
    for points, labels in batches(count, label):
        session.run(train, {x: points, y: labels})


def corner(points):
    return ((points[:, 0] > 0.5) & (points[:, 2] < 0.5)).astype(np.int32)


def test_a_forest_learns_a_corner():
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32, [None])
    graphs = forest()
    probabilities, paths, variance = graphs.inference_graph(x)
    session = begun()
    size, loss, importances = graphs.average_size(), graphs.training_loss(x, y), graphs.feature_importances()
    assert session.run([size, loss]) == [1.0, -1.0]
    trained(graphs, x, y, corner, session)
    [(points, labels)] = batches(1, corner)
    found, empty, spread = session.run([probabilities, paths, variance], {x: points})
    assert np.mean(found.argmax(1) == labels) > 0.9
    np.testing.assert_allclose(found.sum(1), 1.0, rtol=1e-5)
    assert empty.shape == (100, 4) and spread.shape == (100, 2) and spread.min() >= 0.0
    nodes, used = session.run([size, importances])
    assert 10.0 < nodes <= 50.0
    assert used.sum() == pytest.approx(1.0) and used[1] < used[0]


def test_a_leaf_takes_the_purest_of_its_candidates():
    """One feature, and thresholds of the first ten examples: the root splits where classes part."""
    x, y = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.int64, [None])
    graphs = forest(num_features=1, num_trees=1, split_after_samples=10)
    probabilities, session = graphs.inference_graph(x)[0], begun()
    points = np.tile(np.arange(10.0), 2).reshape(-1, 1)
    session.run(graphs.training_graph(x, y), {x: points, y: points[:, 0] > 3.0})
    assert session.run(probabilities, {x: [[3.0], [3.5], [4.0], [9.0]]}).tolist() == [[1, 0], [0, 1], [0, 1], [0, 1]]


def test_a_forest_fits_values():
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
    graphs = forest(num_classes=1, regression=True, max_nodes=200)
    predicted, session = graphs.inference_graph(x)[0], begun()
    trained(graphs, x, y, lambda points: points[:, :1] * 2.0, session, 30)
    [(points, values)] = batches(1, lambda points: points[:, :1] * 2.0)
    assert np.abs(session.run(predicted, {x: points}) - values).mean() < 0.2


def test_trees_are_saved(tmp_path):
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32, [None])
    graphs = forest()
    probabilities, saver = graphs.inference_graph(x)[0], tf.train.Saver()
    session = begun()
    trained(graphs, x, y, corner, session, 5)
    expected = session.run(probabilities, {x: np.eye(3)})
    path = saver.save(session, str(tmp_path / "forest"))
    other = begun()
    assert not np.array_equal(other.run(probabilities, {x: np.eye(3)}), expected)
    saver.restore(other, path)
    np.testing.assert_array_equal(other.run(probabilities, {x: np.eye(3)}), expected)


def test_bags_of_examples_and_features():
    graphs = forest(bagging_fraction=0.5, feature_bagging_fraction=0.7, num_trees=3)
    assert [len(each) for each in graphs.params.bagged_features] == [2, 2, 2]
    data = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 2.0], [2, 3])
    train, probabilities = graphs.training_graph(data, [0, 1]), graphs.inference_graph({"a": [[1.0], [0.0]],
                                                                                       "b": tf.zeros([2, 2])})[0]
    session = begun()
    session.run(train)
    assert session.run(probabilities).shape == (2, 2)
    with pytest.raises(tf.errors.UnimplementedError):
        graphs.feature_importances()


def test_hyperparameters():
    params = ForestHParams(num_classes=2, num_features=1000, max_nodes=7).fill()
    assert (params.num_splits_to_consider, params.num_output_columns, params.valid_leaf_threshold) == (31, 3, 1)
    assert ForestHParams(num_classes=2, num_features=60).fill().num_splits_to_consider == 10
    with pytest.raises(tf.errors.UnimplementedError, match="split_finish_name must be 'basic'"):
        ForestHParams(split_finish_name="dominate_hoeffding")
    with pytest.raises(ValueError, match="needs num_features"):
        ForestHParams(num_classes=2).fill()


def test_what_does_not_fit_is_refused():
    graphs = forest()
    session = tf.Session()
    with pytest.raises(tf.errors.FailedPreconditionError, match="is not initialized"):
        session.run(graphs.average_size())
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"labels must be in \[0, 2\)"):
        begun().run(graphs.training_graph(tf.zeros([1, 3]), [2]))


def a_tree():
    tree = RandomTree("t", TreeSettings(2, False, 50, 3, 5, 1, True, 1))
    tree.start()
    random = np.random.RandomState(0)
    for _ in range(6):
        x = random.rand(40, 3).astype(np.float32)
        tree.train(x, (x[:, 0] > 0.5).astype(np.int32), np.ones(40, np.float32))
    return tree


def test_a_tree_that_is_read_again_is_the_same():
    tree, x = a_tree(), np.random.RandomState(1).rand(20, 3).astype(np.float32)
    other = RandomTree("u", tree.settings)
    other.restore(tree.serialized())
    assert tree.size > 3 and other.size == tree.size
    np.testing.assert_array_equal(other.predict(x), tree.predict(x))
    with pytest.raises(tf.errors.InvalidArgumentError, match="examples have 0"):
        other.predict(np.zeros([2, 0], np.float32))


@pytest.mark.parametrize("seed", range(40))
def test_text_that_is_no_tree_is_refused_and_changes_nothing(seed):
    """No text makes a search for leaves endless, or takes more memory than it has bytes."""
    tree, random = a_tree(), np.random.RandomState(seed)
    text, x = bytearray(tree.serialized()), random.rand(5, 3).astype(np.float32)
    before = tree.predict(x)
    nodes = 8 + tree.size * 36  # the count, and all arrays but the statistics
    if seed % 4 == 0:
        text = text[:random.randint(1, len(text))]
    for _ in range(seed % 4):
        text[random.randint(nodes)] = random.randint(256)
    try:
        tree.restore(bytes(text))
        tree.predict(x)
    except (tf.errors.DataLossError, tf.errors.InvalidArgumentError) as error:
        if isinstance(error, tf.errors.DataLossError):
            np.testing.assert_array_equal(tree.predict(x), before)


def test_features_and_labels_become_matrices(session):
    dense, sparse, spec = data_ops.ParseDataTensorOrDict({
        "b": tf.constant([[3, 4], [5, 6]]), "a": tf.constant([1.0, 2.0]),
        "c": tf.SparseTensor([[1, 2]], [7.0], [2, 3])})
    alone, nothing, of_one = data_ops.ParseDataTensorOrDict([[1, 2]])
    found = session.run([dense, alone, data_ops.ParseLabelTensorOrDict({"x": [1, 2], "y": [3, 4]}),
                         data_ops.ParseLabelTensorOrDict([0, 1]), tf.sparse.to_dense(sparse)])
    assert [each.tolist() for each in found] == [[[1, 3, 4], [2, 5, 6]], [[1, 2]], [[1, 3], [2, 4]], [0, 1],
                                                 [[0, 0, 0], [0, 0, 7]]]
    assert nothing is None and of_one.dense_features_size == 2
    assert [(column.name, column.original_type, column.size) for column in (*spec.dense.cols, *spec.sparse.cols)] == [
        ("a", data_ops.DATA_FLOAT, 1), ("b", data_ops.DATA_CATEGORICAL, 2), ("c", data_ops.DATA_FLOAT, 3)]
    assert (spec.dense.size(), spec.sparse.size(), spec.dense_features_size) == (2, 1, 3)
    assert spec.SerializeToString() == (
        "dense_features_size: 3 dense: [[name: a original_type: 0 size: 1] [name: b original_type: 1 size: 2]] "
        "sparse: [[name: c original_type: 0 size: 3]]")


def test_a_forest_takes_one_kind_of_features():
    forest = random_forest.TensorForestEstimator(ForestHParams(num_classes=2, num_features=2))
    both = {"a": tf.constant([[1.0]]), "b": tf.SparseTensor([[0, 0]], [1.0], [1, 1])}
    with pytest.raises(NotImplementedError, match="dense features or sparse ones"):
        forest.fit(input_fn=lambda: (both, tf.constant([0])), steps=1)


PROBABILITIES, CLASSES = np.float32([[0.75, 0.25], [0.35, 0.65], [0.25, 0.75], [0.85, 0.15]]), np.array([0, 1, 0, 0])
WEIGHTS = np.float32([1, 1, 3, 1])
LOSSES = -np.log(PROBABILITIES[np.arange(4), CLASSES])
SHARES = PROBABILITIES[:, 1] > np.arange(10)[:, None] / 10
METRICS = {
    "accuracy": ([0, 1, 1, 0], CLASSES, 0.5), "precision": ([0, 1, 1, 0], CLASSES, 0.25),
    "recall": ([0, 1, 1, 0], CLASSES, 1.0), "softmax_entropy": (PROBABILITIES, CLASSES, (LOSSES @ WEIGHTS) / 6),
    "classification_log_loss": (PROBABILITIES, CLASSES, (LOSSES @ WEIGHTS) / 6),
    "sigmoid_entropy": (PROBABILITIES, CLASSES, 2 * (LOSSES @ WEIGHTS) / 6),
    "auc": (PROBABILITIES, CLASSES, 2 / 5), "r2": ([1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 4.0], 1 - 3 / 16),
    "recall_at_thresholds": (PROBABILITIES, CLASSES, SHARES[:, 1].astype(float)),
    "precision_at_thresholds": (PROBABILITIES, CLASSES,
                                SHARES[:, 1] / np.maximum((SHARES * WEIGHTS).sum(1), 1e-9)),
    "top_5": (np.float32(np.eye(6) + np.arange(6) * 1e-3), np.array([0, 1, 2, 3, 0, 5]), 5 / 6),
    "predictions": ([0, 1, 1, 0], CLASSES, [0, 1, 1, 0]),
}


@pytest.mark.parametrize("name", METRICS)
def test_metrics_by_name(session, name):
    predictions, labels, wanted = METRICS[name]
    weights = None if name in ("top_5", "predictions") else tf.constant(WEIGHTS)
    value, update = eval_metrics.get_metric(name)(tf.constant(predictions), tf.constant(labels), weights=weights)
    session.run(tf.local_variables_initializer())
    session.run(update)
    np.testing.assert_allclose(session.run(value), wanted, rtol=1e-3, atol=5e-3)
    assert eval_metrics.get_prediction_key(name) in ("classes", "probabilities", "scores")


def test_an_unknown_metric_is_named():
    with pytest.raises(KeyError, match="forests have no metric 'f1'; they have auc"):
        eval_metrics.get_metric("f1")


def test_scatter_add_ndim_adds_to_elements_and_slices(session):
    variable = tf.Variable([[1.0, 2], [3, 4]], use_resource=False)
    session.run(variable.initializer)
    session.run(tf.raw_ops.ScatterAddNdim(input=variable, indices=[[0, 1], [0, 1]], deltas=[10.0, 20.0]))
    session.run(tf.raw_ops.ScatterAddNdim(input=variable, indices=[[1]], deltas=[[5.0, 6.0]]))
    assert session.run(variable).tolist() == [[1, 32], [8, 10]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Number of updates"):
        session.run(tf.raw_ops.ScatterAddNdim(input=variable, indices=[[1]], deltas=[[5.0], [6.0]]))
