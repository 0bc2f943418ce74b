"""Descriptions of messages that a program brings along, or that are known here."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import Any

import tensorboard.compat.proto
from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory, text_format

from evergraph.proto import OURS

LOCAL = b"local://"
INLINE = b"bytes://"


def find_message(message_type: str, files: bytes | None) -> Any:
    """The descriptor of a message.

    Args:
        message_type: its full name. "tensorflow.Example" and the like are found as well.
        files: a serialized FileDescriptorSet; None for the messages that the program has loaded.

    Raises:
        ValueError: `files` is no FileDescriptorSet.
        KeyError: there is no such message.
    """
    if files is not None:
        return _pool_of(files).FindMessageTypeByName(message_type)
    names = [message_type]
    if message_type.startswith("tensorflow."):
        _load_all()
        names += [message_type.replace("tensorflow", package, 1) for package in ("evergraph", "tensorboard")]
    for name in names:
        try:
            return descriptor_pool.Default().FindMessageTypeByName(name)
        except KeyError:
            continue
    raise KeyError(message_type)


@functools.cache
def _load_all() -> None:
    """Loads all messages there are, so that they can be found by name."""
    for name in OURS:
        importlib.import_module(f"evergraph.proto.{name}")
    for found in pkgutil.iter_modules(tensorboard.compat.proto.__path__, "tensorboard.compat.proto."):
        if found.name.endswith("_pb2"):
            importlib.import_module(found.name)


def _pool_of(files: bytes) -> Any:
    described = descriptor_pb2.FileDescriptorSet()
    try:
        described.ParseFromString(files)
    except message.DecodeError as error:
        raise ValueError(f"no serialized FileDescriptorSet: {error}") from None
    pool = descriptor_pool.DescriptorPool()
    for file in described.file:
        try:
            pool.Add(file)
        except TypeError as error:
            raise ValueError(f"the description {file.name!r} is not sound: {error}") from None
    return pool


def find_field(descriptor: Any, name: str) -> Any:
    """A field of a message by its name, or an extension by its full name; None when there is none."""
    field = descriptor.fields_by_name.get(name)
    if field is not None:
        return field
    try:
        extension = descriptor.file.pool.FindExtensionByName(name)
    except KeyError:
        return None
    return extension if extension.containing_type is descriptor else None


def rewritten(data: bytes, descriptor: Any, is_text: bool) -> bytes:
    """A message read and written again, by protobuf itself.

    Raises:
        ValueError: the data is no such message.
    """
    value = message_factory.GetMessageClass(descriptor)()
    try:
        if is_text:
            text_format.Parse(data, value)
        else:
            value.ParseFromString(data)
        return value.SerializeToString()
    except (text_format.ParseError, message.DecodeError, message.EncodeError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None
