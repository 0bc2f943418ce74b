"""Stages copied for inputs of known shapes, by which their work is estimated."""

import numpy as np

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.passes.concrete import open_sizes_of_loops, sized
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune


def shapes_of(y, feeds):
    """The shape of `y`, and of every tensor of the copied stage by the type of its node."""
    stage = partition(prune([y], list(feeds)), [y], list(feeds))[-1]
    copy = sized(stage, [np.asarray(feeds[tensor]) for tensor in stage.inputs])
    return copy.nodes[-1].outputs[0]._shape, {node.type: node.outputs[0]._shape for node in copy.nodes if node.outputs}


def test_sizes_of_convolutions_follow_from_those_of_images():
    x = tf.placeholder(tf.float32, [None, None, None, 3])
    y = tf.nn.max_pool(tf.nn.conv2d(x, np.ones([3, 3, 3, 8], np.float32), [1, 2, 2, 1], "SAME"), 2, 2, "VALID")
    assert y.shape.as_list() == [None, None, None, 8]
    shape, shapes = shapes_of(y, {x: np.zeros([4, 64, 48, 3], np.float32)})
    assert shape == (4, 16, 12, 8) and shapes["Conv2D"] == (4, 32, 24, 8)
    assert y.shape.as_list() == [None, None, None, 8]


def test_fed_integers_tell_sizes():
    x, count = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [])
    y = tf.tile(tf.reshape(x, tf.stack([count, -1])), tf.stack([count, 1]))
    assert shapes_of(y, {x: np.zeros(12, np.float32), count: np.int32(3)})[0] == (9, 4)


def test_branches_have_the_sizes_of_what_the_conditional_gets():
    x, flag = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.bool, [])
    y = tf.cond(flag, lambda: tf.concat([x, x], 0), lambda: tf.tile(x, [2, 1]))
    assert shapes_of(y, {x: np.zeros([5, 7], np.float32), flag: np.bool_(True)})[0] == (10, 7)


def test_a_tensor_of_unknown_rank_counts_as_the_largest_input():
    x, y = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32)
    assert shapes_of(tf.placeholder_with_default(x, None) * 2.0, {x: np.zeros([5, 7], np.float32)})[0] == (5, 7)
    assert shapes_of(y * 2.0, {y: np.zeros([3], np.float32)})[0] == (3,)


def test_a_few_images_beside_many_boxes_are_a_small_step():
    """The number of boxes is not that of images, of which the static shape says no more than that it varies."""
    images, boxes = tf.placeholder(tf.float32, [None, 32, 32, 3]), tf.placeholder(tf.float32, [None, None, 4])
    hidden = images
    for _ in range(3):
        hidden = tf.layers.conv2d(hidden, 16, 3, 2, padding="same", activation=tf.nn.relu)
    found = tf.reshape(tf.layers.dense(tf.layers.flatten(hidden), 4096), [-1, 4])
    wanted = tf.reshape(boxes, [-1, 4])
    distance = tf.reduce_sum(tf.square(found - wanted), 1)
    train = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_mean(distance))
    before, data = compilations.count, np.random.RandomState(0).randn(4, 1024, 4)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for at in range(4):
            session.run(train, {images: np.ones([4, 32, 32, 3]), boxes: data + at})
    assert compilations.count == before


def test_sizes_inside_loops_are_those_of_what_loops_get():
    x, frames = tf.placeholder(tf.float32, [None, None, 4]), tf.placeholder(tf.float32, [None, None])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(8), x, dtype=tf.float32)
    y = tf.reduce_sum(outputs) + tf.reduce_sum(frames)
    feeds = {x: np.zeros([3, 20, 4], np.float32), frames: np.zeros([3, 500], np.float32)}
    stage = partition(prune([y], list(feeds)), [y], list(feeds))[-1]
    copy = sized(stage, [feeds[tensor] for tensor in stage.inputs])
    assert open_sizes_of_loops(stage, copy) == [3]
