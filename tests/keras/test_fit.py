"""fit, evaluate and predict: what they print, what they accept, and what they refuse."""

import re

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager import modes
from tests.harness.goldens import FOLDER
from tests.harness.recorded import texts

K = tf.keras.layers
X, Y = np.ones([8, 3], "float32"), np.ones([8, 2], "float32")


def small(**options):
    model = tf.keras.Sequential([K.Dense(2, input_shape=(3,))])
    model.compile(**{"optimizer": "sgd", "loss": "mse", **options})
    return model


def cube(loss="mse"):
    model = tf.keras.Sequential([K.Dense(1, input_shape=(2, 3, 4))])
    model.compile("sgd", loss)
    return model


def classifier():
    """The model of the recorded texts and histories, and its data."""
    numbers = np.random.RandomState(0)
    x, y = numbers.rand(64, 10).astype("float32"), numbers.randint(0, 3, 64)
    model = tf.keras.Sequential([K.Dense(8, activation="relu", input_shape=(10,)), K.BatchNormalization(),
                                 K.Dense(3, activation="softmax")])
    weights = model.get_weights()
    weights[0], weights[6] = numbers.randn(10, 8), numbers.randn(8, 3)
    model.set_weights(weights)
    return model, x, y


# ---- histories

@pytest.mark.parametrize("optimizer", ["sgd", "rmsprop", "adagrad", "adadelta", "adam", "adamax", "nadam"])
def test_histories(optimizer):
    model, x, y = classifier()
    model.compile(optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])
    found = model.fit(x, y, batch_size=16, epochs=3, validation_split=0.25, shuffle=False, verbose=0).history
    wanted = texts("keras_histories")[optimizer]
    assert list(found) == list(wanted)
    # The gradient of a bias before batch normalization is rounding noise. Optimizers that divide by its size move the
    # bias by it; training does not depend on that, but the moving mean that validation uses follows with a delay:
    # TensorFlow's own val_loss of RMSprop moves by 5e-4 when the rows of each batch change places, that of SGD not.
    divides = optimizer in ("rmsprop", "adam", "adamax", "nadam")
    for name, values in wanted.items():
        tolerance = 1e-3 if divides and name == "val_loss" else 1e-5
        np.testing.assert_allclose(found[name], values, rtol=0, atol=tolerance, err_msg=name)


# ---- what is printed

def as_form(text):
    """A text with its numbers and times replaced, and without what only later versions add to lines of verbose=2."""
    text = re.sub(r" - \d+m?u?s/epoch - \d+m?u?s/sample", "", text)
    text = re.sub(r"\d+m?u?s(?=/sample)|(?<= - )\d+s|(?<=ETA: )[\d:]+s?", "T", text)
    return re.sub(r"(?<=: )\d+\.\d+(e-\d+)?", "V", text)


@pytest.mark.parametrize("verbose", [1, 2])
def test_printed_lines(verbose, capsys):
    model, x, y = classifier()
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x, y, batch_size=16, epochs=2, validation_split=0.25, verbose=verbose)
    with open(FOLDER / f"keras_verbose{verbose}.txt", newline="") as file:
        wanted = as_form(file.read())
    assert as_form(capsys.readouterr().out) == wanted


def test_no_flood_where_no_terminal_is(capsys):
    bar = tf.keras.utils.Progbar(1000)
    for step in range(1, 1001):
        bar.update(step, [("loss", 1.0)])
    assert capsys.readouterr().out.count("\r") == 2


def test_a_bar_of_unknown_length(capsys):
    bar = tf.keras.utils.Progbar(None, unit_name="batch")
    bar.update(5, [("loss", 0.0001)])
    assert re.fullmatch(r"\r      5/Unknown - \d+s \d+[mu]?s/batch - loss: 1.0000e-04", capsys.readouterr().out)


# ---- names

