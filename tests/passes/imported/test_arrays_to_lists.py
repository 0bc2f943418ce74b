"""The tensor lists that replace tensor arrays and stacks."""

import pytest

import evergraph as tf
from evergraph.graph.registry import lookup
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.prune import prune

ARRAYS = {"TensorArrayV3", "TensorArrayWriteV3", "TensorArrayGatherV3", "TensorArrayReadV3", "TensorArrayScatterV3",
          "TensorArraySizeV3", "TensorArrayConcatV3", "TensorArraySplitV3", "StackV2", "StackPushV2", "StackPopV2"}


def array(size=2):
    return lookup("TensorArrayV3")(size, dtype=tf.float32)


def run(fetch):
    """(the types of the nodes that compute a tensor once arrays and stacks are lists, its value)."""
    # Only graphs with Switch, Merge or frames are rebuilt, as imported graphs with arrays have them.
    predicate = tf.placeholder(tf.bool, [])
    switch = lookup("Switch")(fetch, predicate)
    merged = lookup("Merge")([switch.output_false, switch.output_true]).output
    new, _ = functionalize([merged], [])
    types = {node.type for node in prune(new, [])}
    assert not types & ARRAYS
    with tf.Session() as session:
        return types, session.run(merged, {predicate: True}).tolist()


def test_writes_and_gather():
    made = array()
    flow = lookup("TensorArrayWriteV3")(made.handle, 1, 2.0, made.flow)
    flow = lookup("TensorArrayWriteV3")(made.handle, 0, 1.0, flow)
    types, value = run(lookup("TensorArrayGatherV3")(made.handle, [0, 1], flow, dtype=tf.float32))
    assert {"TensorListReserve", "TensorListSetItem", "TensorListGather"} <= types and value == [1.0, 2.0]


def test_scatter_and_read():
    made = array()
    flow = lookup("TensorArrayScatterV3")(made.handle, [1, 0], [5.0, 6.0], made.flow)
    types, value = run(lookup("TensorArrayReadV3")(made.handle, 0, flow, dtype=tf.float32))
    assert "TensorListGetItem" in types and value == 6.0


def test_the_size():
    made = array(3)
    types, value = run(lookup("TensorArraySizeV3")(made.handle, made.flow))
    assert "TensorListLength" in types and value == 3


@pytest.mark.parametrize("order", [[1.0, 2.0], [2.0, 1.0]])
def test_a_stack_gives_back_what_was_pushed_last(order):
    stack = lookup("StackV2")(-1, elem_type=tf.float32)
    pushed = lookup("StackPushV2")(stack, order[0])
    with tf.control_dependencies([pushed]):
        again = lookup("StackPushV2")(stack, order[1])
    with tf.control_dependencies([again]):
        popped = lookup("StackPopV2")(stack, elem_type=tf.float32)
    types, value = run(popped)
    assert {"TensorListPushBack", "TensorListPopBack"} <= types and value == order[1]


def test_sums_of_flows_add_up_gradients():
    made = array(1)
    flow = lookup("TensorArrayWriteV3")(made.handle, 0, 1.0, made.flow)
    handle = lookup("TensorArrayGradV3")(made.handle, flow, source="gradients").grad_handle
    flows = [lookup("TensorArrayWriteV3")(handle, 0, value, flow) for value in (2.0, 3.0)]
    read = lookup("TensorArrayReadV3")(handle, 0, tf.add_n(flows), dtype=tf.float32)
    types, value = run(read)
    assert value == 5.0 and "TensorArrayGradV3" not in types
