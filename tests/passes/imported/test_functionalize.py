"""Graphs of Switch, Merge and frames, as TensorFlow 1 writes them, run; and stay as they are."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.graph.registry import lookup
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.prune import prune
from evergraph.passes.state import with_inner
from tests.passes.imported.control_flow import cond, while_loop


@pytest.fixture(params=["numpy", "xla"])
def session(request, graph):
    with tf.Session(tier=request.param) as session:
        yield session


def count_to(n, body, x, name="loop"):
    """`body(i, value)`, n times from `x`."""
    with tf.control_dependencies([x]):  # says in which frame and branch constants are
        zero, n = tf.constant(0), tf.identity(n)
    return while_loop(lambda i, a, n: i < n, lambda i, a, n: (i + 1, body(i, a)), [zero, x], [n], name)[1]


@pytest.fixture
def p():
    return tf.placeholder(tf.bool, [], name="p")


@pytest.fixture
def x():
    return tf.placeholder(tf.float32, [], name="x")


def sides(session, fetch, x, p, value=3.0):
    """The results for true and false."""
    return [session.run(fetch, {x: value, p: side}) for side in (True, False)]


def types_of(fetches):
    return {node.type for node in with_inner(prune(fetches, []))}


def test_functional_nodes_replace_switch_and_merge(x, p):
    y = cond(p, tf.exp, tf.negative, x)
    (new,), feeds = functionalize([y], [x, p])
    assert [feed.name for feed in feeds] == ["x:0", "p:0"] and new.graph is not y.graph
    assert {"StatelessIf", "Exp", "Neg"} <= types_of([new]) and not {"Switch", "Merge"} & types_of([new])


def test_functional_nodes_replace_frames(x):
    (new,), _ = functionalize([count_to(tf.constant(3), lambda i, a: tf.exp(a), x)], [x])
    assert {"StatelessWhile", "Exp"} <= types_of([new])
    assert not {"Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond"} & types_of([new])


def test_a_graph_without_either_is_not_copied(x):
    fetches, feeds = [tf.exp(x)], [x]
    assert functionalize(fetches, feeds) == (fetches, feeds) and functionalize(fetches, feeds)[0] is fetches


def test_a_conditional(session, x, p):
    y = cond(p, lambda t: t * 2.0, lambda f: -f, x)
    assert sides(session, y, x, p) == [6, -3]
    assert session.run([y, "p:0"], {x: 3.0, p: True}) == [6, True]


def test_only_one_side_runs(session, x, p):
    y = cond(p, lambda t: t, lambda f: tf.check_numerics(f / 0.0, "divided by zero"), x)
    assert session.run(y, {x: 1.0, p: True}) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="divided by zero"):
        session.run(y, {x: 1.0, p: False})


def test_which_input_was_taken(session, x, p):
    switch = lookup("Switch")(x, p)
    merge = lookup("Merge")([switch.output_true, switch.output_false])
    assert sides(session, merge.value_index, x, p) == [0, 1]


def test_a_choice_between_several_cases(session, x):
    """As a program writes it that picks one of several distortions: a Switch for each, by predicates of their own."""
    case = tf.placeholder(tf.int32, [])
    runs = [tf.Variable(0.0) for _ in range(4)]

    def distorted(number):
        image = lookup("Switch")(x, tf.equal(case, number)).output_true
        with tf.control_dependencies([tf.assign_add(runs[number], image)]):
            return image * (number + 1.0)

    merge = lookup("Merge")([distorted(number) for number in range(4)])
    session.run(tf.global_variables_initializer())
    for number in (2, 0, 3, 1, 2):
        assert session.run([tf.exp(merge.output), merge.value_index], {x: 1.0, case: number}) == [
            pytest.approx(np.exp(number + 1.0), rel=1e-6), number]
    assert session.run(runs) == [1, 1, 2, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="none of its conditions holds"):
        session.run(merge.output, {x: 1.0, case: 4})


def test_predicates_that_compute_the_same_are_one(session, x):
    switch, merge = lookup("Switch"), lookup("Merge")
    chosen = tf.placeholder(tf.int32, [])
    made = [[switch(each, tf.equal(chosen, k)).output_true for each in (x, -x)] for k in range(3)]
    sums, gaps = zip(*[(one * k + two, one - two * k) for k, (one, two) in enumerate(made)])
    fetches = [merge(list(sums)).output, merge(list(gaps)).output]
    assert [session.run(fetches, {x: 2.0, chosen: k}) for k in range(3)] == [[-2, 2], [0, 4], [2, 6]]


def test_conditionals_in_conditionals(session, x, p):
    def inner(t):
        return cond(t > 1.0, lambda a: a + 10.0, lambda a: cond(t < 0.0, lambda b: b - 1.0, lambda b: b, a), t)

    y = cond(p, inner, lambda f: cond(f > 1.0, lambda a: -a, lambda a: a * a, f) * 2.0, x)
    assert [sides(session, y, x, p, value) for value in (3.0, 0.5, -1.0)] == [[13, -6], [0.5, 0.5], [-2, 2]]


def test_a_conditional_that_depends_on_another_of_the_same_predicate(session, x, p):
    """As gradients do: the second one needs what the first one computed inside, and a result of the first one."""
    switch = lookup("Switch")
    inside = {}

    def forward(t):
        inside["exp"] = tf.exp(t)
        inside["random"] = tf.random_uniform([], seed=1)
        with tf.control_dependencies([t]):
            inside["random"] = tf.identity(inside["random"])
        return inside["exp"] * inside["random"]

    y = cond(p, forward, lambda f: f, x)
    dy = switch(tf.square(y), tf.identity(p))
    dx = lookup("Merge")([dy.output_false, dy.output_true * inside["exp"] * inside["random"]]).output
    results = sides(session, [y, dx, tf.exp(x)], x, p, 0.5)
    (y_true, dx_true, e), (y_false, dx_false, _) = results
    np.testing.assert_allclose(dx_true, y_true**2 * y_true, rtol=1e-6)
    assert (y_false, dx_false) == (0.5, 0.25)


def test_gradients(session, x, p):
    y = cond(p, lambda t: tf.exp(t) * t, lambda f: cond(f > 1.0, tf.sin, lambda a: a * a * a, f), x)
    (dy,) = tf.gradients(y * 2.0, [x])
    (ddy,) = tf.gradients(dy, [x])
    np.testing.assert_allclose(
        [sides(session, [dy, ddy], x, p, value) for value in (2.0, 0.5)],
        [[[6 * np.exp(2), 8 * np.exp(2)], [2 * np.cos(2), -2 * np.sin(2)]],
         [[3 * np.exp(0.5), 5 * np.exp(0.5)], [1.5, 6]]], rtol=1e-5)  # fmt: skip


def test_gradients_of_a_conditional_in_a_conditional_before_a_third(session, x, p):
    """The predicate of the inner one decides again, after the third one, about its gradient."""
    y = cond(p, lambda t: cond(t > 1.0, tf.square, tf.negative, t), lambda f: f * 3.0, x)
    z = cond(y > 0.0, lambda t: t * 2.0, lambda f: f * 5.0, y)
    (dz,) = tf.gradients(z, [x])
    assert [sides(session, dz, x, p, value) for value in (2.0, 0.5)] == [[8, 6], [-5, 6]]


def test_what_never_runs(session, x, p):
    """A Switch of what only exists on one side, by the same predicate, gives its other output never."""
    once = lookup("Switch")(x, p)
    twice = lookup("Switch")(once.output_true, p)
    never = lookup("Merge")([tf.exp(twice.output_false), twice.output_true * 2.0]).output
    assert sides(session, lookup("Merge")([once.output_false, never]).output, x, p) == [6, 3]


def test_a_side_with_an_effect(session, x, p):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)

    def add(t):
        with tf.control_dependencies([v.assign_add(t)]):
            return v.read_value()

    y = cond(p, add, lambda f: f, x)
    session.run(tf.global_variables_initializer())
    for expected in (4, 7):
        assert sides(session, y, x, p) == [expected, 3]
    session.run(y.op, {x: 3.0, p: True})
    assert session.run(v) == 10


def test_a_constant_that_waits_for_a_conditional(session, graph, x, p):
    """What uses the constant runs after the conditional: a copy of the constant waits for nothing."""
    v = tf.Variable(0.0, use_resource=False)
    session.run(v.initializer)
    add = lambda t: tf.assign_add(lookup("RefSwitch")(v._ref(), p).output_true, t)
    with tf.control_dependencies([tf.identity(cond(p, lambda t: add(t) * 0.0, tf.identity, x))]):
        one = tf.constant(1.0)
    after = x + one
    session.run(after, {x: 5.0, p: True})
    session.run(after, {x: 7.0, p: False})
    assert session.run(v) == 5


def test_a_loop(session, x):
    y = count_to(tf.constant(4), lambda i, a: a * 2.0 + tf.cast(i, tf.float32), x)
    assert session.run(y, {x: 1.0}) == 27
    assert session.run(y.name, {x: 0.0}) == 11
    assert session.run(y * 2.0, {y: 5.0}) == 10


def test_a_loop_that_ends_at_once(session, x):
    assert session.run(count_to(tf.constant(0), lambda i, a: a * 2.0, x), {x: 1.5}) == 1.5


def test_loops_in_loops(session, x):
    y = count_to(tf.constant(3), lambda i, a: count_to(i, lambda j, b: b + 1.0, a * 2.0, "inner"), x)
    assert session.run(y, {x: 1.0}) == 12


def test_a_loop_in_a_conditional_in_a_loop(session, x):
    def body(i, a):
        def add_three_times(t):
            constant = lookup("Enter")(t, frame_name="inner", is_constant=True)
            return count_to(tf.constant(3), lambda j, b: b + constant, t, "inner")

        return cond(tf.equal(i % 2, 0), add_three_times, tf.negative, a)

    y = count_to(tf.constant(3), body, x)
    assert session.run(y, {x: 1.0}) == -16


def test_a_loop_with_an_effect(session, graph):
    v = tf.get_variable("v", initializer=0.0, use_resource=True)

    def body(i, handle):
        add = lookup("AssignAddVariableOp")(handle, tf.cast(i, tf.float32))
        with tf.control_dependencies([add]):
            return [i + 1]

    (last,) = while_loop(lambda i, _: i < 4, body, [tf.constant(0)], [v.handle])
    session.run(tf.global_variables_initializer())
    session.run(last)
    assert session.run(v) == 6


def test_a_loop_reads_the_ref_variable_that_it_writes(session, graph):
    v = tf.get_variable("v", initializer=0.0, use_resource=False)
    same = tf.identity(v)

    def body(i, total, ref, value):
        with tf.control_dependencies([lookup("AssignAdd")(ref, value + 1.0)]):
            return [i + 1, total + value]

    _, total = while_loop(lambda i, *_: i < 3, body, [tf.constant(0), tf.constant(0.0)], [v._ref(), same])
    session.run(tf.global_variables_initializer())
    assert session.run([total, v]) == [11.0, 7.0]


def test_random_numbers_in_a_loop_go_on(session, x):
    noise = {}

    def body(i, a):
        with tf.control_dependencies([a]):
            noise["op"] = tf.random_uniform([], seed=3)
        return tf.identity(a + noise["op"])

    y = count_to(tf.constant(2), body, x)
    z = tf.identity(y)
    with tf.Graph().as_default(), tf.Session() as plain:
        single = tf.random_uniform([], seed=3)
        drawn = [plain.run(single) for _ in range(4)]
    np.testing.assert_allclose(session.run(y, {x: 0.0}), sum(drawn[:2]), rtol=1e-6)
    np.testing.assert_allclose(session.run(z, {x: 0.0}), sum(drawn[2:]), rtol=1e-6)


def test_frames_in_a_function(session, graph, x, p):
    from evergraph.graph.function import FuncGraph

    function = FuncGraph("f")
    with function.as_default():
        a, b = function.add_input(tf.float32, (), "a"), function.add_input(tf.bool, (), "b")
        function.outputs = [count_to(tf.constant(2), lambda i, v: cond(b, lambda t: t * t, tf.negative, v), a)]
    (y,) = lookup("PartitionedCall")([x, p], Tout=[tf.float32], f=function)
    assert sides(session, y, x, p) == [81, 3]


def test_the_graph_stays_as_it_is(graph, x, p):
    y = cond(p, lambda t: count_to(tf.constant(2), lambda i, a: a * 3.0, t), lambda f: f, x)
    before = graph.as_graph_def()
    with tf.Session() as session:
        assert sides(session, y, x, p) == [27, 3]
    assert graph.as_graph_def() == before
    with tf.Graph().as_default() as other, tf.Session() as session:
        tf.import_graph_def(before, name="")
        assert session.run(y.name, {"x:0": 3.0, "p:0": True}) == 27
        assert not other.library


def test_an_error_names_the_original(x, p):
    y = cond(p, lambda t: tf.check_numerics(t / 0.0, "oops", name="checked"), lambda f: f, x)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as error:
        session.run(y, {x: 1.0, p: True})
    assert "{{node checked}}" in str(error.value)
    assert "test_functionalize.py" in str(error.value)


def test_what_has_no_value_outside(x, p):
    inside = {}

    def remember(key):
        def body(t):
            inside[key] = t * 2.0
            return inside[key]

        return body

    cond(p, remember("branch"), lambda f: f, x)
    count_to(tf.constant(2), lambda i, a: remember("loop")(a), x)
    with tf.Session() as session:
        for tensor in inside.values():
            with pytest.raises(tf.errors.UnimplementedError, match="inside a loop or branch"):
                session.run(tensor, {x: 1.0, p: True})


def test_forms_that_are_not_known(x, p):
    switch = lookup("Switch")(x, p)
    both = switch.output_true + switch.output_false
    lost = lookup("Exit")(lookup("Enter")(x, frame_name="lost"))
    with tf.Session() as session:
        for tensor in (both, lost):
            with pytest.raises(tf.errors.UnimplementedError):
                session.run(tensor, {x: 1.0, p: True})


# ---- gradients of loops


def test_gradient_of_a_loop(session, x):
    y = count_to(tf.constant(3), lambda i, a: a * a, x)
    (dy,) = tf.gradients(y, [x])
    (ddy,) = tf.gradients(dy, [x])
    assert session.run([y, dy, ddy], {x: 2.0}) == [256, 1024, 3584]
    assert session.run([y * 2.0, dy], {y: 5.0, x: 2.0}) == [10, 1024]
    assert session.run(y.name, {x: 1.0}) == 1


def test_gradient_of_a_loop_that_draws_random_numbers(session, x):
    """The gradient is that of the loop that has run: it runs once."""

    def step(i, a):
        with tf.control_dependencies([a]):
            shape = tf.constant([], tf.int32)
        return a * tf.random_uniform(shape, seed=3)

    y = count_to(tf.constant(3), step, x)
    (dy,) = tf.gradients(y, [x])
    found = [session.run([y, dy], {x: 2.0}) for _ in range(2)]
    np.testing.assert_allclose([value / 2.0 for value, _ in found], [slope for _, slope in found], rtol=1e-6)
    assert found[0] != found[1]


def test_gradient_of_a_loop_inside_control_dependencies(session, x):
    y = count_to(tf.constant(3), lambda i, a: a * 2.0, x)
    with tf.control_dependencies([y]):
        (dy,) = tf.gradients(y, [x])
    assert session.run([y, dy], {x: 1.0}) == [8, 8]


def test_gradient_of_loops_in_loops(session, x):
    y = count_to(tf.constant(2), lambda i, a: count_to(i + 1, lambda j, b: b * b, a, "inner"), x)
    assert session.run(tf.gradients(y, [x]), {x: 1.5}) == [pytest.approx(8 * 1.5**7)]


def test_gradient_by_a_variable_that_a_loop_reads(session, graph, x):
    v = tf.get_variable("v", initializer=3.0, use_resource=True)
    handle = lookup("Enter")(v.handle, frame_name="loop", is_constant=True)
    y = count_to(tf.constant(2), lambda i, a: a * lookup("ReadVariableOp")(handle, dtype=tf.float32), x)
    (dv,) = tf.gradients(y, [v])
    session.run(tf.global_variables_initializer())
    assert session.run([y, dv], {x: 2.0}) == [18, 12]


def test_gradient_of_a_loop_in_a_conditional(session, x, p):
    y = cond(p, lambda t: count_to(tf.constant(2), lambda i, a: a * a, t), lambda f: f * 5.0, x)
    (dy,) = tf.gradients(y, [x])
    assert sides(session, [y, dy], x, p) == [[81, 108], [15, 5]]


def test_gradient_of_an_array_without_a_loop(session, x):
    array = lookup("TensorArrayV3")(2, dtype=tf.float32)
    flow = lookup("TensorArrayWriteV3")(array.handle, 0, x * x, array.flow)
    flow = lookup("TensorArrayWriteV3")(array.handle, 1, x * 3.0, flow)
    y = lookup("TensorArrayGatherV3")(array.handle, [1, 0], flow, dtype=tf.float32)
    (dy,) = tf.gradients(y * [1.0, 2.0], [x])
    assert session.run(dy, {x: 2.0}) == 11
    assert session.run(y, {x: 2.0}).tolist() == [6, 4]


def test_a_loop_off_the_way_of_gradients_stays(graph, x):
    y = count_to(tf.constant(3), lambda i, a: a * 2.0, tf.constant(1.0)) * x
    (dy,) = tf.gradients(y, [x])
    assert not any("While" in node.type for node in graph.get_operations())
    assert tf.Session().run(dy, {x: 1.0}) == 8


def test_gradients_of_copies_that_are_as_old_as_each_other(session, x):
    """A copy keeps its original's place in the order of nodes, which another node of the same function may have too."""
    a, b = tf.sin(x), tf.cos(x)
    b.op.age = a.op.age
    (dy,) = tf.gradients(a * b, [x])
    np.testing.assert_allclose(session.run(dy, {x: 0.5}), np.cos(1.0), rtol=1e-5)
