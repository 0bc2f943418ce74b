"""Conversion between fields of protobuf messages and tensors: DecodeProtoV2 and EncodeProto.

Both work on the wire format, a sequence of (field number, wire type, content): the descriptor tells how to decode
content, not which fields may occur. See `proto.descriptors` for the rest.
"""

from __future__ import annotations

import functools
import struct
from dataclasses import dataclass

import numpy as np

from evergraph.base import dtypes, errors, files
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge_all
from evergraph.ops.strings.strings import as_bytes, shown
from evergraph.ops.strings.walking import flat, objects
from evergraph.proto import descriptors

_VARINT, _EIGHT, _SIZED, _BEGIN, _END, _FOUR = range(6)
_DEEPEST = 100  # the maximal nesting of groups


# ---- the kinds of fields

@dataclass(frozen=True)
class Kind:
    """How the values of a field are encoded.

    Attributes:
        name: protobuf's name of the type.
        wire: the wire type.
        dtypes: the dtypes that its values may have as a tensor.
        code: the `struct` format of a fixed-size type.
        is_zigzag: whether integers are zigzag-encoded: 0, -1, 1, -2, ...
    """

    name: str
    wire: int
    dtypes: tuple[dtypes.DType, ...]
    code: str = ""
    is_zigzag: bool = False


_INT = (dtypes.int32, dtypes.int64)
_UINT = (dtypes.uint32, dtypes.uint64)
_KINDS = {  # by protobuf's type number
    1: Kind("double", _EIGHT, (dtypes.float64,), "<d"),
    2: Kind("float", _FOUR, (dtypes.float32, dtypes.float64), "<f"),
    3: Kind("int64", _VARINT, (dtypes.int64,)),
    4: Kind("uint64", _VARINT, (dtypes.uint64,)),
    5: Kind("int32", _VARINT, _INT),
    6: Kind("fixed64", _EIGHT, (dtypes.uint64,), "<Q"),
    7: Kind("fixed32", _FOUR, _UINT, "<I"),
    8: Kind("bool", _VARINT, (dtypes.bool,)),
    9: Kind("string", _SIZED, (dtypes.string,)),
    10: Kind("group", _BEGIN, (dtypes.string,)),
    11: Kind("message", _SIZED, (dtypes.string,)),
    12: Kind("bytes", _SIZED, (dtypes.string,)),
    13: Kind("uint32", _VARINT, _UINT),
    14: Kind("enum", _VARINT, (dtypes.int32,)),
    15: Kind("sfixed32", _FOUR, _INT, "<i"),
    16: Kind("sfixed64", _EIGHT, (dtypes.int64,), "<q"),
    17: Kind("sint32", _VARINT, _INT, is_zigzag=True),
    18: Kind("sint64", _VARINT, (dtypes.int64,), is_zigzag=True),
}
_NARROW = {"int32", "uint32", "sint32", "enum"}
_UNSIGNED = {"uint32", "uint64", "bool"}


def _number(raw, kind):
    """Decodes a number on the wire."""
    bits = 32 if kind.name in _NARROW else 64
    raw &= (1 << bits) - 1
    if kind.is_zigzag:
        return raw >> 1 ^ -(raw & 1)
    if kind.name == "bool":
        return raw != 0
    return raw - (1 << bits) if kind.name not in _UNSIGNED and raw >> bits - 1 else raw


def _raw(value, kind):
    """Encodes a number for the wire, the inverse of `_number`; truncates one that is too large for the field."""
    bits = 32 if kind.name in _NARROW else 64
    value = int(value) & (1 << bits) - 1
    if kind.name in _UNSIGNED:
        return value
    value = value - (1 << bits) if value >> bits - 1 else value
    return (value << 1 ^ value >> 63) & 0xFFFFFFFFFFFFFFFF if kind.is_zigzag else value & 0xFFFFFFFFFFFFFFFF


