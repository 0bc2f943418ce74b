"""What graphs are written as: functional nodes, but Switch, Merge and frames where references change inside."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.frontend.importer import extend_graph
from evergraph.graph.codec import encode_attr


def ops(graph_def):
    return {node.op for node in graph_def.node}


def again(graph, fetch, steps=2):
    """What the graph computes, step by step, before and after it was written and read."""
    initial, name = tf.global_variables_initializer(), fetch.name
    message = graph.as_graph_def()
    results = []
    for target in (graph, tf.Graph()):
        with target.as_default(), tf.Session() as session:
            if target is not graph:
                tf.import_graph_def(message, name="")
            session.run(initial.name)
            results.append([session.run(name).tolist() for _ in range(steps)])
    assert results[0] == results[1]
    return message, results[0]


def test_a_branch_that_reads_a_reference_stays_functional(graph):
    v = tf.Variable(2.0, use_resource=False)
    message, values = again(graph, tf.cond(v > 1.0, lambda: v * 3.0, lambda: v))
    assert "StatelessIf" in ops(message) and not ops(message) & {"Switch", "Merge"}
    assert values == [6, 6]


def test_a_branch_that_changes_a_reference_is_unfolded(graph):
    v = tf.Variable(2.0, use_resource=False)
    y = tf.cond(v < 4.0, lambda: tf.assign_add(v, 1.5) * 2.0, lambda: tf.constant(-1.0))
    message, values = again(graph, tf.identity(y, name="y"), steps=3)
    assert {"RefSwitch", "Merge"} <= ops(message) and not ops(message) & {"If", "StatelessIf"}
    assert not message.library.function
    assert values == [7, 10, -1]


def test_an_effect_that_no_output_needs_does_not_run(graph):
    v = tf.Variable(0.0, use_resource=False)

    def count():
        tf.assign_add(v, 1.0)
        return tf.constant(5.0)

    y = tf.cond(tf.constant(True), count, lambda: tf.constant(6.0))
    with tf.control_dependencies([y]):
        after = tf.identity(v.read_value(), name="y")
    _, values = again(graph, after)
    assert values == [0, 0]


def test_an_effect_that_an_output_waits_for(graph):
    v = tf.Variable(0.0, use_resource=False)

    def count():
        with tf.control_dependencies([tf.assign_add(v, 1.0)]):
            return tf.constant(5.0)

    y = tf.cond(tf.constant(True), count, lambda: tf.constant(6.0))
    with tf.control_dependencies([y]):
        after = tf.identity(v.read_value(), name="y")
    message, values = again(graph, after)
    assert "RefSwitch" in ops(message) and values == [1, 2]


def test_a_loop_that_changes_a_reference_is_unfolded(graph):
    v = tf.Variable(1.0, use_resource=False)

    def body(i):
        once = tf.cond(tf.equal(i, 1), lambda: tf.assign_add(v, 100.0) * 0.0, lambda: tf.constant(0.0))
        with tf.control_dependencies([once, tf.assign_add(v, 2.0)]):
            return i + 1

    done = tf.while_loop(lambda i: i < 3, body, [0])
    with tf.control_dependencies([done]):
        after = tf.identity(v.read_value(), name="y")
    message, values = again(graph, after)
    assert {"RefEnter", "NextIteration", "RefSwitch"} <= ops(message) and not ops(message) & {"While", "If"}
    assert values == [107, 213]


def test_a_loop_that_only_a_reference_ends(graph):
    v = tf.Variable(1.0, use_resource=False)

    def body(x):
        with tf.control_dependencies([tf.assign_add(v, 2.0)]):
            return tf.identity(x)

    y = tf.while_loop(lambda x: v.read_value() < 6.0, body, [tf.constant(0.5)])
    with tf.control_dependencies([y]):
        after = tf.identity(v.read_value(), name="y")
    _, values = again(graph, after)
    assert values == [7, 7]


@pytest.mark.parametrize("is_finalized", [False, True])
def test_a_graph_is_encoded_once_and_copied(is_finalized):
    x = tf.placeholder(tf.float32, [None, 3])
    graph = tf.get_default_graph()
    if is_finalized:
        graph.finalize()
    first = graph.as_graph_def(add_shapes=True)
    copy = graph.as_graph_def(add_shapes=True)
    assert copy == first and copy is not first
    copy.node[0].name = "another"
    assert graph.as_graph_def(add_shapes=True) == first
    assert graph.as_graph_def() != first and not graph.as_graph_def(from_version=1).node
    x.set_shape([4, None])
    assert graph.as_graph_def(add_shapes=True).node[0].attr["_output_shapes"].list.shape[0].dim[0].size == 4
    x.op._set_device("/device:CPU:0")
    assert graph.as_graph_def(add_shapes=True).node[0].device == "/device:CPU:0"


# ---- attrs, of which equal ones are encoded once


def test_values_that_are_equal_but_not_the_same(graph):
    x = tf.placeholder(tf.float32, [2, 2], "x")
    many = np.broadcast_to(np.float32(1), [2, 2])
    values = [np.float32(0.0), np.float32(-0.0), np.int32(1), np.bool_(True), many, np.ones([2, 2], np.float32),
              np.asfortranarray(np.arange(4.0).reshape(2, 2)), np.zeros([0, 3]), np.zeros([3, 0]),
              np.array([b"", b"a"])]
    for value in [*values, *values]:
        node = tf.constant(value).op
        node.attrs["value"] = node.attrs["value"] if node.attrs["value"].dtype.hasobject else value
        assert node.node_def.attr["value"].tensor == tensor_to_proto(node.attrs["value"], node.attrs["dtype"])
    for alpha in (0.0, -0.0, 0.0):
        wanted = np.float32(alpha).tobytes()
        assert np.float32(tf.nn.leaky_relu(x, alpha).op.node_def.attr["alpha"].f).tobytes() == wanted
    long = "n" * 200
    for text in (long, "", long):
        assert tf.raw_ops.VariableV2(shape=[2], dtype=tf.int8, shared_name=text).op.node_def.attr["shared_name"].s == \
            text.encode()


def test_nodes_are_encoded_as_their_attrs_are(graph):
    with tf.device("/device:CPU:0"):
        values = tf.data.Dataset.range(3).map(lambda x: x + 1).batch(2)
        taken = tf.data.make_one_shot_iterator(values).get_next()
    with tf.control_dependencies([taken]):
        tf.layers.dense(tf.zeros([2, 3], name=f"a{'b' * 150}"), 4)
    message = graph.as_graph_def(add_shapes=True)
    for node, entry in zip(graph.get_operations(), message.node, strict=True):
        kinds = node.opdef.signature.attr
        assert (entry.name, entry.op, entry.device) == (node.name, node.type, node.device)
        assert list(entry.input) == [*(t._as_node_def_input() for t in node.inputs),
                                     *sorted(f"^{other.name}" for other in node.control_inputs)]
        assert set(entry.attr) == {*node.attrs, *node.extra, *(["_output_shapes"] if node.outputs else [])}
        for name, value in node.attrs.items():
            if kinds[name].kind != "tensor":
                assert entry.attr[name] == encode_attr(kinds[name].kind, value)
        shapes = [t._shape for t in node.outputs]
        assert not shapes or entry.attr["_output_shapes"] == encode_attr("list(shape)", shapes)
        assert all(entry.attr[name] == value for name, value in node.extra.items())


def test_nodes_that_a_graph_gets_later_stand_beside_those_it_had():
    """As the nodes do that a client sends to a server between steps."""
    with tf.device("/cpu:0"):
        v = tf.get_variable("v", initializer=1.0)
    before = tf.get_default_graph().as_graph_def()
    with tf.colocate_with(v.op):
        tf.add(v, 1.0, name="later")
    message = tf.get_default_graph().as_graph_def()
    del message.node[:len(before.node)]
    with tf.Graph().as_default() as graph:
        extend_graph(graph, before)
        extend_graph(graph, message)
        later = graph.get_operation_by_name("later")
        assert later.colocation_groups() == [b"loc:@v"] and later.device == graph.get_operation_by_name("v").device
        message.node[-1].name, message.node[-1].attr["_class"].list.s[0] = "lost", b"loc:@nobody"
        del message.node[:-1]
        with pytest.raises(ValueError, match="colocated with unknown node 'nobody'"):
            extend_graph(graph, message)
