"""Tells digits apart with a Keras model: compile, fit with callbacks, evaluate and predict.

    python examples/keras_digits.py
"""

import digits
import numpy as np

import evergraph as tf

layers = tf.keras.layers


def build():
    """Two convolutions and a dense layer; what is drawn at random has seeds."""
    kernel = lambda seed: tf.keras.initializers.glorot_uniform(seed=seed)
    return tf.keras.Sequential([
        layers.Reshape((digits.SIZE, digits.SIZE, 1), input_shape=(digits.SIZE, digits.SIZE)),
        layers.Conv2D(8, 3, activation="relu", kernel_initializer=kernel(1)),
        layers.BatchNormalization(momentum=0.9),
        layers.MaxPooling2D(), layers.Flatten(), layers.Dropout(0.2, seed=2),
        layers.Dense(10, activation="softmax", kernel_initializer=kernel(3))])


def main(epochs=5):
    """Trains, and returns the loss and the accuracy on new images."""
    np.random.seed(0)  # the order of examples in each epoch
    images, labels = digits.make(2000, seed=0)
    model = build()
    model.compile(tf.keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(images, labels, batch_size=100, epochs=epochs, verbose=2, validation_split=0.1, callbacks=[
        tf.keras.callbacks.EarlyStopping(patience=2), tf.keras.callbacks.ReduceLROnPlateau("loss", patience=1)])

    new_images, truth = digits.make(500, seed=2)
    loss, accuracy = model.evaluate(new_images, truth, verbose=0)
    print(f"loss {loss:.3f}, accuracy {accuracy:.3f}; the first image is a "
          f"{model.predict(new_images[:1]).argmax()}, and {truth[0]} is right")
    return loss, accuracy


if __name__ == "__main__":
    main()
