"""tf.TextLineReader and other readers of the files whose names a queue holds."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.formats.records import TFRecordOptions
from evergraph.frontend import math
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.state import readers as ops


@export("ReaderBase")
class ReaderBase:
    """The base of readers, which return the records of files, one per step.

    Args:
        reader_ref: the tensor with the reader's handle.
        supports_serialize: whether its state can be serialized.
    """

    def __init__(self, reader_ref: Tensor, supports_serialize: bool = False) -> None:
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(lambda self: self._reader_ref)
    supports_serialize = property(lambda self: self._supports_serialize)

    def read(self, queue: Any, name: str | None = None) -> Any:
        """(key, value) of the next record; dequeues the next file name at the end of a file.

        Args:
            queue: a queue of file names, or the tensor with its handle.
            name: a name for the operation.

        Raises (when it runs):
            OutOfRangeError: the queue is closed, and all files have been read.
        """
        return ops.reader_read(self._reader_ref, _held(queue), name=name or "ReaderReadV2")

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """(keys, values) of at most `num_records` next records; fewer at the end of a file."""
        return ops.reader_read_up_to(self._reader_ref, _held(queue), math.cast(num_records, dtypes.int64), name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """The number of records produced so far."""
        return ops.reader_num_records_produced(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """The number of files read to the end."""
        return ops.reader_num_work_units_completed(self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> Tensor:
        """The serialized state; only identity and whole file readers have one."""
        return ops.reader_serialize_state(self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """An operation that restores a serialized state."""
        return ops.reader_restore_state(self._reader_ref, state, name=name)

    def reset(self, name: str | None = None) -> Operation:
        """An operation that resets the reader to its initial state."""
        return ops.reader_reset(self._reader_ref, name=name)


def _held(queue: Any) -> Any:
    return queue if isinstance(queue, Tensor) else queue.queue_ref


@export("WholeFileReader")
class WholeFileReader(ReaderBase):
    """A reader of whole files: the key is the file name, the value the content."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.whole_file_reader(name=name), supports_serialize=True)


@export("IdentityReader")
class IdentityReader(ReaderBase):
    """A reader that returns the queued strings as both keys and values."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.identity_reader(name=name), supports_serialize=True)


@export("TextLineReader")
class TextLineReader(ReaderBase):
    """A reader of text lines, without newlines; the key is "file:line".

    Args:
        skip_header_lines: the number of lines to skip at the start of each file.
        name: a name for the operation.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(ops.text_line_reader(skip_header_lines=skip_header_lines or 0, name=name))


@export("FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """A reader of fixed-length records; the key is "file:number".

    Args:
        record_bytes: the length of a record.
        header_bytes: the length of a file's header, which is skipped.
        footer_bytes: the length of its footer, likewise.
        hop_bytes: the distance between the starts of records; by default `record_bytes`.
        name: a name for the operation.
        encoding: the compression, "ZLIB" or "GZIP"; "" or None for none.
    """

    def __init__(self, record_bytes: int, header_bytes: int | None = None, footer_bytes: int | None = None,
                 hop_bytes: int | None = None, name: str | None = None, encoding: str | None = None) -> None:
        super().__init__(ops.fixed_length_record_reader(
            record_bytes=record_bytes, header_bytes=header_bytes or 0, footer_bytes=footer_bytes or 0,
            hop_bytes=hop_bytes or 0, encoding=encoding or "", name=name))


@export("TFRecordReader")
class TFRecordReader(ReaderBase):
    """A reader of TFRecord files; the key is "file:offset".

    Args:
        name: a name for the operation.
        options: a tf.io.TFRecordOptions with the files' compression.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(ops.tf_record_reader(compression_type=compression, name=name))


@export("LMDBReader")
class LMDBReader(ReaderBase):
    """A reader of LMDB files; keys and values are those of the database, in the order of keys.

    Args:
        name: a name for the operation.
        options: TensorFlow 1.15 takes it and has no use for it either.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        super().__init__(ops.lmdb_reader(name=name))
