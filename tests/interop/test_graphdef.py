"""Graphs that evergraph built run in TensorFlow, and compute the same."""

import numpy as np

import evergraph as tf
from tests.interop.judge import ask

STEPS = 5


def train_in_tensorflow(tf, graph_def, feeds, init, train, loss, steps):
    """The losses of a training run of an imported graph."""
    message = tf.GraphDef.FromString(graph_def)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(message, name="")
        session.run(init)
        return [session.run([loss, train], feeds)[0] for _ in range(steps)]


def test_a_training_graph_trains_in_tensorflow(tmp_path):
    random = np.random.RandomState(0)
    features, labels = random.rand(8, 3).astype("f"), random.rand(8, 1).astype("f")
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.placeholder(tf.float32, [None, 1], name="y")
        w = tf.Variable(random.rand(3, 4).astype("f"), name="w")
        v = tf.Variable(random.rand(4, 1).astype("f"), name="v")
        loss = tf.reduce_mean(tf.square(tf.matmul(tf.tanh(tf.matmul(x, w)), v) - y), name="loss")
        train = tf.train.AdamOptimizer(0.1).minimize(loss, name="train")
        init = tf.global_variables_initializer()
        with tf.Session() as session:
            session.run(init)
            ours = [session.run([loss, train], {x: features, y: labels})[0] for _ in range(STEPS)]
    theirs = ask(
        train_in_tensorflow, tmp_path, graph_def=graph.as_graph_def().SerializeToString(),
        feeds={x.name: features, y.name: labels}, init=init.name, train=train.name, loss=loss.name, steps=STEPS,
    )  # fmt: skip
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    assert ours[-1] < ours[0]
