"""What models leave behind when nobody holds them."""

import gc
import weakref

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.keras import history


def model():
    made = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(3,)), tf.keras.layers.Dense(1)])
    made(tf.ones([2, 3]))
    return made


def test_with_eager_execution_a_model_goes_with_its_last_reference(graph):
    with EAGER.as_default():
        layer = weakref.ref(model().layers[0])
        gc.collect()
        assert layer() is None


def test_a_forgotten_graph_stays_with_its_models(graph):
    with EAGER.as_default():
        kept, layer = model(), weakref.ref(model().layers[0])
        history.forget_symbolic()  # as tf.keras.backend.clear_session does
        assert kept(tf.ones([2, 3])).shape == (2, 1) and model().inputs[0].graph is not kept.inputs[0].graph
        del kept
        gc.collect()
        assert layer() is None


def test_models_share_a_graph_while_they_live(graph):
    with EAGER.as_default():
        x = tf.keras.Input([3])
        y = tf.keras.layers.Dense(2)(x)
        both = tf.keras.Model(x, tf.keras.layers.concatenate([y, tf.keras.layers.Dense(2)(x)]))
        assert both(tf.ones([1, 3])).shape == (1, 4)
