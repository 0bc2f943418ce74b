"""What an HDF5 file holds: a Keras model or its weights, or any datasets."""

from __future__ import annotations

import json
import math
import os
from typing import Any

from evergraph.cli.reports.report import Report, Table

SIGNATURE = b"\x89HDF\r\n\x1a\n"


def keras_file_report(path: str) -> Report:
    """Lists layers, optimizer and arrays.

    Raises:
        ValueError: h5py is not installed, or the file is damaged.
    """
    try:
        import h5py
    except ImportError:
        raise ValueError("HDF5 files need h5py: pip install h5py") from None
    try:
        with h5py.File(path, "r") as file:
            return _report(path, file)
    except OSError as error:
        raise ValueError(f"a damaged HDF5 file: {error}") from None


def _report(path: str, file: Any) -> Report:
    arrays: list[list[Any]] = []
    file.visititems(lambda name, each: arrays.append(_row(name, each)) if hasattr(each, "shape") else None)
    config = _json(file.attrs.get("model_config"))
    training = _json(file.attrs.get("training_config"))
    layers = [[layer.get("class_name"), layer.get("config", {}).get("name")] for layer in _layers(config)]
    weights = file.get("model_weights", file)
    facts = {
        "format": "Keras model" if config else "Keras weights" if "layer_names" in weights.attrs else "HDF5",
        "keras_version": _text(weights.attrs.get("keras_version")),
        "backend": _text(weights.attrs.get("backend")),
        "model": config.get("class_name") if config else None,
        "loss": str(training["loss"]) if training and training.get("loss") else None,
        "optimizer": (training or {}).get("optimizer_config", {}).get("class_name"),
        "file_bytes": os.path.getsize(path),
        "elements": sum(row[3] for row in arrays),
    }
    return Report(
        "hdf5",
        path,
        facts,
        [Table("layers", ["class", "name"], layers), Table("arrays", ["name", "dtype", "shape", "elements"], arrays)],
    )


def _row(name: str, array: Any) -> list[Any]:
    return [name, str(array.dtype), list(array.shape), math.prod(array.shape)]


def _layers(config: Any) -> list[Any]:
    inner = (config or {}).get("config", [])
    layers = inner.get("layers", []) if isinstance(inner, dict) else inner
    return [layer for layer in layers if isinstance(layer, dict)]


def _json(value: Any) -> Any:
    try:
        return None if value is None else json.loads(_text(value))
    except json.JSONDecodeError:
        return None


def _text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
