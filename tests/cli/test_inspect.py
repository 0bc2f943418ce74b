"""`evergraph inspect`: every kind of file, for people and for programs, and what it says of damaged ones."""

import json
import os
import re
import shutil

import numpy as np
import pytest

import evergraph as tf
from evergraph import proto
from evergraph.cli import main


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A directory with one of each kind."""
    folder = tmp_path_factory.mktemp("inspected")
    path = lambda name: str(folder / name)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        w = tf.get_variable("w", [3, 4], initializer=tf.ones_initializer())
        tf.get_variable("table", [10, 2], partitioner=tf.fixed_size_partitioner(2))
        tf.get_variable("words", initializer=tf.constant(["a", "b"]))
        y = tf.matmul(x, w, name="y")
        tf.summary.scalar("loss", tf.reduce_sum(w))
        tf.summary.histogram("spread", w)
        tf.summary.image("picture", tf.zeros([1, 4, 5, 3]), max_outputs=1)
        tf.summary.audio("sound", tf.zeros([1, 80]), 8000.0, max_outputs=1)
        tf.summary.text("note", tf.constant("hello"))
        merged = tf.summary.merge_all()
        session.run(tf.global_variables_initializer())
        os.mkdir(path("model"))
        tf.train.Saver().save(session, path("model/model.ckpt"), global_step=5)
        tf.train.Saver(write_version=tf.train.SaverDef.V1).save(session, path("first"), write_state=False)
        tf.train.Saver(sharded=True, write_version=tf.train.SaverDef.V1).save(session, path("sharded"),
                                                                              write_state=False)
        tf.train.write_graph(graph, str(folder), "graph.pbtxt")
        tf.train.write_graph(graph, str(folder), "graph.pb", as_text=False)
        for run in ("logs", "logs/eval"):
            with tf.summary.FileWriter(path(run), graph) as writer:
                for step in range(3):
                    writer.add_summary(session.run(merged), 10 * step)
        save_model(folder / "export", graph, x, y, path("model/model.ckpt-5"))
    for compression in ("", "GZIP", "ZLIB"):
        write_examples(path(f"examples{compression}"), compression)
    write_sequences(path("sequences"))
    with tf.python_io.TFRecordWriter(path("blobs")) as writer:
        writer.write(b"abc")
        writer.write(b"\xff\xfe")
    return folder


def save_model(folder, graph, x, y, prefix):
    """A SavedModel, out of messages and copies of a checkpoint's files."""
    (folder / "variables").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "assets" / "vocabulary.txt").write_text("one\ntwo\n")
    for end in ("index", "data-00000-of-00001"):
        shutil.copy(f"{prefix}.{end}", folder / "variables" / f"variables.{end}")
    model = proto.saved_model_pb2.SavedModel(saved_model_schema_version=1)
    meta = model.meta_graphs.add(graph_def=graph.as_graph_def())
    meta.meta_info_def.tags.append("serve")
    signature = meta.signature_def["serving_default"]
    signature.method_name = "tensorflow/serving/predict"
    for side, tensor in ((signature.inputs, x), (signature.outputs, y)):
        side[tensor.op.name].name = tensor.name
        side[tensor.op.name].dtype = tensor.dtype.as_datatype_enum
        side[tensor.op.name].tensor_shape.CopyFrom(tensor.shape.as_proto())
    (folder / "saved_model.pb").write_bytes(model.SerializeToString())


def write_examples(path, compression):
    with tf.python_io.TFRecordWriter(path, compression) as writer:
        for i in range(5):
            example = tf.train.Example()
            example.features.feature["ids"].int64_list.value.extend(range(i))
            example.features.feature["name"].bytes_list.value.append(b"xy")
            if i % 2:
                example.features.feature["weight"].float_list.value.append(0.5)
            writer.write(example.SerializeToString())


def write_sequences(path):
    with tf.python_io.TFRecordWriter(path) as writer:
        for steps in (1, 3):
            example = tf.train.SequenceExample()
            example.context.feature["length"].int64_list.value.append(steps)
            for _ in range(steps):
                example.feature_lists.feature_list["frames"].feature.add().float_list.value.extend([1.0, 2.0])
            writer.write(example.SerializeToString())


