"""The optimizers of tf.contrib.optimizer_v2, two steps each by their formulas, dense and for single rows."""

import numpy as np
import pytest

import evergraph as tf

v2 = tf.contrib.optimizer_v2
START = np.array([[1.0, -2.0], [0.5, 3.0]])
SLOPES = np.array([[[0.1, -0.4], [2.0, 0.3]], [[0.5, 0.2], [-1.0, 0.7]]])  # of two steps


def descended(slopes):
    return START - 0.1 * slopes.sum(0)


def with_momentum(slopes, nesterov=False):
    value, kept = START.copy(), np.zeros_like(START)
    for slope in slopes:
        kept = 0.9 * kept + slope
        value -= 0.1 * (slope + 0.9 * kept if nesterov else kept)
    return value


def adagrad(slopes):
    value, squares = START.copy(), np.full_like(START, 0.1)
    for slope in slopes:
        squares += slope ** 2
        value -= 0.1 * slope / np.sqrt(squares)
    return value


def adadelta(slopes):
    value, squares, moves = START.copy(), np.zeros_like(START), np.zeros_like(START)
    for slope in slopes:
        squares = 0.95 * squares + 0.05 * slope ** 2
        move = np.sqrt(moves + 1e-2) / np.sqrt(squares + 1e-2) * slope
        moves = 0.95 * moves + 0.05 * move ** 2
        value -= 0.1 * move
    return value


def adam(slopes):
    value, first, second = START.copy(), np.zeros_like(START), np.zeros_like(START)
    for step, slope in enumerate(slopes, 1):
        first, second = 0.8 * first + 0.2 * slope, 0.99 * second + 0.01 * slope ** 2
        value -= 0.1 * np.sqrt(1 - 0.99 ** step) / (1 - 0.8 ** step) * first / (np.sqrt(second) + 1e-3)
    return value


def rms_prop(slopes, centered=False):
    """Epsilon is where the squares begin, and not under the root."""
    value, squares = START.copy(), np.full_like(START, 1e-3)
    means, kept = np.zeros_like(START), np.zeros_like(START)
    for slope in slopes:
        squares, means = 0.8 * squares + 0.2 * slope ** 2, 0.8 * means + 0.2 * slope
        kept = 0.5 * kept + 0.1 * slope / np.sqrt(squares - (means ** 2 if centered else 0))
        value -= kept
    return value


OPTIMIZERS = {
    "GradientDescentOptimizer": (lambda: v2.GradientDescentOptimizer(0.1), descended),
    "GradientDescentOptimizer by a function": (lambda: v2.GradientDescentOptimizer(lambda: 0.1), descended),
    "MomentumOptimizer": (lambda: v2.MomentumOptimizer(0.1, 0.9), with_momentum),
    "MomentumOptimizer of Nesterov": (lambda: v2.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
                                      lambda slopes: with_momentum(slopes, nesterov=True)),
    "AdagradOptimizer": (lambda: v2.AdagradOptimizer(0.1), adagrad),
    "AdadeltaOptimizer": (lambda: v2.AdadeltaOptimizer(0.1, 0.95, 1e-2), adadelta),
    "AdamOptimizer": (lambda: v2.AdamOptimizer(0.1, 0.8, 0.99, 1e-3), adam),
    "RMSPropOptimizer": (lambda: v2.RMSPropOptimizer(0.1, 0.8, 0.5, 1e-3), rms_prop),
    "RMSPropOptimizer with centers": (lambda: v2.RMSPropOptimizer(0.1, 0.8, 0.5, 1e-3, centered=True),
                                      lambda slopes: rms_prop(slopes, centered=True)),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("resource", [False, True])
def test_two_steps(session, name, rows, resource):
    make, wanted = OPTIMIZERS[name]
    variable = tf.get_variable("v", initializer=START, use_resource=resource)
    slope = tf.placeholder(tf.float64, [2, 2])
    given = tf.IndexedSlices(slope, tf.constant([0, 1]), tf.constant([2, 2])) if rows else slope
    train = make().apply_gradients([(given, variable)], tf.train.get_or_create_global_step())
    session.run(tf.global_variables_initializer())
    for each in SLOPES:
        session.run(train, {slope: each})
    np.testing.assert_allclose(session.run(variable), wanted(SLOPES), rtol=1e-6)
    assert session.run(tf.train.get_global_step()) == 2
