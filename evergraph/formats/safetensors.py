"""Files of the safetensors format: a header in JSON, which says where each tensor is, and their bytes behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

_ALIGNMENT = 8  # of the header's end, so that readers may map the file into memory
_NAMES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32",
    "int16": "I16", "int8": "I8", "uint64": "U64", "uint32": "U32", "uint16": "U16", "uint8": "U8", "bool": "BOOL",
}  # fmt: skip
"""dtype -> its name in the header."""


def packed(arrays: Mapping[str, np.ndarray[Any, Any]], notes: Mapping[str, str]) -> bytes:
    """The content of a file with these arrays.

    Args:
        arrays: name -> array.
        notes: what else the header says.

    Raises:
        ValueError: the format has no such dtype.
    """
    header: dict[str, Any] = {"__metadata__": dict(notes)}
    parts, place = [], 0
    for name, array in arrays.items():
        if array.dtype.name not in _NAMES:
            raise ValueError(f"safetensors has no dtype {array.dtype.name}, which {name!r} has")
        content = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": _NAMES[array.dtype.name], "shape": list(array.shape),
                        "data_offsets": [place, place + len(content)]}  # fmt: skip
        parts.append(content)
        place += len(content)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])
