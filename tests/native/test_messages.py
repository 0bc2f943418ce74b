"""Messages as text: the C code writes what its twin in Python does."""

import numpy as np
import pytest
from google.protobuf import struct_pb2, text_format
from tensorboard.compat.proto.attr_value_pb2 import AttrValue
from tensorboard.compat.proto.function_pb2 import FunctionDef
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef
from tensorboard.compat.proto.node_def_pb2 import NodeDef
from tensorboard.compat.proto.tensor_pb2 import TensorProto

import evergraph as tf
from evergraph import native
from evergraph.proto.text import to_text

pytestmark = pytest.mark.skipif(native.messages is None, reason="the C code was not built here, or is turned off")

REALS = [0.0, -0.0, 0.1, 1 / 3, 3.0, 1e5, 1e6, 123456.7, 16777216.0, 1e16, 1e20, 1e-7, 0.30000001, 3.4e38, 1e-45,
         float("inf"), float("-inf"), float("nan")]
NUMBERS = np.random.default_rng(1).standard_normal(200) * 10.0 ** np.arange(-20, 20).repeat(5)


@pytest.mark.parametrize("message", [
    GraphDef(),
    AttrValue(s=bytes(range(256))),
    AttrValue(i=-5),
    AttrValue(b=False),
    AttrValue(list=AttrValue.ListValue()),
    NodeDef(name="".join(map(chr, range(128))) + "\u00e9\u4e2d\U0001f600\x80\u2028", input=["", "a"]),
    TensorProto(dtype=1, float_val=[*REALS, *NUMBERS], double_val=[*REALS, *NUMBERS]),
    TensorProto(dtype=77, int_val=[1, -2, 2**31 - 1], uint64_val=[2**64 - 1], bool_val=[True, False]),
    TensorProto(int64_val=[-(2**63), 2**63 - 1], uint32_val=[2**32 - 1], string_val=[b"", b"\xff\"'\\"]),
])
def test_scalars(message, without):
    assert to_text(message) == without(to_text, message) == str(message)


def function():
    """A function whose maps have keys and values that are 0 or empty."""
    message = FunctionDef()
    for key, value in (("", ""), ("\u00e9", "x"), ("z", "")):
        message.ret[key] = value
    for place in (10, 0, 2):
        message.arg_attr[place].attr[""].b = False
    message.resource_arg_unique_id[3] = 0
    for key in ("ab", "a", "a-b", "a_b"):
        message.attr[key].placeholder = ""
    message.node_def.add(name="n").attr["f"].func.attr["y"].func.attr["x"].i = 1
    return message


def test_maps(without):
    assert to_text(function()) == without(to_text, function())
    assert text_format.Parse(to_text(function()), FunctionDef()) == function()
    assert to_text(function()).count("key:") == 17  # all of them


def test_types_that_hold_themselves(without):
    message = struct_pb2.Struct()
    message.update({"b": [1.5, {"d": None, "c": True}], "a": {"e": "\n"}})
    assert to_text(message) == without(to_text, message) == text_format.MessageToString(message)


def test_a_graph(without):
    with tf.Graph().as_default() as graph:
        values = tf.data.Dataset.range(3).map(lambda x: x + 1)
        tf.data.make_one_shot_iterator(values).get_next()
        tf.constant(np.arange(1000, dtype=np.float32))
        tf.layers.dense(tf.zeros([2, 3]), 4)
        message = tf.train.export_meta_graph()
    assert to_text(message) == without(to_text, message)
    assert text_format.Parse(to_text(message), MetaGraphDef()) == message
    assert graph.as_graph_def(add_shapes=True) == message.graph_def


def test_fields_that_are_unknown_are_left_out(without):
    later = NodeDef.FromString(NodeDef(name="a").SerializeToString() + b"\x98\x06\x01" + b"\xa2\x06\x01b")
    assert to_text(later) == without(to_text, later) == 'name: "a"\n'
