"""Buffers of lists that loops fill by pushing elements: compiled programs do not fill them with zeros first."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.kernel import foreign

WIDE = 4096  # numbers in an element: lists of a few such elements have large buffers


@pytest.fixture
def unset(monkeypatch):
    """The shapes of the buffers that programs leave unset."""
    if not foreign.available("buffers.unset"):
        pytest.skip("there is no C code")
    found, call = [], foreign.call_for_all

    def noted(kernel, results, *rest):
        found.extend(shape for shape, _ in results if kernel == "buffers.unset")
        return call(kernel, results, *rest)

    monkeypatch.setattr(foreign, "call_for_all", noted)
    return found


def power(x, count):
    """x to the power of 2 ** count, element by element."""
    return tf.while_loop(lambda at, _: at < count, lambda at, value: (at + 1, tf.square(value)), (0, x))[1]


@pytest.mark.parametrize("is_known", [True, False])
def test_gradients_of_loops_push_to_unset_buffers(unset, is_known):
    x, fed = tf.placeholder(tf.float32, [WIDE]), tf.placeholder(tf.int32, [])
    times = 3 if is_known else fed
    slope = tf.gradients(power(x, times), x)[0]
    curve = tf.gradients(slope, x)[0]
    given = np.linspace(0.5, 1.1, WIDE).astype(np.float32)
    with tf.Session(tier="xla") as session:
        for _ in range(2):
            found = session.run([slope, curve], {x: given, fed: 3})
            np.testing.assert_allclose(found, [8 * given ** 7, 56 * given ** 6], rtol=1e-5)
    assert (3 if is_known else 64, WIDE) in unset


def test_small_and_integer_elements_have_zeros(unset):
    x = tf.placeholder(tf.float32, [4])
    slope = tf.gradients(power(x, 3), x)[0]
    rows = tf.placeholder(tf.int32, [3, WIDE])
    doubled = tf.map_fn(lambda row: row * 2, rows)
    with tf.Session(tier="xla") as session:
        session.run([slope, doubled], {x: np.ones(4), rows: np.ones((3, WIDE))})
    assert unset == []


def test_elements_that_nobody_wrote_are_zeros(unset):
    count = tf.placeholder(tf.int32, [])
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[WIDE])
    last = tf.while_loop(lambda at, _: at < count, lambda at, a: (at + 1, a.write(2 * at, tf.ones([WIDE]))),
                         (0, array))[1]
    with tf.Session(tier="xla") as session:
        found = session.run(last.stack(), {count: 3})
    np.testing.assert_array_equal(found, np.repeat([[1.0], [0.0], [1.0], [0.0], [1.0]], WIDE, axis=1))
    assert unset == []


def test_a_loop_that_fails_changes_nothing(unset):
    total = tf.get_variable("total", initializer=np.zeros(WIDE, np.float32))
    x, limit = tf.placeholder(tf.float32, [WIDE]), tf.placeholder(tf.float32, [])

    def step(at, value):
        with tf.control_dependencies([tf.assert_less(tf.reduce_max(value), limit)]):
            return at + 1, tf.square(value)

    powered = tf.while_loop(lambda at, _: at < 3, step, (0, x))[1]
    add = tf.assign_add(total, tf.gradients(powered, x)[0])
    with tf.Session(tier="xla") as session:
        session.run(total.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(add.op, {x: np.full(WIDE, 3.0), limit: 50.0})
        assert not session.run(total).any()
        session.run(add.op, {x: np.full(WIDE, 1.0), limit: 50.0})
        np.testing.assert_array_equal(session.run(total), np.full(WIDE, 8.0))
    assert unset
