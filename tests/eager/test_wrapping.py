"""tf.wrap_function: variables of its own, only what results need, and parts of it."""

import pytest

import evergraph as tf
from evergraph import proto

NUMBER = tf.TensorSpec([], tf.float32)


def grown(x, by_adding):
    total = tf.Variable(5.0)
    change = total.assign_add(x) if by_adding else total.assign_sub(x)
    with tf.control_dependencies([change]):
        return total.read_value()


def test_each_wrapped_function_has_variables_of_its_own():
    add, subtract = (tf.wrap_function(grown, [NUMBER, by_adding]) for by_adding in (True, False))
    assert [add(1.0).numpy(), add(2.0).numpy(), subtract(1.0).numpy()] == [6.0, 8.0, 4.0]
    assert [v.numpy() for v in add.variables] == [8.0]


def test_what_no_result_needs_does_not_run():
    v = tf.contrib.eager.Variable(0.0)

    def f():
        v.assign_add(1.0)
        with tf.control_dependencies([v.assign_add(10.0)]):
            return tf.constant(3.0) + 0.0

    assert tf.wrap_function(f, [])().numpy() == 3.0 and v.numpy() == 10.0
    assert tf.function(f)().numpy() == 3.0 and v.numpy() == 21.0
    branches = tf.wrap_function(lambda: tf.cond(tf.constant(True), f, lambda: 0.0), [])
    assert branches().numpy() == 3.0 and v.numpy() == 31.0


def test_parts_of_a_function():
    kept = {}

    def f(x, y):
        total = tf.Variable(1.0)
        kept.update(x=x, square=x * x, change=total.assign_add(x, name="change"), scaled=total * y)
        return kept["square"], kept["scaled"]

    whole = tf.wrap_function(f, [NUMBER, NUMBER])
    square = whole.prune(kept["x"], [kept["square"]])
    assert [t.numpy() for t in square(3.0)] == [9.0] and len(square.inputs) == 1 and square.variables == ()
    from_square = whole.prune({"s": kept["square"]}, {"same": kept["square"]})
    assert from_square(7.0)["same"].numpy() == 7.0
    grow = whole.prune(kept["x"], (whole.graph.get_operation_by_name("change"), kept["square"]))
    assert grow(4.0)[0] is None and grow(4.0)[1].numpy() == 16.0 and whole.variables[0].numpy() == 9.0
    scaled = whole.prune(whole.inputs, kept["scaled"])
    assert scaled(0.0, 2.0).numpy() == 18.0 and scaled.graph.variables == whole.variables
    with pytest.raises(ValueError, match="argument that is not among the feeds"):
        whole.prune([], kept["square"])


def test_gradients_and_ragged_tensors():
    kept = {}

    def f(x, y):
        kept.update(x=x, square=x * x)
        return x * y

    whole = tf.wrap_function(f, [tf.RaggedTensorSpec([None, None], tf.float32), NUMBER])
    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
    assert whole.prune(kept["x"], kept["square"])(rows.values, rows.row_splits).to_list() == [[1.0, 4.0], [9.0]]
    y = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(y)
        total = tf.reduce_sum(whole(rows, y).values)
    assert tape.gradient(total, y).numpy() == 6.0


def test_wrapped_functions_in_graphs():
    def f(x):
        return tf.Variable(3.0) * x

    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.wrap_function(f, [NUMBER])(2.0)
        session.run(tf.global_variables_initializer())
        assert session.run(y) == 6.0


def test_scopes_share_variables_in_wrapped_functions():
    def twice():
        with tf.variable_scope("a"):
            first = tf.get_variable("w", [])
            with pytest.raises(ValueError, match="already exists"):
                tf.get_variable("w", [])
        with tf.variable_scope("a", reuse=True):
            assert tf.get_variable("w", []) is first
        return first + 0.0

    assert tf.wrap_function(twice, []).variables != tf.wrap_function(twice, []).variables


def test_pruned_to_operations():
    total = tf.Variable(0)

    def f():
        total.assign_add(1, name="increment", read_value=False)
        return tf.constant(1)

    whole = tf.wrap_function(f, [])
    for fetch in (whole.graph.get_operation_by_name("increment"), "increment",
                  proto.meta_graph_pb2.TensorInfo(name="increment")):
        part = whole.prune([], fetch)
        assert part() is None and [each.name for each in part.graph.control_outputs] == ["increment"]
    assert total.numpy() == 3


def test_collections_of_their_own():
    made = []

    def f():
        made.append(tf.Variable(3.0))
        tf.add_to_collection(tf.GraphKeys.LOSSES, made[-1] * 3.0)
        return made[-1] + 0.0

    graphs = [tf.wrap_function(f, []).graph for _ in range(2)]
    for graph, variable in zip(graphs, made):
        assert graph.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES) == [variable]
        assert graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES) == [variable]
        assert len(graph.get_collection(tf.GraphKeys.LOSSES)) == 1
