"""A worker of MultiWorkerMirroredStrategy, by TF_CONFIG: `session keras [seed]`, or `estimator FOLDER STEPS`."""

import sys
import time

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
X = rng.randn(64, 6).astype("f")
Y = np.tanh(X @ rng.randn(6, 1)).astype("f")
strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()


def session():
    with strategy.scope():
        start = tf.random_uniform_initializer(seed=3) if "seed" in sys.argv else None
        w = tf.get_variable("w", [6, 1], initializer=start)
        seen = tf.Variable(0.0, trainable=False, synchronization=tf.VariableSynchronization.ON_READ,
                           aggregation=tf.VariableAggregation.SUM)
        batches = strategy.make_dataset_iterator(tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(16))
        optimizer = tf.train.AdamOptimizer(0.1)

        def step(element):
            x, y = element
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
            counted = seen.assign_add(tf.cast(tf.shape(x)[0], tf.float32))
            with tf.control_dependencies([optimizer.minimize(loss / strategy.num_replicas_in_sync), counted]):
                return tf.identity(loss)

        losses = strategy.experimental_run(step, batches)
        loss, rows = strategy.reduce("MEAN", losses), seen.read_value()
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), batches.initialize()])
            for _ in range(5):
                value = sess.run(loss)
            print("result", round(float(value), 5), sess.run(w).sum().round(5), sess.run(rows), flush=True)


def keras():
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(
            1, input_shape=(6,), kernel_initializer=tf.keras.initializers.glorot_uniform(seed=1))])
        model.compile(tf.keras.optimizers.Adam(0.1), "mse", metrics=["mae"])
    history = model.fit(X, Y, batch_size=16, epochs=2, shuffle="shuffle" in sys.argv, verbose=0).history
    found = [*history["loss"], *history["mean_absolute_error"], model.predict(X).sum()]
    print("result", *(round(float(each), 4) for each in found), flush=True)


class Tell(tf.train.SessionRunHook):
    def before_run(self, context):
        return tf.train.SessionRunArgs(tf.train.get_global_step())

    def after_run(self, context, values):
        print("step", values.results, "at", time.monotonic(), flush=True)
        time.sleep(0.01)


def estimator():
    def batches(input_context):
        rows = tf.data.Dataset.from_tensor_slices(({"x": X}, Y))
        return rows.shard(input_context.num_input_pipelines, input_context.input_pipeline_id).repeat().batch(8)

    config = tf.estimator.RunConfig(sys.argv[2], train_distribute=strategy, save_checkpoints_steps=10)
    made = tf.estimator.LinearRegressor([tf.feature_column.numeric_column("x", [6])], config=config)
    tf.estimator.train_and_evaluate(
        made, tf.estimator.TrainSpec(batches, max_steps=int(sys.argv[3]), hooks=[Tell()]),
        tf.estimator.EvalSpec(lambda: tf.data.Dataset.from_tensors(({"x": X}, Y)), steps=1))
    print("result", config.is_chief, flush=True)


for part in (session, keras, estimator):
    if part.__name__ in sys.argv[1:3]:
        part()
