"""Steps are the same where the values of variables are behind a boundary of messages.

`EVERGRAPH_TEST_STORE=remote pytest tests/run` runs the other tests of this room so, too.
"""

import numpy as np
import pytest

import evergraph as tf
from evergraph.kernel.storage import put
from tests.harness.remote_store import RemoteStore
from tests.harness.session import TIERS
from tests.run.test_session import *  # noqa: F403
from tests.run.test_store import *  # noqa: F403


@pytest.fixture
def is_remote():
    return True


def test_nothing_but_copies_cross():
    store, given = RemoteStore(), np.zeros(3, np.float32)
    put(store, {"a": given})
    given[:] = 1
    store.get_all(["a"])[0][:] = 2
    store.snapshot(["a"])[0][:] = 3
    assert store.snapshot(["a"])[0].tolist() == [0, 0, 0]
    assert store.forms(["a", "b"]) == [((3,), np.float32), None]


@TIERS
def test_training_keeps_its_values_there(tier):
    x = tf.placeholder(tf.float32, [None, 2])
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - 1.0))
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run([train, loss], {x: np.eye(2)})[1] for _ in range(30)]
        held = session._store._store
        assert losses[-1] < losses[0] / 2
        assert len(held.keys()) >= len(tf.global_variables())
        assert {type(value) for value in held.get_all(held.keys())} == {np.ndarray}


def test_a_later_stage_that_fails_undoes_an_earlier_one():
    """The step has two stages, as a Python function stands between their updates."""
    v, w, fed = tf.Variable(1.0), tf.Variable(1.0), tf.placeholder(tf.float32, [])
    with tf.control_dependencies([v.assign_add(1.0)]):
        passed = tf.py_func(lambda value: np.float32(1 // int(value)), [fed], tf.float32)
    step = w.assign_add(passed)
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            before = session.run([v, w])
            with pytest.raises(tf.errors.OpError, match="ZeroDivision"):
                session.run(step, {fed: 0.0})
            assert session.run([v, w]) == before
            session.run(step, {fed: 1.0})
            assert session.run([v, w]) == [value + 1 for value in before]
