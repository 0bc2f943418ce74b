"""Feeds for arrays, iterators and tables in memory: tf.contrib.learn's data feeders."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes, logging
from evergraph.contrib.learn.tables import as_arrays
from evergraph.frontend import array


def _each(function: Callable[..., Any], first: Any, *more: Any) -> Any:
    """The function of a value, or of each of several by name."""
    if isinstance(first, Mapping):
        return {key: function(value, *(other[key] if isinstance(other, Mapping) else other for other in more))
                for key, value in first.items()}
    return function(first, *more)


def _first(values: Any) -> Any:
    return next(iter(values.values())) if isinstance(values, Mapping) else values


def _dtype(dtype: Any) -> Any:
    if np.dtype(dtype) == np.float64:
        logging.warning("float64 is not supported by many models, consider casting to float32.")
    return dtype


def _placeholder_dtype(dtype: Any) -> Any:
    return dtypes.string if np.dtype(dtype).kind in "OSU" else dtypes.as_dtype(np.dtype(dtype))


def _width(shape: tuple[int, ...], n_classes: Any) -> list[int | None]:
    """The shape of a placeholder for rows of this shape, which are one-hot where there are classes."""
    wide = [None, *shape]
    return [*wide, n_classes] if n_classes is not None and n_classes > 1 else wide


def _one_hot(values: Any, n_classes: Any) -> Any:
    if n_classes is None or n_classes < 2:
        return values
    return np.eye(n_classes, dtype=np.float32)[values.astype(np.int64)]


class DataFeeder:
    """Batches of arrays, in an order that is drawn anew for every pass.

    Args:
        x: an array of features with a row for each example, or several by name.
        y: labels in the same form, or None.
        n_classes: the number of classes, by name for several labels, where labels become one-hot rows; or None.
        batch_size: the number of rows of a batch; all by default.
        shuffle: whether the order is drawn.
        random_state: a NumPy RandomState to draw with; one of seed 42 by default.
        epochs: after how many passes to end; None never ends.
    """

    def __init__(self, x: Any, y: Any, n_classes: Any, batch_size: int | None = None, shuffle: bool = True,
                 random_state: Any = None, epochs: int | None = None) -> None:
        self._x = _each(_checked_array, as_arrays(x))
        self._y = None if y is None else _each(_checked_array, as_arrays(y))
        self.n_classes, self.shuffle, self.max_epochs = n_classes, shuffle, epochs
        self._rows = len(_first(self._x))
        self._batch_size = self._rows if batch_size is None else batch_size
        self.random_state = np.random.RandomState(42) if random_state is None else random_state
        self._input_dtype = _each(lambda values: _dtype(values.dtype), self._x)
        self._output_dtype = None if y is None else _each(_label_dtype, self._y, n_classes)
        self.indices = self._order()
        self.offset = self.epoch = 0
        self._input_placeholder = self._output_placeholder = self._epoch_placeholder = None

    def _order(self) -> Any:
        return self.random_state.permutation(self._rows) if self.shuffle else np.arange(self._rows)

    x = property(lambda self: self._x, doc="The features.")
    y = property(lambda self: self._y, doc="The labels.")
    batch_size = property(lambda self: self._batch_size, doc="The number of rows of a batch.")
    input_dtype = property(lambda self: self._input_dtype, doc="The NumPy type of features.")
    output_dtype = property(lambda self: self._output_dtype, doc="The NumPy type of labels.")

    def input_builder(self) -> tuple[Any, Any]:
        """Makes placeholders for (features, labels); labels are None without any."""
        self._input_placeholder = _placeholders("input", self._x, self._input_dtype, None)
        if self._y is not None:
            self._output_placeholder = _placeholders("output", self._y, self._output_dtype, self.n_classes)
        return self._input_placeholder, self._output_placeholder

    def make_epoch_variable(self) -> Any:
        """A placeholder for the number of passes that are behind."""
        self._epoch_placeholder = array.placeholder(dtypes.int32, [1], name="epoch")
        return self._epoch_placeholder

    def set_placeholders(self, input_placeholder: Any, output_placeholder: Any) -> None:
        """Feeds these placeholders rather than those of `input_builder`."""
        self._input_placeholder, self._output_placeholder = input_placeholder, output_placeholder

    def get_feed_params(self) -> dict[str, Any]:
        """Where the pass is: epoch, offset and batch size."""
        return {"epoch": self.epoch, "offset": self.offset, "batch_size": self._batch_size}

    def get_feed_dict_fn(self) -> Callable[[], dict[str, Any]]:
        """A function that returns the feeds of the next batch, by names of placeholders.

        It raises StopIteration after the last pass.
        """
        return self._feed

    def _feed(self) -> dict[str, Any]:
        if self.max_epochs is not None and self.epoch + 1 > self.max_epochs:
            raise StopIteration
        rows = self.indices[self.offset:self.offset + self._batch_size]
        feeds = _feeds(self._input_placeholder, _each(lambda values: values[rows], self._x))
        if self._output_placeholder is not None:
            feeds |= _feeds(self._output_placeholder, _each(
                lambda values, classes: _one_hot(values[rows], classes), self._y, self.n_classes))
        if self._epoch_placeholder is not None:
            feeds[self._epoch_placeholder.name] = [self.epoch]
        self.offset += self._batch_size
        if self.offset >= self._rows:
            self.indices, self.offset, self.epoch = self._order(), 0, self.epoch + 1
        return feeds


def _checked_array(values: Any) -> Any:
    return np.asarray(values) if not isinstance(values, np.ndarray) or isinstance(values, np.matrix) else values


def _label_dtype(values: Any, n_classes: Any) -> Any:
    return np.float32 if n_classes is not None and n_classes > 1 else _dtype(values.dtype)


def _placeholders(name: str, values: Any, kinds: Any, n_classes: Any) -> Any:
    def one(value: Any, kind: Any, classes: Any, called: str) -> Any:
        return array.placeholder(_placeholder_dtype(kind), _width(np.shape(value)[1:], classes), name=called)
    names = {key: f"{name}_{key}" for key in values} if isinstance(values, Mapping) else name
    return _each(one, values, kinds, n_classes, names)


def _feeds(placeholders: Any, values: Any) -> dict[str, Any]:
    if isinstance(placeholders, Mapping):
        return {placeholder.name: values[key] for key, placeholder in placeholders.items()}
    return {placeholders.name: values}


class StreamingDataFeeder(DataFeeder):
    """Batches of the rows that iterators give, each of which is read once.

    Args:
        x: an iterator of rows, or of several by name.
        y: an iterator of labels in the same form, or None.
        n_classes, batch_size: see DataFeeder; without a `batch_size` every row is a batch of one.
    """

    def __init__(self, x: Iterator[Any], y: Iterator[Any] | None, n_classes: Any, batch_size: int | None) -> None:
        first, x = _peeked(x)
        self._rows_of_x, self._rows_of_y, label = x, None, None
        if y is not None:
            label, self._rows_of_y = _peeked(y)
        wrapped = _each(lambda value: np.asarray(value)[np.newaxis], first)
        labels = None if label is None else _each(lambda value: np.asarray(value)[np.newaxis], label)
        super().__init__(wrapped, labels, n_classes, 1 if batch_size is None else batch_size, shuffle=False)

    def get_feed_params(self) -> dict[str, Any]:
        return {"batch_size": self._batch_size}

    def _feed(self) -> dict[str, Any]:
        rows = list(itertools.islice(self._rows_of_x, self._batch_size))
        if not rows:
            raise StopIteration
        feeds = _feeds(self._input_placeholder, _stacked(rows))
        if self._output_placeholder is not None:
            labels = _stacked(list(itertools.islice(self._rows_of_y, len(rows))))
            feeds |= _feeds(self._output_placeholder, _each(_one_hot, labels, self.n_classes))
        return feeds


def _peeked(rows: Iterator[Any]) -> tuple[Any, Iterator[Any]]:
    """(the first row, an iterator of all of them)."""
    first = next(rows)
    return first, itertools.chain([first], rows)


def _stacked(rows: list[Any]) -> Any:
    if isinstance(rows[0], Mapping):
        return {key: np.stack([np.asarray(row[key]) for row in rows]) for key in rows[0]}
    return np.stack([np.asarray(row) for row in rows])


def _is_stream(values: Any) -> bool:
    return isinstance(values, collections.abc.Iterator)


def setup_train_data_feeder(x: Any, y: Any, n_classes: Any, batch_size: int | None = None, shuffle: bool = True,
                            epochs: int | None = None) -> DataFeeder:
    """The feeder for arrays, lists or tables, or for iterators.

    Raises:
        ValueError: one of `x` and `y` is an iterator and the other is not.
    """
    if not _is_stream(x):
        return DataFeeder(x, y, n_classes, batch_size, shuffle=shuffle, epochs=epochs)
    if y is not None and not _is_stream(y):
        raise ValueError("Both x and y should be iterators for streaming learning to work.")
    return StreamingDataFeeder(x, y, n_classes, batch_size)


def setup_predict_data_feeder(x: Any, batch_size: int | None = None) -> Iterable[Any]:
    """The batches of features, as arrays."""
    if _is_stream(x):
        rows = (np.asarray(row) for row in x)
        return iter(lambda: list(itertools.islice(rows, batch_size or 1)), [])
    found = np.asarray(as_arrays(x))
    if found.ndim == 1:
        found = found.reshape(-1, 1)
    if batch_size is None:
        return [found]
    return [found[start:start + batch_size] for start in range(0, len(found), batch_size)]


def setup_processor_data_feeder(x: Any) -> Any:
    """The rows for a preprocessor."""
    return as_arrays(x)
