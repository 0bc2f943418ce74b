"""tf.debugging.experimental.enable_dump_debug_info; tests/interop has what TensorFlow reads of its files."""

import pytest

import evergraph as tf
from evergraph import proto

enable = tf.debugging.experimental.enable_dump_debug_info


@pytest.fixture(autouse=True)
def over():
    yield
    tf.debugging.experimental.disable_dump_debug_info()


def events(folder, kind):
    (path,) = folder.glob(f"tfdbg_events.*.{kind}")
    found = map(proto.debug_event_pb2.DebugEvent.FromString, tf.python_io.tf_record_iterator(str(path)))
    return [getattr(event, event.WhichOneof("what")) for event in found]


def traced(folder):
    return [trace.op_name for trace in events(folder, "graph_execution_traces")]


def test_the_latest_are_kept_until_they_are_flushed(session, tmp_path):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.negative(tf.exp(x, name="power"), name="less")
    writer = enable(str(tmp_path), circular_buffer_size=2)
    session.run(y, {x: [1, 2]})
    assert traced(tmp_path) == []
    writer.FlushExecutionFiles()
    assert traced(tmp_path) == ["power", "less"]
    tf.debugging.experimental.disable_dump_debug_info()
    session.run(y, {x: [1, 2]})
    assert traced(tmp_path) == ["power", "less"]
    assert {node.op_name for node in events(tmp_path, "graphs") if hasattr(node, "op_name")} == {"x", "power", "less"}


def test_everything_is_written_at_once(session, tmp_path):
    writer = enable(str(tmp_path), "FULL_TENSOR", circular_buffer_size=0)
    for number in range(3):
        session.run(tf.fill([2], float(number), name=f"filled{number}"))
    writer.FlushExecutionFiles()
    writer.FlushNonExecutionFiles()
    assert [name for name in traced(tmp_path) if name.startswith("filled") and "/" not in name] == [
        "filled0", "filled1", "filled2"]
    nodes = {node.op_name: node for node in events(tmp_path, "graphs") if hasattr(node, "op_name")}
    assert set(nodes["filled2"].input_names) == {"filled2/dims:0", "filled2/value:0"}  # the graph has grown


def test_iterations_of_loops(session, tmp_path):
    last = tf.while_loop(lambda i: i < 3, lambda i: tf.add(i, 1, name="next"), [0])
    writer = enable(str(tmp_path))
    session.run(last)
    writer.FlushExecutionFiles()
    assert sum(name.endswith("next") for name in traced(tmp_path)) == 3


def test_one_dump_at_a_time(tmp_path):
    writer = enable(str(tmp_path / "a"), "SHAPE")
    assert enable(str(tmp_path / "a"), "SHAPE") is writer
    for wrong in ({"tensor_debug_mode": "FULL_HEALTH"}, {"tensor_debug_mode": "SHAPE", "circular_buffer_size": 5},
                  {"tensor_debug_mode": "ALL"}):
        with pytest.raises(ValueError):
            enable(str(tmp_path / "a"), **wrong)
    with pytest.raises(TypeError, match="op_regex"):
        enable(str(tmp_path / "b"), op_regex=3)
    assert enable(str(tmp_path / "b")) is not writer
