"""The files of tf.debugging.experimental.enable_dump_debug_info, as TensorFlow 2's debugger reads them."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.interop.judge import ask

CASES = {mode: (mode, {}) for mode in ("NO_TENSOR", "CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "SHAPE",
                                       "FULL_TENSOR")}
CASES["one type"] = "SHAPE", {"op_regex": "RealDiv$", "tensor_dtypes": [tf.float32]}


def read(tf, roots):
    """TensorFlow's part: what its reader, which TensorBoard's plugin asks, finds in the files."""
    from tensorflow.python.debug.lib import debug_events_reader as events

    found = {}
    for name, root in roots.items():
        with events.DebugDataReader(root) as reader:
            reader.update()
            graphs = [reader.graph_by_id(digest.graph_id) for digest in reader.outermost_graphs()]
            traces = [(trace.op_name, trace.op_type, trace.output_slot, trace.debug_tensor_value,
                       np.asarray(reader.graph_execution_trace_to_tensor_value(trace)).tolist()
                       if trace.tensor_debug_mode == 7 else None) for trace in reader.graph_execution_traces()]
            (outer,) = [graph for graph in graphs if not graph.name]
            _, stack = reader.read_graph_op_creation_stack_trace(outer.get_op_creation_digest("ratio"))
            runs = [(run.op_type, bool(run.graph_id), run.debug_tensor_values)
                    for run in map(reader.read_execution, reader.executions(digest=True))]
            sources = {path: len(reader.source_lines(host, path)) for host, path in reader.source_file_list()}
            found[name] = [reader.tensorflow_version(), len(graphs), traces, [tuple(line) for line in stack], runs,
                           sources]
    return found


def dump(root, mode, **options):
    """Dumps a run of a session, and eager operations with a function."""
    writer = tf.debugging.experimental.enable_dump_debug_info(root, mode, **options)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [3], name="x")
        session.run(tf.divide(x, x, name="ratio"), {x: [0.0, 4.0, 5.0]})

    @tf.function
    def double(value):
        return tf.multiply(value, 2.0, name="twice")

    with EAGER.as_default():
        double(tf.math.log(tf.constant([1.0, 0.0])))
    writer.FlushNonExecutionFiles()
    writer.FlushExecutionFiles()
    tf.debugging.experimental.disable_dump_debug_info()


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What TensorFlow reads, for each case."""
    folder = tmp_path_factory.mktemp("dumps")
    roots = {name: str(folder / name.replace(" ", "_")) for name in CASES}
    for name, (mode, options) in CASES.items():
        dump(roots[name], mode, **options)
    return ask(read, folder, roots=roots)


@pytest.mark.parametrize("mode, told", [
    ("NO_TENSOR", None), ("CURT_HEALTH", [1]), ("CONCISE_HEALTH", [3, 0, 0, 1]),
    ("FULL_HEALTH", [-1, 1, 1, 3, 0, 0, 1, 0, 0, 2]), ("SHAPE", [1, 1, 3, 3, 0, 0, 0, 0, 0]), ("FULL_TENSOR", None),
])  # fmt: skip
def test_modes(found, mode, told):
    version, graphs, traces, stack, runs, sources = found[mode]
    assert version == tf.VERSION and graphs == 2  # the session's, and the function
    (ratio,) = [trace for trace in traces if trace[0] == "ratio"]
    assert ratio[1:3] == ("RealDiv", 0)
    if told is not None:
        assert list(ratio[3][1:]) == told
    if mode == "FULL_TENSOR":
        np.testing.assert_array_equal(ratio[4], [np.nan, 1, 1])
    assert [name for name, *_ in traces].count("twice") == 1
    assert runs[0][:2] == ("Log", False) and runs[-1][1]
    assert __file__ in {line[0] for line in stack} and sources[__file__] > 50


def test_what_is_told_of(found):
    _, _, traces, _, runs, _ = found["one type"]
    assert [trace[0] for trace in traces] == ["ratio"] and len(runs) == 1  # the function
