"""Converts values of attrs to and from AttrValue messages.

| kind   | Python value                                   | field of AttrValue |
|--------|------------------------------------------------|--------------------|
| int    | int                                            | i                  |
| float  | float                                          | f (32 bits)        |
| bool   | bool                                           | b                  |
| string | str; bytes that are not UTF-8 as surrogates    | s                  |
| type   | DType                                          | type               |
| shape  | tuple of int or None; None: unknown rank       | shape              |
| tensor | read-only ndarray; strings: objects, bytes     | tensor             |
| func   | NameAttrList                                   | func               |

A `list(kind)` is a list of those.

A message that contradicts itself, such as a field of another kind, raises ValueError. Shapes and tensors are written
and read by `formats/tensor_messages.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import evergraph.proto as protos
from evergraph.base.dtypes import DType, as_dtype
from evergraph.formats.tensor_messages import proto_to_array, proto_to_shape, shape_to_proto, tensor_to_proto

Shape = tuple[int | None, ...] | None

@dataclass(frozen=True, slots=True)
class NameAttrList:
    """A function's name, and the attrs of this instance of it; it keeps a function alive that was not read by name."""

    name: str
    attrs: Mapping[str, Any] = field(default_factory=dict)
    body: Any = field(default=None, compare=False, repr=False)


# ---------------------------------------------------------------- attrs


def encode_attr(kind: str, value: Any) -> protos.attr_value_pb2.AttrValue:
    """An attr's value as an AttrValue. For an attr that no op declares, `kind_of` gives the kind."""
    message = protos.attr_value_pb2.AttrValue
    if kind.startswith("list("):
        name, encode, _ = _codec(kind[5:-1])
        return message(list=message.ListValue(**{name: [encode(item) for item in value]}))
    name, encode, _ = _codec(kind)
    return message(**{name: encode(value)})


def decode_attr(kind: str, proto: protos.attr_value_pb2.AttrValue) -> Any:
    """The value of an attr. For an attr that no op declares, `kind_in` gives the kind.

    Raises:
        ValueError: the message holds no value, or one of another kind.
    """
    is_list = kind.startswith("list(")
    name, _, decode = _codec(kind[5:-1] if is_list else kind)
    held = proto.WhichOneof("value")
    if held != ("list" if is_list else name):
        raise ValueError(f"attr of kind {kind} holds {held or 'nothing'}")
    if not is_list:
        return decode(getattr(proto, name))
    items = [decode(item) for item in getattr(proto.list, name)]
    if not items and proto.list.ListFields():
        raise ValueError(f"attr of kind {kind} holds {kind_in(proto)}")
    return items


def kind_of(value: Any) -> str:
    """The kind of a decoded value. A list has the kind of its first item; an empty list fits any kind."""
    if isinstance(value, list):
        return f"list({kind_of(value[0])})" if value else "list(int)"
    if value is None or isinstance(value, tuple):
        return "shape"
    for types, kind in _KIND_OF_TYPE:
        if isinstance(value, types):
            return kind
    raise TypeError(f"{value!r} cannot be the value of an attr")


def kind_in(proto: protos.attr_value_pb2.AttrValue) -> str:
    """The kind of value that a message holds."""
    held = proto.WhichOneof("value")
    if held == "list":
        fields = proto.list.ListFields()
        return f"list({_kind_of_field(fields[0][0].name)})" if fields else "list(int)"
    return _kind_of_field(held)


def _kind_of_field(name: str | None) -> str:
    for kind, (field_name, _, _) in _CODECS.items():
        if field_name == name:
            return kind
    raise ValueError(f"attr holds {name or 'nothing'}, which is no value")


_KIND_OF_TYPE: tuple[tuple[Any, str], ...] = (
    ((bool, np.bool_), "bool"),
    ((int, np.integer), "int"),
    ((float, np.floating), "float"),
    ((str, bytes), "string"),
    (DType, "type"),
    (np.ndarray, "tensor"),
    (NameAttrList, "func"),
)


def _encode_string(value: str | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    raise TypeError(f"attr of kind string cannot be {value!r}")


def _decode_string(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def _encode_type(value: Any) -> int:
    return as_dtype(value).enum


def _decode_type(value: int) -> DType:
    try:
        return as_dtype(value)
    except TypeError as error:
        raise ValueError(f"attr of kind type holds {value}, which is no DataType") from error


def _encode_func(value: NameAttrList) -> protos.attr_value_pb2.NameAttrList:
    proto = protos.attr_value_pb2.NameAttrList(name=value.name)
    for name, item in value.attrs.items():
        proto.attr[name].CopyFrom(encode_attr(kind_of(item), item))
    return proto


def _decode_func(proto: protos.attr_value_pb2.NameAttrList) -> NameAttrList:
    return NameAttrList(proto.name, {name: decode_attr(kind_in(item), item) for name, item in proto.attr.items()})


_Codec = tuple[str, Callable[[Any], Any], Callable[[Any], Any]]

_CODECS: dict[str, _Codec] = {  # kind: the field of AttrValue, encode, decode
    "int": ("i", operator.index, int),
    "float": ("f", float, float),
    "bool": ("b", bool, bool),
    "string": ("s", _encode_string, _decode_string),
    "type": ("type", _encode_type, _decode_type),
    "shape": ("shape", shape_to_proto, proto_to_shape),
    "tensor": ("tensor", tensor_to_proto, proto_to_array),
    "func": ("func", _encode_func, _decode_func),
}


def _codec(kind: str) -> _Codec:
    try:
        return _CODECS[kind]
    except KeyError:
        raise ValueError(f"'{kind}' is no kind of attr") from None
