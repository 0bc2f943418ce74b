"""Models that are converted: functions from placeholders to outputs, and shapes with None for open sizes."""

import evergraph as tf

layers = tf.layers


def dense(x):
    return tf.nn.softmax(layers.dense(layers.dense(x, 8, tf.nn.relu), 3))


def cnn(x):
    y = layers.batch_normalization(layers.conv2d(x, 8, 3, use_bias=False))
    y = layers.max_pooling2d(tf.nn.relu6(y), 2, 2)
    return layers.dense(layers.flatten(layers.separable_conv2d(y, 8, 3, strides=2)), 3)


def lstm(x):
    return layers.dense(tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(8), x, dtype=tf.float32)[0][:, -1], 3)


def lengths(x):
    count = 1 + tf.cast(tf.abs(x[:, 0, 0]) * 3, tf.int32)
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(8), tf.nn.rnn_cell.GRUCell(8), x, tf.minimum(count, tf.shape(x)[1]), dtype=tf.float32)
    return tf.concat(outputs, 2)


def text(x):
    words = tf.nn.embedding_lookup(tf.get_variable("words", [50, 8]), tf.cast(tf.abs(x[:, :, 0]) * 10, tf.int32))
    return layers.dense(tf.reduce_max(layers.conv1d(words, 8, 3, activation=tf.nn.relu), 1), 2)


def attention(x):
    shape = tf.shape(x)
    heads = tf.reshape(layers.dense(tf.reshape(x, [-1, 8]), 8), [shape[0], shape[1], 2, 4])
    heads = tf.transpose(heads, [0, 2, 1, 3])
    mixed = tf.matmul(tf.nn.softmax(tf.matmul(heads, heads, transpose_b=True) / 2.0), heads)
    return tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), tf.concat([shape[:2], [8]], 0))


def detection(x):
    return tf.sigmoid(tf.reshape(layers.conv2d(x, 12, 3, 2, "same"), [tf.shape(x)[0], -1, 4]))


def shifted(x):
    """Constants of an open size: a range, a number of rows, rows of ones."""
    count = tf.shape(x)[0]
    places = tf.stack([tf.range(count), tf.fill([count], 2)], 1)
    mean = tf.reduce_sum(x) / tf.cast(count, tf.float32)
    return tf.gather_nd(x, places) + mean + tf.ones([count, 1]) + tf.cast(tf.range(count), tf.float32)[:, None]


def mapped(x):
    return tf.map_fn(lambda row: tf.matmul(row, row, transpose_a=True), x)


def branches(x):
    grown = tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * 1.1), [0, x])[1]
    return tf.cond(tf.reduce_sum(x) > 0, lambda: grown * 2, lambda: grown - 1)


MODELS = [
    (dense, [None, 4]), (cnn, [None, 16, 16, 3]), (lstm, [None, 5, 4]), (lengths, [None, None, 4]),
    (text, [None, None, 1]), (attention, [None, None, 8]), (detection, [None, 16, 16, 3]),
    (shifted, [None, 5, 4]), (mapped, [None, 5, 4]),
    (branches, [None, 4]), (lstm, [2, 5, 4]),
]  # fmt: skip


def built(make, shape):
    """The input and output of a model, in the default graph."""
    x = tf.placeholder(tf.float32, shape, name="x")
    return x, tf.identity(make(x), name="y")
