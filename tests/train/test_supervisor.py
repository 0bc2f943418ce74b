"""tf.train.Supervisor: sessions, and the threads that save while they run."""

import glob
import threading
import time

import numpy as np
import pytest

import evergraph as tf


def events(folder):
    """(step, kind, tags or status) for each event of the latest file."""
    found = []
    for event in tf.train.summary_iterator(sorted(glob.glob(f"{folder}/events*"))[-1]):
        kind = event.WhichOneof("what")
        tags = [value.tag for value in event.summary.value]
        found.append((event.step, kind, tags or (event.session_log.status if kind == "session_log" else None)))
    return found


def until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_managed_session(graph, tmp_path):
    v = tf.Variable([1.0, 2.0])
    sv = tf.train.Supervisor(logdir=str(tmp_path))
    assert graph.finalized and sv.is_chief and sv.save_path == str(tmp_path / "model.ckpt")
    with sv.managed_session() as sess:
        np.testing.assert_array_equal(sess.run(v), [1, 2])
        assert not sv.should_stop()
    assert sv.should_stop()
    with pytest.raises(RuntimeError, match="closed"):
        sess.run(v)


def test_errors_of_the_block(tmp_path):
    tf.constant(1)
    sv = tf.train.Supervisor(logdir=str(tmp_path))
    with pytest.raises(KeyError, match="mine"):
        with sv.managed_session():
            raise KeyError("mine")
    assert sv.should_stop()
    with sv.managed_session():  # the end of an input is none
        raise tf.errors.OutOfRangeError(None, None, "end")


def test_training_goes_on_from_the_checkpoint(tmp_path):
    for last in (3, 5):
        with tf.Graph().as_default():
            step = tf.train.create_global_step()
            up = tf.assign_add(step, 1)
            sv = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0, save_summaries_secs=0)
            with sv.managed_session() as sess:
                assert sess.run(step) == (0 if last == 3 else 3)
                while sess.run(up) < last:
                    pass
                sv.saver.save(sess, sv.save_path, global_step=step)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-5")


def test_a_lost_worker_in_basic_train_loop(tmp_path):
    step = tf.train.create_global_step()
    up, seen = tf.assign_add(step, 1), []
    sv = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0)

    def train(sess, last):
        seen.append(int(sess.run(up)))
        sv.saver.save(sess, sv.save_path, global_step=step)
        if len(seen) == 2:
            raise tf.errors.AbortedError(None, None, "lost")
        if seen[-1] == last:
            sv.request_stop()

    tf.train.basic_train_loop(sv, train, (4,))
    assert seen == [1, 2, 3, 4]


def test_what_the_threads_write(tmp_path):
    step = tf.Variable([123], name="global_step")
    tf.summary.scalar("v", 1.0)
    sv = tf.train.Supervisor(logdir=str(tmp_path))
    sess = sv.prepare_or_wait_for_session()
    assert sess.run(sv.global_step) == 123 == sess.run(step)
    until(lambda: tf.train.checkpoint_exists(f"{sv.save_path}-123") and (tmp_path / "checkpoint").exists())
    time.sleep(0.1)
    sv.stop()
    log = tf.SessionLog
    found = events(tmp_path)
    assert found[:4] == [(0, "file_version", None), (0, "graph_def", None), (0, "meta_graph_def", None),
                         (123, "session_log", log.START)]  # fmt: skip
    assert sorted(found[4:-1], key=str) == [
        (123, "session_log", log.CHECKPOINT), (123, "summary", ["global_step/sec"]), (123, "summary", ["v"])]
    assert found[-1] == (0, "session_log", log.STOP)
    assert (tmp_path / "graph.pbtxt").exists()


def test_the_program_may_save_where_the_thread_does(tmp_path):
    v = tf.Variable(np.arange(1000.0))
    sv = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0.001)
    with sv.managed_session() as sess:
        for _ in range(10):
            sv.saver.save(sess, sv.save_path)
    assert sorted(path.name for path in tmp_path.glob("model.ckpt*")) == [
        "model.ckpt.data-00000-of-00001", "model.ckpt.index", "model.ckpt.meta"]  # fmt: skip
    with tf.Session() as sess:
        sv.saver.restore(sess, sv.save_path)
        np.testing.assert_array_equal(sess.run(v), np.arange(1000.0))


