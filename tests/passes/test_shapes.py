"""Small integers that are computed from shapes and constants alone are found."""

import evergraph as tf
from evergraph.passes.shapes import follow_from_shapes


def follows(tensor):
    return follow_from_shapes(tensor, {})


def placeholder():
    return tf.placeholder(tf.float32, [None, 3])


def test_shapes_and_arithmetic_on_them():
    x = placeholder()
    sizes = tf.shape(x)
    assert follows(sizes) and follows(tf.size(x)) and follows(tf.rank(x))
    assert follows(tf.stack([sizes[0] * 2, -1])) and follows(tf.cast(sizes, tf.int64)) and follows(sizes > 1)


def test_values_do_not():
    x = placeholder()
    assert not follows(tf.cast(x, tf.int32)[0])
    assert not follows(tf.shape(x)[0] + tf.cast(x, tf.int32)[0, 0])
    assert not follows(tf.random_uniform([2], 0, 9, tf.int32))


def test_floats_and_large_tensors_are_not_asked_for():
    assert not follows(tf.cast(tf.shape(placeholder()), tf.float32))
    assert not follows(tf.zeros([65], tf.int32)) and follows(tf.zeros([64], tf.int32))


def test_unknown_sizes_only_where_the_op_bounds_them():
    x, y = placeholder(), tf.placeholder(tf.float32)
    axes, _ = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(x), s1=tf.shape(x))
    assert axes.shape.as_list() == [None] and follows(axes)
    assert not follows(tf.range(tf.shape(x)[0])) and not follows(tf.shape(y))


def test_what_is_known_of_a_node_is_kept():
    known = {}
    sizes = tf.shape(placeholder())
    follow_from_shapes(sizes * 2, known)
    assert known[sizes.op]
