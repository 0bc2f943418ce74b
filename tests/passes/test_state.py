"""The stored values that a node reads and writes."""

import evergraph as tf
from evergraph.graph.registry import lookup
from evergraph.passes.state import cell_key, has_storage, is_handle, owner, touched, with_inner


def variables():
    return tf.Variable(1.0, use_resource=False, name="r"), tf.Variable(1.0, use_resource=True, name="h")


def test_handles_and_storage():
    reference, resource = variables()
    assert is_handle(reference._ref().op) and is_handle(resource.handle.op)
    noise = tf.random_normal([2]).op.inputs[0].op.inputs[0].op
    assert has_storage(noise) and not is_handle(noise)
    assert not has_storage(tf.constant(1.0).op)


def test_the_key_of_storage():
    reference, resource = variables()
    assert cell_key(reference._ref().op) == "r" and cell_key(resource.handle.op) == "h"
    with tf.container("box"):
        assert cell_key(tf.Variable(1.0, name="v")._ref().op) == "box//v"
    shared = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="other")
    assert cell_key(shared.op) == "other"


def test_reads_and_writes():
    reference, resource = variables()
    assert touched(reference.value().op) == [(reference._ref(), False)]
    assert touched(tf.assign_add(reference, 1.0).op) == [(reference._ref(), True)]
    assert touched(tf.is_variable_initialized(reference).op) == [(reference._ref(), False)]
    assert touched(resource.value().op) == [(resource.handle, False)]
    assert touched(resource.assign_add(1.0, read_value=False)) == [(resource.handle, True)]
    table = tf.Variable([1.0], use_resource=True).handle
    assert touched(tf.raw_ops.ResourceGather(resource=table, indices=[0], dtype=tf.float32).op) == [(table, False)]
    assert touched(tf.constant(1.0).op) == []


def test_the_owner_of_an_alias():
    reference, _ = variables()
    alias = lookup("RefIdentity")(tf.assign_add(reference, 1.0))
    assert owner(alias) is reference._ref()
    assert owner(tf.assign(reference, 1.0)) is reference._ref()


def test_the_owner_of_a_loop_variable_is_outside_the_loop():
    reference, _ = variables()
    entered = lookup("RefEnter")(reference._ref(), frame_name="loop")
    merged = lookup("RefMerge")([entered, entered]).output
    merged.op._update_input(0, lookup("RefNextIteration")(merged))
    assert owner(merged) is reference._ref()


def test_writes_inside_functions():
    _, resource = variables()
    reads = tf.cond(tf.constant(True), lambda: resource.value(), lambda: tf.constant(2.0))
    writes = tf.cond(tf.constant(True), lambda: resource.assign_add(1.0), lambda: tf.constant(2.0))
    node = lambda tensor: next(op for op in (tensor.op, *(t.op for t in tensor.op.inputs)) if "If" in op.type)
    assert dict(touched(node(reads))) == {resource.handle: False}
    assert dict(touched(node(writes))) == {resource.handle: True}
    assert "AssignAddVariableOp" in {inner.type for inner in with_inner([node(writes)])}