def test_names_of_metrics():
    x = tf.keras.Input([3])
    model = tf.keras.Model(x, [K.Dense(1, name="one")(x), K.Dense(4, activation="softmax", name="two")(x)])
    model.compile("sgd", ["mse", "sparse_categorical_crossentropy"], metrics=["accuracy", "mae"],
                  weighted_metrics=[["ce"], ["acc"]])
    assert model.metrics_names == [
        "loss", "one_loss", "two_loss", "one_acc", "one_mean_absolute_error", "one_weighted_ce", "two_acc",
        "two_mean_absolute_error", "two_weighted_acc"]
    assert [metric._fn.__name__ for metric in model.metrics if metric.name.endswith(("_acc", "_ce"))] == [
        "binary_accuracy", "binary_crossentropy", "sparse_categorical_accuracy", "sparse_categorical_accuracy"]


@pytest.mark.parametrize("later, wanted", [
    (False, ["acc", "mean_absolute_error", "auc", "mean_squared_error", "weighted_mean_squared_error", "weighted_acc"]),
    (True, ["accuracy", "mae", "auc", "mean_squared_error", "mse", "acc"]),
])  # fmt: skip
def test_names_of_metrics_with_the_behavior_of_tensorflow_2(later, wanted, monkeypatch):
    monkeypatch.setattr(modes._Behavior, "is_later", later)
    model = small(metrics=["accuracy", "mae", "AUC", tf.keras.losses.mean_squared_error],
                  weighted_metrics=["mse", "acc"])
    assert list(model.fit(X, Y, verbose=0).history) == model.metrics_names == ["loss", *wanted]


def test_names_of_variables():
    model = small(optimizer="adam")
    model.train_on_batch(X, Y)
    assert [variable.name for variable in model.optimizer.weights] == [
        "training/Adam/iter:0", "training/Adam/dense/kernel/m:0", "training/Adam/dense/bias/m:0",
        "training/Adam/dense/kernel/v:0", "training/Adam/dense/bias/v:0"]


# ---- data

class Squares(tf.keras.utils.Sequence):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return X[:4] * index, Y[:4]


@pytest.mark.parametrize("options", [{}, {"workers": 0}, {"workers": 3, "max_queue_size": 2},
                                     {"workers": 2, "use_multiprocessing": True}])
def test_sequences(options):
    model = small()
    history = model.fit(Squares(), epochs=2, verbose=0, shuffle=False, validation_data=Squares(), **options)
    assert list(history.history) == ["loss", "val_loss"]
    assert model.predict(Squares(), **options).shape == (12, 2)
    np.testing.assert_allclose(model.evaluate(Squares(), verbose=0, **options), history.history["val_loss"][-1])


@pytest.mark.parametrize("home", ["pandas", "pandas.core.series"])
def test_series_of_pandas(home):
    def series(values):
        kind = type("Series", (), {"__module__": home, "shape": values.shape, "__array__": lambda self, **_: values,
                                   "__getitem__": lambda self, rows: self})
        return kind()

    x = tf.keras.Input([1], name="size")
    model = tf.keras.Model(x, K.Dense(1)(x))
    model.compile("sgd", "mse")
    history = model.fit({"size": series(X[:, 0])}, series(Y[:, 0]), validation_split=0.5, verbose=0)
    assert list(history.history) == ["loss", "val_loss"]


def test_batches_keep_their_order():
    seen = tf.keras.utils.OrderedEnqueuer(Squares())
    seen.start(workers=3, max_queue_size=4)
    batches = seen.get()
    assert [next(batches)[0][0, 0] for _ in range(7)] == [0, 1, 2, 0, 1, 2, 0]
    batches.close()
    assert not seen.is_running()


def test_an_error_of_a_generator_reaches_the_program():
    def failing():
        yield X, Y
        raise KeyError("lost")
    with pytest.raises(KeyError, match="lost"):
        small().fit_generator(failing(), steps_per_epoch=3, verbose=0)


@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_between_epochs_reaches_the_program(workers):
    class Failing(Squares):
        def on_epoch_end(self):
            raise KeyError("lost")
    with pytest.raises(KeyError, match="lost"):
        small().fit(Failing(), epochs=3, workers=workers, verbose=0)


