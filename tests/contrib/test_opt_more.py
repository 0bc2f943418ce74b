"""tf.contrib.opt: optimizers by the global step, GGT, and what goes around other optimizers."""

import numpy as np
import pytest

import evergraph as tf

opt = tf.contrib.opt


def _trained(optimizers, steps=4):
    """The values that variables of equal losses, dense and of rows, have after some steps with these optimizers."""
    step = tf.train.create_global_step()
    updates, found = [], []
    for number, optimizer in enumerate(optimizers(step)):
        w = tf.get_variable(f"w{number}", initializer=[1.0, -2.0])
        table = tf.get_variable(f"table{number}", initializer=[[1.0], [2.0], [3.0]])
        loss = tf.reduce_sum(w ** 2) + tf.reduce_sum(tf.gather(table, [2, 0, 2]) ** 2)
        updates.append(optimizer.minimize(loss, var_list=[w, table]))
        found.append((w, table))
    with tf.control_dependencies(updates):
        counted = tf.assign_add(step, 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(counted)
        return sess.run(found)


def test_adam_by_the_global_step():
    adam, by_step, lazy, lazy_by_step = _trained(lambda step: [
        tf.train.AdamOptimizer(0.1), opt.AdamGSOptimizer(step, 0.1), opt.LazyAdamOptimizer(0.1),
        opt.LazyAdamGSOptimizer(step, 0.1)])
    for one, other in ((adam, by_step), (lazy, lazy_by_step)):
        for a, b in zip(one, other):
            np.testing.assert_allclose(a, b, rtol=1e-5)


def test_adagrad_whose_sums_are_held_still():
    v = tf.Variable([1.0, 2.0])
    optimizer = opt.RegAdagradOptimizer(1.0, initial_accumulator_value=1.0)
    with optimizer.avoid_updating_slots():
        still = optimizer.apply_gradients([(tf.constant([3.0, 4.0]), v)])
    moving = optimizer.apply_gradients([(tf.constant([3.0, 4.0]), v)])
    sums = optimizer.get_slot(v, "accumulator")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(still)
        assert sess.run(sums).tolist() == [1, 1] and sess.run(v).tolist() == [-2, -2]
        sess.run(moving)
        assert sess.run(sums).tolist() == [10, 17]


def _ggt(param, g, rate, kept, m, window, t, beta1=0.9, eps=1e-4, svd_eps=1e-6, sigma_eps=1e-2):
    m = m * beta1 + (1 - beta1) * g
    kept[(t - 1) % window] = m
    rows = kept / np.sqrt(min(t, window))
    u, sigma, _ = np.linalg.svd(rows @ rows.T + np.eye(window) * svd_eps)
    along = lambda weights: rows.T @ u @ np.diag(weights) @ u.T @ rows @ m
    step = along((np.sqrt(sigma) + sigma_eps) ** -3)
    least = np.sqrt(sigma).min()
    if least > eps:
        step = step + (m - along(1 / sigma)) / least
    return param - rate * step, m


def test_ggt():
    a, b = np.array([1.0, 2.0]), np.array([[3.0], [4.0]])
    gradients = np.random.RandomState(0).randn(5, 4)
    va, vb = tf.Variable(a), tf.Variable(b)
    fed = tf.placeholder(tf.float64, [4])
    optimizer = opt.GGTOptimizer(0.01, window=3)
    train = optimizer.apply_gradients([(fed[:2], va), (tf.reshape(fed[2:], [2, 1]), vb)])
    wanted, m, kept = np.concatenate([a, b[:, 0]]), 0.0, np.zeros((3, 4))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for t, g in enumerate(gradients, 1):
            sess.run(train, {fed: g})
            wanted, m = _ggt(wanted, g, 0.01, kept, m, 3, t)
            np.testing.assert_allclose(np.concatenate([sess.run(va), sess.run(vb)[:, 0]]), wanted, rtol=1e-5)


def test_tasks_without_gradient_stay():
    v, table = tf.Variable([1.0, 2.0]), tf.Variable([[1.0], [2.0]], use_resource=True)
    factor = tf.placeholder(tf.float32, [])
    optimizer = opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(1.0, 0.9))
    train = optimizer.minimize(factor * (tf.reduce_sum(v) + tf.reduce_sum(tf.gather(table, [1]))))
    slots = [optimizer.get_slot(v, "momentum"), optimizer.get_slot(table, "momentum")]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for number in (1.0, 0.0, 0.0):
            sess.run(train, {factor: number})
        assert [s.tolist() for s in sess.run(slots)] == [[1, 1], [[0], [1]]]
        assert sess.run(v).tolist() == [0, 1] and sess.run(table).tolist() == [[1], [1]]
    with pytest.raises(TypeError):
        opt.MultitaskOptimizerWrapper(1)


def test_clipping_of_gradients():
    v = tf.Variable([0.0, 0.0])
    pairs, norm = opt.clip_gradients_by_global_norm([(tf.constant([3.0, 4.0]), v), (None, v)], clip_norm=1.0)
    with tf.Session() as sess:
        np.testing.assert_allclose(sess.run(pairs[0][0]), [0.6, 0.8], rtol=1e-6)
        assert sess.run(norm) == 5 and pairs[1] == (None, v)


@pytest.mark.parametrize("staleness, value, dropped", [(0, -1.0, 0), (-1, 0.0, 1)])
def test_stale_gradients_are_dropped(staleness, value, dropped):
    v, step = tf.Variable(0.0), tf.train.create_global_step()
    optimizer = opt.DropStaleGradientOptimizer(tf.train.AdamOptimizer(1.0), staleness)
    with pytest.raises(ValueError, match="global step"):
        optimizer.minimize(v + 0.0)
    train = optimizer.minimize(v + 0.0, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_allclose(sess.run(v), value, atol=1e-5)
        assert sess.run([step, "stale_counter:0"]) == [1 - dropped, dropped]
