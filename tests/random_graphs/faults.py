"""Steps that fail, while the graph is built or when it runs: the class of the error is the result of such a program."""

from tests.random_graphs.control import truth
from tests.random_graphs.maker import FLOATS, INTS, SIGNED, WIDE

# text, dtypes and ranks of the argument; {0} is a tensor, {1} a scalar truth
FAULTS = [
    ("tf.gather({0}, [99])", WIDE + INTS, (1, 2)),
    ("tf.gather_nd({0}, [[77]])", WIDE + INTS, (1, 2)),
    ("tf.reshape({0}, [5, 7])", WIDE, (1, 2)),
    ("tf.reshape({0}, tf.placeholder_with_default([5, 7], [2]))", WIDE, (0, 1, 2)),
    ("tf.matmul(tf.reshape({0}, [1, -1]), tf.ones([1, 19], {0}.dtype))", WIDE, (1, 2)),
    ("tf.add({0}, tf.ones([17, 2], {0}.dtype))", WIDE, (2,)),
    ("tf.add({0}, tf.ones([3], tf.int16))", WIDE, (1, 2)),
    ("tf.concat([{0}, tf.ones([17, 19, 23], {0}.dtype)], 0)", WIDE, (1, 2)),
    ("tf.string_to_number(tf.strings.join([tf.as_string({0}), 'x']))", SIGNED, (0, 1)),
    ("tf.segment_sum({0}, [1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10][:{0}.shape[0] or 1])", WIDE, (1,)),
    ("tf.unsorted_segment_sum({0}, tf.fill([tf.size({0})], 9), 2)", WIDE, (1,)),
    ("tf.check_numerics({0} / 0.0, 'x')", WIDE, (0, 1, 2)),
    ("tf.decode_base64(tf.strings.join([tf.as_string({0}), '!!!']))", SIGNED, (0, 1)),
    ("tf.scatter_nd([[9]], tf.reshape({0}, [-1])[:1], [3])", WIDE, (1, 2)),
    ("{0}[19]", FLOATS, (1, 2)),
    ("tf.squeeze({0}, [0])", WIDE, (1, 2)),
    ("tf.transpose({0}, [0, 0])", WIDE, (2,)),
    ("tf.cond({1}, lambda: tf.gather({0}, [99])[0], lambda: tf.reshape({0}, [-1])[0])", WIDE, (1,)),
    ("tf.cond({1}, lambda: tf.reduce_sum(tf.check_numerics({0} / 0.0, 'x')), lambda: tf.reduce_sum({0}))", WIDE,
     (0, 1)),
    ("tf.map_fn(lambda i: tf.gather({0}, i), tf.constant([0, 0, 55]), dtype={0}.dtype)", WIDE, (1,)),
    ("tf.while_loop(lambda i, x: i < 40, lambda i, x: (i + 1, tf.gather({0}, i)), [0, {0}[0]])[1]", WIDE, (1,)),
    ("tf.ensure_shape({0}, [13, 17])", WIDE, (1, 2)),
    ("tf.broadcast_to({0}, [5, 7])", WIDE, (2,)),
    ("tf.matrix_inverse(0.0 * tf.reduce_sum({0}) * tf.ones([2, 2], {0}.dtype))", WIDE, (0, 1)),
    ("tf.floordiv({0}, {0} - {0})", ("int32", "int64"), (0, 1)),
    ("tf.get_variable('unset', initializer=tf.constant(1.0), collections=[tf.GraphKeys.LOCAL_VARIABLES]) + "
     "tf.cast(tf.reduce_sum({0}), tf.float32)", WIDE, (0, 1)),
    ("tf.TensorArray({0}.dtype, size=2).read(5) + {0}", WIDE, (0, 1)),
    ("tf.sparse_to_dense([[0], [9]], [4], {0}[0])", WIDE, (1,)),
    ("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[77, 0][:{0}.shape[0] or 1], logits={0})", WIDE, (2,)),
    ("tf.unstack({0}, 29)", WIDE, (1, 2)),
    ("tf.split({0}, 29)", WIDE, (1, 2)),
    ("tf.substr(tf.as_string({0}), 50, 1)", SIGNED, (0, 1)),
    ("tf.nn.top_k({0}, 50)", WIDE, (1, 2)),
    ("tf.placeholder(tf.float32, []) + tf.cast(tf.reduce_sum({0}), tf.float32)", WIDE, (0, 1)),
    ("tf.dynamic_partition({0}, tf.fill([tf.size({0})], 7), 2)[0]", WIDE, (1,)),
    ("tf.invert_permutation(tf.constant([0, 0, 1]) + 0 * tf.cast(tf.reduce_sum({0}), tf.int32))", ("int32", "int64"),
     (1,)),
]


def fault(maker):
    """Adds a step that fails and returns its number."""
    text, dtypes, ranks = maker.dice.pick(FAULTS)
    value = maker.find(dtypes, ranks=ranks)
    flag = truth(maker) if "{1}" in text else None
    if value is None or "{1}" in text and flag is None:
        return None
    return maker.add(text, [value] if flag is None else [value, flag])
