"""tf.compat.v2.estimator.experimental.RNNClassifier: the losses here are TensorFlow 2.15's from the same variables."""

import numpy as np
import pytest

import evergraph as tf

experimental = tf.compat.v2.estimator.experimental
INDICES = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [2, 0]]


def columns():
    words = tf.feature_column.sequence_categorical_column_with_vocabulary_list("w", ["a", "b", "c", "d"])
    return [tf.feature_column.embedding_column(words, 2)], [tf.feature_column.numeric_column("age")]


def inputs(every_step):
    features = {"w": tf.SparseTensor(INDICES, ["a", "b", "c", "d", "a", "b"], [3, 3]), "age": [[0.1], [0.2], [0.3]]}
    labels = tf.SparseTensor(INDICES, np.array([0, 1, 0, 1, 1, 0]), [3, 3]) if every_step else [[0], [1], [1]]
    return features, labels


class Watch(tf.train.SessionRunHook):
    """Sets the variables, and collects the losses."""

    def __init__(self):
        self.losses = []

    def begin(self):
        self._loss = tf.get_default_graph().get_tensor_by_name("loss:0").op.inputs[1]
        self._variables = tf.trainable_variables()

    def after_create_session(self, session, coord):
        for variable in self._variables:
            shape = variable.shape.as_list()
            variable.load((np.arange(np.prod(shape)) * 0.1 - 0.3).reshape(shape).astype("f"), session)

    def before_run(self, context):
        return tf.train.SessionRunArgs(self._loss)

    def after_run(self, context, values):
        self.losses.append(values.results)


@pytest.mark.parametrize("options, losses", [
    ({"units": [3], "cell_type": "gru", "n_classes": 3, "optimizer": "SGD"}, [1.2026643, 1.1819607, 1.1624013]),
    ({"units": [3], "return_sequences": True}, [0.7020009, 0.701323, 0.7006988]),
])
def test_losses_are_tensorflows(options, losses, tmp_path):
    watch, every_step = Watch(), "return_sequences" in options
    classifier = experimental.RNNClassifier(*columns(), model_dir=str(tmp_path), **options)
    classifier.train(lambda: inputs(every_step), hooks=[watch], steps=3)
    np.testing.assert_allclose(watch.losses, losses, rtol=1e-5)
    assert {"rnn_model/rnn/recurrent_kernel", "rnn_model/logits/kernel",
            "sequence_features/w_embedding/embedding_weights"} <= set(classifier.get_variable_names())


def test_wrong_options_are_refused():
    sequence, _ = columns()
    for make, message in (
            (lambda: experimental.RNNClassifier(sequence, units=[2], rnn_cell_fn=lambda: None), "units and cell_type"),
            (lambda: experimental.RNNClassifier(sequence, units=[2], cell_type="quantum"), "Supported cell types"),
            (lambda: experimental.RNNEstimator(tf.estimator.BinaryClassHead(), sequence, units=[2],
                                               return_sequences=True), "_SequentialHead")):
        with pytest.raises(ValueError, match=message):
            make()
