"""Tensor bundles, the files of a checkpoint: an index (`prefix.index`) locates each tensor in the data files.

A bundle is complete once its index exists: data files are written first, then the index, each under a temporary
name, flushed to disk and renamed. Paths may be remote, such as gs://; see base/files.py.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import struct
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors, files
from evergraph.formats.checksum import crc32c, mask, unmask
from evergraph.formats.parts import assemble, region, shaped, stored_dtype, stored_shape
from evergraph.formats.replace import (
    flush_directory,
    holds_shards,
    link,
    move,
    new_file,
    remove_if_there,
    remove_leftovers,
    replace_file,
    scratch_name,
)
from evergraph.formats.slice_keys import Extent, slice_key
from evergraph.formats.table import read_table, read_varint, table_bytes, write_varint
from evergraph.formats.tensor_messages import shape_to_proto

_HEADER_KEY = b""
_CHUNK = 1 << 22  # the unit of reading and writing, small enough to compute its checksum from the cache
_MOST_SHARDS = 99_999  # file names have five digits
_ALIGNED = 64  # the alignment at which XLA uses an array without copying it
_OF_BYTES = dtypes.string, dtypes.variant  # tensors whose elements have lengths of their own
_publishing = threading.Lock()  # two threads may save under one name, as a supervisor and its program do


@dataclass
class Part:
    """A tensor to write, or one slice of a partitioned tensor.

    Attributes:
        name: the tensor's name in the checkpoint.
        value: the array.
        dtype: its dtype.
        whole: the shape of the full tensor, if this is a slice.
        extents: the extents of the slice.
    """

    name: str
    value: np.ndarray[Any, Any]
    dtype: dtypes.DType
    whole: tuple[int, ...] | None = None
    extents: Sequence[Extent] = field(default_factory=tuple)


def index_file(prefix: str) -> str:
    return f"{prefix}.index"


def data_file(prefix: str, shard: int, shards: int) -> str:
    return f"{prefix}.data-{shard:05}-of-{shards:05}"


# ---- writing

def write_bundle(prefix: str, parts: Iterable[Part]) -> None:
    """Writes a bundle with one data file, atomically: on failure, an existing bundle stays intact.

    Raises:
        InvalidArgumentError: a tensor occurs twice.
        NotFoundError: the parent of the bundle's directory does not exist.
        ResourceExhaustedError: the disk is full.
    """
    writer = BundleWriter(prefix)
    try:
        with files.told_as_op_errors(prefix):  # what gives the parts may fail as well
            for part in parts:
                writer.add(part)
        writer.finish()
    except BaseException as error:
        writer.abandon(error)
        raise


class BundleWriter:
    """Writes a bundle of one data file, tensor by tensor. Nothing is there before `finish`.

    The methods raise what `write_bundle` does. One of `finish` and `abandon` comes last.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = files.local_path(prefix) or prefix
        self._folder = os.path.dirname(self._prefix)
        self._is_new = _make_directory(self._folder)
        remove_leftovers(self._folder)
        self._scratch = scratch_name(f"{self._prefix}.data")
        self._entries = _new_entries()
        self._open = contextlib.ExitStack()
        with files.told_as_op_errors(self._prefix):
            try:
                self._file = self._open.enter_context(new_file(self._scratch))
            except BaseException:
                self._clean_up()
                raise

    def add(self, part: Part) -> None:
        """Writes one tensor, or one part of it."""
        key = part.name.encode()
        if part.whole is not None:
            _note_part(self._entries, key, part)
            key = slice_key(part.name, part.extents)
        if key in self._entries:
            raise errors.InvalidArgumentError(None, None, f"Adding duplicate key: {part.name}")
        file = self._file
        with files.told_as_op_errors(self._prefix):
            entry = proto.tensor_bundle_pb2.BundleEntryProto(
                dtype=part.dtype.base_dtype.enum, shape=shape_to_proto(part.value.shape), offset=file.tell())
            entry.crc32c = _write_value(file, part.value, part.dtype)
            entry.size = file.tell() - entry.offset
        self._entries[key] = entry

    def finish(self) -> None:
        """Makes the bundle appear."""
        with files.told_as_op_errors(self._prefix):
            try:
                self._open.close()
                _publish(self._prefix, self._entries, [self._scratch])
            finally:
                self._clean_up()

    def abandon(self, error: BaseException | None = None) -> None:
        """Leaves no trace, if that is still to decide; `error` is why."""
        error = error or errors.CancelledError(None, None, "the bundle is not wanted any more")
        with contextlib.suppress(OSError):
            self._open.__exit__(type(error), error, error.__traceback__)
        self._clean_up()

    def _clean_up(self) -> None:
        remove_if_there(self._scratch)
        if self._is_new and os.path.isdir(self._folder) and not os.listdir(self._folder):
            os.rmdir(self._folder)


