"""Queues: order, waiting, closing, batches."""

import threading
import time

import numpy as np
import pytest

import evergraph as tf

pytestmark = pytest.mark.usefixtures("session")


def test_first_in_first_out(session):
    queue = tf.FIFOQueue(10, [tf.float32, tf.string], shapes=[[], [2]], name="q")
    session.run(queue.enqueue((1.0, ["a", "b"])))
    session.run(queue.enqueue_many(([2.0, 3.0], [["c", "d"], ["e", "f"]])))
    assert session.run(queue.size()) == 3
    number, words = session.run(queue.dequeue())
    assert number == 1.0 and words.tolist() == [b"a", b"b"]
    many = queue.dequeue_many(2)
    assert many[0].shape.as_list() == [2] and many[1].shape.as_list() == [2, 2]
    numbers, words = session.run(many)
    assert numbers.tolist() == [2.0, 3.0] and words.tolist() == [[b"c", b"d"], [b"e", b"f"]]


def test_taking_waits_for_adding(session):
    queue = tf.FIFOQueue(1, tf.int32)
    x = tf.placeholder(tf.int32)
    add, take = queue.enqueue(x), queue.dequeue()
    got = []
    thread = threading.Thread(target=lambda: got.extend(int(session.run(take)) for _ in range(5)))
    thread.start()
    for i in range(5):
        session.run(add, {x: i})
    thread.join()
    assert got == list(range(5))


def test_a_closed_queue_empties(session):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    session.run(queue.enqueue_many([[1, 2, 3]]))
    session.run(queue.close())
    assert session.run(queue.is_closed())
    with pytest.raises(tf.errors.CancelledError, match="is closed"):
        session.run(queue.enqueue(4))
    with pytest.raises(tf.errors.OutOfRangeError, match="insufficient elements"):
        session.run(queue.dequeue_many(5))
    assert session.run(queue.dequeue_up_to(5)).tolist() == [1, 2, 3]  # nothing was lost by the failure
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(queue.dequeue())


def test_closing_wakes_those_who_wait(session):
    queue = tf.FIFOQueue(1, tf.int32)
    take, errors = queue.dequeue(), []

    def work():
        try:
            session.run(take)
        except tf.errors.OutOfRangeError as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    session.run(queue.close())
    thread.join()
    assert len(errors) == 1


def test_closing_the_session_wakes_them_too():
    queue = tf.FIFOQueue(1, tf.int32)
    take, started, errors = queue.dequeue(), threading.Event(), []
    session = tf.Session()

    def work():
        started.set()
        try:
            session.run(take)
        except (tf.errors.CancelledError, RuntimeError) as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    time.sleep(0.05)
    session.close()
    thread.join(10)
    assert len(errors) == 1


def test_padding(session):
    queue = tf.PaddingFIFOQueue(10, [tf.int32], shapes=[[None, 2]])
    x = tf.placeholder(tf.int32)
    for rows in (1, 3):
        session.run(queue.enqueue(x), {x: np.ones((rows, 2))})
    assert session.run(queue.dequeue_many(2)).sum(-1).tolist() == [[2, 0, 0], [2, 2, 2]]


def test_priority(session):
    queue = tf.PriorityQueue(10, tf.string, shapes=[[]])
    session.run(queue.enqueue_many(([5, 1, 3], ["five", "one", "three"])))
    assert session.run(queue.dequeue_many(3))[1].tolist() == [b"one", b"three", b"five"]


def test_shuffling_keeps_some_behind(session):
    queue = tf.RandomShuffleQueue(20, 5, tf.int32, shapes=[[]], seed=1)
    session.run(queue.enqueue_many([list(range(10))]))
    first = session.run(queue.dequeue_many(5)).tolist()
    got = []
    thread = threading.Thread(target=lambda: got.append(int(session.run(queue.dequeue()))))
    take = queue.size()
    thread.start()
    assert session.run(take) == 5 and not got  # the last five stay until the queue is closed
    session.run(queue.close())
    thread.join()
    rest = session.run(queue.dequeue_many(4)).tolist()
    assert sorted(first + got + rest) == list(range(10)) and first != sorted(first)


def test_names_and_shapes_are_checked(session):
    queue = tf.FIFOQueue(10, [tf.int32, tf.float32], shapes=[[], [2]], names=["a", "b"])
    with pytest.raises(ValueError, match="enqueue a dictionary"):
        queue.enqueue([1, [1.0, 2.0]])
    with pytest.raises(ValueError):
        queue.enqueue({"a": 1, "b": [1.0]})
    session.run(queue.enqueue({"a": 1, "b": [1.0, 2.0]}))
    assert session.run(queue.dequeue())["a"] == 1
    x = tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Shape mismatch in tuple component 1"):
        session.run(queue.enqueue({"a": 1, "b": x}), {x: [1.0]})


def test_one_of_several(session):
    queues = [tf.FIFOQueue(3, tf.int32) for _ in range(2)]
    for i, queue in enumerate(queues):
        session.run(queue.enqueue(i))
    index = tf.placeholder(tf.int32)
    assert session.run(tf.QueueBase.from_list(index, queues).dequeue(), {index: 1}) == 1
