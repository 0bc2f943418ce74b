"""tf.contrib.estimator.RNNClassifier and RNNEstimator: names, numbers by NumPy, and what they refuse."""

import itertools

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.estimator.rnn import _optimizer, make_rnn_cell_fn
from evergraph.estimator.heads.sequential import SequentialHeadWrapper

KERNEL = np.array([[0.1, -0.2], [0.2, -0.3], [0.3, -0.4]], np.float32)
BIAS, LOGITS, LOGITS_BIAS = (np.array(v, np.float32) for v in ([0.2, 0.5], [[-1.0], [1.0]], [0.3]))
PRICES = tf.contrib.feature_column.sequence_numeric_column("price")


def features():
    """Two sequences: 10, 5 and 2."""
    return {"price": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [10.0, 5.0, 2.0], [2, 2])}


def outputs(prices):
    """The logits after each step of a sequence."""
    state, found = np.zeros(2), []
    for price in prices:
        state = np.tanh(np.concatenate([[price], state]) @ KERNEL + BIAS)
        found.append(state @ LOGITS + LOGITS_BIAS)
    return found


def start(folder):
    """A checkpoint with these weights."""
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in (("rnn/rnn/basic_rnn_cell/kernel", KERNEL), ("rnn/rnn/basic_rnn_cell/bias", BIAS),
                            ("rnn/logits/dense/kernel", LOGITS), ("rnn/logits/dense/bias", LOGITS_BIAS)):
            tf.Variable(value, name=name)
        tf.train.create_global_step()
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, f"{folder}/model.ckpt", global_step=0)
    return str(folder)


def test_classifier_evaluates_the_last_step_of_each_sequence(tmp_path):
    classifier = tf.contrib.estimator.RNNClassifier([PRICES], num_units=[2], model_dir=start(tmp_path))
    metrics = classifier.evaluate(lambda: (features(), [[0], [1]]), steps=1)
    logits = np.array([outputs([10, 5])[-1], outputs([2])[-1]])[:, 0]
    losses = np.log1p(np.exp(logits)) - np.array([0, 1]) * logits
    assert metrics["loss"] == pytest.approx(losses.mean(), rel=1e-5)
    assert metrics["average_loss"] == pytest.approx(losses.mean(), rel=1e-5) and metrics["accuracy"] == 1
    assert metrics["prediction/mean"] == pytest.approx((1 / (1 + np.exp(-logits))).mean(), rel=1e-5)


def test_estimator_predicts_every_step(tmp_path):
    head = SequentialHeadWrapper(tf.estimator.RegressionHead(), "mask")
    estimator = tf.contrib.estimator.RNNEstimator(head, [PRICES], num_units=[2], return_sequences=True,
                                                  model_dir=start(tmp_path))
    first, second = itertools.islice(estimator.predict(features), 2)
    np.testing.assert_allclose(first["predictions"], outputs([10, 5]), rtol=1e-5)
    np.testing.assert_allclose(second["predictions"][0], outputs([2])[0], rtol=1e-5)
    assert first["mask"].tolist() == [True, True] and second["mask"].tolist() == [True, False]
    labels = [[0, 0], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 2]
    metrics = estimator.evaluate(lambda: (features(), tf.SparseTensor(*labels)), steps=1)
    errors = np.concatenate([*outputs([10, 5]), *outputs([2])]) - [1, 2, 3]
    assert metrics["average_loss"] == pytest.approx(np.mean(errors ** 2), rel=1e-5)


def test_layers_of_cells_with_context(tmp_path):
    words = tf.contrib.feature_column.sequence_categorical_column_with_hash_bucket("word", 10)
    classifier = tf.contrib.estimator.RNNClassifier(
        [tf.feature_column.embedding_column(words, 2)], [tf.feature_column.numeric_column("age")], num_units=[3],
        cell_type="lstm", n_classes=4, model_dir=str(tmp_path))

    def input_fn():
        word = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "a"], [2, 2])
        return {"word": word, "age": [[0.1], [0.2]]}, [1, 3]

    classifier.train(input_fn, steps=1)
    shapes = dict(tf.train.list_variables(str(tmp_path)))
    assert shapes["rnn/rnn/lstm_cell/kernel"] == [2 + 1 + 3, 4 * 3]
    assert shapes["rnn/sequence_input_layer/sequence_input_layer/word_embedding/embedding_weights"] == [10, 2]
    assert shapes["rnn/logits/dense/kernel"] == [3, 4]


def test_cells_by_name_and_class():
    assert isinstance(make_rnn_cell_fn([3], "gru")(None), tf.nn.rnn_cell.GRUCell)
    assert isinstance(make_rnn_cell_fn([3])(None), tf.nn.rnn_cell.BasicRNNCell)
    stacked = make_rnn_cell_fn([3, 5], tf.nn.rnn_cell.LSTMCell)("train")
    assert isinstance(stacked, tf.nn.rnn_cell.MultiRNNCell) and stacked.output_size == 5


def test_gradients_of_an_optimizer_by_name_are_clipped():
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    step = _optimizer("SGD").minimize(100.0 * w)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run(w) == pytest.approx(-0.05 * 5.0)


def test_conflicting_and_unknown_cells_are_refused():
    make = tf.contrib.estimator.RNNClassifier
    for options in ({"num_units": [4]}, {"cell_type": "lstm"}):
        with pytest.raises(ValueError, match="num_units and cell_type must then be None"):
            make([PRICES], rnn_cell_fn=lambda mode: tf.nn.rnn_cell.GRUCell(2), **options)
    with pytest.raises(ValueError, match="Supported cell types are"):
        make([PRICES], num_units=[2], cell_type="quantum")
    with pytest.raises(ValueError, match="must be a `_SequentialHead`"):
        tf.contrib.estimator.RNNEstimator(tf.contrib.estimator.regression_head(), [PRICES], num_units=[2],
                                          return_sequences=True)