@pytest.fixture
def inspected(made, capsys):
    """Inspects a path of the directory: what --json says."""
    def inspected(path, *options):
        status = main(["inspect", str(made / path), "--json", *options])
        said = capsys.readouterr()
        assert status == 0, said.err
        return json.loads(said.out)
    return inspected


@pytest.fixture
def refused(capsys):
    """Inspects a path that cannot be read: the line on stderr."""
    def refused(path, *options):
        assert main(["inspect", str(path), *options]) == 1
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1 and said.err.startswith(f"evergraph inspect: {path}: ")
        return said.err
    return refused


TENSORS = [("table", "float32", [10, 2], 2), ("w", "float32", [3, 4], 1), ("words", "string", [2], 1)]


@pytest.mark.parametrize("path, form, files", [
    ("model/model.ckpt-5", "V2", 2), ("model/model.ckpt-5.index", "V2", 2),
    ("model/model.ckpt-5.data-00000-of-00001", "V2", 2), ("model", "V2", 2), ("model/checkpoint", "V2", 2),
    ("first", "V1", 1), ("sharded", "V1", 1), ("sharded-?????-of-00001", "V1", 1), ("sharded-00000-of-00001", "V1", 1),
])  # fmt: skip
def test_checkpoints(inspected, path, form, files):
    told = inspected(path)
    assert (told["kind"], told["format"], len(told["files"])) == ("checkpoint", form, files)
    assert [(t["name"], t["dtype"], t["shape"], t["slices"]) for t in told["tensors"]] == TENSORS
    assert (told["tensor_count"], told["elements"], told["tensor_bytes"]) == (3, 34, 128)


def test_several_shards(inspected, made, tmp_path):
    from evergraph.formats.bundle import Part, merge_bundles, write_bundle

    for name in ("a", "b"):
        write_bundle(str(tmp_path / name), [Part(name, np.arange(3.0), tf.float64)])
    merge_bundles([str(tmp_path / name) for name in ("a", "b")], str(tmp_path / "both"))
    told = inspected(tmp_path / "both", "--verify")
    assert told["files"] == ["both.index", "both.data-00000-of-00002", "both.data-00001-of-00002"]
    assert told["verified"] and [t["name"] for t in told["tensors"]] == ["a", "b"]


def test_a_directory_names_its_checkpoints(inspected):
    assert inspected("model")["checkpoints"] == [{"prefix": "model.ckpt-5", "latest": True, "exists": True}]


def test_the_value_of_a_tensor(inspected, refused, made):
    value = inspected("model", "--tensor", "w")["value"]
    assert (value["mean"], value["std"], np.shape(value["values"])) == (1.0, 0.0, (3, 4))
    assert inspected("first", "--tensor", "words")["value"]["values"] == ["a", "b"]
    assert "no tensor nothing" in refused(made / "model", "--tensor", "nothing")


@pytest.mark.parametrize("path", ["graph.pb", "graph.pbtxt"])
def test_graphs(inspected, path):
    told = inspected(path)
    assert told["kind"] == "graph" and told["nodes"] == sum(row["count"] for row in told["ops"])
    assert told["inputs"][0] == {"name": "x", "op": "Placeholder", "dtype": "float32", "shape": [None, 3]}
    assert {"name": "y", "op": "MatMul"} in told["outputs"]
    assert [v["name"] for v in told["variables"]] == ["w", "table/part_0", "table/part_1", "words"]


def test_meta_graphs(inspected):
    told = inspected("model/model.ckpt-5.meta")
    assert (told["kind"], told["tensorflow_version"]) == ("meta_graph", "1.15.0")
    assert {"name": "variables", "kind": "bytes", "items": 4} in told["collections"]
    assert told["saver"] == "save/restore_all from save/Const:0"


