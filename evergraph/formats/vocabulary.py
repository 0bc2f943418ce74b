"""Text files that initialize lookup tables: one entry per line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.files import read_file

WHOLE_LINE, LINE_NUMBER = -2, -1


def _invalid(message: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, message)


class TextEntries:
    """The keys and values in the lines of a text file.

    Args:
        path: the file.
        key_index, value_index: the column of the keys and values, or WHOLE_LINE or LINE_NUMBER.
        size: the number of lines to read; -1 for all.
        delimiter: the separator of columns.
        key_dtype, value_dtype: their NumPy dtypes; strings are object.

    Raises:
        InvalidArgumentError: a line is empty, the file has fewer than `size` lines, or a dtype cannot hold a value.
        NotFoundError: the file does not exist.
        OutOfRangeError: the file is empty.
    """

    def __init__(self, path: str, key_index: int, value_index: int, size: int, delimiter: str, key_dtype: np.dtype,
                 value_dtype: np.dtype) -> None:
        self._path, self._delimiter = path, delimiter.encode("latin-1")
        self._key = self._reader(key_index, key_dtype)
        self._value = self._reader(value_index, value_dtype)
        self._lines = self._read(size)

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        for number, line in enumerate(self._lines):
            if not line:
                raise _invalid(f"{self._path}: line {number + 1} is empty")
            yield self._key(number, line), self._value(number, line)

    def _read(self, size: int) -> list[bytes]:
        lines = read_file(self._path).replace(b"\r", b"").split(b"\n")
        if not lines[-1]:
            lines.pop()
        if size >= 0:
            if len(lines) < size:
                raise _invalid(f"Invalid vocab_size {size}: {self._path} has {len(lines)} lines")
            lines = lines[:size]
        if not lines:
            raise errors.OutOfRangeError(None, None, f"{self._path} holds no entry")
        return lines

    def _reader(self, index: int, dtype: np.dtype) -> Callable[[int, bytes], Any]:
        """A function that extracts the key or value from a line."""
        if index == LINE_NUMBER:
            if dtype != np.int64:
                raise _invalid(f"{self._path}: line numbers are int64, the table wants {dtype}")
            return lambda number, line: number
        if index == WHOLE_LINE:
            if not dtype.hasobject and dtype.kind != "i":
                raise _invalid(f"{self._path}: whole lines are strings or integers, the table wants {dtype}")
            return lambda number, line: self._converted(line, number, dtype)
        return lambda number, line: self._converted(self._column(line, index, number), number, dtype)

    def _column(self, line: bytes, index: int, number: int) -> bytes:
        columns = line.split(self._delimiter)
        if index >= len(columns):
            raise _invalid(f"Invalid number of columns in {self._path}: line {number + 1} has {len(columns)}, wanted "
                           f"is column {index}")
        return columns[index]

    def _converted(self, text: bytes, number: int, dtype: np.dtype) -> Any:
        if dtype.hasobject:
            return text
        try:
            value = int(text) if dtype.kind == "i" else float(text)
            return dtype.type(value).item()
        except (ValueError, OverflowError):
            raise _invalid(f"{self._path}: line {number + 1} says {text!r}, which is not a valid {dtype}") from None
