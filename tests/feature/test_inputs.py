"""tf.estimator.inputs and the parse specs of estimators."""

import sys
import threading

import numpy as np
import pytest

import evergraph as tf

X = {"b": np.arange(5.0), "a": np.arange(10).reshape(5, 2), "word": np.array(["p", "q", "r", "s", "t"])}
numpy_input_fn = tf.estimator.inputs.numpy_input_fn


def batches(input_fn):
    """All batches that a function feeds."""
    tensors, found = input_fn(), []
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            found.append(session.run(tensors))
    return found


def test_batches_in_order():
    found = batches(numpy_input_fn(X, np.arange(5) * 10, batch_size=2, num_epochs=2, shuffle=False))
    assert [labels.tolist() for _, labels in found] == [[0, 10], [20, 30], [40, 0], [10, 20], [30, 40]]
    features = found[0][0]
    assert list(features) == ["a", "b", "word"]
    assert features["a"].tolist() == [[0, 1], [2, 3]] and features["word"].tolist() == [b"p", b"q"]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("QueueRunner")]


def test_shuffled_epochs_hold_every_row():
    found = batches(numpy_input_fn(X["b"], {"y": X["a"]}, batch_size=2, num_epochs=3, shuffle=True))
    rows = np.concatenate([features for features, _ in found])
    assert sorted(rows.tolist()) == sorted(X["b"].tolist() * 3)
    for features, labels in found:
        assert labels["y"][:, 0].tolist() == (features * 2).tolist()


def test_without_end():
    features = numpy_input_fn({"b": X["b"]}, batch_size=4, num_epochs=None, shuffle=False)()
    assert features["b"].shape.as_list() == [4]
    with tf.train.MonitoredSession() as session:
        found = [session.run(features)["b"].tolist() for _ in range(3)]
    assert found == [[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0], [3.0, 4.0, 0.0, 1.0]]


@pytest.mark.parametrize("make, error, text", [
    (lambda: numpy_input_fn(X), ValueError, "shuffle must be provided"),
    (lambda: numpy_input_fn([1.0], shuffle=True), TypeError, "x must be a dict or array"),
    (lambda: numpy_input_fn({}, shuffle=True), ValueError, "empty dict"),
    (lambda: numpy_input_fn(np.zeros([0, 3]), shuffle=True), ValueError, "empty array"),
    (lambda: numpy_input_fn(X, {}, shuffle=True)(), ValueError, "y cannot be empty"),
    (lambda: numpy_input_fn(X, {"b": X["b"]}, shuffle=True)(), ValueError, "1 duplicate keys"),
    (lambda: numpy_input_fn(X, np.zeros(4), shuffle=True)(), ValueError, "mismatched"),
])
def test_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_nodes():
    numpy_input_fn(X, batch_size=2, shuffle=False)()
    names = [op.name for op in tf.get_default_graph().get_operations()]
    assert names[0] == "enqueue_input/fifo_queue" and names[-1] == "fifo_queue_DequeueUpTo"
    assert "enqueue_input/queue/enqueue_input/fifo_queuefraction_over_0_of_1000_full" in names
    assert len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)) == 1


def test_columns_take_what_is_fed():
    features = numpy_input_fn({"b": X["b"], "word": X["word"]}, batch_size=5, shuffle=False)()
    words = tf.feature_column.categorical_column_with_vocabulary_list("word", ["q", "t"])
    columns = [tf.feature_column.numeric_column("b"), tf.feature_column.indicator_column(words)]
    layer = tf.feature_column.input_layer(features, columns)
    with tf.train.MonitoredSession() as session:
        assert session.run(layer).tolist() == [[0, 0, 0], [1, 1, 0], [2, 0, 0], [3, 0, 0], [4, 0, 1]]


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}, index=[7, 8, 9])
    labels = pandas.Series([0.5, 1.5, 2.5], index=[7, 8, 9])
    found = batches(tf.estimator.inputs.pandas_input_fn(frame, labels, batch_size=2, shuffle=False))
    assert found[0][0]["a"].tolist() == [1, 2] and found[0][0]["b"].tolist() == [b"x", b"y"]
    assert found[1][1].tolist() == [2.5]
    with pytest.raises(ValueError, match="mismatched"):
        tf.estimator.inputs.pandas_input_fn(frame, labels.reset_index(drop=True), shuffle=False)


def test_frames_need_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(TypeError, match="needs pandas"):
        tf.estimator.inputs.pandas_input_fn(None, shuffle=False)


def test_specs_of_estimators():
    columns = [tf.feature_column.numeric_column("a")]
    found = tf.estimator.classifier_parse_example_spec(columns, "label", weight_column="w")
    assert found == {"a": tf.FixedLenFeature((1,), tf.float32), "label": tf.FixedLenFeature((1,), tf.int64),
                     "w": tf.FixedLenFeature((1,), tf.float32)}
    found = tf.estimator.regressor_parse_example_spec(columns, "label", label_dimension=3, label_default=1.0)
    assert found["label"] == tf.FixedLenFeature((3,), tf.float32, 1.0)
    with pytest.raises(ValueError, match="label should not be used as feature"):
        tf.estimator.classifier_parse_example_spec(columns, "a")
    for weights in (3, "a", "label"):
        with pytest.raises(ValueError, match="weight_column"):
            tf.estimator.classifier_parse_example_spec(columns, "label", weight_column=weights)
    sequences = [tf.feature_column.sequence_numeric_column("a")]
    later = tf.compat.v2.estimator
    found = later.classifier_parse_example_spec(sequences, "label")
    assert found == {"a": tf.VarLenFeature(tf.float32), "label": tf.FixedLenFeature((1,), tf.int64)}
    assert later.regressor_parse_example_spec(sequences, "label")["label"] == tf.FixedLenFeature((1,), tf.float32)
