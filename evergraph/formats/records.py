"""TFRecord files: sequences of byte strings, each with its length and two checksums, optionally compressed.

A record is its length (8 bytes, little-endian), their masked CRC-32C, its bytes, and the masked CRC-32C of these.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from evergraph import native
from evergraph.base import errors, files
from evergraph.base.export import export
from evergraph.formats.checksum import masked_crc32c, masked_crc32c_of_bytes

_HEADER = struct.Struct("<QI")
_LENGTH = struct.Struct("<Q")
_CHECKSUM = struct.Struct("<I")
_FRAME = _HEADER.size + _CHECKSUM.size
_BLOCK = 1 << 18
_LARGEST_RATIO = 1032  # the largest compression ratio of zlib
_GZIP = 16  # added to zlib's window bits


@export("io.TFRecordCompressionType", "python_io.TFRecordCompressionType")
class TFRecordCompressionType:
    """The compression of a TFRecord file as an enum. `TFRecordOptions` also takes "", "ZLIB" and "GZIP"."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


_NAMES = {TFRecordCompressionType.NONE: "", TFRecordCompressionType.ZLIB: "ZLIB", TFRecordCompressionType.GZIP: "GZIP"}


@export("io.TFRecordOptions", "python_io.TFRecordOptions")
class TFRecordOptions:
    """Options for writing TFRecord files: the compression and zlib's settings; None keeps zlib's default.

    Args:
        compression_type: "ZLIB", "GZIP" or "" for none, a constant of `TFRecordCompressionType`, or other options.
        flush_mode: how zlib ends each buffer of input: zlib.Z_NO_FLUSH (the default), zlib.Z_FULL_FLUSH, ...
        input_buffer_size: the number of bytes to buffer before compression.
        output_buffer_size: the number of compressed bytes to buffer before a write.
        window_bits: the base-2 logarithm of zlib's window size.
        compression_level: from 0 to 9.
        compression_method: zlib.DEFLATED, the only method.
        mem_level: zlib's memory level, from 1 to 9.
        compression_strategy: zlib's strategy.

    Raises:
        ValueError: the compression type is unknown.
    """

    compression_type_map = _NAMES

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """"", "ZLIB" or "GZIP", from options, one of these strings, a constant of `TFRecordCompressionType`, or None.

        Raises:
            ValueError: the value is none of these.
        """
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if options in _NAMES.values():
            return options
        if options is None or options in _NAMES:
            return _NAMES[options or TFRecordCompressionType.NONE]
        raise ValueError(f'Not a valid compression_type: "{options}"')


def _given(value: int | None, default: int) -> int:
    return default if value is None else value


# ---- writing

def framed(record: bytes) -> bytes:
    """A record with its length and checksums, as stored in a file."""
    if native.files is not None:
        return native.files.framed(record)
    return b"".join(_frame(record))


def _frame(record: bytes) -> tuple[bytes, bytes, bytes]:
    """The parts of a stored record: header, the record itself, and footer."""
    length = _LENGTH.pack(len(record))
    return length + _CHECKSUM.pack(masked_crc32c(length)), record, _CHECKSUM.pack(masked_crc32c(record))


class _Output:
    """A buffered output file. Data that a failed write did not accept stays buffered for the next write.

    So an error means that the last record was not accepted, and that all earlier ones will be written once there is
    space: the file never has a partial record followed by another.
    """

    def __init__(self, file: BinaryIO) -> None:
        # Python's own buffer does not report how much it had accepted when the disk was full.
        self._file: Any = file.detach() if isinstance(file, io.BufferedWriter) else file
        self._waiting: deque[bytes | memoryview] = deque()
        self._size = 0

    def write(self, piece: bytes) -> None:
        size = self._size + len(piece)
        if size > _BLOCK and self._size:
            self._drain()
            size = len(piece)
        self._waiting.append(piece)
        self._size = size

    def write_together(self, pieces: Iterable[bytes]) -> None:
        """Accepts all pieces or none."""
        if self._size:
            self._drain()
        self._waiting.extend(pieces)
        self._size = sum(map(len, self._waiting))

    def _drain(self) -> None:
        if self._size <= 2 * _BLOCK:
            self._waiting = deque([b"".join(self._waiting)])
        while self._waiting:
            piece = memoryview(self._waiting.popleft())
            try:
                while piece:
                    taken = self._file.write(piece)
                    piece = piece[len(piece) if taken is None else taken:]  # some file systems do not report it
            except BaseException:
                self._waiting.appendleft(piece)
                self._size = sum(map(len, self._waiting))
                raise
        self._size = 0

    def flush(self) -> None:
        self._drain()
        self._file.flush()

    def close(self) -> None:
        try:
            self._drain()
        finally:
            self._file.close()


