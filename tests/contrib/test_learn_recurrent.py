"""tf.contrib.learn's recurrent Estimators: numbers by NumPy, segments against whole sequences, and what they refuse."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.learn import rnn_common, saved_states
from tests.harness.session import evaluated

learn, layers = tf.contrib.learn, tf.contrib.layers
KERNEL = np.array([[0.1, -0.2], [0.2, -0.3], [0.3, -0.4]], np.float32)
BIAS, LOGITS, LOGITS_BIAS = (np.array(v, np.float32) for v in ([0.2, 0.5], [[-1.0], [1.0]], [0.3]))
PRICES = np.array([[10.0, 5.0, 1.0], [2.0, 0.0, 0.0]], np.float32)
LENGTHS, LABELS = [3, 1], np.array([[0.5, 0.2, 0.1], [0.7, 9.0, 9.0]], np.float32)
COLUMNS = [layers.real_valued_column("price")]


def outputs(prices, state=(0.0, 0.0)):
    """(the logit after each step, the last state)."""
    state, found = np.array(state), []
    for price in prices:
        state = np.tanh(np.concatenate([[price], state]) @ KERNEL + BIAS)
        found.append((state @ LOGITS + LOGITS_BIAS)[0])
    return found, state


def start(folder, scope):
    """A checkpoint with these weights."""
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in (("rnn/basic_rnn_cell/kernel", KERNEL), ("rnn/basic_rnn_cell/bias", BIAS),
                            ("fully_connected/weights", LOGITS), ("fully_connected/biases", LOGITS_BIAS)):
            tf.Variable(value, name=f"{scope}/{name}")
        tf.train.create_global_step()
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, f"{folder}/model.ckpt", global_step=0)
    return str(folder)


def dynamic(folder, kind, **more):
    return learn.DynamicRnnEstimator(learn.ProblemType.LINEAR_REGRESSION, kind, COLUMNS, num_units=[2],
                                     model_dir=start(folder, "rnn"), **more)


def features():
    return {"price": tf.constant(PRICES), "sequence_length": tf.constant(LENGTHS)}


def test_a_value_for_each_step(tmp_path):
    """Steps of padding count neither for the loss nor for the last state."""
    estimator = dynamic(tmp_path, rnn_common.PredictionType.MULTIPLE_VALUE)
    long, short = outputs(PRICES[0]), outputs(PRICES[1][:1])
    found = estimator.predict(input_fn=features, as_iterable=False)
    np.testing.assert_allclose(found["scores"][0], long[0], rtol=1e-5)
    np.testing.assert_allclose(found["scores"][1][0], short[0][0], rtol=1e-5)
    np.testing.assert_allclose(found["rnn_cell_state_0"], [long[1], short[1]], rtol=1e-5)
    loss = estimator.evaluate(input_fn=lambda: (features(), tf.constant(LABELS)), steps=1)["loss"]
    errors = np.array([*long[0], *short[0]]) - [0.5, 0.2, 0.1, 0.7]
    assert loss == pytest.approx(np.mean(errors ** 2), rel=1e-5)


def test_a_value_for_each_sequence_from_a_given_state(tmp_path):
    estimator = dynamic(tmp_path, rnn_common.PredictionType.SINGLE_VALUE)
    state = [[0.3, -0.1], [0.2, 0.6]]
    found = estimator.predict(input_fn=lambda: {**features(), "rnn_cell_state_0": tf.constant(state)},
                              as_iterable=False)
    wanted = [outputs(PRICES[0], state[0])[0][-1], outputs(PRICES[1][:1], state[1])[0][-1]]
    np.testing.assert_allclose(found["scores"], wanted, rtol=1e-5)


def test_classes_and_their_probabilities(tmp_path):
    words = layers.embedding_column(layers.sparse_column_with_keys("word", ["a", "b"]), 3)
    estimator = learn.DynamicRnnEstimator(
        learn.ProblemType.CLASSIFICATION, rnn_common.PredictionType.SINGLE_VALUE, [words],
        [layers.real_valued_column("age")], num_classes=3, num_units=[4, 2], cell_type="lstm", optimizer="Momentum",
        momentum=0.5, predict_probabilities=True, dropout_keep_probabilities=[0.9, 0.9, 0.9], model_dir=str(tmp_path))

    def input_fn():
        word = tf.SparseTensor([[0, 0, 0], [0, 1, 0], [1, 0, 0]], ["a", "b", "b"], [2, 2, 1])
        return {"word": word, "age": tf.constant([[1.0], [2.0]])}, tf.constant([0, 2])

    estimator.fit(input_fn=input_fn, steps=2)
    found = estimator.predict(input_fn=lambda: input_fn()[0], as_iterable=False)
    assert found["classes"].shape == (2,) and sorted(found) == [
        "classes", "probabilities", *(f"rnn_cell_state_{part}" for part in range(4))]
    np.testing.assert_allclose(found["probabilities"].sum(1), [1, 1], rtol=1e-5)
    shapes = dict(tf.train.list_variables(str(tmp_path)))
    assert shapes["rnn/rnn/multi_rnn_cell/cell_0/lstm_cell/kernel"] == [3 + 1 + 4, 4 * 4]


def test_two_classes_have_an_accuracy(tmp_path):
    """Each step's label is whether its price is above 3."""
    estimator = learn.DynamicRnnEstimator(
        learn.ProblemType.CLASSIFICATION, rnn_common.PredictionType.MULTIPLE_VALUE, COLUMNS, num_classes=2,
        num_units=[2], model_dir=start(tmp_path, "rnn"))
    above = np.concatenate([outputs(PRICES[0])[0], outputs(PRICES[1][:1])[0]]) > 0
    found = estimator.evaluate(input_fn=lambda: (features(), tf.constant([[1, 1, 0], [0, 0, 0]])), steps=1)
    assert found["accuracy"] == pytest.approx(np.mean(above == [True, True, False, False]))


