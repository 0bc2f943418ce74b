"""tf.train.Coordinator, LooperThread, QueueRunner and the collection of queue runners."""

import subprocess
import sys
import threading
import time

import pytest

import evergraph as tf


def test_coordinator_stops_all_and_raises_the_first_error():
    coord = tf.train.Coordinator()

    def work(fails):
        with coord.stop_on_exception():
            if fails:
                raise KeyError("first")
            coord.wait_for_stop()
            raise KeyError("second")

    threads = [threading.Thread(target=work, args=(i == 2,)) for i in range(4)]
    for t in threads:
        t.start()
    with pytest.raises(KeyError, match="first"):
        coord.join(threads)
    assert coord.joined and coord.should_stop()
    with pytest.raises(KeyError, match="first"):
        coord.raise_requested_exception()
    coord.clear_stop()
    assert not coord.joined and not coord.should_stop()
    coord.raise_requested_exception()


def test_end_of_input_is_no_error():
    coord = tf.train.Coordinator()
    coord.request_stop(tf.errors.OutOfRangeError(None, None, "over"))
    coord.join()


def test_join_asks_no_one_to_stop():
    coord, rounds = tf.train.Coordinator(), []
    for _ in range(2):
        thread = threading.Thread(target=lambda: rounds.append(coord.should_stop()))
        thread.start()
        coord.join([thread])
    assert rounds == [False, False] and coord.joined and not coord.should_stop()


def test_errors_after_join_are_raised_at_once():
    coord = tf.train.Coordinator()
    coord.join()
    with pytest.raises(ZeroDivisionError):
        coord.request_stop(ZeroDivisionError())


def test_threads_that_do_not_stop():
    coord, over = tf.train.Coordinator(), threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    coord.request_stop()
    with pytest.raises(RuntimeError, match="still running"):
        coord.join([thread], stop_grace_period_secs=0.01)
    coord.join([thread], stop_grace_period_secs=0.01, ignore_live_threads=True)
    over.set()
    thread.join()


def test_looper_thread():
    coord, calls = tf.train.Coordinator(), []

    class Looper(tf.train.LooperThread):
        def start_loop(self):
            calls.append("start")

        def run_loop(self):
            calls.append(time.monotonic())
            if len(calls) == 4:
                self._coord.request_stop()

        def stop_loop(self):
            calls.append("stop")

    Looper(coord, 0.02).start()
    coord.join()
    assert calls[0] == "start" and calls[-1] == "stop" and len(calls) == 5
    assert calls[3] - calls[1] >= 0.03
    with pytest.raises(ValueError):
        tf.train.LooperThread("coord", 1)


def _counting(limit):
    """A queue runner that counts a variable up, and the variable."""
    count = tf.Variable(tf.constant(0, tf.int64))
    queue = tf.FIFOQueue(10, tf.float32)
    return tf.train.QueueRunner(queue, [count.count_up_to(limit)]), count


def test_queue_runner_closes_the_queue_when_the_input_ends():
    runner, count = _counting(3)
    closed = runner.queue.is_closed()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        threads = runner.create_threads(sess, start=True)
        for t in threads:
            t.join()
        assert sess.run(count) == 3 and sess.run(closed)
        assert runner.exceptions_raised == []
        assert [t.name for t in threads] == ["QueueRunnerThread-fifo_queue-CountUpTo:0"]


def test_a_runner_runs_once_in_each_session():
    runner, _ = _counting(3)
    with tf.Session() as first, tf.Session() as second:
        coord = tf.train.Coordinator()
        assert len(runner.create_threads(first, coord)) == 2
        assert runner.create_threads(first, coord) == []
        assert len(runner.create_threads(second, coord)) == 2


def test_stopping_cancels_an_enqueue_that_waits():
    queue = tf.FIFOQueue(2, tf.float32)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 2))
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert len(threads) == 3
        sess.run(queue.dequeue())
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=10)


def test_errors_without_a_coordinator_are_kept():
    queue = tf.FIFOQueue(2, tf.float32)
    runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.check_numerics(tf.constant(float("nan")), "bad"))])
    with tf.Session() as sess:
        for t in runner.create_threads(sess, start=True):
            t.join()
    error, = runner.exceptions_raised
    assert isinstance(error, tf.errors.InvalidArgumentError)


