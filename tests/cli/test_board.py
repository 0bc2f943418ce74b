"""`evergraph board`: a TensorBoard that answers, and what is said when there can be none."""

import json
import re
import socket
import subprocess
import sys
import urllib.request

import pytest

import evergraph as tf
from evergraph.cli import COMMANDS, main
from evergraph.contrib.tensorboard.plugins import projector


def write_logs(folder):
    with tf.Graph().as_default(), tf.Session() as session, tf.summary.FileWriter(folder) as writer:
        writer.add_summary(session.run(tf.summary.scalar("loss", tf.constant(0.5))), 3)
        table = tf.get_variable("table", [5, 2])
        session.run(table.initializer)
        tf.train.Saver().save(session, f"{folder}/model.ckpt")
        config = projector.ProjectorConfig()
        config.embeddings.add(tensor_name="table")
        projector.visualize_embeddings(writer, config)


def test_it_serves_what_was_written(tmp_path):
    write_logs(str(tmp_path))
    process = subprocess.Popen([sys.executable, "-m", "evergraph", "board", str(tmp_path), "--port", "0"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = re.search(r"at (http://\S+)", process.stdout.readline()).group(1)
        points = json.load(urllib.request.urlopen(f"{address}data/plugin/scalars/scalars?run=.&tag=loss", timeout=60))
        assert [point[1:] for point in points] == [[3, 0.5]]
        told = json.load(urllib.request.urlopen(f"{address}data/plugin/projector/info?run=.", timeout=60))
        assert told["embeddings"] == [{"tensorName": "table", "tensorShape": [5, 2]}]  # out of the checkpoint
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def refusal(capsys, *words):
    assert main(["board", *words]) == 1
    said = capsys.readouterr().err
    assert said.startswith("evergraph board: ") and said.count("\n") == 1
    return said


def test_no_such_directory(capsys, tmp_path):
    assert "there is no directory" in refusal(capsys, str(tmp_path / "nothing"))


def test_the_port_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        taken.listen()
        command = [sys.executable, "-m", "evergraph", "board", str(tmp_path), "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "evergraph board: TensorBoard cannot listen at localhost:" in done.stderr


@pytest.mark.parametrize("missing, advice", [
    ("pkg_resources", "pip install --upgrade tensorboard"), ("tensorboard", "pip install tensorboard"),
    ("werkzeug", "pip install werkzeug"),
])  # fmt: skip
def test_tensorboard_is_not_as_it_should_be(capsys, tmp_path, monkeypatch, missing, advice):
    class Missing:
        def find_spec(self, name, path=None, target=None):
            if name == "tensorboard.default":
                raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    for name in ("default", "program"):
        monkeypatch.delitem(sys.modules, f"tensorboard.{name}", raising=False)
        monkeypatch.delattr(f"tensorboard.{name}", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    assert advice in refusal(capsys, str(tmp_path))


def test_help_lists_the_commands(capsys):
    assert main(["--help"]) == 0
    listed = re.findall(r"^  (\w+) +\S", capsys.readouterr().out, re.MULTILINE)
    assert listed == list(COMMANDS) and {"run", "inspect", "board"} <= set(listed)
