"""Rows about tf.keras: a step of `fit`, the loop and the metrics included, `predict`, building and loading models."""

import os
import tempfile

import numpy as np

from benchmarks.rows import step


def _fit(model, x, classes=10, batch=32):
    """A function that trains for an epoch of shuffled batches, and says how many steps it made."""
    y = np.random.RandomState(1).randint(0, classes, len(x))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x, y, batch_size=batch, verbose=0)

    def run():
        model.fit(x, y, batch_size=batch, verbose=0)
        return len(x) // batch
    return run


def _mlp(tf):
    layers = tf.keras.layers
    return tf.keras.Sequential([layers.Dense(128, activation="relu", input_shape=(784,)),
                                layers.Dense(128, activation="relu"), layers.Dense(10, activation="softmax")])


@step("Keras: fit per step, MLP batch 32")
def mlp(tf):
    """Images of 28 x 28 as vectors, two hidden layers of 128, Adam and the accuracy."""
    return _fit(_mlp(tf), np.random.RandomState(0).rand(3200, 784).astype(np.float32))


@step("Keras: fit per step, CNN batch 32")
def cnn(tf):
    """Two convolutions with pooling, dropout, Adam and the accuracy."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Conv2D(16, 3, activation="relu", input_shape=(28, 28, 1)), layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(), layers.Flatten(), layers.Dropout(0.5),
        layers.Dense(10, activation="softmax")])
    return _fit(model, np.random.RandomState(0).rand(960, 28, 28, 1).astype(np.float32))


@step("Keras: fit per step, LSTM batch 32")
def lstm(tf):
    """Sentences of 20 words, an embedding and an LSTM of 32, Adam and the accuracy."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Embedding(1000, 32, input_length=20), layers.LSTM(32),
                                 layers.Dense(10, activation="softmax")])
    return _fit(model, np.random.RandomState(0).randint(0, 1000, [960, 20]))


@step("Keras: predict of 10,000 rows, MLP")
def predict(tf):
    """313 batches of 32 rows, and one array of results."""
    model, x = _mlp(tf), np.random.RandomState(0).rand(10_000, 784).astype(np.float32)

    def run():
        model.predict(x)
    run()
    return run


@step("Keras: building ResNet-50")
def building(tf):
    """The layers and variables of `tf.keras.applications.ResNet50`, without weights, each time in a new graph."""
    def run():
        tf.keras.backend.clear_session()
        tf.keras.applications.ResNet50(weights=None)
    return run


@step("Keras: load_model, MLP")
def loading(tf):
    """A compiled model of HDF5, trained for a step with Adam, each time in a new graph."""
    model = _mlp(tf)
    _fit(model, np.zeros([32, 784], np.float32))
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "model.h5")
    model.save(path)

    def run(folder=folder):  # the folder lives as long as the function
        tf.keras.backend.clear_session()
        tf.keras.models.load_model(path)
    return run
