"""What graphs are written as: functional nodes, but Switch, Merge and frames where references change inside."""


import evergraph as tf


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


def test_a_finalized_graph_is_encoded_once_and_copied():
    x = tf.placeholder(tf.float32, [None, 3])
    graph = tf.get_default_graph()
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
