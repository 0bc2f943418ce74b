"""Functions of input for Estimators: random windows of a series, the whole of it, and what follows an evaluation."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.timeseries.keys import FilteringResults, PredictionFeatures, TrainEvalFeatures
from evergraph.contrib.timeseries.readers import TimeSeriesReader
from evergraph.data.dataset import make_one_shot_iterator
from evergraph.frontend import array, math
from evergraph.frontend.indexing import gather, where
from evergraph.frontend.ordering import argsort
from evergraph.frontend.random import random_uniform
from evergraph.frontend.reduce import cumsum
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise
from evergraph.train.producers import limit_epochs


class TimeSeriesInputFn(abc.ABC):
    """A function of input: `create_batch` gives (features, None)."""

    @abc.abstractmethod
    def create_batch(self) -> tuple[dict[str, Tensor], None]:
        """(features with the axes [batch, window, ...], None)."""

    def __call__(self) -> tuple[dict[str, Tensor], None]:
        return self.create_batch()


@export("contrib.timeseries.WholeDatasetInputFn")
class WholeDatasetInputFn(TimeSeriesInputFn):
    """The whole series, as a batch of one window, in every step: give `steps=1` to `evaluate`.

    Args:
        time_series_reader: where the series comes from.
    """

    def __init__(self, time_series_reader: TimeSeriesReader) -> None:
        self._reader = time_series_reader

    def create_batch(self) -> tuple[dict[str, Tensor], None]:
        return {name: each[None] for name, each in self._reader.read_full().items()}, None


@export("contrib.timeseries.RandomWindowInputFn")
class RandomWindowInputFn(TimeSeriesInputFn):
    """Batches of windows of a series, drawn at random.

    The series is read once and kept in memory, and each window of it is as likely as any other. There are no queues, so
    that the arguments which size them or ask for threads have no meaning here.

    >>> reader = tf.contrib.timeseries.NumpyReader({"times": range(9), "values": range(9)})
    >>> features, _ = tf.contrib.timeseries.RandomWindowInputFn(reader, window_size=3, batch_size=4)()
    >>> features["times"].shape, features["values"].shape
    (TensorShape([4, 3]), TensorShape([4, 3, 1]))

    Args:
        time_series_reader: where the series comes from.
        window_size: the number of records in a window.
        batch_size: the number of windows in a batch.
        queue_capacity_multiplier: no meaning here.
        shuffle_min_after_dequeue_multiplier: no meaning here.
        discard_out_of_order: whether windows are left out in which the times decrease somewhere; if not, the records of
            a window are sorted by time.
        discard_consecutive_batches_limit: no meaning here: without any window, the first step raises OutOfRangeError.
        jitter: whether windows may begin anywhere; otherwise, they begin at multiples of their size.
        num_threads: no meaning here.
        shuffle_seed: makes the order the same each time.
    """

    def __init__(self, time_series_reader: TimeSeriesReader, window_size: int, batch_size: int,
                 queue_capacity_multiplier: int = 1000, shuffle_min_after_dequeue_multiplier: int = 2,
                 discard_out_of_order: bool = True, discard_consecutive_batches_limit: int = 1000, jitter: bool = True,
                 num_threads: int = 2, shuffle_seed: int | None = None) -> None:
        self._reader, self._window, self._batch = time_series_reader, window_size, batch_size
        self._discards, self._every, self._seed = discard_out_of_order, 1 if jitter else window_size, shuffle_seed

    def create_batch(self) -> tuple[dict[str, Tensor], None]:
        self._reader.check_dataset_size(self._window)
        series = self._reader.whole().map(lambda records: (records, self._starts(records)))
        series = series.filter(lambda records, starts: elementwise.greater(array.shape(starts)[0], 0)).cache()
        windows = series.repeat().map(self._drawn)
        features = make_one_shot_iterator(windows).get_next()
        for each in features.values():
            each.set_shape([self._batch, self._window, *each.shape.as_list()[2:]])
        return features, None

    def _starts(self, records: Mapping[str, Tensor]) -> Tensor:
        """The places where windows may begin."""
        times = records[TrainEvalFeatures.TIMES]
        starts = math.range(0, elementwise.maximum(array.shape(times)[0] - self._window + 1, 0), self._every)
        if not self._discards:
            return starts
        falls = math.cast(elementwise.less(times[1:], times[:-1]), dtypes.int32)
        before = array.concat([[0], cumsum(falls)], 0)
        in_window = gather(before, starts + self._window - 1) - gather(before, starts)
        return gather(starts, where(elementwise.equal(in_window, 0))[:, 0])

    def _drawn(self, records: Mapping[str, Tensor], starts: Tensor) -> dict[str, Tensor]:
        """A batch of windows."""
        drawn = random_uniform([self._batch], 0, array.shape(starts)[0], dtypes.int32, seed=self._seed)
        places = gather(starts, drawn)[:, None] + np.arange(self._window, dtype=np.int32)
        if not self._discards:
            order = argsort(gather(records[TrainEvalFeatures.TIMES], places), axis=-1, stable=True)
            places = gather(places, order, batch_dims=1)
        return {name: gather(each, places) for name, each in records.items()}


@export("contrib.timeseries.predict_continuation_input_fn")
def predict_continuation_input_fn(evaluation: Mapping[str, Any], steps: int | None = None, times: Any = None,
                                  exogenous_features: Mapping[str, Any] | None = None) -> Any:
    """A function of input for `predict`, which goes on where an evaluation ended.

    Args:
        evaluation: what `evaluate` gave.
        steps: how many times to predict, one apart, after the last time of the evaluation; or give `times`.
        times: [batch, times], or [times], to predict.
        exogenous_features: names to arrays, [batch, times, ...], of the features that are not predicted.
    """
    times = prediction_times(evaluation, steps, times)
    features = {name: np.asarray(each) for name, each in (exogenous_features or {}).items()}

    def input_fn() -> tuple[dict[str, Any], None]:
        found = {PredictionFeatures.STATE_TUPLE: _tensors(evaluation[FilteringResults.STATE_TUPLE]),
                 PredictionFeatures.TIMES: limit_epochs(array.constant(times, dtypes.int64), num_epochs=1)}
        for name, each in features.items():
            found[name] = array.constant(in_windows(each, times.shape))
        return found, None

    return input_fn


def _tensors(state: Any) -> Any:
    return tuple(_tensors(each) for each in state) if isinstance(state, (tuple, list)) else array.constant(state)


def in_windows(values: Any, windows: tuple[int, ...], rest: tuple[int, ...] | None = None) -> np.ndarray:
    """An array as [batch, window, ...]; axes that are left out are put back, by the known `rest` of the shape."""
    values = np.asarray(values)
    if rest is None:
        rest = values.shape[2:] or (1,)
    return np.reshape(values, (*windows, *rest))


def prediction_times(start: Mapping[str, Any], steps: int | None, times: Any) -> np.ndarray:
    """[batch, times] to predict: those that are given, or as many as are asked for after the last known ones.

    Raises:
        ValueError: neither or both were given, or the start has no times.
    """
    if (steps is None) == (times is None):
        raise ValueError("give one of steps and times")
    if times is not None:
        times = np.asarray(times, np.int64)
        return times[None] if times.ndim == 1 else times
    if FilteringResults.TIMES not in start:
        raise ValueError(f"steps count from the times of a result, and there is no {FilteringResults.TIMES!r}")
    last = np.asarray(start[FilteringResults.TIMES], np.int64)[:, -1:]
    return last + np.arange(1, steps + 1)


