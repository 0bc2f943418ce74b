"""Conditionals, loops, arrays and functions over rows: in both tiers, the numbers, names and shapes of TensorFlow."""

import collections

import numpy as np
import pytest

import evergraph as tf
from tests.control.failures import FAILURES
from tests.control.programs import PROGRAMS
from tests.harness.recorded import numbers, texts

VALUES, FACTS = numbers("control"), texts("control")


def run(program, tier, steps=None):
    """(fetches, values of all steps)."""
    with tf.Graph().as_default() as graph, tf.Session(graph=graph, tier=tier) as session:
        fetches, feeds = program.build(tf)
        session.run(tf.global_variables_initializer())
        return fetches, [v for _ in range(steps or program.steps) for v in session.run(fetches, feeds)]


def check(name, values):
    for number, value in enumerate(values):
        wanted = VALUES[f"{name}|{number}"]
        found = np.asarray(value)
        assert found.shape == wanted.shape
        if wanted.dtype.kind == "S":
            assert found.tolist() == wanted.tolist()
            continue
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_numpy(name):
    fetches, values = run(PROGRAMS[name], "numpy")
    check(name, values)
    for fetch, (label, shape) in zip(fetches, FACTS[name]):
        if PROGRAMS[name].named and not label.startswith("gradients"):
            assert fetch.name == label
        if shape is not None and fetch.shape.ndims is not None:
            assert fetch.shape.is_compatible_with(shape)


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if program.compiles])
def test_compiled(name):
    check(name, run(PROGRAMS[name], "xla")[1])


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if not program.compiles])
def test_what_cannot_be_compiled_runs_all_the_same(name):
    with pytest.raises(tf.errors.UnimplementedError, match="cannot be compiled"):
        run(PROGRAMS[name], "xla")
    _, values = run(PROGRAMS[name], None, steps=6)
    check(name, values[-len(FACTS[name]):])


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_failures(name, tier, monkeypatch):
    class Session(tf.Session):
        def __init__(self):
            super().__init__(tier=tier)

    class Namespace:
        def __getattr__(self, attribute):
            return Session if attribute == "Session" else getattr(tf, attribute)

    wanted = FACTS["failures"][name]
    with tf.Graph().as_default(), pytest.raises(Exception) as caught:
        FAILURES[name](Namespace())
    assert type(caught.value).__name__ == wanted


def grown(x, shapes):
    with tf.Graph().as_default():
        i = tf.constant(0)
        x = x()
        _, result = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), [i, x], shapes)
        return result.shape.as_list()


def test_specs_tell_what_stays_the_same_in_a_loop():
    specs = [tf.TensorSpec([], tf.int32), tf.TensorSpec([None, 2], tf.float32)]
    assert grown(lambda: tf.ones([1, 2]), specs) == [None, 2]


@pytest.mark.parametrize("x, spec", [
    (lambda: tf.ones([1, 2]), tf.TensorSpec([None, 2], tf.int32)),
    (lambda: tf.ones([1, 2]), tf.SparseTensorSpec([None, 2])),
    (lambda: tf.ones([1, 2]), tf.TensorSpec([None, 3])),
])
def test_specs_of_something_else_are_refused(x, spec):
    with pytest.raises(TypeError, match="not compatible with the loop variable"):
        grown(x, [tf.TensorSpec([], tf.int32), spec])


def test_a_sparse_loop_variable_may_have_a_spec():
    with tf.Graph().as_default():
        x = tf.SparseTensor([[0]], [1.0], [10])
        specs = [tf.TensorSpec([], tf.int32), tf.SparseTensorSpec([None])]
        _, result = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x), [0, x], specs)
        assert result.values.shape.as_list() == [None]


