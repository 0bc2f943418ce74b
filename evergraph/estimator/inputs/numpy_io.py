"""tf.estimator.inputs.numpy_input_fn."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.estimator.inputs.feeding import Rows, queue_of


@export("estimator.inputs.numpy_input_fn")
def numpy_input_fn(x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1,
                   shuffle: bool | None = None, queue_capacity: int = 1000, num_threads: int = 1
                   ) -> Callable[[], Any]:
    """A function that adds a queue of rows of arrays to the graph, and gives the tensors of a batch.

    >>> input_fn = tf.estimator.inputs.numpy_input_fn({"x": np.arange(4.0)}, np.arange(4), batch_size=2, shuffle=False)
    >>> features, labels = input_fn()
    >>> with tf.train.MonitoredSession() as session:
    ...     print(session.run([features["x"], labels]))
    [array([0., 1.]), array([0, 1])]

    Args:
        x: arrays by name, or one array; all have as many rows.
        y: the labels: an array, arrays by name, or None.
        batch_size: how many rows a batch has; the last one may have fewer.
        num_epochs: how often the rows are fed, after which batches end with OutOfRangeError; None for without end.
        shuffle: whether rows come in random order; it must be said.
        queue_capacity: how many rows wait.
        num_threads: how many threads fill the queue; with more than one, the order is not certain.

    Returns:
        A function without arguments that gives features, or (features, labels) where there are labels.

    Raises:
        TypeError: x is something else.
        ValueError: `shuffle` is not a bool, x or y is empty, or rows, once the function is called, differ in number.
    """
    check_shuffle(shuffle)
    if not isinstance(x, (Mapping, np.ndarray)):
        raise TypeError(f"x must be a dict or array, not a {type(x).__name__}")
    if (len(x) if isinstance(x, Mapping) else x.size) == 0:
        raise ValueError(f"x cannot be an empty {'dict' if isinstance(x, Mapping) else 'array'}")

    def input_fn() -> Any:
        features, labels = _named(x), _labels(x, y)
        columns = [np.asarray(column) for column in (*features.values(), *labels.values())]
        _check_lengths(features, labels)
        rows = Rows(np.arange(len(columns[0])), columns)
        queue = queue_of(rows, queue_capacity, bool(shuffle), num_threads, batch_size, num_epochs)
        batch = (queue.dequeue_many if num_epochs is None else queue.dequeue_up_to)(batch_size)
        tensors = (batch if isinstance(batch, list) else [batch])[1:]
        found = _like(x, dict(zip(features, tensors)))
        return found if y is None else (found, _like(y, dict(zip(labels, tensors[len(features):]))))

    return input_fn


def check_shuffle(shuffle: Any) -> None:
    """Raises ValueError unless it was said whether to shuffle."""
    if not isinstance(shuffle, bool):
        raise ValueError(f"shuffle must be provided: True, as a rule for training, or False; got {shuffle!r}")


def _named(value: Any) -> dict[Any, Any]:
    """Arrays by name, sorted; one array has the name None."""
    return dict(sorted(value.items())) if isinstance(value, Mapping) else {None: value}


def _like(given: Any, tensors: dict[Any, Any]) -> Any:
    return tensors if isinstance(given, Mapping) else tensors[None]


def _labels(x: Any, y: Any) -> dict[Any, Any]:
    if y is None:
        return {}
    if isinstance(y, Mapping):
        if not y:
            raise ValueError("y cannot be empty: None stands for no labels")
        twice = sorted(set(x) & set(y)) if isinstance(x, Mapping) else []
        if twice:
            raise ValueError(f"{len(twice)} duplicate keys: features and labels need names of their own, and x and y "
                             f"share {twice}")
    return _named(y)


def _check_lengths(features: dict[Any, Any], labels: dict[Any, Any]) -> None:
    if len({len(column) for column in (*features.values(), *labels.values())}) > 1:
        shapes = lambda columns: {name: np.shape(column) for name, column in columns.items()}
        raise ValueError("x and y are mismatched: each has one row for an example. The shapes in x are "
                         f"{shapes(features)}, those in y {shapes(labels)}")
