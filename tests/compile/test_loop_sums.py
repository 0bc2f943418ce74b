"""Sums over the iterations of a loop on NumPy, which many iterations compute at once."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import loop_sums
from evergraph.compile.loop_sums import lower_body

GENERATOR = np.random.RandomState(0)
ROWS, STEPS = GENERATOR.randn(6, 4, 3).astype(np.float32), GENERATOR.randn(6, 4, 5).astype(np.float32)
SUM = np.einsum("tbi,tbj->ij", ROWS, STEPS)


def body_of(tensor):
    """The lowered body of the loop behind one of its results."""
    loop = tensor.op.inputs[0].op
    cond, body = (loop.graph.function(loop.attrs[name].name) for name in ("cond", "body"))
    return lower_body(body, cond)


def summed(change, condition=lambda at, total: at < 6, start=None):
    """The loop whose variable, a matrix, changes by a function of it and a product."""
    rows, steps = tf.constant(ROWS), tf.constant(STEPS)
    start = tf.zeros([3, 5]) if start is None else start
    return tf.while_loop(condition, lambda at, total: (
        at + 1, change(total, tf.matmul(rows[at], steps[at], transpose_a=True))), [0, start])[1]


def run(tensor, feeds=None):
    with tf.Session(tier="numpy") as session:
        return session.run(tensor, feeds)


@pytest.mark.parametrize("add", [lambda total, term: total + term, lambda total, term: tf.add_n([term, total])],
                         ids=["add", "add_n"])
def test_products_are_added_up_behind_the_loop(add):
    total = summed(add, start=tf.ones([3, 5]))
    body = body_of(total)
    assert [each.position for each in body.sums] == [1]
    assert not any(node.type == "MatMul" for node in body.lowered.nodes)
    np.testing.assert_allclose(run(total), 1 + SUM, rtol=1e-5)


@pytest.mark.parametrize("change, condition", [
    (lambda total, term: total + 2 * total + term, lambda at, total: at < 6),
    (lambda total, term: total - term, lambda at, total: at < 6),
    (lambda total, term: total + term * tf.reduce_sum(term), lambda at, total: at < 6),
    (lambda total, term: total + term, lambda at, total: (at < 6) & (tf.reduce_sum(total) < 1e6)),
], ids=["reads the sum", "no sum", "uses the term twice", "the condition reads it"])
def test_what_looks_at_the_sum_on_the_way_gets_it(change, condition):
    total = summed(change, condition)
    assert not body_of(total).sums
    with tf.Session(tier="xla") as session:
        np.testing.assert_allclose(run(total), session.run(total), rtol=2e-5)


def test_a_sum_that_another_loop_variable_takes_is_not_put_off():
    rows = tf.constant(ROWS)
    _, total, seen = tf.while_loop(lambda at, *_: at < 6, lambda at, total, seen: (
        at + 1, total + tf.matmul(rows[at], rows[at], transpose_a=True), seen + tf.reduce_max(total)),
        [0, tf.zeros([3, 3]), 0.0])
    assert not body_of(total).sums
    with tf.Session(tier="xla") as session:
        np.testing.assert_allclose(run(seen), session.run(seen), rtol=2e-5)


def test_no_iteration_and_one():
    count = tf.placeholder(tf.int32, [])
    total = summed(lambda total, term: total + term, lambda at, total: at < count)
    np.testing.assert_array_equal(run(total, {count: 0}), np.zeros([3, 5]))
    np.testing.assert_allclose(run(total, {count: 1}), ROWS[0].T @ STEPS[0], rtol=1e-6)


@pytest.mark.parametrize("enough", [1, 8, 10, 24, 25])
def test_rows_that_wait_are_few(monkeypatch, enough):
    monkeypatch.setattr(loop_sums, "_ENOUGH_ROWS", enough)
    np.testing.assert_allclose(run(summed(lambda total, term: total + term)), SUM, rtol=1e-5)


def test_iterations_of_different_numbers_of_rows():
    rows = tf.constant(ROWS[0])
    _, total = tf.while_loop(lambda at, _: at < 4, lambda at, total: (
        at + 1, total + tf.matmul(rows[:at], rows[:at], transpose_a=True)), [0, tf.zeros([3, 3])])
    assert body_of(total).sums
    np.testing.assert_allclose(run(total), sum(ROWS[0][:n].T @ ROWS[0][:n] for n in range(4)), rtol=1e-5)


@pytest.mark.parametrize("cell", [tf.nn.rnn_cell.LSTMCell, tf.nn.rnn_cell.GRUCell])
def test_gradients_of_recurrent_networks(cell):
    x = tf.placeholder(tf.float32, [4, None, 3])
    outputs, _ = tf.nn.dynamic_rnn(cell(5), x, dtype=tf.float32)
    slopes = tf.gradients(tf.reduce_sum(tf.square(outputs)), tf.trainable_variables())
    assert any(node.type == "StatelessWhile" and lower_body(*(
        node.graph.function(node.attrs[name].name) for name in ("body", "cond"))).sums
        for node in tf.get_default_graph().get_operations())
    results = []
    for tier in ("numpy", "xla"):
        with tf.Session(tier=tier) as session:
            for variable in tf.trainable_variables():
                variable.load(np.random.RandomState(1).randn(*variable.shape.as_list()).astype(np.float32), session)
            results.append([
                session.run(slopes, {x: ROWS.transpose(1, 0, 2)[:, :length]}) for length in (6, 2)])
    for ours, theirs in zip(*results):
        for one, other in zip(ours, theirs):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_a_weight_that_stays_is_transposed_once():
    weight = tf.placeholder(tf.float32, [7, 3])
    _, state = tf.while_loop(lambda at, _: at < 3, lambda at, state: (
        at + 1, tf.matmul(tf.matmul(state, weight, transpose_b=True), weight)), [0, tf.constant(ROWS[0])])
    assert [place for place, _ in body_of(state).lowered.prepared] == [2]
    value = np.random.RandomState(1).randn(7, 3).astype(np.float32)
    np.testing.assert_allclose(run(state, {weight: value}),
                               ROWS[0] @ np.linalg.matrix_power(value.T @ value, 3), rtol=1e-4)


def test_a_weight_that_changes_is_not():
    start = tf.placeholder(tf.float32, [7, 3])
    _, weight, total = tf.while_loop(lambda at, *_: at < 3, lambda at, weight, total: (
        at + 1, weight + 1, total + tf.matmul(tf.constant(ROWS[0]), weight, transpose_b=True)),
        [0, start, tf.zeros([4, 7])])
    assert not body_of(total).lowered.prepared
    value = np.random.RandomState(1).randn(7, 3).astype(np.float32)
    np.testing.assert_allclose(run(total, {start: value}), ROWS[0] @ (3 * value + 3).T, rtol=1e-4, atol=1e-5)


def test_filters_of_convolutions():
    images, slopes = (GENERATOR.randn(5, 2, 6, 6, channels).astype(np.float32) for channels in (3, 4))
    def step(at, total):
        filters = tf.nn.conv2d_backprop_filter(
            tf.constant(images)[at], [3, 3, 3, 4], tf.constant(slopes)[at], [1, 1, 1, 1], "SAME")
        return at + 1, total + filters
    _, total = tf.while_loop(lambda at, _: at < 5, step, [0, tf.zeros([3, 3, 3, 4])])
    assert body_of(total).sums
    with tf.Session(tier="xla") as session:
        np.testing.assert_allclose(run(total), session.run(total), rtol=1e-4, atol=1e-4)
