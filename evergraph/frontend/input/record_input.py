"""RecordInput of tensorflow.python.ops.data_flow_ops, and the `RecordInput` op's batches."""

from __future__ import annotations

from typing import Any

from evergraph.formats.records import TFRecordCompressionType, TFRecordOptions
from evergraph.frontend.array import reshape, split
from evergraph.frontend.blocks import name_scope
from evergraph.ops.state.record_input import record_input


class RecordInput:
    """Batches of the records of TFRecord files, in random order, epoch after epoch.

    Args:
        file_pattern: the files.
        batch_size: the number of records of a batch.
        buffer_size: the number of records among which the next one is drawn.
        parallelism: how many files TensorFlow reads at once. Has no meaning here: the step's thread reads.
        shift_ratio: the share of the files by which their order moves after an epoch.
        seed: of the order.
        name: a name for the operations.
        batches: the number of batches of a step, or None for one that is not in a list.
        compression_type: of the files: a TFRecordCompressionType.
    """

    def __init__(self, file_pattern: str, batch_size: int = 1, buffer_size: int = 1, parallelism: int = 1,
                 shift_ratio: float = 0, seed: int = 0, name: str | None = None, batches: int | None = None,
                 compression_type: Any = None) -> None:
        self._batch_size = batch_size * (batches or 1)
        self._batches, self._name = batches, name
        compression = TFRecordOptions.get_compression_type_string(
            TFRecordOptions(TFRecordCompressionType.NONE if compression_type is None else compression_type))
        self._attrs = {"file_pattern": file_pattern, "file_random_seed": seed, "file_shuffle_shift_ratio": shift_ratio,
                       "file_buffer_size": buffer_size, "file_parallelism": parallelism,
                       "batch_size": self._batch_size, "compression_type": compression}

    def get_yield_op(self) -> Any:
        """The records of a step: a vector of strings, or with `batches` a list of them."""
        records = record_input(**self._attrs, name=self._name)
        if self._batches is None:
            return records
        with name_scope(self._name):
            return [reshape(part, [-1]) for part in split(records, self._batches, name="batch")]