def merge_bundles(prefixes: Sequence[str], destination: str) -> None:
    """Merges several bundles into one, which takes over their data files; removes their indexes.

    Raises:
        InvalidArgumentError: two bundles have the same tensor, or slices of tensors that differ.
        ResourceExhaustedError: the disk is full.
    """
    entries = _new_entries()
    paths: list[str] = []
    for prefix in prefixes:
        reader = BundleReader(prefix)
        _merge_entries(entries, reader, len(paths))
        paths += reader.files()
    remove_leftovers(os.path.dirname(destination))
    with files.told_as_op_errors(destination):
        _publish(files.local_path(destination) or destination, entries, paths)
        for prefix in prefixes:
            remove_if_there(index_file(prefix))


def _merge_entries(entries: dict[bytes, Any], reader: BundleReader, first_shard: int) -> None:
    for key, entry in reader.entries():
        known = entries.get(key)
        entry.shard_id += first_shard
        if known is None:
            entries[key] = entry
        elif not (known.slices and entry.slices):
            raise errors.InvalidArgumentError(None, None, f"Merging duplicate key {key!r} from {reader.prefix}")
        elif known.shape != entry.shape or known.dtype != entry.dtype:
            raise errors.InvalidArgumentError(None, None, f"The parts of {key!r} belong to tensors that differ")
        else:
            known.slices.extend(entry.slices)


def _publish(prefix: str, entries: dict[bytes, Any], paths: Sequence[str]) -> None:
    """Moves the data files to their final names and writes the index.

    An existing index may refer to files of the very names that the new files need. Then the new files first get names
    for another number of shards, with an index to match, and are renamed after that: at every moment some index has all
    its data.
    """
    with _publishing:
        _publish_alone(prefix, entries, paths)


def _publish_alone(prefix: str, entries: dict[bytes, Any], paths: Sequence[str]) -> None:
    before, shards = _shards_of(prefix), len(paths)
    first = shards + 1 if before == shards else shards
    try:
        for shard, path in enumerate(paths):
            move(path, data_file(prefix, shard, first))
        _write_index(prefix, entries, first)
    except BaseException:
        if _shards_of(prefix) != first:  # an interrupt may come when the index is there already
            for shard in range(shards):
                remove_if_there(data_file(prefix, shard, first))
        raise
    if first != shards and _linked(prefix, first, shards):
        _write_index(prefix, entries, shards)
        before, first = first, shards
    for shard in range(before or 0) if before != first else ():
        remove_if_there(data_file(prefix, shard, before or 0))


def _linked(prefix: str, shards: int, wanted: int) -> bool:
    """Creates hard links to data files, replacing existing files; False if the file system has no hard links."""
    scratch = scratch_name(f"{prefix}.data")
    remove_if_there(scratch)
    for shard in range(wanted):
        try:
            link(data_file(prefix, shard, shards), scratch)
        except OSError:
            return False
        move(scratch, data_file(prefix, shard, wanted))
    return True


def _write_index(prefix: str, entries: dict[bytes, Any], shards: int) -> None:
    entries[_HEADER_KEY].num_shards = shards
    folder = os.path.dirname(prefix)
    is_durable = not holds_shards(folder)  # that of a shard is read once, by whoever merges it
    if is_durable:
        flush_directory(folder)
    data = table_bytes(sorted((key, entry.SerializeToString()) for key, entry in entries.items()))
    replace_file(index_file(prefix), data, is_durable)


