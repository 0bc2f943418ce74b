"""Boosted trees: the numbers in trees.json are TensorFlow 1.15's, for the programs of tree_programs.py."""

import collections
import json
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.proto import boosted_trees_pb2
from tests.estimator import tree_programs

RECORDED = json.loads((Path(__file__).parent / "trees.json").read_text())
NUMBER = tf.feature_column.numeric_column("number")
BUCKETS = tf.feature_column.bucketized_column(NUMBER, [-1.0, 0.5, 2.0])


@pytest.mark.parametrize("name", RECORDED)
def test_training_follows_tensorflow(name, tmp_path):
    found, wanted = tree_programs.PROGRAMS[name](tf, str(tmp_path)), RECORDED[name]
    np.testing.assert_allclose(found["losses"], wanted["losses"], atol=1e-5)
    np.testing.assert_allclose(found["predictions"], wanted["predictions"], atol=1e-5)
    assert found["metrics"] == pytest.approx(wanted["metrics"], abs=1e-5)
    assert by_feature(found["importances"]) == pytest.approx(by_feature(wanted["importances"]), abs=1e-5)


def by_feature(importances):
    """The importances of all columns of a feature, added up: where two split alike, the last bit of a gain decides."""
    totals = collections.Counter()
    for column, importance in importances.items():
        totals[column.removesuffix("_bucketized")] += importance
    return totals


def test_names_in_checkpoints_are_tensorflows(tmp_path):
    model = tf.estimator.BoostedTreesClassifier([NUMBER], 1, str(tmp_path), n_trees=1, max_depth=1)
    model.train(tree_programs.batches(tf, tree_programs.LABELS, 40), steps=3)
    assert model.get_variable_names() == [
        "boosted_trees/QuantileAccumulator:0_bucket_boundaries_0", "boosted_trees/are_boundaries_ready",
        "boosted_trees/center_bias_needed", "boosted_trees:0_serialized", "boosted_trees:0_stamp", "global_step"]
    trees = boosted_trees_pb2.TreeEnsemble.FromString(model.get_variable_value("boosted_trees:0_serialized"))
    assert [each.is_finalized for each in trees.tree_metadata] == [True, False]


def test_explanations_add_up_to_predictions(tmp_path):
    model = tf.estimator.BoostedTreesClassifier([BUCKETS], 1, str(tmp_path), n_trees=2, max_depth=2, center_bias=True)
    model.train(tree_programs.batches(tf, tree_programs.LABELS, 40))
    inputs = lambda: tf.data.Dataset.from_tensors({"number": tree_programs.NUMBERS})
    for each in model.experimental_predict_with_explanations(inputs, predict_keys=["probabilities"]):
        assert each.keys() == {"probabilities", "bias", "dfc"}
        assert list(each["dfc"]) == ["number_bucketized"]
        assert each["bias"] + sum(each["dfc"].values()) == pytest.approx(each["probabilities"][1], abs=1e-6)


def test_training_in_memory_reads_the_data_once(tmp_path):
    def inputs():
        return tf.data.Dataset.from_tensors(({"number": tree_programs.NUMBERS}, tree_programs.TARGETS))
    model = tf.contrib.estimator.boosted_trees_regressor_train_in_memory(inputs, [NUMBER], str(tmp_path), n_trees=2,
                                                                         max_depth=2)
    assert model.get_variable_value("global_step") == 4


def test_exported_trees_predict(tmp_path):
    model = tf.estimator.BoostedTreesRegressor([NUMBER], 1, str(tmp_path / "model"), n_trees=1, max_depth=2)
    model.train(tree_programs.batches(tf, tree_programs.TARGETS, 40))
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"number": tf.placeholder(tf.float32, [None, 1])})
    serve = tf.contrib.predictor.from_saved_model(model.export_saved_model(str(tmp_path / "export"), receiver).decode(),
                                                  signature_def_key="predict")
    given = lambda: tf.data.Dataset.from_tensors({"number": tree_programs.NUMBERS})
    wanted = [each["predictions"] for each in model.predict(given)]
    np.testing.assert_allclose(serve({"number": tree_programs.NUMBERS})["predictions"], wanted)


def test_another_head(tmp_path):
    head = tf.estimator.PoissonRegressionHead()
    model = tf.estimator.BoostedTreesEstimator([BUCKETS], 1, head, str(tmp_path), n_trees=2, max_depth=2)
    inputs = tree_programs.batches(tf, tree_programs.WEIGHTS, 40)
    model.train(inputs, steps=1)
    before = model.evaluate(inputs, steps=1)["average_loss"]
    model.train(inputs)
    assert model.evaluate(inputs, steps=1)["average_loss"] < before


@pytest.mark.parametrize("options, message", [
    ({"pruning_mode": "pre"}, "tree_complexity must be positive"),
    ({"tree_complexity": 0.1}, "Tree complexity have no effect"),
    ({"pruning_mode": "later"}, "pruning_mode mode must be one of"),
])
def test_settings_that_do_not_fit(options, message, tmp_path):
    model = tf.estimator.BoostedTreesClassifier([BUCKETS], 1, str(tmp_path), **options)
    with pytest.raises(ValueError, match=message):
        model.train(tree_programs.batches(tf, tree_programs.LABELS, 40), steps=1)


def test_what_is_refused(tmp_path):
    word = tf.feature_column.categorical_column_with_vocabulary_list("word", ["ash"])
    with pytest.raises(ValueError, match="CategoricalColumn must be wrapped by IndicatorColumn"):
        tf.estimator.BoostedTreesClassifier([word], 1)
    with pytest.raises(ValueError, match="n_classes is 3"):
        tf.estimator.BoostedTreesClassifier([NUMBER], 1, n_classes=3)
    with pytest.raises(ValueError, match="label_dimension is 2"):
        tf.estimator.BoostedTreesRegressor([NUMBER], 1, label_dimension=2)
    model = tf.estimator.BoostedTreesClassifier([NUMBER], 1, str(tmp_path))
    with pytest.raises(ValueError, match="center_bias=True"):
        next(model.experimental_predict_with_explanations(None))
