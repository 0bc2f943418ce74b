"""A task of `python -m benchmarks.cluster`: `SIDE ps|worker|ring NUMBER CLUSTER`; SIDE is evergraph or tensorflow."""

import json
import os
import sys
import time

import numpy as np

side, job, number, cluster = sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
if side == "tensorflow":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow.compat.v1 as tf

    tf.disable_eager_execution()
    tf.disable_resource_variables()
else:
    import evergraph as tf
ROWS, WIDTH, TAKEN = 1_000_000, 64, 1000
SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))


def rate(run):
    """Steps a second: the best of three times."""
    for _ in range(4):
        run()
    best = 0.0
    for _ in range(3):
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < SECONDS / 3 or not count:
            run()
            count += 1
        best = max(best, count / (time.perf_counter() - start))
    return best


def tell(name, value):
    print(json.dumps([name, value]), flush=True)


def parameters():
    """Reads and updates of parameters on the ps, by one worker or several."""
    server = tf.train.Server(cluster, job, number)
    if job == "ps":
        server.join()
    here = f"/job:worker/task:{number}"
    rows = {}
    for name, count in (("1k floats", 1 << 10), ("1M floats", 1 << 20), ("16M floats", 1 << 24)):
        with tf.device("/job:ps/task:0"):
            dense = tf.get_variable(f"dense{count}", [count], initializer=tf.ones_initializer())
        with tf.device(here):
            change = tf.identity(dense) * 1e-6
        with tf.device("/job:ps/task:0"):
            rows[name] = tf.assign_sub(dense, change).op
    ids = tf.placeholder(tf.int32, [TAKEN])
    with tf.device("/job:ps/task:0"):
        table = tf.get_variable("table", [ROWS, WIDTH], initializer=tf.zeros_initializer())
    with tf.device(here):
        loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids) - 1.0))
    rows["1,000 rows of 1e6 x 64"] = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[table])
    with tf.device(tf.train.replica_device_setter(cluster=tf.train.ClusterSpec(cluster), worker_device=here)):
        words = tf.get_variable("words", [100_000, 32], initializer=tf.random_uniform_initializer(-1, 1))
        hidden = tf.layers.dense(tf.reduce_mean(tf.reshape(tf.nn.embedding_lookup(words, ids), [50, 20, 32]), 1), 64,
                                 tf.nn.relu)
        loss = tf.reduce_mean(tf.square(tf.layers.dense(hidden, 1) - 1.0))
        rows["Adam, embedding model"] = tf.train.AdamOptimizer(0.001).minimize(loss)
    values = np.random.RandomState(number).randint(0, 100_000, TAKEN)
    with tf.Session(server.target) as session:
        if number == 0:
            session.run(tf.global_variables_initializer())
        print("ready", flush=True)
        for name, operation in rows.items():
            sys.stdin.readline()
            tell(name, rate(lambda operation=operation: session.run(operation, {ids: values})))


def ring():
    """Steps of workers that add up their gradients: a perceptron of 1.1M parameters."""
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": number}})
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    config = tf.ConfigProto()
    target = ""
    if side == "tensorflow":
        config.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
        config = strategy.update_config_proto(config)
        server = tf.train.Server(cluster, "worker", number, config=config, start=True)
        target = server.target
    with strategy.scope():
        batches = tf.data.Dataset.from_tensors(np.ones([64, 784], "f")).repeat()
        iterator = strategy.make_input_fn_iterator(lambda context: batches)

        def step(x):
            for width in (1024, 256, 10):
                x = tf.layers.dense(x, width, tf.nn.relu)
            return tf.train.AdamOptimizer(1e-4).minimize(tf.reduce_mean(tf.square(x - 1.0)))

        train = strategy.group(strategy.extended.call_for_each_replica(step, (iterator.get_next(),)))
        with tf.Session(target, config=config) as session:
            session.run([tf.global_variables_initializer(), iterator.initialize()])
            print("ready", flush=True)
            sys.stdin.readline()
            for _ in range(10):
                session.run(train)
            start, count = time.perf_counter(), 60
            for _ in range(count):
                session.run(train)
            tell("gradients of 2 processes", count / (time.perf_counter() - start))


ring() if job == "ring" else parameters()
