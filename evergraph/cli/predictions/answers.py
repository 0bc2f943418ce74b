"""Outputs of a model, on the terminal or in a file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from evergraph.cli.plain import plain
from evergraph.cli.predictions.values import Unusable

_MOST_ROWS = 20


def show(answers: Mapping[str, Any], file: Any = None) -> None:
    """Prints each output: its dtype, its shape, its first rows."""
    for name, value in answers.items():
        array = np.asarray(value)
        print(f"{plain(name)}: {'string' if array.dtype == object else array.dtype} {list(array.shape)}",
              file=file or sys.stdout)  # fmt: skip
        for row in np.atleast_1d(array)[:_MOST_ROWS]:
            text = np.array2string(np.asarray(row), max_line_width=10_000, threshold=20, precision=6)
            print(f"  {plain(' '.join(text.split()))}", file=file or sys.stdout)
        if array.ndim and len(array) > _MOST_ROWS:
            print(f"  and {len(array) - _MOST_ROWS} more", file=file or sys.stdout)


def write(path: str, answers: Mapping[str, Any]) -> None:
    """Writes outputs by the ending of the file.

    Raises:
        Unusable: the ending is unknown, or .npy is to hold several outputs.
    """
    ending = os.path.splitext(path)[1].lower()
    arrays = {name: np.asarray(value) for name, value in answers.items()}
    if ending == ".json":
        with open(path, "w", encoding="utf-8") as file:
            json.dump({name: _plain(array) for name, array in arrays.items()}, file)
    elif ending == ".npz":
        np.savez(path, **{name: _stored(array) for name, array in arrays.items()})
    elif ending == ".npy" and len(arrays) == 1:
        np.save(path, _stored(next(iter(arrays.values()))))
    else:
        raise Unusable(f"{path}: {', '.join(arrays)} go into an .npz or .json file")


def _stored(array: Any) -> Any:
    """An array without objects, which NumPy would pickle."""
    return array.astype(bytes) if array.dtype == object else array


def _plain(array: Any) -> Any:
    if array.dtype == object:
        array = np.vectorize(_text, otypes=[object])(array)
    return array.tolist()


def _text(value: Any) -> Any:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value
