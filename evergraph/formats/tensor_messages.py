"""Converts shapes and tensors to and from the messages TensorShapeProto and TensorProto.

A message that contradicts itself (content of the wrong length, a negative dimension) raises ValueError, a tensor whose
dtype has no values in a message (a resource, a variant) TypeError. The reader never allocates much more memory than
the message has: see `proto_to_array`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import evergraph.proto as protos
from evergraph.base import dtypes
from evergraph.base.dtypes import DType, as_dtype

Shape = tuple[int | None, ...] | None

MAX_REPEATED_BYTES = 2**31
"""The most memory that a tensor written as a few values and "the last one repeats" may stand for.

It is the limit of a protocol message, so every tensor that can be written out in full can be written short as well;
what claims to be larger is a damaged or hostile file.
"""


# ---------------------------------------------------------------- shapes


def shape_to_proto(shape: Shape) -> protos.tensor_shape_pb2.TensorShapeProto:
    """Encodes a shape as a message: None is an unknown rank, a None in it an unknown size."""
    message = protos.tensor_shape_pb2.TensorShapeProto
    if shape is None:
        return message(unknown_rank=True)
    return message(dim=[message.Dim(size=-1 if size is None else operator.index(size)) for size in shape])


def proto_to_shape(proto: protos.tensor_shape_pb2.TensorShapeProto) -> Shape:
    """Decodes a shape. Raises ValueError for a size below -1."""
    if proto.unknown_rank:
        return None
    sizes = [dim.size for dim in proto.dim]
    if any(size < -1 for size in sizes):
        raise ValueError(f"shape {sizes} has a size below -1")
    return tuple(None if size == -1 else size for size in sizes)


# ---------------------------------------------------------------- tensors: decoding


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a dtype's elements in a TensorProto.

    Attributes:
        field: the repeated field of the elements.
        carrier: the NumPy dtype of the field's values.
        bits: the dtype of the values, if they are the elements' bits or parts.
        packs: whether TensorFlow packs more than one element as bytes into `tensor_content`.
    """

    field: str
    carrier: Any
    bits: Any = None
    packs: bool = True


_LAYOUTS: dict[DType, _Layout] = {
    dtypes.float32: _Layout("float_val", np.float32),
    dtypes.float64: _Layout("double_val", np.float64),
    dtypes.float16: _Layout("half_val", np.int32, bits=np.uint16),
    dtypes.bfloat16: _Layout("half_val", np.int32, bits=np.uint16),
    dtypes.complex64: _Layout("scomplex_val", np.float32, bits=np.float32, packs=False),
    dtypes.complex128: _Layout("dcomplex_val", np.float64, bits=np.float64, packs=False),
    dtypes.int64: _Layout("int64_val", np.int64),
    dtypes.uint32: _Layout("uint32_val", np.uint32),
    dtypes.uint64: _Layout("uint64_val", np.uint64),
    dtypes.bool: _Layout("bool_val", np.bool_, packs=False),
    dtypes.uint16: _Layout("int_val", np.int32, packs=False),
    dtypes.int32: _Layout("int_val", np.int32),
    dtypes.int16: _Layout("int_val", np.int32),
    dtypes.int8: _Layout("int_val", np.int32),
    dtypes.uint8: _Layout("int_val", np.int32),
    dtypes.qint8: _Layout("int_val", np.int32),
    dtypes.quint8: _Layout("int_val", np.int32),
    dtypes.qint16: _Layout("int_val", np.int32),
    dtypes.quint16: _Layout("int_val", np.int32),
    dtypes.qint32: _Layout("int_val", np.int32),
}


def proto_to_array(proto: protos.tensor_pb2.TensorProto) -> np.ndarray:
    """Decodes a tensor to a read-only array; strings are bytes in an object array.

    The elements are in `tensor_content`, or in the field of their dtype, whose last value repeats up to the size of the
    shape (zeros if the field is empty). A repeated value may expand to MAX_REPEATED_BYTES at most; an array of one
    value is a view with zero strides.

    Raises:
        ValueError: shape and values do not fit, the shape is not fully known, or the repetition is too large.
        TypeError: the dtype has no values in a message.
    """
    dtype = as_dtype(proto.dtype).base_dtype
    shape = proto_to_shape(proto.tensor_shape)
    if shape is None or None in shape:
        raise ValueError(f"a tensor wants a fully known shape, not {shape}")
    count = math.prod(size or 0 for size in shape)
    if dtype is dtypes.string:
        values = _read_strings(proto, count)
    elif dtype not in _LAYOUTS:
        raise TypeError(f"a tensor of type {dtype.name} has no values in a message")
    elif proto.tensor_content:
        values = _from_content(proto.tensor_content, dtype)
    else:
        values = _from_field(proto, dtype)
    array = _fill(values, shape, repeats=not proto.tensor_content)
    array.setflags(write=False)
    return array


def _from_content(content: bytes, dtype: DType) -> np.ndarray:
    if len(content) % dtype.np.itemsize:
        raise ValueError(f"{len(content)} bytes are no whole number of {dtype.name} elements")
    if dtype is dtypes.bool and content.strip(b"\0\1"):
        raise ValueError("a bool tensor holds bytes other than 0 and 1")
    return np.frombuffer(content, dtype.np)