def _is_file(source):
    """Whether a descriptor_source is the name of a file."""
    return source not in (b"", descriptors.LOCAL) and not source.startswith(descriptors.INLINE)


def _reads_description(node):
    return _is_file(as_bytes(node.attrs["descriptor_source"]))


@functools.lru_cache(maxsize=64)
def _described(message_type, source):
    """The descriptor of a message; `source` locates its description."""
    if _is_file(source):
        try:
            content = files.read_file(source)
        except errors.OpError as error:
            raise invalid(f"no description of messages can be read from {source!r}: {error.message}") from None
    else:
        content = source.removeprefix(descriptors.INLINE) if source.startswith(descriptors.INLINE) else None
    try:
        return descriptors.find_message(message_type, content)
    except ValueError as error:
        raise invalid(f"{source[:40]!r} does not lead to a serialized FileDescriptorSet: {error}") from None
    except KeyError:
        raise invalid(f"No descriptor found for message type {message_type}") from None


def _fields(message_type, source, names):
    descriptor = _described(message_type, as_bytes(source))
    fields = [descriptors.find_field(descriptor, name) for name in names]
    for name, field in zip(names, fields):
        if field is None:
            raise invalid(f"Unknown field: {name} in message type {message_type}")
    return descriptor, fields


# ---- decoding

class _Damaged(Exception):
    """The bytes are not a valid message."""


