"""Converts whole models with random weights, and compares the files with sessions and with TensorFlow's own converter:

    python -m tests.lite.models                  # all models; or the names of some
    EVERGRAPH_JUDGE=.venv-tf/bin/python python -m tests.lite.models     # also the sizes of TensorFlow's files

Prints for each model the largest difference from the session's numbers, as a part of the largest of them: of the model
in float32, with 8-bit weights, and in 8 bits throughout; and the sizes of the files. Fails where a difference is larger
than its bound.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

import evergraph as tf
from evergraph.frontend.variables.freeze import convert_variables_to_constants
from tests.lite.running import converter, ran

BOUNDS = {"float32": 1e-6, "8-bit weights": 0.03, "8 bits": 0.05}
"""How far results may be off, as a part of the largest. Weights here are not trained, which is worse for 8 bits."""

slim = tf.contrib.slim
layers = tf.layers
rng = np.random.RandomState(0)


def images(size, batch=1):
    return tf.placeholder(tf.float32, [None, size, size, 3], name="x"), rng.rand(batch, size, size, 3)


def normalized(activation):
    """The arguments of slim's layers with batch normalization in inference."""
    params = {"is_training": False, "scale": True, "epsilon": 1e-3}
    return slim.arg_scope([slim.conv2d, slim.separable_conv2d], normalizer_fn=slim.batch_norm, normalizer_params=params,
                          activation_fn=activation, weights_initializer=tf.variance_scaling_initializer(2.0))


def mobilenet_v1():
    x, values = images(96)
    with normalized(tf.nn.relu6):
        y = slim.conv2d(x, 32, 3, stride=2)
        for filters, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2),
                                (1024, 1)]:  # fmt: skip
            y = slim.conv2d(slim.separable_conv2d(y, None, 3, depth_multiplier=1, stride=stride), filters, 1)
    return x, slim.fully_connected(tf.reduce_mean(y, [1, 2]), 1001, activation_fn=None), values


def mobilenet_v2():
    x, values = images(96)
    with normalized(tf.nn.relu6):
        y = slim.conv2d(x, 32, 3, stride=2)
        for growth, filters, count, first in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                              (6, 160, 3, 2), (6, 320, 1, 1)]:  # fmt: skip
            for stride in [first, *[1] * (count - 1)]:
                y = inverted_residual(y, growth, filters, stride)
        y = slim.conv2d(y, 1280, 1)
    return x, slim.fully_connected(tf.reduce_mean(y, [1, 2]), 1001, activation_fn=None), values


def inverted_residual(x, growth, filters, stride):
    channels = x.shape[-1].value
    y = slim.conv2d(x, growth * channels, 1) if growth > 1 else x
    y = slim.separable_conv2d(y, None, 3, depth_multiplier=1, stride=stride)
    y = slim.conv2d(y, filters, 1, activation_fn=None)
    return x + y if stride == 1 and filters == channels else y


def inception_v3():
    x, values = images(139)
    net = slim.nets.inception
    with slim.arg_scope(net.inception_v3_arg_scope()):
        logits, _ = net.inception_v3(x, 1001, is_training=False)
    return x, logits, values


def resnet_50():
    x, values = images(64)
    net = slim.nets.resnet_v1
    with slim.arg_scope(slim.nets.resnet_utils.resnet_arg_scope()):
        logits, _ = net.resnet_v1_50(x, 1000, is_training=False)
    return x, tf.squeeze(logits, [1, 2]), values


def keras_cnn():
    kinds = tf.keras.layers
    model = tf.keras.Sequential([
        kinds.Conv2D(16, 3, activation="relu", input_shape=(28, 28, 3)), kinds.BatchNormalization(), kinds.MaxPool2D(),
        kinds.Conv2D(32, 3, activation="relu"), kinds.GlobalAveragePooling2D(), kinds.Dense(10, "softmax")])
    return model.inputs[0], model.outputs[0], rng.rand(1, 28, 28, 3)


def exported_classifier():
    """The graph of a DNNClassifier's export, behind the features; its variables get values again."""
    columns = [tf.feature_column.numeric_column("x", shape=[16])]
    values = rng.rand(8, 16).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
        estimator = tf.estimator.DNNClassifier([64, 32], columns, n_classes=5, model_dir=os.path.join(folder, "model"))
        estimator.train(tf.estimator.inputs.numpy_input_fn({"x": values}, np.arange(8) % 5, shuffle=False), steps=1)
        receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
            {"x": tf.placeholder(tf.float32, [None, 16], name="x")})
        message = saved_graph(estimator.export_saved_model(os.path.join(folder, "export"), receiver).decode())
    tf.train.import_meta_graph(message)
    given, found = (getattr(message.signature_def["predict"], each) for each in ("inputs", "outputs"))
    named = tf.get_default_graph().get_tensor_by_name
    return named(given["x"].name), named(found["probabilities"].name), values[:1]


def saved_graph(folder):
    """The MetaGraphDef of a SavedModel for serving."""
    with tf.Graph().as_default(), tf.Session() as session:
        return tf.saved_model.load(session, ["serve"], folder)


def recurrent(cell, batch=1):
    x = tf.placeholder(tf.float32, [batch, 20, 16], name="x")
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return x, layers.dense(outputs[:, -1], 10), rng.randn(batch, 20, 16)


