"""`evergraph freeze`: from every kind of model to one file, and what is said when there is none."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.cli import main

X = np.array([[1.0, 2.0]], np.float32)


def build(resource=False):
    with tf.variable_scope("", use_resource=resource):
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [3.0]])
        y = tf.matmul(x, w, name="y")
        tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(tf.square(y)))
    return x, y


@pytest.fixture(params=[False, True], ids=["ref", "resource"])
def folder(request, tmp_path):
    """A SavedModel in model/, a checkpoint c-1 with its graph, and the graph alone in graph.pbtxt."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x, y = build(request.param)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": x}, {"y": y})
        tf.train.Saver().save(session, str(tmp_path / "c"), global_step=1)
        tf.train.write_graph(graph, str(tmp_path), "graph.pbtxt")
    return tmp_path


def freeze(folder, *words):
    """(exit status, the frozen graph's message or None)."""
    path = folder / "out" / "frozen.pb"
    status = main(["freeze", *map(str, words), "--output", str(path)])
    return status, tf.GraphDef.FromString(path.read_bytes()) if path.exists() else None


@pytest.mark.parametrize("words", [
    ["{}/model"], ["{}/model", "--output-nodes", "y"], ["{}/c-1", "--output-nodes", "y"], ["{}", "--output-nodes", "y"],
    ["{}/graph.pbtxt", "--output-nodes", "y", "--checkpoint", "{}/c-1"],
], ids=["signature", "nodes", "checkpoint", "directory", "graph"])  # fmt: skip
def test_freeze(folder, words, capsys):
    status, message = freeze(folder, *[word.format(folder) for word in words])
    assert status == 0 and "inputs x\n" in capsys.readouterr().out
    assert not {node.op for node in message.node} & {"VariableV2", "VarHandleOp", "SaveV2"}
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(message, return_elements=["y:0"])
        assert session.run(y, {"import/x:0": X}).tolist() == [[7]]


def test_some_variables_stay(folder):
    _, message = freeze(folder, folder / "model", "--variable-blacklist", "w")
    assert {node.op for node in message.node} & {"VariableV2", "VarHandleOp"}
    _, message = freeze(folder, folder / "model", "--variable-whitelist", "other")
    assert {node.op for node in message.node} & {"VariableV2", "VarHandleOp"}


def test_text(folder):
    assert main(["freeze", f"{folder}/model", "--output", f"{folder}/f.pbtxt", "--text", "--clear-devices"]) == 0
    assert (folder / "f.pbtxt").read_text().startswith("node {")


@pytest.mark.parametrize("words, said", [
    (["{}/none"], "There is no SavedModel"), (["{}/c-1"], "No output nodes are named"),
    (["{}/c-1", "--output-nodes", "zzz"], "has no nodes ['zzz']"), (["{}/model", "--tags", "gpu"], "tags"),
    (["{}/model", "--signature", "zzz"], "has no signature"), (["{}/garbage", "--output-nodes", "y"], "no GraphDef"),
    (["{}/graph.pbtxt", "--output-nodes", "y"], "no checkpoint is named"), (["{}/empty"], "neither a SavedModel"),
    (["{}/graph.pbtxt", "--output-nodes", "y", "--checkpoint", "{}/none"], "none"),
])  # fmt: skip
def test_refusals(folder, words, said, capsys):
    (folder / "garbage").write_bytes(b"\xff\xfegarbage")
    (folder / "empty").mkdir()
    assert main(["freeze", *[word.format(folder) for word in words], "--output", f"{folder}/f.pb"]) == 1
    line = capsys.readouterr().err
    assert line.startswith("evergraph freeze: ") and line.count("\n") == 1 and said in line
    assert not (folder / "f.pb").exists()


def test_functions_are_frozen(tmp_path):
    """Variables that only functions read, as in the models of TensorFlow 2."""
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=2.0, use_resource=True)
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.cond(x > 0.0, lambda: x * v, lambda: -x)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, path, {"x": x}, {"y": y})
        name = y.name
    _, message = freeze(tmp_path, path)
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(message, return_elements=[name])
        assert [session.run(y, {"import/x:0": value}) for value in (3.0, -1.0)] == [6, 1]
    assert len({function.signature.name for function in message.library.function}) == 2
