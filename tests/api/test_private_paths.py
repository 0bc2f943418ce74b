"""What programs import from inside TensorFlow: each path of the table is one of our objects, or says it is missing."""

import collections
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import evergraph as tf
from evergraph.api import namespace, private_paths
from evergraph.api.names import NAMES

DATA = Path(__file__).parent.parent / "data"
OPS = json.loads((DATA / "ops.json").read_text()) | json.loads((DATA / "ops_contrib.json").read_text())

# How many names each part of TensorFlow has at the least: none is lost unnoticed.
AT_LEAST = {
    "contrib.crf": 11, "contrib.distributions": 2, "contrib.framework": 58, "contrib.layers": 153,
    "contrib.learn": 8, "contrib.legacy_seq2seq": 13, "contrib.rnn": 48, "contrib.saved_model": 2,
    "contrib.seq2seq": 30, "contrib.slim": 74, "contrib.training": 1, "core.example": 2, "core.framework": 22,
    "core.lib": 1, "core.profiler": 1, "core.protobuf": 18, "core.util": 2, "python.client": 4, "python.compat": 3,
    "python.framework": 210, "python.keras": 411, "python.layers": 88, "python.lib": 32,
    "python.module": 1, "python.ops": 3133, "python.platform": 103, "python.pywrap_tensorflow": 1,
    "python.saved_model": 74, "python.summary": 20, "python.tf2": 2, "python.training": 366, "python.util": 64,
}  # fmt: skip

# Path -> the public name, or the module:attribute, that it is.
SAME = {
    "python.framework.ops.Tensor": "Tensor",
    "python.framework.ops._colocate_with": "colocate_with",
    "python.framework.dtypes.float32": "float32",
    "python.framework.errors_impl.OutOfRangeError": "errors.OutOfRangeError",
    "python.framework.meta_graph.read_meta_graph_file": "evergraph.save.meta_graph:read",
    "python.client.device_lib.list_local_devices": "evergraph.run.device_lib:list_local_devices",
    "python.client.timeline.Timeline": "evergraph.train.chrome_trace:Timeline",
    "python.keras.layers.Dense": "keras.layers.Dense",
    "python.layers.base.Layer": "layers.Layer",
    "python.layers.core.Dense": "layers.Dense",
    "python.layers.convolutional.conv2d": "layers.conv2d",
    "python.ops.array_ops.concat": "concat",
    "python.ops.control_flow_ops.with_dependencies": "evergraph.frontend.control_flow:with_dependencies",
    "python.ops.image_ops.ResizeMethod": "compat.v2.image.ResizeMethod",
    "python.ops.image_ops.ResizeMethodV1": "image.ResizeMethod",
    "python.ops.math_ops.reduce_sum_v1": "reduce_sum",
    "python.ops.nn.embedding_lookup": "nn.embedding_lookup",
    "python.ops.parsing_ops.decode_raw": "evergraph.frontend.strings:decode_raw_of_length",
    "python.ops.parsing_ops.decode_raw_v1": "decode_raw",
    "python.ops.rnn_cell_impl.GRUCell": "nn.rnn_cell.GRUCell",
    "python.ops.rnn_cell_impl._Linear": "evergraph.contrib.rnn.inside:Linear",
    "python.saved_model.tag_constants.EVAL": "evergraph.save.saved_model_constants:EVAL",
    "python.training.saver.BaseSaverBuilder": "evergraph.save.builder:BaseSaverBuilder",
    "python.training.tracking.base.VARIABLE_VALUE_KEY": "evergraph.save.saveables:VARIABLE_VALUE",
    "python.util.nest.flatten": "contrib.framework.nest.flatten",
    "contrib.crf.python.ops.crf.crf_decode": "contrib.crf.crf_decode",
    "contrib.framework.python.ops.arg_scope.arg_scope": "contrib.framework.arg_scope",
    "contrib.framework.python.ops.variables.get_or_create_global_step": "train.get_or_create_global_step",
    "contrib.layers.python.layers.utils.collect_named_outputs": "contrib.layers.utils.collect_named_outputs",
    "contrib.legacy_seq2seq.python.ops.seq2seq.attention_decoder": "contrib.legacy_seq2seq.attention_decoder",
    "contrib.rnn.python.ops.core_rnn_cell._linear": "evergraph.contrib.rnn.linear:linear",
    "contrib.rnn.python.ops.rnn_cell.NASCell": "contrib.rnn.NASCell",
    "contrib.seq2seq.python.ops.attention_wrapper.BahdanauAttention": "contrib.seq2seq.BahdanauAttention",
    "contrib.slim.python.slim.nets.inception_v3.inception_v3": "contrib.slim.nets.inception.inception_v3",
    "core.framework.graph_pb2.GraphDef": "GraphDef",
    "core.protobuf.config_pb2.ConfigProto": "ConfigProto",
}


def run(program):
    """What a fresh interpreter prints in which evergraph is tensorflow."""
    program = f"import evergraph as eg, evergraph.as_tensorflow\n{program}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def part(path):
    return path.split(".python.")[0] if path.startswith("contrib.") else ".".join(path.split(".")[:2])


