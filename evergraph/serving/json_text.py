"""JSON as TensorFlow Serving reads and writes it: with NaN and Infinity, which JSON itself does not have."""

from __future__ import annotations

import json
import reprlib
from typing import Any

import numpy as np
import orjson

from evergraph.base.errors import invalid

_shortened = reprlib.Repr()
_shortened.maxstring = _shortened.maxother = 100


def parsed(body: bytes | bytearray) -> Any:
    """The value of a JSON text, which may have the numbers NaN, Infinity and -Infinity.

    Raises:
        InvalidArgumentError: the text is no JSON.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        if b"NaN" not in body and b"Infinity" not in body:
            raise invalid(f"JSON Parse error: {error}") from None
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise invalid(f"JSON Parse error: {error}") from None


def parsed_object(body: bytes | bytearray) -> dict[str, Any]:
    """As `parsed`, for a text that has to be an object."""
    value = parsed(body)
    if type(value) is not dict:
        raise invalid(f"A JSON object was expected, not {shown(value)}")
    return value


def written(value: Any) -> bytes:
    """The JSON text of plain values and arrays; floats that are no numbers must be in arrays of `plain`'s."""
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY)


def written_with_infinities(value: Any) -> bytes:
    """As `written`, for values without arrays, in which floats may be NaN or infinite."""
    return json.dumps(value, separators=(",", ":")).encode()


def listed(array: np.ndarray) -> Any:
    """An array as lists of Python's numbers; a float32 becomes the shortest number that rounds to it."""
    if array.dtype != np.float32:
        return array.tolist()
    nearest = [float(str(number)) for number in array.reshape(-1)]
    return np.array(nearest, object).reshape(array.shape).tolist()


def shown(value: Any) -> str:
    """A value for an error message, shortened."""
    return _shortened.repr(value)
