"""Damaged files are told: of TensorFlow Lite, and frozen graphs that are to be converted to one."""

from pathlib import Path

import pytest

import evergraph as tf
from evergraph.lite import writing
from tests.harness.session import started
from tests.lite.running import converter

pytest.importorskip("ai_edge_litert")

DATA = Path(__file__).parent / "data"
DAMAGES = pytest.mark.parametrize("damage", [
    lambda data: data[:40], lambda data: data[: len(data) // 2], lambda data: b"\xff" * 200,
    lambda data: b"no such file", lambda data: data[:100] + b"\xff" * 60 + data[160:],
], ids=["head", "half", "noise", "text", "a hole"])  # fmt: skip


@pytest.fixture
def content():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.layers.dense(x, 3, tf.nn.relu)
    with started() as session:
        return converter(session, [x], [y]).convert()


@DAMAGES
def test_damaged_lite_files_are_told(content, damage):
    with pytest.raises(ValueError):
        tf.lite.Interpreter(model_content=damage(content)).allocate_tensors()


def test_what_is_no_lite_file_is_told(content):
    with pytest.raises(ValueError, match="not a TensorFlow Lite file: its identifier is b'file'"):
        writing.read(b"no! file", "model.tflite")
    with pytest.raises(ValueError, match=r"model.tflite is a damaged TensorFlow Lite file"):
        writing.read(content[:8] + b"\xff" * 100, "model.tflite")
    with pytest.raises(ValueError, match="none.tflite"):
        tf.lite.Interpreter(model_path="none.tflite")


@DAMAGES
def test_damaged_frozen_graphs_are_told(damage, tmp_path):
    path = tmp_path / "frozen.pb"
    path.write_bytes(damage((DATA / "cnn_frozen.pb").read_bytes()))
    with pytest.raises((OSError, ValueError), match="Unable to parse|cannot be read|Invalid tensors"):
        tf.lite.TFLiteConverter.from_frozen_graph(str(path), ["x"], ["prob"])
