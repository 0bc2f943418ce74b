"""Where time series come from: arrays, CSV files and records of tf.Examples."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.timeseries.keys import TrainEvalFeatures
from evergraph.data.dataset import DatasetV1 as Dataset
from evergraph.data.dataset import make_one_shot_iterator
from evergraph.data.readers import TextLineDataset, TFRecordDataset
from evergraph.frontend import array, math
from evergraph.frontend.input.parsing import decode_csv, parse_example
from evergraph.graph.node import Tensor

_EVERYTHING = 2 ** 40
"""More records than a series has."""


class TimeSeriesReader(abc.ABC):
    """What reads a series: times, [records], and other features, [records, ...]."""

    def __init__(self, read_num_records_hint: int = 4096) -> None:
        self._hint = read_num_records_hint

    @abc.abstractmethod
    def whole(self) -> Dataset:
        """The dataset whose only element is the whole series; it has none where there are no records."""

    def check_dataset_size(self, minimum_dataset_size: int) -> None:  # noqa: B027 - most readers know no size
        """Raises ValueError where the series is known to have fewer records."""

    def read(self) -> dict[str, Tensor]:
        """Some records that follow each other; the next ones in the next step, and the first again after the last."""
        records = self.whole().flat_map(Dataset.from_tensor_slices).batch(self._hint).repeat()
        return make_one_shot_iterator(records).get_next()

    def read_full(self) -> dict[str, Tensor]:
        """All records, in each step. A step without records raises OutOfRangeError."""
        return make_one_shot_iterator(self.whole().cache().repeat()).get_next()


@export("contrib.timeseries.NumpyReader")
class NumpyReader(TimeSeriesReader):
    """A series in arrays.

    >>> data = {"times": [0, 1, 2, 3], "values": [1.0, 2.0, 3.0, 4.0]}
    >>> tf.Session().run(tf.contrib.timeseries.NumpyReader(data).read_full())["values"].tolist()
    [[1.0], [2.0], [3.0], [4.0]]

    Args:
        data: names of features to arrays: times, [records] or [1, records], and values and others, which have the same
            first axes, and one more for their features unless there is one feature only.
        read_num_records_hint: how many records `read` gives at once.

    Raises:
        ValueError: the times or another feature are not of this form.
    """

    def __init__(self, data: Mapping[str, Any], read_num_records_hint: int = 4096) -> None:
        super().__init__(read_num_records_hint)
        times = np.asarray(data[TrainEvalFeatures.TIMES])
        has_batch = times.ndim == 2
        if times.ndim > 2 or (has_batch and len(times) != 1):
            raise ValueError(f"times have the shape [records] or [1, records], these have {times.shape}")
        self._data = {name: _records(np.asarray(each), has_batch) for name, each in data.items()}
        self._data[TrainEvalFeatures.TIMES] = self._data[TrainEvalFeatures.TIMES][:, 0].astype(np.int64)
        self._size = len(self._data[TrainEvalFeatures.TIMES])
        for name, each in self._data.items():
            if len(each) != self._size:
                raise ValueError(f"{name!r} has {len(each)} records, but there are {self._size} times")

    def whole(self) -> Dataset:
        return Dataset.from_tensors(self._data)

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        if self._size < minimum_dataset_size:
            raise ValueError(f"windows of {minimum_dataset_size} records were asked for, but only {self._size} records "
                             "were available")


def _records(values: np.ndarray, has_batch: bool) -> np.ndarray:
    """[records, features...] of an array that may lack the last axis and have one for batches of one."""
    values = values[0] if has_batch else values
    return values[:, None] if values.ndim == 1 else values


@export("contrib.timeseries.CSVReader")
class CSVReader(TimeSeriesReader):
    """A series in CSV files, one record a line, read in the order of the files.

    The columns of a name become one feature, [records, columns]; the times are [records].

    Args:
        filenames: a path, or several.
        column_names: the name of each column.
        column_dtypes: the dtype of each column; by default int64 for times and float32 for others.
        skip_header_lines: how many lines at the beginning of each file hold no records.
        read_num_records_hint: how many records `read` gives at once.

    Raises:
        ValueError: there is not one column of times.
    """

    def __init__(self, filenames: Any,
                 column_names: Sequence[str] = (TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES),
                 column_dtypes: Sequence[Any] | None = None, skip_header_lines: int | None = None,
                 read_num_records_hint: int = 4096) -> None:
        super().__init__(read_num_records_hint)
        if list(column_names).count(TrainEvalFeatures.TIMES) != 1:
            raise ValueError(f"one column holds the times, named {TrainEvalFeatures.TIMES!r}; the columns are "
                             f"{list(column_names)}")
        self._filenames = _listed(filenames)
        self._names, self._skipped = tuple(column_names), skip_header_lines or 0
        self._dtypes = tuple(dtypes.as_dtype(each) for each in column_dtypes or (
            dtypes.int64 if name == TrainEvalFeatures.TIMES else dtypes.float32 for name in column_names))

    def whole(self) -> Dataset:
        files = Dataset.from_tensor_slices(self._filenames)
        lines = files.flat_map(lambda name: TextLineDataset(name).skip(self._skipped))
        return lines.batch(_EVERYTHING).map(self._parsed)

    def _parsed(self, lines: Tensor) -> dict[str, Tensor]:
        columns = decode_csv(lines, [array.constant([], dtype) for dtype in self._dtypes])
        features = {name: array.stack([column for column, other in zip(columns, self._names) if other == name], axis=-1)
                    for name in dict.fromkeys(self._names)}
        features[TrainEvalFeatures.TIMES] = math.cast(features[TrainEvalFeatures.TIMES][:, 0], dtypes.int64)
        return features


class TFExampleReader(TimeSeriesReader):
    """A series in records of serialized tf.Examples, one for each time.

    Args:
        filenames: a path, or several.
        features: names to the specs of `tf.parse_example`; that of the times is a scalar of int64.

    Raises:
        ValueError: no spec, or another, is there for the times.
    """

    def __init__(self, filenames: Any, features: Mapping[str, Any]) -> None:
        super().__init__()
        spec = features.get(TrainEvalFeatures.TIMES)
        if spec is None or dtypes.as_dtype(spec.dtype) != dtypes.int64 or list(spec.shape):
            raise ValueError(f"the feature {TrainEvalFeatures.TIMES!r} is a scalar of int64, got {spec}")
        self._filenames, self._features = _listed(filenames), dict(features)

    def whole(self) -> Dataset:
        records = TFRecordDataset(self._filenames).batch(_EVERYTHING)
        return records.map(lambda serialized: parse_example(serialized, self._features))


def _listed(filenames: Any) -> list[Any]:
    return [filenames] if isinstance(filenames, (str, bytes)) else list(filenames)
