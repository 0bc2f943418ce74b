"""tf.train.SyncReplicasOptimizer in one process: threads are the workers."""

import threading
import time

import numpy as np
import pytest

import evergraph as tf


def _reached(sess, step, value):
    """Waits until the chief's thread has done that step."""
    deadline = time.monotonic() + 20
    while sess.run(step) < value:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_worker():
    """TensorFlow 2.15 gave the values of this program: the second step is lost, as its gradients are of step 0."""
    step = tf.train.create_global_step()
    w = tf.Variable([1.0, 2.0], name="w", use_resource=False)
    t = tf.Variable([[3.0], [4.0]], name="t", use_resource=False)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 1)
    train = optimizer.minimize(tf.reduce_sum(w * w) + tf.reduce_sum(tf.gather(t, [1, 1])), global_step=step)
    hook = optimizer.make_session_run_hook(True)
    hook.begin()
    wanted = [([0.8, 1.6], 3.8), ([0.8, 1.6], 3.8), ([0.46, 0.92], 3.42), ([0.062, 0.124], 2.878)]
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        hook.after_create_session(sess, coord)
        for number, (dense, row) in zip([1, 1, 2, 3], wanted):
            sess.run(train)
            _reached(sess, step, number)
            np.testing.assert_allclose(sess.run(w), dense, rtol=1e-5)
            np.testing.assert_allclose(sess.run(t), [[3.0], [row]], rtol=1e-5)
        coord.request_stop()
    coord.join(stop_grace_period_secs=10)  # closing the session ends the chief's wait for more gradients


def test_two_workers():
    step = tf.train.create_global_step()
    v = tf.Variable(1.0)
    gradient = tf.placeholder(tf.float32, [])
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(2.0), replicas_to_aggregate=2,
                                               total_num_replicas=2)
    train = optimizer.apply_gradients([(gradient, v)], global_step=step)
    hook = optimizer.make_session_run_hook(True, num_tokens=0)
    hook.begin()
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        hook.after_create_session(sess, coord)
        workers = [threading.Thread(target=sess.run, args=(train, {gradient: g})) for g in (0.1, 0.3)]
        for t in workers:
            t.start()
        for t in workers:
            t.join(20)
        assert sess.run(step) == 1
        np.testing.assert_allclose(sess.run(v), 1 - 0.2 * 2, rtol=1e-6)
        coord.request_stop()
    coord.join(stop_grace_period_secs=10)  # closing the session ends the chief's wait for more gradients


def test_nothing_moves_before_there_are_gradients():
    """What the chief does waits for the gradients, the step and the tokens included."""
    step, v = tf.train.create_global_step(), tf.Variable(1.0)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 1)
    optimizer.apply_gradients([(tf.constant(1.0), v)], global_step=step)
    runner = optimizer.get_chief_queue_runner()
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        runner.create_threads(sess, coord, start=True)
        time.sleep(0.2)
        assert sess.run([step, v, runner.queue.size()]) == [0, 1.0, 0]
        coord.request_stop()
    coord.join(stop_grace_period_secs=10)


def test_slots_and_variables_are_those_of_the_optimizer_inside():
    step, v = tf.train.create_global_step(), tf.Variable([1.0])
    inside = tf.train.AdamOptimizer(0.1)
    optimizer = tf.train.SyncReplicasOptimizer(inside, 1)
    optimizer.minimize(v, global_step=step)
    assert optimizer.get_slot(v, "m") is inside.get_slot(v, "m") is not None
    assert optimizer.get_slot_names() == ["m", "v"] and optimizer.variables() == inside.variables()


def test_what_is_refused():
    v = tf.Variable(1.0)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 3, 1)
    for early in (optimizer.get_chief_queue_runner, optimizer.get_init_tokens_op,
                  optimizer.make_session_run_hook(True).begin):
        with pytest.raises(ValueError, match="apply_gradient"):
            early()
    with pytest.raises(ValueError, match="global step"):
        optimizer.apply_gradients([(tf.constant(1.0), v)])
    with pytest.raises(ValueError, match="at least one"):
        optimizer.apply_gradients([])
    optimizer.apply_gradients([(tf.constant(1.0), v)], global_step=tf.train.create_global_step())
    with pytest.raises(ValueError, match="too few"):
        optimizer.get_init_tokens_op(1)


def test_variables_must_be_initialized_first():
    v = tf.Variable(1.0, name="unset")
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 1)
    optimizer.apply_gradients([(tf.constant(1.0), v)], global_step=tf.train.create_global_step())
    hook = optimizer.make_session_run_hook(False)
    hook.begin()
    with tf.Session() as sess, pytest.raises(RuntimeError, match="unset"):
        hook.after_create_session(sess, tf.train.Coordinator())
