"""A program as people wrote them for parameter servers: flags name the cluster, a Supervisor makes the session.

With --sync_replicas the workers take each step together. Each prints the losses that it sees, and the chief its
variables.
"""

import json
import sys

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("ps_hosts", "", "addresses of parameter servers")
flags.DEFINE_string("worker_hosts", "", "addresses of workers")
flags.DEFINE_string("job_name", None, "ps or worker")
flags.DEFINE_integer("task_index", None, "number of the task")
flags.DEFINE_integer("train_steps", 20, "global steps")
flags.DEFINE_integer("batch", 8, "rows of a batch of one worker")
flags.DEFINE_bool("sync_replicas", False, "take steps together")
flags.DEFINE_integer("tokens", -1, "of the first step; 0 has all workers take part in each")
flags.DEFINE_bool("monitored", False, "a MonitoredTrainingSession instead of a Supervisor")
flags.DEFINE_string("folder", None, "for checkpoints")
FLAGS = flags.FLAGS


def data():
    rng = np.random.RandomState(0)
    inputs = rng.randn(1000, 6).astype("f")
    return inputs, np.tanh(inputs @ rng.randn(6, 1)).astype("f")


def batch(step, worker, workers):
    """The rows of a worker in a step: those of all workers are one batch."""
    inputs, labels = data()
    first = (step * workers + worker) * FLAGS.batch % (len(inputs) - FLAGS.batch)
    return inputs[first:first + FLAGS.batch], labels[first:first + FLAGS.batch]


def main(_):
    ps, workers = FLAGS.ps_hosts.split(","), FLAGS.worker_hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": ps, "worker": workers})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == "ps":
        server.join()
    is_chief = FLAGS.task_index == 0
    place = f"/job:worker/task:{FLAGS.task_index}"
    with tf.device(tf.train.replica_device_setter(worker_device=place, ps_device="/job:ps/cpu:0", cluster=cluster)):
        global_step = tf.Variable(0, name="global_step", trainable=False)
        rng = np.random.RandomState(1)
        w = tf.Variable(rng.randn(6, 5).astype("f"), name="w")
        b = tf.Variable(tf.zeros([5]), name="b")
        u = tf.Variable(rng.randn(5, 1).astype("f"), name="u")
        x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.float32, [None, 1])
        loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.nn.xw_plus_b(x, w, b)), u) - y))
        optimizer = tf.train.AdamOptimizer(0.02)
        if FLAGS.sync_replicas:
            optimizer = tf.train.SyncReplicasOptimizer(
                optimizer, replicas_to_aggregate=len(workers), total_num_replicas=len(workers), name="sync")
        train = optimizer.minimize(loss, global_step=global_step)
    run = monitored if FLAGS.monitored else supervised
    with run(server, is_chief, optimizer, global_step) as (session, should_stop):
        local, step = 0, 0
        while step < FLAGS.train_steps and not should_stop():
            inputs, labels = batch(local, FLAGS.task_index, len(workers))
            _, found, step = session.run([train, loss, global_step], {x: inputs, y: labels})
            print(f"worker {FLAGS.task_index} local {local} global {step} loss {found:.6f}", flush=True)
            local += 1
        if is_chief:
            values = [value.tolist() for value in session.run([w, b, u, global_step])]
            print("variables " + json.dumps(values), flush=True)
    print("done", flush=True)


class supervised:
    """A session of a Supervisor."""

    def __init__(self, server, is_chief, optimizer, global_step):
        self._server, self._is_chief = server, is_chief
        options = {"recovery_wait_secs": 1, "global_step": global_step, "logdir": FLAGS.folder}
        if FLAGS.sync_replicas:
            local_init = optimizer.chief_init_op if is_chief else optimizer.local_step_init_op
            options.update(local_init_op=local_init, ready_for_local_init_op=optimizer.ready_for_local_init_op)
            self._runner, self._tokens = optimizer.get_chief_queue_runner(), optimizer.get_init_tokens_op(FLAGS.tokens)
        self._supervisor = tf.train.Supervisor(is_chief=is_chief, init_op=tf.global_variables_initializer(), **options)

    def __enter__(self):
        config = tf.ConfigProto(allow_soft_placement=True,
                                device_filters=["/job:ps", f"/job:worker/task:{FLAGS.task_index}"])
        session = self._supervisor.prepare_or_wait_for_session(self._server.target, config=config)
        if FLAGS.sync_replicas and self._is_chief:
            session.run(self._tokens)
            self._supervisor.start_queue_runners(session, [self._runner])
        self._session = session
        return session, self._supervisor.should_stop

    def __exit__(self, *error):
        self._session.close()


class monitored:
    """A MonitoredTrainingSession."""

    def __init__(self, server, is_chief, optimizer, global_step):
        hooks = [optimizer.make_session_run_hook(is_chief, FLAGS.tokens)] if FLAGS.sync_replicas else []
        self._session = tf.train.MonitoredTrainingSession(
            server.target, is_chief, checkpoint_dir=FLAGS.folder, hooks=hooks, save_checkpoint_steps=10,
            save_summaries_steps=None, stop_grace_period_secs=2)

    def __enter__(self):
        session = self._session.__enter__()
        return session, session.should_stop

    def __exit__(self, *error):
        return self._session.__exit__(*error)


if __name__ == "__main__":
    tf.app.run(main, sys.argv)
