"""tf.profiler: parameters, floating point operations and times of nodes, by scope and by type."""

import pytest

import evergraph as tf
from evergraph.debug.profiler.statistics import OpStats, RegisterStatistics, get_stats_for_node_def

BUILDER = tf.profiler.ProfileOptionBuilder


def small_network():
    x = tf.placeholder(tf.float32, [4, 8, 8, 3])
    w, b = tf.get_variable("l1/w", [3, 3, 3, 5]), tf.get_variable("l1/b", [5])
    with tf.name_scope("l1"):
        y = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 2, 2, 1], "SAME"), b))
    with tf.variable_scope("l2"):
        z = tf.reshape(tf.nn.max_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), [4, -1])
        out = tf.matmul(z, tf.get_variable("v", [20, 7]))
    loss = tf.reduce_mean(tf.square(out))
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return x, loss


def silent(options):
    return BUILDER(options).with_empty_output().build()


def test_parameters_by_scope(tmp_path):
    small_network()
    path = str(tmp_path / "profile")
    found = tf.profiler.profile(options=BUILDER(BUILDER.trainable_variables_parameter()).with_file_output(path).build())
    assert found.name == "_TFProfRoot" and found.total_parameters == 280 and found.total_definition_count == 6
    assert [child.name for child in found.children] == ["l1", "l2"]
    assert [(c.name, c.parameters) for c in found.children[0].children] == [("l1/b", 5), ("l1/w", 135)]
    assert (tmp_path / "profile").read_text().split("\n")[1:7] == [
        "_TFProfRoot (--/280 params)", "  l1 (--/140 params)", "    l1/b (5, 5/5 params)",
        "    l1/w (3x3x3x5, 135/135 params)", "  l2 (--/140 params)", "    l2/v (20x7, 140/140 params)"]


def test_float_operations_are_those_of_tensorflow():
    small_network()
    graph = tf.get_default_graph()
    wanted = {"l1/Conv2D": 17280, "l1/BiasAdd": 320, "l2/MaxPool": 320, "l2/MatMul": 1120, "Square": 28, "Mean": 28}
    found = {name: get_stats_for_node_def(graph, graph.get_operation_by_name(name).node_def, "flops").value
             for name in wanted}
    assert found == wanted
    by_type = {node.type: get_stats_for_node_def(graph, node.node_def, "flops").value
               for node in graph.get_operations()}
    assert by_type["MaxPoolGrad"] == 400 and by_type["Conv2DBackpropFilter"] == 17280 and by_type["BiasAddGrad"] == 315


@pytest.mark.parametrize(("make", "count"), [
    (lambda x, m: tf.nn.depthwise_conv2d_native(x, tf.zeros([3, 3, 3, 2]), [1, 1, 1, 1], "SAME"), 27648),
    (lambda x, m: tf.nn.dilation2d(x, tf.zeros([3, 3, 3]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), 13824),
    (lambda x, m: tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), 768),
    (lambda x, m: tf.gradients(tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), x)[0], 1536),
    (lambda x, m: tf.nn.l2_loss(m), 89), (lambda x, m: tf.nn.softmax(m), 150), (lambda x, m: tf.add_n([m, m, m]), 60),
    (lambda x, m: tf.matmul(m, tf.zeros([6, 7]), transpose_a=True), 420), (lambda x, m: tf.rsqrt(m), 60),
    (lambda x, m: tf.argmax(m, 1), 24), (lambda x, m: tf.reduce_mean(m, 1), 30), (lambda x, m: tf.reduce_sum(m, 0), 25),
    (lambda x, m: tf.squared_difference(m, m), 60)])
def test_formulas(make, count):
    node = make(tf.placeholder(tf.float32, [4, 8, 8, 3]), tf.placeholder(tf.float32, [6, 5])).op
    assert get_stats_for_node_def(node.graph, node.node_def, "flops").value == count


def test_views_of_types():
    small_network()
    found = tf.profiler.profile(cmd="op", options=silent(BUILDER.float_operation()))
    first = found.children[0]
    assert first.float_ops == 17280 and first.name.startswith("Conv2D")
    assert first.total_float_ops == found.total_float_ops
    names = []
    while found.children:
        found = found.children[0]
        names.append((found.name, found.float_ops))
    assert ("MatMul", 3360) in names and ("BiasAddGrad", 315) in names


def test_times_of_a_step():
    x, loss = small_network()
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(loss, {x: [[[[1.0] * 3] * 8] * 8] * 4}, options, metadata)
    options = BUILDER(BUILDER.time_and_memory(min_bytes=0)).with_empty_output().build()
    profiler = tf.profiler.Profiler()
    profiler.add_step(3, metadata)
    found = profiler.profile_name_scope(options)
    assert found.total_exec_micros > 0 and found.total_cpu_exec_micros == found.total_exec_micros
    assert profiler.advise(None).checkers["ExpensiveOperationChecker"].reports
    with pytest.raises(tf.errors.NotFoundError):
        profiler.profile_operations({**options, "step": 4})


def test_what_there_is_not(capsys):
    small_network()
    for wrong in ({"cmd": "code"}, {"options": {"output": "pprof:outfile=x"}},
                  {"options": {"select": ["tensor_value"]}}):
        with pytest.raises(tf.errors.UnimplementedError):
            tf.profiler.profile(**wrong)
    analyzer = tf.contrib.tfprof.model_analyzer
    analyzer.print_model_analysis(tf.get_default_graph(), tfprof_options=analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS)
    assert "--/280 params" in capsys.readouterr().out


def test_statistics_of_ones_own(tmp_path):
    @RegisterStatistics("Relu6", "flops")
    def count(graph, node):
        return OpStats("flops", 7)

    tf.nn.relu6(tf.ones([2]), name="own")
    graph = tf.get_default_graph()
    assert get_stats_for_node_def(graph, graph.get_operation_by_name("own").node_def, "flops").value == 7
    with pytest.raises(KeyError):
        RegisterStatistics("Relu6", "flops")(count)
    tf.profiler.write_op_log(graph, str(tmp_path))
    log = tf.profiler.OpLogProto.FromString((tmp_path / "tfprof_log").read_bytes())
    assert [e.float_ops for e in log.log_entries if e.name == "own"] == [7]
    assert any(log.id_to_string[trace.file_id].endswith("test_profiler.py")
               for e in log.log_entries for trace in e.code_def.traces)
