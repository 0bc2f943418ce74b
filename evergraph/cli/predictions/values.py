"""Values for a model's inputs, from files."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.proto import example_pb2


class Unusable(Exception):
    """The files do not fit the model; the message says why."""


def values(files: Sequence[str], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Input -> value.

    Args:
        files: "FILE", or "NAME=FILE" for one input.
        inputs: the model's inputs: name -> tensor.

    Raises:
        Unusable: a file names no input, or has values of another kind.
        OSError, ValueError: it cannot be read.
    """
    found: dict[str, Any] = {}
    for word in files:
        name, _, path = word.rpartition("=")
        if name and not os.path.exists(word):
            known = _known(name, inputs)
            found[known] = _read(path)
        else:
            found |= _by_name(_read(word), inputs)
    return {name: _fitted(name, value, inputs[name]) for name, value in found.items()}


def _known(name: str, inputs: Mapping[str, Any]) -> str:
    if name not in inputs:
        raise Unusable(f"the model has no input {name!r}, only {', '.join(inputs)}")
    return name


def _by_name(value: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a file that has one for each input, or the value of the only input."""
    if isinstance(value, dict) and value.keys() <= inputs.keys():
        return value
    if len(inputs) != 1:
        what = f"has {', '.join(map(str, value))}" if isinstance(value, dict) else "has one value"
        raise Unusable(f"the model has the inputs {', '.join(inputs)}, and the file {what}: name it, NAME=FILE")
    ((name, tensor),) = inputs.items()
    if not isinstance(value, dict):
        return {name: value}
    if tensor.dtype.base_dtype == dtypes.string:
        return {name: _examples(value)}
    return {name: np.stack([np.asarray(column) for column in value.values()], axis=-1)}


def _examples(columns: Mapping[str, Any]) -> Any:
    """Serialized Examples of rows whose columns are features."""
    rows = []
    for row in zip(*columns.values(), strict=True):
        example = example_pb2.Example()
        for name, value in zip(columns, row, strict=True):
            feature = example.features.feature[name]
            if isinstance(value, str):
                feature.bytes_list.value.append(value.encode())
            elif isinstance(value, (int, np.integer)):
                feature.int64_list.value.append(int(value))
            else:
                feature.float_list.value.append(float(value))
        rows.append(example.SerializeToString())
    return np.array(rows, object)


def _fitted(name: str, value: Any, tensor: Any) -> Any:
    """A value in the dtype of its input, with a first axis for one example where the input has one axis more."""
    dtype = tensor.dtype.base_dtype
    try:
        array = np.asarray(value, object if dtype == dtypes.string else dtype.np)
    except (ValueError, TypeError) as error:
        raise Unusable(f"the input {name!r} takes {dtype.name}: {error}") from None
    rank = tensor.shape.ndims
    return (
        array[np.newaxis]
        if rank is not None and array.ndim == rank - 1 and tensor.shape[0].value in (None, 1)
        else array
    )


def _read(path: str) -> Any:
    ending = os.path.splitext(path)[1].lower()
    if ending not in _READERS:
        raise Unusable(f"{path}: values are read from {', '.join(_READERS)}")
    return _READERS[ending](path)


def _json(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    return value.get("inputs", value.get("instances", value)) if isinstance(value, dict) else value


def _csv(path: str) -> Any:
    """Column -> its values; an array of numbers where the first line holds some already."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    if not rows:
        raise Unusable(f"{path}: no rows")
    if all(_is_number(word) for word in rows[0]):
        return np.array([[float(word) for word in row] for row in rows])
    return {name.strip(): _column([row[place] for row in rows[1:]]) for place, name in enumerate(rows[0])}


def _column(words: list[str]) -> list[Any]:
    for kind in (int, float):
        try:
            return [kind(word) for word in words]
        except ValueError:
            continue
    return words


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


_READERS: Mapping[str, Callable[[str], Any]] = {
    ".npy": lambda path: np.load(path, allow_pickle=False),
    ".npz": lambda path: dict(np.load(path, allow_pickle=False)),
    ".json": _json,
    ".csv": _csv,
}