def test_a_generator_that_ends_early(caplog):
    history = small().fit((pair for pair in [(X, Y)] * 3), steps_per_epoch=2, epochs=4, verbose=0)
    assert len(history.epoch) == 2 and "ran out of data" in caplog.text


def test_tensors_of_the_graph():
    model = small()
    model.fit(tf.constant(X), tf.constant(Y), steps_per_epoch=2, verbose=0)
    assert model.predict(tf.constant(X), steps=2).shape == (16, 2)
    with pytest.raises(ValueError, match="steps_per_epoch"):
        model.fit(tf.constant(X), tf.constant(Y))


def test_targets_of_the_program():
    model = small(target_tensors=tf.constant(Y))
    assert model.train_on_batch(X) > 0
    with pytest.raises(ValueError, match="target_tensors"):
        model.train_on_batch(X, Y)


def test_masks_weigh_the_loss():
    model = tf.keras.Sequential([K.Masking(input_shape=(2, 1)),
                                 K.TimeDistributed(K.Dense(1, kernel_initializer="ones"))])
    model.compile("sgd", "mse", metrics=["mae"])
    x = np.array([[[1.0], [2.0]], [[0.0], [3.0]]], "float32")
    assert model.evaluate(x, np.zeros_like(x), verbose=0) == pytest.approx([(1 + 4 + 9) / 4, (1 + 2 + 3) / 3])


