"""Rows of variables are updated in their memory on NumPy, where nobody else sees the array and nothing can fail."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile import interpreter, lower
from tests.harness.session import KINDS, started

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture
def changes(monkeypatch):
    """The keys of the variables that steps change in their memory, step by step."""
    if native.sparse is None:
        pytest.skip("the code is not built")
    found, real = [], interpreter.Interpreter._in_place

    def noted(self, *args):
        calls = real(self, *args)
        found.append(sorted(calls))
        return calls

    monkeypatch.setattr(interpreter.Interpreter, "_in_place", noted)
    return found


def table(resource, name="table"):
    return tf.get_variable(name, initializer=ROWS, use_resource=resource)


def added(variable, rows=(1, 3, 1)):
    return tf.scatter_add(variable, list(rows), np.ones([len(rows), 3], np.float32))


@KINDS
def test_scatters(resource, changes):
    update = added(table(resource)).op
    with started("numpy") as session:
        changes.clear()
        session.run(update)
        session.run(update)
        assert changes == [["table"], ["table"]]
        np.testing.assert_array_equal(session.run("table/Read/ReadVariableOp:0" if resource else "table:0"),
                                      ROWS + [[0], [4], [0], [2]])


@pytest.mark.parametrize("optimizer", [tf.train.AdagradOptimizer, tf.train.FtrlOptimizer, tf.train.MomentumOptimizer])
@KINDS
def test_sparse_updates_of_optimizers(optimizer, resource, changes, monkeypatch):
    ids, variable = tf.placeholder(tf.int32, [None]), table(resource)
    options = {"momentum": 0.9} if optimizer is tf.train.MomentumOptimizer else {}
    step = optimizer(0.1, **options).minimize(tf.reduce_sum(tf.square(tf.nn.embedding_lookup(variable, ids))))
    found = []
    for is_bound in (True, False):
        if not is_bound:
            assert ["table" in keys for keys in changes[-3:]] == [True] * 3
            monkeypatch.setattr(lower._NumpyFunction, "_bound", lambda *_: None)
        with started("numpy") as session:
            for given in ([0, 2, 0], [1], [3, 1]):
                session.run(step, {ids: given})
            found.append(session.run(variable))
    np.testing.assert_array_equal(*found)


def test_what_a_program_holds_stays_as_it_was(changes):
    variable = table(False)
    update = added(variable)
    with started("numpy") as session:
        before = session.run(variable)
        old, _ = session.run([tf.identity(variable.value()), update.op])
        after = session.run(update)
        session.run(update.op)
        np.testing.assert_array_equal(before, ROWS)
        np.testing.assert_array_equal(old, ROWS)
        np.testing.assert_array_equal(after, ROWS + [[0], [4], [0], [2]])


def test_reads_beside_an_update_see_the_value_from_before_it(changes):
    variable = table(False)
    read = variable.value()
    update = added(variable)
    late = tf.gather(read, [1]) * 2  # after the update in the order of creation
    with tf.control_dependencies([update]):
        new = tf.gather(variable.value(), [1])
    with started("numpy") as session:
        found = session.run([late, update.op])[0]
        np.testing.assert_array_equal(found, 2 * ROWS[1:2])
        old, latest = session.run([late, new])
        np.testing.assert_array_equal(latest, ROWS[1:2] + 4)
        np.testing.assert_array_equal(old, 2 * (ROWS[1:2] + 2))


def test_a_step_that_fails_changes_nothing(changes):
    variable, ids = table(False), tf.placeholder(tf.int32, [2])
    first = added(variable)
    with tf.control_dependencies([first]):
        second = tf.scatter_sub(variable, ids, np.ones([2, 3], np.float32))
    after = tf.py_func(lambda: [][0], [], tf.float32)
    with started("numpy") as session:
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(second, {ids: [0, 4]})
        with tf.control_dependencies([first]):
            late = tf.py_func(lambda: [][0], [], tf.float32)
        for fetch in (after, late):
            with pytest.raises(Exception):  # noqa: B017 - of any class
                session.run([first.op, fetch])
        np.testing.assert_array_equal(session.run(variable), ROWS)


def test_several_updates_of_one_table(changes):
    variable = table(False)
    with tf.control_dependencies([added(variable)]):
        both = tf.scatter_sub(variable, [0], np.ones([1, 3], np.float32))
    with started("numpy") as session:
        session.run(both.op)
        np.testing.assert_array_equal(session.run(variable), ROWS + [[-1], [2], [0], [1]])


def test_threads_read_whole_tables(changes):
    variable = tf.get_variable("table", [500, 8], initializer=tf.zeros_initializer())
    update = tf.scatter_add(variable, np.arange(500), np.ones([500, 8], np.float32)).op
    seen, done = [], threading.Event()
    spread = tf.py_func(lambda rows: np.float32(rows.max() - rows.min()), [variable], tf.float32)
    with started("numpy") as session:
        def look():
            while not done.is_set():
                seen.append(session.run(spread))
        reader = threading.Thread(target=look)
        reader.start()
        for _ in range(300):
            session.run(update)
        done.set()
        reader.join()
        assert seen and not any(seen)
        np.testing.assert_array_equal(session.run(variable), np.full([500, 8], 300, np.float32))
