"""Boosted trees that TensorFlow 1.15 and evergraph train alike; a program returns the losses, metrics and logits."""

import numpy as np

COUNT = 40
NUMBERS = np.float32([((7 * at) % 23) / 4 - 2 for at in range(COUNT)])[:, None]
WORDS = np.array([[b"ash", b"oak", b"elm"][(5 * at) % 3] for at in range(COUNT)])[:, None]
LABELS = np.float32([(at * at) % 7 > 2 for at in range(COUNT)])[:, None]
TARGETS = (NUMBERS + 2 * LABELS) / 3
WEIGHTS = np.float32([1 + at % 4 for at in range(COUNT)])[:, None]


def columns(tf):
    number = tf.feature_column.numeric_column("number")
    word = tf.feature_column.categorical_column_with_vocabulary_list("word", ["ash", "oak", "elm"])
    return [number, tf.feature_column.bucketized_column(number, [-1.0, 0.5, 2.0]),
            tf.feature_column.indicator_column(word)]


def batches(tf, labels, size):
    features = {"number": NUMBERS, "word": WORDS, "weight": WEIGHTS}
    return lambda: tf.data.Dataset.from_tensor_slices((features, labels)).batch(size).repeat()


def trained(tf, estimator, input_fn, steps=50):
    """Trains, and returns the losses of the steps, the metrics, and the first predictions."""
    losses = []

    class Losses(tf.train.SessionRunHook):
        def begin(self):
            self._loss = tf.get_collection("losses")[-1]

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(self._loss)

        def after_run(self, run_context, run_values):
            losses.append(float(run_values.results))
    estimator.train(input_fn, steps=steps, hooks=[Losses()])
    metrics = {name: float(value) for name, value in estimator.evaluate(input_fn, steps=2).items()}
    key = "logits" if "auc" in metrics else "predictions"
    predictions = [float(each[key][0]) for each, _ in zip(estimator.predict(input_fn), range(5))]
    return {"losses": losses, "metrics": metrics, "predictions": predictions,
            "importances": dict(estimator.experimental_feature_importances())}


def classifier(tf, folder):
    model = tf.estimator.BoostedTreesClassifier(columns(tf), 2, model_dir=folder, n_trees=4, max_depth=2,
                                                learning_rate=0.3, l2_regularization=0.01)
    return trained(tf, model, batches(tf, LABELS, 20))


def weighted_classifier(tf, folder):
    model = tf.estimator.BoostedTreesClassifier(columns(tf)[1:], 1, model_dir=folder, n_trees=2, max_depth=4,
                                                weight_column="weight", pruning_mode="post", tree_complexity=0.01)
    return trained(tf, model, batches(tf, LABELS, 40))


def regressor(tf, folder):
    model = tf.estimator.BoostedTreesRegressor(columns(tf), 1, model_dir=folder, n_trees=3, max_depth=2,
                                               center_bias=True)
    return trained(tf, model, batches(tf, TARGETS, 40))


PROGRAMS = {function.__name__: function for function in (classifier, weighted_classifier, regressor)}
