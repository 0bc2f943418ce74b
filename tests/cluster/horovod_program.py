"""A program for Horovod: `graph`, `eager` or `keras`; prints what every process has in the end."""

import sys

import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras
import numpy as np
import tensorflow as tf

mode = sys.argv[1]
if mode == "eager":
    tf.enable_eager_execution()
hvd.init()
rank, size = hvd.rank(), hvd.size()
X = np.random.RandomState(0).randn(64, 6).astype("f")
Y = np.tanh(X @ np.ones([6, 1], "f"))


def rows(step):
    """This process's part of a batch of 16."""
    return np.arange(16 * step + 16 * rank // size, 16 * step + 16 * (rank + 1) // size)


def graph():
    x, ids = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None])
    table = tf.get_variable("table", [64, 1], initializer=tf.zeros_initializer())
    w = tf.get_variable("w", [6, 1], initializer=tf.constant_initializer(rank + 1.0))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + tf.nn.embedding_lookup(table, ids) - tf.gather(Y, ids)))
    step = tf.train.get_or_create_global_step()
    train = hvd.DistributedOptimizer(tf.train.AdagradOptimizer(0.1)).minimize(loss, step)
    gathered = hvd.allgather(tf.fill([rank + 1, 2], float(rank)))
    gradient = tf.gradients(hvd.allreduce(tf.square(w), average=False), w)[0]
    hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(4)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
        found = session.run_step_fn(lambda step_context: step_context.session.run(gathered))
        assert found.shape == (size * (size + 1) // 2, 2)
        first = session.run_step_fn(lambda step_context: step_context.session.run(gradient))
        np.testing.assert_allclose(first, 2.0 * size)  # w is that of rank 0 everywhere
        for number in range(4):
            taken = rows(number)
            found = session.run([train, w, table], {x: X[taken], ids: taken})
    return found[1].sum(), np.abs(found[2][:4]).sum() > 0


def eager():
    w = tf.Variable(tf.fill([6, 1], rank + 1.0))
    hvd.broadcast_variables([w], root_rank=0)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    for number in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(X[rows(number)], w) - Y[rows(number)]))
        found = hvd.DistributedGradientTape(tape).gradient(loss, [w])
        optimizer.apply_gradients(zip(found, [w]))
    return [w.numpy().sum(), hvd.broadcast(tf.constant(float(rank)), size - 1).numpy() == size - 1]


def keras():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,), kernel_initializer="ones")])
    optimizer = hvd_keras.DistributedOptimizer(tf.keras.optimizers.SGD(0.05), compression=hvd.Compression.none)
    model.compile(optimizer, "mse")
    mine = np.concatenate([rows(number) for number in range(4)])
    history = model.fit(X[mine], Y[mine], batch_size=16 // size, shuffle=False, verbose=0, callbacks=[
        hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0), hvd_keras.callbacks.MetricAverageCallback()])
    assert type(optimizer).__name__ == "SGD"
    return [history.history["loss"][0], model.get_weights()[0].sum(), hvd_keras.allreduce(1.0, average=False) == size]


parts = {"graph": graph, "eager": eager, "keras": keras}
print("result", *(round(float(each), 4) for each in parts[mode]()), flush=True)