def test_messages_there_and_back():
    queue = tf.FIFOQueue(10, tf.float32, name="scope/queue")
    runner = tf.train.QueueRunner(queue, [tf.no_op("scope/enqueue")], tf.no_op("scope/close"), tf.no_op("scope/cancel"),
                                  (tf.errors.OutOfRangeError, tf.errors.CancelledError))
    message = runner.to_proto(export_scope="scope")
    assert message.queue_name == "queue" and list(message.enqueue_op_name) == ["enqueue"]
    again = tf.train.QueueRunner.from_proto(message, import_scope="scope")
    assert again.name == "scope/queue" and again.enqueue_ops == runner.enqueue_ops
    assert again.queue_closed_exception_types == (tf.errors.OutOfRangeError, tf.errors.CancelledError)
    assert runner.to_proto(export_scope="other") is None


def test_meta_graph_keeps_queue_runners(tmp_path):
    numbers = tf.train.range_input_producer(3, num_epochs=1, shuffle=False, name="numbers")
    tf.identity(numbers.dequeue(), name="number")
    tf.train.export_meta_graph(str(tmp_path / "graph.meta"))
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.train.import_meta_graph(str(tmp_path / "graph.meta"))
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert [sess.run("number:0") for _ in range(3)] == [0, 1, 2]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run("number:0")
        coord.request_stop()
        coord.join(threads)


@pytest.mark.parametrize("make, error", [
    (lambda: tf.train.QueueRunner(), ValueError),
    (lambda: tf.train.QueueRunner(tf.FIFOQueue(1, tf.int32), []), ValueError),
    (lambda: tf.train.QueueRunner(tf.FIFOQueue(1, tf.int32), [tf.no_op()], queue_closed_exception_types=(int,)),
     TypeError),
    (lambda: tf.train.start_queue_runners(), ValueError),
    (lambda: tf.train.start_queue_runners("session"), TypeError),
])  # fmt: skip
def test_what_is_refused(make, error):
    with pytest.raises(error):
        make()


def test_second_or_step_timer():
    timer = tf.train.SecondOrStepTimer(every_steps=3)
    assert timer.should_trigger_for_step(1) and timer.update_last_triggered_step(1) == (None, None)
    assert [timer.should_trigger_for_step(s) for s in (1, 2, 3, 4)] == [False, False, False, True]
    seconds, steps = timer.update_last_triggered_step(4)
    assert seconds >= 0 and steps == 3 and timer.last_triggered_step() == 4
    timer.reset()
    assert timer.last_triggered_step() is None and timer.should_trigger_for_step(4)
    slow = tf.train.SecondOrStepTimer(every_secs=100.0)
    slow.update_last_triggered_step(1)
    assert not slow.should_trigger_for_step(1000)
    with pytest.raises(ValueError):
        tf.train.SecondOrStepTimer()
    with pytest.raises(ValueError):
        tf.train.SecondOrStepTimer(1.0, 2)


def test_threads_that_share_a_counter_lose_nothing():
    count = tf.Variable(tf.constant(0, tf.int64), name="count")
    queue = tf.RandomShuffleQueue(20, 5, tf.int64, shapes=[()])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(count.count_up_to(200))] * 5)
    one = queue.dequeue()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord, start=True)
        assert sorted(sess.run(one) for _ in range(200)) == list(range(200))
        coord.request_stop()
        coord.join(threads)


_NEVER_STOPPED = """
import evergraph as tf
image = tf.random_uniform([1, 32, 32, 3])
batch = tf.train.batch([tf.nn.conv2d(image, tf.ones([3, 3, 3, 8]), [1, 1, 1, 1], "SAME")], 2, num_threads=3)
session = tf.InteractiveSession()
tf.train.start_queue_runners()
for _ in range(5):
    session.run(batch)
"""


def test_a_program_may_end_without_stopping_its_threads():
    done = subprocess.run([sys.executable, "-c", _NEVER_STOPPED], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and done.stderr == ""
