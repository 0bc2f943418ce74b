"""Each node gets the device of the session that it asks for."""

import pytest

import evergraph as tf
from evergraph.passes.place import Placement, place

GPU, CPU = "/job:localhost/replica:0/task:0/device:GPU:0", "/job:localhost/replica:0/task:0/device:CPU:0"


def node_on(device):
    with tf.device(device):
        return tf.constant(1.0).op


def placed(device, devices=(GPU, CPU), soft=False):
    node = node_on(device)
    return place([node], Placement(devices, soft))[node]


def test_the_best_device_for_nodes_that_ask_for_none():
    assert placed(None) == GPU
    assert placed(None, [CPU]) == CPU


@pytest.mark.parametrize("asked", ["/cpu:0", "/device:CPU:0", "/job:localhost/device:CPU:*", "/device:XLA_CPU:0"])
def test_the_device_that_a_node_asks_for(asked):
    assert placed(asked) == CPU


def test_a_job_alone_leaves_the_type_open():
    assert placed("/job:localhost") == GPU
    assert placed("/job:ps/task:1") == GPU


def test_a_device_that_the_session_lacks():
    assert placed("/gpu:1", soft=True) == GPU
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device for operation Const"):
        placed("/gpu:1")
