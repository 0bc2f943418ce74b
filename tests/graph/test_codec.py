"""Attr values and tensors, through their messages and back; tensors also as TensorFlow itself wrote them."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from evergraph.base import dtypes
from evergraph.formats import tensor_messages
from evergraph.formats.tensor_messages import proto_to_array, tensor_to_proto
from evergraph.graph import codec
from evergraph.graph.codec import NameAttrList, decode_attr, encode_attr
from evergraph.proto import attr_value_pb2, tensor_pb2, tensor_shape_pb2

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "tensors.json").read_text())
WRITTEN = [name for name in RECORDED if not name.startswith("read")]


def recorded_array(record):
    dtype = dtypes.as_dtype(record["dtype"])
    values = record["values"]
    if dtype is dtypes.string:
        values = [text.encode("latin-1") for text in values]
    elif dtype.is_complex:
        values = [complex(*parts) for parts in values]
    elif dtype.is_floating:
        values = [float(text) for text in values]
    array = np.empty(len(values), dtype.np)
    array[:] = values
    return array.reshape(record["shape"])


def recorded_proto(record):
    return tensor_pb2.TensorProto.FromString(base64.b64decode(record["proto"]))


def assert_same(array, expected):
    assert array.dtype == expected.dtype and array.shape == expected.shape
    np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("name", RECORDED)
def test_reads_what_tensorflow_wrote(name):
    array = proto_to_array(recorded_proto(RECORDED[name]))
    assert_same(array, recorded_array(RECORDED[name]))
    assert not array.flags.writeable


@pytest.mark.parametrize("name", WRITTEN)
def test_writes_the_bytes_that_tensorflow_writes(name):
    record = RECORDED[name]
    proto = tensor_to_proto(recorded_array(record), dtypes.as_dtype(record["dtype"]))
    assert base64.b64encode(proto.SerializeToString(deterministic=True)).decode() == record["proto"]


def test_writes_quantized_records_and_text():
    records = np.array([(1,), (2,)], dtypes.qint8.as_numpy_dtype)
    proto = tensor_to_proto(records)
    assert proto.dtype == dtypes.qint8.enum
    assert_same(proto_to_array(proto), np.array([1, 2], np.int8))
    assert proto_to_array(tensor_to_proto(["é", "b"])).tolist() == ["é".encode(), b"b"]


@pytest.mark.parametrize("field, values", [
    ("float_val", np.array([1.5, -0.0, np.inf, 1e-45], np.float32)), ("double_val", np.linspace(0, 1, 300)),
    ("scomplex_val", np.array([1 + 2j, 3], np.complex64)), ("dcomplex_val", np.array([1 + 2j])),
    ("bool_val", np.array([True, False] * 5000)), ("float_val", np.array(2.5, np.float32)),
    ("float_val", np.empty([0, 3], np.float32)), ("half_val", np.array([1.5, -2], np.float16)),
])
def test_elements_one_by_one(field, values):
    """As a message that was given Python's numbers, in the same bytes; NaNs keep all of their bits."""
    message = tensor_to_proto(values, pack=False)
    listed = tensor_pb2.TensorProto(dtype=message.dtype, tensor_shape=message.tensor_shape)
    parts = values.reshape(-1).view({"c": values.real.dtype, "f": values.dtype, "b": bool}[values.dtype.kind])
    parts = parts.view(np.uint16) if field == "half_val" else parts
    getattr(listed, field).extend(parts.tolist())
    assert message.SerializeToString() == listed.SerializeToString()
    assert_same(proto_to_array(message), values)
    strange = np.array([0x7FC01234, 0xFFC00001], np.uint32).view(np.float32)
    assert proto_to_array(tensor_to_proto(strange, pack=False)).tobytes() == strange.tobytes()


def test_writes_arrays_of_any_memory_layout():
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    for view in array.T, array[:, ::2], array.astype(">f4"):
        np.testing.assert_array_equal(proto_to_array(tensor_to_proto(view)), view)
    np.testing.assert_array_equal(proto_to_array(tensor_to_proto(array.T.astype(complex))), array.T)


@pytest.mark.parametrize(("value", "dtype"), [
    (np.array([object()]), None), ([1.5], dtypes.int32), (np.array([b"a"], object), dtypes.float32),
    ([1], dtypes.resource), ([1], dtypes.string),
])  # fmt: skip
def test_refuses_to_write_values_of_another_type(value, dtype):
    with pytest.raises(TypeError):
        tensor_to_proto(value, dtype)


def message(dtype, shape, **values):
    return tensor_pb2.TensorProto(dtype=dtype, tensor_shape=tensor_messages.shape_to_proto(shape), **values)


