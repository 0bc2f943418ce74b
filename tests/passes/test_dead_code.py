"""What a step does not need of conditionals, loops and calls is left out, with all that only it needs."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.passes import dead_code
from evergraph.passes.dead_code import find_live, live_arguments, without_dead_code


def caller(tensor):
    """The conditional or loop behind one of its results."""
    return tensor.op.inputs[0].op


def test_a_graph_without_dead_code_stays():
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0, lambda: x * 2, lambda: -x)
    fetches, feeds = [y], [x]
    assert without_dead_code(fetches, feeds) == (fetches, feeds)


def test_a_conditional_loses_the_inputs_of_dead_outputs():
    x, other = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    first, _ = tf.cond(x > 0, lambda: (x * 2, other), lambda: (-x, other * 3))
    ((cut,), _) = without_dead_code([first], [x])
    assert [len(caller(tensor)._inputs) for tensor in (first, cut)] == [3, 2]
    assert [len(caller(tensor).outputs) for tensor in (first, cut)] == [2, 1]
    assert find_live([first], [x]).calls[caller(first)] == {0}


def test_a_loop_keeps_the_variables_that_live_ones_depend_on():
    start = tf.placeholder(tf.float32, [])
    loop = tf.while_loop(lambda i, a, b, c: i < 3, lambda i, a, b, c: (i + 1, a + b, b * 2, c + a),
                         [0, start, 1.0, start])
    live = find_live([loop[1]], [])
    assert live.calls[caller(loop[1])] == {0, 1, 2}
    assert start.op in live.nodes
    assert start.op not in find_live([loop[2]], []).nodes


def test_arguments_behind_the_outputs_of_a_function():
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0, lambda: (x * 2, tf.constant(1.0)), lambda: (x, tf.constant(2.0)))
    branch = y[0].graph.function(caller(y[0]).attrs["then_branch"].name)
    assert live_arguments(branch, {0}) == {0} and live_arguments(branch, {1}) == set()


def test_what_waits_for_a_conditional_waits_for_all_of_it():
    x, other = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    first, _ = tf.cond(x > 0, lambda: (x * 2, other), lambda: (-x, other * 3))
    with tf.control_dependencies([caller(first)]):
        after = tf.constant(1.0)
    assert other.op in find_live([after], [x]).nodes


def test_what_waits_for_a_loop_waits_for_what_is_needed_of_it():
    other = tf.placeholder(tf.float32, [])
    loop = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * 2, b + other), [0, 1.0, 2.0])
    with tf.control_dependencies([caller(loop[1])]):
        after = tf.identity(loop[1])
    live = find_live([after], [])
    assert live.calls[caller(loop[1])] == {0, 1} and other.op not in live.nodes
    assert other.op in find_live([after, caller(loop[1])], []).nodes


def test_what_waits_for_a_loop_that_prints_waits_for_all_of_it():
    loop = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * 2, tf.Print(b, [b])), [0, 1.0, 2.0])
    with tf.control_dependencies([caller(loop[1])]):
        after = tf.identity(loop[1])
    assert find_live([after], []).calls[caller(loop[1])] == {0, 1, 2}


def test_a_recurrent_network_computes_no_gradient_of_its_inputs():
    x = tf.placeholder(tf.float32, [2, None, 3])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), x, dtype=tf.float32)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(outputs))
    loops = [node for node in train.graph.get_operations() if node.type == "StatelessWhile"]
    live = find_live([train], [x])
    assert len(loops) == 2 and len(live.calls[loops[1]]) < len(loops[1].outputs)


@pytest.mark.parametrize("tier", ["numpy", "xla", None])
class TestSteps:
    """Whole steps, on each tier."""

    def test_a_placeholder_that_only_a_dead_loop_variable_needs(self, tier):
        other = tf.placeholder(tf.float32, [])
        count, _ = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a * 2), [0, other])
        with tf.Session(tier=tier) as session:
            assert session.run(count) == 3

    def test_an_assignment_that_only_dead_elements_need(self, tier):
        v = tf.Variable(0.0)
        added = tf.stack([tf.assign_add(v, 1.0), tf.assign_add(v, 1.0)])
        ones = tf.map_fn(lambda _: tf.constant(1.0), added)
        with tf.Session(tier=tier) as session:
            session.run(v.initializer)
            assert session.run(ones).tolist() == [1, 1] and session.run(v) == 0

    def test_random_numbers_that_a_dead_output_would_draw(self, tier):
        x, noise = tf.placeholder(tf.float32, []), tf.random_uniform([], seed=3)
        first, both = tf.cond(x > 0, lambda: (x * 2, noise), lambda: (x, noise * 3))
        with tf.Session(tier=tier) as session, tf.Session(tier=tier) as other:
            session.run([first, first], {x: 1.0})
            assert session.run(noise) == other.run(noise)
            assert session.run(both, {x: 1.0}) == other.run(noise)

    def test_an_effect_that_no_result_depends_on(self, tier):
        v = tf.get_variable("v", initializer=0.0, use_resource=True)
        x = tf.placeholder(tf.float32, [])
        lone = tf.cond(x > 0, lambda: (v.assign_add(1.0), x)[1], lambda: x)
        tied = tf.cond(x > 0, lambda: v.assign_add(1.0), lambda: x)
        with tf.Session(tier=tier) as session:
            session.run(v.initializer)
            session.run(lone, {x: 1.0})
            assert session.run(v) == 0
            session.run(tied, {x: 1.0})
            assert session.run(v) == 1

    def test_dead_code_in_a_branch_inside_a_loop(self, tier):
        x, other = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        body = lambda i, a: (i + 1, tf.cond(a > 0, lambda: (a + x, a * other), lambda: (a - x, other))[0])
        total = tf.while_loop(lambda i, _: i < 3, body, [0, 1.0])[1]
        with tf.Session(tier=tier) as session:
            assert session.run(total, {x: 2.0}) == 7


def losses_of_rows(x):
    """(the sum of a loss of each row, another result of the same loop) and the update of a variable by the first."""
    weight = tf.get_variable("weight", [], initializer=tf.ones_initializer())
    losses, others, _ = tf.map_fn(lambda row: (row * weight, row + 1.0, -row), x, dtype=(tf.float32,) * 3)
    loss = tf.reduce_sum(losses)
    return loss, tf.reduce_sum(others), tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def test_lists_with_the_same_updates_have_one_copy():
    x = tf.placeholder(tf.float32, [3])
    loss, other, train = losses_of_rows(x)
    (first, *_), feeds = without_dead_code([train, loss, other], [x], shares_updates=True)
    (second,), again = without_dead_code([train], [x], shares_updates=True)
    assert second is first and again == feeds
    alone = without_dead_code([train], [x])[0][0]
    evaluated = without_dead_code([loss], [x], shares_updates=True)[0][0]
    assert alone is not first and evaluated.graph is not first.graph is not alone.graph


def test_a_copy_does_not_serve_a_list_that_would_draw_or_lack_more():
    x, rest = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.float32, [])
    count = tf.Variable(0.0)
    drawn, plain, fed = tf.map_fn(lambda row: (row + tf.random_uniform([]), row, row + rest), x,
                                  dtype=(tf.float32,) * 3)
    update = tf.assign_add(count, tf.reduce_sum(plain)).op
    for other in (drawn, fed):
        (wide, _), _ = without_dead_code([update, other], [x], shares_updates=True)
        (narrow,), _ = without_dead_code([update], [x], shares_updates=True)
        assert narrow is not wide


def test_lists_with_one_copy_share_a_step():
    x = tf.placeholder(tf.float32, [3])
    loss, other, train = losses_of_rows(x)
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        found = [session.run([loss, other, train], {x: [1.0, 2.0, 3.0]})[:2]]
        before = compilations.count
        session.run(train, {x: [1.0, 2.0, 3.0]})
        assert compilations.count == before
        found.append(session.run([loss, other], {x: [1.0, 2.0, 3.0]}))
    assert np.allclose(found, [[6.0, 9.0], [-1.2, 9.0]], atol=1e-5)


def test_a_copy_lacks_outputs_that_a_node_has_got_since():
    """As conditionals of imported graphs do, by their gradients: then the copy serves no other list."""
    x = tf.placeholder(tf.float32, [3])
    _, _, train = losses_of_rows(x)
    (copy,), _ = without_dead_code([train], [x], shares_updates=True)
    copier = copy.graph.memo(dead_code._Origin).copier
    assert not copier.lacks_outputs
    train.control_inputs[0]._append_output(tf.float32, ())
    assert copier.lacks_outputs
