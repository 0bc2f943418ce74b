"""FileWriter in full: when events reach the file, what it is called, and writing through a session."""

import os
import subprocess
import sys
import threading
import time

import pytest

import evergraph as tf
from tests.harness.events import events_in


def number(tag, value):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])


def test_events_wait_for_company(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path), max_queue=2, flush_secs=1000)
    seen = []
    for step in range(4):
        writer.add_summary(number("a", step), step)
        seen.append(len(events_in(tmp_path)))
    assert seen == [1, 1, 4, 4]  # the first is the file's version
    writer.flush()
    assert [e.step for e in events_in(tmp_path)] == [0, 0, 1, 2, 3]
    writer.close()


def test_events_wait_no_longer_than_allowed(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path), flush_secs=0.1)
    writer.add_summary(number("a", 1), 1)
    assert len(events_in(tmp_path)) == 1
    until = time.monotonic() + 10
    while len(events_in(tmp_path)) == 1 and time.monotonic() < until:
        time.sleep(0.02)
    assert len(events_in(tmp_path)) == 2
    writer.close()


def test_one_thread_watches_the_time_however_often_events_are_flushed(tmp_path):
    before = set(threading.enumerate())
    writer = tf.summary.FileWriter(str(tmp_path), flush_secs=1000)
    assert set(threading.enumerate()) == before
    watching = set()
    for step in range(3):
        writer.add_summary(number("a", step), step)
        watching |= set(threading.enumerate()) - before
        writer.flush()
    assert len(watching) == 1
    writer.close()
    watching.pop().join(10)
    assert set(threading.enumerate()) == before


def test_what_was_not_flushed_is_written_when_the_writer_goes(tmp_path):
    tf.summary.FileWriter(str(tmp_path)).add_summary(number("a", 1), 1)
    assert len(events_in(tmp_path)) == 2


