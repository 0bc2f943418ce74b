"""The packages that hold the pictures, texts and known models of Keras: imported when used, for evergraph."""
from __future__ import annotations

import functools
import importlib
import types
from typing import Any

import numpy as np


def imported(name: str, what: str) -> Any:
    """A package, or a module of one, that something needs.

    Raises:
        ImportError: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if error.name not in (name.partition(".")[0], None):
            raise
        package = {"yaml": "pyyaml"}.get(name, name.partition(".")[0].replace("_", "-"))
        raise ImportError(f"{what} needs the package {package}: pip install {package}") from error


@functools.cache
def preprocessing(part: str) -> Any:
    """A module of keras_preprocessing: "image", "sequence" or "text".

    Raises:
        ImportError: the package is not installed.
    """
    package = imported("keras_preprocessing", f"tf.keras.preprocessing.{part}")
    package.set_keras_submodules(backend=keras_module("backend"), utils=keras_module("utils"))
    module = importlib.import_module(f"keras_preprocessing.{part}")
    if part == "image":
        _find_affine_transform()
    if part == "sequence":
        module.np = _NumPy()
    return module


def _find_affine_transform() -> None:
    """Lets the package find affine_transform where SciPy has it now: scipy.ndimage.interpolation is going away."""
    affine = importlib.import_module("keras_preprocessing.image.affine_transformations")
    if affine.scipy is not None:
        affine.ndimage = types.SimpleNamespace(interpolation=affine.ndimage)


class _NumPy:
    """NumPy with a name that version 2 has removed, and that `pad_sequences` uses."""

    unicode_ = np.str_

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


@functools.cache
def applications(part: str) -> Any:
    """A module of keras_applications, such as "vgg16".

    Raises:
        ImportError: the package is not installed.
    """
    imported("keras_applications", f"tf.keras.applications.{part}")
    return importlib.import_module(f"keras_applications.{part}")


def keras_module(name: str) -> Any:
    """tf.keras.backend and its like."""
    return importlib.import_module(f"evergraph.keras.{name}")
