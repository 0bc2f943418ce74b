"""A wide and deep classifier whose embeddings are divided among parameter servers: `program FOLDER STEPS`."""

import sys

import numpy as np
import tensorflow as tf

folder, steps = sys.argv[1], int(sys.argv[2])
WORDS, TOPICS = 1000, 4


def batches():
    """Documents of three words, whose label says whether most of them have an even topic."""
    words = np.random.RandomState(0).randint(0, WORDS, [2048, 3])
    labels = ((words % TOPICS % 2 == 0).sum(1) >= 2).astype("f")
    return tf.data.Dataset.from_tensor_slices(({"words": words}, labels)).shuffle(2048, seed=1).repeat().batch(64)


words = tf.feature_column.categorical_column_with_identity("words", WORDS)
estimator = tf.estimator.DNNLinearCombinedClassifier(
    linear_feature_columns=[words], linear_optimizer=tf.train.FtrlOptimizer(0.5),
    dnn_feature_columns=[tf.feature_column.embedding_column(words, 8)], dnn_hidden_units=[16],
    dnn_optimizer=tf.train.AdagradOptimizer(0.5),
    input_layer_partitioner=tf.fixed_size_partitioner(2), model_dir=folder,
    config=tf.estimator.RunConfig(save_checkpoints_steps=100, experimental_max_worker_delay_secs=0))
tf.estimator.train_and_evaluate(
    estimator, tf.estimator.TrainSpec(batches, max_steps=steps), tf.estimator.EvalSpec(batches, steps=8))
if estimator.config.is_chief:
    print("auc", estimator.evaluate(batches, steps=16)["auc"], flush=True)
