"""Ops that encode and decode strings: base64, compression, raw numbers, serialized tensors."""
import base64
import re
import zlib

import numpy as np

import evergraph.proto as protos
from evergraph import native
from evergraph.base import dtypes, errors
from evergraph.base.errors import invalid
from evergraph.formats import plain_values, tensor_messages
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import same_as
from evergraph.kernel.rows import along_first
from evergraph.ops.strings.strings import shown
from evergraph.ops.strings.walking import each, flat, objects, vector
from evergraph.proto.wire import from_bytes

# ---- base64


@op("EncodeBase64(input: string, *, pad: bool = False) -> output: string", shape=same_as("input"), grad=STOP,
    in_batches=along_first)
def encode_base64(input, pad):
    """Encodes strings in web-safe base64, padded with "=" to a multiple of four if `pad` is true."""
    encode = base64.urlsafe_b64encode
    if pad:
        return each(encode, input, native.strings, "to_padded_base64")
    return each(lambda s: encode(s).rstrip(b"="), input, native.strings, "to_base64")


_BASE64 = re.compile(rb"[A-Za-z0-9_-]*")


@op("DecodeBase64(input: string) -> output: string", shape=same_as("input"), grad=STOP, in_batches=along_first)
def decode_base64(input):
    """Decodes strings of web-safe base64, with or without padding."""
    return each(_from_base64, input, native.strings, "from_base64")


def _from_base64(string):
    if len(string) % 4 == 1:
        raise invalid("the number of letters is 1 modulo 4: four letters of base64 are three bytes")
    if len(string) % 4 == 0:
        string = string.removesuffix(b"==") if string.endswith(b"==") else string.removesuffix(b"=")
    if not _BASE64.fullmatch(string):
        raise invalid("Invalid character found in base64.")
    return base64.urlsafe_b64decode(string + b"=" * (-len(string) % 4))


# ---- compression

