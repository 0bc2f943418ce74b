"""tf.TextLineReader and its siblings: the records of files whose names wait in a queue."""
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
    """Gives the records of files, a record a step.

    Args:
        reader_ref: the tensor that holds the reader.
        supports_serialize: whether its state can be saved.
    """

    def __init__(self, reader_ref: Tensor, supports_serialize: bool = False) -> None:
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(lambda self: self._reader_ref)
    supports_serialize = property(lambda self: self._supports_serialize)

    def read(self, queue: Any, name: str | None = None) -> Any:
        """(key, value) of the next record; when a file has ended, the next name is taken from the queue.

        Args:
            queue: a queue of strings, or the tensor that holds it.
            name: a name for the operation.

        Raises (when it runs):
            OutOfRangeError: the queue is closed, and all files have been read.
        """
        return ops.reader_read(self._reader_ref, _held(queue), name=name or "ReaderReadV2")

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """(keys, values) of the next records, at most so many; there may be fewer where a file ends."""
        return ops.reader_read_up_to(self._reader_ref, _held(queue), math.cast(num_records, dtypes.int64), name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """How many records were given."""
        return ops.reader_num_records_produced(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """How many files were read to the end."""
        return ops.reader_num_work_units_completed(self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> Tensor:
        """The state as a string; only identity and whole file readers have one."""
        return ops.reader_serialize_state(self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """An operation that goes back to an earlier state."""
        return ops.reader_restore_state(self._reader_ref, state, name=name)

    def reset(self, name: str | None = None) -> Operation:
        """An operation that forgets the file being read and all counts."""
        return ops.reader_reset(self._reader_ref, name=name)


def _held(queue: Any) -> Any:
    return queue if isinstance(queue, Tensor) else queue.queue_ref


@export("WholeFileReader")
class WholeFileReader(ReaderBase):
    """Gives files as they are: the key is the name, the value the content."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.whole_file_reader(name=name), supports_serialize=True)


@export("IdentityReader")
class IdentityReader(ReaderBase):
    """Gives the names in the queue, as both keys and values."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.identity_reader(name=name), supports_serialize=True)


@export("TextLineReader")
class TextLineReader(ReaderBase):
    """Gives the lines of text files, without their ends; the key is "file:line".

    Args:
        skip_header_lines: how many lines of each file to leave out.
        name: a name for the operation.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(ops.text_line_reader(skip_header_lines=skip_header_lines or 0, name=name))


@export("FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """Gives records of one length; the key is "file:number".

    Args:
        record_bytes: the length of a record.
        header_bytes: how many bytes to leave out at the start of a file.
        footer_bytes: how many bytes to leave out at its end.
        hop_bytes: from the start of a record to that of the next; by default `record_bytes`.
        name: a name for the operation.
        encoding: "ZLIB" or "GZIP" when files are compressed, "" or None when not.
    """

    def __init__(self, record_bytes: int, header_bytes: int | None = None, footer_bytes: int | None = None,
                 hop_bytes: int | None = None, name: str | None = None, encoding: str | None = None) -> None:
        super().__init__(ops.fixed_length_record_reader(
            record_bytes=record_bytes, header_bytes=header_bytes or 0, footer_bytes=footer_bytes or 0,
            hop_bytes=hop_bytes or 0, encoding=encoding or "", name=name))


@export("TFRecordReader")
class TFRecordReader(ReaderBase):
    """Gives the records of TFRecord files; the key is "file:offset".

    Args:
        name: a name for the operation.
        options: a tf.io.TFRecordOptions that says how files are compressed.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(ops.tf_record_reader(compression_type=compression, name=name))
