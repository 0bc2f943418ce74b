"""Tables are variables of which a stage uses rows alone."""

import pytest

import evergraph as tf
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from evergraph.passes.tables import tables


def tables_of(*fetches):
    return {key for stage in partition(prune(fetches, []), fetches, []) for key in tables(stage)}


def trained(optimizer, use_resource):
    """(the step, the table, a dense variable) of a network over an embedding."""
    table = tf.get_variable("table", [100, 4], use_resource=use_resource)
    w = tf.get_variable("w", [4, 1], use_resource=use_resource)
    loss = tf.reduce_sum(tf.matmul(tf.nn.embedding_lookup(table, [3, 5]), w))
    return optimizer.minimize(loss), table, w


@pytest.mark.parametrize("use_resource", [False, True])
def test_tables(use_resource):
    step, table, _ = trained(tf.train.AdagradOptimizer(0.1), use_resource)
    assert tables_of(step) == {"table", "table/Adagrad"}
    assert tables_of(step, tf.shape(table)) == {"table", "table/Adagrad"}
    assert tables_of(step, tf.norm(table)) == {"table/Adagrad"}
    assert tables_of(tf.gather_nd(table, [[1]])) == {"table"}


def test_variables_that_someone_needs_whole():
    step, table, _ = trained(tf.train.AdamOptimizer(0.1), False)  # which moves all rows in every step
    assert tables_of(step) == set()
    assert tables_of(table.value()) == tables_of(table + 1.0) == set()
    assert tables_of(tf.gather([[1.0]], tf.cast(tf.get_variable("ids", [2]), tf.int32))) == set()
