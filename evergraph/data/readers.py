"""Datasets of what files hold: `tf.data.TFRecordDataset` and its siblings."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.data import specs
from evergraph.data.arguments import text
from evergraph.data.dataset import DatasetV1, DatasetV2
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.data import reading

_BUFFER = 256 * 1024
_LINE = specs.TensorSpec([], dtypes.string)


class _FileDataset(DatasetV2):
    """A dataset of the strings that files hold."""

    def _open(self, filenames: Any, num_parallel_reads: Any) -> None:
        """Makes it a dataset of what these files hold, of `num_parallel_reads` of them at a time."""
        is_dataset = isinstance(filenames, DatasetV2)
        if is_dataset:
            _check_names(filenames)
        names = filenames if is_dataset else array.reshape(
            convert_to_tensor(filenames, dtypes.string, name="filenames"), [-1], name="flat_filenames")
        content = self._read(names) if num_parallel_reads is None and not is_dataset else self._interleaved(
            names if is_dataset else self._flavour.from_tensor_slices(names), num_parallel_reads)
        DatasetV2.__init__(self, content)
        self._spec, self._names = _LINE, names
        self._made_of = [names] if is_dataset else []

    def _interleaved(self, names: Any, num_parallel_reads: Any) -> Tensor:
        read = lambda name: self._flavour._made(self._read(name), _LINE)
        if num_parallel_reads is None:
            return names.flat_map(read)._variant_tensor
        return names.interleave(read, num_parallel_reads, num_parallel_calls=num_parallel_reads)._variant_tensor

    def _read(self, names: Tensor) -> Tensor:
        """The tensor of a dataset of what these files hold."""
        raise NotImplementedError


def _check_names(dataset: Any) -> None:
    spec = dataset.element_spec
    if not isinstance(spec, specs.TensorSpec) or spec.dtype != dtypes.string:
        raise TypeError(f"`filenames` is a dataset of {spec}, expected one of tf.string")
    if not spec.shape.is_compatible_with([]):
        raise TypeError(f"`filenames` is a dataset of strings of shape {spec.shape}, expected scalars")


def _count(value: Any, default: int, name: str) -> Tensor:
    return convert_to_tensor(default if value is None else value, dtypes.int64, name=name)


@export("compat.v2.data.TextLineDataset")
class TextLineDatasetV2(_FileDataset):
    """A dataset of the lines of text files, without what ends them.

    Args:
        filenames: the name of a file, several names, or a dataset of names.
        compression_type: None or "", "ZLIB" or "GZIP".
        buffer_size: how many bytes are read at once.
        num_parallel_reads: how many files are read at a time; one after another if it is None.
    """

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
                 num_parallel_reads: Any = None) -> None:
        self._compression, self._buffer = compression_type, buffer_size
        self._open(filenames, num_parallel_reads)

    def _read(self, names: Tensor) -> Tensor:
        return reading.text_line_dataset(names, text(self._compression, "compression_type"),
                                         _count(self._buffer, _BUFFER, "buffer_size"))


@export("compat.v2.data.TFRecordDataset")
class TFRecordDatasetV2(_FileDataset):
    """A dataset of the records of TFRecord files.

    Args:
        filenames: the name of a file, several names, or a dataset of names.
        compression_type: None or "", "ZLIB" or "GZIP".
        buffer_size: how many bytes are read at once.
        num_parallel_reads: how many files are read at a time; one after another if it is None.
    """

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
                 num_parallel_reads: Any = None) -> None:
        self._compression, self._buffer = compression_type, buffer_size
        self._open(filenames, num_parallel_reads)

    def _read(self, names: Tensor) -> Tensor:
        return reading.tf_record_dataset(names, text(self._compression, "compression_type"),
                                         _count(self._buffer, _BUFFER, "buffer_size"))

    def _inputs(self) -> list[DatasetV2]:
        # In TensorFlow this dataset is always made of one of names.
        return self._made_of or [self._flavour.from_tensor_slices(self._names)]


@export("compat.v2.data.FixedLengthRecordDataset")
class FixedLengthRecordDatasetV2(_FileDataset):
    """A dataset of the records of files whose records all have one length.

    Args:
        filenames: the name of a file, several names, or a dataset of names.
        record_bytes: the length of a record.
        header_bytes, footer_bytes: how many bytes to leave out at the start and the end of a file.
        buffer_size: how many bytes are read at once.
        compression_type: None or "", "ZLIB" or "GZIP".
        num_parallel_reads: how many files are read at a time; one after another if it is None.
    """

    def __init__(self, filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
                 buffer_size: Any = None, compression_type: Any = None, num_parallel_reads: Any = None) -> None:
        self._lengths = header_bytes, record_bytes, footer_bytes
        self._compression, self._buffer = compression_type, buffer_size
        self._open(filenames, num_parallel_reads)

    def _read(self, names: Tensor) -> Tensor:
        header, record, footer = self._lengths
        given = [_count(header, 0, "header_bytes"), _count(record, 0, "record_bytes"),
                 _count(footer, 0, "footer_bytes"), _count(self._buffer, _BUFFER, "buffer_size")]
        return reading.fixed_length_record_dataset_v2(names, *given, text(self._compression, "compression_type"))


@export("data.TextLineDataset")
class TextLineDataset(TextLineDatasetV2, DatasetV1):
    __doc__ = TextLineDatasetV2.__doc__


@export("data.TFRecordDataset")
class TFRecordDataset(TFRecordDatasetV2, DatasetV1):
    __doc__ = TFRecordDatasetV2.__doc__


@export("data.FixedLengthRecordDataset")
class FixedLengthRecordDataset(FixedLengthRecordDatasetV2, DatasetV1):
    __doc__ = FixedLengthRecordDatasetV2.__doc__
