"""TensorFlow reads the event files that evergraph writes, and `evergraph inspect` what TensorFlow writes."""

import json

import pytest

import evergraph as tf
from evergraph.cli import main
from tests.interop.judge import ask


def read_events(tf, paths):
    found = []
    for path in paths:
        for event in tf.train.summary_iterator(path):
            if event.WhichOneof("what") == "tagged_run_metadata":
                metadata = tf.RunMetadata.FromString(event.tagged_run_metadata.run_metadata)
                found.append([n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats])
            elif event.WhichOneof("what") == "graph_def":
                with tf.Graph().as_default():
                    tf.import_graph_def(tf.GraphDef.FromString(event.graph_def))
                found.append("graph")
            else:
                found += [[value.tag, event.step, value.WhichOneof("value")] for value in event.summary.value]
    return found


def test_tensorflow_reads_our_events(tmp_path):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.summary.scalar("loss", tf.sqrt(tf.random_uniform([]), name="root"))
        tf.summary.histogram("spread", [1.0, 2.0])
        tf.summary.audio("sound", tf.zeros([1, 8]), 8000.0, max_outputs=1)
        merged = tf.summary.merge_all()
        metadata = tf.RunMetadata()
        with tf.summary.FileWriter(str(tmp_path / "logs"), graph, session=session) as writer:
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            writer.add_summary(session.run(merged, options=options, run_metadata=metadata), 3)
            writer.add_run_metadata(metadata, "step 3", 3)
    (path,) = (tmp_path / "logs").iterdir()
    found = ask(read_events, tmp_path, paths=[str(path)])
    assert found[:4] == ["graph", ["loss", 3, "simple_value"], ["spread", 3, "histo"], ["sound/audio", 3, "audio"]]
    assert "root" in found[4] and len(found) == 5


def write_everything(tf, place):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.get_variable("w", [3, 4])
    tf.get_variable("words", initializer=tf.constant(["a", "b"]))
    y = tf.matmul(x, w, name="y")
    loss = tf.summary.scalar("loss", tf.reduce_sum(w))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, place + "/model.ckpt", global_step=5)
        tf.train.Saver(write_version=tf.train.SaverDef.V1).save(session, place + "/first", write_state=False)
        tf.train.write_graph(session.graph, place, "graph.pb", as_text=False)
        tf.train.write_graph(session.graph, place, "graph.pbtxt")
        tf.saved_model.simple_save(session, place + "/export", {"x": x}, {"y": y})
        with tf.summary.FileWriter(place + "/logs", session.graph) as writer:
            writer.add_summary(session.run(loss), 7)
        with tf.io.TFRecordWriter(place + "/records.gz", "GZIP") as writer:
            feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))
            writer.write(tf.train.Example(features=tf.train.Features(feature={"ids": feature})).SerializeToString())
    return True


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    ask(write_everything, tmp_path_factory.mktemp("judge"), place=str(folder))
    return folder


@pytest.mark.parametrize("path, kind, holds", [
    ("model.ckpt-5", "checkpoint", lambda told: [t["name"] for t in told["tensors"]] == ["w", "words"]),
    ("first", "checkpoint", lambda told: told["format"] == "V1" and told["tensors"][0]["shape"] == [3, 4]),
    ("", "directory", lambda told: [part["kind"] for part in told["parts"]] == ["checkpoint", "events"]),
    ("graph.pb", "graph", lambda told: told["inputs"][0]["shape"] == [None, 3]),
    ("graph.pbtxt", "graph", lambda told: {"name": "y", "op": "MatMul"} in told["outputs"]),
    ("model.ckpt-5.meta", "meta_graph", lambda told: told["tensorflow_version"].startswith("2.")),
    ("export", "saved_model", lambda told: [s["tensor"] for s in told["signatures"]] == ["x:0", "y:0"]),
    ("logs", "events", lambda told: (told["tags"][0]["tag"], told["tags"][0]["first_step"]) == ("loss", 7)),
    ("records.gz", "records", lambda told: told["features"][0]["max_length"] == 2 and told["compression"] == "GZIP"),
])  # fmt: skip
def test_we_inspect_what_tensorflow_wrote(written, capsys, path, kind, holds):
    assert main(["inspect", str(written / path), "--json", "--verify"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kind"] == kind and holds(told), told
