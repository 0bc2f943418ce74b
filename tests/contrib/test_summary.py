"""tf.contrib.summary: what is written, when, and under which names, as TensorFlow's own graphs have it."""

import os

import pytest

import evergraph as tf
from tests.harness.events import events_in

summary = tf.contrib.summary


def tags_in(folder):
    return [value.tag for event in events_in(folder) for value in event.summary.value]


def test_every_kind(session, tmp_path):
    writer = summary.create_file_writer(str(tmp_path), max_queue=0)
    with writer.as_default(), summary.always_record_summaries():
        summary.generic("tensor", 1, step=1)
        summary.scalar("scalar", 2.0, step=2)
        summary.histogram("histogram", [1.0], step=3)
        summary.image("image", [[[[1.0]]]], step=4)
        summary.audio("audio", [[1.0]], 8000.0, 1, step=5)
        with tf.name_scope("scope"):
            summary.scalar("scalar", 3, step=6)
            summary.scalar("scalar", 4, family="family", step=7)
    session.run(summary.summary_writer_initializer_op())
    assert all(session.run(summary.all_summary_ops()))
    values = {e.step: e.summary.value[0] for e in events_in(tmp_path)[1:]}
    assert [values[step].tag for step in sorted(values)] == [
        "tensor", "scalar", "histogram", "image/image/0", "audio/audio", "scope/scalar", "family/scope/family/scalar"]
    assert [values[step].WhichOneof("value") for step in sorted(values)] == [
        "tensor", "simple_value", "histo", "image", "audio", "simple_value", "simple_value"]
    assert os.listdir(tmp_path)[0].endswith(".v2")


def test_names_are_tensorflows(session, tmp_path):
    tf.train.get_or_create_global_step()
    with summary.create_file_writer(str(tmp_path)).as_default(), summary.always_record_summaries():
        made = summary.scalar("loss", 2.0)
    nodes = {n.name: n for n in session.graph.as_graph_def().node}
    assert made.name == "loss/Const:0" and nodes["loss/Const"].input == ["^loss"]
    assert nodes["loss"].op == "WriteScalarSummary"
    assert nodes["loss"].input == ["SummaryWriter", "global_step/read", "loss/tag", "loss/Identity"]
    assert nodes["SummaryWriter"].attr["shared_name"].s == f"logdir:{tmp_path}".encode()
    assert "FlushSummaryWriter" in nodes and nodes["loss"].device == "/device:CPU:0"


def test_every_n_steps(session, tmp_path):
    step = tf.train.get_or_create_global_step()
    advance = step.assign_add(1)
    session.run(step.initializer)
    with summary.create_file_writer(str(tmp_path), max_queue=0).as_default(), \
            summary.record_summaries_every_n_global_steps(2):
        summary.initialize()
        made = summary.scalar("s", 2.0)
    assert isinstance(summary.should_record_summaries(), bool) and not summary.should_record_summaries()
    written = []
    for _ in range(4):
        written.append(bool(session.run(made)))
        session.run(advance)
    assert written == [True, False, True, False] and tags_in(tmp_path) == ["s", "s"]
    assert [e.step for e in events_in(tmp_path)[1:]] == [0, 2]


def test_nothing_is_written_where_nothing_is_recorded(session, tmp_path):
    assert summary.scalar("no_writer", 1.0, step=1).type == "NoOp"
    writer = summary.create_file_writer(str(tmp_path), max_queue=0)
    with writer.as_default():
        summary.scalar("by_default", 1.0, step=1)
        with summary.always_record_summaries(), summary.never_record_summaries():
            summary.scalar("never", 1.0, step=1)
    with summary.create_file_writer(None).as_default(), summary.always_record_summaries():
        summary.scalar("nowhere", 1.0, step=1)
    session.run(writer.init())
    assert not any(session.run(summary.all_summary_ops()))
    assert len(events_in(tmp_path)) == 1


def write_and_give(write, value):
    """A constant behind a summary: branches and bodies run only what their results depend on."""
    with tf.control_dependencies([write()]):
        return tf.constant(value)


@pytest.mark.parametrize("inside", [
    lambda pred, write: tf.cond(pred, lambda: write_and_give(write, True), lambda: tf.constant(False)),
    lambda pred, write: tf.while_loop(lambda p: p, lambda p: write_and_give(write, False), [pred]),
])  # fmt: skip
def test_inside_branches_and_loops(session, tmp_path, inside):
    pred = tf.placeholder(tf.bool, [])
    writer = summary.create_file_writer(str(tmp_path), max_queue=0)
    with writer.as_default(), summary.always_record_summaries():
        summary.initialize()
        result = inside(pred, lambda: summary.scalar("scalar", 2.0, step=1))
    session.run(result, {pred: False})
    assert tags_in(tmp_path) == []
    session.run(result, {pred: True})
    assert [tag.partition("/")[2] for tag in tags_in(tmp_path)] == ["scalar"]
    assert summary.all_summary_ops() == []


