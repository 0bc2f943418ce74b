"""Arrays from the JSON of a predict request, by row or by column, and the JSON of its answer."""

from __future__ import annotations

import base64
import binascii
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.dtypes import DType
from evergraph.base.errors import invalid
from evergraph.serving.json_text import listed, shown, written, written_with_infinities
from evergraph.serving.signature import Signature

NAMED_BYTES = "_bytes"  # the end of the name of an output whose strings are written in base64
_MOST_RANK = 32  # below NumPy's own limit

# ---------------------------------------------------------------- requests


def inputs_of(request: Mapping[str, Any], signature: Signature) -> tuple[list[np.ndarray], bool]:
    """(the inputs in the signature's order, whether they came by row).

    Raises:
        InvalidArgumentError: the request has neither or both of `instances` and `inputs`, or they do not fit.
    """
    if "instances" in request:
        if "inputs" in request:
            raise invalid("A request has either 'inputs' or 'instances', and this one has both")
        return _by_row(request["instances"], signature), True
    if "inputs" not in request:
        raise invalid("Missing 'inputs' or 'instances' key")
    return _by_column(request["inputs"], signature), False


def _by_row(rows: Any, signature: Signature) -> list[np.ndarray]:
    if type(rows) is not list or not rows:
        raise invalid(f"'instances' wants a list that is not empty, not {shown(rows)}")
    if _is_record(rows[0]):
        return [array_of([row[name] for row in _records(rows, signature)], dtype, name)
                for name, dtype in zip(signature.names, signature.dtypes)]  # fmt: skip
    if len(signature.names) != 1:
        raise invalid(f"'instances' must be objects with the inputs {list(signature.names)}, not {shown(rows[0])}")
    if dict in map(type, rows) and any(map(_is_record, rows)):
        raise invalid("'instances' has values and objects; they must be alike")
    return [array_of(rows, signature.dtypes[0], signature.names[0])]


def _records(rows: Sequence[Any], signature: Signature) -> Sequence[dict[str, Any]]:
    names = signature.inputs.keys()
    for place, row in enumerate(rows):
        if not _is_record(row):
            raise invalid(f"'instances' has objects, but item {place} is {shown(row)}")
        if row.keys() != names:
            raise invalid(f"The keys of item {place} of 'instances' must be {list(names)}, not {list(row)}")
    return rows


def _by_column(columns: Any, signature: Signature) -> list[np.ndarray]:
    if _is_record(columns):
        missing = [name for name in signature.names if name not in columns]
        if missing:
            raise invalid(f"'inputs' lacks {missing}")
        return [array_of(columns[name], dtype, name) for name, dtype in zip(signature.names, signature.dtypes)]
    if len(signature.names) != 1:
        raise invalid(f"'inputs' must be an object with the inputs {list(signature.names)}, not {shown(columns)}")
    return [array_of(columns, signature.dtypes[0], signature.names[0])]


def _is_record(value: Any) -> bool:
    """Whether a value is an object with inputs, not one with base64."""
    return type(value) is dict and not _is_base64(value)


def _is_base64(value: dict[str, Any]) -> bool:
    return len(value) == 1 and type(value.get("b64")) is str


# ---- one input


def array_of(value: Any, dtype: DType, name: str) -> np.ndarray:
    """A JSON value as an array: nested lists of numbers, booleans or strings.

    Raises:
        InvalidArgumentError: the lists are ragged, or an element is no such number.
        UnimplementedError: JSON has no form of the dtype.
    """
    allowed = _ELEMENTS.get(dtype)
    if allowed is None:
        raise errors.UnimplementedError(None, None, f"The input {name!r} is of type {dtype.name}, which JSON lacks")
    shape, elements = _flat(value, dtype, name)
    if not set(map(type, elements)) <= allowed:
        raise _not_of(value, dtype, name)
    if dtype is dtypes.string:
        array = np.empty(len(elements), object)
        array[:] = [_bytes(element, name) for element in elements]
        return array.reshape(shape)
    try:
        return np.array(elements, dtype.np).reshape(shape)
    except (ValueError, OverflowError) as error:  # a number that the dtype cannot hold
        raise invalid(f"The input {name!r} is no array of type {dtype.name}: {error}") from None


_ELEMENTS: dict[DType, frozenset[type]] = {
    **dict.fromkeys([dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16], frozenset([float, int])),
    **dict.fromkeys([dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64], frozenset([int])),
    **dict.fromkeys([dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64], frozenset([int])),
    dtypes.bool: frozenset([bool]),
    dtypes.string: frozenset([str, dict]),
}
"""The types that elements in JSON may have, by the dtype that they are for. NumPy alone would take texts and booleans
for numbers, and make room for the longest text in place of each."""