def _shards_of(prefix: str) -> int | None:
    """The number of data files of an existing bundle; None if there is no readable bundle."""
    try:
        return len(BundleReader(prefix).files())
    except (errors.OpError, OSError):
        return None


def _make_directory(path: str) -> bool:
    """Creates a directory if it is missing; returns whether it did, on file systems with empty directories."""
    if not files.is_local(path):
        files.makedirs(path)
    elif path and not os.path.isdir(path):
        with files.told_as_op_errors(path), contextlib.suppress(FileExistsError):
            os.mkdir(path)
            return True
    return False


def _new_entries() -> dict[bytes, Any]:
    header = proto.tensor_bundle_pb2.BundleHeaderProto()
    header.version.producer = 1
    return {_HEADER_KEY: header}


def _note_part(entries: dict[bytes, Any], key: bytes, part: Part) -> None:
    """Lists a slice in the entry of the full tensor."""
    whole = entries.get(key)
    if whole is None:
        whole = entries[key] = proto.tensor_bundle_pb2.BundleEntryProto(
            dtype=part.dtype.base_dtype.enum, shape=shape_to_proto(part.whole))
    extents = whole.slices.add()
    for start, length in part.extents:
        extent = extents.extent.add()
        if length != -1:
            extent.start, extent.length = start, length


def _write_value(file: Any, value: np.ndarray[Any, Any], dtype: dtypes.DType) -> int:
    """Writes the bytes of a tensor; returns their masked checksum."""
    if dtype.base_dtype in _OF_BYTES:
        return _write_strings(file, value)
    view = np.ascontiguousarray(value).reshape(-1).view(np.uint8).data
    crc = 0
    for start in range(0, len(view), _CHUNK):
        chunk = view[start:start + _CHUNK]
        crc = crc32c(chunk, crc)
        file.write(chunk)
    return mask(crc)


def _write_strings(file: Any, value: np.ndarray[Any, Any]) -> int:
    """Writes the lengths, a checksum of the lengths, and the bytes; the tensor's checksum covers all three."""
    items = [bytes(v) for v in value.reshape(-1)]
    crc = 0
    for item in items:
        crc = crc32c(_length_bytes(len(item)), crc)
        file.write(write_varint(len(item)))
    stored = struct.pack("<I", mask(crc))
    file.write(stored)
    crc = crc32c(stored, crc)
    for item in items:
        crc = crc32c(item, crc)
        file.write(item)
    return mask(crc)


def _length_bytes(length: int) -> bytes:
    return struct.pack("<I", length) if length < 1 << 32 else struct.pack("<Q", length)


# ---- reading