def test_no_part_of_tensorflow_loses_names():
    found = collections.Counter(map(part, private_paths.homes()))
    assert {name: found[name] for name, least in AT_LEAST.items() if found[name] < least} == {}


def test_every_path_of_the_table_is_an_object_of_ours():
    for path in private_paths.homes():
        module, _, name = path.rpartition(".")
        assert getattr(importlib.import_module(f"evergraph.{module}"), name) is namespace.load(path)


@pytest.mark.parametrize("path", SAME)
def test_the_object_is(path):
    module, _, name = path.rpartition(".")
    wanted = namespace.fetched(SAME[path]) if ":" in SAME[path] else namespace.load(SAME[path])
    assert getattr(importlib.import_module(f"evergraph.{module}"), name) is wanted


def test_a_word_of_the_table_names_something_that_exists():
    """A word that leads nowhere is a public name of TensorFlow's or one of its ops, or is marked with "=?"."""
    said = {word.rpartition("=")[2] for words in private_paths.rows().values() for word in words}
    names = {word for word in said if ":" not in word and not word.startswith("@") and not word.endswith(("*", "?"))}
    assert names - NAMES.keys() - namespace.tensorflow_names() - {f"raw_ops.{name}" for name in OPS} == set()
    assert {word[1:] for word in said if word.startswith("@")} <= OPS.keys()


def test_only_the_table_says_private_paths():
    assert [name for name in NAMES if private_paths.is_private(name)] == []


@pytest.mark.parametrize("module, name", [
    ("python.framework.ops", "RegisterShape"),
])  # fmt: skip
def test_what_is_missing_says_so(module, name):
    text = f"TensorFlow 1.15 has tensorflow.{module}.*, evergraph does not have it yet"
    with pytest.raises(ModuleNotFoundError, match=text):
        exec(f"from evergraph.{module} import {name}")


def test_what_tensorflow_does_not_have_either_is_not_found():
    with pytest.raises(ModuleNotFoundError, match="^No module named 'evergraph.python.nowhere'"):
        importlib.import_module("evergraph.python.nowhere")
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        exec("from evergraph.python.framework.ops import nothing")
    assert not hasattr(tf.python.framework.ops, "nothing")


def test_programs_import_them_every_way():
    assert run(
        "from tensorflow.python.ops import array_ops\n"
        "from tensorflow.python.ops.rnn_cell import *\n"
        "import tensorflow.python.util.nest, tensorflow as tf\n"
        "from tensorflow.contrib.rnn.python.ops import rnn_cell\n"
        "print(array_ops.concat is eg.concat, GRUCell is eg.nn.rnn_cell.GRUCell)\n"
        "print(tf.python.util.nest.flatten([1, [2]]) == [1, 2], rnn_cell.NASCell is eg.contrib.rnn.NASCell)\n"
        "array_ops.mine = 3; print(tensorflow.python.ops.array_ops.mine, hasattr(array_ops, 'no_such_thing'))\n"
    ) == ["True"] * 4 + ["3", "False"]


def test_messages_are_the_ones_of_our_own():
    assert run(
        "from tensorflow.core.framework import graph_pb2, types_pb2\n"
        "import tensorflow.core.protobuf.config_pb2 as config\n"
        "from tensorflow.core.example.example_pb2 import Example\n"
        "from tensorflow.python.training import checkpoint_state_pb2\n"
        "print(graph_pb2.GraphDef is eg.GraphDef, config.ConfigProto is eg.ConfigProto, Example is eg.train.Example)\n"
        "print(types_pb2.DT_FLOAT == eg.float32.as_datatype_enum, graph_pb2.__name__, checkpoint_state_pb2.__name__)\n"
        "try: import tensorflow.core.framework.nothing_pb2\n"
        "except ModuleNotFoundError: print('absent')\n"
    ) == ["True"] * 4 + ["tensorboard.compat.proto.graph_pb2", "evergraph.proto.checkpoint_state_pb2", "absent"]


def test_the_table_is_read_when_a_private_path_is_asked_for():
    assert run(
        "from evergraph.api import private_paths\n"
        "import tensorflow.nn, tensorflow.contrib.slim\n"
        "print(private_paths.rows.cache_info().currsize)\n"
        "import tensorflow.python.ops\n"
        "print(private_paths.rows.cache_info().currsize)\n"
    ) == ["0", "1"]


def test_modules_of_gradients_are_imported_for_what_they_do():
    assert run(
        "import tensorflow.python.ops.nn_grad\n"
        "from tensorflow.python.ops import math_grad, tensor_array_grad as arrays\n"
        "import tensorflow as tf\n"
        "print(math_grad.__name__, arrays is tf.python.ops.tensor_array_grad, dir(math_grad) == dir(arrays))\n"
    ) == ["tensorflow.python.ops.math_grad", "True", "True"]
    with pytest.raises(ModuleNotFoundError, match="No module named 'evergraph.python.ops.no_grad'"):
        importlib.import_module("evergraph.python.ops.no_grad")
