"""What tasks send each other: a header in JSON and arrays, whose bytes are copied once and never taken apart.

A frame is the length of the header in four bytes, the header, and the buffers, each at a multiple of 64 bytes from the
beginning. The header has the dtype, shape and number of bytes of each array. Strings are their lengths, and
then their bytes.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import TensorShape

_LENGTH = struct.Struct("<I")
_ALIGNED = 64  # bytes, so that arrays can be used where they lie
_STRING = "string"


def packed(fields: dict[str, Any], arrays: Sequence[Any] = ()) -> bytes:
    """A frame with some fields and arrays. Raises as `parts`."""
    return b"".join(parts(fields, arrays))


def parts(fields: dict[str, Any], arrays: Sequence[Any] = ()) -> list[Any]:
    """The buffers of which a frame with some fields and arrays consists; those of the arrays are the arrays' own.

    Raises:
        UnimplementedError: a value is no array of numbers or strings, and so cannot leave its process.
    """
    forms, buffers = [], []
    for value in arrays:
        form, buffer = _strings(value) if getattr(value, "dtype", None) == np.dtype(object) else _numbers(value)
        forms.append(form)
        buffers.append(buffer)
    header = json.dumps({**fields, "arrays": forms}).encode()
    header += b" " * (-(_LENGTH.size + len(header)) % _ALIGNED)
    found: list[Any] = [_LENGTH.pack(len(header)), header]
    for buffer in buffers:
        found += [buffer, bytes(-len(buffer) % _ALIGNED)]
    return found


def _numbers(value: Any) -> tuple[list[Any], memoryview]:
    array = np.ascontiguousarray(value).reshape(np.shape(value))
    try:
        name = dtypes.as_dtype(array.dtype).name
    except TypeError:
        raise errors.UnimplementedError(None, None, f"to send {type(value).__name__} to another task") from None
    if array.dtype.hasobject:
        raise errors.UnimplementedError(None, None, f"to send {type(value).__name__} to another task")
    return [name, array.shape, array.nbytes], memoryview(array.reshape(-1).view(np.uint8))


def _strings(array: Any) -> tuple[list[Any], bytes]:
    values = array.reshape(-1).tolist()
    if not all(isinstance(value, bytes) for value in values):
        raise errors.UnimplementedError(None, None, "to send objects that are no strings to another task")
    content = np.array([len(value) for value in values], np.int64).tobytes() + b"".join(values)
    return [_STRING, array.shape, len(content)], content


def unpacked(frame: bytes | memoryview) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The fields and the arrays of a frame, which the arrays keep alive; they are not to be written to.

    Raises:
        DataLossError: it is none.
    """
    try:
        return _unpacked(frame)
    except (ValueError, TypeError, KeyError, IndexError, struct.error, OverflowError, RecursionError) as error:
        raise errors.DataLossError(None, None, f"a message is damaged: {error}") from None


def _unpacked(frame: bytes | memoryview) -> tuple[dict[str, Any], list[np.ndarray]]:
    (length,) = _LENGTH.unpack_from(frame)
    start = _LENGTH.size + length
    header = json.loads(bytes(frame[_LENGTH.size : start]))
    arrays = []
    for name, shape, size in header.pop("arrays"):
        if not isinstance(size, int) or not 0 <= size <= len(frame) - start:
            raise ValueError(f"an array of {size} bytes where there are {len(frame) - start}")
        if not all(isinstance(n, int) and n >= 0 for n in shape):
            raise ValueError(f"the shape {shape}")
        arrays.append(_array(frame, start, name, tuple(shape), size))
        start += size + -size % _ALIGNED
    return header, arrays


def _array(frame: bytes | memoryview, start: int, name: str, shape: tuple[int, ...], size: int) -> np.ndarray:
    if name != _STRING:
        dtype = dtypes.as_dtype(name).np
        if dtype.hasobject:
            raise ValueError(f"the dtype {name}")
        return np.frombuffer(frame, dtype, _count(shape, size, dtype.itemsize), start).reshape(shape)
    count = TensorShape(shape).num_elements()
    lengths = np.frombuffer(frame, np.int64, _within(count, size // 8), start)
    if lengths.size and lengths.min() < 0 or 8 * count + lengths.sum() != size:
        raise ValueError("strings of other lengths")
    found, at = np.empty(count, object), start + 8 * count
    for position, length in enumerate(lengths.tolist()):
        found[position], at = bytes(frame[at : at + length]), at + length
    return found.reshape(shape)


def _count(shape: tuple[int, ...], size: int, item: int) -> int:
    count = math.prod(shape)
    if count * item != size:
        raise ValueError(f"{size} bytes for the shape {shape}")
    return count


def _within(count: int, most: int) -> int:
    if count > most:
        raise ValueError(f"{count} strings in {most} bytes")
    return count
