"""How many programs steps need whose sizes, or whose values, move: each case counts compilations."""

import contextlib

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.cache import compilations

DATA = np.arange(200, dtype=np.float32).reshape(2, 100)


@contextlib.contextmanager
def compiles(count):
    """A block that compiles so many programs."""
    before = compilations.count
    yield
    assert compilations.count - before == count


def with_set_shape(x, at):
    """What a reader of texts does: the ends of a slice move, and the program says how long it is."""
    part = tf.strided_slice(x, [0, at * 10], [2, (at + 1) * 10])
    part.set_shape([2, 10])
    return part


def with_open_end(x, at):
    part = x[:, at + 90:]
    part.set_shape([2, 10])
    return part


def with_size_of_slice(x, at):
    part = tf.slice(x, [0, at * 10], [2, tf.minimum(10, 11 + at)])
    part.set_shape([2, 10])
    return part


WINDOWS = [
    (with_set_shape, lambda at: DATA[:, 10 * at:10 * at + 10]),
    (with_size_of_slice, lambda at: DATA[:, 10 * at:10 * at + 10]),
    (lambda x, at: x[:, at * 10:(at + 1) * 10], lambda at: DATA[:, 10 * at:10 * at + 10]),
    (lambda x, at: x[:, at + 1:at + 4], lambda at: DATA[:, at + 1:at + 4]),
    (lambda x, at: tf.slice(x, [0, at], [2, 5]), lambda at: DATA[:, at:at + 5]),
    (lambda x, at: tf.gather(x, tf.range(3 * at, 3 * at + 7, 2), axis=1), lambda at: DATA[:, 3 * at:3 * at + 7:2]),
    (lambda x, at: tf.gather(x, tf.range(at + 5, at, -1), axis=1), lambda at: DATA[:, at + 5:at:-1]),
]


def test_windows_that_move_are_one_program():
    at = tf.placeholder(tf.int32, [])
    x = tf.Variable(DATA)
    parts = [window(x, at) for window, _ in WINDOWS]
    gradients = [tf.gradients(tf.reduce_sum(part * part), x)[0] for part in parts]
    with tf.Session(tier="xla") as session:
        session.run(x.initializer)
        with compiles(1):
            for step in range(9):
                values, slopes = session.run([parts, gradients], {at: step})
                for value, slope, (_, expected) in zip(values, slopes, WINDOWS, strict=True):
                    np.testing.assert_array_equal(value, expected(step))
                    assert slope.sum() == 2 * value.sum()


def test_an_open_end_with_a_known_size():
    at = tf.placeholder(tf.int32, [])
    part = with_open_end(tf.Variable(DATA), at)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(6):
            np.testing.assert_array_equal(session.run(part * 2.0, {at: 0}), DATA[:, 90:] * 2)
        np.testing.assert_array_equal(session.run(part * 2.0, {at: 3}), DATA[:, 93:] * 2)


def test_the_last_window_is_shorter():
    """Every epoch ends with a batch that the data cut short: it runs on NumPy, and nothing is compiled for it."""
    at = tf.placeholder(tf.int32, [])
    x = tf.constant(np.arange(1000, dtype=np.float32).reshape(100, 10))
    w = tf.Variable(tf.ones([10, 3]))
    batch = x[at * 11:(at + 1) * 11]
    loss = tf.reduce_sum(tf.matmul(batch, w))
    step = tf.assign_add(w, tf.gradients(loss, w)[0])
    with tf.Session() as session:
        session.run(w.initializer)
        with compiles(1):
            for _ in range(4):
                sizes = [len(session.run([batch, step.op], {at: number})[0]) for number in range(10)]
        assert sizes == [11] * 9 + [1]
        total = np.arange(1000, dtype=np.float32).reshape(100, 10).sum(0)
        np.testing.assert_allclose(session.run(w)[:, 0], 1 + 4 * total)


@pytest.mark.parametrize("tier", ["xla", None])
def test_windows_that_are_cut_short_all_the_time(tier):
    at = tf.placeholder(tf.int32, [])
    x = tf.Variable(DATA)
    part = x[:, at:at + 50] * 2.0
    with tf.Session(tier=tier) as session:
        session.run(x.initializer)
        for step in (0, 90, 80, 95, 80, -10, 0, 70, 90):
            np.testing.assert_array_equal(session.run(part, {at: step}), DATA[:, step:step + 50] * 2)


def test_a_window_of_a_variable_is_assigned():
    at = tf.placeholder(tf.int32, [])
    x = tf.Variable(DATA)
    step = x[:, at:at + 3].assign(tf.ones([2, 3]))
    with tf.Session(tier="xla") as session:
        session.run(x.initializer)
        with compiles(1):
            for number in (0, 10, 97):
                session.run(step.op, {at: number})
        assert session.run(x)[:, [0, 2, 10, 12, 97, 99]].tolist() == [[1] * 6] * 2
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(step.op, {at: 98})


def test_random_crops_are_one_program():
    images = tf.placeholder(tf.float32, [8, 8, 3])
    crop = tf.random_crop(images, [4, 4, 3], seed=1) * 2.0
    with tf.Session(tier="xla") as session, compiles(1):
        assert {session.run(crop, {images: np.ones([8, 8, 3])}).sum() for _ in range(5)} == {96.0}