class _Deflated:
    """An output file that compresses with zlib."""

    def __init__(self, file: _Output, is_gzip: bool, options: TFRecordOptions) -> None:
        self._file = file
        self._flush_mode = _given(options.flush_mode, zlib.Z_NO_FLUSH)
        self._input_size = _given(options.input_buffer_size, _BLOCK)
        self._output_size = _given(options.output_buffer_size, _BLOCK)
        self._input, self._output = bytearray(), bytearray()
        try:
            self._zlib = zlib.compressobj(
                _given(options.compression_level, zlib.Z_DEFAULT_COMPRESSION),
                _given(options.compression_method, zlib.DEFLATED),
                _given(options.window_bits, zlib.MAX_WBITS) + (_GZIP if is_gzip else 0),
                _given(options.mem_level, 9),
                _given(options.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
            )
        except ValueError as error:
            raise errors.InvalidArgumentError(None, None, f"zlib does not take these options: {error}") from None

    def write(self, piece: bytes) -> None:
        if self._input and len(self._input) + len(piece) > self._input_size:
            self._deflate(self._flush_mode)
        self._input += piece

    def write_together(self, pieces: Iterable[bytes]) -> None:
        self.write(b"".join(pieces))

    def _deflate(self, mode: int) -> None:
        self._output += self._zlib.compress(self._input)
        if mode != zlib.Z_NO_FLUSH:
            self._output += self._zlib.flush(mode)
        self._input.clear()
        if len(self._output) >= self._output_size:
            self._drain()

    def _drain(self) -> None:
        self._file.write(bytes(self._output))
        self._output.clear()

    def flush(self) -> None:
        self._deflate(zlib.Z_PARTIAL_FLUSH)
        self._drain()
        self._file.flush()

    def close(self) -> None:
        try:
            self._deflate(zlib.Z_FINISH)
            self._drain()
        finally:
            self._file.close()


@export("io.TFRecordWriter", "python_io.TFRecordWriter")
class TFRecordWriter:
    """Writes a TFRecord file.

    >>> with TFRecordWriter("memory://some.tfrecord") as writer:
    ...     writer.write(b"one")
    >>> list(tf_record_iterator("memory://some.tfrecord"))
    [b'one']

    Args:
        path: the file, which is overwritten if it exists.
        options: `TFRecordOptions`, or a compression: "", "ZLIB", "GZIP" or a constant of `TFRecordCompressionType`.

    Raises:
        NotFoundError: the directory does not exist.
        InvalidArgumentError: zlib rejects the options.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        compression = TFRecordOptions.get_compression_type_string(options)
        system, self._path = files.located(path)
        self._file: Any = None
        self._framed = framed if native.files is None else native.files.framed
        with files.told_as_op_errors(self._path):
            file = _Output(system.open(self._path, "wb"))
        try:
            self._file = _Deflated(file, compression == "GZIP", options) if compression else file
        finally:
            if self._file is None:
                file.close()

    def _opened(self) -> Any:
        if self._file is None:
            raise errors.FailedPreconditionError(None, None, "Writer is closed.")
        return self._file

    def write(self, record: str | bytes) -> None:
        """Appends a record.

        Raises:
            FailedPreconditionError: the writer is closed.
            ResourceExhaustedError: there is no space for the buffered records. Once there is, the same record may be
                written again, and none will be missing.
        """
        if type(record) is not bytes:
            record = record.encode() if isinstance(record, str) else bytes(memoryview(record))
        file = self._file or self._opened()
        try:
            if len(record) < _BLOCK:
                file.write(self._framed(record))
            else:
                file.write_together(_frame(record))  # without copying it
        except OSError as error:
            raise files.as_op_error(error, self._path) from None

    def flush(self) -> None:
        """Writes the buffered records to the file system, so that readers see them.

        Raises:
            FailedPreconditionError: the writer is closed.
        """
        with files.told_as_op_errors(self._path):
            self._opened().flush()

    def close(self) -> None:
        """Closes the file; a second call has no effect."""
        file, self._file = self._file, None
        if file is not None:
            with files.told_as_op_errors(self._path):
                file.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


# ---- reading

class Inflated:
    """The decompressed content of a file; holds no more in memory than was requested."""

    def __init__(self, file: BinaryIO, is_gzip: bool) -> None:
        self._file, self._is_gzip = file, is_gzip
        self._begin(b"")

    def _begin(self, rest: bytes) -> None:
        self._zlib, self._rest = zlib.decompressobj(zlib.MAX_WBITS + (_GZIP if self._is_gzip else 0)), rest

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; empty at the end."""
        while True:
            if self._zlib.eof and not self._next_member():
                return b""
            data = self._rest or self._file.read(_BLOCK)
            try:
                out = self._zlib.decompress(data, size)
            except zlib.error as error:
                raise errors.DataLossError(None, None, f"inflate() failed: {error}") from None
            self._rest = self._zlib.unconsumed_tail
            if out or not data:
                return out

    def held(self) -> int:
        """The number of compressed bytes that were read but not yet decompressed."""
        return len(self._rest) + len(self._zlib.unused_data)

    def _next_member(self) -> bool:
        """Proceeds to the next member of a multi-member gzip file; zlib data has only one."""
        rest = self._zlib.unused_data or self._file.read(_BLOCK)
        if self._is_gzip and rest:
            self._begin(rest)
            return True
        return False

    def close(self) -> None:
        self._file.close()


_NO_WHOLE_RECORD, _BAD_LENGTH, _BAD_CONTENT = range(3)


def records_in(block: bytes, at: int) -> tuple[list[bytes], int, int]:
    """(the complete records of a block from an offset on, the offset of their end, why the search stopped)."""
    if native.files is not None:
        return native.files.records(block, at)
    found: list[bytes] = []
    size, masked, header, trailer = len(block), masked_crc32c_of_bytes(), _HEADER.unpack_from, _CHECKSUM.unpack_from
    while size - at >= 12:
        length, checksum = header(block, at)
        if masked(block[at:at + 8]) != checksum:
            return found, at, _BAD_LENGTH
        end = at + 12 + length
        if end + 4 > size:
            break
        record = block[at + 12:end]
        if masked(record) != trailer(block, end)[0]:
            return found, at, _BAD_CONTENT
        found.append(record)
        at = end + 4
    return found, at, _NO_WHOLE_RECORD


class RecordReader:
    """An iterator over the records of a TFRecord file.

    Args:
        path: the file.
        compression: "", "ZLIB" or "GZIP".
        buffer_size: the number of bytes to read at a time.

    Attributes:
        offset: the offset of the next record, in uncompressed bytes.

    Raises:
        NotFoundError: the file does not exist.
    """

    def __init__(self, path: Any, compression: str = "", buffer_size: int = _BLOCK) -> None:
        system, self._path = files.located(path)
        self._source: Any = None
        with files.told_as_op_errors(self._path):
            file = system.open(self._path, "rb")
        self._source = Inflated(file, compression == "GZIP") if compression else file
        self._is_plain = not compression
        self._file = file if files.is_local(path) else None
        self._buffer_size = max(buffer_size, _HEADER.size)
        self._block, self._at = b"", 0  # a block of the file, and the offset of the next record in it
        self._block_offset = 0
        self._ready: deque[bytes] = deque()  # the records from there on that were found so far

    @property
    def offset(self) -> int:
        return self._block_offset + self._at

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if not self._ready and not self._look():
            raise StopIteration
        record = self._ready.popleft()
        self._at += _FRAME + len(record)
        return record

    def take(self, count: int) -> list[bytes]:
        """The next `count` records; fewer at the end, or before a corrupt record."""
        taken: list[bytes] = []
        while len(taken) < count:
            try:
                if not self._ready and not self._look():
                    break
            except errors.DataLossError:
                if not taken:
                    raise
                break  # the next call finds it again
            some = min(count - len(taken), len(self._ready))
            pieces = [self._ready.popleft() for _ in range(some)]
            self._at += some * _FRAME + sum(map(len, pieces))
            taken += pieces
        return taken

    def _look(self) -> bool:
        """Finds the next records; False at the end of the file."""
        while True:
            found, _, why = records_in(self._block, self._at)
            if found:
                self._ready.extend(found)
                return True
            if why == _BAD_LENGTH:
                raise errors.DataLossError(None, None, f"corrupted record at {self.offset} (Is this a TFRecord file?)")
            if why == _BAD_CONTENT:
                raise errors.DataLossError(None, None, f"corrupted record at {self.offset + _HEADER.size}")
            if len(self._block) - self._at < _HEADER.size:
                if not self._has(_HEADER.size):
                    return False  # TensorFlow, too, treats a truncated header as the end
            elif not self._has(_FRAME + _LENGTH.unpack_from(self._block, self._at)[0]):
                raise errors.DataLossError(None, None, f"truncated record at {self.offset}")

    def _has(self, size: int) -> bool:
        """Whether this many bytes remain; if so, the block holds them.

        Raises:
            ResourceExhaustedError: they exceed the memory.
        """
        missing = size - (len(self._block) - self._at)
        if missing <= 0:
            return True
        if missing > self._most_left():
            return False  # without allocating memory for a length that cannot be right
        try:
            with files.told_as_op_errors(self._path):
                return self._fetch(missing)
        except MemoryError:
            raise errors.ResourceExhaustedError(
                None, None, f"no memory for the record at {self.offset}, which has {size} bytes") from None

    def _fetch(self, missing: int) -> bool:
        """Reads at least `missing` more bytes into the block; False if the source ends before."""
        pieces, held = [self._block[self._at:]], len(self._block) - self._at
        while missing > 0:
            # If the size of the source is unknown, no read is larger than what it has delivered so far.
            trusted = missing if self._is_plain and self._file is not None else held
            piece = self._source.read(max(self._buffer_size, min(missing, trusted)))
            if not piece:
                break
            pieces.append(piece)
            held += len(piece)
            missing -= len(piece)
        self._block_offset += self._at
        self._block, self._at = b"".join(pieces), 0
        return missing <= 0

    def _most_left(self) -> int:
        """An upper bound on the number of bytes after the block."""
        if self._file is None:
            return 1 << 63
        left = os.fstat(self._file.fileno()).st_size - self._file.tell()
        return left if self._is_plain else (left + self._source.held()) * _LARGEST_RATIO + _LARGEST_RATIO

    def seek(self, offset: int) -> None:
        """Continues with the record at `offset`, an earlier `offset` of a reader of the same file.

        Raises:
            OutOfRangeError: the file is shorter.
        """
        self._ready.clear()
        if self._is_plain:
            self._source.seek(offset)
            self._block, self._at, self._block_offset = b"", 0, offset
            return
        while self.offset < offset:
            step = min(offset - self.offset, _BLOCK)
            if not self._has(step):
                raise errors.OutOfRangeError(None, None, f"the file ends before {offset}")
            self._at += step

    def close(self) -> None:
        """Closes the file."""
        source, self._source = self._source, None
        if source is not None:
            source.close()

    def __del__(self) -> None:
        if getattr(self, "_source", None) is not None:
            self.close()


@export("io.tf_record_iterator", "python_io.tf_record_iterator")
def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """An iterator over the records of a TFRecord file.

    Args:
        path: the file.
        options: `TFRecordOptions`, or the file's compression: "", "ZLIB", "GZIP" or a constant of
            `TFRecordCompressionType`.

    Raises:
        NotFoundError: the file does not exist.
        DataLossError: raised at a record that is truncated or has a wrong checksum.
    """
    return RecordReader(path, TFRecordOptions.get_compression_type_string(options))
