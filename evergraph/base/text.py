"""Conversion between bytes and text."""

from __future__ import annotations

import codecs
import os
from typing import Any

from evergraph.base.export import export


@export("compat.as_bytes")
def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Converts a string to bytes.

    Args:
        bytes_or_text: `bytes` or `bytearray`, returned as bytes, or `str`, which is encoded.
        encoding: the encoding of text.

    Raises:
        TypeError: the value is neither.
        LookupError: the encoding is unknown.
    """
    codecs.lookup(encoding)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@export("compat.as_text", "compat.as_str")
def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Converts a string to text.

    Args:
        bytes_or_text: `str`, returned unchanged, or `bytes`, which are decoded.
        encoding: the encoding of the bytes.

    Raises:
        TypeError: the value is neither.
        LookupError: the encoding is unknown.
    """
    codecs.lookup(encoding)
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


@export("compat.as_str_any")
def as_str_any(value: Any) -> str:
    """Converts any value to text: bytes are decoded as UTF-8, other values are converted with `str`.

    >>> as_str_any(b"a"), as_str_any(3)
    ('a', '3')
    """
    return as_text(value) if isinstance(value, bytes) else str(value)


@export("compat.path_to_str")
def path_to_str(path: Any) -> Any:
    """The text or bytes of a `pathlib.Path` or another path object; other values are returned unchanged."""
    return os.fspath(path) if hasattr(path, "__fspath__") else path


bytes_or_text_types = export("compat.bytes_or_text_types")((bytes, str))
