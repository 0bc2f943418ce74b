"""Updates of whole variables wait for the end of a compiled step: what is read, what a failed step leaves behind."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.ops.nn import deferred_updates

X = np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32)
GOOD, BAD = np.array([0, 1, 2, 1]), np.array([0, 1, 7, 1])
OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.5),
    "momentum": lambda: tf.train.MomentumOptimizer(0.5, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
}


def net(use_resource=False):
    """(loss with a check on its labels, its placeholders)."""
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int64, [None])
    with tf.variable_scope("net", use_resource=use_resource):
        init = tf.random_normal_initializer(seed=3)
        hidden = tf.tanh(tf.matmul(x, tf.get_variable("w", [3, 5], initializer=init)))
        offset = tf.get_variable("b", [3], initializer=tf.constant_initializer([0.1, 0.2, 0.3]))
        logits = tf.matmul(hidden, tf.get_variable("v", [5, 3], initializer=init)) + offset
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)), x, y


def after(tier, fetches, feeds, steps=3):
    """What the last step gave, and every variable after it."""
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            results = session.run(fetches, feeds)
        return results, session.run(tf.global_variables())


def agree(fetches, feeds):
    for one, other in zip(after("numpy", fetches, feeds), after("xla", fetches, feeds)):
        for a, b in zip(one, other):
            if a is not None:
                np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_tiers_agree(name, use_resource):
    loss, x, y = net(use_resource)
    agree([OPTIMIZERS[name]().minimize(loss), loss], {x: X, y: GOOD})


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_failed_step_changes_nothing(name):
    loss, x, y = net()
    train = OPTIMIZERS[name]().minimize(loss)
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        session.run(train, {x: X, y: GOOD})
        before = session.run(tf.global_variables())
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(train, {x: X, y: BAD})
        for old, new in zip(before, session.run(tf.global_variables())):
            np.testing.assert_array_equal(old, new)
        session.run(train, {x: X, y: GOOD})


def test_what_depends_on_an_update_sees_it():
    loss, x, y = net()
    weights = tf.global_variables("net/w")[0]
    with tf.control_dependencies([tf.train.AdamOptimizer(0.1).minimize(loss)]):
        seen = tf.identity(weights.read_value()) * 2.0
    agree([seen, loss], {x: X, y: GOOD})


def test_averages_of_updated_variables():
    loss, x, y = net()
    averages = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([tf.train.AdamOptimizer(0.1).minimize(loss)]):
        train = averages.apply(tf.trainable_variables())
    agree([train, loss], {x: X, y: GOOD})


def test_two_updates_of_one_variable():
    loss, x, y = net()
    first = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([first]):
        second = tf.train.MomentumOptimizer(0.1, 0.5).minimize(loss)
    agree([second, loss], {x: X, y: GOOD})


def test_an_update_in_a_branch():
    loss, x, y = net()
    optimizer = tf.train.AdamOptimizer(0.1)
    (gradient, weights), *rest = optimizer.compute_gradients(loss)
    branch = tf.cond(loss > 0.0, lambda: tf.identity(tf.assign_sub(weights, 0.1 * gradient)), lambda: gradient)
    with tf.control_dependencies([branch]):
        train = optimizer.apply_gradients([(gradient, weights), *rest])
    agree([branch, train, loss], {x: X, y: GOOD})


def test_a_rule_is_traced_once_for_variables_of_one_shape(monkeypatch):
    calls = []
    compute = deferred_updates.Formula._traced
    monkeypatch.setattr(deferred_updates.Formula, "_traced", lambda *args: calls.append(args) or compute(*args))
    variables = [tf.get_variable(f"v{at}", [17, 19], initializer=tf.ones_initializer()) for at in range(6)]
    loss = tf.add_n([tf.reduce_sum(tf.square(variable)) for variable in variables])
    train = tf.train.AdamOptimizer(0.01234).minimize(loss)
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        np.testing.assert_array_equal(*session.run(variables[::5]))
    assert len(calls) == 1


def test_a_slot_that_a_rule_leaves_alone_keeps_its_value():
    with tf.variable_scope("", use_resource=True):
        weights, total = (tf.get_variable(name, [3], initializer=tf.ones_initializer()) for name in ("w", "total"))
    step = tf.raw_ops.ResourceApplyAdagrad(var=weights.handle, accum=total.handle, lr=0.5, grad=weights * 2.0,
                                           update_slots=False)
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert [value.tolist() for value in session.run([weights, total])] == [[0.0] * 3, [1.0] * 3]