def test_a_shape_that_changes_from_one_iteration_to_the_next():
    with pytest.raises(ValueError, match=r"enters the loop with shape \(1, 2\) and leaves the body with \(2, 2\)"):
        grown(lambda: tf.ones([1, 2]), None)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_gradients_inside_a_branch_reach_what_lies_outside(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        x = tf.placeholder_with_default(10.0, [])
        y = 7.0 * x
        flag = tf.placeholder(tf.bool, [])
        result = tf.cond(flag, lambda: tf.gradients(y * y + x, x)[0], lambda: 3.0 * x)
        assert session.run(result, {flag: True}) == 981.0
        assert session.run(result, {flag: False}) == 30.0


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_gradients_inside_a_loop_reach_what_lies_outside(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        x = tf.constant(5.0)
        squared = tf.square(x)
        data = tf.constant([1.0, 2.0, 3.0])
        step = lambda i, total: (i + 1, total + tf.gradients(data * squared, x)[0])
        assert session.run(tf.while_loop(lambda i, _: i < 10, step, [0, 0.0]))[1] == 600.0


def test_gradients_inside_a_branch_of_a_branch():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder_with_default(2.0, [])
        flag = tf.placeholder_with_default(True, [])

        def outer():
            y = x * x
            return tf.cond(flag, lambda: tf.gradients(y * y, x)[0], lambda: 0.0)

        assert session.run(tf.cond(flag, outer, lambda: 0.0)) == 32.0


def test_gradients_inside_a_branch_by_a_constant_outside():
    with tf.Graph().as_default(), tf.Session() as session:
        x, flag = tf.constant(3.0), tf.placeholder_with_default(True, [])
        assert session.run(tf.cond(flag, lambda: tf.gradients(x * x, x)[0], lambda: 0.0)) == 6.0
        stopped = tf.cond(flag, lambda: tf.gradients(x * x * x, [x], stop_gradients=[x])[0], lambda: 0.0)
        assert session.run(stopped) == 27.0


def test_gradients_of_a_loop_whose_variable_grows():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.get_variable("x", initializer=[[1.0, 2.0]])
        shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
        _, grown = tf.while_loop(lambda i, _: i < 2, lambda i, h: (i + 1, tf.concat([h, x], 0)),
                                 [0, tf.zeros([0, 2])], shapes)
        step = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_sum(grown))
        session.run(tf.global_variables_initializer())
        session.run(step)
        np.testing.assert_allclose(session.run(x), [[0.98, 1.98]])


@pytest.mark.parametrize("flag, value", [(True, 0), (False, 9)])
def test_branches_whose_slices_have_other_indices(flag, value):
    with tf.Graph().as_default(), tf.Session() as session:
        narrow, wide = tf.constant([0], tf.int32), tf.constant([0], tf.int64)
        pred = tf.placeholder_with_default(flag, [])
        nine = tf.constant([9])
        result = tf.cond(pred, lambda: tf.IndexedSlices(narrow, narrow), lambda: tf.IndexedSlices(nine, wide))
        assert result.indices.dtype is tf.int64
        assert [v.tolist() for v in session.run([result.values, result.indices])] == [[value], [0]]


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_the_gradient_of_a_loop_that_never_runs(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        x = tf.placeholder(tf.float32, [2])
        _, y = tf.while_loop(lambda i, v: i < 0, lambda i, v: (i + 1, tf.where(v > 0, v * v, v + 1)), [0, x])
        assert session.run(tf.gradients(y, x), {x: [1, 2]})[0].tolist() == [1, 1]


def test_nothing_flows_through_branches_and_loops_of_steps():
    with tf.Graph().as_default():
        x, flag = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
        whole = lambda: tf.cast(tf.cast(x, tf.int32), tf.float32)
        branch = tf.cond(flag, lambda: tf.stop_gradient(x), whole)
        loop = tf.while_loop(lambda i, _: i < 2, lambda i, _: (i + 1, whole()), [0, 0.0])[1]
        assert tf.gradients(branch, x) == [None] and tf.gradients(loop, x) == [None]


def test_nothing_flows_through_python_functions():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [2])
        scripted = tf.py_func(lambda a: a, [x], tf.float32)
        assert tf.gradients(scripted, x) == [None]
        slopes = tf.gradients(x * scripted, x)[0]
        assert session.run(slopes, {x: [1, 2]}).tolist() == [1, 2]


HOST_OPS = {
    "print": lambda x: tf.Print(x * x, [x], first_n=0),
    "unique": lambda x: x * x * tf.cast(tf.size(tf.unique(x)[0]), tf.float32) / 3,
    "strings": lambda x: x * tf.strings.to_number(tf.as_string(x)) + x * x / 2,
    "python": lambda x: x * tf.py_func(lambda a: a, [x], tf.float32) + x * x / 2,
}


@pytest.mark.parametrize("name", HOST_OPS)
def test_gradients_of_branches_with_host_ops(name):
    with tf.Graph().as_default(), tf.Session() as session:
        x, flag = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.bool, [])
        slopes = tf.gradients(tf.cond(flag, lambda: HOST_OPS[name](x), lambda: x * 3), x)[0]
        for _ in range(3):  # the policy compiles what can be compiled in between
            assert session.run(slopes, {x: [1, 2, 3], flag: True}).tolist() == [2, 4, 6]
            assert session.run(slopes, {x: [1, 2, 3], flag: False}).tolist() == [3, 3, 3]


