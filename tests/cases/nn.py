"""tf.nn's functions: frontend/nn/activations.py, cross_entropy.py, normalize.py and embedding.py."""

import numpy as np

from tests.harness import f64, floats, i32, i64, program

x34 = floats(3, 4)
x234 = floats(2, 3, 4)
labels34 = (np.abs(floats(3, 4, seed=5)) / np.abs(floats(3, 4, seed=5)).sum(-1, keepdims=True)).astype("float32")
labels234 = floats(2, 3, 4, low=0.1, high=1, seed=5)
labels234 /= labels234.sum(1, keepdims=True)
tokens = i64([[2, 0], [1, 2]])


@program(x34)
def softmax_first_axis(tf, x):
    return tf.nn.softmax(x, axis=0), tf.nn.log_softmax(x, axis=-2), tf.nn.softmax(x)


@program(x234)
def softmax_middle_axis(tf, x):
    return tf.nn.softmax(x, dim=1), tf.nn.log_softmax(x, axis=0)


@program(x34, labels34)
def softmax_xent_stops_labels(tf, logits, labels):
    return tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)


@program(x34, labels34)
def softmax_xent_v2(tf, logits, labels):
    return tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)


@program(x234, labels234)
def softmax_xent_of_rank_3(tf, logits, labels):
    return tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=1)


@program(x34, i32([1, 0, 3]))
def sparse_xent(tf, logits, labels):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)


@program(x234, i64([[1, 0, 3], [2, 2, 0]]))
def sparse_xent_of_rank_3(tf, logits, labels):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)


@program(x34, labels34)
def sigmoid_xent(tf, logits, labels):
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


@program(x34, labels34)
def weighted_xent(tf, logits, labels):
    return tf.nn.weighted_cross_entropy_with_logits(labels=labels, logits=logits, pos_weight=2.5)


@program(x34, floats(3, 4, low=1.5, high=6, seed=3))
def poisson(tf, log_input, targets):
    return (tf.nn.log_poisson_loss(targets, log_input),
            tf.nn.log_poisson_loss(targets, log_input, compute_full_loss=True))


@program(x34, floats(4, 2), floats(2))
def dense_layers(tf, x, weights, biases):
    return tf.nn.xw_plus_b(x, weights, biases), tf.nn.relu_layer(x, weights, biases)


@program(floats(2, 3, 2, 4), floats(3), floats(4))
def biases(tf, x, first, last):
    return tf.nn.bias_add(x, first, data_format="NCHW"), tf.nn.bias_add(x, last)


@program(x34)
def rectifiers(tf, x):
    return tf.nn.leaky_relu(x), tf.nn.leaky_relu(x, alpha=0.3), tf.nn.crelu(x), tf.nn.crelu(x, axis=0), tf.nn.swish(x)


@program(np.array([[0, 1, 0], [3, 0, 0]], "float32"))
def share_of_zeros(tf, x):
    return tf.nn.zero_fraction(x)


@program(x34)
def dropout(tf, x):
    return (tf.nn.dropout(x, keep_prob=0.7, seed=3), tf.nn.dropout(x, rate=0.4, noise_shape=[3, 1], seed=4),
            tf.nn.dropout(x, rate=0.0))


dropout = dropout.no_differences("other elements are dropped in the next run")


@program(x234)
def moments(tf, x):
    return (*tf.nn.moments(x, [0, 2]), *tf.nn.moments(x, [1], keepdims=True))


@program(x234, floats(2, 1, 4, low=0.5, high=2))
def weighted_moments(tf, x, weights):
    return tf.nn.weighted_moments(x, [0, 2], weights)


@program(x234)
def statistics(tf, x):
    count, total, squares, shift = tf.nn.sufficient_statistics(x, [0, 1], shift=0.5)
    plain = tf.nn.sufficient_statistics(x, [0, 1], keepdims=True)
    return (count, total, squares, *tf.nn.normalize_moments(count, total, squares, shift),
            *tf.nn.normalize_moments(*plain))


@program(x34)
def unit_length(tf, x):
    return tf.nn.l2_normalize(x, axis=1), tf.nn.l2_normalize(x), tf.nn.l2_normalize(x, dim=[0, 1], epsilon=100.0)


@program(floats(2, 2, 3, 4), floats(4), floats(4, low=0.5, high=2), floats(4, seed=1), floats(4, seed=2))
def batch_normalization(tf, x, mean, variance, offset, scale):
    return (tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3),
            tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3),
            tf.nn.batch_norm_with_global_normalization(x, mean, variance, offset, scale, 0.01, False))


@program(floats(4, 3), tokens)
def embedding(tf, table, ids):
    return tf.nn.embedding_lookup(table, ids), tf.nn.embedding_lookup(table, ids, max_norm=1.0)


@program(floats(3, 2), floats(2, 2, seed=1), floats(2, 2, seed=2), i32([[5, 0], [1, 6]]))
def embedding_in_parts(tf, a, b, c, ids):
    return (tf.nn.embedding_lookup([a, b, c], ids), tf.nn.embedding_lookup([a, b, c], ids, partition_strategy="div"),
            tf.nn.embedding_lookup([a, b, c], ids, max_norm=1.5))


@program(floats(4, 3), i64([1, 3, 3, 0]), floats(4, low=0.5, high=2), [[0, 0], [0, 1], [1, 0], [2, 0]])
def embedding_of_bags(tf, table, values, weights, indices):
    where = tf.cast(indices, tf.int64)
    ids = tf.SparseTensor(where, values, [3, 2])
    weights = tf.SparseTensor(where, weights, [3, 2])
    return [tf.nn.embedding_lookup_sparse(table, ids, w, combiner=combiner)
            for combiner in ("sum", "mean", "sqrtn") for w in (None, weights)]


@program(f64([0.5, -1.0]))
def average_loss(tf, x):
    return tf.nn.compute_average_loss(x, sample_weight=2.0, global_batch_size=4), tf.nn.scale_regularization_loss(x)


average_loss = average_loss.no_differences("computed in single precision")
