"""tf.graph_util: cutting down, freezing, and small questions about nodes."""

import numpy as np
import pytest

import evergraph as tf

util = tf.graph_util


@pytest.fixture
def model(graph):
    """y = x * v + w, with a reference and a resource variable, and z that waits for y."""
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=[3.0, 4.0], use_resource=True)
    y = tf.add(tf.identity(x * v, name="i"), w, name="y")
    with tf.control_dependencies([y]):
        tf.identity(x, name="z")
    return y


def kept(graph_def):
    return [node.name for node in graph_def.node]


def test_extract(graph, model):
    whole = graph.as_graph_def()
    assert kept(util.extract_sub_graph(whole, ["y"])) == ["x", "v", "v/read", "w", "mul", "i", "y/ReadVariableOp", "y"]
    assert kept(util.extract_sub_graph(whole, ["z"]))[-1] == "z"
    for wrong, error in ((["nope"], AssertionError), ("y", TypeError), (["y:0"], AssertionError)):
        with pytest.raises(error):
            util.extract_sub_graph(whole, wrong)
    with pytest.raises(TypeError):
        util.extract_sub_graph("x", ["y"])


@pytest.mark.parametrize("chosen, ops", [
    ({}, ("Const", "Const", "Identity")),
    ({"variable_names_whitelist": ["v"]}, ("Const", "VarHandleOp", "ReadVariableOp")),
    ({"variable_names_blacklist": ["v"]}, ("VariableV2", "Const", "Identity")),
])  # fmt: skip
def test_freeze(graph, model, chosen, ops):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        frozen = util.convert_variables_to_constants(session, graph.as_graph_def(), ["y"], **chosen)
    by_name = {node.name: node.op for node in frozen.node}
    assert (by_name["v"], by_name["w"], by_name["y/ReadVariableOp"]) == ops
    if chosen:
        return
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(frozen, name="")
        np.testing.assert_array_equal(session.run("y:0", {"x:0": [1, 2]}), [4, 8])


def test_freeze_gathered_rows(graph):
    table = tf.get_variable("table", initializer=[[1.0], [2.0], [3.0]], use_resource=True)
    tf.identity(tf.gather(table, [2, 0]), name="rows")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        frozen = util.convert_variables_to_constants(session, graph.as_graph_def(), ["rows"])
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(frozen, name="")
        assert session.run("rows:0").tolist() == [[3], [1]]


def test_freeze_what_functions_read(graph):
    table = tf.get_variable("table", initializer=[[1.0], [2.0], [3.0]], use_resource=True)
    n = tf.placeholder(tf.int32, [], name="n")

    def body(i, total):
        rows = tf.cond(i > 1, lambda: tf.gather(table, [i]), lambda: table.read_value()[1:2])
        return i + 1, total + rows

    tf.identity(tf.while_loop(lambda i, total: i < n, body, [0, tf.zeros([1, 1])])[1], name="total")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        frozen = util.convert_variables_to_constants(session, graph.as_graph_def(), ["total"])
    assert not any(node.op == "VarHandleOp" for node in frozen.node)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(frozen, name="")
        assert session.run("total:0", {"n:0": 3}).tolist() == [[7]]


def test_freeze_needs_values_and_outputs(graph, model):
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            util.convert_variables_to_constants(session, graph.as_graph_def(), ["y"])
        with pytest.raises(AssertionError):
            util.convert_variables_to_constants(session, graph.as_graph_def(), ["nope"])


def test_only_reads_can_be_frozen(graph):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    step = v.assign_add(1.0).op
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.UnimplementedError, match="uses the handle of 'v'"):
            util.convert_variables_to_constants(session, graph.as_graph_def(), [step.name])


def test_remove_training_nodes(graph):
    x = tf.placeholder(tf.float32, [2], name="x")
    b = tf.identity(tf.identity(x, name="a"), name="b")
    d = tf.negative(tf.check_numerics(b, "text", name="c"), name="d")
    with tf.control_dependencies([b]):
        e = tf.identity(d, name="e")
    first, second = tf.split(x, 2, name="split")
    tf.negative(tf.identity(second, name="f"), name="g")
    with tf.control_dependencies([tf.check_numerics(e, "text", name="check")]):
        tf.negative(tf.identity(e, name="h"), name="k")
    tf.identity(e, name="out")
    message = util.remove_training_nodes(graph.as_graph_def(), ["out"])
    inputs = {node.name: list(node.input) for node in message.node}
    assert inputs == {
        "x": [], "b": ["x"], "d": ["b"], "e": ["d", "^b"], "split/split_dim": [], "split": ["split/split_dim", "x"],
        "g": ["split:1"], "k": ["e"], "out": ["e"],
    }  # fmt: skip
    assert "out" not in kept(util.remove_training_nodes(graph.as_graph_def()))


def test_shape_of_a_name(graph, model):
    assert util.tensor_shape_from_node_def_name(graph, "y").as_list() == [2]
    assert util.tensor_shape_from_node_def_name(graph, "y:0").as_list() == [2]
    with pytest.raises(KeyError):
        util.tensor_shape_from_node_def_name(graph, "^y")


def test_must_run_on_cpu(graph, model):
    nodes = {op.name: op for op in graph.get_operations()}
    assert not any(util.must_run_on_cpu(op) for op in nodes.values())
    pinned = {name for name, op in nodes.items() if util.must_run_on_cpu(op.node_def, pin_variables_on_cpu=True)}
    assert pinned == {"v", "v/Assign"}
    answers = [util.must_run_on_cpu(tf.constant(value).op) for value in ("a", 1, np.int64(1), 1.0)]
    assert answers == [True, True, False, False]
    assert util.must_run_on_cpu(tf.cast(tf.constant(1), tf.float32).op)
    with pytest.raises(AssertionError):
        util.must_run_on_cpu("x")
