"""Which control inputs a node gets inside control_dependencies blocks, as TensorFlow 2.15 gave them."""


import evergraph as tf


def inputs(tensor):
    return list(tensor.op.node_def.input)


def test_reading_one_of_the_dependencies_still_waits_for_the_others():
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    with tf.control_dependencies([a, b]):
        assert inputs(tf.identity(a)) == ["a", "^b"]
        assert inputs(tf.add(a, c)) == ["a", "c", "^b"]
        assert inputs(tf.add(a, b)) == ["a", "b"]
        assert inputs(tf.identity(c)) == ["c", "^a", "^b"]


def test_reading_a_node_of_the_block_is_waiting_enough():
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    with tf.control_dependencies([a]):
        outer = tf.identity(c, name="outer")
        with tf.control_dependencies([b]):
            inner = tf.identity(outer, name="inner")
            assert inputs(inner) == ["outer", "^b"]
            assert inputs(tf.add(inner, c)) == ["inner", "c"]
            assert inputs(tf.identity(a)) == ["a", "^b"]
