"""Receptive fields of small networks, worked out by hand."""

import numpy as np
import pytest

import evergraph as tf

slim = tf.contrib.slim
field_of = tf.contrib.receptive_field.compute_receptive_field_from_graph_def


def network(build, size=None):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [1, size, size, 1], name="in")
        tf.identity(build(x), name="out")
    return graph.as_graph_def()


def test_kernels_and_strides_add_up():
    graph = network(lambda x: slim.conv2d(slim.conv2d(x, 1, [3, 5], 2, "VALID"), 1, [3, 1], 2, "VALID"))
    assert tuple(field_of(graph, "in", "out")) == (5, 7, 4, 4, 0, 0)


def test_padding_depends_on_the_size():
    graph = network(lambda x: slim.max_pool2d(slim.conv2d(x, 1, [3, 3], 1, "SAME"), [3, 3], 2, "SAME"))
    assert tuple(field_of(graph, "in", "out")) == (5, 5, 2, 2, None, None)
    assert tuple(field_of(graph, "in", "out", input_resolution=[9, 8])) == (5, 5, 2, 2, 1, 2)


def test_branches_must_agree():
    def branches(x):
        return slim.conv2d(x, 1, [1, 1], 2, "VALID") + slim.conv2d(x, 1, [3, 3], 2, "SAME")

    graph = network(branches)
    assert tuple(field_of(graph, "in", "out", input_resolution=[9, 9]))[4:] == (1, 1)
    with pytest.raises(ValueError, match="center"):
        field_of(graph, "in", "out", input_resolution=[8, 8])
    with pytest.raises(ValueError, match="stride"):
        field_of(network(lambda x:
                         slim.conv2d(x, 1, [1, 1], 2, "VALID") + slim.conv2d(x, 1, [1, 1], 1, "VALID")), "in", "out")


def test_coordinates_go_there_and_back():
    field = field_of(network(lambda x: slim.conv2d(x, 1, [3, 3], 2, "VALID")), "in", "out")
    assert field.compute_input_center_coordinates([[0, 2]]).tolist() == [[1, 5]]
    places = np.array([[3, 4], [10, 11]])
    again = field.compute_input_center_coordinates(field.compute_feature_coordinates(places))
    np.testing.assert_allclose(again, places)


def test_sizes_in_the_order_of_computation():
    pads = [[0, 0], [1, 0], [0, 2], [0, 0]]
    graph = network(lambda x: slim.conv2d(tf.pad(x, pads, name="pad"), 1, [3, 3], 2, "SAME"))
    infos, _ = tf.contrib.receptive_field.get_compute_order(graph, "in", [6, 8])
    assert infos["pad"].output_size == [7, 10] and infos["out"].output_size == [4, 5]
    assert infos["in"].order < infos["pad"].order < infos["out"].order
