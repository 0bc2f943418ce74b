"""tf.contrib.learn's inputs: numpy_input_fn, pandas_input_fn, generator_input_fn, and tables of pandas as arrays."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.inputs.feeding import FeedingQueueRunner
from evergraph.estimator.inputs.numpy_io import numpy_input_fn as core_numpy_input_fn
from evergraph.estimator.inputs.pandas_io import pandas_input_fn as core_pandas_input_fn
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.queues import FIFOQueue, RandomShuffleQueue
from evergraph.train.queue_runner import add_queue_runner

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
HAS_DASK = HAS_PANDAS and importlib.util.find_spec("dask") is not None


def _names(name: str) -> Callable[[Any], Any]:
    return export(f"contrib.learn.{name}", f"contrib.learn.io.{name}")


@export("contrib.learn.io.numpy_input_fn")
def numpy_input_fn(x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1,
                   shuffle: bool = True, queue_capacity: int = 1000, num_threads: int = 1) -> Callable[[], Any]:
    """An input of arrays: `tf.estimator.inputs.numpy_input_fn`, which shuffles unless it is told not to.

    Args:
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads: see there.
    """
    return core_numpy_input_fn(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads)


@export("contrib.learn.io.pandas_input_fn")
def pandas_input_fn(x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool = True,
                    queue_capacity: int = 1000, num_threads: int = 1,
                    target_column: str = "target") -> Callable[[], Any]:
    """An input of a pandas table: `tf.estimator.inputs.pandas_input_fn`, which shuffles unless it is told not to.

    Args:
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column: see there.
    """
    return core_pandas_input_fn(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column)


# ---- generators


@export("contrib.learn.io.generator_input_fn")
def generator_input_fn(x: Callable[[], Iterator[dict[str, Any]]], target_key: Any = None, batch_size: int = 128,
                       num_epochs: int | None = 1, shuffle: bool = True, queue_capacity: int = 1000,
                       num_threads: int = 1, pad_value: Any = None) -> Callable[[], Any]:
    """An input of examples that a generator yields.

    Args:
        x: a function that returns a generator of dictionaries of arrays.
        target_key: the key of the labels, or several keys; None for features alone.
        batch_size: how many examples a batch has.
        num_epochs: how often the generator ends before the input does; the batch in which it ends for the last time is
            filled up from its beginning. None for without end.
        shuffle: whether examples come in random order.
        queue_capacity: how many examples wait.
        num_threads: how many threads fill the queue, each with a generator of its own.
        pad_value: must be None: examples of one key have one shape.

    Returns:
        A function that gives features, or (features, labels).

    Raises:
        TypeError: `x` is no such function, or `target_key` is not made of strings.
        KeyError: what is yielded has no such key.
    """
    if not inspect.isfunction(x) and not inspect.ismethod(x):
        raise TypeError(f"x must be generator function; got {type(x).__name__}")
    started = x()
    if not inspect.isgenerator(started):
        raise TypeError(f"x() must be generator; got {type(started).__name__}")
    first = next(started)
    if not isinstance(first, Mapping):
        raise TypeError(f"x() must yield dict; got {type(first).__name__}")
    keys = _target_keys(target_key)
    if any(key not in first for key in keys or ()):
        raise KeyError(f"target_key not in yielded dict. Expected {sorted(first)} keys; got {list(keys)}")
    if pad_value is not None:
        raise ValueError(f"generator_input_fn takes examples of one shape; pad_value={pad_value!r} has no meaning")

    def input_fn() -> Any:
        names = sorted(first)
        arrays = {name: np.asarray(first[name]) for name in names}
        kinds = [dtypes.string if value.dtype.kind in "OSU" else dtypes.as_dtype(value.dtype)
                 for value in arrays.values()]
        queue = _queue_of(kinds, [value.shape for value in arrays.values()], queue_capacity, shuffle)
        operations, feeds = [], []
        for _ in range(num_threads):
            holes = [array.placeholder(kind) for kind in kinds]
            operations.append(queue.enqueue_many(holes))
            feeds.append(_generated(x, names, holes, batch_size, num_epochs))
        add_queue_runner(FeedingQueueRunner(queue, operations, feeds))
        found = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        features = dict(zip(names, found if isinstance(found, (list, tuple)) else [found], strict=True))
        if keys is None:
            return features
        labels = {key: features.pop(key) for key in keys}
        return features, labels[target_key] if isinstance(target_key, str) else labels
    return input_fn


def _target_keys(target_key: Any) -> tuple[str, ...] | None:
    if target_key is None:
        return None
    keys = (target_key,) if isinstance(target_key, str) else target_key
    if not isinstance(keys, Container) or not all(isinstance(key, str) for key in keys):
        raise TypeError(f"target_key must be str or Container of str; got {type(target_key).__name__}")
    return tuple(keys)


def _queue_of(kinds: list[Any], shapes: list[Any], capacity: int, shuffle: bool) -> Any:
    with name_scope("enqueue_input"):
        if shuffle:
            return RandomShuffleQueue(capacity, dtypes=kinds, shapes=shapes, min_after_dequeue=capacity // 4)
        return FIFOQueue(capacity, dtypes=kinds, shapes=shapes)


def _generated(x: Callable[[], Iterator[Any]], names: list[str], holes: list[Any], batch_size: int,
               num_epochs: int | None) -> Callable[[], Iterator[dict[Any, Any]]]:
    """A function that begins to feed what the generator yields."""
    def batches() -> Iterator[dict[Any, Any]]:
        rows, passes = x(), 0
        while num_epochs is None or passes < num_epochs:
            batch = []
            while len(batch) < batch_size:
                row = next(rows, None)
                if row is None:
                    rows, passes = x(), passes + 1
                    continue
                if sorted(row) != names:
                    raise KeyError(f"key mismatch between dicts emitted by GenFunExpected {names} keys; got "
                                   f"{sorted(row)}")
                batch.append(row)
            yield {hole: np.stack([np.asarray(row[name]) for row in batch])
                   for hole, name in zip(holes, names, strict=True)}
    return batches


# ---- tables


def _is_table(data: Any) -> bool:
    return hasattr(data, "dtypes") and hasattr(data, "columns") and not hasattr(data, "npartitions")


def _is_series(data: Any) -> bool:
    return hasattr(data, "iloc") and not hasattr(data, "columns")


def as_arrays(data: Any) -> Any:
    """Arrays of what a person has: tables, series, lists, arrays, or several by name."""
    if isinstance(data, Mapping):
        return {key: as_arrays(value) for key, value in data.items()}
    if hasattr(data, "npartitions"):
        data = data.compute()
    if _is_table(data):
        return extract_pandas_data(data)
    return np.asarray(data)


@_names("extract_pandas_data")
def extract_pandas_data(data: Any) -> Any:
    """The numbers in a pandas table as an array of floats; anything else as it is.

    Raises:
        ValueError: a column holds something else than numbers.
    """
    if not _is_table(data):
        return data
    strange = [f"{column} ({kind})" for column, kind in zip(data.columns, data.dtypes, strict=True)
               if np.dtype(kind).kind not in "biuf"]
    if strange:
        raise ValueError(f"Data types for extracting pandas data must be numbers, and these columns are not: {strange}")
    return data.values.astype("float")


@_names("extract_pandas_matrix")
def extract_pandas_matrix(data: Any) -> Any:
    """The values of a pandas table as an array; anything else as it is."""
    return data.to_numpy() if _is_table(data) else data


@_names("extract_pandas_labels")
def extract_pandas_labels(labels: Any) -> Any:
    """The labels in a pandas table of one column, or in a series; anything else as it is.

    Raises:
        ValueError: there are more columns, or they hold something else than numbers.
    """
    if not _is_table(labels):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    strange = [f"{column} ({kind})" for column, kind in zip(labels.columns, labels.dtypes, strict=True)
               if np.dtype(kind).kind not in "biuf"]
    if strange:
        raise ValueError(f"Data types for extracting labels must be numbers, and these columns are not: {strange}")
    return labels.values


@_names("extract_dask_data")
def extract_dask_data(data: Any) -> Any:
    """A dask table or series, or another collection, with the rows of each part numbered on from the last part's."""
    return data.reset_index(drop=True) if hasattr(data, "npartitions") else data


@_names("extract_dask_labels")
def extract_dask_labels(labels: Any) -> Any:
    """The labels in a dask table of one column or in a series; see `extract_dask_data`.

    Raises:
        ValueError: the table has more than one column.
    """
    if hasattr(labels, "npartitions") and len(getattr(labels, "columns", ())) > 1:
        raise ValueError("Only one column for labels is allowed.")
    return extract_dask_data(labels)
