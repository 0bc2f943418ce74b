"""Makes message classes from a table of fields, so that this room needs no compiled .proto files.

A table maps each message to its fields, `name: type = number`, separated by commas:

    define(globals(), {
        "Extent": "start: int64 = 1, has_length.length: int64 = 2",       # length is in the oneof has_length
        "Slice":  "extents: Extent* = 1, sizes: {string: int64} = 2",     # repeated; map
        "Order":  ["LITTLE", "BIG"],                                      # an enum, numbered from 0
        "Kind":   {"LESS": 0, "EQUAL": 3},                                # an enum with numbers of its own
    })

A dotted name is a message or enum inside another. A type is one of protobuf's scalar types, or a message or enum:
of the same package, or a full name when it starts with `tensorboard.`, `evergraph.` or `google.`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.internal import builder

_FIELD = re.compile(r"(?:(\w+)\.)?(\w+): (?:\{(\w+): ([\w.]+)\}|([\w.]+)(\*)?) = (\d+)")
_Field = descriptor_pb2.FieldDescriptorProto
_SCALARS = {
    name.removeprefix("TYPE_").lower(): number
    for name, number in _Field.Type.items()
    if name not in ("TYPE_MESSAGE", "TYPE_ENUM", "TYPE_GROUP")
}


def define(module: dict[str, Any], table: Mapping[str, str | Sequence[str] | Mapping[str, int]], *,
           uses: Sequence[ModuleType] = (), package: str = "evergraph") -> None:  # fmt: skip
    """Adds to a module's globals the classes that the table describes.

    Args:
        module: the globals of a module whose name ends in `_pb2`.
        table: messages and enums by name, an outer one before what is inside it.
        uses: the modules of the messages that fields refer to.
        package: the protobuf package of the new names.
    """
    name = module["__name__"]
    file = descriptor_pb2.FileDescriptorProto(
        name=name.replace(".", "/").removesuffix("_pb2") + ".proto", package=package, syntax="proto3",
        dependency=[used.DESCRIPTOR.name for used in uses])  # fmt: skip
    homes: dict[str, Any] = {"": file}
    for path, body in table.items():
        outer, _, short = path.rpartition(".")
        if isinstance(body, str):
            homes[path] = _add_message(homes[outer], short)
            _add_fields(homes[path], body, f"{package}.{path}", package)
        else:
            enum = homes[outer].enum_type.add(name=short)
            numbers = body if isinstance(body, Mapping) else {value: number for number, value in enumerate(body)}
            for value, number in numbers.items():
                enum.value.add(name=value, number=number)
    module["DESCRIPTOR"] = descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    builder.BuildMessageAndEnumDescriptors(module["DESCRIPTOR"], module)
    builder.BuildTopDescriptorsAndMessages(module["DESCRIPTOR"], name, module)


def _add_message(home: Any, name: str) -> descriptor_pb2.DescriptorProto:
    nested = home.nested_type if isinstance(home, descriptor_pb2.DescriptorProto) else home.message_type
    return nested.add(name=name)


def _add_fields(message: descriptor_pb2.DescriptorProto, body: str, path: str, package: str) -> None:
    oneofs: dict[str, int] = {}
    for text in filter(None, re.split(r",\s+", body.strip())):
        match = _FIELD.fullmatch(text)
        if match is None:
            raise ValueError(f"message {path}: {text!r} is not 'name: type = number'")
        oneof, name, key, value, type_name, repeated, number = match.groups()
        if key is not None:
            type_name, repeated = _add_map_entry(message, name, key, value, path, package), "*"
        field = _add_field(message, name, int(number), type_name, package, repeated=repeated is not None)
        if oneof is not None:
            if oneof not in oneofs:
                oneofs[oneof] = len(oneofs)
                message.oneof_decl.add(name=oneof)
            field.oneof_index = oneofs[oneof]


def _add_field(message: descriptor_pb2.DescriptorProto, name: str, number: int, type_name: str, package: str, *,
               repeated: bool = False) -> descriptor_pb2.FieldDescriptorProto:  # fmt: skip
    field = message.field.add(name=name, number=number)
    field.label = _Field.LABEL_REPEATED if repeated else _Field.LABEL_OPTIONAL
    if type_name in _SCALARS:
        field.type = _SCALARS[type_name]
    else:  # the pool finds out whether it is a message or an enum
        is_absolute = type_name.startswith(("tensorboard.", "evergraph.", "google.", f"{package}."))
        field.type_name = f".{type_name}" if is_absolute else f".{package}.{type_name}"
    return field


def _add_map_entry(message: descriptor_pb2.DescriptorProto, field: str, key: str, value: str, path: str,
                   package: str) -> str:  # fmt: skip
    """Adds the hidden message that holds one pair of a map; returns its full name."""
    entry = message.nested_type.add(name="".join(word.capitalize() for word in field.split("_")) + "Entry")
    entry.options.map_entry = True
    _add_field(entry, "key", 1, key, package)
    _add_field(entry, "value", 2, value, package)
    return f"{path}.{entry.name}"