def test_gradients_of_loops_with_host_ops_and_no_trip():
    with tf.Graph().as_default(), tf.Session() as session:
        x, count = tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])
        _, y = tf.while_loop(lambda i, _: i < count, lambda i, a: (i + 1, a * tf.strings.to_number(tf.as_string(a))),
                             [0, x])
        slope = tf.gradients(y, x)[0]
        for trips, wanted in [(0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (2, 8), (0, 1)]:
            assert session.run(slope, {x: 2, count: trips}) == wanted


def test_gradients_of_a_branch_that_was_not_taken_and_has_a_loop():
    """Python between the loop and its gradient: the lists of a loop that did not run go to another stage."""
    with tf.Graph().as_default(), tf.Session() as session:
        x, flag = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.bool, [])
        product = lambda: tf.foldl(lambda a, row: a * row, x, initializer=tf.constant(1.0))
        y = tf.cond(flag, product, lambda: tf.reduce_sum(x))
        scripted = tf.ensure_shape(tf.py_func(lambda a: a, [y], tf.float32), [])
        slopes = tf.gradients(y * scripted, x)[0]
        for _ in range(3):
            assert session.run(slopes, {x: [1, 2, 3], flag: False}).tolist() == [6, 6, 6]
            assert session.run(slopes, {x: [1, 2, 3], flag: True}).tolist() == [36, 18, 12]


@pytest.mark.parametrize("flag, inner, slopes, second", [
    (False, True, [2, 4, 6], [8, 16, 24]), (True, False, [3, 12, 27], [36, 288, 972]),
    (True, True, [6, 3, 2], [26, 40, 30]),
])
def test_second_gradients_of_branches_with_loops(flag, inner, slopes, second):
    with tf.Graph().as_default(), tf.Session(tier="numpy") as session:
        x, flags = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.bool, [2])
        product = lambda: tf.foldl(lambda a, row: a * row, x, initializer=tf.constant(1.0))
        branch = lambda: tf.cond(flags[1], product, lambda: tf.reduce_sum(x**3))
        first = tf.gradients(tf.cond(flags[0], branch, lambda: tf.reduce_sum(x * x)), x)[0]
        found = session.run([first, tf.gradients(first * first, x)[0]], {x: [1, 2, 3], flags: [flag, inner]})
        assert [each.tolist() for each in found] == [slopes, second]


def test_a_loop_variable_that_changes_has_a_zero_gradient_where_nothing_flows():
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        body = lambda a, b: (a * a + tf.stop_gradient(b * b), tf.stop_gradient(b * b))
        last = tf.while_loop(lambda a, _: tf.reduce_sum(a) < 100.0, body, [x, y])[0]
        slopes = session.run(tf.gradients(last, [x, y]), {x: [3, 4], y: [2, 3]})
        assert [slope.tolist() for slope in slopes] == [[156, 400], [0, 0]]


