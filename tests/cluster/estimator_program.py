"""An Estimator that trains as the task that TF_CONFIG names: `program FOLDER STEPS`."""

import sys

import numpy as np
import tensorflow as tf

folder, steps = sys.argv[1], int(sys.argv[2])


def batches():
    inputs = np.random.RandomState(0).randn(64, 4).astype("f")
    labels = inputs @ np.array([[1.0], [2.0], [3.0], [4.0]], "f")
    return tf.data.Dataset.from_tensor_slices(({"x": inputs}, labels)).repeat().batch(16)


estimator = tf.estimator.LinearRegressor(
    [tf.feature_column.numeric_column("x", [4])], model_dir=folder,
    config=tf.estimator.RunConfig(save_checkpoints_steps=50, experimental_max_worker_delay_secs=0))
result = tf.estimator.train_and_evaluate(
    estimator, tf.estimator.TrainSpec(batches, max_steps=steps),
    tf.estimator.EvalSpec(batches, steps=4, start_delay_secs=0, throttle_secs=1))
print("ended", flush=True)
