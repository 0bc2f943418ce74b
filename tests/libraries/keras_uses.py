"""Twenty-five ways in which programs use the Keras that is a package of its own, each short and with its outcome.

    PYTHONPATH=FOLDER/keras python -m evergraph run --legacy -m tests.libraries.keras_uses [NAME ...]

FOLDER/keras is a checkout of Keras 2.3.1 or 2.2.4. keras-preprocessing and keras-applications have to be on the path,
scikit-learn for one of the uses. Prints a line for each, and ends with 1 if one of them failed.
"""

import csv
import os
import sys
import tempfile
import traceback

import keras
import numpy as np
from keras import backend, callbacks, layers, models

USES = []


def use(function):
    USES.append(function)
    return function


def numbers(*shape):
    return np.random.RandomState(0).rand(*shape).astype("float32")


def points():
    """Points of the plane, and whether they are above its diagonal."""
    x = numbers(256, 2)
    return x, (x[:, 0] < x[:, 1]).astype("float32")


def classifier():
    model = models.Sequential([layers.Dense(16, activation="relu", input_shape=(2,)),
                               layers.Dense(1, activation="sigmoid")])
    model.compile(keras.optimizers.Adam(0.02), "binary_crossentropy", metrics=["accuracy"])
    return model


def accuracies(history):
    return history.get("accuracy", history.get("acc"))


def learns(model, x, y, epochs=8, **options):
    """Whether the loss of training falls."""
    losses = model.fit(x, y, epochs=epochs, verbose=0, **options).history["loss"]
    return losses[-1] < losses[0]


def same(model, other, x):
    np.testing.assert_allclose(model.predict(x), other.predict(x), rtol=1e-5, atol=1e-6)


# ---- models

@use
def dense_layers(folder):
    x, y = points()
    model = classifier()
    history = model.fit(x, y, epochs=20, validation_split=0.25, verbose=0).history
    assert accuracies(history)[-1] > 0.9 and model.evaluate(x, y, verbose=0)[1] > 0.9
    assert model.predict(x).shape == (256, 1) and len(history["val_loss"]) == 20