def test_what_leads_to_another_result_of_an_inner_loop_or_branch_has_no_gradient():
    def loop(body):
        return tf.while_loop(lambda i, *_: i < 2, body, [0, a, b])

    def inner_loop(i, x, y):
        inner = tf.while_loop(lambda j, *_: j < 2, lambda j, u, v: (j + 1, tf.tanh(u), tf.sin(v)), [0, x, y])
        return i + 1, inner[1], y * 2

    def inner_branch(i, x, y):
        return i + 1, tf.cond(i < 1, lambda: (tf.tanh(x), tf.sin(y)), lambda: (x, y))[0], y * 2

    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0])
    for body in (inner_loop, inner_branch):
        _, first, second = loop(body)
        assert [each is None for each in tf.gradients(first, [a, b])] == [False, True]
        assert [each is None for each in tf.gradients(second, [a, b])] == [True, False]


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_conditional_uses_a_tensor_of_another_one(tier):
    """As programs do that keep what they have computed under a condition, and ask for it under the same one."""
    taken, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])
    kept = []

    def computed():
        kept.append(tf.exp(x))
        return kept[0] * 2.0

    y = tf.cond(taken, computed, lambda: x)
    z = tf.cond(taken, lambda: kept[0] + y, lambda: -y)
    inner = tf.cond(taken, lambda: tf.cond(x > 0.0, lambda: kept[0] * 3.0, lambda: x), lambda: x * 0.0)
    with tf.Session(tier=tier) as session:
        found = [session.run([z, inner, *tf.gradients(z, x)], {taken: side, x: value})
                 for side in (True, False) for value in (1.0, -1.0)]
    e = np.exp([1.0, -1.0])
    np.testing.assert_allclose(found, [[3 * e[0]] * 3, [3 * e[1], -1, 3 * e[1]], [-1, 0, -1], [1, 0, -1]], rtol=1e-6)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_second_derivatives_of_custom_gradients_in_a_branch(tier):
    @tf.custom_gradient
    def leaky(x):
        @tf.custom_gradient
        def grad(dy):
            return tf.where(x > 0.0, dy, dy * 0.2), lambda ddx: tf.where(x > 0.0, ddx, ddx * 0.2)
        return tf.maximum(x, x * 0.2), grad

    taken, x, v = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, []), tf.Variable(1.5)
    y = tf.cond(taken, lambda: leaky(leaky(x * v) * v), lambda: x * 1.0)
    dx, = tf.gradients(y, x)
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        found = [session.run([y, dx, *tf.gradients(tf.square(dx), v)], {taken: side, x: value})
                 for side, value in ((True, 1.0), (True, -1.0), (False, 1.0))]
    np.testing.assert_allclose(found, [[2.25, 2.25, 13.5], [-0.09, 0.09, 0.0216], [1, 1, 0]], rtol=1e-5)


def test_a_single_loop_variable_of_several_tensors_stays_in_its_list(session):
    pair = collections.namedtuple("pair", "count total")
    found = tf.while_loop(lambda p: p.count < 3, lambda p: [pair(p.count + 1, p.total + p.count)], [pair(0, 10)])
    assert session.run(found) == [pair(3, 13)]


def test_shapes_in_a_loop_follow_from_sizes_around_it(session):
    shape = tf.concat([[3], tf.shape(tf.zeros([2]))], 0)
    _, last = tf.while_loop(lambda i, _: i < 2, lambda i, _: (i + 1, tf.fill(shape, i)), (0, tf.zeros(shape, tf.int32)))
    assert last.shape.as_list() == [3, 2]
    assert session.run(last).tolist() == [[1, 1]] * 3


@pytest.mark.parametrize("entering, invariant", [(None, [None]), (None, [3]), ([None], [3])])
def test_functional_loops_take_shapes_that_are_not_known_yet(entering, invariant):
    x = tf.placeholder(tf.float32, entering)

    def loop():
        return tf.while_loop(lambda n, x: n < 2, lambda n, x: (n + 1, x * 2), [0, x],
                             shape_invariants=[tf.TensorShape([]), tf.TensorShape(invariant)])[1]

    with pytest.raises(ValueError, match="not compatible with its shape invariant"):
        loop()
    tf.enable_control_flow_v2()
    try:
        doubled = loop()
    finally:
        tf.disable_control_flow_v2()
    assert doubled.shape.as_list() == invariant
    for tier in ("numpy", "xla"):
        with tf.Session(tier=tier) as session:
            assert session.run(doubled, {x: [1, 2, 3]}).tolist() == [4, 8, 12]