_WINDOW = {"ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS | 16}


@op("DecodeCompressed(bytes: string, *, compression_type: string = '') -> output: string", shape=same_as("bytes"),
    grad=STOP)
def decode_compressed(bytes, compression_type):
    """Decompresses strings; `compression_type` is "ZLIB", "GZIP" or "" for none."""
    if compression_type == "":
        return bytes
    if compression_type not in _WINDOW:
        raise invalid("compression_type is ZLIB, GZIP or empty")
    return each(lambda s: _inflated(s, _WINDOW[compression_type]), bytes)


def _inflated(data, window):
    """Decompresses data, which may be truncated; gzip members are concatenated."""
    pieces = []
    while data:
        stream = zlib.decompressobj(window)
        try:
            pieces.append(stream.decompress(data))
        except zlib.error as error:
            raise errors.DataLossError(None, None, f"inflate() failed: {error}") from None
        data = stream.unused_data if window != zlib.MAX_WBITS else b""
    return b"".join(pieces)


# ---- raw numbers

@op("DecodeRaw(bytes: string, *, "
    "out_type: {index, half, float, double, uint16, uint8, int16, int8, complex64, complex128, bool}, "
    "little_endian: bool = True) -> output: out_type", grad=STOP, in_batches=along_first)
def decode_raw(bytes, out_type, little_endian, node):
    """Reinterprets the bytes of each string as numbers, along a new last axis. All strings have one length."""
    strings = vector(bytes)
    size = len(strings[0]) if len(strings) else 0
    data = np.empty(len(strings) * size, np.uint8)
    place = _joined_raw(strings, size, data)
    if place < len(strings):
        raise invalid(f"DecodeRaw requires input strings to all be the same size, but element {place} has size "
                      f"{size} != {len(strings[place])}")
    if size % out_type.itemsize:
        raise invalid(f"Input to DecodeRaw has length {size} that is not a multiple of {out_type.itemsize}, the size "
                      f"of {node.attrs['out_type'].name}")
    return _numbers(data, out_type, little_endian).reshape(*np.shape(bytes), size // out_type.itemsize)


def _joined_raw(strings, size, data):
    """Writes strings of one size one after another; the place of the first string of another size, or how many there
    are."""
    if native.strings is not None:
        return native.strings.raw(strings, 0, data)
    sizes = [len(string) for string in strings]
    if set(sizes) <= {size}:
        data[:] = np.frombuffer(b"".join(strings), np.uint8)
        return len(strings)
    return next(place for place, each in enumerate(sizes) if each != size)


def _numbers(data, dtype, little_endian):
    """Bytes as numbers; the array may be that of the bytes."""
    if dtype.kind == "b":
        return np.frombuffer(data, np.uint8) != 0
    return np.frombuffer(data, dtype.newbyteorder("<" if little_endian else ">")).astype(dtype)


@decode_raw.shape
def _(bytes):
    return None if bytes is None else (*bytes, None)


@op("DecodePaddedRaw(input_bytes: string, fixed_length: int32, *, "
    "out_type: {index, half, float, double, uint16, uint8, int16, int8}, little_endian: bool = True) -> "
    "output: out_type", grad=STOP)
def decode_padded_raw(input_bytes, fixed_length, out_type, little_endian):
    """Reinterprets the first bytes of each string as numbers; short strings are padded with zeros."""
    if np.ndim(fixed_length):
        raise invalid(f"k must be scalar, got shape {shown(np.shape(fixed_length))}")
    length = int(fixed_length)
    if length <= 0:
        raise invalid(f"fixed_length ({length}) must be greater than zero.")
    if length % out_type.itemsize:
        raise invalid(f"fixed_length is {length}, not a multiple of {out_type.itemsize}, the size of out_type")
    data = bytearray().join(s[:length].ljust(length, b"\0") for s in flat(input_bytes))
    return _numbers(data, out_type, little_endian).reshape(*np.shape(input_bytes), length // out_type.itemsize)


@decode_padded_raw.shape
def _(input_bytes, fixed_length, out_type, value_of):
    if fixed_length is not None and len(fixed_length):
        raise ValueError(f"Input must be scalar but has rank {len(fixed_length)}")
    length = value_of("fixed_length")
    if length is not None and length < 0:
        raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {length}")
    if length is not None and length % out_type.np.itemsize:
        raise ValueError(f"Dimension size must be evenly divisible by {out_type.np.itemsize} but is {length}")
    count = None if length is None else int(length) // out_type.np.itemsize
    return None if input_bytes is None else (*input_bytes, count)


# ---- serialized tensors

@op("SerializeTensor(tensor: T, *, T: type) -> serialized: string", shape=lambda: (), grad=STOP,
    export=("serialize_tensor", "io.serialize_tensor"))
def serialize_tensor(tensor, node):
    """Serializes a tensor to a TensorProto."""
    if node.attrs["T"] is dtypes.variant:
        return objects([_of_variants(np.asarray(tensor)).SerializeToString()], ())
    proto = tensor_messages.tensor_to_proto(np.asarray(tensor), node.attrs["T"])
    return objects([_with_content(proto, np.asarray(tensor)).SerializeToString()], ())


def _of_variants(values):
    """The message of plain values, such as the state of an iterator."""
    proto = protos.tensor_pb2.TensorProto(dtype=dtypes.variant.enum,
                                          tensor_shape=tensor_messages.shape_to_proto(values.shape))
    for value in values.reshape(-1):
        proto.variant_val.add().ParseFromString(plain_values.encoded(value))
    return proto


def _variants(proto):
    """What `_of_variants` wrote."""
    values = np.empty(len(proto.variant_val), object)
    for place, value in enumerate(proto.variant_val):
        values[place] = plain_values.decoded(value.SerializeToString())
    return values.reshape(tensor_messages.proto_to_shape(proto.tensor_shape))


def _with_content(proto, array):
    """The message with all its numbers in `tensor_content`, as TensorFlow's op writes it."""
    if array.dtype == object:
        return proto
    return protos.tensor_pb2.TensorProto(dtype=proto.dtype, tensor_shape=proto.tensor_shape,
                                         tensor_content=np.ascontiguousarray(array).tobytes())


@op("ParseTensor(serialized: string, *, out_type: type) -> output: out_type", shape=lambda: None, grad=STOP,
    export=("parse_tensor", "io.parse_tensor"))
def parse_tensor(serialized, node):
    """Parses a serialized TensorProto to a tensor."""
    if np.ndim(serialized):
        raise invalid(f"Expected `serialized` to be a scalar, got shape: {shown(np.shape(serialized))}")
    try:
        proto = from_bytes(np.asarray(serialized, object).item(), protos.tensor_pb2.TensorProto())
        held, wanted = dtypes.as_dtype(proto.dtype), node.attrs["out_type"]
        array = _variants(proto) if held is dtypes.variant else tensor_messages.proto_to_array(proto)
    except (TypeError, ValueError) as error:
        raise invalid(f"Cannot parse tensor from proto: {error}") from None
    if held is not wanted:
        raise invalid(f"Type mismatch between parsed tensor ({dtypes.short_name(held)}) and dtype "
                      f"({dtypes.short_name(wanted)})")
    return array