class BundleReader:
    """Reads the tensors of a bundle.

    Args:
        prefix: the path of the checkpoint, without `.index`.

    Raises:
        NotFoundError: the bundle does not exist.
        DataLossError: the index is corrupt.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix = files.local_path(prefix) or prefix
        path = index_file(prefix)
        try:
            data = files.read_file(path)
        except errors.NotFoundError:
            raise errors.NotFoundError(None, None, "Unsuccessful TensorSliceReader: Failed to find any "
                                                   f"matching files for {prefix}") from None
        self._entries: dict[bytes, bytes] = dict(read_table(data, path))
        header = self._message(proto.tensor_bundle_pb2.BundleHeaderProto, _HEADER_KEY)
        if header.endianness != 0:
            raise errors.UnimplementedError(None, None, f"{path} was written on a big-endian machine")
        if not 0 <= header.num_shards <= _MOST_SHARDS:
            raise errors.DataLossError(None, None, f"{path} says that there are {header.num_shards} data files")
        self._shards = header.num_shards

    def _message(self, kind: Any, key: bytes) -> Any:
        if key not in self._entries:
            raise errors.NotFoundError(None, None, f"Key {key.decode('utf-8', 'replace') or 'header'} not found in "
                                       f"checkpoint {self.prefix}")
        try:
            return kind.FromString(self._entries[key])
        except Exception as error:  # protobuf's own class for it differs between its implementations
            raise errors.DataLossError(None, None, f"damaged entry in {index_file(self.prefix)}: {error}") from None

    def _entry(self, name: str) -> Any:
        return self._message(proto.tensor_bundle_pb2.BundleEntryProto, name.encode())

    def entries(self) -> Iterator[tuple[bytes, Any]]:
        """The keys and entries of the index."""
        for key in self._entries:
            if key != _HEADER_KEY:
                yield key, self._message(proto.tensor_bundle_pb2.BundleEntryProto, key)

    def files(self) -> list[str]:
        """The paths of the data files."""
        return [data_file(self.prefix, shard, self._shards) for shard in range(self._shards)]

    def names(self) -> list[str]:
        """The sorted names of the tensors."""
        try:
            return [key.decode() for key in self._entries if key and not key.startswith(b"\x00")]
        except UnicodeDecodeError as error:
            raise errors.DataLossError(None, None, f"a name in {index_file(self.prefix)} is no text: {error}") from None

    def __contains__(self, name: str) -> bool:
        return bool(name) and name.encode() in self._entries

    def dtype(self, name: str) -> dtypes.DType:
        return stored_dtype(self._entry(name).dtype, f"{name} in {self.prefix}")

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor; for a partitioned tensor, the full shape."""
        return stored_shape(self._entry(name).shape, f"{name} in {self.prefix}")

    def stored_bytes(self, name: str) -> int:
        """The number of bytes that a tensor occupies in a data file; 0 if it is partitioned or missing."""
        return self._entry(name).size if name in self else 0

    def slices(self, name: str) -> list[list[Extent]]:
        """The slices of a partitioned tensor; empty for a tensor that is stored whole."""
        return [[(e.start, e.length if e.HasField("length") else -1) for e in part.extent]
                for part in self._entry(name).slices]

    def read(self, name: str) -> np.ndarray[Any, Any]:
        """The value of a tensor, assembled from its slices if it is partitioned.

        Raises:
            NotFoundError: the tensor or a data file does not exist.
            DataLossError: the bytes do not match their checksum.
            OutOfRangeError: the data file is too short.
        """
        entry = self._entry(name)
        return self._read_parts(name, [(0, -1)] * len(entry.shape.dim)) if entry.slices else self._read(name, entry)

    def read_part(self, name: str, extents: Sequence[Extent]) -> np.ndarray[Any, Any]:
        """A slice of a tensor, which may be partitioned differently; raises as `read` does."""
        entry = self._entry(name)
        if entry.slices:
            return self._read_parts(name, extents)
        return np.ascontiguousarray(self._read(name, entry)[region(extents, self.shape(name))])

    def _read_parts(self, name: str, extents: Sequence[Extent]) -> np.ndarray[Any, Any]:
        def read(part: Sequence[Extent]) -> np.ndarray[Any, Any]:
            return self._read(name, self._message(proto.tensor_bundle_pb2.BundleEntryProto, slice_key(name, part)))

        return assemble(f"{name} in {self.prefix}", self.shape(name), self.slices(name), extents, read)

    def read_run(self, names: Sequence[str]) -> list[np.ndarray[Any, Any]]:
        """The values of tensors that were written one after another, which are read at once; raises as `read` does."""
        entries = [self._entry(name) for name in names]
        sizes = [entry.size for entry in entries]
        ends = list(itertools.accumulate(sizes, initial=entries[0].offset))
        is_run = sum(sizes) <= _CHUNK and all(
            entry.offset == end and entry.size >= 0 and not entry.slices and entry.shard_id == entries[0].shard_id
            for entry, end in zip(entries, ends))
        if not is_run:
            return [self.read(name) for name in names]
        whole = proto.tensor_bundle_pb2.BundleEntryProto(
            shard_id=entries[0].shard_id, offset=ends[0], size=ends[-1] - ends[0])
        data, _ = self._bytes(names[0], whole)
        parts = [data[end - ends[0]:end - ends[0] + size].copy() for end, size in zip(ends, sizes)]
        return [self._value(name, entry, part, crc32c(part.data))
                for name, entry, part in zip(names, entries, parts, strict=True)]

    def _read(self, name: str, entry: Any) -> np.ndarray[Any, Any]:
        return self._value(name, entry, *self._bytes(name, entry))

    def _value(self, name: str, entry: Any, data: np.ndarray[Any, Any], crc: int) -> np.ndarray[Any, Any]:
        """The tensor that these bytes are, which have that checksum."""
        dtype, shape = stored_dtype(entry.dtype, name), stored_shape(entry.shape, name)
        count = math.prod(shape)
        if entry.size < 0 or dtype not in _OF_BYTES and count * dtype.np.itemsize != entry.size:
            raise errors.DataLossError(None, None, f"{name}: {entry.size} bytes do not make a {dtype.name} of {shape}")
        if dtype in _OF_BYTES:
            return shaped(_strings(name, data.tobytes(), count, entry.crc32c), shape, name)
        if unmask(entry.crc32c) != crc:
            raise errors.DataLossError(None, None, f"Checksum does not match: tensor {name} in {self.prefix}")
        return shaped(data.view(dtype.np), shape, name)

    def _bytes(self, name: str, entry: Any) -> tuple[np.ndarray[Any, Any], int]:
        """The bytes of a tensor, and their checksum."""
        path = data_file(self.prefix, entry.shard_id, self._shards)
        with files.told_as_op_errors(path), _opened(path) as file:
            if entry.offset < 0 or entry.offset + entry.size > file.seek(0, os.SEEK_END):
                raise errors.OutOfRangeError(None, None, f"Read less bytes than requested: {name} in {path}")
            file.seek(entry.offset)
            data, crc, start = _room(entry.size), 0, 0
            while start < entry.size:
                chunk = data[start:start + _CHUNK]
                got = file.readinto(chunk) or 0
                if not got:
                    raise errors.OutOfRangeError(None, None, f"Read less bytes than requested: {name} in {path}")
                crc = crc32c(chunk[:got].data, crc)
                start += got
            return data, crc


