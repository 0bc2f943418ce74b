"""With eager execution models train as they do in graphs, as a function and as plain Python."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.keras import history
from tests.harness.recorded import texts
from tests.keras.training_programs import PROGRAMS, data, filled

K = tf.keras.layers
RECORDED = texts("keras_training")


@pytest.fixture(autouse=True)
def _eagerly(graph):
    EAGER.seed = None
    EAGER.forget_plain()
    with EAGER.as_default():
        yield
        history.forget_symbolic()


@pytest.mark.parametrize("name", ["sgd", "adam", "nadam", "several_outputs", "class_weights", "batches_alone",
                                  "penalties_and_added_losses", "sequences_with_weights", "generators", "datasets"])
def test_as_recorded(name):
    found = PROGRAMS[name](tf, K)
    assert list(found) == list(RECORDED[name])
    for key, values in found.items():
        np.testing.assert_allclose(values, RECORDED[name][key], rtol=2e-5, atol=2e-5, err_msg=key)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = K.Dense(4, activation="tanh"), K.Dense(3, activation="softmax")

    def call(self, inputs, training=None):
        hidden = self.hidden(inputs)
        self.add_loss(0.01 * tf.reduce_sum(tf.square(hidden)))
        self.add_metric(tf.reduce_mean(hidden), name="mean_hidden", aggregation="mean")
        return self.out(hidden)


def losses(**options):
    x, y = data()
    model = Net()
    model.build((None, 6))
    filled(model).compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"], **options)
    return model.fit(x, y, batch_size=16, epochs=2, shuffle=False, verbose=0).history


def test_a_subclass_as_function_and_as_python():
    function, python = losses(), losses(run_eagerly=True)
    assert list(function) == list(python) == ["loss", "acc", "mean_hidden"]
    for key, values in function.items():
        np.testing.assert_allclose(values, python[key], rtol=1e-5)


def test_python_sees_each_step():
    class Counting(K.Layer):
        calls = 0

        def __init__(self):
            super().__init__(dynamic=True)

        def call(self, inputs):
            Counting.calls += 1
            return inputs if float(tf.reduce_sum(inputs)) > 0 else -inputs

        def compute_output_shape(self, input_shape):
            return input_shape

    x, y = data()
    model = tf.keras.Sequential([K.Dense(3, input_shape=(6,)), Counting()])
    model.compile("sgd", "mse")
    assert model.run_eagerly
    model.fit(x, np.eye(3, dtype="float32")[y], batch_size=16, epochs=2, verbose=0)
    assert Counting.calls == 6


def test_operations_between_layers():
    inputs = tf.keras.Input([6])
    model = tf.keras.Model(inputs, K.Dense(1)(tf.concat([inputs * 2.0, tf.square(inputs)], axis=1)))
    x, _ = data()
    assert model.predict(x).shape == (48, 1)
    np.testing.assert_allclose(model.predict(x), model(tf.constant(x)).numpy(), rtol=1e-5)


def test_functions_of_the_backend_run_assignments():
    backend = tf.keras.backend
    given, kept = backend.placeholder(shape=()), backend.variable(10.0)
    total = given + kept
    with tf.control_dependencies([total]):
        assignment = backend.update(kept, given)
    assert backend.function([given], [total], updates=[assignment])([2.0]) == [12.0] and kept.numpy() == 2.0


class Phases(K.Layer):
    """Notes the learning phase of each call, and the flag that it is called with."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def call(self, inputs, training=None):
        self.seen.append((training, tf.keras.backend.learning_phase()))
        return tf.keras.backend.in_train_phase(inputs + 1.0, inputs, training)


def test_learning_phases():
    layer = Phases()
    inputs = tf.keras.Input([1])
    model = tf.keras.Model(inputs, layer(inputs))
    flag, phase = layer.seen.pop()
    assert flag is phase and phase.op.type == "PlaceholderWithDefault"
    assert model(tf.zeros([1, 1])).numpy() == 0.0
    model.compile("sgd", "mse")
    assert model.train_on_batch(np.zeros([1, 1]), np.zeros([1, 1])) == 1.0
    assert model.test_on_batch(np.zeros([1, 1]), np.zeros([1, 1])) == 0.0
    assert list(dict.fromkeys(layer.seen)) == [(None, 0), (True, 1), (False, 0)]


def test_updates_are_those_of_the_description():
    inputs = tf.keras.Input([3])
    layer = K.BatchNormalization()
    model = tf.keras.Model(inputs, K.Dense(1)(layer(inputs)))
    assert len(layer.updates) == len(layer.get_updates_for(inputs)) == 2 and not layer.get_updates_for(None)
    model.compile("sgd", "mse")
    model.train_on_batch(np.ones([4, 3]), np.ones([4, 1]))
    assert len(layer.updates) == 2
    np.testing.assert_allclose(layer.moving_mean.numpy(), np.full(3, 0.01), rtol=1e-5)


@pytest.mark.parametrize("make", [lambda: "rmsprop", lambda: tf.train.MomentumOptimizer(0.1, 0.9)])
def test_a_checkpoint_waits_for_variables_that_a_traced_step_makes(tmp_path, make):
    x, y = data()
    first = Net()
    first.compile(make(), "sparse_categorical_crossentropy")
    first.train_on_batch(x, y)
    first.save_weights(tmp_path / "w")
    before = first.predict(x)
    first.train_on_batch(x, y)
    second = Net()
    second.load_weights(tmp_path / "w")
    np.testing.assert_allclose(second.predict(x), before, rtol=1e-6)
    second.compile(make(), "sparse_categorical_crossentropy")
    second.train_on_batch(x, y)
    np.testing.assert_allclose(second.predict(x), first.predict(x), rtol=1e-6)
