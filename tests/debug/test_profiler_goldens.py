"""tf.profiler against what TensorFlow 2.15 wrote for a small network: text to the letter, messages field by field."""

import gzip
import json
import pathlib
import zipfile

import pytest

import evergraph as tf
from evergraph import proto
from evergraph.debug.profiler import gather, profile

BUILDER = tf.profiler.ProfileOptionBuilder
FILES = zipfile.ZipFile(pathlib.Path(__file__).parents[1] / "goldens" / "profiler.zip")
ProfileProto = proto.tfprof_log_pb2.ProfileProto


def program_lines(options):
    return BUILDER(options).with_node_names(show_name_regexes=[".*gen.py.*"]).build()


PARAMS, FLOPS, TIMES = BUILDER.trainable_variables_parameter(), BUILDER.float_operation(), BUILDER.time_and_memory()
EVERYTHING = BUILDER(BUILDER.time_and_memory(min_micros=0, min_bytes=0)).select(
    ["params", "float_ops", "bytes", "peak_bytes", "residual_bytes", "output_bytes", "micros", "accelerator_micros",
     "cpu_micros", "occurrence", "device", "op_types", "input_shapes", "tensor_value"]).build()
CASES = {
    "static_params_scope": ("scope", PARAMS), "static_params_graph": ("graph", PARAMS),
    "static_params_code": ("code", program_lines(PARAMS)), "static_flops_scope": ("scope", FLOPS),
    "static_flops_op": ("op", FLOPS), "static_flops_code": ("code", program_lines(FLOPS)),
    "run_time_scope": ("scope", TIMES), "run_time_graph": ("graph", TIMES), "run_time_op": ("op", TIMES),
    "run_time_code": ("code", program_lines(TIMES)), "run_all_scope": ("scope", EVERYTHING),
    "run_flops_scope": ("scope", FLOPS), "run_flops_op": ("op", FLOPS),
    "profiler_name_scope": ("scope", TIMES), "profiler_graph": ("graph", TIMES),
    "profiler_python": ("code", program_lines(TIMES)), "profiler_operations": ("op", TIMES),
}


def recorded(steps):
    """The recorded profile of two steps, or of none, or of the one whose metadata were recorded too."""
    found = ProfileProto.FromString(FILES.read("profile.pb"))
    if steps != "profiler":
        for node in found.nodes.values():
            node.ClearField("execs")
            node.canonical_device = node.host_device = ""
            node.op_types[:] = [word for word in node.op_types if not word.startswith("/job:")]
        del found.steps[:]
        for number in range(124, 128):
            del found.nodes[number]  # what only the steps know
    if steps == "run":
        gather.add_step(found, 0, tf.RunMetadata.FromString(FILES.read("run_metadata.pb")))
    return found


@pytest.mark.parametrize("name", CASES)
def test_views(name, tmp_path):
    cmd, options = CASES[name]
    path = tmp_path / "view"
    message = profile._profiled(recorded(name.partition("_")[0]), cmd, BUILDER(options).with_file_output(path).build())
    assert path.read_text() == FILES.read(f"{name}.txt").decode()
    assert message == type(message).FromString(FILES.read(f"{name}.pb"))


def test_what_is_printed(capsys):
    for cmd, options in (("scope", PARAMS), ("scope", FLOPS), ("op", FLOPS)):
        profile._profiled(recorded("static"), cmd, options)
    printed = capsys.readouterr().out
    assert FILES.read("stdout.txt").decode().startswith(printed)


@pytest.mark.parametrize(("cmd", "file"), [("graph", "timeline_graph.json_0"), ("scope", "timeline_scope.json_-1")])
def test_timelines(cmd, file, tmp_path):
    options = BUILDER(TIMES).with_timeline_output(str(tmp_path / file.rpartition("_")[0])).build()
    profile._profiled(recorded("run"), cmd, options)
    assert json.loads((tmp_path / file).read_text()) == json.loads(FILES.read(file))


def test_graphs_and_logs_are_gathered_as_tensorflow_gathers_them():
    wanted, found = recorded("static"), ProfileProto()
    gather._add_nodes(found, tf.GraphDef.FromString(FILES.read("graph.pb")).node)
    gather._add_log(found, proto.tfprof_log_pb2.OpLogProto.FromString(FILES.read("oplog/tfprof_log")))
    del wanted.nodes[123]  # the initializer, which was made after the graph was written, and marked the assignments
    for node in wanted.nodes.values():
        if node.op == "Assign":
            del node.attrs["_has_manual_control_dependencies"]
    assert found.nodes == wanted.nodes


def test_steps_are_gathered_as_tensorflow_gathers_them():
    wanted, found = recorded("profiler"), recorded("run")
    by_name = {node.name: node for node in found.nodes.values()}
    ran = [node for node in wanted.nodes.values() if 1 in node.execs]
    assert len(ran) == 54
    for node in ran:
        assert by_name[node.name].execs[0] == node.execs[1]


def pprof_values(message):
    """The number of each node."""
    return {message.string_table[sample.label[0].str]: sample.value[1] for sample in message.sample}


def test_pprof(tmp_path):
    path = tmp_path / "flops.pb.gz"
    profile._profiled(recorded("run"), "code", BUILDER(FLOPS).with_pprof_output(str(path)).build())
    message = proto.profile_pb2.Profile.FromString(gzip.decompress(path.read_bytes()))
    words = message.string_table
    assert words[message.sample_type[1].type] == "float_ops"
    wanted = proto.profile_pb2.Profile.FromString(gzip.decompress(FILES.read("pprof_flops.pb.gz")))
    assert pprof_values(message) == pprof_values(wanted)  # also of nodes without any
    locations = {location.id: location.line[0] for location in message.location}
    functions = {function.id: words[function.name] for function in message.function}
    (sample,) = [each for each in message.sample if words[each.label[0].str] == "conv1/Conv2D"]
    last = locations[sample.location_id[-1]]
    assert (functions[last.function_id], last.line) == ("gen:<module>", 34)
