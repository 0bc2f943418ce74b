"""tf.contrib.opt: each optimizer follows its formula, on whole variables and on rows, of both kinds of variables."""

import math

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.opt.signs import get_cosine_decay_fn, get_linear_decay_fn, get_restart_decay_fn
from tests.harness.session import KINDS

STEPS = 4
opt = tf.contrib.opt


def _zeros(w):
    return {"m": np.zeros_like(w), "v": np.zeros_like(w)}


def _adam_rate(t, rate):
    return rate * np.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t)


def _lazy_adam(w, g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["v"] = 0.999 * s["v"] + 0.001 * g * g
    return w - _adam_rate(t, 0.1) * s["m"] / (np.sqrt(s["v"]) + 1e-8)


def _nadam(w, g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["v"] = 0.999 * s["v"] + 0.001 * g * g
    return w - _adam_rate(t, 0.1) * (0.1 * g + 0.9 * s["m"]) / (np.sqrt(s["v"]) + 1e-8)


def _adamax(w, g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["v"] = np.maximum(0.999 * s["v"], np.abs(g))
    return w - 0.1 / (1 - 0.9 ** t) * s["m"] / (s["v"] + 1e-8)


def _adamw(w, g, s, t):
    return _lazy_adam(w, g, s, t) - 0.01 * w


def _momentumw(w, g, s, t):
    s["m"] = 0.9 * s["m"] + g
    return w - 0.1 * s["m"] - 0.01 * w


def _powersign(w, g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    return w - 0.1 * 2.0 ** (max(0, 3 - (t - 1)) / 3 * np.sign(g) * np.sign(s["m"])) * g


def _addsign(w, g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    return w - 0.1 * (1.5 + np.sign(g) * np.sign(s["m"])) * g


def _lars(w, g, s, t):
    size, slope = np.linalg.norm(w), np.linalg.norm(g)
    s["m"] = 0.9 * s["m"] + 0.1 * 0.5 * size / (slope + 0.01 * size) * (g + 0.01 * w)
    return w - s["m"]


OPTIMIZERS = {
    "LazyAdam": (lambda: opt.LazyAdamOptimizer(0.1), _lazy_adam),
    "Nadam": (lambda: opt.NadamOptimizer(0.1), _nadam),
    "AdaMax": (lambda: opt.AdaMaxOptimizer(0.1), _adamax),
    "AdamW": (lambda: opt.AdamWOptimizer(0.01, 0.1), _adamw),
    "extended": (lambda: opt.extend_with_decoupled_weight_decay(tf.train.AdamOptimizer)(0.01, learning_rate=0.1),
                 _adamw),
    "MomentumW": (lambda: opt.MomentumWOptimizer(0.01, 0.1, 0.9), _momentumw),
    "PowerSign": (lambda: opt.PowerSignOptimizer(0.1, base=2.0, sign_decay_fn=get_linear_decay_fn(3)), _powersign),
    "AddSign": (lambda: opt.AddSignOptimizer(0.1, alpha=1.5), _addsign),
    "LARS": (lambda: opt.LARSOptimizer(0.1, weight_decay=0.01, eeta=0.5), _lars),
}
_random = np.random.RandomState(1)
W, GRADIENTS = _random.randn(4, 2), _random.randn(STEPS, 4, 2)


@KINDS
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_whole_variables(name, resource):
    make, formula = OPTIMIZERS[name]
    w = tf.get_variable("w", initializer=W, use_resource=resource)
    gradient = tf.placeholder(tf.float64, [4, 2])
    train = make().apply_gradients([(gradient, w)], global_step=tf.train.create_global_step())
    wanted, state = W, _zeros(W)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step, g in enumerate(GRADIENTS, 1):
            sess.run(train, {gradient: g})
            wanted = formula(wanted, g, state, step)
            np.testing.assert_allclose(sess.run(w), wanted, rtol=2e-5, atol=1e-5, err_msg=f"step {step}")


# What rows without a gradient do: nothing, or their moments decay though they stay.
DECAY_EVERYWHERE = {"Nadam": (0.9, 0.999), "PowerSign": (0.9, 1), "AddSign": (0.9, 1)}


@KINDS
@pytest.mark.parametrize("name", ["LazyAdam", "Nadam", "AdaMax", "MomentumW", "PowerSign", "AddSign"])
def test_rows(name, resource):
    make, formula = OPTIMIZERS[name]
    w = tf.get_variable("w", initializer=W, use_resource=resource)
    rows, gradient = tf.placeholder(tf.int32, [2]), tf.placeholder(tf.float64, [2, 2])
    train = make().apply_gradients([(tf.IndexedSlices(gradient, rows, [4, 2]), w)],
                                   global_step=tf.train.create_global_step())
    wanted, state = W.copy(), _zeros(W)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step, (g, which) in enumerate(zip(GRADIENTS, [[0, 2], [3, 2], [2, 0], [1, 3]]), 1):
            sess.run(train, {rows: which, gradient: g[which]})
            part = {key: value[which] for key, value in state.items()}
            wanted[which] = formula(wanted[which], g[which], part, step)
            for key, decay in zip(state, DECAY_EVERYWHERE.get(name, (1, 1))):
                state[key] = state[key] * decay
                state[key][which] = part[key]
            np.testing.assert_allclose(sess.run(w), wanted, rtol=2e-5, atol=1e-5, err_msg=f"step {step}")


def test_weight_decay_of_some_variables():
    a, b = tf.Variable(1.0), tf.Variable(1.0)
    optimizer = opt.MomentumWOptimizer(0.5, 0.1, 0.0)
    train = optimizer.minimize(0.0 * (a + b), decay_var_list=[a])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        assert sess.run([a, b]) == [0.5, 1.0]


def test_lars_skips():
    optimizer = opt.LARSOptimizer(0.1, skip_list=["bias"])
    gradient, bias = tf.constant([3.0]), tf.Variable([2.0], name="bias")
    assert optimizer.compute_lr(gradient, bias) == (0.1, gradient)
    with pytest.raises(ValueError, match="negative"):
        opt.LARSOptimizer(0.1, momentum=-1.0)


@pytest.mark.parametrize("decay, formula", [
    (get_linear_decay_fn(10), lambda s: (10 - s) / 10),
    (get_cosine_decay_fn(10, 1, 0.75), lambda s: 0 if s >= 7.5 else (1 + math.cos(math.pi * s / 5)) / 2),
    (get_restart_decay_fn(10, 2), lambda s: (1 + math.cos(math.pi * (2 * s % 10) / 10)) / 2),
], ids=["linear", "cosine", "restart"])  # fmt: skip
def test_sign_decay(decay, formula):
    step = tf.placeholder(tf.int64, [])
    value = decay(step)
    with tf.Session() as sess:
        found = [sess.run(value, {step: s}) for s in (0, 1, 4, 5, 8, 10, 12)]
    np.testing.assert_allclose(found, [formula(min(s, 10)) for s in (0, 1, 4, 5, 8, 10, 12)], atol=1e-6)


def test_moving_averages_are_saved_in_place_of_variables(tmp_path):
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    optimizer = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(2.0), average_decay=0.5)
    with pytest.raises(RuntimeError, match="before"):
        optimizer.swapping_saver()
    train = optimizer.minimize(tf.reduce_sum(w * 0.1))
    saver, plain = optimizer.swapping_saver(), tf.train.Saver()
    with pytest.raises(ValueError, match="swap"):
        optimizer.swapping_saver([w])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_allclose(sess.run(w), [0.8, 1.8], rtol=1e-6)
        path = saver.save(sess, str(tmp_path / "model"))
        saver.restore(sess, path)
        np.testing.assert_allclose(sess.run(w), [0.8, 1.8], rtol=1e-6)
        plain.restore(sess, path)
        np.testing.assert_allclose(sess.run(w), [0.9, 1.9], rtol=1e-6)


@KINDS
def test_variables_are_clipped(resource):
    dense = tf.get_variable("dense", initializer=[[3.0, 4.0], [0.1, 0.2]], use_resource=resource)
    table = tf.get_variable("table", initializer=[[3.0, 4.0], [6.0, 8.0]], use_resource=resource)
    optimizer = opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(1.0), {dense: [1], table: [1]}, 1.0)
    rows = tf.IndexedSlices(tf.zeros([1, 2]), [0], [2, 2])
    train = optimizer.apply_gradients([(tf.zeros([2, 2]), dense), (rows, table)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_allclose(sess.run(dense), [[0.6, 0.8], [0.1, 0.2]], rtol=1e-6)
        np.testing.assert_allclose(sess.run(table), [[0.6, 0.8], [6.0, 8.0]], rtol=1e-6)


@KINDS
def test_scipy(resource):
    w = tf.get_variable("w", initializer=[7.0, 7.0], use_resource=resource)
    b = tf.get_variable("b", initializer=[[1.0], [2.0]], use_resource=resource)
    shift = tf.placeholder(tf.float32, [])
    loss = tf.reduce_sum(tf.square(w)) + tf.reduce_sum(tf.square(b - shift))
    free = opt.ScipyOptimizerInterface(loss)
    bound = opt.ScipyOptimizerInterface(loss, var_to_bounds={w: ([None, 2.0], None)})
    constrained = opt.ScipyOptimizerInterface(loss, equalities=[w[1] - 1.0], inequalities=[w[0] - 3.0])
    losses, steps = [], []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        free.minimize(sess, {shift: 3.0}, fetches=[loss], loss_callback=losses.append, step_callback=steps.append)
        np.testing.assert_allclose(sess.run(w), [0, 0], atol=1e-4)
        np.testing.assert_allclose(sess.run(b), [[3], [3]], atol=1e-4)
        assert losses[0] == 103 and losses[-1] < 1e-6 and steps[-1].shape == (4,)
        bound.minimize(sess, {shift: 3.0})
        np.testing.assert_allclose(sess.run(w), [0, 2], atol=1e-4)
        constrained.minimize(sess, {shift: 3.0})
        np.testing.assert_allclose(sess.run(w), [3, 1], atol=1e-4)
        with pytest.raises(ValueError, match="x0"):
            opt.ScipyOptimizerInterface(loss, x0=1).minimize(sess, {shift: 3.0})
