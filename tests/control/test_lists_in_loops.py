"""Tensor lists that loops carry: what branches push and pop, and elements that no program can hold."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import raw_ops
from tests.harness.session import TIERS


def empty():
    return raw_ops.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.float32)


def pop(values):
    return raw_ops.TensorListPopBack(input_handle=values, element_shape=[2], element_dtype=tf.float32)


def push(values, i):
    return raw_ops.TensorListPushBack(input_handle=values, tensor=tf.cast(i, tf.float32) * tf.ones([2]))


PUSHES = {  # name -> of a list and a number: the list with the number, or not
    "one branch": lambda values, i: tf.cond(i < 2, lambda: tf.identity(values), lambda: push(values, i)),
    "a branch of a branch": lambda values, i: tf.cond(
        i < 1, lambda: tf.identity(values),
        lambda: tf.cond(i < 2, lambda: tf.identity(values), lambda: push(values, i))),
    "twice": lambda values, i: tf.cond(
        i < 2, lambda: tf.identity(values), lambda: pop(push(push(values, i), -i)).output_handle),
}


@TIERS
@pytest.mark.parametrize("name", PUSHES)
def test_pushes_in_some_iterations(tier, name):
    count = tf.placeholder(tf.int32, [])
    _, values = tf.while_loop(lambda i, _: i < count, lambda i, v: (i + 1, PUSHES[name](v, i)), [0, empty()])
    length = raw_ops.TensorListLength(input_handle=values)
    _, _, digits = tf.while_loop(
        lambda i, *_: i < length, lambda i, v, d: (i + 1, pop(v).output_handle, d * 10 + pop(v).tensor),
        [0, values, tf.zeros([2])])
    with tf.Session(tier=tier) as session:
        for n, wanted in ((2, 0), (3, 2), (6, 5432), (4, 32)):
            assert session.run([length, digits], {count: n})[1].tolist() == [wanted, wanted]


@TIERS
def test_pops_in_some_iterations(tier):
    count, values = tf.placeholder(tf.int32, []), empty()
    for i in range(4):
        values = push(values, i)

    def step(i, values, digits):
        popped = pop(values)
        return i + 1, *tf.cond(tf.equal(i % 2, 0), lambda: (popped.output_handle, digits * 10 + popped.tensor),
                               lambda: (tf.identity(values), digits))

    _, _, digits = tf.while_loop(lambda i, *_: i < count, step, [0, values, tf.zeros([2])])
    with tf.Session(tier=tier) as session:
        assert session.run(digits, {count: 5}).tolist() == [321, 321]


@TIERS
def test_lists_of_texts(tier):
    """Where a loop only hands on such a list, no dtype tells that it cannot be compiled."""
    x, count = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
    start = tf.TensorArray(tf.string, count, dynamic_size=True)
    _, array = tf.while_loop(lambda i, _: i < count,
                             lambda i, a: (i + 1, a.write(i, tf.as_string(x, precision=0))), [0, start])
    _, total, array = tf.while_loop(lambda i, *_: i < count, lambda i, t, a: (i + 1, t + x, a),
                                    [0, tf.zeros([2]), array])
    slope, = tf.gradients(total * tf.string_to_number(array.gather([1, 0])[0]), x)
    with tf.Session(tier=tier) as session:
        for _ in range(3):
            assert session.run([array.size(), slope], {x: [1, 2], count: 3})[1].tolist() == [3, 6]


def _written_before(x, n):
    """A list whose last element is written before the loop that writes the others."""
    start = tf.TensorArray(tf.float32, n).write(n - 1, x[0] * 3.0)
    given = tf.TensorArray(tf.float32, n).unstack(x)
    _, array = tf.while_loop(lambda i, _: i < n - 1, lambda i, a: (i + 1, a.write(i, given.read(i) * 2.0)), [0, start])
    return array.stack()


def _made_inside(x, n):
    """A list that the body of a loop makes, and writes the last element of."""
    return tf.while_loop(
        lambda i, _: i < n,
        lambda i, a: (i + 1, a + tf.TensorArray(tf.float32, n).write(n - 1, x[i]).read(n - 1)), [0, tf.zeros([2])])[1]


def _read_in_branches(x, n):
    """The gradients by elements that branches read are lists of their own."""
    given = tf.TensorArray(tf.float32, n, clear_after_read=False).unstack(x)

    def step(i, array):
        chosen = tf.cond(x[0, 0] > 0, lambda: given.read(n - 1 - i), lambda: given.read(i) * 2.0)
        return i + 1, array.write(i, chosen)

    return tf.while_loop(lambda i, _: i < n, step, [0, tf.TensorArray(tf.float32, n)])[1].stack()


BY_LENGTH = {  # name -> of rows and their number: a tensor; in NumPy, the same and the gradient of the sum of squares
    "a scan that begins at the end": (
        lambda x, n: tf.scan(lambda a, e: a + e, x, reverse=True),
        lambda x: (np.cumsum(x[::-1], 0)[::-1], np.cumsum(2 * np.cumsum(x[::-1], 0)[::-1], 0))),
    "an element before the loop": (
        _written_before,
        lambda x: (np.concatenate([x[:-1] * 2, x[:1] * 3]),
                   np.concatenate([x[:1] * 26, x[1:-1] * 8, x[:1] * 0]) if len(x) > 1 else x * 18)),
    "a list in the body": (_made_inside, lambda x: (x.sum(0), 2 * np.broadcast_to(x.sum(0), x.shape))),
    "reads in branches": (
        _read_in_branches, lambda x: (x[::-1], 2 * x) if x[0, 0] > 0 else (2 * x, 8 * x)),
}


@TIERS
@pytest.mark.parametrize("name", BY_LENGTH)
def test_lists_of_many_lengths(tier, name):
    make, expected = BY_LENGTH[name]
    x = tf.placeholder(tf.float32, [None, 2])
    made = make(x, tf.shape(x)[0])
    slope, = tf.gradients(tf.reduce_sum(made * made), x)
    random = np.random.RandomState(0)
    with tf.Session(tier=tier) as session:
        for length in (3, 5, 4, 1, 140, 5, 300, 7):
            rows = random.randn(length, 2).astype("f")
            for found, wanted in zip(session.run([made, slope], {x: rows}), expected(rows)):
                np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


MAPS = {  # name -> of a row of an unknown size: as many numbers, by a loop over its elements
    "map": lambda row: tf.map_fn(lambda x: x * x, row),
    "map of a map": lambda row: tf.map_fn(lambda x: tf.map_fn(lambda y: y * x, row)[0], row),
    "map of a range": lambda row: tf.map_fn(lambda i: row[i] * row[0], tf.range(tf.size(row)), tf.float32),
    "scan": lambda row: tf.scan(lambda total, x: total * x, row),
    "one of the branches": lambda row: tf.cond(
        tf.reduce_sum(row) > 9, lambda: tf.map_fn(lambda x: x * 2, row), lambda: row),
}


@pytest.mark.parametrize("sizes", [[2, 3], [None, None]])
@pytest.mark.parametrize("name", MAPS)
def test_loops_over_rows_inside_of_a_map_are_compiled(name, sizes):
    x = tf.placeholder(tf.float32, sizes)
    y = tf.map_fn(MAPS[name], x)
    fetches, given = [y, tf.gradients(y, x)[0]], [[1, 2, 3], [4, 5, 6]]
    with tf.Session(tier="xla") as compiled, tf.Session(tier="numpy") as numpy:
        for found, wanted in zip(compiled.run(fetches, {x: given}), numpy.run(fetches, {x: given})):
            np.testing.assert_allclose(found, wanted, rtol=1e-6)
