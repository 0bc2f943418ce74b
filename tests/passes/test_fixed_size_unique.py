"""The Unique nodes whose outputs only updates of rows use."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.passes.fixed_size_unique import fixed_size_uniques
from evergraph.passes.prune import prune
from tests.harness.session import KINDS


def table(resource=False):
    return tf.Variable(np.ones((8, 2), np.float32), use_resource=resource)


def summed(variable, through=lambda rows: rows):
    """(the scatter that adds up equal rows first, the distinct row numbers, the sums)."""
    distinct, places = tf.unique(tf.placeholder(tf.int32, [4]))
    sums = tf.unsorted_segment_sum(tf.placeholder(tf.float32, [4, 2]), places, tf.shape(distinct)[0])
    return tf.scatter_sub(variable, distinct, through(sums)), distinct, sums


def found(*fetches):
    return {node.type for node in fixed_size_uniques(prune(fetches, []), fetches)}


@KINDS
@pytest.mark.parametrize("make", [tf.train.AdagradOptimizer, tf.train.FtrlOptimizer, tf.train.RMSPropOptimizer])
def test_an_optimizers_update(make, resource):
    loss = tf.reduce_sum(tf.gather(table(resource), tf.placeholder(tf.int32, [4])) ** 2.0)
    assert found(make(0.1).minimize(loss)) == {"Unique"}


@pytest.mark.parametrize("by_row", [tf.square, tf.exp, lambda rows: rows * 0.1 - rows, lambda rows: tf.identity(rows)])
def test_arithmetic_row_by_row(by_row):
    update, _, _ = summed(table(), by_row)
    assert found(update) == {"Unique"}


@pytest.mark.parametrize("mixes", [
    lambda rows: rows / tf.reduce_max(rows),
    lambda rows: rows / tf.reduce_mean(rows),
    lambda rows: rows / tf.reduce_sum(tf.exp(rows)),
    lambda rows: rows / tf.reduce_sum(rows, 0),
    lambda rows: rows + tf.placeholder(tf.float32, [None, 2]),
    lambda rows: tf.reverse(rows, [0]),
    lambda rows: tf.matmul(rows, tf.eye(2)),
])  # fmt: skip
def test_ops_that_mix_rows(mixes):
    update, _, _ = summed(table(), mixes)
    assert found(update) == set()


@pytest.mark.parametrize("scaled", [
    lambda rows: rows / tf.reduce_sum(rows),
    lambda rows: rows / tf.norm(rows),
    lambda rows: rows / 2.0 * tf.nn.l2_loss(rows / 2.0),
    lambda rows: tf.clip_by_global_norm([rows / 4.0], 1.0)[0][0],
])  # fmt: skip
def test_sums_of_rows_that_are_zero(scaled):
    update, _, _ = summed(table(), scaled)
    assert found(update) == {"Unique"}


def tower_step(ids, optimizer):
    """A step of two towers, which makes the rows of both distinct and clips them before the optimizer gets them."""
    variable = table()
    slices = [optimizer.compute_gradients(tf.reduce_sum(tf.gather(variable, part) ** 2.0), [variable])[0][0]
              for part in tf.split(ids, 2)]
    distinct, places = tf.unique(tf.concat([each.indices for each in slices], 0))
    sums = tf.unsorted_segment_sum(tf.concat([each.values for each in slices], 0), places, tf.shape(distinct)[0])
    clipped, _ = tf.clip_by_global_norm([tf.IndexedSlices(sums / 2.0, distinct)], 1.0)
    return variable, optimizer.apply_gradients([(clipped[0], variable)])


def test_towers_make_rows_distinct_twice():
    ids = tf.placeholder(tf.int32, [6])
    variable, step = tower_step(ids, tf.train.AdagradOptimizer(0.1))
    assert len(fixed_size_uniques(prune([step], [ids]), [step])) == 2
    values = {}
    for tier in ("numpy", "xla"):
        with tf.Session(tier=tier) as session:
            session.run(tf.global_variables_initializer())
            before = compilations.count
            for number in range(6):
                session.run(step, {ids: np.arange(6) * number % 7})
            assert compilations.count - before == (tier == "xla")
            values[tier] = session.run(variable)
    np.testing.assert_allclose(values["numpy"], values["xla"], rtol=1e-6)


def test_other_uses_of_the_distinct_rows():
    update, distinct, sums = summed(table())
    assert found(update, distinct) == set()
    assert found(update, sums) == set()
    assert found(update, tf.reduce_sum(distinct)) == set()
    assert found(update, tf.shape(distinct)) == set()
    assert found(update, tf.shape(distinct)[0] + 1) == set()


def test_updates_that_do_not_drop_surplus_rows():
    variable = table()
    distinct, _ = tf.unique(tf.placeholder(tf.int32, [4]))
    assert found(tf.scatter_add(variable, distinct, tf.placeholder(tf.float32, [None, 2]))) == {"Unique"}
    assert found(tf.scatter_update(variable, distinct, tf.placeholder(tf.float32, [None, 2]))) == set()


def test_a_unique_of_strings_stays():
    distinct, _ = tf.unique(tf.placeholder(tf.string, [4]))
    numbers, _ = tf.unique(tf.placeholder(tf.int32, [4]))
    assert fixed_size_uniques([distinct.op, numbers.op], []) == {numbers.op}


@pytest.mark.parametrize("kind", [tf.raw_ops.UniqueV2, tf.raw_ops.UniqueWithCountsV2])
@pytest.mark.parametrize("axis", [1, 4, -2])
def test_an_axis_that_a_vector_does_not_have(kind, axis, session):
    with pytest.raises(ValueError, match="must be in the range"):
        kind(x=tf.zeros([3]), axis=[axis])
    late = kind(x=tf.zeros([3]), axis=tf.placeholder_with_default([axis], [1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of valid range"):
        session.run(late.y)
