"""Models whose files TensorFlow and evergraph exchange; each function takes the package."""

import numpy as np


def shared(tf):
    """A functional model: a shared layer, a model inside, a network over sequences, operations between layers."""
    layers = tf.keras.layers
    first, second = tf.keras.Input([4], name="first"), tf.keras.Input([4], name="second")
    dense = layers.Dense(3, activation="relu", kernel_regularizer="l2", name="both")
    inside = tf.keras.Input([3])
    inner = tf.keras.Model(inside, layers.Dense(2, name="in_it")(inside), name="inner")
    joined = layers.concatenate([inner(dense(first)), inner(dense(second))], name="joined")
    steps = layers.Bidirectional(layers.LSTM(3, return_sequences=True, recurrent_activation="sigmoid"),
                                 name="steps")(layers.Reshape([2, 2], name="apart")(joined))
    scaled = steps * 2.0
    outputs = layers.Dense(1, name="end")(layers.Flatten(name="flat")(scaled))
    return tf.keras.Model([first, second], [outputs, joined])


def pictures(tf):
    """A sequential model: convolutions, batch normalization, dropout."""
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Conv2D(2, 3, padding="same", input_shape=(6, 6, 1), name="conv"), layers.BatchNormalization(name="norm"),
        layers.Activation("relu", name="act"), layers.MaxPooling2D(name="pool"), layers.Flatten(name="flat"),
        layers.Dropout(0.0, name="drop"), layers.Dense(3, activation="softmax", name="classes")], name="pictures")


def inputs(name):
    """Examples for a model, and labels."""
    numbers = np.random.RandomState(7)
    if name == "shared":
        return ([numbers.rand(5, 4).astype("float32"), numbers.rand(5, 4).astype("float32")],
                [numbers.rand(5, 1).astype("float32"), numbers.rand(5, 4).astype("float32")])
    return numbers.rand(5, 6, 6, 1).astype("float32"), np.arange(5) % 3


def compiled(tf, name):
    """A model that was trained for two steps."""
    if name == "shared":
        model = shared(tf)
        model.compile("adam", "mse", loss_weights=[1.0, 0.5])
    else:
        model = pictures(tf)
        optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
        model.compile(optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])
    given, labels = inputs(name)
    for _ in range(2):
        model.train_on_batch(given, labels)
    return model


def predicted(model, name):
    """The outputs of a model, as a list of arrays."""
    found = model.predict(inputs(name)[0])
    return found if isinstance(found, list) else [found]


def written(tf, name, folder):
    """Writes a model in all formats; returns what it predicts, and the loss of one more step."""
    model = compiled(tf, name)
    outputs = predicted(model, name)
    model.save(f"{folder}/{name}.h5", save_format="h5")
    model.save_weights(f"{folder}/{name}_weights.h5")
    model.save_weights(f"{folder}/{name}_checkpoint/w")
    model.save(f"{folder}/{name}_saved", save_format="tf")
    with open(f"{folder}/{name}.json", "w") as file:
        file.write(model.to_json())
    losses = [np.ravel(model.train_on_batch(*inputs(name)))[0] for _ in range(2)]
    return outputs, losses


def read(tf, name, folder, form):
    """What a model of a file predicts, and its losses in two more steps if it comes with its training."""
    if form in ("h5", "saved"):
        model = tf.keras.models.load_model(f"{folder}/{name}.h5" if form == "h5" else f"{folder}/{name}_saved")
    else:
        with open(f"{folder}/{name}.json") as file:
            model = tf.keras.models.model_from_json(file.read())
        model.load_weights(f"{folder}/{name}_weights.h5" if form == "weights" else f"{folder}/{name}_checkpoint/w")
    outputs = predicted(model, name)
    if form != "h5":
        return outputs, None
    return outputs, [np.ravel(model.train_on_batch(*inputs(name)))[0] for _ in range(2)]