def test_what_was_not_flushed_is_written_when_the_program_ends(tmp_path):
    code = f"""
import evergraph as tf
writer = tf.summary.FileWriter({str(tmp_path)!r})
writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1)]), 1)
writer.itself = writer
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert len(events_in(tmp_path)) == 2


def test_the_name_of_the_file(tmp_path):
    for suffix in (".mine", ".mine", None):
        tf.summary.FileWriter(str(tmp_path), filename_suffix=suffix).close()
    names = sorted(os.listdir(tmp_path))
    assert len(names) == 3 and sum(name.endswith(".mine") for name in names) == 2


def test_a_closed_writer_loses_events_until_it_is_reopened(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path))
    writer.close()
    writer.close()
    with pytest.warns(UserWarning, match="closed"):
        writer.add_summary(number("lost", 1), 1)
    writer.reopen()
    writer.reopen()
    writer.add_summary(number("kept", 1), 1)
    writer.close()
    assert [v.tag for e in events_in(tmp_path) for v in e.summary.value] == ["kept"]
    assert len(os.listdir(tmp_path)) == 2


def test_graphs(session, tmp_path):
    tf.constant(1, name="one")
    graph_def = session.graph.as_graph_def()
    with tf.summary.FileWriter(str(tmp_path), graph_def=graph_def) as writer:
        writer.add_graph(graph_def, global_step=2)
        writer.add_graph(session.graph, global_step=3)
        for wrong, error in (((None,), ValueError), ((session.graph, None, graph_def), ValueError), ((3,), TypeError)):
            with pytest.raises(error):
                writer.add_graph(*wrong)
        with pytest.raises(TypeError, match="MetaGraphDef"):
            writer.add_meta_graph(graph_def)
    written = events_in(tmp_path)[1:]
    assert [(e.WhichOneof("what"), e.step) for e in written] == [
        ("graph_def", 0), ("meta_graph_def", 0), ("graph_def", 2), ("graph_def", 3)]
    assert tf.MetaGraphDef.FromString(written[1].meta_graph_def).graph_def == graph_def
    shapes = tf.GraphDef.FromString(written[3].graph_def).node[0].attr["_output_shapes"].list.shape
    assert len(shapes) == 1 and not shapes[0].unknown_rank


def test_run_metadata_has_tags_of_its_own(tmp_path):
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_run_metadata(tf.RunMetadata(), "step 1", 1)
        writer.add_run_metadata(tf.RunMetadata(), "step 2", 2)
        with pytest.raises(ValueError, match="already written"):
            writer.add_run_metadata(tf.RunMetadata(), "step 1", 3)
    assert [e.tagged_run_metadata.tag for e in events_in(tmp_path)[1:]] == ["step 1", "step 2"]


def test_metadata_of_summaries_is_written_once(session, tmp_path):
    note = tf.summary.text("note", tf.constant("hi"))
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        for step in range(2):
            writer.add_summary(session.run(note), step)
        writer.add_run_metadata(tf.RunMetadata(), "note")  # tags of runs are others
    assert [v.HasField("metadata") for e in events_in(tmp_path) for v in e.summary.value] == [True, False]


def test_a_session_writes(session, tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path), session.graph, session=session, filename_suffix=".ops")
    writer.add_summary(number("a", 0.5), 7)
    writer.flush()
    assert [(e.WhichOneof("what"), e.step) for e in events_in(tmp_path)[1:]] == [
        ("graph_def", 0), ("meta_graph_def", 0), ("summary", 7)]
    other = tf.summary.FileWriter(str(tmp_path), session=session)  # of the same directory: the same file
    other.add_summary(number("b", 1), 8)
    other.close()
    assert len(os.listdir(tmp_path)) == 1 and os.listdir(tmp_path)[0].endswith(".ops")
    writer.close = other.close
    nodes = [n.name for n in session.graph.as_graph_def().node]
    assert "filewriter/ImportEvent" in nodes and "filewriter/CreateSummaryFileWriter" in nodes
    other.reopen()
    other.add_summary(number("c", 1), 9)
    other.close()
    assert [v.tag for e in events_in(tmp_path) for v in e.summary.value] == ["a", "b", "c"]


def test_a_session_that_closes_writes_what_waits(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        writer = tf.summary.FileWriter(str(tmp_path), session=session)
        writer.add_summary(number("a", 1), 1)
    assert [e.step for e in events_in(tmp_path)] == [0, 1]


def test_older_graphs_have_another_audio_op(session):
    clip = tf.raw_ops.AudioSummary(tag="a", tensor=[[0.0, 1.0, -1.0]], sample_rate=8000.0)
    (value,) = tf.Summary.FromString(session.run(clip)).value
    assert value.tag == "a/audio/0" and value.audio.encoded_audio_string[-6:] == b"\0\0\xff\x7f\0\x80"


def test_descriptions_of_tensor_summaries():
    with tf.Graph().as_default() as graph:
        tf.raw_ops.TensorSummary(tensor=1.0, description='{"typeHint": "scalar"}')
        node = graph.as_graph_def().node[-1]
    assert tf.summary.get_summary_description(node).type_hint == "scalar"
    with pytest.raises(ValueError, match="get_summary_description"):
        tf.summary.get_summary_description(graph.as_graph_def().node[0])


def test_tensor_summaries_say_which_plugin_shows_them(session):
    about = tf.SummaryMetadata(plugin_data=tf.SummaryMetadata.PluginData(plugin_name="mine", content=b"x"))
    made = tf.summary.tensor_summary("t", tf.zeros([2]), summary_description="what", summary_metadata=about,
                                     family="fam", display_name="shown")
    (value,) = tf.Summary.FromString(session.run(made)).value
    assert value.tag == "fam/fam/t" and value.metadata.plugin_data.content == b"x"
    assert (value.metadata.display_name, value.metadata.summary_description) == ("shown", "what")


def test_the_projectors_configuration(tmp_path):
    from evergraph.contrib.tensorboard.plugins import projector

    config = projector.ProjectorConfig()
    config.embeddings.add(tensor_name="table", metadata_path="names.tsv").sprite.single_image_dim.extend([8, 8])
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        projector.visualize_embeddings(writer, config)
    text = (tmp_path / "projector_config.pbtxt").read_text()
    assert 'tensor_name: "table"' in text and "single_image_dim: 8" in text
    with pytest.raises(ValueError, match="log directory"):
        projector.visualize_embeddings("", config)
