"""Sparse updates touch the rows they name, compile once, and leave no trace when the step fails."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from tests.harness.session import KINDS, TIERS, started

OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1),
}


def lookup_training(optimizer, resource):
    ids = tf.placeholder(tf.int32, [4])
    table = tf.Variable(np.ones((8, 2), np.float32), use_resource=resource)
    loss = tf.reduce_sum(tf.gather(table, ids) ** 2.0)
    return ids, table, OPTIMIZERS[optimizer]().minimize(loss)


@KINDS
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_tiers_agree_however_many_rows_are_distinct(optimizer, resource):
    ids, table, train = lookup_training(optimizer, resource)
    batches = ([0, 1, 2, 3], [0, 0, 0, 0], [7, 0, 7, 1], [2, 1, 1, 0])
    results = {}
    for tier in ("numpy", "xla"):
        with started(tier) as session:
            for batch in batches:
                session.run(train, {ids: batch})
            results[tier] = [session.run(v) for v in tf.global_variables()]
    for one, other in zip(results["numpy"], results["xla"], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@KINDS
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_compiled_once(optimizer, resource):
    ids, table, train = lookup_training(optimizer, resource)
    with started("xla") as session:
        session.run(train, {ids: [0, 1, 2, 3]})
        before = compilations.count
        for batch in ([0, 0, 0, 0], [7, 0, 7, 1]):
            session.run(train, {ids: batch})
        assert compilations.count == before


@KINDS
@TIERS
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_failed_step_changes_nothing(optimizer, resource, tier):
    ids, table, train = lookup_training(optimizer, resource)
    with started(tier) as session:
        session.run(train, {ids: [0, 1, 2, 2]})
        before = [session.run(v) for v in tf.global_variables()]
        with pytest.raises(tf.errors.InvalidArgumentError, match="indices|index"):
            session.run(train, {ids: [0, 8, 1, 2]})
        for old, variable in zip(before, tf.global_variables(), strict=True):
            np.testing.assert_array_equal(session.run(variable), old)


@TIERS
def test_check_after_the_update_undoes_it(tier):
    table = tf.Variable(np.ones((4, 2), np.float32))
    bad = tf.placeholder(tf.float32, [])
    update = tf.scatter_add(table, [0, 0, 3], np.ones((3, 2), np.float32))
    with tf.control_dependencies([update]):
        check = tf.check_numerics(bad, "the number")
    with started(tier) as session:
        session.run(check, {bad: 1.0})
        assert session.run(table)[:, 0].tolist() == [3.0, 1.0, 1.0, 2.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="the number"):
            session.run(check, {bad: np.inf})
        assert session.run(table)[:, 0].tolist() == [3.0, 1.0, 1.0, 2.0]


@TIERS
def test_reading_between_two_updates(tier):
    table = tf.Variable([1.0, 2.0, 3.0])
    first = tf.scatter_add(table, [0], [10.0])
    with tf.control_dependencies([first]):
        between = table.read_value()
        with tf.control_dependencies([between]):
            second = tf.scatter_update(table, [1], [0.0])
    with started(tier) as session:
        values = session.run([between, second])
        assert [v.tolist() for v in values] == [[11.0, 2.0, 3.0], [11.0, 0.0, 3.0]]
        assert session.run(table).tolist() == [11.0, 0.0, 3.0]


def test_distinct_rows_that_others_look_at_stay_exact():
    ids = tf.placeholder(tf.int32, [4])
    distinct, places = tf.unique(ids)
    summed = tf.unsorted_segment_sum(tf.ones([4]), places, tf.shape(distinct)[0])
    table = tf.Variable([0.0, 0.0, 0.0])
    update = tf.scatter_add(table, distinct, summed)
    with started("xla") as session:
        value, rows = session.run([update, summed], {ids: [2, 0, 2, 2]})
        assert value.tolist() == [1.0, 0.0, 3.0] and rows.tolist() == [3.0, 1.0]
        assert session.run(update, {ids: [1, 1, 1, 1]}).tolist() == [1.0, 4.0, 3.0]


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad"])
def test_cost_does_not_grow_with_the_table(optimizer):
    """The compiled program writes rows into the table it was given: no part of it is as large as the table."""
    import jax

    ids = tf.placeholder(tf.int32, [4])
    rows = 100_000
    table = tf.Variable(tf.zeros([rows, 4]))
    train = OPTIMIZERS[optimizer]().minimize(tf.reduce_sum(tf.gather(table, ids) - 1.0))
    with started("xla") as session:
        session.run(train, {ids: [0, 5, 5, 9]})
        runner = next(e.plan.runners[-1] for e, _, _ in session._planned if train in e.plan.fetches)
        program = runner.signatures.programs()[0].program
        held = session._store.get_all((*program.state.written, *program.state.read))
        state = [jax.ShapeDtypeStruct(v.shape, v.dtype) for v in held]
        compiled = program.jitted.lower(*state, jax.ShapeDtypeStruct((4,), np.int32)).compile()
        assert compiled.memory_analysis().temp_size_in_bytes < rows


@TIERS
@KINDS
@pytest.mark.parametrize("optimizer", sorted(OPTIMIZERS.keys() - {"sgd"}))  # sgd adds repeated rows as they are
def test_indices_filled_up_by_an_earlier_stage_name_no_row(graph, optimizer, resource, tier):
    ids, table, train = lookup_training(optimizer, resource)
    (unique,) = [op for op in graph.get_operations() if op.type == "Unique"]
    filled = {ids: [5, 5, 5, 5], unique.outputs[0]: [5, 2**31 - 1, 2**31 - 1, 2**31 - 1]}
    with started(tier) as session:
        session.run(train, {ids: [5, 5, 5, 5]})
        wanted = session.run(table)
        session.run(tf.global_variables_initializer())
        session.run(train, filled)
        np.testing.assert_allclose(session.run(table), wanted, rtol=1e-6)
