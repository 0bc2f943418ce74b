"""Programs with eager execution and functions."""

import numpy as np

from benchmarks.rows import step


@step("100 eager scalar additions")
def scalar_additions(tf):
    tf.enable_eager_execution()
    one = tf.constant(1.0)

    def run():
        total = one
        for _ in range(100):
            total = total + one
    return run


@step("eager MLP training step, with a tape")
def eager_mlp(tf):
    tf.enable_eager_execution()
    train = mlp(tf)

    def run():
        train()
    return run


@step("call of a tf.function, MLP training step")
def function_mlp(tf):
    tf.enable_eager_execution()
    train = tf.function(mlp(tf), autograph=False)

    def run():
        train()
    return run


@step("tracing a function of 2,000 nodes, per node")
def traced(tf):
    tf.enable_eager_execution()
    x = tf.constant([1.0, 2.0])

    def body(x):
        for _ in range(1000):
            x = tf.tanh(x + 1.0)
        return x

    def run():
        tf.function(body, autograph=False).get_concrete_function(x)
        return 2000
    return run


@step("for x in dataset, per batch")
def iterated(tf):
    tf.enable_eager_execution()
    dataset = tf.data.Dataset.range(32 * 200).batch(32)

    def run():
        return sum(1 for _ in dataset)
    return run


def mlp(tf, layers=4, width=64, batch=32):
    """A training step of dense layers on one batch, with Adam."""
    random = np.random.RandomState(0)
    weights = [tf.Variable(random.randn(width, width).astype("f") * 0.1) for _ in range(layers)]
    biases = [tf.Variable(np.zeros(width, "f")) for _ in range(layers)]
    inputs, wanted = (tf.constant(random.randn(batch, width).astype("f")) for _ in range(2))
    optimizer = tf.train.AdamOptimizer(0.001)

    def train():
        with tf.GradientTape() as tape:
            x = inputs
            for w, b in zip(weights, biases):
                x = tf.nn.relu(tf.matmul(x, w) + b)
            loss = tf.reduce_mean(tf.square(x - wanted))
        variables = [*weights, *biases]
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    train()  # makes the optimizer's slots
    return train
