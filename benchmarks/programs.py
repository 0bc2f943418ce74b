"""Rows about steps: training and inference, building graphs, starting up."""

import numpy as np

from benchmarks.rows import process, run_step, step


@step("scalar session.run")
def scalar(tf):
    x = tf.placeholder(tf.float32, [])
    return run_step(tf, x * 2.0 + 1.0, {x: np.float32(3)})


@step("MLP + Adam step, batch 32")
def mlp_32(tf):
    return run_step(tf, *mlp(tf, 32))


@step("MLP + Adam step, batch 128")
def mlp_128(tf):
    return run_step(tf, *mlp(tf, 128))


@step("LSTM dynamic_rnn step")
def lstm(tf):
    """60 steps of 128 units, batch 32."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 60, 64]), tf.placeholder(tf.float32, [None, 1])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(128), x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(tf.matmul(outputs[:, -1], tf.get_variable("w", [128, 1])) - y))
    feeds = {x: generator.randn(32, 60, 64).astype(np.float32), y: generator.randn(32, 1).astype(np.float32)}
    return run_step(tf, [tf.train.AdamOptimizer(1e-3).minimize(loss), loss], feeds)


@step("graph construction, per node")
def construction(tf):
    def build():
        with tf.Graph().as_default() as graph:
            mlp(tf, 32)
        return len(graph.get_operations())
    return build


@process("import")
def nothing(tf):
    pass


@process("start to first MLP step, cold cache", cache="cold")
@process("start to first MLP step, warm cache")
def first_step(tf):
    run_step(tf, *mlp(tf, 32))()


def mlp(tf, batch, layers=10, width=64):
    """Train op and loss of a classifier of 784 inputs and 10 classes with so many matrices, and a batch to feed it."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int64, [None])
    sizes = [784] + [width] * (layers - 1) + [10]
    hidden = x
    for at, (rows, columns) in enumerate(zip(sizes, sizes[1:])):
        w = tf.Variable(tf.random_normal([rows, columns], stddev=rows ** -0.5, seed=at), name=f"w{at}")
        hidden = tf.matmul(hidden, w) + tf.Variable(tf.zeros([columns]), name=f"b{at}")
        hidden = tf.nn.relu(hidden) if columns == width else hidden
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=hidden))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    feeds = {x: generator.rand(batch, 784).astype(np.float32), y: generator.randint(0, 10, batch)}
    return [train, loss], feeds
