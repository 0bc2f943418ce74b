"""Critical sections keep what runs in them apart, in one step and between steps of several threads."""

import gc
import threading

import numpy as np
import pytest

import evergraph as tf


def add_two(v):
    """The value before two were added."""
    before = v.read_value()
    with tf.control_dependencies([before]), tf.control_dependencies([v.assign_add(2.0)]):
        return tf.identity(before)


def test_sections_of_one_step_run_one_after_the_other(session):
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    section = tf.CriticalSection()
    found = [section.execute(lambda: add_two(v)) for _ in range(5)]
    session.run(v.initializer)
    np.testing.assert_array_equal(sorted(session.run(found)), [0, 2, 4, 6, 8])


def test_threads_take_turns(session):
    v = tf.get_variable("v", initializer=0.0, use_resource=True)

    def bump():
        higher = v.read_value() + 1.0
        with tf.control_dependencies([v.assign(higher)]):
            return tf.identity(higher)
    step = tf.CriticalSection().execute(bump)
    session.run(v.initializer)
    threads = [threading.Thread(target=lambda: [session.run(step) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert session.run(v) == 80


@pytest.fixture
def uncollected():
    """A test without the garbage collector."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_a_failed_step_lets_go(session):
    """At once: its error must not keep the step's values alive until the next garbage collection."""
    section, fed = tf.CriticalSection(), tf.placeholder(tf.float32)
    checked = section.execute(lambda: tf.check_numerics(fed, "wrong"))
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(checked, {fed: np.nan})
    found = []
    thread = threading.Thread(target=lambda: found.append(session.run(checked, {fed: 1.0})))
    thread.start()
    thread.join(10)
    assert found == [1.0]


def test_operations_and_structures_come_back(session):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    section = tf.CriticalSection(name="apart")
    assert section.name == "apart"
    session.run(v.initializer)
    done = section.execute(lambda: v.assign(3.0).op)
    assert isinstance(done, tf.Operation)
    session.run(done)
    assert session.run(section.execute(lambda: {"a": v + 1.0, "b": (v * 2.0,)})) == {"a": 4.0, "b": (6.0,)}


def test_what_would_never_end_is_refused():
    with tf.Graph().as_default():
        section = tf.CriticalSection()
        with pytest.raises(ValueError, match="directly access the CriticalSection"):
            section.execute(lambda: section.execute(lambda: tf.constant(1.0)))


def test_resources_belong_to_one_section():
    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=0.0, use_resource=True)
        first, second = tf.CriticalSection(), tf.CriticalSection()
        first.execute(lambda: v + 1)
        first.execute(lambda: v - 1)
        with pytest.raises(ValueError, match="exclusive resource access"):
            second.execute(lambda: v + 1)
        w = tf.get_variable("w", initializer=0.0, use_resource=True)
        first.execute(lambda: w + 1, exclusive_resource_access=False)
        second.execute(lambda: w + 1, exclusive_resource_access=False)


def test_inside_a_loop(session):
    section = tf.CriticalSection()
    total = tf.while_loop(lambda i, _: i < 10, lambda i, j: (i + 1, section.execute(lambda: j + i)), [0, 0])[1]
    assert session.run(total) == 45