_LISTS = {list}


def _flat(value: Any, dtype: DType, name: str) -> tuple[list[int], list[Any]]:
    """(the shape of nested lists, their elements), level by level: most levels of a picture have one or three."""
    if type(value) is not list:
        return [], [value]
    shape, elements = [len(value)], value
    while elements and type(elements[0]) is list:
        if len(shape) == _MOST_RANK:
            raise invalid(f"Lists may be {_MOST_RANK} deep, and these are deeper: {shown(value)}")
        if len(elements) == 1:
            elements = elements[0]
            shape.append(len(elements))
            continue
        sizes = set(map(len, elements)) if set(map(type, elements)) == _LISTS else ()
        if len(sizes) != 1:
            raise invalid(f"The input {name!r} is no array of type {dtype.name}: lists have different lengths")
        shape.append(*sizes)
        elements = list(itertools.chain.from_iterable(elements))
    return shape, elements


def _not_of(value: Any, dtype: DType, name: str) -> errors.OpError:
    return invalid(f"The input {name!r} is not of expected type {dtype.name}: {shown(value)}")


def _bytes(element: Any, name: str) -> bytes:
    if type(element) is str:
        return element.encode(errors="surrogatepass")
    if type(element) is dict and _is_base64(element):
        return from_base64(element["b64"])
    raise invalid(f"The input {name!r} is not of expected type string: {shown(element)}")


def from_base64(text: str) -> bytes:
    """The bytes of a base64 text, with or without padding at its end.

    Raises:
        InvalidArgumentError: it is none.
    """
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise invalid(f"Unable to base64 decode {shown(text)}") from None


# ---------------------------------------------------------------- answers


def predictions(values: Sequence[np.ndarray], names: Sequence[str], by_row: bool) -> bytes:
    """The JSON of a predict answer, in the form of the request.

    Raises:
        InvalidArgumentError: the outputs of a request by row do not have the same number of rows.
    """
    key = "predictions" if by_row else "outputs"
    if by_row:
        _check_rows(values, names)
    forms = [plain(value, name) for value, name in zip(values, names)]
    if len(names) == 1:
        answer: Any = forms[0]
    elif by_row:
        answer = [dict(zip(names, row)) for row in zip(*forms)]
    else:
        answer = dict(zip(names, forms))
    return written_out({key: answer}, values)


def written_out(answer: Any, values: Sequence[np.ndarray]) -> bytes:
    """The JSON text of an answer with these values in it, which may be NaN or infinite."""
    text = written(answer)
    if b"null" in text and not all(map(_is_finite, values)):  # what orjson writes for those
        return written_with_infinities(_with_lists(answer))
    return text


def _check_rows(values: Sequence[np.ndarray], names: Sequence[str]) -> None:
    for value, name in zip(values, names):
        if not value.ndim or len(value) != len(values[0]):
            raise invalid(f"The output {name!r} of shape {list(value.shape)} has no row for each instance; ask by "
                          "'inputs' instead of 'instances'")  # fmt: skip


def plain(value: np.ndarray, name: str) -> Any:
    """An array in a form that orjson writes."""
    kind = value.dtype.kind
    if kind == "O":
        return _texts(value, _as_base64 if name.endswith(NAMED_BYTES) else _as_text)
    if kind not in "fiub":  # bfloat16 and the small floats
        if kind != "V":
            raise invalid(f"The output {name!r} is of type {value.dtype}, for which JSON has no form")
        value = value.astype(np.float32)
    if not value.ndim:
        return value[()]
    return value if value.flags.c_contiguous else np.ascontiguousarray(value)


def _texts(value: np.ndarray, form: Any) -> Any:
    elements = np.empty(value.size, object)
    elements[:] = [form(element) for element in value.reshape(-1)]
    return elements.reshape(value.shape).tolist()


def _as_base64(element: bytes) -> dict[str, str]:
    return {"b64": base64.b64encode(element).decode()}


def _as_text(element: bytes) -> str:
    return element.decode(errors="replace")


def _is_finite(value: np.ndarray) -> bool:
    return value.dtype.kind not in "fV" or bool(np.isfinite(value).all())


def _with_lists(answer: Any) -> Any:
    """Lists in place of the arrays of an answer."""
    if isinstance(answer, (np.ndarray, np.generic)):
        return listed(np.asarray(answer))
    if isinstance(answer, dict):
        return {name: _with_lists(value) for name, value in answer.items()}
    return [_with_lists(value) for value in answer] if isinstance(answer, list) else answer
