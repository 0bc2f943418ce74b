"""`evergraph convert`: from every kind of model, to every format, and what is said where that fails."""

import importlib.util
import shutil
import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.cli import main
from tests.harness.session import started
from tests.lite.running import ran

X = np.random.RandomState(0).rand(3, 4).astype(np.float32)


def build():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    return x, tf.nn.softmax(tf.layers.dense(x, 2), name="prob")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A SavedModel, a checkpoint c-1 with its graph, graph.pbtxt, frozen.pb and a Keras model; what they give for X."""
    folder = tmp_path_factory.mktemp("models")
    with tf.Graph().as_default() as graph:
        x, y = build()
        with started() as session:
            tf.saved_model.simple_save(session, str(folder / "saved"), {"images": x}, {"scores": y})
            tf.train.Saver().save(session, str(folder / "c"), global_step=1)
            tf.train.write_graph(graph, str(folder), "graph.pbtxt")
            expected = session.run(y, {x: X})
    assert main(["freeze", str(folder / "saved"), "--output", str(folder / "frozen.pb")]) == 0
    return folder, expected


def convert(model, kind, output, *words):
    return main(["convert", str(model), "--to", kind, "--output", str(output), *words])


SOURCES = {
    "saved": [], "c-1": ["--outputs", "prob"], "frozen.pb": [],
    "graph.pbtxt": ["--outputs", "scores=prob:0", "--inputs", "images=x", "--checkpoint", "{}/c-1"],
}  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_from_models_of_every_kind(models, source, tmp_path, capsys):
    folder, expected = models
    words = [word.format(folder) for word in SOURCES[source]]
    assert convert(folder / source, "frozen", tmp_path / "out" / "f.pb", *words) == 0
    names = ("images", "scores") if source in ("saved", "graph.pbtxt") else ("x", "prob")
    assert capsys.readouterr().out.endswith(f"inputs {names[0]} float32 [?, 4]; outputs {names[1]}\n")
    with tf.Graph().as_default(), tf.Session() as session:
        message = tf.GraphDef.FromString((tmp_path / "out" / "f.pb").read_bytes())
        (y,) = tf.import_graph_def(message, return_elements=["prob:0"])
        np.testing.assert_array_equal(session.run(y, {"import/x:0": X}), expected)


def test_from_a_keras_model(tmp_path):
    pytest.importorskip("h5py")
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Dense(3, "relu", input_shape=(4,)), layers.BatchNormalization(), layers.Dropout(0.5), layers.Dense(2)])
    expected = model.predict(X)
    model.save(str(tmp_path / "m.h5"))
    assert convert(tmp_path / "m.h5", "savedmodel", tmp_path / "saved") == 0
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], str(tmp_path / "saved")).signature_def["serving_default"]
        (given,), (found,) = signature.inputs.values(), signature.outputs.values()
        np.testing.assert_allclose(session.run(found.name, {given.name: X}), expected, atol=1e-6)


def test_a_batch_size(models, tmp_path, capsys):
    assert convert(models[0] / "saved", "frozen", tmp_path / "f.pb", "--batch", "3") == 0
    assert "inputs images float32 [3, 4]" in capsys.readouterr().out
    with tf.Graph().as_default():
        message = tf.GraphDef.FromString((tmp_path / "f.pb").read_bytes())
        assert tf.import_graph_def(message, return_elements=["prob:0"])[0].shape.as_list() == [3, 2]


def test_to_tflite(models, tmp_path):
    pytest.importorskip("ai_edge_litert")
    folder, expected = models
    assert convert(folder / "saved", "tflite", tmp_path / "m.tflite") == 0
    np.testing.assert_allclose(ran((tmp_path / "m.tflite").read_bytes(), X)[0], expected, atol=1e-6)
    np.save(tmp_path / "x.npy", X)
    assert convert(folder / "saved", "tflite", tmp_path / "q.tflite", "--samples", str(tmp_path / "x.npy")) == 0
    np.testing.assert_allclose(ran((tmp_path / "q.tflite").read_bytes(), X)[0], expected, atol=0.02)


def test_to_onnx(models, tmp_path):
    if importlib.util.find_spec("tf2onnx") is None:  # to import it, import tensorflow has to work
        pytest.skip("tf2onnx is not installed")
    onnxruntime = pytest.importorskip("onnxruntime")
    folder, expected = models
    words = ["convert", str(folder / "saved"), "--to", "onnx", "--output", str(tmp_path / "m.onnx")]
    subprocess.run([sys.executable, "-m", "evergraph", *words], check=True)  # lends `import tensorflow` to its process
    found = onnxruntime.InferenceSession(str(tmp_path / "m.onnx")).run(["scores"], {"images": X})
    np.testing.assert_allclose(found[0], expected, atol=1e-6)


def test_onnx_needs_tf2onnx(models, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert convert(models[0] / "saved", "onnx", tmp_path / "m.onnx") == 1
    assert "pip install 'evergraph[onnx]'" in capsys.readouterr().err


@pytest.mark.parametrize("kind, name", [("stablehlo", "m.stablehlo"), ("jax", "m.py")])
def test_files_of_jax_need_flatbuffers(models, kind, name, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert convert(models[0] / "saved", kind, tmp_path / name) == 1
    assert "pip install flatbuffers" in capsys.readouterr().err


def test_the_graph_is_cut_at_inputs_inside(models, tmp_path):
    folder, expected = models
    assert convert(folder / "frozen.pb", "frozen", tmp_path / "f.pb", "--inputs", "logits=dense/BiasAdd",
                   "--shape", "logits=1,2") == 0  # fmt: skip
    with tf.Graph().as_default(), tf.Session() as session:
        message = tf.GraphDef.FromString((tmp_path / "f.pb").read_bytes())
        assert sorted(node.op for node in message.node) == ["Placeholder", "Softmax"]
        (y,) = tf.import_graph_def(message, return_elements=["prob:0"])
        logits = np.log(expected[:1])
        np.testing.assert_allclose(session.run(y, {"import/dense/BiasAdd_0_input:0": logits}), expected[:1], rtol=1e-6)


def test_examples_are_parsed_before_the_model(tmp_path, capsys):
    with tf.Graph().as_default():
        texts = tf.placeholder(tf.string, [None], name="texts")
        parsed = tf.parse_example(texts, {"x": tf.FixedLenFeature([4], tf.float32)}, name="parse")["x"]
        with started() as session:
            tf.saved_model.simple_save(session, str(tmp_path / "saved"), {"examples": texts}, {"y": parsed * 2})
    assert convert(tmp_path / "saved", "stablehlo", tmp_path / "m.stablehlo") == 1
    assert "1 nodes need Python or strings" in (said := capsys.readouterr().err) and "--inputs" in said
    name = said.partition("ParseExample '")[2].partition("'")[0]
    assert convert(tmp_path / "saved", "stablehlo", tmp_path / "m.stablehlo", "--inputs", f"x={name}:0") == 0


@pytest.mark.parametrize("model, kind, words, said", [
    ("nothing", "tflite", [], "no SavedModel, no checkpoint"),
    ("saved", "tflite", ["--signature", "other"], "no signature 'other', only serving_default"),
    ("saved", "frozen", ["--shape", "y=1"], "the model has no input 'y', only images"),
    ("saved", "frozen", ["--shape", "images=a"], "--shape takes NAME=SIZE,SIZE"),
    ("c-1", "frozen", [], "no outputs are named"),
    ("graph.pbtxt", "frozen", ["--outputs", "prob"], "variables (dense/bias, dense/kernel ...) but no checkpoint"),
    ("frozen.pb", "frozen", ["--outputs", "other"], "no tensor 'other'; likely outputs are prob"),
    ("frozen.pb", "jax", [], "a module is a file NAME.py"),
    ("frozen.pb", "savedmodel", [], "something in"),
])  # fmt: skip
def test_what_is_wrong_is_said_on_one_line(models, model, kind, words, said, tmp_path, capsys):
    output = models[0] / "saved" if kind == "savedmodel" else tmp_path / "out"
    assert convert(models[0] / model, kind, output, *words) == 1
    text = capsys.readouterr().err
    assert said in text and text.count("\n") == 1 and text.startswith("evergraph convert: ")


@pytest.mark.parametrize("source, damage", [
    ("frozen.pb", lambda data: data[:100]), ("frozen.pb", lambda data: b"\xff" * 50),
    ("saved/saved_model.pb", lambda data: data[:200]), ("saved/variables/variables.index", lambda data: data[:30]),
    ("c-1.meta", lambda data: data[:-40]), ("c-1.data-00000-of-00001", lambda data: data[:8]),
], ids=["graph cut", "graph of noise", "SavedModel cut", "index cut", "meta graph cut", "checkpoint cut"])  # fmt: skip
def test_damaged_models_are_told(models, source, damage, tmp_path, capsys):
    shutil.copytree(models[0], tmp_path / "copy")
    path = tmp_path / "copy" / source
    path.write_bytes(damage(path.read_bytes()))
    model = tmp_path / "copy" / source.partition("/")[0].replace(".meta", "").replace(".data-00000-of-00001", "")
    assert convert(model, "frozen", tmp_path / "out.pb", "--outputs", "prob") == 1
    text = capsys.readouterr().err
    assert text.startswith("evergraph convert: ") and text.count("\n") == 1
    assert not (tmp_path / "out.pb").exists()
