"""Dumps of runs go both ways: TensorFlow's DebugDumpDir reads ours, and ours reads its."""

import importlib
import os
import sys

import numpy as np

import evergraph as tf
from tests.interop.judge import ask


def read_and_write(tf, place):
    """TensorFlow's part: reads our dump, and dumps a run of the same graph."""
    import os

    from tensorflow.python import debug as tf_debug

    (run,) = os.listdir(f"{place}/ours")
    dump = tf_debug.DebugDumpDir(f"{place}/ours/{run}")
    seen = {datum.watch_key: datum.get_tensor().tolist() for datum in dump.dumped_tensor_data}
    bad = [datum.node_name for datum in dump.find(tf_debug.has_inf_or_nan)]
    found = [seen, bad, dump.node_inputs("total"), dump.node_op_type("ratio"), dump.core_metadata.output_names,
             dump.run_fetches_info]
    x = tf.placeholder(tf.float32, [2], name="x")
    total = tf.reduce_sum(tf.divide(x, x, name="ratio"), name="total")
    with tf.Session() as session:
        tf_debug.DumpingDebugWrapperSession(session, f"{place}/theirs").run(total, {x: [0.0, 4.0]})
    return found


def test_both_ways(tmp_path):
    debug = importlib.import_module("evergraph.python.debug")
    x = tf.placeholder(tf.float32, [2], name="x")
    total = tf.reduce_sum(tf.divide(x, x, name="ratio"), name="total")
    with tf.Session() as session:
        debug.DumpingDebugWrapperSession(session, str(tmp_path / "ours")).run(total, {x: [0.0, 4.0]})
    seen, bad, inputs, kind, outputs, fetches = ask(read_and_write, tmp_path, place=str(tmp_path))
    assert seen["_arg_x_0_0:0:DebugIdentity"] == [0.0, 4.0] and bad == ["ratio", "total"]
    assert (inputs, kind, outputs, fetches) == (["ratio", "Const"], "RealDiv", ["total:0"], repr(total))
    (run,) = os.listdir(tmp_path / "theirs")
    dump = debug.DebugDumpDir(str(tmp_path / "theirs" / run))
    assert [datum.node_name for datum in dump.find(debug.has_inf_or_nan)] == ["ratio", "total"]
    np.testing.assert_array_equal(dump.get_tensors("ratio", 0, "DebugIdentity")[0], [np.nan, 1])
    assert dump.node_recipients("ratio") == ["total"]


PROGRAM = """
import importlib, sys
import evergraph as tf
debug = importlib.import_module("evergraph.python.debug")
x = tf.placeholder(tf.float32, [2], name="x")
total = tf.reduce_sum(tf.divide(x, x, name="ratio"), name="total")
with tf.Session() as session:
    debug.TensorBoardDebugWrapperSession(session, [sys.argv[1]]).run(total, {x: [2.0, 4.0]})
"""


def serve_a_debugger(tf, python, program):
    """TensorFlow's part: a server that our program sends its tensors, its lines and its files to."""
    import socket
    import subprocess
    import sys
    import types

    with socket.socket() as free:
        free.bind(("localhost", 0))
        number = free.getsockname()[1]
    sys.modules["portpicker"] = types.SimpleNamespace(pick_unused_port=lambda: number)  # which it imports
    from tensorflow.python.debug.lib import grpc_debug_test_server

    port, _, _, _, server = grpc_debug_test_server.start_server_on_separate_thread(
        dump_to_filesystem=False, poll_server=False)
    subprocess.run([python, program, f"localhost:{port}"], check=True, timeout=120)
    found = [[value.tolist() for value in server.debug_tensor_values["ratio:0:DebugIdentity"]],
             len(server.partition_graph_defs), server.query_op_traceback("ratio")[0][:2],
             server.query_source_file_line(program, 6)]
    server.stop_server().wait()
    return found


def test_tensorflow_takes_the_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    values, graphs, line, text = ask(serve_a_debugger, tmp_path, python=sys.executable, program=str(program))
    assert values == [[1.0, 1.0]] and graphs == 1
    assert tuple(line) == (str(program), 6) and text.startswith("total = ")
