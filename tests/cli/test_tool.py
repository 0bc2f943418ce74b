"""`evergraph tool`: TensorFlow 1.15's tools, by their names and flags."""

from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.cli import main
from evergraph.cli.tool import TOOLS
from tests.harness.session import started

X = np.array([[1.0, -2.0]], np.float32)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """graph.pbtxt with its checkpoint m, and a SavedModel that has a second signature for Examples."""
    folder = tmp_path_factory.mktemp("models")
    with tf.Graph().as_default() as graph:
        texts = tf.placeholder(tf.string, [None], name="texts")
        parsed = tf.parse_example(texts, {"x": tf.FixedLenFeature([2], tf.float32)})["x"]
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [3.0]])
        y = tf.nn.relu(tf.matmul(tf.identity(x), w) + [8.0], name="y")
        z = tf.matmul(parsed, w, name="z")
        with started() as session:
            tf.train.Saver().save(session, str(folder / "m"))
            tf.train.write_graph(graph, str(folder), "graph.pbtxt")
            signature = tf.saved_model.predict_signature_def
            builder = tf.saved_model.Builder(str(folder / "saved"))
            builder.add_meta_graph_and_variables(session, ["serve"], {
                "serving_default": signature({"x": x}, {"y": y}), "examples": signature({"texts": texts}, {"z": z})})
            builder.save()
    return folder


