"""Readers: objects that dequeue file names and return the files' records, step by step."""
from __future__ import annotations

import itertools
import os
import threading
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors, files
from evergraph.base.errors import invalid
from evergraph.formats import lmdb, records
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar, with_rank
from evergraph.ops.strings.walking import flat, objects

Records = Iterator[tuple[bytes, bytes]]
_ONE_RECORD = ("IdentityReader", "WholeFileReader")  # readers with one record per file


class Reader:
    """Reads the records of the files whose names a queue holds.

    Args:
        kind: the kind of reader, for messages.
        name: the node's name, for messages.
        open_file: returns the (key, value) pairs of a file.
    """

    def __init__(self, kind: str, name: str, open_file: Callable[[bytes], Records]) -> None:
        self.kind, self.name, self._open = kind, name, open_file
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._started = self._finished = self._produced = 0
        self._current: bytes = b""
        self._left: Records | None = None

    def read(self, queue: Any, count: int) -> list[tuple[bytes, bytes]]:
        """The next records, between one and `count`; fewer at the end of a file.

        Raises:
            OutOfRangeError: the queue is closed, and all files have been read.
        """
        with self._lock:
            while True:
                if self._left is None:
                    self._next_file(queue)
                found = list(itertools.islice(self._left, count))
                self._produced += len(found)
                if len(found) < count or self.kind in _ONE_RECORD:
                    self._left = None
                    self._finished = self._started
                if found:
                    return found

    def _next_file(self, queue: Any) -> None:
        name, = queue.dequeue()
        if np.size(name) != 1:
            raise invalid(f"{self.kind} '{self.name}' needs a queue of single strings, but got an element of shape "
                          f"{list(np.shape(name))}")
        self._current = flat(name)[0]
        self._started += 1
        try:
            self._left = self._open(self._current)
        except errors.OpError:
            self._finished = self._started
            raise

    def reset(self) -> None:
        with self._lock:
            self._forget()

    def counts(self) -> tuple[int, int]:
        """(records produced, files completed)."""
        with self._lock:
            return self._produced, self._finished

    def state(self) -> bytes:
        """The serialized state, for `restore`: only for readers with one record per file."""
        self._needs_whole_files("SerializeState")
        with self._lock:
            return proto.reader_base_pb2.ReaderBaseState(
                work_started=self._started, work_finished=self._finished, num_records_produced=self._produced,
                current_work=self._current).SerializeToString()

    def restore(self, state: bytes) -> None:
        self._needs_whole_files("RestoreState")
        message = self._parsed(state)
        with self._lock:
            self._forget()
            self._started, self._finished = message.work_started, message.work_finished
            self._produced, self._current = message.num_records_produced, message.current_work

    def _parsed(self, state: bytes) -> Any:
        try:
            message = proto.reader_base_pb2.ReaderBaseState.FromString(state)
        except Exception:  # protobuf's own error class
            message = None
        if message is None or message.SerializeToString() != state or message.work_finished > message.work_started:
            raise invalid(f"Could not parse state for {self.kind} '{self.name}': {state!r}")
        return message

    def _needs_whole_files(self, action: str) -> None:
        if self.kind not in _ONE_RECORD:
            raise errors.UnimplementedError(None, None, f"{self.kind} '{self.name}' has no {action}")


# ---- the kinds of files


def _whole_file(path: bytes) -> Records:
    return iter([(path, files.read_file(path))])


def _itself(path: bytes) -> Records:
    return iter([(path, path)])


def _lines(path: bytes, skip: int) -> Records:
    system, place = files.located(os.fsdecode(path))
    with files.told_as_op_errors(place):
        file = system.open(place, "rb")

    def lines() -> Records:
        with file, files.told_as_op_errors(place):
            for number, line in enumerate(file, 1):
                if number > skip:
                    yield b"%s:%d" % (path, number), line.removesuffix(b"\n").replace(b"\r", b"")

    return lines()


def _tf_records(path: bytes, compression: str) -> Records:
    source = records.RecordReader(os.fsdecode(path), compression)

    def found() -> Records:
        while True:
            key = b"%s:%d" % (path, source.offset)
            record = next(source, None)
            if record is None:
                return
            yield key, record

    return found()


def _fixed_length(path: bytes, header: int, size: int, footer: int, hop: int, encoding: str) -> Records:
    content = files.read_file(path)
    if encoding:
        content = _inflated(path, content, encoding)
    end = len(content) - footer - size
    return ((b"%s:%d" % (path, number), content[start:start + size])
            for number, start in enumerate(range(header, end + 1, hop or size)))


def _inflated(path: bytes, content: bytes, encoding: str) -> bytes:
    if encoding not in ("ZLIB", "GZIP"):
        raise invalid(f"records can be encoded as ZLIB or GZIP, not as {encoding!r}")
    try:
        return zlib.decompress(content, zlib.MAX_WBITS | (16 if encoding == "GZIP" else 0))
    except zlib.error as error:
        raise errors.DataLossError(None, None, f"{os.fsdecode(path)} is not {encoding}: {error}") from None


