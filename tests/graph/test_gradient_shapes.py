"""Static shapes of gradients: what is known of a tensor is known of its gradient, and of what leads to it."""

import numpy as np
import pytest

import evergraph as tf

X, IMAGES = [None, None, 16], [None, 32, 32, 8]
CASES = {
    "tile": ([None, 1, 16], lambda x: tf.tile(x, [1, tf.shape(x)[0], 1])),
    "concat": (X, lambda x: tf.concat([x, x], 1)),
    "concat of features": (X, lambda x: tf.concat([x, x], 2)),
    "conv2d": (IMAGES, lambda x: tf.layers.conv2d(x, 4, 3, 2)),
    "conv1d": (X, lambda x: tf.layers.conv1d(x, 4, 3)),
    "separable": (IMAGES, lambda x: tf.layers.separable_conv2d(x, 4, 3)),
    "max_pool": (IMAGES, lambda x: tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")),
    "batch_norm": (IMAGES, lambda x: tf.nn.fused_batch_norm(x, np.ones(8, np.float32), np.ones(8, np.float32))[0]),
}


@pytest.mark.parametrize("name", CASES)
def test_no_size_that_is_known_is_lost(name):
    shape, function = CASES[name]
    x = tf.placeholder(tf.float32, shape)
    before = len(tf.get_default_graph().get_operations())
    ys = [function(hidden) for hidden in [tf.nn.relu(x)] * 2]  # of which gradients are added up
    xs = [x, *tf.trainable_variables()]
    assert tf.gradients([*map(tf.square, ys)], xs, gate_gradients=True)[0].shape.as_list() == shape
    open_sizes = max(shape.count(None), ys[0].shape.as_list().count(None))
    for node in tf.get_default_graph().get_operations()[before:]:
        for tensor in node.outputs:
            known = tensor.shape
            assert known.ndims is not None and known.as_list().count(None) <= open_sizes, (node.name, known)


def test_the_sizes_that_several_shapes_denote_are_known():
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [5, None])
    shapes = tf.shape_n([x, y])
    assert [tf.zeros(shape).shape.as_list() for shape in shapes] == [[None, 3], [5, None]]
