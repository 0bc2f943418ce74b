"""Boosted trees over a deep network: what each part learns, and when."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.proto import contrib_trees_pb2 as messages

home = tf.contrib.boosted_trees.estimator_batch.dnn_tree_combined_estimator
X = np.random.RandomState(0).uniform(-1, 1, [200, 2]).astype(np.float32)
NUMBERS = (X[:, :1] + 4 * (X[:, 1:] > 0.3)).astype(np.float32)
CONFIG = messages.LearnerConfig(constraints={"max_tree_depth": 2},
                                learning_rate_tuner={"fixed": {"learning_rate": 0.5}})
COLUMNS = [tf.contrib.layers.real_valued_column("x", dimension=2)]


def batches(labels=NUMBERS):
    return lambda: ({"x": tf.constant(X)}, tf.constant(labels))


def regressor(folder, **given):
    return home.DNNBoostedTreeCombinedRegressor(
        [4], COLUMNS, CONFIG, 6, 200, model_dir=str(folder),
        **{"dnn_steps_to_train": 20, "dnn_optimizer": tf.train.GradientDescentOptimizer(0.05), **given})


def ensemble(made):
    return messages.DecisionTreeEnsembleConfig.FromString(made.get_variable_value("ensemble_model:0_config"))


def scores(made):
    found = made.predict(input_fn=lambda: {"x": tf.constant(X)}, as_iterable=False)
    return np.reshape(found["scores"], [-1])


def test_the_network_comes_first_and_trees_learn_the_rest(tmp_path):
    made = regressor(tmp_path)
    made.fit(input_fn=batches(), steps=20)
    assert not ensemble(made).trees
    weights, alone = made.get_variable_value("dnn/logits/weights"), scores(made)
    made.fit(input_fn=batches(), steps=100)
    assert len(ensemble(made).trees) == 6  # it has stopped by itself
    np.testing.assert_array_equal(made.get_variable_value("dnn/logits/weights"), weights)
    assert np.mean((scores(made) - NUMBERS[:, 0]) ** 2) < 0.2 * np.mean((alone - NUMBERS[:, 0]) ** 2)


def test_trees_split_on_the_input_layer_where_they_may(tmp_path):
    alone = regressor(tmp_path / "columns", dnn_input_layer_to_tree=False, dnn_steps_to_train=0)
    both = regressor(tmp_path / "both", tree_feature_columns=[tf.contrib.layers.real_valued_column("x", dimension=2)],
                     dnn_steps_to_train=0)
    counts = []
    for made in (alone, both):
        made.fit(input_fn=batches(), steps=1)
        counts.append(sum("quantile" in name.lower() for name in made.get_variable_names()))
    assert counts[1] == 2 * counts[0] > 0


def test_trees_that_predict_alone_do_not_see_the_network(tmp_path):
    made = regressor(tmp_path, predict_with_tree_only=True, dnn_steps_to_train=3)
    made.fit(input_fn=batches(), steps=3)
    np.testing.assert_array_equal(scores(made), np.zeros(200))  # there is no tree yet
    made.fit(input_fn=batches(), steps=60)
    assert np.mean((scores(made) - NUMBERS[:, 0]) ** 2) < 0.1 * NUMBERS.var()


def test_trees_learn_what_the_network_says(tmp_path):
    def far(dnn_logits, tree_logits, weights):
        assert weights is None
        return tf.reduce_mean(tf.square(tree_logits - 7.0)) + 0.0 * tf.reduce_mean(dnn_logits)
    made = regressor(tmp_path, dnn_to_tree_distillation_param=(1e4, far), dnn_steps_to_train=1)
    made.fit(input_fn=batches(), steps=60)
    np.testing.assert_allclose(scores(made), 7.0 * (1 - 0.5 ** 12), atol=1e-3)  # 6 trees of 2 layers at a rate of 0.5


def test_distillation_is_cross_entropy_by_default(tmp_path):
    labels = (X[:, :1] > 0).astype(np.int32)
    made = home.DNNBoostedTreeCombinedClassifier(
        [4], COLUMNS, CONFIG, 6, 200, model_dir=str(tmp_path), dnn_steps_to_train=150, dnn_optimizer="Adam",
        dnn_to_tree_distillation_param=(1.0, None))
    made.fit(input_fn=batches(labels), steps=200)
    assert made.evaluate(input_fn=batches(labels), steps=1)["accuracy"] > 0.95


@pytest.mark.parametrize("classes", [2, 3])
def test_classes_and_core_heads(tmp_path, classes):
    labels = ((X[:, :1] > 0).astype(np.int32) if classes == 2 else
              (X[:, :1] > -0.3).astype(np.int32) + (X[:, :1] > 0.3).astype(np.int32))
    learner = messages.LearnerConfig(num_classes=classes)
    learner.MergeFrom(CONFIG)
    made = home.DNNBoostedTreeCombinedClassifier(
        [4], COLUMNS, learner, 6, 200, n_classes=classes, model_dir=str(tmp_path / "learn"), dnn_steps_to_train=5)
    made.fit(input_fn=batches(labels), steps=60)
    assert made.evaluate(input_fn=batches(labels), steps=1)["accuracy"] > 0.95
    if classes == 2:
        core = home.CoreDNNBoostedTreeCombinedEstimator(
            [4], [tf.feature_column.numeric_column("x", shape=[2])], learner, 6, 200,
            tf.contrib.estimator.binary_classification_head(), model_dir=str(tmp_path / "core"), dnn_steps_to_train=5)
        core.train(batches(labels), steps=60)
        assert core.evaluate(batches(labels), steps=1)["accuracy"] > 0.95