def _opened(path: str) -> Any:
    """Opens a file for unbuffered reading: tensors are large, and a buffer would add a copy."""
    system, inner = files.located(path)
    return open(inner, "rb", buffering=0) if files.is_local(path) else system.open(inner, "rb")


def _room(size: int) -> np.ndarray[Any, Any]:
    """An uninitialized buffer of `size` bytes whose address is a multiple of `_ALIGNED`."""
    room = np.empty(size + _ALIGNED, np.uint8)
    start = -room.__array_interface__["data"][0] % _ALIGNED
    return room[start:start + size]


def _strings(name: str, data: bytes, count: int, wanted: int) -> np.ndarray[Any, Any]:
    lengths, position, crc = [], 0, 0
    for _ in range(count):
        length, position = _varint_at(data, position)
        lengths.append(length)
        crc = crc32c(_length_bytes(length), crc)
    stored = data[position:position + 4]
    if len(stored) < 4 or unmask(struct.unpack("<I", stored)[0]) != crc or position + 4 + sum(lengths) != len(data):
        raise errors.DataLossError(None, None, f"The lengths of the strings of {name} do not match their checksum")
    crc = crc32c(data[position + 4:], crc32c(stored, crc))
    if unmask(wanted) != crc:
        raise errors.DataLossError(None, None, f"Checksum does not match: tensor {name}")
    result = np.empty(count, object)
    position += 4
    for i, length in enumerate(lengths):
        result[i] = data[position:position + length]
        position += length
    return result


def _varint_at(data: bytes, position: int) -> tuple[int, int]:
    value, used = read_varint(data[position:position + 10], 0)
    return value, position + used


def read_all(prefix: str) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """(name, value) of every tensor of a bundle."""
    reader = BundleReader(prefix)
    for name in reader.names():
        yield name, reader.read(name)