def _varint(data, at):
    """(number, position after it)."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number & 0xFFFFFFFFFFFFFFFF, at
    raise _Damaged


def _parts(data):
    """(field number, wire type, content) of each field of a message: numbers as ints, other content as bytes."""
    at, size = 0, len(data)
    while at < size:
        tag, at = _varint(data, at)
        place, wire = tag >> 3, tag & 7
        if not 0 < place < 1 << 29:
            raise _Damaged
        start = at
        if wire == _VARINT:
            number, at = _varint(data, at)
            yield place, wire, number
            continue
        if wire == _BEGIN:
            stop, at = _end_of_group(data, at, place)
        else:
            if wire == _SIZED:
                length, start = _varint(data, at)
            elif wire in (_EIGHT, _FOUR):
                length = 8 if wire == _EIGHT else 4
            else:
                raise _Damaged
            stop = at = start + length
        if at > size:
            raise _Damaged
        yield place, wire, data[start:stop]


def _end_of_group(data, at, place):
    """(end of a group's content, position after the group)."""
    open_groups = [place]
    while True:
        before = at
        tag, at = _varint(data, at)
        wire = tag & 7
        if wire == _END:
            if tag >> 3 != open_groups.pop():
                raise _Damaged
            if not open_groups:
                return before, at
        elif wire == _BEGIN:
            open_groups.append(tag >> 3)
            if len(open_groups) > _DEEPEST:
                raise _Damaged
        elif wire == _VARINT:
            _, at = _varint(data, at)
        elif wire == _SIZED:
            length, at = _varint(data, at)
            at += length
        elif wire in (_EIGHT, _FOUR):
            at += 8 if wire == _EIGHT else 4
        else:
            raise _Damaged


def _values(kind, wire, content):
    """The values of a field in one occurrence: several if packed, none if the wire type differs."""
    if wire == kind.wire:
        if wire == _VARINT:
            return [_number(content, kind)]
        return list(struct.unpack(kind.code, content)) if kind.code else [content]
    if wire != _SIZED or kind.wire not in (_VARINT, _EIGHT, _FOUR):
        return []
    if kind.code:
        if len(content) % struct.calcsize(kind.code):
            raise _Damaged
        return [value for value, in struct.iter_unpack(kind.code, content)]
    numbers, at = [], 0
    while at < len(content):
        number, at = _varint(content, at)
        numbers.append(_number(number, kind))
    return numbers


def _read_message(data, places, kinds, are_repeated):
    """The values of each field of a message; of a field that is not repeated the last one counts."""
    found = [[] for _ in kinds]
    for place, wire, content in _parts(data):
        index = places.get(place)
        if index is not None:
            values = _values(kinds[index], wire, content)
            if values and not are_repeated[index]:
                found[index] = values[-1:]
            else:
                found[index] += values
    return found


def _default(field, dtype):
    """The value of a missing field."""
    if dtype is not dtypes.string:
        if field.type == 14:
            return field.default_value if not field.is_repeated else field.enum_type.values[0].number
        return 0 if field.is_repeated else field.default_value
    value = b"" if field.is_repeated or field.type in (10, 11) else field.default_value
    return value.encode() if isinstance(value, str) else value


def _column(rows, shape, dtype, default):
    """The values of a field in all messages, each padded to the longest."""
    width = max(1, *map(len, rows))
    array = np.full((len(rows), width), np.array([default], dtype.np), dtype.np)
    for row, values in zip(array, rows):
        row[:len(values)] = np.array(values, dtype.np)
    return array.reshape(*shape, width)


_FORMATS = ("binary", "text")


@op("DecodeProtoV2(bytes: string, *, message_type: string, field_names: list(string), output_types: list(type) >= 0, "
    "descriptor_source: string = 'local://', message_format: string = 'binary', sanitize: bool = False) -> "
    "sizes: int32, values: output_types", on="host", grad=STOP, outside=_reads_description,
    export=("io.decode_proto", "contrib.proto.decode_proto"))
def decode_proto(bytes, node, message_type, field_names, descriptor_source, message_format, sanitize):
    """Decodes fields of serialized messages, and counts the values of each field in each message.

    Args:
        bytes: the messages, strings.
        message_type: the full name of their type.
        field_names: the fields to decode.
        output_types: the dtype of each field.
        descriptor_source: where the type is described: "local://" for what Python has imported, or a file of
            descriptors.
        message_format: "binary" or "text".
        sanitize: has no meaning here.
    """
    types = node.attrs["output_types"]
    if len(types) != len(field_names):
        raise invalid(f"there must be a type for each field, got {len(types)} for {len(field_names)}")
    if message_format not in _FORMATS:
        raise invalid(f"message_format must be one of {_FORMATS}, not {message_format!r}")
    descriptor, fields = _fields(message_type, descriptor_source, field_names)
    kinds = [_KINDS[field.type] for field in fields]
    for field, kind, dtype in zip(fields, kinds, types):
        if dtype not in kind.dtypes:
            raise invalid(f"Unexpected output type for {field.full_name}: {kind.name} to {dtype.name}")
    shape, messages = np.shape(bytes), flat(bytes)
    if not messages:
        raise invalid("there must be at least one message")
    places = {}
    for index, field in enumerate(fields):
        places.setdefault(field.number, index)
    is_text = message_format == "text"
    try:
        if is_text or sanitize:
            messages = [descriptors.rewritten(each, descriptor, is_text) for each in messages]
        found = [_read_message(each, places, kinds, [field.is_repeated for field in fields]) for each in messages]
    except (_Damaged, ValueError) as error:
        raise errors.DataLossError(
            None, None, f"Unable to parse {message_format} protobuf of type {message_type} {error}".rstrip()) from None
    sizes = np.array([[len(values) for values in row] for row in found], np.int32)
    columns = [_column([row[index] for row in found], shape, dtype, _default(field, dtype))
               for index, (field, dtype) in enumerate(zip(fields, types))]
    sizes = sizes.reshape(*shape, len(fields))
    return sizes, columns


@decode_proto.shape
def _(bytes, field_names, output_types):
    if bytes is None:
        return [None] * (1 + len(output_types))
    return [(*bytes, len(field_names)), *((*bytes, None) for _ in output_types)]


# ---- encoding

def _write_varint(out, number):
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _write_value(out, kind, value):
    if kind.wire == _VARINT:
        _write_varint(out, _raw(value, kind))
    elif kind.code:
        out += struct.pack(kind.code, value)
    else:
        if kind.wire == _SIZED:
            _write_varint(out, len(value))
        out += value


def _write_field(out, field, kind, values):
    tag = field.number << 3
    if field.is_repeated and field.GetOptions().packed and values:
        content = bytearray()
        for value in values:
            _write_value(content, kind, value)
        _write_varint(out, tag | _SIZED)
        _write_varint(out, len(content))
        out += content
        return
    for value in values:
        _write_varint(out, tag | kind.wire)
        _write_value(out, kind, value)
        if kind.wire == _BEGIN:
            _write_varint(out, tag | _END)


@op("EncodeProto(sizes: int32, values: Tinput_types, *, field_names: list(string), message_type: string, "
    "descriptor_source: string = 'local://', Tinput_types: list(type) >= 1) -> bytes: string", on="host", grad=STOP,
    outside=_reads_description, export=("io.encode_proto", "contrib.proto.encode_proto"))
def encode_proto(sizes, values, node, field_names, message_type, descriptor_source):
    """Encodes fields as serialized messages, in the order of their numbers.

    Args:
        sizes: how many values each field has in each message.
        values: the values of each field.
        field_names: the fields.
        message_type: the full name of the type.
        descriptor_source: where the type is described: "local://" for what Python has imported, or a file of
            descriptors.
    """
    types = node.attrs["Tinput_types"]
    if len(types) != len(field_names):
        raise invalid(f"there must be values for each field, got {len(types)} for {len(field_names)}")
    _, fields = _fields(message_type, descriptor_source, field_names)
    batch = np.shape(values[0])[:-1]
    _check_values(sizes, values, batch)
    columns = []
    for field, dtype, value, count in zip(fields, types, values, np.moveaxis(np.asarray(sizes), -1, 0)):
        kind = _KINDS[field.type]
        if dtype.base_dtype not in kind.dtypes:
            raise invalid(f"Incompatible type for field {field.name}.  Saw dtype: {dtype.name} but field type is: "
                          f"{kind.name}")
        columns.append((field, kind, _rows(value, kind), count.reshape(-1)))
    columns.sort(key=lambda column: column[0].number)
    return objects([_message(columns, place) for place in range(int(np.prod(batch)))], batch)


def _rows(value, kind):
    """The values of a field, one row per message, as numbers that fit the field."""
    width = np.shape(value)[-1]
    rows = np.asarray(value).reshape(int(np.prod(np.shape(value)[:-1])), width)
    with np.errstate(all="ignore"):
        return rows.astype(kind.code) if kind.code else rows


def _check_values(sizes, values, batch):
    for value in values:
        if np.shape(value)[:-1] != batch:
            raise invalid("values of one message have one shape but for the last axis, got "
                          f"{shown(np.shape(value))} beside {shown(np.shape(values[0]))}")
    wanted = (*batch, len(values))
    if np.shape(sizes) != wanted:
        raise invalid(f"sizes should be batch_size + [len(field_names)].  Saw: {shown(np.shape(sizes))} but expected: "
                      f"{shown(wanted)}")
    for index, value in enumerate(values):
        largest = np.max(np.asarray(sizes)[..., index], initial=0)
        if largest > np.shape(value)[-1]:
            raise invalid(f"{largest} values are to be written of field {index}, but there are {np.shape(value)[-1]}")


def _message(columns, place):
    out = bytearray()
    for field, kind, rows, counts in columns:
        count = max(int(counts[place]), 0)
        _write_field(out, field, kind, rows[place, :count].tolist() if count else [])
    return bytes(out)


@encode_proto.shape
def _(values):
    batches = []
    for shape in values:
        if shape is not None and len(shape) < 2:
            raise ValueError(f"Shape must be at least rank 2 but is rank {len(shape)}")
        batches.append(None if shape is None else shape[:-1])
    return merge_all(batches)