@pytest.fixture
def tool(models, tmp_path, monkeypatch, capsys):
    """Runs a tool in a new folder, with the models' folder as {}; returns what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*words, status=0):
        assert main(["tool", *(word.replace("{}", str(models)) for word in words)]) == status
        said = capsys.readouterr()
        return said.err if status else said.out

    return run


def graph(path):
    return tf.GraphDef.FromString(Path(path).read_bytes())


def freeze(tool):
    return tool("freeze_graph", "--input_graph={}/graph.pbtxt", "--input_checkpoint={}/m", "--output_graph=f.pb",
                "--output_node_names=y")


def computed(path):
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(graph(path), return_elements=["y:0"])
        return session.run(y, {"import/x:0": X}).tolist()


def test_freeze_and_optimize_and_strip(tool):
    assert freeze(tool) == "8 nodes in the frozen graph\n"
    assert computed("f.pb") == [[3.0]]
    assert tool("optimize_for_inference", "--input=f.pb", "--output=o.pb", "--input_names=x", "--output_names=y"
                ) == "6 nodes in o.pb\n"  # fmt: skip
    assert computed("o.pb") == [[3.0]] and "Identity" not in {node.op for node in graph("o.pb").node}
    tool("strip_unused", "--input_graph=f.pb", "--output_graph=s.pb", "--input_node_names=MatMul",
         "--output_node_names=y", "--placeholder_type_enum=1")  # fmt: skip
    assert {node.name: node.op for node in graph("s.pb").node}["MatMul"] == "Placeholder"


def test_transform_and_summarize(tool):
    freeze(tool)
    tool("transform_graph", "--in_graph=f.pb", "--out_graph=t.pb", "--inputs=x", "--outputs=y",
         "--transforms=remove_nodes(op=Identity) sort_by_execution_order", "--output_as_text=false")  # fmt: skip
    assert computed("t.pb") == [[3.0]] and "Identity" not in {node.op for node in graph("t.pb").node}
    said = tool("summarize_graph", "--in_graph=t.pb")
    assert "input x: float32 (None, 2)\noutput y: Relu\n3 parameters in constants\n" in said and "MatMul 1" in said


def test_print_selective_registration_header(tool):
    freeze(tool)
    assert '"MatMul"' in tool("print_selective_registration_header", "--graphs=f.pb")


def test_inspect_checkpoint(tool):
    said = tool("inspect_checkpoint", "--file_name={}/m", "--all_tensors", "--printoptions", "precision=1")
    assert "tensor: w (float32) [2, 1]\n[[1.]\n [3.]]\n" in said
    assert "there is no checkpoint none" in tool("inspect_checkpoint", "--file_name=none", status=1)


def test_saved_model_cli_shows(tool):
    assert tool("saved_model_cli", "show", "--dir={}/saved") == "tags: serve\n"
    assert tool("saved_model_cli", "show", "--dir={}/saved", "--tag_set=serve") == (
        "signature: examples\nsignature: serving_default\n")
    one = tool("saved_model_cli", "show", "--dir={}/saved", "--tag_set=serve", "--signature_def=serving_default")
    assert one == ("signature: serving_default, method tensorflow/serving/predict\n"
                   "  input x: float32 [?, 2], tensor x:0\n  output y: float32 [?, 1], tensor y:0\n")
    assert one in tool("saved_model_cli", "show", "--dir={}/saved", "--all")


@pytest.mark.parametrize("given, signature", [
    ("--inputs=x=x.npy", "serving_default"), ("--inputs=x=x.npz[b]", "serving_default"),
    ("--input_exprs=x=np.array([[1.0, -2.0]])", "serving_default"),
    ('--input_examples=texts=[{"x": [-3.0, 2.0]}]', "examples"),
], ids=["npy", "npz", "expression", "examples"])  # fmt: skip
def test_saved_model_cli_runs(tool, given, signature):
    np.save("x.npy", X)
    np.savez("x.npz", a=X * 0, b=X)
    words = ["saved_model_cli", "run", "--dir={}/saved", "--tag_set=serve", f"--signature_def={signature}", given]
    assert "float32 [1, 1]\n  [3.]" in tool(*words, "--outdir=out")
    assert np.load(f"out/{'z' if signature == 'examples' else 'y'}.npy").tolist() == [[3.0]]
    assert "--overwrite replaces it" in tool(*words, "--outdir=out", status=1)
    tool(*words, "--outdir=out", "--overwrite")


def test_saved_model_cli_scans(tool, tmp_path):
    assert tool("saved_model_cli", "scan", "--dir={}/saved") == "tags serve: no op reads or writes files\n"
    with tf.Graph().as_default(), tf.Session() as session:
        path = tf.placeholder(tf.string, [], name="path")
        tf.saved_model.simple_save(session, str(tmp_path / "reads"), {"path": path}, {"content": tf.read_file(path)})
    assert tool("saved_model_cli", "scan", "--dir=reads") == "tags serve: reads or writes files by ReadFile\n"


def test_tflite_convert(tool):
    pytest.importorskip("ai_edge_litert")
    said = tool("tflite_convert", "--saved_model_dir={}/saved", "--output_file=m.tflite")
    assert said.startswith("m.tflite: ")
    interpreter = tf.lite.Interpreter("m.tflite")
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], X)
    interpreter.invoke()
    assert interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).tolist() == [[3.0]]
    assert "needs --input_arrays" in tool("tflite_convert", "--graph_def_file=f.pb", "--output_file=m.tflite", status=1)


@pytest.mark.parametrize("words, said", [
    (["saved_model_cli", "run", "--dir={}/saved", "--tag_set=serve", "--signature_def=other"], "no signature 'other'"),
    (["saved_model_cli", "run", "--dir={}/saved", "--tag_set=serve", "--signature_def=examples", "--input_exprs=q=1"],
     "no input 'q', only texts"),
    (["saved_model_cli", "run", "--dir={}/saved", "--tag_set=serve", "--signature_def=examples"], "give values"),
    (["saved_model_cli", "run", "--dir={}/saved", "--tag_set=serve", "--signature_def=examples", "--init_tpu"],
     "--init_tpu=True is not supported"),
    (["saved_model_cli", "show", "--dir={}/saved", "--tag_set=train"], "no graph of"),
    (["saved_model_cli", "show", "--dir=none"], "none"),
    (["freeze_graph", "--output_graph=f.pb", "--output_node_names=y"], "name the model"),
    (["strip_unused", "--input_graph={}/m.index", "--output_graph=s", "--input_node_names=x", "--output_node_names=y"],
     "no GraphDef"),
    (["transform_graph", "--in_graph={}/graph.pbtxt", "--out_graph=t", "--transforms=improve"],
     "no transform 'improve'"),
    (["print_selective_registration_header", "--graphs=none"], "none"),
])  # fmt: skip
def test_what_is_wrong_is_said_on_one_line(tool, words, said):
    text = tool(*words, status=1)
    assert said in text and text.startswith(f"evergraph tool {words[0]}: ") and text.count("\n") == 1


def test_tools_by_name(capsys):
    assert main(["tool"]) == 2 and main(["tool", "--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in TOOLS)
    assert main(["tool", "toco_from_protos"]) == 2
    assert "there is no tool 'toco_from_protos'; there are freeze_graph" in capsys.readouterr().err
    for name in TOOLS:
        with pytest.raises(SystemExit, match="0"):
            main(["tool", name, "--help"])