def test_queues_flushing_and_closing(session, tmp_path):
    writer = summary.create_file_writer(str(tmp_path), max_queue=1, flush_millis=1_000_000)
    with writer.as_default(), summary.always_record_summaries():
        write = summary.scalar("s", 2.0, step=1)
        flush = summary.flush()
    count = lambda: len(events_in(tmp_path))
    with pytest.raises(tf.errors.NotFoundError, match="initialized"):
        session.run(write)
    session.run(writer.init())
    seen = [count()]
    for fetch in (write, write, write, flush, write, summary.flush(writer), write, summary.flush(writer._resource)):
        session.run(fetch)
        seen.append(count())
    assert seen == [1, 1, 3, 3, 4, 4, 5, 5, 6]
    session.run(write)
    session.run(writer.init())  # it is open: nothing happens
    session.run(writer.close())
    assert count() == 7 and len(os.listdir(tmp_path)) == 1
    session.run(writer.init())
    assert len(os.listdir(tmp_path)) == 2


def test_writers_of_one_name_are_one(session, tmp_path):
    first = summary.create_file_writer(str(tmp_path), max_queue=0)
    second = summary.create_file_writer(str(tmp_path), name=f"logdir:{tmp_path}")
    third = summary.create_file_writer(str(tmp_path), name="other", max_queue=0)
    with summary.always_record_summaries():
        for number, writer in enumerate((first, second, third)):
            with writer.as_default():
                summary.scalar(f"s{number}", 1.0, step=1)
    for writer in (first, second, third):
        session.run(writer.init())
    session.run(summary.all_summary_ops())
    assert len(os.listdir(tmp_path)) == 2 and sorted(tags_in(tmp_path)) == ["s0", "s1", "s2"]


def test_graphs_and_events(session, tmp_path):
    with pytest.raises(RuntimeError, match="No default"):
        summary.initialize()
    writer = summary.create_file_writer(str(tmp_path), max_queue=0)
    with writer.as_default():
        tf.summary.initialize(graph=session.graph)
        given = tf.placeholder(tf.string)
        write, again = summary.graph(given, step=4), summary.import_event(given)
    data = session.graph.as_graph_def().SerializeToString()
    session.run(write, {given: data})
    session.run(again, {given: tf.Event(step=9, file_version="mine").SerializeToString()})
    _, first, second, third = events_in(tmp_path)
    assert first.step == 0 and second.step == 4 and third.file_version == "mine"
    assert tf.GraphDef.FromString(second.graph_def) == session.graph.as_graph_def()
    with pytest.raises(tf.errors.DataLossError, match="Bad tf.GraphDef"):
        session.run(write, {given: b"nonsense"})
    for wrong in (session.graph, ""):
        with pytest.raises(TypeError):
            summary.graph(wrong)


def test_messages_are_written_as_they_are(session, tmp_path):
    writer = summary.create_file_writer(str(tmp_path), max_queue=0)
    number = lambda tag: tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=1)]).SerializeToString()
    about = tf.SummaryMetadata(plugin_data=tf.SummaryMetadata.PluginData(plugin_name="mine"))
    given = tf.placeholder(tf.string)
    write = tf.raw_ops.WriteRawProtoSummary(writer=writer._resource, step=tf.constant(3, tf.int64), tensor=given)
    with writer.as_default(), summary.always_record_summaries():
        generic = summary.generic("t", [1.0], metadata=about, step=4)
    session.run(writer.init())
    session.run(write, {given: [number("a"), number("b")]})
    session.run(generic)
    _, both, last = events_in(tmp_path)
    assert (both.step, [v.tag for v in both.summary.value]) == (3, ["a", "b"])
    assert last.summary.value[0].metadata.plugin_data.plugin_name == "mine"
    with pytest.raises(tf.errors.DataLossError, match="Bad tf.compat.v1.Summary.*index 0"):
        session.run(write, {given: b"\xff"})


def test_it_needs_a_session(tmp_path):
    with tf.Graph().as_default(), summary.create_file_writer(str(tmp_path)).as_default():
        with pytest.raises(ValueError, match="session"):
            summary.initialize()


def test_small_things(tmp_path):
    assert summary.eval_dir("model") == "model/eval" and summary.eval_dir("model", "x") == "model/eval_x"
    assert tf.summary.all_v2_summary_ops is summary.all_summary_ops
    with tf.Graph().as_default():
        assert isinstance(summary.create_summary_file_writer(str(tmp_path)), summary.SummaryWriter)
