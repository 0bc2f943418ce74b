"""What models leave behind when nobody holds them."""

import gc
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.keras import history


@pytest.fixture(autouse=True)
def eager(graph):
    """Eager execution, and a graph of symbolic tensors that no earlier test has a hold of."""
    with EAGER.as_default():
        history.forget_symbolic()
        yield


def model(first=tf.keras.layers.Dense, **options):
    made = tf.keras.Sequential([first(4, **(options or {"input_shape": (3,)})), tf.keras.layers.Dense(1)])
    made(tf.ones([2, *made.input_shape[1:]]))
    return made


def test_a_model_goes_with_its_last_reference():
    layer = weakref.ref(model().layers[0])
    gc.collect()
    assert layer() is None


def test_a_recurrent_model_goes_with_its_last_reference_after_training():
    made = model(tf.keras.layers.LSTM, input_shape=(2, 3))
    made.compile("sgd", "mse")
    made.train_on_batch(np.ones([2, 2, 3]), np.ones([2, 1]))
    layer, described_in = weakref.ref(made.layers[0]), weakref.ref(made.inputs[0].graph)
    del made
    gc.collect()
    assert layer() is None and described_in() is None


def test_a_forgotten_graph_stays_with_its_models():
    kept, layer = model(), weakref.ref(model().layers[0])
    history.forget_symbolic()  # as tf.keras.backend.clear_session does
    assert kept(tf.ones([2, 3])).shape == (2, 1) and model().inputs[0].graph is not kept.inputs[0].graph
    del kept
    gc.collect()
    assert layer() is None


def test_models_share_a_graph_while_they_live():
    x = tf.keras.Input([3])
    y = tf.keras.layers.Dense(2)(x)
    both = tf.keras.Model(x, tf.keras.layers.concatenate([y, tf.keras.layers.Dense(2)(x)]))
    assert both(tf.ones([1, 3])).shape == (1, 4)
