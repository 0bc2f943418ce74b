"""The packages that the extra `lite` installs, imported when they are needed."""

from __future__ import annotations

import importlib
from typing import Any


class MissingLibrary(ImportError):
    """A package of the extra `lite` is not installed."""


def schema() -> Any:
    """The classes of TensorFlow Lite's flatbuffer schema."""
    return _imported("ai_edge_litert.schema_py_generated")


def interpreter() -> Any:
    return _imported("ai_edge_litert.interpreter")


def calibrator() -> Any:
    """TensorFlow's int8 calibrator and quantizer."""
    return _imported("ai_edge_litert._pywrap_tensorflow_lite_calibration_wrapper")


def flatbuffers() -> Any:
    return _imported("flatbuffers")


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingLibrary(
            f"tf.lite needs {name.partition('.')[0]} ({error}): pip install ai-edge-litert flatbuffers") from error