@pytest.mark.parametrize("path", ["export", "export/saved_model.pb"])
def test_saved_models(inspected, path):
    told = inspected(path)
    assert told["kind"] == "saved_model" and told["meta_graphs"][0]["tags"] == ["serve"]
    assert [(s["role"], s["name"], s["dtype"], s["shape"], s["tensor"]) for s in told["signatures"]] == [
        ("input", "x", "float32", [None, 3], "x:0"), ("output", "y", "float32", [None, 4], "y:0")]
    assert told["assets"] == [{"file": "vocabulary.txt", "bytes": 8, "tensor": None}]
    assert [t["name"] for t in told["tensors"]] == ["table", "w", "words"]


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_examples(inspected, compression):
    told = inspected(f"examples{compression}")
    assert (told["kind"], told["compression"]) == ("records", compression or "none")
    assert (told["records"], told["content"]) == (5, "Example")
    rows = [(f["name"], f["dtype"], f["records"], f["frequency"], f["min_length"], f["max_length"], f["sample"])
            for f in told["features"]]
    assert rows == [("ids", "int64", 5, 1.0, 0, 4, 0), ("name", "string", 5, 1.0, 1, 1, "xy"),
                    ("weight", "float32", 2, 0.4, 1, 1, 0.5)]


def test_only_some_records_are_taken_apart(inspected):
    told = inspected("examples", "--records", "1")
    assert (told["records"], told["examined"], [f["name"] for f in told["features"]]) == (5, 1, ["ids", "name"])


def test_sequences(inspected):
    told = inspected("sequences")
    assert told["content"] == "SequenceExample"
    assert [(f["name"], f["where"], f["max_length"], f["steps"]) for f in told["features"]] == [
        ("length", "context", 1, None), ("frames", "feature_lists", 2, [1, 3])]


def test_records_of_something_else(inspected):
    told = inspected("blobs")
    assert (told["content"], told["smallest_bytes"], told["features"]) == ("bytes", 2, [])


def test_logs(inspected):
    told = inspected("logs")
    assert (told["kind"], told["runs"]) == ("events", 2) and {t["run"] for t in told["tags"]} == {".", "eval"}
    rows = {t["tag"]: t for t in told["tags"] if t["run"] == "."}
    assert {tag: row["plugin"] for tag, row in rows.items()} == {
        "loss": "scalars", "spread": "histograms", "picture/image": "images", "sound/audio": "audio", "note": "text"}
    loss = rows["loss"]
    assert (loss["values"], loss["first_step"], loss["last_step"], loss["first"]) == (3, 0, 20, 12.0)
    assert rows["note"]["last"] == "hello" and rows["sound/audio"]["first"] == "audio 0.01 s at 8000 Hz"
    assert [o["event"] for o in told["other_events"]] == ["graph_def", "meta_graph_def"] * 2


def test_what_json_has_no_numbers_for(inspected, tmp_path):
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        for step, value in enumerate((float("nan"), float("-inf"))):
            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=value)]), step)
    (row,) = inspected(tmp_path)["tags"]
    assert (row["first"], row["last"]) == ("nan", "-inf")


def test_an_event_file(inspected, made):
    (name,) = [n for n in os.listdir(made / "logs") if "tfevents" in n]
    told = inspected(f"logs/{name}")
    assert (told["kind"], told["runs"], told["events"]) == ("events", 1, 6)


def test_the_content_decides_and_not_the_name(inspected, made, tmp_path):
    for name, new in (("graph.pb", "a.tfrecord"), ("graph.pbtxt", "b"), ("examplesGZIP", "c.pb"), ("first", "d.txt"),
                      ("model/model.ckpt-5.meta", "e.pb")):
        shutil.copy(made / name, tmp_path / new)
    (events,) = [n for n in os.listdir(made / "logs") if "tfevents" in n]
    shutil.copy(made / "logs" / events, tmp_path / "f")
    assert [inspected(tmp_path / name)["kind"] for name in ("a.tfrecord", "b", "c.pb", "d.txt", "e.pb", "f")] == [
        "graph", "graph", "records", "checkpoint", "meta_graph", "events"]


def test_a_directory_with_checkpoints_and_events(inspected, made, tmp_path):
    for folder in ("model", "logs"):
        shutil.copytree(made / folder, tmp_path, dirs_exist_ok=True)
    told = inspected(tmp_path)
    assert told["kind"] == "directory" and [part["kind"] for part in told["parts"]] == ["checkpoint", "events"]


