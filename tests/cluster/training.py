"""A task that trains until a global step and tells of each session: `JOB NUMBER CLUSTER FOLDER STEPS [sync]`."""

import json
import sys
import time

import numpy as np

import evergraph as tf

job, number, cluster, folder, steps = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]), *sys.argv[4:6]
is_sync, patience = "sync" in sys.argv, [int(word[8:]) for word in sys.argv if word.startswith("timeout=")]
PAUSE = 0.01  # seconds between steps, so that there is time for faults


class Tell(tf.train.SessionRunHook):
    """Tells of sessions."""

    def after_create_session(self, session, coord):
        print(f"session at {session.run(tf.train.get_global_step())}", flush=True)


def main():
    server = tf.train.Server(cluster, job, number)
    print("up", flush=True)
    if job == "ps":
        server.join()
    is_chief, config = number == 0, tf.ConfigProto(operation_timeout_in_ms=patience[0] if patience else 0)
    inputs = np.random.RandomState(number).randn(64, 10).astype("f")
    labels = inputs @ np.arange(10, dtype="f")[:, None]
    with tf.device(tf.train.replica_device_setter(worker_device=f"/job:worker/task:{number}",
                                                  cluster=tf.train.ClusterSpec(cluster))):
        step = tf.train.get_or_create_global_step()
        x, y = tf.placeholder(tf.float32, [None, 10]), tf.placeholder(tf.float32, [None, 1])
        w = tf.get_variable("w", [10, 1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
        optimizer, hooks = tf.train.GradientDescentOptimizer(0.01), []
        if is_sync:
            count = len(cluster["worker"])
            optimizer = tf.train.SyncReplicasOptimizer(optimizer, count, count)
        train = optimizer.minimize(loss, step)
        if is_sync:
            hooks.append(optimizer.make_session_run_hook(is_chief, 0))
    hooks += [tf.train.StopAtStepHook(last_step=int(steps)), Tell()]
    with tf.train.MonitoredTrainingSession(
            server.target, is_chief, checkpoint_dir=folder if is_chief else None, hooks=hooks, config=config,
            save_checkpoint_steps=10, save_summaries_steps=None, log_step_count_steps=None,
            stop_grace_period_secs=2) as session:
        while not session.should_stop():
            found, at = session.run([train, loss, step], {x: inputs, y: labels})[1:]
            print(f"step {at} loss {found:.4f} at {time.monotonic():.3f}", flush=True)
            time.sleep(PAUSE)
    print("ended", flush=True)


try:
    main()
except tf.errors.OpError as error:
    print(f"raised {type(error).__name__}: {error.message}", flush=True)
    sys.exit(3)