def test_summaries_by_hand(tmp_path):
    summary = tf.summary.scalar("c", 1.0)
    sv = tf.train.Supervisor(logdir=str(tmp_path), summary_op=None)
    sess = sv.prepare_or_wait_for_session(start_standard_services=False)
    sv.summary_computed(sess, sess.run(summary), global_step=7)
    sv.stop()
    assert [event for event in events(tmp_path) if event[1] == "summary"] == [(7, "summary", ["c"])]


def test_a_writer_that_stays_open(tmp_path):
    summary = tf.summary.scalar("c", 1.0)
    sv = tf.train.Supervisor(logdir=str(tmp_path), summary_op=None)
    for _ in range(2):
        with sv.managed_session(close_summary_writer=False, start_standard_services=False) as sess:
            sv.SummaryComputed(sess, sess.run(summary))
    sv.summary_writer.close()
    assert [kind for _, kind, _ in events(tmp_path)] == [
        "file_version", "graph_def", "meta_graph_def", "summary", "summary"]  # fmt: skip


def test_no_writer():
    summary = tf.summary.scalar("c", 1.0)
    sv = tf.train.Supervisor()
    sess = sv.prepare_or_wait_for_session()
    with pytest.raises(RuntimeError, match="requires a summary writer"):
        sv.summary_computed(sess, sess.run(summary))
    sv.stop()


def test_loops_and_errors_of_threads():
    tf.constant(1)
    sv, calls = tf.train.Supervisor(), []

    def work(name, times):
        calls.append(name)
        if len(calls) == times:
            raise ZeroDivisionError(name)

    with pytest.raises(ZeroDivisionError, match="work"):
        with sv.managed_session():
            thread = sv.loop(0.001, work, ("work",), {"times": 3})
            sv.wait_for_stop()
    assert isinstance(thread, threading.Thread) and calls == ["work"] * 3


def test_the_end_of_queues(tmp_path):
    queue = tf.train.string_input_producer(["a", "b"], num_epochs=2, shuffle=False)
    item, seen = queue.dequeue(), []
    sv = tf.train.Supervisor(logdir=str(tmp_path))
    with sv.managed_session() as sess:
        while not sv.should_stop():
            seen.append(sess.run(item))
    assert seen == [b"a", b"b", b"a", b"b"]


def test_what_is_given_goes_before_what_is_usual(tmp_path):
    fed = tf.placeholder(tf.float32, [2])
    v, w = tf.Variable(fed), tf.Variable(1)
    local = tf.Variable(2, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    sv = tf.train.Supervisor(init_op=v.initializer, init_feed_dict={fed: [3, 4]},
                             init_fn=lambda sess: sess.run(w.initializer), saver=None)
    assert sv.saver is None and sv.summary_op is None and sv.global_step is None
    with sv.managed_session() as sess:
        assert sess.run([w, local]) == [1, 2]
        np.testing.assert_array_equal(sess.run(v), [3, 4])


def test_others_than_the_chief(tmp_path):
    with tf.Graph().as_default():
        tf.Variable(1, name="v", use_resource=False)
        with pytest.raises(ValueError, match="v has none"):
            tf.train.Supervisor(is_chief=False)
    v = tf.Variable(1, collections=[tf.GraphKeys.LOCAL_VARIABLES], use_resource=True)
    sv = tf.train.Supervisor(is_chief=False, logdir=str(tmp_path / "none"))
    assert sv.save_path is None and sv.summary_writer is None and sv.save_model_secs is None
    with sv.managed_session() as sess:
        assert sess.run(v) == 1
        for use in (lambda: sv.start_standard_services(sess), lambda: sv.summary_computed(sess, b"")):
            with pytest.raises(RuntimeError, match="chief"):
                use()
    assert not (tmp_path / "none").exists()