def test_segments_go_on_where_the_last_one_ended(tmp_path):
    """Four steps in segments of two are as four steps at once."""
    prices = [10.0, 5.0, 1.0, 3.0]
    estimator = saved_states.StateSavingRnnEstimator(
        learn.ProblemType.LINEAR_REGRESSION, num_unroll=2, batch_size=1, sequence_feature_columns=COLUMNS,
        num_units=[2], num_threads=1, model_dir=start(tmp_path, "StateSavingRNNModel"))
    found = estimator.predict(input_fn=lambda: {"price": tf.constant(prices)})
    wanted = np.reshape(outputs(prices)[0], [2, 2])
    for segment in wanted:
        np.testing.assert_allclose(next(found)["scores"], segment, rtol=1e-5)
    found.close()


def test_the_last_segment_is_padded(tmp_path):
    """Labels of padding do not count."""
    prices, labels = [10.0, 5.0, 1.0], [0.5, 0.2, 0.1]
    estimator = saved_states.StateSavingRnnEstimator(
        learn.ProblemType.LINEAR_REGRESSION, num_unroll=2, batch_size=1, sequence_feature_columns=COLUMNS,
        num_units=[2], num_threads=1, model_dir=start(tmp_path, "StateSavingRNNModel"))
    loss = estimator.evaluate(input_fn=lambda: ({"price": tf.constant(prices)}, tf.constant(labels)), steps=2)["loss"]
    errors = np.square(np.array(outputs(prices)[0]) - labels)
    assert loss == pytest.approx((errors[:2].mean() + errors[2]) / 2, rel=1e-5)


def test_sequence_inputs_are_side_by_side():
    """Numbers and embeddings by the order of the columns' keys, with ragged words at each step."""
    words = layers.embedding_column(layers.sparse_column_with_keys("word", ["a", "b", "c"]), 2, combiner="sum",
                                    initializer=tf.ones_initializer())
    sparse = tf.SparseTensor([[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 0]], ["a", "b", "c", "c"], [2, 2, 2])
    given = {"word": sparse, "pair": tf.constant([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]),
             "sequence_length": tf.constant([2, 1])}
    found = layers.sequence_input_from_feature_columns(given, [layers.real_valued_column("pair", 2), words])
    assert found.shape.as_list() == [2, 2, 4]
    tables = tf.tables_initializer()
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tables])
        assert session.run(found).tolist() == [[[1, 1, 1, 2], [2, 2, 3, 4]], [[1, 1, 5, 6], [0, 0, 7, 8]]]
    with pytest.raises(ValueError, match="has no steps"):
        bucketized = layers.bucketized_column(layers.real_valued_column("pair", 2), [1.0])
        layers.sequence_input_from_feature_columns(given, [bucketized])


def test_numbers_are_as_wide_as_they_are():
    """Whatever the column says: for it the width counts where the graph does not tell."""
    found = layers.sequence_input_from_feature_columns({"x": tf.ones([3, 2])}, [layers.real_valued_column("x", 4)])
    assert found.shape.as_list() == [3, 2, 1]
    with tf.Session() as session:
        assert session.run(found).tolist() == [[[1], [1]]] * 3


def test_what_recurrent_estimators_refuse():
    with pytest.raises(ValueError, match="a regression has no probabilities"):
        learn.DynamicRnnEstimator(learn.ProblemType.LINEAR_REGRESSION, 1, COLUMNS, num_units=[2],
                                  predict_probabilities=True)
    with pytest.raises(ValueError, match="needs num_classes"):
        learn.DynamicRnnEstimator(learn.ProblemType.CLASSIFICATION, 1, COLUMNS, num_units=[2])
    with pytest.raises(ValueError, match="prediction_type"):
        learn.DynamicRnnEstimator(learn.ProblemType.LINEAR_REGRESSION, 3, COLUMNS, num_units=[2])
    with pytest.raises(ValueError, match="2 layers have 3 dropout_keep_probabilities"):
        rnn_common.construct_rnn_cell([2, 2], "gru", [0.5])


def test_scores_of_padding_are_taken_out():
    activations = np.arange(12.0).reshape(2, 3, 2)
    found = rnn_common.mask_activations_and_labels(tf.constant(activations), tf.constant([[1, 2, 3], [4, 5, 6]]),
                                                   tf.constant([3, 1]))
    kept, labels = evaluated(found)
    assert kept.tolist() == [*activations[0].tolist(), activations[1][0].tolist()] and labels.tolist() == [1, 2, 3, 4]
