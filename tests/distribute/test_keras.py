"""fit, evaluate and predict of Keras models with two replicas: the numbers of one, in graphs and eagerly."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.run.devices import logical

X = np.random.RandomState(0).randn(21, 3).astype(np.float32)
Y = X.sum(1, keepdims=True)  # which a layer of ones computes


@pytest.fixture(params=["graph", "eager"])
def mode(request, graph, monkeypatch):
    if request.param == "eager":
        monkeypatch.setattr(logical, "cpus", 2)
        EAGER.forget_plain()
        with EAGER.as_default():
            yield
    else:
        yield


def strategy(count):
    return tf.distribute.MirroredStrategy([f"/cpu:{number}" for number in range(count)])


def model(input_shape=True):
    options = {"input_shape": (3,)} if input_shape else {}
    made = tf.keras.Sequential([
        tf.keras.layers.Dense(1, kernel_initializer="ones", kernel_regularizer="l2", **options)])
    made.compile(tf.keras.optimizers.SGD(0.1), "mse", ["mae"])
    return made


def numbers(made):
    """What three kinds of loops return for batches that can be divided, and a last one with a single row."""
    found = made.fit(X, Y, 4, 2, 0, shuffle=False).history
    return [*found["loss"], *found["mean_absolute_error"], *made.evaluate(X, Y, 4, 0), *made.predict(X, 4).ravel(),
            *made.get_weights()[0].ravel()]


def test_two_replicas_give_the_numbers_of_one(mode):
    wanted = numbers(model())  # with the penalty on weights, which moves them
    with strategy(2).scope():
        made = model()
    np.testing.assert_allclose(numbers(made), wanted, rtol=1e-4, atol=1e-5)
    assert len(made.weights[0].values) == 2


def test_variables_that_fit_makes_belong_to_the_strategy(mode):
    with strategy(2).scope():
        made = model(input_shape=False)
    made.fit(X, Y, 4, verbose=0)
    assert len(made.weights[0].values) == 2 and made.predict(X).shape == (21, 1)


def test_a_dataset_gives_batches_of_all_replicas(mode):
    with strategy(2).scope():
        made = model()
    data = tf.data.Dataset.from_tensor_slices((X, 2 * Y)).batch(4)
    np.testing.assert_allclose(made.evaluate(data, verbose=0)[1], np.mean(np.abs(2 * Y - X.sum(1, keepdims=True))),
                               rtol=1e-5)
    assert made.train_on_batch(X[:4], Y[:4])[0] > 0.0


def test_summaries_of_weights_are_refused(tmp_path):
    with strategy(2).scope():
        made = model()
    board = tf.keras.callbacks.TensorBoard(str(tmp_path), histogram_freq=1, update_freq="epoch")
    with pytest.raises(tf.errors.UnimplementedError, match="histogram_freq=0"):
        made.fit(X, Y, 4, verbose=0, callbacks=[board], validation_data=(X, Y))