def test_what_people_read(made, capsys):
    assert main(["inspect", str(made / "model")]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == f"{made}/model: checkpoint"
    assert any(line.split() == ["table", "float32", "[10,", "2]", "20", "80", "B", "2"] for line in lines)


def test_people_see_times_without_fractions(made, capsys):
    assert main(["inspect", str(made / "logs")]) == 0
    (line,) = [line for line in capsys.readouterr().out.split("\n") if line.split()[:2] == ["eval", "loss"]]
    assert re.search(r" loss +scalars +3 +0 +20 +12 +12 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d *$", line)


SCHEMA = {
    "checkpoint": {"format", "files", "file_bytes", "tensor_count", "elements", "tensor_bytes", "tensors"},
    "graph": {"nodes", "graph_bytes", "constant_bytes", "producer", "min_consumer", "devices", "inputs", "outputs",
              "variables", "functions", "ops"},
    "meta_graph": {"nodes", "tensorflow_version", "tags", "saver", "signatures", "collections", "ops"},
    "saved_model": {"schema_version", "meta_graphs", "signatures", "assets", "tensors", "tensor_count"},
    "records": {"compression", "records", "file_bytes", "record_bytes", "content", "examined", "features"},
    "events": {"files", "file_bytes", "runs", "events", "cut_off", "tags", "other_events"},
}  # fmt: skip


@pytest.mark.parametrize("path, kind", [
    ("model", "checkpoint"), ("graph.pb", "graph"), ("model/model.ckpt-5.meta", "meta_graph"),
    ("export", "saved_model"), ("examples", "records"), ("logs", "events"),
])  # fmt: skip
def test_the_schema_of_json(inspected, path, kind):
    told = inspected(path)
    assert told["kind"] == kind and told["path"].endswith(path) and SCHEMA[kind] <= told.keys()
    for value in told.values():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            assert all(row.keys() == value[0].keys() for row in value)


# ---- what cannot be read


def test_nothing_there(refused, tmp_path):
    assert "no such file" in refused(tmp_path / "nothing")
    assert "holds no checkpoint" in refused(tmp_path)
    (tmp_path / "empty").touch()
    assert "is empty" in refused(tmp_path / "empty")
    (tmp_path / "text").write_text("just some words\n")
    assert "no checkpoint, graph" in refused(tmp_path / "text")


def flipped(source, target, position):
    data = bytearray(source.read_bytes())
    data[position] ^= 0xFF
    target.write_bytes(data)
    return target


def test_damaged_records(refused, made, tmp_path):
    assert "corrupted record" in refused(flipped(made / "examples", tmp_path / "a", -3))
    (tmp_path / "b").write_bytes((made / "examples").read_bytes()[:-5])
    assert "truncated record" in refused(tmp_path / "b")
    assert "inflate" in refused(flipped(made / "examplesZLIB", tmp_path / "c", 100))


def test_damaged_checkpoints(refused, made, tmp_path):
    shutil.copytree(made / "model", tmp_path, dirs_exist_ok=True)
    data = tmp_path / "model.ckpt-5.data-00000-of-00001"
    flipped(data, data, 0)
    assert "hecksum" in refused(tmp_path, "--verify")
    data.write_bytes(data.read_bytes()[:40])
    assert "too short" in refused(tmp_path)
    data.unlink()
    assert "missing" in refused(tmp_path)
    flipped(made / "model/model.ckpt-5.index", tmp_path / "model.ckpt-5.index", 5)
    assert "checksum" in refused(tmp_path / "model.ckpt-5")
    assert refused(flipped(made / "first", tmp_path / "first", 20))


def test_damaged_models(refused, made, tmp_path):
    (tmp_path / "saved_model.pb").write_bytes((made / "export/saved_model.pb").read_bytes()[:300])
    assert "saved_model.pb is damaged" in refused(tmp_path)
    (tmp_path / "graph.pb").write_bytes((made / "graph.pb").read_bytes()[:300])
    assert "damaged" in refused(tmp_path / "graph.pb")


def test_damaged_events(inspected, refused, made, tmp_path):
    (name,) = [n for n in os.listdir(made / "logs") if "tfevents" in n]
    whole = (made / "logs" / name).read_bytes()
    (tmp_path / name).write_bytes(whole[:-5])
    told = inspected(tmp_path)
    assert told["cut_off"] == [name] and told["events"] == 5  # a program may be writing it just now
    flipped(made / "logs" / name, tmp_path / name, -5)
    assert "corrupted record" in refused(tmp_path)
