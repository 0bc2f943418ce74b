"""Datasets to files: `tf.data.experimental.TFRecordWriter`."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.data import specs
from evergraph.data.arguments import text
from evergraph.data.dataset import DatasetV2
from evergraph.ops.data.writing import dataset_to_tf_record


@export("data.experimental.TFRecordWriter", "contrib.data.TFRecordWriter")
class TFRecordWriter:
    """Writes a dataset of strings to a TFRecord file.

    >>> writer = tf.data.experimental.TFRecordWriter("lines.tfrecord")
    >>> write = writer.write(tf.data.Dataset.from_tensor_slices(["a", "b"]))

    Args:
        filename: of the file.
        compression_type: None or "", "ZLIB" or "GZIP".
    """

    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        self._filename, self._compression = text(filename, "filename"), text(compression_type, "compression_type")

    def write(self, dataset: Any) -> Any:
        """An operation that writes all elements of a dataset.

        Raises:
            TypeError: it is no dataset of scalar strings.
        """
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"`dataset` is a {type(dataset).__name__}, expected a tf.data.Dataset")
        if not specs.fits(specs.TensorSpec([], dtypes.string), dataset.element_spec):
            raise TypeError(f"`dataset` has elements of {dataset.element_spec}, expected a scalar tf.string each")
        return dataset_to_tf_record(dataset._variant_tensor, self._filename, self._compression)
