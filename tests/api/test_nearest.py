"""Names to use in the place of those that evergraph lacks."""

import subprocess
import sys

import pytest

from evergraph.api.nearest import nearest
from evergraph.cli.tracebacks.remedies import remedy


@pytest.mark.parametrize("module, name, wanted", [
    ("tensorflow.python.keras.somewhere", "vgg16", "tf.keras.applications.vgg16"),  # the same word
    ("tensorflow.python.somewhere", "BiasAddGrad", "tensorflow.python.ops.gen_nn_ops.BiasAddGrad"),
    ("tensorflow.python.framework.ops", "name_scop", "tensorflow.python.framework.ops.name_scope"),
    ("tensorflow.nn", "softmax_crossentropy_with_logits", "tf.nn.softmax_cross_entropy_with_logits"),
])  # fmt: skip
def test_the_nearest_name_comes_first(module, name, wanted):
    assert nearest(module, name)[0] == wanted


def test_nothing_is_near_to_nonsense():
    assert nearest("tensorflow.python.ops.array_ops", "qqqq") == []


@pytest.mark.parametrize("error, wanted", [
    (ImportError("cannot import name 'vgg16' from 'tensorflow.python.keras.nets' (unknown location)"),
     "evergraph has tf.keras.applications.vgg16"),
    (AttributeError("module 'tensorflow.nn' has no attribute 'conv2'"), "tf.nn.conv2d"),
    (ModuleNotFoundError("No module named 'tensorflow.qqqq'"), "evergraph audit"),
    (AttributeError("module 'numpy' has no attribute 'conv2'"), None),
])
def test_remedies_name_them(error, wanted):
    found = remedy(error)
    assert found is None if wanted is None else wanted in found


def test_a_program_is_told_what_tensorflow_has(tmp_path):
    (tmp_path / "program.py").write_text("from tensorflow.python.ops import collective_ops\n")
    done = subprocess.run([sys.executable, "-m", "evergraph", "run", "program.py"], cwd=tmp_path, capture_output=True,
                          text=True)
    assert "TensorFlow 1.15 has tensorflow.python.ops.collective_ops, evergraph does not have it yet" in done.stderr
