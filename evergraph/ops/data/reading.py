"""Datasets of what files hold: lines of text, TFRecords, records of one length; and of names of files."""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors, files
from evergraph.base.errors import invalid
from evergraph.formats.records import Inflated, RecordReader
from evergraph.kernel.values import boxed
from evergraph.ops.data.blocks import END, Block, texts
from evergraph.ops.data.pipeline import Dataset, Element, Iterator, dataset_op, number, shape_text, text
from evergraph.ops.data.sources import Rows

_BUFFER = 1 << 18
MOST_LINE = 1 << 29  # bytes of a line that is taken: a small compressed file can hold a line of any length
_COMPRESSIONS = ("", "ZLIB", "GZIP")


class Files(Dataset):
    """The records of files, one file after another.

    Args:
        names: of the files.
        opened: gives a reader of a file: an iterator over its records that has an `offset`, `take`, `seek` and `close`.
    """

    def __init__(self, names: Any, opened: Callable[[str], Any]) -> None:
        super().__init__([dtypes.string], [()])
        if np.ndim(names) > 1:
            raise invalid("`filenames` must be a scalar or vector.")
        self.names, self.opened = [os.fsdecode(name) for name in np.ravel(names).tolist()], opened

    def iterate(self, scope: Any) -> Iterator:
        return _FilesIterator(self)


class _FilesIterator(Iterator):
    """Opens a file when the first of its records is asked for."""

    def __init__(self, dataset: Files) -> None:
        super().__init__()
        self._dataset, self._at = dataset, 0
        self._reader: Any = None

    def get(self) -> Element | None:
        while self._at < len(self._dataset.names):
            try:
                if self._reader is None:
                    self._reader = self._dataset.opened(self._dataset.names[self._at])
                record = next(self._reader, None)
            except Exception:  # whoever goes on all the same goes on with the next file
                self._leave()
                raise
            if record is not None:
                return [boxed(record)]
            self._leave()
        return None

    def block(self, count: int) -> Block:
        while self._at < len(self._dataset.names):
            try:
                if self._reader is None:
                    self._reader = self._dataset.opened(self._dataset.names[self._at])
                records = self._reader.take(count)
            except Exception as error:
                self._leave()
                return Block((), 0, error)
            if records:
                return Block([texts(records)], len(records))
            self._leave()
        return END

    def _leave(self) -> None:
        """Goes on to the next file."""
        self.close()
        self._at += 1

    def state(self) -> Any:
        return self._at, None if self._reader is None else self._reader.offset

    def restore(self, state: Any) -> None:
        self._at, offset = state
        if offset is not None:
            self._reader = self._dataset.opened(self._dataset.names[self._at])
            self._reader.seek(offset)

    def close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()


class _Stream(io.RawIOBase):
    """What a compressed file holds, as a file."""

    def __init__(self, source: Inflated) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._source.read(len(buffer))
        buffer[:len(data)] = data
        return len(data)

    def close(self) -> None:
        self._source.close()
        super().close()


def opened_file(path: str, compression: str, buffer_size: int) -> tuple[Any, Any]:
    """(a file with what another one holds uncompressed, the other one's place for error messages)."""
    system, place = files.located(path)
    with files.told_as_op_errors(place):
        file = system.open(place, "rb")
    if not compression:
        return file, place
    return io.BufferedReader(_Stream(Inflated(file, compression == "GZIP")), buffer_size), place


class _Content:
    """A file to read from: plain or compressed."""

    def __init__(self, path: str, compression: str, buffer_size: int) -> None:
        self._file, self._place = opened_file(path, compression, buffer_size or _BUFFER)
        self._is_plain = not compression
        self.offset = 0

    def seek(self, offset: int) -> None:
        """Goes to a place that `offset` told before."""
        with files.told_as_op_errors(self._place):
            if self._is_plain:
                self._file.seek(offset)
            else:
                self._read(offset - self.offset)
        self.offset = offset

    def take(self, count: int) -> list[bytes]:
        """The next records: fewer than `count` only at the end, or before an error that the next call raises."""
        taken: list[bytes] = []
        before = self.offset
        try:
            for record in itertools.islice(self, count):
                taken.append(record)
                before = self.offset
        except Exception:
            if not taken:
                raise
            self.seek(before)
        return taken

    def __iter__(self) -> _Content:
        return self

    def __next__(self) -> bytes:
        raise NotImplementedError

    def _read(self, size: int) -> bytes:
        with files.told_as_op_errors(self._place):
            data = self._file.read(size)
        self.offset += len(data)
        return data

    def close(self) -> None:
        self._file.close()


