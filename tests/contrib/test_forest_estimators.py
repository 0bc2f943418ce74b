"""tf.contrib.tensor_forest.client.random_forest: random forests as Estimators, and trees as messages."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.random_forests import ForestHParams, RandomForestGraphs
from evergraph.frontend import resources
from evergraph.proto import generic_tree_model_pb2 as messages

client = tf.contrib.tensor_forest.client.random_forest
X = np.random.RandomState(0).rand(300, 3).astype(np.float32)
CORNER = ((X[:, 0] > 0.5) & (X[:, 2] < 0.5)).astype(np.int32)


def params(**more):
    return ForestHParams(**{"num_classes": 2, "num_features": 3, "num_trees": 5, "max_nodes": 60,
                            "split_after_samples": 20, "base_random_seed": 5, **more})


def inputs(labels=None, epochs=1, **more):
    return tf.estimator.inputs.numpy_input_fn({"x": X, **more}, labels, batch_size=100, num_epochs=epochs,
                                              shuffle=False)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_forest_of_contrib_learn_tells_classes_apart(tmp_path, classes):
    labels = CORNER + (classes == 3) * (X[:, 1] > 0.7).astype(np.int32) * (1 - CORNER) * 2
    forest = client.TensorForestEstimator(params(num_classes=classes), model_dir=str(tmp_path), keys_column="key")
    keys = {"key": np.arange(300).reshape(300, 1)}
    forest.fit(input_fn=inputs(labels, 12, **keys), steps=30)
    assert forest.evaluate(input_fn=inputs(labels, **keys))["accuracy"] > 0.9
    found = list(forest.predict(input_fn=inputs(**keys)))
    assert np.mean([each["classes"] for each in found] == labels) > 0.9
    assert [each["keys"][0] for each in found] == list(range(300)) and "prediction_variance" in found[0]


def test_a_forest_of_tf_estimator_predicts_numbers_and_is_exported(tmp_path):
    numbers = X[:, 0] * 3
    forest = client.CoreTensorForestEstimator(
        params(num_classes=1, regression=True, inference_tree_paths=True), model_dir=str(tmp_path / "model"),
        feature_columns=[tf.feature_column.numeric_column("x", [3])], include_all_in_serving=True,
        report_feature_importances=True)
    forest.train(inputs(numbers, 20), steps=40)
    assert forest.evaluate(inputs(numbers))["average_loss"] < 0.2 * numbers.var()
    found = list(forest.predict(inputs()))
    path = messages.TreePath.FromString(found[0]["tree_paths"][0])
    assert path.nodes_visited[0].node_id.value == 0 and path.nodes_visited[-1].HasField("leaf")
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": tf.placeholder(tf.float32, [None, 3])})
    exported = forest.export_savedmodel(str(tmp_path / "export"), receiver)
    again = tf.contrib.predictor.from_saved_model(exported, signature_def_key="all")({"x": X})
    np.testing.assert_array_equal(again["predictions"], [each["predictions"] for each in found])


def test_training_ends_when_the_loss_gets_no_better(tmp_path):
    forest = client.TensorForestEstimator(params(), model_dir=str(tmp_path), early_stopping_rounds=2,
                                          early_stopping_loss_threshold=0.9)
    forest.fit(input_fn=inputs(CORNER, None), steps=50)
    assert forest.get_variable_value("global_step") < 10
    with pytest.raises(ValueError, match="numbers and categories"):
        client.CoreTensorForestEstimator(params(), feature_columns=[tf.feature_column.embedding_column(
            tf.feature_column.categorical_column_with_identity("x", 9), 2)]).train(inputs(CORNER), steps=1)


def model(*nodes):
    found = messages.Model()
    for node in nodes:
        found.decision_tree.nodes.add().MergeFrom(messages.TreeNode(**node))
    return found.SerializeToString()


def leaf(number, *values):
    return {"node_id": {"value": number}, "leaf": {"vector": {"value": [{"float_value": each} for each in values]}}}


def split(number, feature, threshold, left, right):
    return {"node_id": {"value": number}, "binary_node": {
        "left_child_id": {"value": left}, "right_child_id": {"value": right},
        "inequality_left_child_test": {"feature_id": {"id": {"value": feature}},
                                       "threshold": {"float_value": threshold}}}}


def test_a_forest_begins_with_trees_of_messages():
    given = params(num_trees=1, inference_tree_paths=True).fill()
    tree = model(split(0, "2", 0.5, 7, 4), leaf(4, 1.0, 3.0), split(7, "0", 0.1, 8, 9), leaf(8, 1.0, 0.0),
                 leaf(9, 0.5, 0.5))
    graphs = RandomForestGraphs(given, [tree])
    probabilities, paths, _ = graphs.inference_graph([[0.0, 0, 0.9], [0.1, 0, 0.5], [0.2, 0, 0.5]])
    with tf.Session() as session:
        session.run(resources.initialize_resources(resources.shared_resources()))
        found, ways = session.run([probabilities, paths])
    assert found.tolist() == [[0.25, 0.75], [1, 0], [0.5, 0.5]]
    assert [len(messages.TreePath.FromString(way[0]).nodes_visited) for way in ways] == [2, 3, 3]
    for broken in (b"\xff", model(split(0, "1", 0.5, 1, 1)), model(split(0, "1", 0.5, 0, 1), leaf(1, 1.0, 0.0))):
        with pytest.raises(tf.errors.InvalidArgumentError):
            RandomForestGraphs(given, [broken])
