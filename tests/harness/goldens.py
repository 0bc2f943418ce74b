"""Reads and writes `tests/goldens/<family>.npz`: what TensorFlow answered, by case id.

Thousands of tiny arrays would cost more in zip entries than in numbers, so a file holds two entries: `index`, the
records as JSON, and `data`, the bytes of all arrays end to end. Strings stand in the index.
"""

import dataclasses
import json
import pathlib

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).parent.parent / "goldens"


@dataclasses.dataclass
class Golden:
    """TensorFlow's answer to one case."""

    dtypes: list                                           # of every output, by name
    shapes: dict                                           # "full", "partial", "unknown" -> static shapes, or an error
    values: list = dataclasses.field(default_factory=list)      # per run, the fetched outputs
    state: list = dataclasses.field(default_factory=list)       # the variables after the last run
    gradients: list | str | None = None                    # per leaf an array or None; or the error's class
    errors: dict = dataclasses.field(default_factory=dict)      # "full", "unknown" -> class name


def read(family):
    """The recorded answers of a family by case id; empty when nothing was recorded."""
    path = FOLDER / f"{family}.npz"
    if not path.exists():
        return {}
    return {name: Golden(**record) for name, record in _read(path).items()}


def write(family, goldens):
    """Replaces the family's file; the same answers give the same bytes."""
    _write(FOLDER / f"{family}.npz", {name: dataclasses.asdict(each) for name, each in goldens.items()})


def read_edges(family):
    """The recorded answers at edge values: {case id: {edge: arrays, or the class of an error}}."""
    path = FOLDER / "edges" / f"{family}.npz"
    return _read(path) if path.exists() else {}


def write_edges(family, answers):
    """Replaces the family's file of answers at edge values."""
    _write(FOLDER / "edges" / f"{family}.npz", answers)


def _read(path):
    with np.load(path) as file:
        index, data = json.loads(file["index"].tobytes()), file["data"].tobytes()
    return {name: _unpack(record, data) for name, record in index.items()}


def _write(path, records):
    data = bytearray()
    index = {name: _pack(records[name], data) for name in sorted(records)}
    path.parent.mkdir(exist_ok=True)
    np.savez_compressed(path, index=_bytes(json.dumps(index, sort_keys=True).encode()), data=_bytes(bytes(data)))


def _bytes(text):
    return np.frombuffer(text, dtype=np.uint8)


def _pack(value, data):
    if isinstance(value, dict):
        return {key: _pack(each, data) for key, each in value.items()}
    if isinstance(value, list):
        return [_pack(each, data) for each in value]
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype == object:
        return {"strings": [each.decode("latin-1") for each in value.ravel().tolist()], "shape": list(value.shape)}
    start = len(data)
    data += np.ascontiguousarray(value).tobytes()
    return {"array": value.dtype.name, "shape": list(value.shape), "at": [start, len(data)]}


def _unpack(value, data):
    if isinstance(value, list):
        return [_unpack(each, data) for each in value]
    if not isinstance(value, dict):
        return value
    if "strings" in value:
        found = np.empty(len(value["strings"]), dtype=object)
        found[:] = [each.encode("latin-1") for each in value["strings"]]
        return found.reshape(value["shape"])
    if "array" in value:
        start, end = value["at"]
        return np.frombuffer(data[start:end], _dtype(value["array"])).reshape(value["shape"])
    return {key: _unpack(each, data) for key, each in value.items()}


def _dtype(name):
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)
