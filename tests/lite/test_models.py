"""Models of the kinds that people convert give a session's numbers."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import started
from tests.lite.running import check, converter, ran, steps

pytest.importorskip("ai_edge_litert")

slim = tf.contrib.slim
rng = np.random.RandomState(3)


def floats(*shape):
    return rng.rand(*shape).astype(np.float32)


def separable(x, filters, stride):
    """A block of MobileNet v1."""
    x = slim.separable_conv2d(x, None, 3, depth_multiplier=1, stride=stride)
    return slim.conv2d(x, filters, 1)


def inverted(x, filters):
    """A block of MobileNet v2."""
    y = slim.conv2d(x, 24, 1)
    y = slim.separable_conv2d(y, None, 3, depth_multiplier=1)
    return x + slim.conv2d(y, filters, 1, activation_fn=None)


def residual(x, filters):
    """A block of ResNet v1."""
    y = slim.conv2d(slim.conv2d(x, filters // 4, 1), filters // 4, 3)
    return tf.nn.relu(x + slim.conv2d(y, filters, 1, activation_fn=None))


def mixed(x):
    """A block of Inception v3."""
    return tf.concat([slim.conv2d(x, 4, 1), slim.conv2d(slim.conv2d(x, 4, [1, 3]), 4, [3, 1]),
                      slim.conv2d(slim.avg_pool2d(x, 3, stride=1, padding="SAME"), 4, 1)], 3)


@pytest.mark.parametrize("block", [
    lambda x: separable(x, 12, 2), lambda x: inverted(x, 8), lambda x: residual(x, 8), mixed,
], ids=["mobilenet_v1", "mobilenet_v2", "resnet", "inception"])  # fmt: skip
def test_blocks_of_image_models(block):
    image = floats(1, 9, 9, 8)
    x = tf.placeholder(tf.float32, [None, 9, 9, 8], name="x")
    normal = {"is_training": False, "scale": True, "param_initializers": {
        "moving_mean": tf.constant_initializer(0.1), "moving_variance": tf.constant_initializer(0.7)}}
    with slim.arg_scope([slim.conv2d, slim.separable_conv2d], normalizer_fn=slim.batch_norm, normalizer_params=normal,
                        activation_fn=tf.nn.relu6):
        y = slim.flatten(block(x))
    with started() as session:
        content = converter(session, [x], [y]).convert()
        np.testing.assert_allclose(ran(content, image)[0], session.run(y, {x: image}), atol=2e-6)
    assert not {"MUL", "RELU6"} & set(steps(content))  # layers have taken them in


@pytest.mark.parametrize("cell", [
    lambda: tf.nn.rnn_cell.LSTMCell(5), lambda: tf.nn.rnn_cell.GRUCell(5), lambda: tf.nn.rnn_cell.BasicRNNCell(5),
    lambda: tf.lite.experimental.nn.TFLiteLSTMCell(5, use_peepholes=True),
    lambda: tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.GRUCell(5)]),
], ids=["lstm", "gru", "rnn", "peepholes", "stacked"])  # fmt: skip
def test_recurrent_networks(cell):
    x = tf.placeholder(tf.float32, [2, 4, 3], name="x")
    outputs, _ = tf.nn.dynamic_rnn(cell(), x, dtype=tf.float32)
    check([outputs], {x: floats(2, 4, 3)})


def test_a_recurrent_network_over_lengths():
    x, lengths = tf.placeholder(tf.float32, [2, 4, 3], name="x"), tf.placeholder(tf.int32, [2], name="lengths")
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), x, lengths, dtype=tf.float32)
    check([outputs, state], {x: floats(2, 4, 3), lengths: np.int32([2, 4])})


def test_a_recurrent_network_of_any_batch_size_is_converted_for_one():
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), x, dtype=tf.float32)
    check([outputs], {x: floats(1, 4, 3)})


def test_lites_own_dynamic_rnn_is_time_major():
    x = tf.placeholder(tf.float32, [4, 2, 3], name="x")
    outputs, _ = tf.lite.experimental.nn.dynamic_rnn(tf.lite.experimental.nn.TfLiteRNNCell(5), x, dtype=tf.float32)
    check([outputs], {x: floats(4, 2, 3)})
    with pytest.raises(ValueError, match="time_major must be True"):
        tf.lite.experimental.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), x, dtype=tf.float32, time_major=False)


def test_a_network_over_words():
    words = tf.placeholder(tf.int32, [None, 7], name="words")
    embedded = tf.nn.embedding_lookup(tf.get_variable("table", [50, 6]), words)
    parts = [tf.reduce_max(tf.layers.conv1d(embedded, 4, width, activation=tf.nn.relu), 1) for width in (2, 3)]
    y = tf.layers.dense(tf.concat(parts, 1), 2)
    check([y], {words: rng.randint(0, 50, (3, 7)).astype(np.int32)})


def test_a_detection_head():
    image = tf.placeholder(tf.float32, [1, 8, 8, 4], name="image")
    boxes, scores = [], []
    for stride in (1, 2):
        level = tf.layers.conv2d(image, 8, 3, stride, padding="same", activation=tf.nn.relu)
        boxes.append(tf.reshape(tf.layers.conv2d(level, 12, 3, padding="same"), [1, -1, 4]))
        scores.append(tf.reshape(tf.layers.conv2d(level, 9, 3, padding="same"), [1, -1, 3]))
    scored = tf.nn.sigmoid(tf.concat(scores, 1))
    best = tf.nn.top_k(tf.reduce_max(scored, 2)[0], 5)
    check([tf.concat(boxes, 1), scored, best.values], {image: floats(1, 8, 8, 4)})


def test_the_export_of_a_canned_estimator(tmp_path):
    columns = [tf.feature_column.numeric_column("a"), tf.feature_column.numeric_column("b", shape=[2])]
    data = {"a": floats(16), "b": floats(16, 2)}
    estimator = tf.estimator.DNNClassifier([6, 4], columns, n_classes=3, model_dir=str(tmp_path / "model"))
    estimator.train(tf.estimator.inputs.numpy_input_fn(data, rng.randint(0, 3, 16), 8, shuffle=False), steps=2)
    features = {"a": tf.placeholder(tf.float32, [None], name="a"), "b": tf.placeholder(tf.float32, [None, 2], name="b")}
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(features)
    folder = estimator.export_saved_model(str(tmp_path / "export"), receiver).decode()
    made = tf.lite.TFLiteConverter.from_saved_model(
        folder, signature_key="predict", output_arrays=["dnn/head/predictions/probabilities"])
    predicted = estimator.predict(tf.estimator.inputs.numpy_input_fn(data, shuffle=False), "probabilities")
    expected = [each["probabilities"] for each in predicted]
    np.testing.assert_allclose(ran(made.convert(), data["a"], data["b"])[0], expected, atol=1e-6)
