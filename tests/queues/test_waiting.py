"""Queues whose users wait for each other, and what elements look like on their way through."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.kernel.philox import initial_state
from evergraph.ops.nn.candidates import Words
from evergraph.run.executor import Executor


@pytest.fixture(autouse=True)
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def _started(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_what_a_late_one_gives_back_goes_to_the_next_in_line(session):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    many, one, held = queue.dequeue_many(3), queue.dequeue(), queue.size()
    session.run(queue.enqueue_many([[1, 2]]))
    got = []

    def take_many():
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(many, options=tf.RunOptions(timeout_in_ms=300))
        got.append("late")

    late = _started(take_many)
    while session.run(held):  # until it has both
        pass
    next_one = _started(lambda: got.append(int(session.run(one))))
    late.join(10)
    next_one.join(10)
    assert sorted(got, key=str) == [1, "late"] and session.run(held) == 1


def test_a_waiting_batch_is_woken_when_it_is_whole(session):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    many, add, got = queue.dequeue_many(3), queue.enqueue(7), []
    thread = _started(lambda: got.append(session.run(many).tolist()))
    for _ in range(3):
        assert thread.is_alive() and not got
        session.run(add)
    thread.join(10)
    assert got == [[7, 7, 7]]


def test_many_elements_go_through_a_queue_that_holds_few(session):
    queue = tf.FIFOQueue(2, tf.int32, shapes=[[]])
    add, take = queue.enqueue_many([list(range(50))]), queue.dequeue_many(25)
    thread = _started(lambda: session.run(add))
    assert session.run(take).tolist() == list(range(25))
    assert session.run(take).tolist() == list(range(25, 50))
    thread.join(10)
    assert not thread.is_alive() and session.run(queue.size()) == 0


def test_each_of_several_threads_gets_what_is_its_own(session):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]])
    x = tf.placeholder(tf.int32, [None])
    add, take, got = queue.enqueue_many(x), queue.dequeue_many(5), []
    threads = [_started(lambda: got.append(session.run(take).tolist())) for _ in range(4)]
    threads += [_started(lambda at=at: session.run(add, {x: np.arange(5) + 10 * at})) for at in range(4)]
    for thread in threads:
        thread.join(10)
    assert sorted(sum(got, [])) == [10 * at + i for at in range(4) for i in range(5)]


def test_a_closed_queue_cancels_what_waits_to_be_added(session):
    queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    add, errors = queue.enqueue_many([[1, 2, 3]]), []

    def work():
        try:
            session.run(add)
        except tf.errors.CancelledError as error:
            errors.append(error)

    thread = _started(work)
    while not session.run(queue.size()):
        pass
    session.run(queue.close(cancel_pending_enqueues=True))
    thread.join(10)
    assert len(errors) == 1 and session.run(queue.dequeue()) == 1


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_one_who_was_interrupted_takes_nothing(session):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    many, one = queue.dequeue_many(2), queue.dequeue()
    session.run(queue.enqueue(1))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        own = threading.get_ident()
        _started(lambda: (time.sleep(0.2), signal.pthread_kill(own, signal.SIGINT)))
        with pytest.raises(KeyboardInterrupt):
            session.run(many)
    finally:
        signal.signal(signal.SIGINT, before)
    assert session.run(one, options=tf.RunOptions(timeout_in_ms=5000)) == 1


def test_seeds_of_shared_queues(session):
    make = lambda seed=None: tf.RandomShuffleQueue(1, 0, tf.float32, [()], shared_name="shared_queue", seed=seed)
    without = make()  # asks for no order of its own
    tf.set_random_seed(87654321)
    session.run(make().enqueue([10.0]))
    assert session.run([make(887634792).size(), without.size()]) == [1, 1]  # TensorFlow's own seed for this name
    with pytest.raises(tf.errors.InvalidArgumentError, match="random seeds"):
        session.run(make(5).size())


def test_nodes_of_a_shared_queue_agree_every_time(session):
    make = lambda capacity: tf.FIFOQueue(capacity, tf.int32, shapes=[[]], shared_name="common")
    first, same, other = make(5), make(5), make(6)
    for _ in range(2):
        session.run(first.enqueue(1))
        assert session.run(same.dequeue()) == 1
        with pytest.raises(tf.errors.InvalidArgumentError, match="capacity 5 but requested capacity was 6"):
            session.run(other.size())


@pytest.mark.parametrize("dtype", [tf.bool, tf.uint8, tf.int64, tf.float16, tf.bfloat16, tf.float64, tf.complex64,
                                   tf.string])
@pytest.mark.parametrize("shape", [[], [2], [0], [2, 2]])
def test_rows_keep_their_type(session, dtype, shape):
    numbers = np.arange(3 * int(np.prod(shape))).reshape([3, *shape])
    rows = numbers.astype(bytes).astype(object) if dtype == tf.string else numbers.astype(dtype.as_numpy_dtype)
    queue = tf.FIFOQueue(10, dtype, shapes=[shape])
    session.run(queue.enqueue_many([rows]))
    session.run(queue.enqueue([rows[0]]))
    session.run(queue.enqueue([queue.dequeue()]))
    found = np.roll(session.run(queue.dequeue_many(4)), 1, axis=0)
    assert found.dtype == rows.dtype and found.tolist() == rows[[0, 1, 2, 0]].tolist()


def test_elements_are_the_queues_own(session):
    queue = tf.FIFOQueue(10, tf.float32, shapes=[[2]])
    x, many = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2, 2])
    fed, rows = np.zeros(2, np.float32), np.zeros((2, 2), np.float32)
    session.run(queue.enqueue(x), {x: fed})
    session.run(queue.enqueue_many(many), {many: rows})
    fed += 1
    rows += 1
    assert not session.run(queue.dequeue_many(3)).any()


def test_a_long_shuffle_uses_one_word_an_element(session):
    queue = tf.RandomShuffleQueue(1000, 0, tf.int32, shapes=[[]], seed=3)
    node = queue.queue_ref.op
    words = Words(initial_state(node.get_attr("seed"), node.get_attr("seed2")))
    left, wanted = list(range(700)), []
    while left:
        at = int(words.take(1)[0]) % len(left)
        left[at], left[-1] = left[-1], left[at]
        wanted.append(left.pop())
    session.run(queue.enqueue_many([list(range(700))]))
    assert session.run(queue.dequeue_many(700)).tolist() == wanted


def test_small_work_between_queues_is_one_stage(session):
    rows = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    others = tf.FIFOQueue(10, tf.float32, shapes=[[2]])
    table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    step = others.enqueue(tf.gather(table, rows.dequeue()) * 2.0)
    assert len(Executor([step], []).plan.runners) == 1
    session.run(rows.enqueue(1))
    session.run(step)
    assert session.run(others.dequeue()).tolist() == [6.0, 8.0]


def test_an_assertion_fails_before_anybody_waits(session):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    take = queue.dequeue()
    with tf.control_dependencies([tf.Assert(False, ["before"])]):
        add = queue.enqueue(33)
    with pytest.raises(tf.errors.InvalidArgumentError, match="before"):
        session.run([take, add], options=tf.RunOptions(timeout_in_ms=20000))


def test_other_work_between_queues_may_be_compiled(session):
    unknown, large = tf.FIFOQueue(10, tf.float32), tf.FIFOQueue(10, tf.float32, shapes=[[5_000_000]])
    stored = tf.Variable([1.0, 2.0])
    for queue, factor in ((unknown, 2.0), (large, 2.0), (tf.FIFOQueue(10, tf.float32, shapes=[[2]]), stored)):
        step = queue.enqueue(queue.dequeue() * factor)
        assert [runner.stage.on_host for runner in Executor([step], []).plan.runners] == [True, False, True]
