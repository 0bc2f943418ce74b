"""The small commands: --version, doctor, cache, completion, diff, predict; `inspect` of Keras' and Lite's files."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.cli import COMMANDS, main
from evergraph.cli.examination import findings
from evergraph.cli.predictions.values import Unusable, values
from evergraph.save.freezing import likely_outputs


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"evergraph {tf.__version__} (TensorFlow 1.15.0, Python 3.")


@pytest.mark.parametrize("word, said", [
    ("inspct", "did you mean `evergraph inspect`?"), ("RUN", "did you mean `evergraph run`?"),
    ("zzz", "there are run,"),
])  # fmt: skip
def test_a_mistyped_command(word, said, capsys):
    assert main([word]) == 2
    assert said in capsys.readouterr().err


def test_a_program_in_the_place_of_a_command(tmp_path, capsys):
    path = tmp_path / "train.py"
    path.write_text("")
    assert main([str(path)]) == 2
    assert f"is a program: evergraph run {path}" in capsys.readouterr().err


# ---- doctor


def test_doctor(capsys):
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert "✓ Python: 3." in text and "✓ self-test: a checkpoint" in text and text.endswith("evergraph works here\n")


def test_what_is_broken_is_a_finding(monkeypatch, capsys):
    def broken():
        raise OSError("no such library")
        yield

    monkeypatch.setattr(findings, "_devices", broken)
    monkeypatch.setattr(findings, "_self_test", lambda: iter([]))
    assert main(["doctor", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert not report["works"]
    assert {"what": "devices", "state": "bad", "found": "OSError: no such library", "advice": ""} in report["findings"]


@pytest.mark.parametrize("requirement, states", [
    ("numpy>=1.0", []), ("numpy>=99.0", ["bad"]), ("no-such-package>=1", ["bad"]),
])  # fmt: skip
def test_requirements(requirement, states):
    assert [each.state for each in findings._requirement(requirement)] == states


def test_missing_c_code_is_said_once(tmp_path):
    code = "import evergraph as tf; from evergraph import native; native.lines; native.text; print(native.jpeg)"
    run = lambda said: subprocess.run([sys.executable, "-c", said], capture_output=True, text=True,
                                      env={**os.environ, "EVERGRAPH_NATIVE": str(tmp_path)})  # fmt: skip
    done = run(code)
    assert done.stdout == "None\n" and done.stderr.count("no C code") == 1 and native.REMEDY in done.stderr
    assert run(code.replace("tf;", "tf; tf.logging.set_verbosity(tf.logging.ERROR);")).stderr == ""


# ---- cache


def test_cache(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path))
    (tmp_path / "jit_f-1234-cache").write_bytes(bytes(2048))
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["cache"]) == main(["cache", "location"]) == main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path}: 1 files, 2.0 KiB",
        str(tmp_path),
        f"{tmp_path}: 1 of 1 files deleted, 2.0 KiB before",
    ]
    assert os.listdir(tmp_path) == ["mine.txt"]


# ---- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell, capsys):
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMMANDS) and "full-traceback" in text and "output-nodes" in text


def test_bash_completes(capsys):
    main(["completion", "bash"])
    script = (
        capsys.readouterr().out
        + "\nCOMP_WORDS=(evergraph inspect --ver); COMP_CWORD=2; _evergraph; echo ${COMPREPLY[@]}"
    )
    assert subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout == "--verify\n"


# ---- diff, predict, freeze


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Two checkpoints a and b, two SavedModels, a Keras model and one of TensorFlow Lite."""
    folder = tmp_path_factory.mktemp("models")
    path = lambda name: str(folder / name)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0, 0.0], [0.0, 2.0]])
        tf.get_variable("steps", initializer=3)
        y = tf.nn.softmax(tf.matmul(x, w, name="logits"), name="probabilities")
        change = w.assign_add([[0.0, 0.5], [0.0, 0.0]])
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        saver.save(session, path("a"))
        tf.saved_model.simple_save(session, path("first"), {"x": x}, {"y": y})
        session.run(change)
        saver.save(session, path("b"))
        tf.train.Saver({"w": w}).save(session, path("w_alone"), write_meta_graph=False)
        tf.train.write_graph(session.graph, str(folder), "graph.pbtxt")
        tf.identity(y, name="new")
        tf.train.write_graph(session.graph, str(folder), "later.pb", as_text=False)
    return path


def test_diff_of_checkpoints(models, capsys):
    assert main(["diff", models("a"), models("a")]) == 0
    assert main(["diff", models("a"), models("b"), "--json"]) == 1
    report = json.loads(capsys.readouterr().out.split("they agree\n")[1])
    assert report["tensors"] == [{"name": "w", "difference": "1 of 4 values differ", "largest": 0.5}]
    assert report["differ"] and report["same_tensors"] == 1
    assert main(["diff", models("a"), models("b"), "--tolerance", "0.5"]) == 0
    capsys.readouterr()
    assert main(["diff", models("a"), models("w_alone")]) == 1
    assert "only in the first" in capsys.readouterr().out


