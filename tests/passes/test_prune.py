"""Pruning keeps the nodes that the fetches depend on, cut at the feeds, in topological order."""

import pytest

import evergraph as tf
from evergraph.passes.prune import needed, prune


def names(nodes):
    return [node.name for node in nodes]


def test_nodes_that_no_fetch_depends_on_are_dropped():
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    tf.square(b, name="unused")
    total = tf.add(a, b, name="total")
    assert names(prune([total], [])) == ["a", "b", "total"]
    assert names(prune([a.op], [])) == ["a"]


def test_a_feed_cuts_off_the_node_that_computes_it():
    a = tf.constant(1.0, name="a")
    middle = tf.square(a, name="middle")
    end = tf.exp(middle, name="end")
    assert names(prune([end], [middle])) == ["end"]
    assert prune([middle], [middle]) == []


def test_a_feed_cuts_off_one_output_alone():
    first, second = tf.split(tf.constant([1.0, 2.0]), 2)
    total = first + second
    assert first.op in needed([total], [first])  # for the sake of `second`
    assert first.op not in needed([total], [first, second])


def test_control_inputs_come_first():
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        gate = tf.no_op(name="gate")
    late = tf.constant(2.0, name="late")
    gate._add_control_input(late.op)  # younger than the node that waits for it
    assert names(prune([gate], [])) == ["a", "late", "gate"]


def test_a_placeholder_that_is_fed_need_not_run_for_a_control_dependency():
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.control_dependencies([x]):
        gate = tf.no_op(name="gate")
    assert names(prune([gate], [x])) == ["gate"]
    assert names(prune([gate], [])) == ["x", "gate"]


def test_a_cycle_is_an_error():
    a = tf.no_op(name="a")
    with tf.control_dependencies([a]):
        b = tf.no_op(name="b")
    a._add_control_input(b)
    with pytest.raises(tf.errors.InvalidArgumentError, match="contains a cycle with 2 nodes, such as 'a'"):
        prune([b], [])
