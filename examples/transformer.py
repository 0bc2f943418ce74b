"""Sorts sequences of numbers with a small transformer: two blocks of attention, built from matmul and softmax.

    python examples/transformer.py
"""

import numpy as np

import evergraph as tf

LENGTH, NUMBERS = 8, 10
WIDTH, HEADS = 32, 4


def dense(inputs, units, seed, activation=None):
    return tf.layers.dense(inputs, units, activation, kernel_initializer=tf.glorot_uniform_initializer(seed=seed))


def normalize(inputs, name):
    """Layer normalization over the last axis."""
    with tf.variable_scope(name):
        scale = tf.get_variable("scale", [WIDTH], initializer=tf.ones_initializer())
        offset = tf.get_variable("offset", [WIDTH], initializer=tf.zeros_initializer())
    mean, variance = tf.nn.moments(inputs, [-1], keep_dims=True)
    return (inputs - mean) * tf.rsqrt(variance + 1e-6) * scale + offset


def heads(inputs, seed):
    """Projects [batch, length, width] and splits it into [batch, heads, length, width / heads]."""
    split = tf.reshape(dense(inputs, WIDTH, seed), [-1, LENGTH, HEADS, WIDTH // HEADS])
    return tf.transpose(split, [0, 2, 1, 3])


def attention(inputs, seed):
    """Every place looks at every other, in HEADS ways."""
    queries, keys, values = (heads(inputs, seed + i) for i in range(3))
    scores = tf.matmul(queries, keys, transpose_b=True) / np.sqrt(WIDTH // HEADS).astype(np.float32)
    seen = tf.matmul(tf.nn.softmax(scores), values)
    return dense(tf.reshape(tf.transpose(seen, [0, 2, 1, 3]), [-1, LENGTH, WIDTH]), WIDTH, seed + 3)


def block(inputs, seed):
    """Attention and a feed-forward layer, each added to its normalized input."""
    inputs += attention(normalize(inputs, "before_attention"), seed)
    hidden = dense(normalize(inputs, "before_feed_forward"), 2 * WIDTH, seed + 4, tf.nn.relu)
    return inputs + dense(hidden, WIDTH, seed + 5)


def build():
    """The graph: embedded numbers and places, two blocks, and the number that belongs at each place."""
    numbers = tf.placeholder(tf.int32, [None, LENGTH], name="numbers")
    targets = tf.placeholder(tf.int32, [None, LENGTH], name="targets")
    normal = tf.random_normal_initializer(stddev=0.3, seed=1)
    embedded = tf.nn.embedding_lookup(tf.get_variable("number_vectors", [NUMBERS, WIDTH], initializer=normal), numbers)
    hidden = embedded + tf.get_variable("place_vectors", [LENGTH, WIDTH], initializer=normal)
    for i in range(2):
        with tf.variable_scope(f"block_{i}"):
            hidden = block(hidden, seed=10 * (i + 1))
    logits = dense(normalize(hidden, "last"), NUMBERS, seed=2)

    loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
    tf.identity(loss, name="loss")
    right = tf.equal(tf.argmax(logits, -1, output_type=tf.int32), targets)
    tf.reduce_mean(tf.to_float(right), name="accuracy")
    return tf.train.AdamOptimizer(0.004).minimize(loss)


def batch(count, seed):
    """Random sequences, and the same ones sorted."""
    numbers = np.random.RandomState(seed).randint(NUMBERS, size=[count, LENGTH]).astype(np.int32)
    return {"numbers:0": numbers, "targets:0": np.sort(numbers, axis=1)}


def main(save_to=None, steps=200):
    """Trains, and returns the accuracy and the loss on new sequences, and what was fed to measure them."""
    train = build()
    test = batch(200, seed=0)

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            session.run(train, batch(64, seed=step + 1))
            if step % 50 == 49:
                loss, accuracy = session.run(["loss:0", "accuracy:0"], test)
                print(f"step {step + 1}  loss {loss:.3f}  accuracy {accuracy:.3f}")
        accuracy, loss = session.run(["accuracy:0", "loss:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)
    return accuracy, loss, test


if __name__ == "__main__":
    main()
