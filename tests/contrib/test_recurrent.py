"""tf.contrib.recurrent, against loops written out and dynamic_rnn."""

import collections

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import interpreted as evaluated

recurrent = tf.contrib.recurrent
State = collections.namedtuple("State", ["total", "power"])
X = np.random.RandomState(4).randn(3, 5, 2).astype(np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def polynomial(theta, state, inputs):
    return State(state.total + inputs["a"] * state.power, state.power * theta["x"]), []


def polynomial_gradient(theta, state, inputs, extras, after):
    """Twice the true gradient, to see that it is used."""
    return ({"x": 2 * after.power * state.power}, State(2 * after.total, 0 * after.power), {"a": 2 * after.total})


@pytest.mark.parametrize("gradient, wanted", [(None, [1, 2, 4]), (polynomial_gradient, [8, 4, 2])])
def test_states_and_gradients(gradient, wanted):
    theta, start = {"x": tf.constant(2.0)}, State(tf.constant(0.0), tf.constant(1.0))
    inputs = {"a": tf.constant([1.0, 2.0, 3.0])}
    states, last = recurrent.Recurrent(theta, start, inputs, polynomial, gradient)
    by_input = tf.gradients(last.total, inputs["a"])[0]
    states, last, by_input = evaluated([states, last, by_input])
    np.testing.assert_allclose(states.total, [1, 5, 17])
    assert last == State(17, 8)
    np.testing.assert_allclose(by_input, wanted)


def test_a_part_of_the_time():
    theta, start = {"x": tf.constant(2.0)}, State(tf.constant(0.0), tf.constant(1.0))
    inputs = {"a": tf.constant([1.0, 2.0, 3.0])}
    for at_end, total in ((False, [1, 5, 0]), (True, [0, 2, 8])):
        states, last = recurrent.Recurrent(theta, start, inputs, polynomial, max_input_length=2, aligned_end=at_end)
        states, last = evaluated([states, last])
        np.testing.assert_allclose(states.total, total)
        assert last.total == max(total)


def test_networks():
    cell = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.random_normal_initializer(seed=1))
    lengths = [5, 3, 0]
    plain = tf.nn.bidirectional_dynamic_rnn(cell, cell, X, lengths, dtype=tf.float32, scope="net")
    with tf.variable_scope("", reuse=True):
        ours = recurrent.bidirectional_functional_rnn(cell, cell, X, sequence_length=lengths, dtype=tf.float32,
                                                      scope="net")
    for found, wanted in zip(*map(tf.nest.flatten, evaluated([ours, plain]))):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
