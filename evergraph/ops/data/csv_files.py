"""Datasets of the rows of CSV files (RFC 4180). Unlike in lines of text, a quoted field may hold line breaks."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors, files
from evergraph.base.errors import invalid
from evergraph.kernel.values import boxed
from evergraph.ops.data import reading
from evergraph.ops.data.blocks import Block
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import Dataset, Element, Iterator, number, text
from evergraph.ops.data.reading import compression_of, opened_file
from evergraph.ops.strings.csv_records import columns_in_c
from evergraph.ops.strings.numbers import real_number, whole_number

_BREAK = re.compile(rb"[\r\n]")
_AT_ONCE = 1 << 16  # bytes in which lines are looked for


class CsvRows(Dataset):
    """The rows of CSV files, one file after another.

    Args:
        names: of the files.
        opened: gives the records of a file.
        types, shapes: of the columns that are read.
        defaults: what stands for an empty field, as a vector of one value; without a value the field is required.
        missing: a field that counts as empty.
        columns: the numbers of the columns to read; all if there are none.
        delimiter, has_quotes: what is between fields, and whether fields may be in quotes.
    """

    def __init__(self, names: Any, opened: Any, types: Any, shapes: Any, defaults: list[Any], missing: bytes,
                 columns: list[int], delimiter: bytes, has_quotes: bool) -> None:
        super().__init__(types, shapes)
        if np.ndim(names) > 1:
            raise invalid("`filenames` must be a scalar or vector.")
        self.names, self.opened = [os.fsdecode(name) for name in np.ravel(names).tolist()], opened
        self._defaults = [np.ravel(default) for default in defaults]
        self._missing, self._columns = missing, columns
        self._form = [kind.np for kind in self.types], delimiter, has_quotes, missing, columns

    def iterate(self, scope: Any) -> Iterator:
        return _CsvIterator(self)

    def element(self, record: Any) -> Element:
        """The components of a record."""
        if isinstance(record, str):
            raise invalid(record)
        count = len(self.types)
        fields = [record[column] for column in self._columns if column < len(record)] if self._columns else record
        if len(fields) != count:
            have = "more" if len(fields) > count else len(fields)
            raise invalid(f"Expect {count} fields but have {have} in record")
        return [self._value(place, field) for place, field in enumerate(fields)]

    def columns(self, lines: list[bytes]) -> list[Any] | None:
        """The columns of lines that are a record each, if each of these can be read; None if that is not sure.

        A quoted field that goes on in the next line is none that ends in its own.
        """
        return columns_in_c(lines, self._defaults, *self._form) if all(lines) else None

    def _value(self, place: int, field: bytes) -> Any:
        kind, default = self.types[place], self._defaults[place]
        if not field or field == self._missing:
            if not default.size:
                raise invalid(f"Field {place} is required but missing in record!")
            return boxed(default[0]) if kind is dtypes.string else default[0]
        if kind is dtypes.string:
            return boxed(field)
        read = whole_number if kind.is_integer else real_number
        value = read(field, kind.np)
        if value is None:
            raise invalid(f"Field {place} in record is not a valid {dtypes.short_name(kind)}: "
                          f"{field.decode(errors='replace')}")
        with np.errstate(over="ignore"):
            return np.array(value, kind.np)


class _CsvIterator(Iterator):
    """Opens a file when the first of its rows is asked for."""

    def __init__(self, dataset: CsvRows) -> None:
        super().__init__()
        self._dataset, self._at = dataset, 0
        self._records: _Records | None = None

    def get(self) -> Element | None:
        while self._at < len(self._dataset.names):
            if self._records is None:
                self._records = self._dataset.opened(self._dataset.names[self._at])
            record = next(self._records, None)
            if record is not None:
                return self._dataset.element(record)
            self.close()
            self._at += 1
        return None

    def block(self, count: int) -> Block:
        lines = self._records.lines(count) if self._records is not None else []
        if not lines or self._records is None:
            return super().block(1)  # which opens a file or reads more of it
        columns = self._dataset.columns(lines)
        if columns is None:
            return super().block(len(lines))
        self._records.skip(lines)
        return Block(columns, len(lines))

    def state(self) -> Any:
        return self._at, None if self._records is None else self._records.offset

    def restore(self, state: Any) -> None:
        self._at, offset = state
        if offset is not None:
            self._records = self._dataset.opened(self._dataset.names[self._at])
            self._records.seek(offset)

    def close(self) -> None:
        records, self._records = self._records, None
        if records is not None:
            records.close()


class _Records:
    """The records of a file: lists of fields, or a text that says what is wrong with the record.

    Attributes:
        offset: where the next record begins.
    """

    def __init__(self, path: str, compression: str, buffer_size: int, delimiter: bytes, has_quotes: bool) -> None:
        self._file, self._place = opened_file(path, compression, buffer_size)
        self._is_plain, self.offset = not compression, 0
        self._size, self._delimiter, self._has_quotes = buffer_size, delimiter, has_quotes
        self._ends = re.compile(b"[\r\n" + re.escape(delimiter) + (b'"' if has_quotes else b"") + b"]")
        self._begin()

    def _begin(self) -> None:
        self._buffer, self._at, self._is_all = b"", 0, False
        self._lines: list[bytes] = []  # some that follow, as `lines` has found them: the last ones first
        self._break = b"\n"

    def seek(self, offset: int) -> None:
        """Goes to a place that `offset` told before, behind the one where it is."""
        if not self._is_plain:
            while self.offset < offset:
                next(self)
            return
        with files.told_as_op_errors(self._place):
            self._file.seek(offset)
        self._begin()
        self.offset = offset

    def close(self) -> None:
        self._file.close()

    def lines(self, count: int) -> list[bytes]:
        """Up to so many of the next lines, without their breaks; none where these are irregular or not read yet.

        A line is a record unless it has a quoted field that goes on in the next one. `skip` draws lines.
        """
        if not self._lines:
            part = self._buffer[self._at:self._at + _AT_ONCE]
            self._break = b"\r\n" if b"\r" in part else b"\n"
            if self._break == b"\n" or part.count(b"\r\n") == part.count(b"\r") == part.count(b"\n"):
                self._lines = part.split(self._break)[-2::-1]  # the last one may go on
        return self._lines[:-count - 1:-1]

    def skip(self, lines: list[bytes]) -> None:
        """Goes on behind lines, which are the next ones."""
        del self._lines[-len(lines):]
        self._pass(self._at + sum(map(len, lines)) + len(self._break) * len(lines))

    def _pass(self, end: int) -> None:
        self.offset += end - self._at
        self._at = end

    def __next__(self) -> list[bytes] | str:
        self._lines = []
        while (found := self._record()) is None:
            if len(self._buffer) - self._at > reading.MOST_LINE:
                raise errors.ResourceExhaustedError(
                    None, None, f"a record of {self._place} has more than {reading.MOST_LINE} bytes")
            with files.told_as_op_errors(self._place):
                more = self._file.read(max(self._size, len(self._buffer) - self._at))
            self._is_all = not more
            self._buffer, self._at = self._buffer[self._at:] + more, 0
        record, end = found
        if record is None:
            raise StopIteration
        self._pass(end)
        return record

    def _record(self) -> tuple[Any, int] | None:
        """(a record, where the next one begins); None if more must be read first. At the end the record is None."""
        fields: list[bytes] = []
        at = self._at
        if at == len(self._buffer):
            return (None, at) if self._is_all else None
        while True:
            quoted = self._has_quotes and self._buffer[at:at + 1] == b'"'
            field, at = self._quoted(at) if quoted else self._plain(at)
            if isinstance(field, str):
                return self._after_line(field, at)
            if at == len(self._buffer) and not self._is_all:
                return None
            fields.append(field)
            if self._buffer[at:at + 1] != self._delimiter:
                return self._after_line(fields, at)
            at += 1

    def _plain(self, start: int) -> tuple[bytes | str, int]:
        """(a field without quotes, where it ends)."""
        end = self._ends.search(self._buffer, start)
        at = len(self._buffer) if end is None else end.start()
        if self._has_quotes and self._buffer[at:at + 1] == b'"':
            return "Unquoted fields cannot have quotes inside", at
        return self._buffer[start:at], at

    def _quoted(self, start: int) -> tuple[bytes | str, int]:
        """(a field in quotes, where it ends); two quotes inside it mean one."""
        at, pieces = start + 1, []
        while (end := self._buffer.find(b'"', at)) >= 0:
            pieces.append(self._buffer[at:end])
            after = self._buffer[end + 1:end + 2]
            if after in (b"", b"\r", b"\n", self._delimiter):
                return b'"'.join(pieces), end + 1
            if after != b'"':
                return "Quote inside a string has to be escaped by another quote", end + 1
            at = end + 2
        wrong = "Reached end of file without closing quoted field in record"
        return wrong if self._is_all else b"", len(self._buffer)

    def _after_line(self, record: Any, at: int) -> tuple[Any, int] | None:
        """(a record, where the line after the given place begins); None if that is not known yet."""
        end = _BREAK.search(self._buffer, at)
        at = len(self._buffer) if end is None else end.end()
        if not self._is_all and (end is None or at == len(self._buffer) and end.group() == b"\r"):
            return None
        if end is not None and end.group() == b"\r" and self._buffer[at:at + 1] == b"\n":
            at += 1
        return record, at


def _opener(kind, buffer, header, delimiter, has_quotes):
    def opened(path):
        records = _Records(path, kind, buffer, delimiter, has_quotes)
        if header and next(records, None) is None:
            records.close()
            raise invalid(f"Can't read header of file {path}")
        return records
    return opened


def _check_defaults(defaults):
    for place, default in enumerate(defaults):
        if np.ndim(default) > 1:
            raise invalid("Each record default should be at most rank 1")
        if np.size(default) > 1:
            raise invalid(f"record_defaults: field {place} has {np.size(default)} defaults, expected one at most")


def _check_columns(columns, types):
    if columns and len(columns) != len(types):
        raise invalid("select_cols must name as many columns as there are outputs")
    if any(here >= after for here, after in zip(columns, columns[1:])):
        raise invalid(f"select_cols must increase, got {columns}")
    if any(column < 0 for column in columns):
        raise invalid(f"select_cols must be 0 or more each, got {columns}")


def csv_shape(record_defaults):
    """Checks the shapes of the defaults."""
    for default in record_defaults:
        if default is not None and len(default) > 1:
            raise ValueError(f"Each record default should be at most rank 1: Shape must be at most rank 1 but is rank "
                             f"{len(default)}")
        if default and default[0] is not None and default[0] > 1:
            raise ValueError("record_defaults: a default is one value or none, so it must be a scalar or short "
                             f"vector, got shape {default}")
    return ()


COLUMNS = ("filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: string, "
           "use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: output_types{}, *, "
           "output_types: list({{float, double, int32, int64, string}}) >= 1, output_shapes: list(shape) >= 1")
"""The inputs and attrs of the op, with room for later inputs."""


@two_names(f"CSVDataset({COLUMNS.format('')})", {}, shape=csv_shape, stateful=True, outside=True)
def csv_dataset(node, filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value,
                select_cols, record_defaults):
    """A dataset of the rows of CSV files."""
    kind, buffer, delimiter = compression_of(compression_type), number(buffer_size), text(field_delim).encode()
    if buffer <= 0:
        raise invalid("buffer_size should be positive")
    if len(delimiter) != 1:
        raise invalid("field_delim must be one character")
    _check_defaults(record_defaults)
    columns, types = np.asarray(select_cols).tolist(), node.attrs["output_types"]
    _check_columns(columns, types)
    opened = _opener(kind, buffer, bool(header), delimiter, bool(use_quote_delim))
    return CsvRows(filenames, opened, types, node.attrs["output_shapes"], list(record_defaults),
                   text(na_value).encode(), columns, delimiter, bool(use_quote_delim))
