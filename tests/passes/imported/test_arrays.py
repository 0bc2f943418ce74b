"""The tensor arrays and stacks of an imported graph that may become tensor lists."""

import evergraph as tf
from evergraph.graph.registry import lookup
from evergraph.passes.imported.arrays import Array, find_lists
from evergraph.passes.imported.frames import find_frames
from evergraph.passes.imported.functionalize import without_back_edges
from evergraph.passes.prune import in_order, needed
from tests.passes.imported.control_flow import while_loop


def lists(*fetches, fed=()):
    nodes = in_order(needed(fetches, fed), fed, without_back_edges)
    return find_lists(find_frames(nodes, fed), fed, fetches)


def array(size=2, **attrs):
    return lookup("TensorArrayV3")(size, dtype=tf.float32, **attrs)


def write(made, index, value, flow):
    return lookup("TensorArrayWriteV3")(made.handle, index, value, flow)


def gather(made, flow):
    return lookup("TensorArrayGatherV3")(made.handle, [0, 1], flow, dtype=tf.float32)


def test_handles_and_flows_of_an_array():
    made = array()
    flow = write(made, 1, 2.0, write(made, 0, 1.0, made.flow))
    found = lists(gather(made, flow))
    assert found.handles == {made.handle: Array(made.handle.op)}
    assert found.flows[flow] == found.flows[made.flow] == Array(made.handle.op)
    assert not found.stacks and not found.hollow


def test_an_array_of_gradients_is_another_one():
    made = array()
    flow = write(made, 0, 1.0, made.flow)
    gradient = lookup("TensorArrayGradV3")(made.handle, flow, source="gradients")
    back = lookup("TensorArrayWriteV3")(gradient.grad_handle, 0, 3.0, flow)
    read = lookup("TensorArrayReadV3")(gradient.grad_handle, 0, back, dtype=tf.float32)
    found = lists(read)
    assert found.handles[gradient.grad_handle] == found.flows[back] == Array(made.handle.op, is_gradient=True)
    assert found.flows[flow] == Array(made.handle.op)


def test_an_array_in_a_loop():
    made = array()
    handle = lookup("Enter")(made.handle, frame_name="loop", is_constant=True)
    body = lambda i, flow, n: (i + 1, lookup("TensorArrayWriteV3")(handle, i, 1.0, flow))
    _, flow = while_loop(lambda i, flow, n: i < n, body, [tf.constant(0), made.flow], [tf.constant(2)])
    found = lists(gather(made, flow))
    assert found.handles[handle] == found.flows[flow] == Array(made.handle.op)


def test_a_stack():
    stack = lookup("StackV2")(-1, elem_type=tf.float32)
    push = lookup("StackPushV2")(stack, 1.0)
    with tf.control_dependencies([push]):
        pop = lookup("StackPopV2")(stack, elem_type=tf.float32)
    found = lists(pop)
    assert found.stacks == {stack: stack.op} and found.pushes == {stack.op: [push.op]}
    assert found.touched([pop.op]) == [stack.op] and found.touched([stack.op, pop.op]) == []


def test_uses_that_a_list_cannot_replace():
    made = array()
    flow = write(made, 0, 1.0, made.flow)
    read = gather(made, flow)
    assert not lists(read, flow).flows  # a fetched flow is a number
    assert not lists(read, flow * 2.0).flows
    assert not lists(read, fed=[flow]).flows
    stack = lookup("StackV2")(-1, elem_type=tf.float32)
    pop = lookup("StackPopV2")(stack, elem_type=tf.float32)
    beside = lists(read, flow, pop)
    assert not beside.flows and beside.stacks == {stack: stack.op}
    assert not lists(pop, stack).stacks


def test_graphs_without_arrays():
    found = lists(tf.constant(1.0) + 2.0)
    assert not found.handles and not found.flows and not found.stacks
