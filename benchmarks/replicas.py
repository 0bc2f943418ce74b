"""Rows about several devices in one process: a strategy, towers beside one device, and how long replicas compile."""

import time

import numpy as np

from benchmarks.rows import process, step

BATCH, WIDTH = 256, 512


def _config(tf, count):
    """The config of a session with so many CPUs, which TensorFlow 2 has to be told before."""
    if hasattr(tf.config, "set_logical_device_configuration"):
        cpu = tf.config.list_physical_devices("CPU")[0]
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * count)
    return tf.ConfigProto(device_count={"CPU": count}, allow_soft_placement=True)


def _data():
    random = np.random.RandomState(0)
    return random.rand(BATCH, WIDTH).astype(np.float32), random.randint(0, 10, BATCH)


def _loss(tf, x, y):
    for number in range(3):
        x = tf.layers.dense(x, WIDTH, tf.nn.relu, name=f"hidden_{number}")
    return tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10, name="logits"))


def _mirrored(tf, count):
    """A step of an MLP on so many replicas, which share a batch."""
    config = _config(tf, count)
    strategy = tf.distribute.MirroredStrategy([f"/cpu:{number}" for number in range(count)])
    run = strategy.experimental_run_v2 if hasattr(strategy, "experimental_run_v2") else strategy.run
    with strategy.scope():
        batches = strategy.make_dataset_iterator(tf.data.Dataset.from_tensors(_data()).repeat())
        train = run(lambda batch: tf.train.AdamOptimizer().minimize(_loss(tf, *batch)), (batches.get_next(),))
        train = strategy.group(train)
    session = tf.Session(config=config)
    session.run([tf.global_variables_initializer(), batches.initialize()])
    return lambda: session.run(train)


def _towers(tf, count):
    """A step of an MLP whose gradients are computed on several devices; the first one has the variables."""
    config, optimizer = _config(tf, count), tf.train.GradientDescentOptimizer(0.01)
    x, y = tf.placeholder(tf.float32, [BATCH, WIDTH]), tf.placeholder(tf.int64, [BATCH])
    found = []
    for number, part in enumerate(zip(tf.split(x, count), tf.split(y, count))):
        with tf.device(f"/cpu:{number}"), tf.variable_scope("", reuse=tf.AUTO_REUSE):
            found.append(optimizer.compute_gradients(_loss(tf, *part), colocate_gradients_with_ops=True))
    with tf.device("/cpu:0"):
        means = [(sum(gradient for gradient, _ in pairs) / count, pairs[0][1]) for pairs in zip(*found)]
        train = optimizer.apply_gradients(means)
    session = tf.Session(config=config)
    session.run(tf.global_variables_initializer())
    feeds = dict(zip((x, y), _data()))
    return lambda: session.run(train, feeds)


@step("MirroredStrategy on 2 CPUs, MLP batch 256")
def mirrored(tf):
    """Three hidden layers of 512, Adam; each replica computes 128 rows."""
    return _mirrored(tf, 2)


@step("Towers on 1 CPU, MLP batch 256")
def one_tower(tf):
    """Three hidden layers of 512, gradient descent."""
    return _towers(tf, 1)


@step("Towers on 2 CPUs, MLP batch 256")
def two_towers(tf):
    """The same batch in two halves; gradients are averaged on the first device."""
    return _towers(tf, 2)


def _first_step(tf, count):
    run, start = _mirrored(tf, count), time.perf_counter()
    run()
    return time.perf_counter() - start


@process("First step of 1 replica", cache="cold")
def first_step_of_one(tf):
    """The MLP under MirroredStrategy, from the first call of the step to its end."""
    return _first_step(tf, 1)


@process("First step of 8 replicas", cache="cold")
def first_step_of_eight(tf):
    """The same on eight devices."""
    return _first_step(tf, 8)
