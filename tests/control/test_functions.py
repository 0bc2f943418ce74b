"""Calls of functions: values, gradients, functions that several nodes call, and what loops may do with plain values."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import dtypes
from evergraph.compile.policy import compilations
from evergraph.frontend.control_flow import smart_cond, smart_constant_value
from evergraph.graph.function import FuncGraph, copied, trace
from evergraph.ops.control import functional
from tests.harness.tiers import compile_after


@pytest.fixture(params=["numpy", "xla"])
def tier(request):
    return request.param


def function(name="f"):
    """x, y -> exp(x) * y, x + y."""
    graph, outputs = trace(name, lambda x, y: [tf.exp(x) * y, x + y],
                           [(dtypes.float32, (), "x"), (dtypes.float32, (), "y")])
    graph.outputs = list(outputs)
    return graph


def test_calls_of_one_function_have_gradients_of_their_own(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        f, x = function(), tf.placeholder(tf.float32, [])
        a, b = functional.partitioned_call([x, 2.0], Tout=[tf.float32] * 2, f=f)
        c, _ = functional.partitioned_call([a, x], Tout=[tf.float32] * 2, f=f)
        by_x = tf.gradients(c + b, x)[0]
        second = tf.gradients(by_x, x)[0]
        assert len(f.outputs) == 2  # the gradients need more of it, but others may call it
        found = session.run([a, b, c, by_x, second], {x: 0.3})
    x = 0.3
    a = np.exp(x) * 2
    c = np.exp(a) * x
    first = np.exp(a) + a * c + 1
    np.testing.assert_allclose(found[:4], [a, x + 2, c, first], rtol=1e-5)
    np.testing.assert_allclose(found[4], np.exp(a) * a + a * c + a * (np.exp(a) + a * c), rtol=1e-5)


def test_symbolic_gradient(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        f, x = function(), tf.placeholder(tf.float32, [])
        by_x, by_y = functional.symbolic_gradient([x, 2.0, 1.0, 10.0], Tout=[tf.float32] * 2, f=f)
        second = tf.gradients(by_x, x)[0]
        found = session.run([by_x, by_y, second], {x: 0.3})
    np.testing.assert_allclose(found, [np.exp(0.3) * 2 + 10, np.exp(0.3) + 10, np.exp(0.3) * 2], rtol=1e-5)


def test_copies_are_apart():
    with tf.Graph().as_default():
        f = function()
        g = copied(f)
        g.outputs = g.outputs[:1]
        assert [t.shape for t in g.inputs] == [t.shape for t in f.inputs]
        assert len(f.outputs) == 2 and g.name != f.name
        assert {n.name for n in g.get_operations()} == {n.name for n in f.get_operations()}


def test_functions_capture_each_tensor_once():
    with tf.Graph().as_default() as outer:
        x, large = tf.placeholder(tf.float32, []), tf.constant(np.zeros(1000, np.float32))
        graph = FuncGraph("f", outer)
        with graph.as_default():
            y = x + x + tf.reduce_sum(large) + tf.constant(1.0)
        assert list(graph.captures) == [x, large]
        assert y.graph is graph


def test_variables_made_in_a_body_belong_to_the_graph(tier):
    with tf.Graph().as_default() as graph, tf.Session(tier=tier) as session:
        p = tf.placeholder(tf.bool, [])
        y = tf.cond(p, lambda: tf.Variable(3.0, name="inside") * 2.0, lambda: tf.constant(0.0))
        (variable,) = tf.global_variables()
        assert variable.graph is graph and variable.op.name == "cond/inside"
        session.run(tf.global_variables_initializer())
        assert session.run(y, {p: True}) == 6.0


def test_operations_outside_run_before_the_body(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        p = tf.placeholder(tf.bool, [])
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        outside = v.assign(5.0)

        def inside():
            with tf.control_dependencies([outside]):
                return v.read_value()

        y = tf.cond(p, inside, lambda: tf.constant(0.0))
        session.run(tf.global_variables_initializer())
        assert session.run(y, {p: True}) == 5.0


def test_a_loop_of_known_length_ends_in_plain_values():
    """What follows a loop may then depend on its counter as on a constant: here, a shape."""
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        x = tf.placeholder(tf.float32, [])
        i, y = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y * 2.0), [0, x])
        before = compilations.count
        assert session.run(tf.fill([i], y), {x: 1.0}).tolist() == [8.0] * 3
        assert compilations.count == before + 1


def test_a_second_run_compiles_nothing(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        x, n = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
        _, y = tf.while_loop(lambda i, _: i < n, lambda i, y: (i + 1, tf.sin(y) * x), [0, x])
        gradient = tf.gradients(y, x)[0]
        session.run(gradient, {x: [1, 2], n: 100})  # more than the first guess
        before = compilations.count
        for count in (3, 50, 100):
            session.run(gradient, {x: [1, 2], n: count})
        assert compilations.count == before


def test_back_prop_false_stops_gradients():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        _, y = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y * x), [0, x], back_prop=False)
        assert tf.gradients(y, x) == [None]


def test_loops_follow_seeds_of_their_own():
    """Two loops draw different numbers from one graph seed."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(7)
        ends = [tf.while_loop(lambda i, _: i < 1, lambda i, _: (i + 1, tf.random_uniform([4])), [0, tf.zeros([4])])[1]
                for _ in range(2)]
        first, second = session.run(ends)
        assert not np.array_equal(first, second)


def test_python_runs_once_when_a_later_stage_is_planned_anew():
    """The first run finds out that the shape has to be known before the rest is compiled."""
    calls = []

    def count(x):
        calls.append(x)
        return np.int32(len(calls))

    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        x = tf.placeholder(tf.float32, [])
        n = tf.py_func(count, [x], tf.int32)
        n.set_shape([])
        y = tf.fill(tf.stack([n * 2, 3]), x) * 2.0
        assert session.run(y, {x: 1.0}).shape == (2, 3)
        assert len(calls) == 1
        assert session.run(y, {x: 1.0}).shape == (4, 3)
        assert len(calls) == 2


def test_only_a_loop_that_grows_is_left_out_of_the_compiled_program(monkeypatch):
    compile_after(monkeypatch, 0, start=2)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        w = tf.get_variable("w", initializer=np.full(1 << 20, 0.5, np.float32))
        shapes = [tf.TensorShape([None])]
        grown = tf.while_loop(lambda y: tf.size(y) < 4, lambda y: tf.concat([y, y], 0), [x * 2.0], shapes)
        train = w.assign_sub(w * tf.reduce_sum(grown))
        session.run(tf.global_variables_initializer())
        before = compilations.count
        for _ in range(3):
            session.run(train.op, {x: [0.125]})
        assert compilations.count > before  # the rest is worth it
        np.testing.assert_allclose(session.run(w[:2]), [0, 0])


def test_smart_cond_calls_one_function_when_it_can():
    with tf.Graph().as_default():
        for pred, wanted in ((True, "yes"), (0, "no"), (tf.constant(False), "no"), (tf.constant(1) < 2, "yes")):
            assert smart_cond(pred, lambda: "yes", lambda: "no") == wanted
        pred = tf.placeholder(tf.bool, [])
        assert smart_cond(pred, lambda: 1, lambda: 2).name == "cond/Merge:0"
        with pytest.raises(TypeError):
            smart_constant_value("yes")