def test_diff_of_graphs(models, capsys):
    assert main(["diff", models("graph.pbtxt"), models("later.pb"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["nodes"] == [
        {"name": "new", "difference": "only in the second: Identity"}
    ]
    assert main(["diff", models("first"), models("first")]) == 0
    assert main(["diff", models("a"), models("later.pb")]) == 2
    assert "nothing to compare" in capsys.readouterr().err
    assert main(["diff", models("none"), models("a")]) == 2


def test_predict(models, tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.zeros([3, 2]))
    (tmp_path / "x.json").write_text('{"x": [0, 0]}')
    (tmp_path / "x.csv").write_text("left,right\n0,0\n0,0\n")
    for file, shape in (("x.npy", "[3, 2]"), ("x.json", "[1, 2]"), ("x.csv", "[2, 2]")):
        assert main(["predict", models("first"), "--input", str(tmp_path / file)]) == 0
        assert f"y: float32 {shape}\n  [0.5 0.5]" in capsys.readouterr().out
    assert (
        main(["predict", models("first"), "--input", f"x={tmp_path / 'x.npy'}", "--output", str(tmp_path / "y.json")])
        == 0
    )
    assert json.loads((tmp_path / "y.json").read_text()) == {"y": [[0.5, 0.5]] * 3}
    assert main(["freeze", models("a"), "--output", str(tmp_path / "f.pb"), "--output-nodes", "probabilities"]) == 0
    assert (
        main(
            ["predict", str(tmp_path / "f.pb"), "--input", str(tmp_path / "x.npy"), "--output", str(tmp_path / "y.npy")]
        )
        == 0
    )
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.full([3, 2], 0.5, np.float32))


@pytest.mark.parametrize("files, said", [
    (["z=x.npy"], "the model has no input 'z', only x"), (["x.npy"], "No such file"),
    (["x.xls"], "values are read from .npy"),
])  # fmt: skip
def test_predict_says_what_is_wrong(models, files, said, capsys):
    assert main(["predict", models("first"), *(word for file in files for word in ("--input", file))]) == 1
    assert said in capsys.readouterr().err


def test_columns_become_examples(tmp_path):
    (tmp_path / "people.csv").write_text("age,job\n31,nurse\n40,baker\n")
    made = values([str(tmp_path / "people.csv")], {"examples": tf.placeholder(tf.string, [None])})["examples"]
    parsed = tf.parse_example(made, {"age": tf.FixedLenFeature([], tf.int64), "job": tf.FixedLenFeature([], tf.string)})
    with tf.Session() as session:
        assert session.run(parsed["age"]).tolist() == [31, 40] and session.run(parsed["job"])[1] == b"baker"
    with pytest.raises(Unusable, match="name it"):
        values([str(tmp_path / "people.csv")], {"a": tf.placeholder(tf.string), "b": tf.placeholder(tf.string)})


def test_freeze_names_likely_outputs_first(models, tmp_path, capsys):
    assert main(["freeze", models("a"), "--output", str(tmp_path / "f.pb")]) == 1
    assert "likely ones are probabilities" in capsys.readouterr().err


def test_updates_of_variables_are_no_likely_outputs():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.multiply(tf.layers.dense(x, 1), 2.0, name="y")
    tf.train.AdamOptimizer().minimize(tf.reduce_mean(y, name="loss"), global_step=tf.train.get_or_create_global_step())
    assert likely_outputs(tf.get_default_graph()) == ["dense/BiasAdd", "loss"]


def test_inspect_of_a_keras_model(tmp_path, capsys):
    pytest.importorskip("h5py")
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    model.save(str(tmp_path / "model.h5"))
    assert main(["inspect", str(tmp_path / "model.h5"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["model"], report["loss"], report["optimizer"]) == (
        "hdf5",
        "Sequential",
        "mse",
        "SGD",
    )
    assert [layer["class"] for layer in report["layers"]] == ["Dense"] and len(report["arrays"]) == 2
    (tmp_path / "cut.h5").write_bytes((tmp_path / "model.h5").read_bytes()[:600])
    assert main(["inspect", str(tmp_path / "cut.h5")]) == 1


def test_inspect_of_a_lite_model(tmp_path, capsys):
    pytest.importorskip("ai_edge_litert")
    x = tf.placeholder(tf.float32, [1, 3], name="x")
    with tf.Session() as session:
        converter = tf.lite.TFLiteConverter.from_session(session, [x], [tf.nn.relu(x, name="y")])
        (tmp_path / "model.tflite").write_bytes(converter.convert())
    assert main(["inspect", str(tmp_path / "model.tflite"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ops"] == [{"op": "RELU", "count": 1}] and report["inputs"][0]["shape"] == [1, 3]
    (tmp_path / "cut.tflite").write_bytes((tmp_path / "model.tflite").read_bytes()[:60])
    assert main(["inspect", str(tmp_path / "cut.tflite")]) == 1