@pytest.mark.parametrize(("proto", "said"), [
    (message(1, (2,), tensor_content=b"1234"), "wants 2 elements and has 1"),
    (message(1, (1,), tensor_content=b"12345"), "no whole number of float32"),
    (message(1, (1,), float_val=[1, 2]), "wants 1 elements and has 2"),
    (message(1, (None,), float_val=[1]), "fully known shape"),
    (message(1, None, float_val=[1]), "fully known shape"),
    (message(1, (-7,), float_val=[1]), "below -1"),
    (message(1, (2**40, 2**40), float_val=[1]), "too large"),
    (message(3, (2**40,)), "too large"),
    (message(3, (2**30,), int_val=[1, 2]), "too large"),
    (message(7, (2**40,), string_val=[b"a"]), "too large"),
    (message(7, (2**40,), tensor_content=b"\1a"), "cannot hold"),
    (message(7, (2,), tensor_content=b"\1\2a"), "announce 3 bytes and have 1"),
    (message(7, (1,), tensor_content=b"\xff\xff"), "inside a length"),
    (message(10, (1,), tensor_content=b"\2"), "other than 0 and 1"),
])  # fmt: skip
def test_contradictory_tensors_raise(proto, said):
    with pytest.raises(ValueError, match=said):
        proto_to_array(proto)


@pytest.mark.parametrize("dtype", [0, 20, 21, 99])
def test_types_without_values_raise(dtype):
    with pytest.raises(TypeError):
        proto_to_array(message(dtype, (1,)))


def test_one_repeated_value_takes_no_memory():
    array = proto_to_array(message(1, (2**28,), float_val=[2.5]))
    assert array.shape == (2**28,) and array.strides == (0,) and array[-1] == 2.5


ATTRS = [
    ("int", -(2**63), "i"), ("float", 0.5, "f"), ("float", float("inf"), "f"), ("bool", False, "b"), ("int", 0, "i"),
    ("string", "", "s"), ("string", "é\udcff\0", "s"), ("type", dtypes.float32, "type"),
    ("type", dtypes.int32.ref, "type"), ("shape", None, "shape"), ("shape", (), "shape"), ("shape", (None, 3), "shape"),
    ("func", NameAttrList("f", {"T": dtypes.half, "n": [1, 2], "s": (1,), "g": NameAttrList("g"), "e": []}), "func"),
    ("list(int)", [], "list"), ("list(int)", [1, -1], "list"), ("list(float)", [0.25], "list"),
    ("list(bool)", [True, False], "list"), ("list(string)", ["a", ""], "list"), ("list(type)", [dtypes.string], "list"),
    ("list(shape)", [None, (), (2, None)], "list"), ("list(func)", [NameAttrList("f"), NameAttrList("g")], "list"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "field"), ATTRS)
def test_attrs_round_trip(kind, value, field):
    proto = attr_value_pb2.AttrValue.FromString(encode_attr(kind, value).SerializeToString())
    assert proto.WhichOneof("value") == field
    decoded = decode_attr(kind, proto)
    assert decoded == value and type(decoded) is type(value)
    if value != []:
        assert codec.kind_in(proto) == kind and codec.kind_of(value) == kind


def test_tensor_attrs_round_trip():
    array = np.arange(6.0).reshape(2, 3)
    assert_same(decode_attr("tensor", encode_attr("tensor", array)), array)
    first, second = decode_attr("list(tensor)", encode_attr("list(tensor)", [array, np.array(b"s", object)]))
    assert_same(first, array)
    assert second.item() == b"s"
    assert codec.kind_of(array) == "tensor"


def test_bytes_of_a_string_attr_survive():
    every_byte = bytes(range(256))
    text = decode_attr("string", encode_attr("string", every_byte))
    assert isinstance(text, str) and encode_attr("string", text).s == every_byte


@pytest.mark.parametrize(("kind", "proto"), [
    ("int", attr_value_pb2.AttrValue()), ("int", attr_value_pb2.AttrValue(f=1.0)),
    ("int", attr_value_pb2.AttrValue(placeholder="T")), ("list(int)", attr_value_pb2.AttrValue(i=1)),
    ("list(int)", encode_attr("list(string)", ["a"])), ("type", attr_value_pb2.AttrValue(type=0)),
    ("shape", attr_value_pb2.AttrValue(shape=tensor_shape_pb2.TensorShapeProto(dim=[{"size": -2}]))),
    ("number", attr_value_pb2.AttrValue(i=1)),
])  # fmt: skip
def test_attrs_of_another_kind_raise(kind, proto):
    with pytest.raises(ValueError):
        decode_attr(kind, proto)


def test_values_of_no_kind_raise():
    with pytest.raises(TypeError):
        codec.kind_of({})
    with pytest.raises(TypeError):
        encode_attr("string", 3)
    with pytest.raises(ValueError):
        codec.kind_in(attr_value_pb2.AttrValue())


@pytest.mark.parametrize("value", [3, 1.5, b"a", 1j, True])
def test_a_value_that_repeats_is_written_once(value):
    once, many = np.asarray(value, object if value == b"a" else None), (2, 3)
    message = tensor_to_proto(np.broadcast_to(once, many), dtypes.string if value == b"a" else None)
    field, listed = message.ListFields()[-1]
    assert field.name.endswith("_val") and len(listed) == (2 if value == 1j else 1)
    assert proto_to_array(message).tolist() == [[value] * 3] * 2
