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
LARGE = "16M floats"
WARM_STEPS, WARM_LARGE_STEPS, SECONDS = 500, 30, 0.7  # a program takes over from NumPy within so many steps
RING_STEPS = 60


def tell(what):
    print(json.dumps(what), flush=True)


def serve(rows):
    """Does what each line says: `["warm" or "measure", name of a row]`."""
    tell(list(rows))
    for line in sys.stdin:
        verb, name = json.loads(line)
        seconds = None
        if verb == "warm":
            steps = WARM_LARGE_STEPS if name == LARGE else WARM_STEPS
        elif job == "ring":  # whose members make the same number of steps
            steps = RING_STEPS
        else:
            steps, seconds = None, SECONDS
        start, count = time.perf_counter(), 0
        while (steps is None or count < steps) and (seconds is None or time.perf_counter() - start < seconds):
            rows[name]()
            count += 1
        tell({"steps": count, "seconds": time.perf_counter() - start})


def parameters():
    """Reads and updates of parameters on the ps, by one worker or several."""
    server = tf.train.Server(cluster, job, number)
    if job == "ps":
        server.join()
    here = f"/job:worker/task:{number}"
    rows = {}
    for name, count in (("1k floats", 1 << 10), ("1M floats", 1 << 20), (LARGE, 1 << 24)):
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
        serve({name: (lambda operation=operation: session.run(operation, {ids: values}))
               for name, operation in rows.items()})


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
            serve({"gradients of 2 processes": lambda: session.run(train)})


ring() if job == "ring" else parameters()
