"""What steps of several threads do at the same time, and what one waits for."""

import threading
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.kernel.storage import put
from evergraph.run.store import Store


def in_thread(function):
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("first, second, waits", [
    (("a", ""), ("a", ""), False),
    (("ab", "a"), ("bc", "c"), False),
    (("ab", "a"), ("a", ""), True),
    (("a", ""), ("ab", "a"), True),
    (("a", "a"), ("a", "a"), True),
])  # fmt: skip
def test_a_block_waits_for_those_that_change_what_it_uses(first, second, waits):
    store, entered = Store(), threading.Event()

    def other():
        with store.using(*map(frozenset, second)):
            entered.set()

    with store.using(*map(frozenset, first)):
        thread = in_thread(other)
        assert entered.wait(0.1 if waits else 10) is not waits
    thread.join(10)
    assert entered.is_set()


def test_blocks_of_one_thread_stand_inside_each_other():
    store = Store()
    with store.using(frozenset("a"), frozenset("a")), store.using(frozenset("a"), frozenset("a")):
        put(store, {"a": 1})
    assert store.snapshot(["a"]) == [1]


def test_each_has_its_turn():
    """Readers that keep coming do not keep a writer out; and a reader may read again inside while a writer waits."""
    store, order, reads, writes = Store(), [], (frozenset("a"), frozenset()), (frozenset("a"), frozenset("a"))

    def enter(name, keys):
        with store.using(*keys):
            order.append(name)

    def started(name, keys):
        count = len(store.blocks)
        thread = in_thread(lambda: enter(name, keys))
        while len(store.blocks) == count:
            time.sleep(0.001)
        return thread

    with store.using(*reads):
        threads = [started("writer", writes), started("reader", reads)]
        enter("inner", reads)
    for thread in threads:
        thread.join(10)
    assert order == ["inner", "writer", "reader"]


def test_a_block_that_fails_lets_others_go_on():
    store = Store()
    with pytest.raises(ZeroDivisionError), store.using(frozenset("a"), frozenset("a")):
        raise ZeroDivisionError
    thread = in_thread(lambda: store.snapshot(["a"]))
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_long_step_does_not_hold_up_others(tier):
    """A step that only reads other variables ends while one that waits inside its program has not."""
    reached, go_on, seen = threading.Event(), threading.Event(), []

    def wait(value):
        reached.set()
        assert go_on.wait(30)
        return value

    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        slow, other = tf.Variable(1.0), tf.Variable(np.ones(3))
        step = tf.assign_add(slow, tf.py_func(wait, [tf.constant(2.0)], tf.float32))
        session.run(tf.global_variables_initializer())
        thread = in_thread(lambda: seen.append(session.run(step)))
        assert reached.wait(30)
        assert session.run(tf.assign_add(other, [1.0, 2.0, 3.0])).tolist() == [2.0, 3.0, 4.0]
        go_on.set()
        thread.join(30)
        assert seen == [3.0] and session.run([slow, other])[0] == 3.0


def test_readers_and_writers_of_one_variable():
    """Programs that update a variable in place, and others that read it all the while: each sees it whole."""
    size, steps = 1000, 200
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        v = tf.Variable(np.zeros(size, np.float32))
        add, least, most = tf.assign_add(v, tf.ones(size)), tf.reduce_min(v), tf.reduce_max(v)
        session.run(v.initializer)
        torn, failed = [], []

        def read():
            try:
                for _ in range(steps):
                    low, high = session.run([least, most])
                    if low != high:
                        torn.append((low, high))
            except Exception as error:
                failed.append(error)

        threads = [in_thread(read) for _ in range(3)]
        for _ in range(steps):
            session.run(add.op)
        for thread in threads:
            thread.join(60)
        assert not torn and not failed
        assert session.run(v).tolist() == [steps] * size


def test_stored_values_share_no_memory_with_what_a_program_holds(session):
    """Also where NumPy stores the array that an update has made as it is."""
    x, w = tf.placeholder(tf.float32, [3]), tf.Variable([1.0, 2.0, 3.0])
    fed, added, rows = tf.assign(w, x), tf.assign_add(w, x), tf.scatter_add(w, [1], [1.0])
    session.run(w.initializer)
    given = np.ones(3, np.float32)
    for update in (fed, added, rows, [added, w], [fed.op, added]):
        found = session.run(update, {x: given})
        wanted = session.run(w).tolist()
        given[:] = 7
        for each in found if isinstance(found, list) else [found]:
            if each is not None:
                each[:] = 9
        assert session.run(w).tolist() == wanted
        given[:] = 1


def test_a_failed_step_that_would_change_a_shape_changes_nothing():
    """Also when its program has run before, for the same shapes."""
    x, allowed = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.bool, [])
    v = tf.Variable(tf.zeros([2]), validate_shape=False, use_resource=False)
    with tf.control_dependencies([tf.Assert(allowed, ["no"])]):
        change = tf.assign(v, x, validate_shape=False).op
    with tf.Session(tier="xla") as session:
        session.run(v.initializer)
        before = compilations.count
        for size in (3, 2, 3, 2):
            session.run(change, {x: np.ones(size), allowed: True})
        assert compilations.count == before + 2
        with pytest.raises(tf.errors.InvalidArgumentError, match="no"):
            session.run(change, {x: np.zeros(3), allowed: False})
        assert session.run(v).tolist() == [1.0, 1.0]
