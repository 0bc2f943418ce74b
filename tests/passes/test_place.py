"""Each node gets a place: the device that it asks for, that of its variable or its group, or the best one."""

import pytest

import evergraph as tf
from evergraph.base.devices import Place, place_of
from evergraph.passes.place import Placement, place

GPU, CPU = "/job:localhost/replica:0/task:0/device:GPU:0", "/job:localhost/replica:0/task:0/device:CPU:0"
CPU_1 = CPU[:-1] + "1"
BEST = Place(device="best")


def places(nodes, devices=(GPU, CPU), soft=False):
    found = place(nodes, Placement(BEST, lambda: devices, soft))
    return [found.get(node, BEST) for node in nodes]


def placed(device, devices=(GPU, CPU), soft=False):
    with tf.device(device):
        node = tf.constant(1.0).op
    return places([node], devices, soft)[0]


def test_the_best_device_for_nodes_that_ask_for_none():
    assert placed(None) == BEST == placed(None, [CPU])
    assert placed("/gpu:0") == BEST == placed("/cpu:0", [CPU])  # which is another name of it


def test_nobody_looks_for_devices_if_no_node_names_one():
    node = tf.constant(1.0).op
    assert place([node], Placement(BEST, lambda: pytest.fail("asked"))) == {}


@pytest.mark.parametrize("asked", ["/cpu:0", "/device:CPU:0", "/job:localhost/device:CPU:*", "/device:XLA_CPU:0"])
def test_the_device_that_a_node_asks_for(asked):
    assert placed(asked) == place_of(CPU)


def test_a_job_alone_leaves_the_type_open():
    assert placed("/job:localhost") == BEST
    assert placed("/job:ps/task:1") == BEST


def test_a_device_that_the_session_lacks():
    assert placed("/gpu:1", soft=True) == BEST
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device for operation Const"):
        placed("/gpu:1")
    with pytest.raises(tf.errors.InvalidArgumentError, match="makes n CPUs"):
        placed("/cpu:1")


def test_gpus_that_are_not_there_are_cpus_if_there_are_as_many():
    asked = ["/gpu:0", "/gpu:1", "/gpu:2", "/gpu:*", "/job:ps/gpu:1"]
    assert [placed(each, [CPU, CPU_1], soft=True) for each in asked] == [BEST, place_of(CPU_1), BEST, BEST, BEST]
    tasks = [CPU, CPU.replace("localhost", "ps")]
    assert placed("/job:ps/gpu:1", tasks, soft=True) == place_of(tasks[1])


def test_a_node_goes_with_the_variable_that_it_uses():
    with tf.device("/cpu:1"):
        w = tf.get_variable("w", [], use_resource=True)
        v = tf.get_variable("v", [], use_resource=False)
    with tf.device("/cpu:0"):
        nodes = [w.handle.op, w.read_value().op._inputs[0].op, tf.assign(w, 1.0).op._inputs[0].op, v.op,
                 tf.assign(v, 2.0).op]
        after = tf.add(w, 1.0).op
    assert places([*nodes, after], [CPU, CPU_1]) == [place_of(CPU_1)] * 5 + [BEST]


def test_colocated_nodes_are_together():
    with tf.device("/cpu:1"):
        first = tf.constant(1.0) + 1.0
    with tf.device("/cpu:0"), tf.colocate_with(first):
        second = first + 1.0
        with tf.device("/cpu:0"):  # the group comes first, as in TensorFlow
            third = first + 2.0
    free = first + 3.0
    assert places([t.op for t in (first, second, third, free)], [CPU, CPU_1]) == [place_of(CPU_1)] * 3 + [BEST]


def test_a_group_gets_the_device_that_one_of_it_names():
    first = tf.constant(1.0) + 1.0
    with tf.colocate_with(first), tf.device("/cpu:1"):
        second = first + 1.0
    assert places([first.op, second.op], [CPU, CPU_1]) == [place_of(CPU_1)] * 2


def test_shapes_are_taken_where_the_tensor_is():
    with tf.device("/cpu:1"):
        x = tf.random_uniform([3])
    shape = tf.raw_ops.Shape(input=x)
    assert places([x.op, shape.op], [CPU, CPU_1])[1] == place_of(CPU_1)


def test_a_loop_is_where_it_says_or_where_it_writes():
    with tf.device("/cpu:1"):
        w = tf.get_variable("w", [], use_resource=True)

    def loop():
        found = tf.while_loop(lambda i: i < 3, lambda i: tf.cast(w.assign_add(1.0), tf.int32) * 0 + i + 1, [0])
        return next(node for node in (found.op, found.op._inputs[0].op) if node.type == "While")

    with tf.device("/cpu:0"):
        asking = loop()
    assert places([asking, loop(), w.handle.op], [CPU, CPU_1]) == [BEST, place_of(CPU_1), place_of(CPU_1)]
