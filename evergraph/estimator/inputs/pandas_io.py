"""tf.estimator.inputs.pandas_input_fn."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.estimator.inputs.feeding import Rows, queue_of
from evergraph.estimator.inputs.numpy_io import check_shuffle


@export("estimator.inputs.pandas_input_fn")
def pandas_input_fn(x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1,
                    shuffle: bool | None = None, queue_capacity: int | None = 1000, num_threads: int = 1,
                    target_column: str = "target") -> Callable[[], Any]:
    """A function that adds a queue of rows of a DataFrame to the graph, and gives the tensors of a batch.

    Args:
        x: a pandas DataFrame; its columns are the features.
        y: the labels: a Series or a DataFrame with the index of x, or None.
        batch_size: how many rows a batch has; the last one may have fewer.
        num_epochs: how often the rows are fed, after which batches end with OutOfRangeError; None for without end.
        shuffle: whether rows come in random order; it must be said.
        queue_capacity: how many rows wait; None for four times as many as x has where they are shuffled, else as many.
        num_threads: how many threads fill the queue; with more than one, the order is not certain.
        target_column: has no meaning here: labels are kept apart from features.

    Returns:
        A function without arguments that gives features by column, or (features, labels) where there are labels;
        labels are by column where y is a DataFrame.

    Raises:
        TypeError: pandas is not installed, or x is no DataFrame, or `target_column` no text.
        ValueError: `shuffle` is not a bool, or x and y have different indices.
    """
    pandas = _pandas()
    if not isinstance(x, pandas.DataFrame):
        raise TypeError(f"x must be a pandas DataFrame, got {type(x).__name__}")
    check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError(f"target_column must be a string type, got {target_column!r}")
    if y is not None and not np.array_equal(x.index, y.index):
        raise ValueError(f"x and y differ in their index: {x.index} and {y.index}")
    x, y = x.copy(), None if y is None else y.copy()
    capacity = len(x) * (4 if shuffle else 1) if queue_capacity is None else queue_capacity

    def input_fn() -> Any:
        labels = y if y is None or isinstance(y, pandas.DataFrame) else y.to_frame()
        columns = [x[name] for name in x] + ([] if labels is None else [labels[name] for name in labels])
        rows = Rows(_index(x), [column.to_numpy() for column in columns])
        queue = queue_of(rows, capacity, bool(shuffle), num_threads, batch_size, num_epochs)
        tensors = (queue.dequeue_many if num_epochs is None else queue.dequeue_up_to)(batch_size)[1:]
        features = dict(zip(x, tensors))
        if labels is None:
            return features
        targets = tensors[len(features):]
        return features, dict(zip(labels, targets)) if labels is y else targets[0]

    return input_fn


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise TypeError("pandas_input_fn needs pandas, which is not installed") from None
    return pandas


def _index(frame: Any) -> np.ndarray:
    """The numbers of the rows; those of the index where it has integers."""
    index = frame.index.to_numpy()
    return index.astype(np.int64) if index.dtype.kind in "iu" else np.arange(len(frame))