@use
def convolutions(folder):
    x, y = numbers(64, 8, 8, 1), np.arange(64) % 2
    x[y == 1, :4] += 1
    model = models.Sequential([layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 1)),
                               layers.MaxPooling2D(), layers.BatchNormalization(), layers.Dropout(0.1),
                               layers.Flatten(), layers.Dense(2, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    assert learns(model, x, y)


def recurrent(layer):
    x = numbers(64, 5, 3)
    model = models.Sequential([layer, layers.Dense(1)])
    model.compile("adam", "mse")
    assert learns(model, x, x[:, -1, :1])


@use
def lstm(folder):
    recurrent(layers.LSTM(8, input_shape=(5, 3), dropout=0.1))


@use
def gru(folder):
    recurrent(layers.GRU(8, input_shape=(5, 3), reset_after=True))


@use
def convolutional_lstm(folder):
    x = numbers(16, 3, 6, 6, 1)
    model = models.Sequential([layers.ConvLSTM2D(2, 3, padding="same", input_shape=(3, 6, 6, 1)),
                               layers.Flatten(), layers.Dense(1)])
    model.compile("adam", "mse")
    assert learns(model, x, x.mean((1, 2, 3)))


@use
def masked_words_in_both_directions(folder):
    x = np.random.RandomState(0).randint(1, 20, [64, 6])
    x[:, 4:] = 0
    model = models.Sequential([layers.Embedding(20, 4, mask_zero=True, input_length=6),
                               layers.Bidirectional(layers.LSTM(4, return_sequences=True)),
                               layers.TimeDistributed(layers.Dense(20, activation="softmax"))])
    model.compile("adam", "sparse_categorical_crossentropy")
    assert learns(model, x, x[..., None])


@use
def states_that_outlive_batches(folder):
    model = models.Sequential([layers.LSTM(4, stateful=True, batch_input_shape=(8, 3, 2))])
    x = numbers(8, 3, 2)
    first, second = model.predict(x, batch_size=8), model.predict(x, batch_size=8)
    model.reset_states()
    assert not np.allclose(first, second)
    np.testing.assert_allclose(model.predict(x, batch_size=8), first, rtol=1e-6)


@use
def several_inputs_and_outputs(folder):
    one, two = layers.Input((2,), name="one"), layers.Input((3,), name="two")
    both = layers.concatenate([layers.Dense(4)(one), layers.Dense(4)(two)])
    model = models.Model([one, two], [layers.Dense(1, name="size")(both),
                                      layers.Dense(2, activation="softmax", name="kind")(both)])
    model.compile("adam", {"size": "mse", "kind": "categorical_crossentropy"}, loss_weights={"size": 0.5, "kind": 2.0},
                  metrics={"kind": "accuracy"})
    x = {"one": numbers(32, 2), "two": numbers(32, 3)}
    y = {"size": x["one"][:, :1], "kind": np.eye(2)[np.arange(32) % 2]}
    assert learns(model, x, y)
    total, size, kind = model.evaluate(x, y, verbose=0)[:3]
    assert abs(total - 0.5 * size - 2 * kind) < 1e-4
    assert [each.shape for each in model.predict(x)] == [(32, 1), (32, 2)]


# ---- data

@use
def generators(folder):
    x, y = points()

    def batches():
        while True:
            for start in range(0, 256, 32):
                yield x[start:start + 32], y[start:start + 32]
    model = classifier()
    losses = model.fit_generator(batches(), steps_per_epoch=8, epochs=8, verbose=0, validation_data=batches(),
                                 validation_steps=2).history["loss"]
    assert losses[-1] < losses[0] and len(model.predict_generator(batches(), steps=3)) == 96


@use
def sequences_with_workers(folder):
    x, y = points()

    class Batches(keras.utils.Sequence):
        def __len__(self):
            return 8

        def __getitem__(self, index):
            return x[32 * index:32 * (index + 1)], y[32 * index:32 * (index + 1)]
    losses = classifier().fit_generator(Batches(), epochs=8, workers=2, verbose=0).history["loss"]
    assert losses[-1] < losses[0]


@use
def pictures_changed_at_random(folder):
    pictures = keras.preprocessing.image.ImageDataGenerator(rotation_range=20, horizontal_flip=True, rescale=0.5)
    x, y = numbers(32, 8, 8, 3), np.arange(32) % 2
    model = models.Sequential([layers.Flatten(input_shape=(8, 8, 3)), layers.Dense(1, activation="sigmoid")])
    model.compile("sgd", "binary_crossentropy")
    history = model.fit_generator(pictures.flow(x, y, batch_size=8), steps_per_epoch=4, epochs=2, verbose=0).history
    assert np.isfinite(history["loss"]).all()


@use
def weights_of_classes_and_examples(folder):
    x, y = points()
    model = classifier()
    assert learns(model, x, y, class_weight={0: 1.0, 1: 5.0}, sample_weight=numbers(256))
    model = classifier()
    model.fit(x, y, class_weight={0: 0.0, 1: 1.0}, epochs=10, verbose=0)
    assert model.predict(x).mean() > 0.8


# ---- callbacks

@use
def the_best_model_is_kept(folder):
    x, y = points()
    path = os.path.join(folder, "{epoch:02d}.h5")
    model = classifier()
    model.fit(x, y, validation_split=0.25, epochs=3, verbose=0, callbacks=[
        callbacks.ModelCheckpoint(path), callbacks.ModelCheckpoint(os.path.join(folder, "best"), save_best_only=True)])
    assert sorted(os.listdir(folder)) == ["01.h5", "02.h5", "03.h5", "best"]
    same(model, models.load_model(path.format(epoch=3)), x)


@use
def training_that_stops_early(folder):
    x, y = numbers(64, 2), np.random.RandomState(1).rand(64)
    model = models.Sequential([layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    stop = callbacks.EarlyStopping(monitor="loss", min_delta=10.0, patience=2)
    slow = callbacks.ReduceLROnPlateau(monitor="loss", min_delta=10.0, patience=1, factor=0.5)
    assert len(model.fit(x, y, epochs=20, verbose=0, callbacks=[stop, slow]).epoch) == 3
    assert float(backend.get_value(model.optimizer.lr)) < 0.01


@use
def learning_rates_by_epoch(folder):
    x, y = points()
    model, seen = classifier(), []
    model.fit(x, y, epochs=3, verbose=0, callbacks=[
        callbacks.LearningRateScheduler(lambda epoch: 0.1 / (epoch + 1)),
        callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append(
            float(backend.get_value(model.optimizer.lr))))])
    np.testing.assert_allclose(seen, [0.1, 0.05, 0.1 / 3], rtol=1e-6)


@use
def logs_in_files(folder):
    x, y = points()
    path = os.path.join(folder, "log.csv")
    history = classifier().fit(x, y, epochs=3, verbose=0, validation_split=0.5, callbacks=[
        callbacks.CSVLogger(path), callbacks.TensorBoard(folder, histogram_freq=1)]).history
    with open(path) as file:
        rows = list(csv.DictReader(file))
    np.testing.assert_allclose([float(row["loss"]) for row in rows], history["loss"])
    assert any("tfevents" in name for _, _, files in os.walk(folder) for name in files)


# ---- files

@use
def models_in_hdf5(folder):
    """A model from a file goes on training as the one that was saved, its optimizer's state included."""
    x, y = points()
    model, path = classifier(), os.path.join(folder, "model.h5")
    model.fit(x, y, epochs=2, verbose=0)
    model.save(path)
    loaded = models.load_model(path)
    for each in (model, loaded):
        each.fit(x, y, epochs=1, shuffle=False, verbose=0)
    same(model, loaded, x)


@use
def weights_by_name(folder):
    path = os.path.join(folder, "weights.h5")
    make = lambda more: models.Sequential([layers.Dense(4, input_shape=(2,), name="shared"), *more])
    one, other = make([layers.Dense(1, name="a")]), make([layers.Dense(3, name="b")])
    one.save_weights(path)
    other.load_weights(path, by_name=True)
    np.testing.assert_array_equal(one.layers[0].get_weights()[0], other.layers[0].get_weights()[0])


@use
def models_in_json(folder):
    model = classifier()
    copy = models.model_from_json(model.to_json())
    copy.set_weights(model.get_weights())
    same(model, copy, points()[0])


@use
def models_in_yaml(folder):
    model = classifier()
    copy = models.model_from_yaml(model.to_yaml())
    copy.set_weights(model.get_weights())
    same(model, copy, points()[0])


# ---- known models, other packages, own code

@use
def resnet(folder):
    model = keras.applications.resnet50.ResNet50(False, None, input_shape=(32, 32, 3), pooling="avg")
    assert model.count_params() == 23_587_712 and model.predict(numbers(1, 32, 32, 3)).shape == (1, 2048)


@use
def mobilenet(folder):
    model = keras.applications.mobilenet.MobileNet(weights=None, classes=10)
    assert model.count_params() == 3_239_114
    np.testing.assert_allclose(model.predict(numbers(1, 224, 224, 3)).sum(), 1.0, rtol=1e-5)


@use
def scikit_learn(folder):
    from keras.wrappers.scikit_learn import KerasClassifier, KerasRegressor

    x, y = points()
    judge = KerasClassifier(classifier, epochs=15, verbose=0)
    judge.fit(x, y)
    assert judge.score(x, y) > 0.85 and set(np.unique(judge.predict(x))) == {0, 1}

    def line():
        model = models.Sequential([layers.Dense(1, input_shape=(2,))])
        model.compile("adam", "mse")
        return model
    regressor = KerasRegressor(line, epochs=1, verbose=0)
    regressor.fit(x, y)
    assert regressor.predict(x).shape == (256,)


class Scaled(layers.Layer):
    """A factor for each feature, which is learned."""

    def build(self, input_shape):
        self.factor = self.add_weight(name="factor", shape=(input_shape[-1],), initializer="ones",
                                      regularizer=keras.regularizers.l2(0.01), constraint=keras.constraints.NonNeg())
        super().build(input_shape)

    def call(self, inputs):
        return inputs * self.factor


@use
def layers_and_losses_of_the_program(folder):
    absolute = lambda labels, found: backend.mean(backend.abs(labels - found), axis=-1)
    absolute.__name__ = "absolute"
    model = models.Sequential([Scaled(input_shape=(2,)), layers.Lambda(lambda x: x * 2), layers.Dense(1)])
    model.compile("adam", absolute, metrics=[absolute])
    x, y = points()
    assert learns(model, x, y)
    path = os.path.join(folder, "model.h5")
    model.save(path)
    same(model, models.load_model(path, custom_objects={"Scaled": Scaled, "absolute": absolute}), x)


@use
def generators_and_their_judges(folder):
    """A judge that is frozen inside the model that trains the generator, and gradients by functions of the backend."""
    judge = classifier()
    judge.trainable = False
    noise = layers.Input((3,))
    both = models.Model(noise, judge(layers.Dense(2)(noise)))
    both.compile("sgd", "binary_crossentropy")
    before = [weight.copy() for weight in judge.get_weights()]
    both.train_on_batch(numbers(8, 3), np.ones(8))
    assert all(map(np.array_equal, before, judge.get_weights()))
    judge.train_on_batch(*points())
    assert not np.array_equal(before[0], judge.get_weights()[0])
    slope = backend.function(judge.inputs, backend.gradients(judge.outputs[0], judge.inputs))
    assert slope([points()[0]])[0].shape == (256, 2)


def main(names):
    failed = 0
    for function in USES:
        if names and function.__name__ not in names:
            continue
        backend.clear_session()
        np.random.seed(0)
        try:
            with tempfile.TemporaryDirectory() as folder:
                function(folder)
        except Exception:
            failed += 1
            traceback.print_exc()
            print(f"{function.__name__}: failed", flush=True)
        else:
            print(f"{function.__name__}: done", flush=True)
    print(f"Keras {keras.__version__}: {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