# ---- ops that create a reader

_NAMES = "container: string = '', shared_name: string = ''"


def _holder(kind, open_file, doc, before="", after="", name=None):
    """Declares the op that creates readers of this kind; `open_file` takes a file name and the node's attrs."""
    def kernel(shared, node):
        attrs = node.attrs
        return shared(lambda: Reader(kind, attrs["shared_name"] or node.name, lambda path: open_file(path, attrs)))
    kernel.__doc__ = doc
    return op(f"{name or kind + 'V2'}(*, {before}{_NAMES}{after}) -> reader_handle: resource", stateful=True, on="host",
              shape=scalar, grad=STOP, outside=True)(kernel)


whole_file_reader = _holder("WholeFileReader", lambda path, attrs: _whole_file(path),
                            "A reader of whole files; keys are file names, values contents.")
identity_reader = _holder("IdentityReader", lambda path, attrs: _itself(path),
                          "A reader that returns the queued strings as keys and values.")
text_line_reader = _holder("TextLineReader", lambda path, attrs: _lines(path, attrs["skip_header_lines"]),
                           "A reader of text lines; keys are 'file:line'.", before="skip_header_lines: int = 0, ")
tf_record_reader = _holder("TFRecordReader", lambda path, attrs: _tf_records(path, attrs["compression_type"]),
                           "A reader of TFRecords; keys are 'file:offset'.", after=", compression_type: string = ''")
lmdb_reader = _holder("LMDBReader", lambda path, attrs: lmdb.records(os.fsdecode(path)),
                      "A reader of LMDB files; TensorFlow has this for references only.", name="EvergraphLMDBReader")
fixed_length_record_reader = _holder(
    "FixedLengthRecordReader",
    lambda path, attrs: _fixed_length(path, attrs["header_bytes"], attrs["record_bytes"], attrs["footer_bytes"],
                                      attrs["hop_bytes"], attrs["encoding"]),
    "A reader of fixed-length records; keys are 'file:number'.",
    before="header_bytes: int = 0, record_bytes: int, footer_bytes: int = 0, hop_bytes: int = 0, ",
    after=", encoding: string = ''")


# ---- operations on readers


def _read_shape(reader_handle, queue_handle):
    with_rank(reader_handle, 0)
    with_rank(queue_handle, 0)
    return [(), ()]


@op("ReaderReadV2(reader_handle: resource, queue_handle: resource) -> key: string, value: string", stateful=True,
    on="host", shape=_read_shape, grad=STOP, outside=True)
def reader_read(reader_handle, queue_handle):
    """Reads the next record; dequeues a file name when needed."""
    (key, value), = reader_handle.read(queue_handle, 1)
    return objects([key], ()), objects([value], ())


def _read_up_to_shape(reader_handle, queue_handle, num_records):
    _read_shape(reader_handle, queue_handle)
    with_rank(num_records, 0)
    return [(None,), (None,)]


@op("ReaderReadUpToV2(reader_handle: resource, queue_handle: resource, num_records: int64) -> keys: string, "
    "values: string", stateful=True, on="host", shape=_read_up_to_shape, grad=STOP, outside=True)
def reader_read_up_to(reader_handle, queue_handle, num_records):
    """Reads at most `num_records` records; fewer at the end of a file."""
    if num_records <= 0:
        raise invalid(f"num_records must be positive, not {num_records}")
    found = reader_handle.read(queue_handle, int(num_records))
    shape = (len(found),)
    return objects([key for key, _ in found], shape), objects([value for _, value in found], shape)


@op("ReaderNumRecordsProducedV2(reader_handle: resource) -> records_produced: int64", stateful=True, on="host",
    shape=scalar, grad=STOP, outside=True)
def reader_num_records_produced(reader_handle):
    """The number of records produced so far."""
    return np.int64(reader_handle.counts()[0])


@op("ReaderNumWorkUnitsCompletedV2(reader_handle: resource) -> units_completed: int64", stateful=True, on="host",
    shape=scalar, grad=STOP, outside=True)
def reader_num_work_units_completed(reader_handle):
    """The number of files read to the end."""
    return np.int64(reader_handle.counts()[1])


@op("ReaderSerializeStateV2(reader_handle: resource) -> state: string", stateful=True, on="host", shape=scalar,
    grad=STOP, outside=True)
def reader_serialize_state(reader_handle):
    """The reader's state, for ReaderRestoreStateV2."""
    return objects([reader_handle.state()], ())


def _restore_shape(reader_handle, state):
    with_rank(state, 0)
    return []


@op("ReaderRestoreStateV2(reader_handle: resource, state: string) -> ()", stateful=True, on="host",
    shape=_restore_shape, grad=STOP, outside=True)
def reader_restore_state(reader_handle, state):
    """Restores a reader's serialized state."""
    reader_handle.restore(flat(state)[0])


@op("ReaderResetV2(reader_handle: resource) -> ()", stateful=True, on="host", grad=STOP, outside=True)
def reader_reset(reader_handle):
    """Resets a reader to its initial state; it continues with the next file of the queue."""
    reader_handle.reset()
