"""Which nodes have sizes that a host op finds out, and where a stage of theirs begins and ends."""

import evergraph as tf
from evergraph.graph.traits import Kind
from evergraph.passes.prune import prune
from evergraph.passes.sized import sized_nodes


def found(fetches, tensor, feeds=()):
    nodes = prune(fetches, [tensor, *feeds])
    return sorted(node.type for node in sized_nodes([tensor], nodes) if node.opdef.kind is not Kind.CONSTANT)


def network(rows=64):
    x = tf.placeholder(tf.float32, [rows, 8])
    hidden = tf.layers.dense(tf.layers.dense(x, 16, tf.nn.relu), 16, tf.nn.relu)
    return x, tf.reduce_sum(tf.square(tf.layers.dense(hidden, 4)), 1)


def test_a_mask_in_a_loss():
    x, each = network()
    chosen = tf.where(tf.placeholder(tf.bool, [64]))
    loss = tf.reduce_mean(tf.gather_nd(each, chosen))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    types = found([train, loss], chosen, [x])
    assert "GatherNd" in types and "Mean" in types and "Tile" in types and "UnsortedSegmentSum" in types
    assert "RealDiv" in types  # no size, but between two nodes that have it
    assert "MatMul" not in types and "ApplyGradientDescent" not in types


def test_what_is_mostly_sized_stays_together():
    chosen = tf.where(tf.placeholder(tf.bool, [64]))
    x = tf.gather_nd(tf.placeholder(tf.float32, [64, 8]), chosen)
    loss = tf.reduce_sum(tf.tanh(tf.tanh(x)))
    assert found([loss], chosen) == []


def test_updates_of_rows_that_were_found_stay_in_the_last_stage():
    x, each = network()
    rows = tf.reshape(tf.where(tf.placeholder(tf.bool, [64])), [-1])
    table = tf.get_variable("table", [64])
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(each))
    update = tf.scatter_sub(table, rows, tf.gather(each, rows))
    assert found([train, update], rows.op.inputs[0], [x]) == []
