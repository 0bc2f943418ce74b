"""Barriers: elements whose components arrive one by one."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph.frontend.input.barrier import Barrier

FIRST = -(2**63)


def two(shapes=((), (2,))):
    barrier = Barrier([tf.float32, tf.int64], shapes)
    keys = tf.placeholder(tf.string, [None])
    numbers, pairs = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int64, [None, 2])
    inserts = barrier.insert_many(0, keys, numbers), barrier.insert_many(1, keys, pairs)
    return barrier, keys, numbers, pairs, inserts


def test_elements_are_complete_with_their_last_component(session):
    barrier, keys, numbers, pairs, (first, second) = two()
    sizes = [barrier.ready_size(), barrier.incomplete_size()]
    session.run(first, {keys: ["a", "b"], numbers: [1.0, 2.0]})
    session.run(first, {keys: ["c"], numbers: [3.0]})
    assert session.run(sizes) == [0, 3]
    session.run(second, {keys: ["c", "b"], pairs: [[5, 6], [7, 8]]})
    assert session.run(sizes) == [2, 1]
    indices, names, (values, more) = session.run(barrier.take_many(2))
    assert indices.tolist() == [FIRST, FIRST + 1] and names.tolist() == [b"b", b"c"]     # the oldest insertion first
    assert values.tolist() == [2.0, 3.0] and more.tolist() == [[7, 8], [5, 6]]


def test_a_take_waits_for_elements(session):
    barrier, keys, numbers, pairs, inserts = two()
    take, taken = barrier.take_many(2), []
    thread = threading.Thread(target=lambda: taken.append(session.run(take)))
    thread.start()
    for key in "ab":
        session.run(inserts, {keys: [key], numbers: [0.0], pairs: [[1, 2]]})
    thread.join(10)
    assert taken[0][1].tolist() == [b"a", b"b"]


def test_a_closed_barrier_completes_what_it_has(session):
    barrier, keys, numbers, pairs, (first, second) = two()
    session.run(first, {keys: ["a"], numbers: [1.0]})
    session.run(barrier.close())
    with pytest.raises(tf.errors.CancelledError, match="is closed"):
        session.run(first, {keys: ["b"], numbers: [1.0]})
    session.run(second, {keys: ["a"], pairs: [[1, 2]]})
    with pytest.raises(tf.errors.OutOfRangeError, match=r"insufficient elements \(requested 2, total size 1\)"):
        session.run(barrier.take_many(2))
    assert session.run(barrier.take_many(2, allow_small_batch=True))[1].tolist() == [b"a"]
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(barrier.take_many(2, allow_small_batch=True))


def test_cancelled_insertions_are_refused(session):
    barrier, keys, numbers, pairs, (first, second) = two()
    session.run(first, {keys: ["a"], numbers: [1.0]})
    session.run(barrier.close(cancel_pending_enqueues=True))
    with pytest.raises(tf.errors.CancelledError):
        session.run(second, {keys: ["a"], pairs: [[1, 2]]})


def test_what_does_not_fit_is_refused(session):
    barrier, keys, numbers, pairs, (first, _) = two()
    session.run(first, {keys: ["a"], numbers: [1.0]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="already has a value for component 0"):
        session.run(first, {keys: ["a"], numbers: [1.0]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="a value for each of 2 keys"):
        session.run(first, {keys: ["b", "c"], numbers: [1.0]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="Shape mismatch in tuple component 1"):
        session.run(barrier.insert_many(1, ["a"], np.zeros([1, 3], np.int64)))
    with pytest.raises(ValueError, match="Empty tensors are not supported"):
        Barrier([tf.float32], [[0]])
    with pytest.raises(ValueError, match="as many shapes as dtypes"):
        Barrier([tf.float32], [[], []])


def test_barriers_of_one_shared_name_agree(session):
    session.run(Barrier(tf.float32, [], shared_name="one").barrier_ref)
    with pytest.raises(tf.errors.InvalidArgumentError, match="component types"):
        session.run(Barrier(tf.int32, [], shared_name="one").barrier_ref)
