"""tf.profiler: parameters, floating point operations and times of nodes, by scope and by type."""

import gzip
import os
import pathlib

import pytest

import evergraph as tf
from evergraph import proto
from evergraph.debug.profiler import pprof
from evergraph.debug.profiler.gather import merged_log
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
    assert (tmp_path / "profile").read_text().split("\n")[7:13] == [
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


def test_lines_of_the_program():
    small_network()
    options = {**silent(BUILDER.float_operation()), "show_name_regexes": [".*small_network.*"]}
    found = tf.profiler.profile(cmd="code", options=options)
    costs = {child.name.partition(":")[2].partition(":")[2]: child.total_float_ops for child in found.children
             if child.total_float_ops > 17000}
    assert set(costs) == {"small_network", "small_network (gradient)"} and costs["small_network"] > 17280
    by_name = {node.name: node.float_ops for child in found.children for node in child.graph_nodes}
    assert by_name["l1/Conv2D"] == 17280


def test_what_there_is_not(capsys):
    small_network()
    for wrong, error in (({"cmd": "lines"}, tf.errors.NotFoundError),
                         ({"options": {"step": 7}}, tf.errors.NotFoundError),
                         ({"options": {"output": "paper"}}, tf.errors.InvalidArgumentError),
                         ({"options": {"order_by": "beauty"}}, tf.errors.InvalidArgumentError),
                         ({"options": {"select": ["beauty"]}}, tf.errors.InvalidArgumentError),
                         ({"cmd": "op", "options": {"output": "timeline:outfile=x"}}, tf.errors.InvalidArgumentError),
                         ({"options": {"output": "pprof:outfile=x"}}, tf.errors.InvalidArgumentError)):
        with pytest.raises(error):
            tf.profiler.profile(**wrong)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.profiler.advise(options={"WeatherChecker": {}})
    analyzer = tf.contrib.tfprof.model_analyzer
    analyzer.print_model_analysis(tf.get_default_graph(), tfprof_options=analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS)
    assert "--/280 params" in capsys.readouterr().out


def metadata(starts, device="/job:localhost/replica:0/task:0/device:GPU:0"):
    """The metadata of a step with nodes of two microseconds, also in the streams of an accelerator."""
    found = tf.RunMetadata()
    for name in (device, f"{device}/stream:all"):
        stats = found.step_stats.dev_stats.add(device=name)
        for node, start in starts.items():
            stats.node_stats.add(node_name=node, all_start_micros=start, op_end_rel_micros=2)
    return found


def test_steps_of_accelerators_and_advice(capsys):
    tf.nn.conv2d(tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1]), [1, 1, 1, 1], "SAME", name="conv")
    profiler = tf.profiler.Profiler()
    profiler.add_step(1, metadata({"conv": 10, "ones": 30}))
    profiler.add_step(2, metadata({"conv": 100, "made_up:MEMCPY": 104}))
    found = profiler.profile_name_scope({**silent(BUILDER.time_and_memory(1, 0)), "step": 2})
    assert [(node.name, node.accelerator_exec_micros, node.cpu_exec_micros) for node in found.children] == [
        ("conv", 2, 2), ("made_up", 2, 2)]
    assert found.total_run_count == 2 and profiler.coverage > 0
    advice = profiler.advise(None).checkers
    assert advice["OperationChecker"].reports[0].endswith("such as conv")
    assert "low utilization: 0.08" in advice["AcceleratorUtilizationChecker"].reports[0]
    assert advice["ExpensiveOperationChecker"].reports[0].startswith("top 1 operation type: Const, cpu: 2us, acc")
    assert "AcceleratorUtilizationChecker:" in capsys.readouterr().out
    again = proto.tfprof_log_pb2.ProfileProto.FromString(profiler.serialize_to_string())
    assert list(again.steps) == [1, 2] and not again.miss_accelerator_stream


def test_types_with_their_shapes(tmp_path):
    tf.add(tf.ones([2, 3]), 1.0)
    path = tmp_path / "types"
    options = BUILDER(BUILDER.float_operation()).with_accounted_types(["Add"]).select(["occurrence", "input_shapes"])
    tf.profiler.profile(cmd="op", options=options.with_file_output(path).build())
    assert path.read_text().endswith(
        "Add                             0|1\ninput_type: 0:2x3|1:1,\t(run*0|defined*1)\n\n")


def test_shapes_of_a_step_count():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.matmul(x, tf.ones([4, 5]), name="y")
    found = tf.RunMetadata()
    with tf.Session() as session:
        session.run(y, {x: [[1.0] * 4] * 3}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), found)
    stats = found.step_stats.dev_stats[0].node_stats.add(node_name="x")
    stats.output.add().tensor_description.shape.dim.extend(
        [tf.TensorShape([3, 4]).as_proto().dim[0], tf.TensorShape([3, 4]).as_proto().dim[1]])
    log = merged_log(tf.get_default_graph(), run_meta=found)
    assert [entry.float_ops for entry in log.log_entries if entry.name == "y"] == [2 * 3 * 4 * 5]


def test_profile_context(tmp_path, capsys):
    x, loss = small_network()
    context = tf.contrib.tfprof.ProfileContext(str(tmp_path), trace_steps=[1], dump_steps=[2], debug=True)
    context.add_auto_profiling("op", silent(BUILDER.time_and_memory(1, 0)), [2])
    with context, tf.Session() as session:
        with pytest.raises(tf.errors.InternalError), tf.contrib.tfprof.ProfileContext(str(tmp_path)):
            pass
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(loss, {x: [[[[1.0] * 3] * 8] * 8] * 4})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["profile_2", "run_meta_1", "run_meta_2"]
    written = proto.tfprof_log_pb2.ProfileProto.FromString((tmp_path / "profile_2").read_bytes())
    assert list(written.steps) == [1, 2] and list(context.get_profiles("op")) == [2]
    assert "traced step 1" in capsys.readouterr().err
    with pytest.raises(ValueError):
        context.get_profiles("scope")
    for wrong in (lambda: tf.contrib.tfprof.ProfileContext(""), lambda: context.add_auto_profiling("lines", {}, [1]),
                  lambda: tf.contrib.tfprof.ProfileContext(str(tmp_path), trace_steps=range(101))):
        with pytest.raises(ValueError):
            wrong()


def test_a_profile_context_chooses_steps_itself(tmp_path):
    x = tf.constant(1.0) + 2.0
    with tf.contrib.tfprof.ProfileContext(str(tmp_path), dump_steps=[]) as context, tf.Session() as session:
        for step in range(13):
            if step == 12:
                context.dump_next_step()
            session.run(x)
    (name,) = os.listdir(tmp_path)
    written = proto.tfprof_log_pb2.ProfileProto.FromString((tmp_path / name).read_bytes())
    assert name == "profile_12" and 11 in written.steps and min(written.steps) == 11
    with tf.contrib.tfprof.ProfileContext("", enabled=False) as context:
        assert context.profiler is None


def test_pprof_of_the_devices_of_a_step(tmp_path):
    tf.add(1.0, 2.0, name="sum")
    (path,) = pprof.profile(tf.get_default_graph(), metadata({"sum": 10}, "d"), str(tmp_path))[:1]
    message = proto.profile_pb2.Profile.FromString(gzip.decompress(pathlib.Path(path).read_bytes()))
    words = message.string_table
    (sample,) = message.sample
    assert [words[label.str] for label in sample.label] == ["sum", "Add"] and list(sample.value) == [1, 0, 2]
    assert words[message.comment[0]] == "Device 1 of 2: d" and sample.location_id


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