def test_subclassed_models_learn_their_inputs():
    class Both(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = K.Dense(2)

        def call(self, inputs, training=None):
            return self.dense(inputs["a"] + inputs["b"])

    model = Both()
    model.compile("sgd", "mse", metrics=["mae"])
    history = model.fit({"a": X, "b": X}, Y, verbose=0, validation_split=0.25)
    assert list(history.history) == ["loss", "mean_absolute_error", "val_loss", "val_mean_absolute_error"]
    assert model.input_names == ["a", "b"]


def test_a_changed_trainable_is_reported(caplog):
    model = small()
    before = model.get_weights()[0]
    model.trainable = False
    model.train_on_batch(X, Y)
    assert "trainable weights are not those that `compile` found" in caplog.text
    assert not np.array_equal(model.get_weights()[0], before)  # what compile saw is trained


def test_steps_do_not_grow_the_graph():
    model = small(metrics=["mae"])
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    fit = lambda: model.fit(dataset, epochs=2, verbose=0)
    model.fit(X, Y, verbose=0, validation_data=(X, Y))
    model.predict(X)
    before = len(tf.get_default_graph().get_operations())
    model.fit(X, Y, verbose=0, epochs=3, validation_data=(X, Y))
    model.predict(X)
    assert len(tf.get_default_graph().get_operations()) == before
    fit()
    before, added = len(tf.get_default_graph().get_operations()), len(tf.get_default_graph().get_operations()) - before
    fit()
    assert len(tf.get_default_graph().get_operations()) - before == added  # an iterator for each call, none for epochs


def test_batches_of_a_dataset_count_alike():
    x = np.arange(10.0, dtype="float32").reshape(10, 1)
    model = tf.keras.Sequential([K.Dense(1, kernel_initializer="zeros", input_shape=(1,))])
    model.compile(tf.keras.optimizers.SGD(0.0), "mse")
    means = [np.mean(np.square(part)) for part in (x[:4], x[4:8], x[8:])]
    sizes = []
    note = tf.keras.callbacks.LambdaCallback(on_batch_end=lambda batch, logs: sizes.append(logs["size"]))
    dataset = tf.data.Dataset.from_tensor_slices((x, x)).batch(4)
    assert model.fit(dataset, verbose=0, callbacks=[note]).history["loss"] == pytest.approx([np.mean(means)])
    history = model.fit(x, x, batch_size=4, shuffle=False, verbose=0, callbacks=[note]).history
    assert history["loss"] == pytest.approx([np.mean(np.square(x))]) and sizes == [1, 1, 1, 4, 4, 2]


# ---- errors

REFUSED = [
    (RuntimeError, "compile", lambda: tf.keras.Sequential([K.Dense(2, input_shape=(3,))]).fit(X, Y)),
    (ValueError, "Unknown loss function: nonsense", lambda: small(loss="nonsense")),
    (ValueError, "Unknown metric function: nonsense", lambda: small(metrics=["nonsense"])),
    (ValueError, "Unknown optimizer: nonsense", lambda: small(optimizer="nonsense")),
    (ValueError, r"Unknown entries in loss dictionary: \['other'\]", lambda: small(loss={"other": "mse"})),
    (ValueError, "one entry per model output", lambda: small(loss_weights=[1.0, 2.0])),
    (TypeError, "metrics", lambda: small(metrics="mae")),
    (TypeError, "Invalid keyword", lambda: small(nonsense=1)),
    (ValueError, r"to have shape \(3,\) but got array with shape \(4,\)", lambda: small().fit(np.ones([8, 4]), Y)),
    (ValueError, "2 dimensions, but got array with shape", lambda: small().fit(np.ones([8, 3, 1]), Y)),
    (ValueError, r"dense to have shape \(2,\) but got .* \(5,\)", lambda: small().fit(X, np.ones([8, 5]))),
    (ValueError, "got 8 inputs and 6 labels", lambda: small().fit(X, Y[:6])),
    (ValueError, "y=None", lambda: small().fit(X)),
    (ValueError, r"wants 1 array\(s\), got 2", lambda: small().fit([X, X], Y)),
    (ValueError, "No data provided for", lambda: small().fit({"other": X}, Y)),
    (ValueError, "no loss", lambda: small(loss=None).fit(X, Y)),
    (ValueError, r"sample_weight of shape \(8, 2\)", lambda: small().fit(X, Y, sample_weight=np.ones([8, 2]))),
    (ValueError, r"weights of shape \(\?,\) do not fit losses of shape \(\?, 2, 3\)",
     lambda: cube().fit(np.ones([8, 2, 3, 4]), np.ones([8, 2, 3, 1]), sample_weight=np.ones(8))),
    (ValueError, "one-hot labels", lambda: cube(loss="categorical_crossentropy").fit(
        np.ones([8, 2, 3, 4]), np.ones([8, 2, 3, 1]))),
    (ValueError, r"no weight for the classes \{0\}", lambda: small().fit(X, Y, class_weight={1: 2.0})),
    (ValueError, "validation_split", lambda: small().fit(X[:1], Y[:1], validation_split=0.5)),
    (ValueError, "validation_data", lambda: small().fit(X, Y, validation_data=(X,))),
    (ValueError, "steps_per_epoch=None", lambda: small().fit(pair for pair in [(X, Y)])),
    (ValueError, "1 or 2 or 3 elements", lambda: small().fit((each for each in [(X, Y, Y, Y)]), steps_per_epoch=1)),
    (ValueError, "`y` argument is not supported", lambda: small().fit(Squares(), Y)),
    (ValueError, "`batch_size` argument must not", lambda: small().fit(Squares(), batch_size=2)),
    (ValueError, "run_eagerly=True", lambda: small(run_eagerly=True)),
]


@pytest.mark.parametrize("kind, words, act", REFUSED, ids=[words for _, words, _ in REFUSED])
def test_what_is_refused(kind, words, act):
    with pytest.raises(kind, match=words):
        act()


def test_lists_of_numbers_are_split_too():
    model = small()
    name = model.input_names[0]
    histories = [model.fit(x, y, validation_split=0.5, verbose=0, shuffle=False).history
                 for x, y in ((X, Y), ({name: X.tolist()}, Y), ([X], [Y.tolist()]))]
    assert all(set(each) == {"loss", "val_loss"} for each in histories)


def test_an_optimizer_of_the_programs_own_may_prepare_nothing():
    class Own(tf.keras.optimizers.SGD):
        def _prepare(self, var_list):
            self.prepared = [v.op.name for v in var_list]

    v, optimizer = tf.Variable(2.0, name="of_own", use_resource=True), Own(0.5)
    step = optimizer.apply_gradients([(tf.constant(1.0), v)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run(v) == 1.5 and optimizer.prepared == ["of_own"]
