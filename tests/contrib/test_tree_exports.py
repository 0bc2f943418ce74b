"""Boosted trees as messages that name features, their importances, and the strategy that exports them."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.proto import contrib_trees_pb2 as trees
from evergraph.proto import generic_tree_model_pb2 as generic

strategies = tf.contrib.boosted_trees.estimator_batch.custom_export_strategy
estimators = tf.contrib.boosted_trees.estimator_batch.estimator
ENSEMBLE = trees.DecisionTreeEnsembleConfig(
    trees=[{"nodes": [
        {"dense_float_binary_split": {"feature_column": 1, "threshold": 0.5, "left_id": 1, "right_id": 2},
         "node_metadata": {"gain": 4.0}},
        {"leaf": {"vector": {"value": [1.0]}}},
        {"categorical_id_binary_split": {"feature_column": 0, "feature_id": 7, "left_id": 3, "right_id": 4},
         "node_metadata": {"gain": 2.0}},
        {"leaf": {"vector": {"value": [2.0]}}},
        {"leaf": {"sparse_vector": {"index": [0], "value": [3.0]}}}]},
        {"nodes": [
            {"sparse_float_binary_split_default_right": {
                "split": {"feature_column": 0, "dimension_id": 2, "threshold": -1.0, "left_id": 1, "right_id": 2}},
             "node_metadata": {"gain": 1.0}},
            {"leaf": {"vector": {"value": [10.0]}}}, {"leaf": {"vector": {"value": [20.0]}}}]},
        {"nodes": [
            {"oblivious_dense_float_binary_split": {"feature_column": 0, "threshold": 0.0}},
            {"oblivious_categorical_id_binary_split": {"feature_column": 0, "feature_id": 3}},
            *({"leaf": {"vector": {"value": [100.0 * (n + 1)]}}} for n in range(4))]}],
    tree_weights=[1.0, 0.5, 1.0])
COLUMNS = (["a", "b", "numbers", "ids"], 2, 1, 1)


def predicted(model, example):
    """What a ModelAndFeatures predicts for an example: numbers by name, and sets of categories."""
    def leaf(nodes):
        node = nodes[0]
        while node.WhichOneof("node_type") == "binary_node":
            test = node.binary_node
            if test.WhichOneof("left_child_test") == "inequality_left_child_test":
                name, rule = test.inequality_left_child_test.feature_id.id.value, test.inequality_left_child_test
                assert rule.type == generic.InequalityTest.LESS_OR_EQUAL
                left = (example[name] <= rule.threshold.float_value if name in example else
                        test.default_direction == generic.BinaryNode.LEFT)
            else:
                rule = generic.MatchingValuesTest()
                assert test.custom_left_child_test.Unpack(rule)
                left = bool({value.int64_value for value in rule.value} & example[rule.feature_id.id.value])
            node = nodes[(test.left_child_id if left else test.right_child_id).value]
        if node.leaf.WhichOneof("leaf") == "sparse_vector":
            return node.leaf.sparse_vector.sparse_value[0].float_value
        return node.leaf.vector.value[0].float_value
    assert model.model.ensemble.WhichOneof("combination_technique") == "summation_combination_technique"
    return sum(leaf(member.submodel.decision_tree.nodes) for member in model.model.ensemble.members)


@pytest.mark.parametrize("example, wanted", [
    ({"a": -1.0, "b": 0.5, "ids": {3}}, 1 + 10 + 100), ({"a": -1.0, "b": 0.6, "ids": {7}}, 2 + 10 + 200),
    ({"a": 1.0, "b": 0.6, "ids": {3}, "numbers_2": -1.0}, 3 + 5 + 300),
    ({"a": 1.0, "b": 0.6, "ids": set(), "numbers_2": 0.0}, 3 + 10 + 400)])
def test_every_kind_of_split_is_kept(example, wanted):
    model = strategies.convert_to_universal_format(ENSEMBLE, *COLUMNS)
    assert predicted(model, example) == wanted
    assert sorted(model.features) == ["a", "b", "ids", "numbers"]


def test_names_fit_the_columns():
    with pytest.raises(ValueError, match="4 columns, and there are 1 names"):
        strategies.convert_to_universal_format(ENSEMBLE, ["a"], 2, 1, 1)


def test_a_model_is_exported_with_its_importances(tmp_path):
    rows = np.random.RandomState(0).uniform(-1, 1, [200, 2]).astype(np.float32)
    labels = (np.sign(rows[:, :1]) + 3 * (rows[:, 1:] > 0.5)).astype(np.float32)
    column = tf.contrib.layers.real_valued_column("x", dimension=2)
    made = estimators.GradientBoostedDecisionTreeRegressor(
        trees.LearnerConfig(constraints={"max_tree_depth": 2}), 200, num_trees=4, feature_columns=[column],
        center_bias=False, model_dir=str(tmp_path / "model"))
    made.fit(input_fn=lambda: ({"x": tf.constant(rows)}, tf.constant(labels)), steps=40)
    seen = []
    strategy = strategies.make_custom_export_strategy(
        "trees", lambda *given: seen.append(given), [column],
        tf.contrib.learn.utils.build_parsing_serving_input_fn(
            tf.contrib.layers.create_feature_spec_for_parsing([column])))
    folder = strategy.export(made, str(tmp_path / "export"), eval_result={"loss": 1.0})
    (dtec, names, *counts, path, result), = seen
    assert (names, counts, path, result) == (["x_0", "x_1"], [2, 0, 0], folder, {"loss": 1.0})
    lines = (tmp_path / "export" / folder.decode().split("/")[-1] / "assets.extra/feature_importances").read_text()
    first, second = (line.split(", ") for line in lines.splitlines())
    assert {first[0], second[0]} == {"x_0", "x_1"} and float(first[1]) > float(second[1]) > 0
    model = strategies.convert_to_universal_format(dtec, names, *counts)
    wanted = [float(each["scores"]) for each in made.predict(x={"x": rows}, batch_size=200)]
    found = [predicted(model, {"x_0": row[0], "x_1": row[1]}) for row in rows]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