def _from_field(proto: protos.tensor_pb2.TensorProto, dtype: DType) -> np.ndarray:
    layout = _LAYOUTS[dtype]
    values = np.array(getattr(proto, layout.field), layout.carrier)
    if layout.bits is None:
        return values.astype(dtype.np, copy=False)  # out-of-range values wrap, as in TensorFlow
    parts = values.astype(layout.bits, copy=False)
    per_element = dtype.np.itemsize // parts.itemsize
    return parts[: len(parts) // per_element * per_element].view(dtype.np)


def _read_strings(proto: protos.tensor_pb2.TensorProto, count: int) -> np.ndarray:
    items = _split_strings(proto.tensor_content, count) if proto.tensor_content else list(proto.string_val)
    values = np.empty(len(items), object)
    values[:] = items
    return values


def _split_strings(content: bytes, count: int) -> list[bytes]:
    """Splits packed strings: the length of each as a varint, then the bytes of all."""
    if count > len(content):
        raise ValueError(f"{len(content)} bytes cannot hold {count} strings")
    lengths, position = [], 0
    for _ in range(count):
        length, position = _read_varint(content, position)
        lengths.append(length)
    if position + sum(lengths) != len(content):
        raise ValueError(f"packed strings announce {sum(lengths)} bytes and have {len(content) - position}")
    items = []
    for length in lengths:
        items.append(content[position : position + length])
        position += length
    return items


def _read_varint(content: bytes, position: int) -> tuple[int, int]:
    """The varint at a position, and the position after it."""
    value = 0
    for shift, byte in zip(range(0, 35, 7), content[position : position + 5], strict=False):
        value |= (byte & 0x7F) << shift
        position += 1
        if byte < 0x80:
            return value, position
    raise ValueError("packed strings end inside a length")


def _fill(values: np.ndarray, shape: tuple[Any, ...], repeats: bool) -> np.ndarray:
    """Reshapes flat values; with `repeats`, the last value fills the remaining elements."""
    count = math.prod(shape)
    if len(values) == count:
        return values.reshape(shape)
    if not repeats or len(values) > count:
        raise ValueError(f"a tensor of shape {list(shape)} wants {count} elements and has {len(values)}")
    if count * values.itemsize > MAX_REPEATED_BYTES:
        raise ValueError(f"a tensor of shape {list(shape)} with {len(values)} values in it is too large")
    if len(values) <= 1:
        return np.broadcast_to(values if len(values) else _zero(values.dtype), shape)
    return np.concatenate([values, np.broadcast_to(values[-1:], count - len(values))]).reshape(shape)


def _zero(dtype: np.dtype) -> Any:
    return np.array(b"" if dtype.hasobject else 0, dtype)


# ---------------------------------------------------------------- tensors: encoding


def tensor_to_proto(value: Any, dtype: DType | None = None, pack: bool = True) -> protos.tensor_pb2.TensorProto:
    """Encodes a tensor in TensorFlow's layout.

    Args:
        value: an array, or a value that NumPy converts to one. Text is encoded as UTF-8.
        dtype: its dtype, by default the array's. Needed for quantized dtypes held as plain integers.
        pack: whether to pack elements as bytes where TensorFlow does; False lists them one by one.

    Raises:
        TypeError: the values do not have the dtype, or a message cannot hold the dtype.
    """
    array = np.asarray(value)
    dtype = as_dtype(array.dtype if dtype is None else dtype).base_dtype
    message = protos.tensor_pb2.TensorProto
    shape = shape_to_proto(array.shape)
    if array.size > 1 and not any(array.strides):  # a broadcast value is written once
        array = array[(0,) * (array.ndim - 1)][:1]
    if dtype is dtypes.string:
        return message(dtype=dtype.enum, tensor_shape=shape, string_val=_strings(array))
    if dtype not in _LAYOUTS:
        raise TypeError(f"a tensor of type {dtype.name} cannot be written to a message")
    array, layout = _as_held(array, dtype), _LAYOUTS[dtype]
    if array.size > 1 and layout.packs and pack:
        return message(dtype=dtype.enum, tensor_shape=shape, tensor_content=array.tobytes())
    values = array.reshape(-1)
    values = values if layout.bits is None else values.view(layout.bits)
    if layout.carrier in _RAW and values.size:
        made = message(dtype=dtype.enum, tensor_shape=shape)
        made.MergeFromString(_packed(made.DESCRIPTOR.fields_by_name[layout.field].number, values.tobytes()))
        return made
    return message(dtype=dtype.enum, tensor_shape=shape, **{layout.field: values.tolist()})


_RAW = (np.float32, np.float64, np.bool_)
"""Carriers whose bytes are those of a packed field: a hundred times faster to hand over than Python's numbers."""


def _packed(number: int, content: bytes) -> bytes:
    """A packed field on the wire."""
    length, size = bytearray(), len(content)
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    return b"%c%b%c%b" % (number << 3 | 2, bytes(length), size, content)


def _as_held(array: np.ndarray, dtype: DType) -> np.ndarray:
    """The array in the NumPy dtype that holds the dtype's values."""
    if array.dtype.names is not None and as_dtype(array.dtype) is dtype:  # a quantized type's one-field records
        return array[array.dtype.names[0]]
    if array.dtype == object:
        raise TypeError(f"objects cannot be written as {dtype.name}")
    return np.asarray(array.astype(dtype.np, casting="same_kind", copy=False), order="C")


def _strings(array: np.ndarray) -> Sequence[bytes]:
    """The elements as bytes, in C order."""
    items = [item.encode() if isinstance(item, str) else item for item in array.reshape(-1).tolist()]
    for item in items:
        if not isinstance(item, bytes):
            raise TypeError(f"a string tensor cannot hold {item!r}")
    return items