def detection():
    x, values = images(64)
    levels, boxes, scores = layers.conv2d(x, 16, 3, 2, "same", activation=tf.nn.relu), [], []
    for _ in range(3):
        levels = layers.conv2d(levels, 32, 3, 2, "same", activation=tf.nn.relu6)
        boxes.append(tf.reshape(layers.conv2d(levels, 12, 3, padding="same"), [tf.shape(x)[0], -1, 4]))
        scores.append(tf.reshape(layers.conv2d(levels, 9, 3, padding="same"), [tf.shape(x)[0], -1, 3]))
    return x, tf.concat([tf.concat(boxes, 1), tf.sigmoid(tf.concat(scores, 1))], 2), values


def speech():
    """Layers of clipped rectifiers over windows of frames, an LSTM, and logits of characters."""
    x = tf.placeholder(tf.float32, [1, 16, 494], name="x")
    y = tf.reshape(x, [-1, 494])
    for _ in range(3):
        y = tf.minimum(tf.nn.relu(layers.dense(y, 128)), 20.0)
    cell = tf.nn.rnn_cell.LSTMCell(128, name="cell")
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.reshape(y, [1, 16, 128]), dtype=tf.float32)
    y = tf.minimum(tf.nn.relu(layers.dense(tf.reshape(outputs, [-1, 128]), 128)), 20.0)
    return x, layers.dense(y, 29), rng.randn(1, 16, 494)


def text_cnn():
    words = tf.placeholder(tf.int32, [None, 40], name="words")
    embedded = tf.nn.embedding_lookup(tf.get_variable("table", [2000, 64]), words)
    parts = [tf.reduce_max(layers.conv1d(embedded, 64, width, activation=tf.nn.relu), 1) for width in (3, 4, 5)]
    return words, layers.dense(tf.concat(parts, 1), 4), rng.randint(0, 2000, (1, 40))


MODELS = {
    "MobileNet v1": mobilenet_v1, "MobileNet v2": mobilenet_v2, "Inception v3": inception_v3, "ResNet-50": resnet_50,
    "DNNClassifier": exported_classifier, "Keras CNN": keras_cnn,
    "LSTM": lambda: recurrent(tf.nn.rnn_cell.LSTMCell(32)), "GRU": lambda: recurrent(tf.nn.rnn_cell.GRUCell(32)),
    "SSD head": detection, "DeepSpeech-like": speech, "text CNN": text_cnn,
}  # fmt: skip

JUDGE = """
import sys
from tests.harness.judge import tf
source, target, given, wanted, shape, small = sys.argv[1:]
sizes = [int(size) for size in shape.split(",")]
made = tf.lite.TFLiteConverter.from_frozen_graph(source, [given], [wanted], {given: sizes})
if small == "small":
    made.optimizations = [tf.lite.Optimize.DEFAULT]
open(target, "wb").write(made.convert())
"""


def fill(session):
    """Gives variables their first values, and statistics of batch normalization other ones."""
    session.run(tf.global_variables_initializer())
    for variable in tf.global_variables():
        low = {"moving_mean": -0.1, "moving_variance": 0.5}.get(variable.op.name.rpartition("/")[2])
        if low is not None:
            variable.load(rng.uniform(low, low + 1.0, variable.shape.as_list()).astype(np.float32), session)


def difference(found, expected):
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def examine(make, judge):
    """The differences and sizes of a model's files."""
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        tf.set_random_seed(1)
        tf.keras.backend.set_session(session)
        x, y, values = make()
        values = values.astype(x.dtype.np)
        fill(session)
        expected = session.run(y, {x: values})
        files = {"float32": converter(session, [x], [y]).convert(),
                 "8-bit weights": converter(session, [x], [y], optimizations=[tf.lite.Optimize.DEFAULT]).convert()}
        if x.dtype == tf.float32 and not any("While" in node.type for node in graph.get_operations()):
            files["8 bits"] = converter(session, [x], [y], optimizations=[tf.lite.Optimize.DEFAULT],
                                        representative_dataset=lambda: ([values] for _ in range(4))).convert()
        message = convert_variables_to_constants(session, graph.as_graph_def(), [y.op.name])
    found = {kind: (difference(ran(content, values)[0], expected), len(content)) for kind, content in files.items()}
    kinds = ("float32", "8-bit weights") if judge else ()
    return found, {kind: judged(judge, message, x, y, values, kind) for kind in kinds}


def judged(judge, message, x, y, values, kind):
    """The size of the file that TensorFlow's converter makes, or why it makes none."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "f.pb"), os.path.join(folder, "m.tflite")
        with open(source, "wb") as file:
            file.write(message.SerializeToString())
        done = subprocess.run(
            [judge, "-c", JUDGE, source, target, x.op.name, y.op.name, ",".join(map(str, values.shape)),
             "small" if kind != "float32" else "float"], capture_output=True, text=True)
        return f"{os.path.getsize(target):,}" if done.returncode == 0 else "refused"


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(MODELS)}")
    names, judge = parser.parse_args(words).names or list(MODELS), os.environ.get("EVERGRAPH_JUDGE")
    print("| model | file | difference | bytes | TensorFlow's bytes |\n|---|---|---|---|---|", flush=True)
    failures = []
    for name in names:
        found, theirs = examine(MODELS[name], judge)
        for kind, (distance, size) in found.items():
            print(f"| {name} | {kind} | {distance:.1e} | {size:,} | {theirs.get(kind, '')} |", flush=True)
            if not distance <= BOUNDS[kind]:
                failures.append(f"{name}, {kind}: {distance:.1e} is more than {BOUNDS[kind]}")
    print(*failures, sep="\n", file=sys.stderr)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