class _Lines(_Content):
    """The lines of a file, without what ends them."""

    _is_too_long = False

    def _line(self) -> bytes:
        if not self._is_too_long:
            line: bytes = self._file.readline(MOST_LINE + 1)
            self._is_too_long = len(line) > MOST_LINE and not line.endswith(b"\n")
        if self._is_too_long:
            raise errors.ResourceExhaustedError(None, None, f"a line of {self._place} has more than {MOST_LINE} bytes")
        return line

    def __next__(self) -> bytes:
        for line in self.take(1):
            return line
        raise StopIteration

    def take(self, count: int) -> list[bytes]:
        taken: list[bytes] = []
        failure = None
        try:
            for line in itertools.islice(iter(self._line, b""), count):
                taken.append(line)
        except (OSError, errors.ResourceExhaustedError) as error:
            failure = error
        self.offset += sum(map(len, taken))
        if failure is not None and not taken:
            raise failure if isinstance(failure, errors.OpError) else files.as_op_error(failure, self._place) from None
        if isinstance(failure, OSError):
            self.seek(self.offset)
        return [line.removesuffix(b"\n").replace(b"\r", b"") for line in taken]


class _Pieces(_Content):
    """Pieces of one length, between a header and a footer."""

    def __init__(self, path: str, compression: str, buffer_size: int, header: int, size: int, footer: int) -> None:
        super().__init__(path, compression, buffer_size)
        self._path, self._size, self._footer = path, size, footer
        self._ahead = b""
        if self._is_plain:
            self._check_length(files.stat(path).length, header)
        self._read(header)

    def _check_length(self, length: int, header: int) -> None:
        body = length - header - self._footer
        if body < 0 or body % self._size:
            raise invalid(f"Excluding the header ({header} bytes) and footer ({self._footer} bytes), input file "
                          f"\"{self._path}\" has body length {body} bytes, which is not an exact multiple of the "
                          f"record length ({self._size} bytes).")

    def __next__(self) -> bytes:
        # A piece is one only if the footer comes after it.
        self._ahead += self._read(self._size + self._footer - len(self._ahead))
        if len(self._ahead) < self._size + self._footer:
            if len(self._ahead) != self._footer:
                raise errors.DataLossError(None, None, f"{self._path} ends inside a record of {self._size} bytes")
            raise StopIteration
        piece, self._ahead = self._ahead[:self._size], self._ahead[self._size:]
        return piece

    def seek(self, offset: int) -> None:
        super().seek(offset - self._footer)
        self._ahead = self._read(self._footer)


def compression_of(compression_type):
    """How files are compressed: "", "ZLIB" or "GZIP"."""
    kind = text(compression_type)
    if kind not in _COMPRESSIONS:
        raise invalid(f"Unsupported compression_type: {kind}")
    return kind


def _buffer_size(buffer_size):
    size = number(buffer_size)
    if size < 0:
        raise invalid("`buffer_size` must be >= 0 (0 == default)")
    return size


@dataset_op("TextLineDataset(filenames: string, compression_type: string, buffer_size: int64)", stateful=True,
            outside=True)
def text_line_dataset(filenames, compression_type, buffer_size):
    """A dataset of the lines of files."""
    kind, size = compression_of(compression_type), _buffer_size(buffer_size)
    return Files(filenames, lambda path: _Lines(path, kind, size))


@dataset_op("TFRecordDataset(filenames: string, compression_type: string, buffer_size: int64)", stateful=True,
            outside=True)
def tf_record_dataset(filenames, compression_type, buffer_size):
    """A dataset of the records of TFRecord files."""
    kind, size = compression_of(compression_type), _buffer_size(buffer_size)
    return Files(filenames, lambda path: RecordReader(path, kind, size or _BUFFER))


_LENGTHS = "filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, buffer_size: int64"


def _fixed_length(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, kind):
    header, size, footer = number(header_bytes), number(record_bytes), number(footer_bytes)
    if size <= 0:
        raise invalid("`record_bytes` must be > 0")
    if header < 0 or footer < 0:
        raise invalid(f"`{'header_bytes' if header < 0 else 'footer_bytes'}` must be >= 0")
    buffer = _buffer_size(buffer_size)
    return Files(filenames, lambda path: _Pieces(path, kind, buffer, header, size, footer))


@dataset_op(f"FixedLengthRecordDataset({_LENGTHS})", stateful=True, outside=True)
def fixed_length_record_dataset(filenames, header_bytes, record_bytes, footer_bytes, buffer_size):
    """A dataset of the records of files, which have one length."""
    return _fixed_length(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, "")


@dataset_op(f"FixedLengthRecordDatasetV2({_LENGTHS}, compression_type: string)", stateful=True, outside=True)
def fixed_length_record_dataset_v2(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type):
    """A dataset of the records of files, which have one length and may be compressed."""
    return _fixed_length(filenames, header_bytes, record_bytes, footer_bytes, buffer_size,
                         compression_of(compression_type))


def _matching(patterns):
    """A dataset of the names of files that match patterns, in their order."""
    if np.ndim(patterns) > 1:
        raise invalid(f"patterns must be a scalar or a vector, but have shape {shape_text(np.shape(patterns))}")
    found = sorted({os.fsencode(name) for pattern in np.ravel(patterns).tolist() for name in files.glob(pattern)})
    return Rows([dtypes.string], [()], [[boxed(name)] for name in found])


matching_files_dataset, experimental_matching_files_dataset = (
    dataset_op(f"{name}(patterns: string)", stateful=True, later={}, outside=True)(_matching)
    for name in ("MatchingFilesDataset", "ExperimentalMatchingFilesDataset"))
