"""Plain Python values as bytes: numbers, texts, arrays, errors, and tuples, lists, dicts, sets and deques of them.

The bytes are a VariantTensorDataProto, which describes an element of a variant tensor: its metadata says how the value
is nested, its tensors are the arrays.
"""

from __future__ import annotations

import base64
import collections
import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors
from evergraph.formats.tensor_messages import proto_to_array, tensor_to_proto

TYPE_NAME = "evergraph.plain"
_KINDS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple, "list": list, "set": set, "deque": collections.deque, "dict": dict}
_PARTS: dict[str, Callable[[Any], Iterable[Any]]] = {"dict": lambda value: value.items()}


def add_kind(kind: type, parts: Callable[[Any], Iterable[Any]], made: Callable[[list[Any]], Any]) -> None:
    """Lets values hold objects of a class: `made` makes one of the plain values that `parts` takes it into."""
    _KINDS[kind.__name__], _PARTS[kind.__name__] = made, parts


def encoded(value: Any) -> bytes:
    """The bytes of a value.

    Raises:
        UnimplementedError: it holds an object of another kind.
    """
    message = proto.tensor_pb2.VariantTensorDataProto(type_name=TYPE_NAME)
    message.metadata = json.dumps(_nested(value, message)).encode()
    return message.SerializeToString()


def decoded(content: bytes) -> Any:
    """The value that `encoded` made these bytes of.

    Raises:
        DataLossError: they are none of it.
    """
    try:
        message = proto.tensor_pb2.VariantTensorDataProto.FromString(content)
        if message.type_name != TYPE_NAME:
            raise ValueError(f"they hold a {message.type_name!r}")
        return _value(json.loads(message.metadata), message)
    except Exception as error:  # protobuf's own class for damage differs between its implementations
        raise errors.DataLossError(None, None, f"the bytes are no plain value: {error}") from error


def _nested(value: Any, message: Any) -> Any:
    """A value as JSON has it: [kind, parts...] for all but numbers, texts and None."""
    if value is None or isinstance(value, (bool, int, float, str)) and not isinstance(value, np.generic):
        return value
    if isinstance(value, bytes):
        return ["bytes", base64.b64encode(value).decode()]
    if isinstance(value, Exception):
        kind = type(value).__name__ if isinstance(value, errors.OpError) else "UnknownError"
        return ["error", kind, str(getattr(value, "message", value))]
    if isinstance(value, (np.ndarray, np.generic)):
        return _array(value, message)
    kind = type(value).__name__
    if kind not in _KINDS:
        raise errors.UnimplementedError(None, None, f"a state that holds a {kind} cannot be written to a file")
    return [kind, *(_nested(part, message) for part in _PARTS.get(kind, iter)(value))]


def _array(value: Any, message: Any) -> list[Any]:
    array = np.asarray(value)
    if array.dtype.hasobject and not all(isinstance(each, bytes) for each in array.ravel().tolist()):
        return ["objects", list(array.shape), *(_nested(each, message) for each in array.ravel().tolist())]
    message.tensors.append(tensor_to_proto(array, dtypes.string if array.dtype.hasobject else None))
    return ["array" if isinstance(value, np.ndarray) else "scalar", len(message.tensors) - 1]


def _value(nested: Any, message: Any) -> Any:
    if not isinstance(nested, list):
        return nested
    kind, *parts = nested
    if kind == "bytes":
        return base64.b64decode(parts[0])
    if kind == "error":
        return getattr(errors, parts[0])(None, None, parts[1])
    if kind in ("array", "scalar"):
        array = proto_to_array(message.tensors[parts[0]])
        return array.copy() if kind == "array" else array[()]
    if kind == "objects":
        result = np.empty(len(parts) - 1, object)
        for place, part in enumerate(parts[1:]):
            result[place] = _value(part, message)
        return result.reshape(parts[0])
    return _KINDS[kind]([_value(part, message) for part in parts])
