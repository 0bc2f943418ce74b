"""Batch, Unbatch and tf.nondifferentiable_batch_function: steps that run at the same time share one batch."""

import threading

import numpy as np
import pytest

import evergraph as tf


def _together(sess, fetches, feeds):
    """What each of several concurrent steps gives; those that fail give their error."""
    found = [None] * len(feeds)

    def run(place):
        try:
            found[place] = sess.run(fetches, feeds[place])
        except tf.errors.OpError as error:
            found[place] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(feeds))]
    for t in threads:
        t.start()
    for t in threads:
        t.join(30)
    return found


def _batch(tensors, size, timeout=30_000_000, **options):
    return tf.raw_ops.Batch(in_tensors=tensors, num_batch_threads=1, max_batch_size=size, batch_timeout_micros=timeout,
                            grad_timeout_micros=30_000_000, **options)


def test_one_step_gets_all_rows():
    x, y = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None, 2])
    batched, index, number = _batch([x, y], 3)
    with tf.Session() as sess:
        feeds = [{x: [1], y: [[1, 1]]}, {x: [2, 3], y: [[2, 2], [3, 3]]}]
        results = sorted(_together(sess, [*batched, index, number], feeds), key=lambda r: len(r[0]))
    nothing, (all_x, all_y, spans, last) = results
    assert [a.shape for a in nothing[:3]] == [(0,), (0, 2), (0, 3)]
    assert sorted(all_x) == [1, 2, 3]
    np.testing.assert_array_equal(all_y, np.stack([all_x, all_x], 1))
    assert spans[-1, 0] == last and {nothing[3], last} == set(spans[:, 0])
    assert sorted(spans[:, 2] - spans[:, 1]) == [1, 2]


def test_a_batch_that_does_not_fill_up_goes_on_after_a_while():
    x = tf.placeholder(tf.float32, [None])
    batched, index, _ = _batch([x], 10, timeout=1000, allowed_batch_sizes=[4, 10])
    with tf.Session() as sess:
        values, spans = sess.run([batched[0], index], {x: [5.0, 6.0]})
        assert values.tolist() == [5, 6, 5, 5] and spans[:, 1:].tolist() == [[0, 2]]


def test_there_and_back_with_gradients():
    x = tf.placeholder(tf.float32, [None])
    batched, index, number = _batch([x], 3)
    y = tf.raw_ops.Unbatch(batched_tensor=batched[0] ** 2, batch_index=index, id=number, timeout_micros=30_000_000)
    slope, = tf.gradients(y, x)
    with tf.Session() as sess:
        one, two = _together(sess, [y, slope], [{x: [3.0]}, {x: [4.0, 5.0]}])
    assert one[0].tolist() == [9] and one[1].tolist() == [6]
    assert two[0].tolist() == [16, 25] and two[1].tolist() == [8, 10]


def test_unbatch_does_not_wait_for_ever():
    y = tf.raw_ops.Unbatch(batched_tensor=tf.zeros([0]), batch_index=tf.zeros([0, 3], tf.int64),
                           id=tf.constant(10 ** 12, tf.int64), timeout_micros=1000)
    with tf.Session() as sess, pytest.raises(tf.errors.DeadlineExceededError):
        sess.run(y)


def test_function_is_called_once():
    calls, shift = [], tf.Variable(1.0)

    @tf.nondifferentiable_batch_function(1, 3, 30_000_000)
    def computed(rows, others):
        count = tf.py_func(lambda r: calls.append(len(r)) or np.float32(0), [rows], tf.float32)
        return rows + shift + count, {"product": rows * others}

    x = tf.placeholder(tf.float32, [None])
    y = computed(x, 2.0 * x)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        one, two = _together(sess, y, [{x: [3.0]}, {x: [4.0, 5.0]}])
    assert calls == [3]
    assert one[0].tolist() == [4] and one[1]["product"].tolist() == [18]
    assert two[0].tolist() == [5, 6] and two[1]["product"].tolist() == [32, 50]


def test_an_error_fails_all_steps_of_the_batch():
    @tf.nondifferentiable_batch_function(1, 2, 30_000_000)
    def checked(rows):
        return tf.check_numerics(rows, "bad")

    x = tf.placeholder(tf.float32, [None])
    y = checked(x)
    with tf.Session() as sess:
        found = _together(sess, y, [{x: [1.0]}, {x: [np.nan]}])
    assert all(isinstance(f, tf.errors.InvalidArgumentError) for f in found)


@pytest.mark.parametrize("build, error", [
    (lambda x: _batch([x, tf.zeros([3])], 9), "equal 0th-dimension"),
    (lambda x: _batch([x], 1), "does not fit"),
    (lambda x: _batch([x], 9, allowed_batch_sizes=[4, 8]), "allowed_batch_sizes"),
    (lambda x: _batch([tf.constant(1.0)], 9), "at least one dimension"),
])  # fmt: skip
def test_what_is_refused(build, error):
    batched = build(tf.constant([1.0, 2.0]))[0]
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=error):
        sess.run(batched)
