"""The estimators of contrib's boosted trees: they learn, stop, are restored and exported."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.boosted_trees.features import extract_features
from evergraph.proto import contrib_trees_pb2 as messages

home = tf.contrib.boosted_trees.estimator_batch.estimator
X = np.random.RandomState(0).uniform(-1, 1, [200, 2]).astype(np.float32)
SIDES = ((X[:, 0] > 0.2) ^ (X[:, 1] > -0.3)).astype(np.int32)[:, None]


def config(**given):
    found = messages.LearnerConfig(constraints={"max_tree_depth": 2})
    found.MergeFrom(messages.LearnerConfig(**given))
    return found


def batches(labels):
    return lambda: ({"x": tf.constant(X)}, tf.constant(labels))


def once(labels=None):
    return tf.estimator.inputs.numpy_input_fn({"x": X}, labels, batch_size=200, shuffle=False)


@pytest.mark.parametrize("center_bias", [False, True])
def test_a_classifier_learns_stops_and_continues(tmp_path, center_bias):
    def made(trees):
        return home.GradientBoostedDecisionTreeClassifier(
            config(), 200, num_trees=trees, model_dir=str(tmp_path), center_bias=center_bias, output_leaf_index=True)
    few = made(1)
    few.fit(input_fn=batches(SIDES), steps=100)
    first = few.evaluate(input_fn=once(SIDES), steps=1)
    many = made(25)
    many.fit(input_fn=batches(SIDES), steps=200)
    last = many.evaluate(input_fn=once(SIDES), steps=1)
    assert last["loss"] < 0.5 * first["loss"] and last["accuracy"] > 0.97
    assert last["global_step"] < 100  # it has stopped by itself
    found = list(many.predict(input_fn=once()))
    again = list(made(25).predict(input_fn=once()))
    np.testing.assert_array_equal([each["logits"] for each in found], [each["logits"] for each in again])
    assert np.mean([each["classes"] for each in found] == SIDES[:, 0]) > 0.97
    assert len(found[0]["leaf_index"]) == 25 + center_bias
    ensemble = messages.DecisionTreeEnsembleConfig.FromString(many.get_variable_value("ensemble_model:0_config"))
    assert len(ensemble.trees) == 25 + center_bias


def test_an_exported_model_predicts_the_same(tmp_path):
    made = home.CoreGradientBoostedDecisionTreeEstimator(
        config(), 200, tf.contrib.estimator.binary_classification_head(), num_trees=3,
        feature_columns=[tf.feature_column.numeric_column("x", shape=[2])], model_dir=str(tmp_path / "model"))
    made.train(batches(SIDES), steps=50)
    wanted = [each["logits"] for each in made.predict(once())]
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": tf.placeholder(tf.float32, [None, 2])})
    path = made.export_savedmodel(str(tmp_path / "export"), receiver)
    found = tf.contrib.predictor.from_saved_model(path, signature_def_key="predict")({"x": X})
    np.testing.assert_array_equal(found["logits"], wanted)


@pytest.mark.parametrize("strategy", ["TREE_PER_CLASS", "FULL_HESSIAN", "DIAGONAL_HESSIAN"])
def test_strategies_for_several_classes(tmp_path, strategy):
    classes = (X[:, :1] > -0.3).astype(np.int32) + (X[:, :1] > 0.3)
    learner = config(num_classes=3, multi_class_strategy=strategy, regularization={"l2": 1e-3})
    made = home.GradientBoostedDecisionTreeClassifier(learner, 200, n_classes=3, num_trees=12, center_bias=False,
                                                      model_dir=str(tmp_path))
    made.fit(input_fn=batches(classes), steps=100)
    assert made.evaluate(input_fn=once(classes), steps=1)["accuracy"] > 0.97


def test_trees_predict_numbers_and_quantiles(tmp_path):
    noise = np.random.RandomState(1).uniform(0, 1, [200, 1]).astype(np.float32)
    numbers = X[:, :1] * 3 + X[:, 1:]
    rate = {"fixed": {"learning_rate": 0.5}}
    made = home.GradientBoostedDecisionTreeRegressor(config(learning_rate_tuner=rate), 200, num_trees=20,
                                                     model_dir=str(tmp_path / "mean"))
    made.fit(input_fn=batches(numbers), steps=100)
    assert made.evaluate(input_fn=once(numbers), steps=1)["loss"] < 0.02 * numbers.var()
    made = home.CoreGradientBoostedDecisionTreeQuantileRegressor(
        config(learning_rate_tuner=rate), 200, quantiles=[0.9], num_trees=20, model_dir=str(tmp_path / "quantile"))
    made.train(batches(noise), steps=100)
    above = [each["predictions"][0] for each in made.predict(once())] > noise[:, 0]
    assert 0.8 < np.mean(above) < 0.97
    with pytest.raises(ValueError, match="one quantile"):
        home.GradientBoostedDecisionTreeQuantileRegressor(config(), 200, quantiles=[0.1, 0.9])


def test_a_ranker_learns_from_pairs(tmp_path):
    pairs = X.reshape(2, 100, 2)
    order = (pairs[0].sum(1) > pairs[1].sum(1)).astype(np.int32)[:, None]

    def pairs_fn():
        return {f"{side}.f{at}": tf.constant(pairs[number][:, at:at + 1]) for number, side in enumerate("ab")
                for at in range(2)}, tf.constant(order)

    made = home.CoreGradientBoostedDecisionTreeRanker(
        config(), 100, tf.contrib.estimator.binary_classification_head(), ranking_model_pair_keys=("a", "b"),
        num_trees=30, model_dir=str(tmp_path))
    made.train(pairs_fn, steps=100)
    assert made.evaluate(pairs_fn, steps=1)["accuracy"] > 0.9
    alone = tf.estimator.inputs.numpy_input_fn({"f0": X[:, :1], "f1": X[:, 1:]}, shuffle=False)
    found = [each["logits"][0] for each in made.predict(alone)]
    assert np.corrcoef(found, X.sum(1))[0, 1] > 0.9


def test_trees_split_on_numbers_sparse_numbers_and_categories(session):
    sparse = tf.SparseTensor([[0, 0], [1, 1]], [1.0, 2.0], [2, 3])
    words = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["b", "a", "c"], [2, 2])
    column = tf.feature_column
    by_name = extract_features({"d": tf.constant([[1, 2], [3, 4]]), "s": sparse, "i": tf.SparseTensor(
        [[0, 0]], tf.constant([5], tf.int32), [2, 1])})
    assert by_name.names == ["d_0", "d_1", "s", "i"]
    assert session.run(by_name.dense_floats[1]).tolist() == [[2], [4]]
    categories = column.categorical_column_with_vocabulary_list("w", ["a", "b", "c"])
    weighted = column.weighted_categorical_column(categories, "v")
    found = extract_features({"w": words, "v": tf.SparseTensor(words.indices, [0.5, 1.0, 2.0], [2, 2])},
                             [column.indicator_column(categories), weighted], use_core_columns=True)
    session.run(tf.tables_initializer())
    assert session.run(found.sparse_int_values[0]).tolist() == [1, 0, 2]
    assert session.run(found.sparse_float_indices[0]).tolist() == [[0, 1], [0, 0], [1, 2]]
    assert session.run(found.sparse_float_shapes[0]).tolist() == [2, 3]
    with pytest.raises(ValueError, match="cannot split"):
        extract_features({"w": words}, [column.embedding_column(categories, 2)], use_core_columns=True)
    with pytest.raises(ValueError, match="'w'"):
        extract_features({"w": words})
