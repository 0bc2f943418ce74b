"""What models know of their data before they are trained: moments, the first time and the length, from mini-batches."""

from __future__ import annotations

import collections
from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.timeseries.keys import TrainEvalFeatures
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import argmin, reduce_max, reduce_mean, reduce_min
from evergraph.frontend.variables.assign import assign, assign_add
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math import elementwise

Moments = collections.namedtuple("Moments", ["mean", "variance"])
"""Means and variances, [features]."""

_FIELDS = ["series_start_moments", "overall_feature_moments", "start_time", "total_observation_count"]
InputStatistics = collections.namedtuple("InputStatistics", _FIELDS)
"""The Moments of the beginning of a series and of all of it, its first time, and the number of its observations."""


class InputStatisticsFromMiniBatch:
    """Statistics that become better with every batch of training.

    Args:
        num_features: that of the series.
        dtype: that of its values.
        starting_variance_window_size: how many values at the beginning of a series its beginning is.
    """

    def __init__(self, num_features: int, dtype: Any, starting_variance_window_size: int = 16) -> None:
        self._features, self._dtype = num_features, dtypes.as_dtype(dtype)
        self._beginning = starting_variance_window_size

    def initialize_graph(self, features: Any, update_statistics: bool = True) -> InputStatistics:
        """Makes the variables.

        Args:
            features: times and values, [batch, window, ...].
            update_statistics: whether the statistics wait until this batch has been added to them.
        """
        with variable_scope("input_statistics"):
            self._make_variables()
        if not update_statistics:
            return self._statistics(self._read())
        times = math.cast(features[TrainEvalFeatures.TIMES], dtypes.int64)
        values = math.cast(features[TrainEvalFeatures.VALUES], self._dtype)
        with control_dependencies([self._updates(times, values)]):
            return self._statistics(self._read())

    def _make_variables(self) -> None:
        def made(name: str, shape: list[int], dtype: Any = self._dtype, value: Any = 0) -> Any:
            start = constant_initializer(value, dtype) if value else zeros_initializer()
            return get_variable(name, shape, dtype, start, trainable=False)

        wide = [self._features]
        self._batches = made("batches", [], dtypes.int64)
        self._mean, self._square = made("mean", wide), made("square", wide)
        self._start_mean, self._start_variance = made("start_mean", wide), made("start_variance", wide, value=1)
        self._first = made("first_time", [], dtypes.int64, dtypes.int64.max)
        self._last = made("last_time", [], dtypes.int64, dtypes.int64.min)
        self._gap = made("gap", [], dtypes.float64, 1)

    def _updates(self, times: Tensor, values: Tensor) -> Operation:
        """Adds a batch."""
        batches = math.cast(self._batches + 1, dtypes.float64)

        def step(variable: Any, new: Tensor) -> Operation:
            """A mean over batches."""
            old = math.cast(variable, new.dtype)
            return assign(variable, old + (new - old) / math.cast(batches, new.dtype))

        row = argmin(times[:, 0])
        begins = elementwise.less_equal(times[row, 0], self._first)
        start = values[row, :self._beginning]
        start_mean, start_variance = _moments(start, [0])
        gaps = math.cast(array.shape(times)[1] - 1, dtypes.float64)
        spread = math.cast(times[:, -1] - times[:, 0], dtypes.float64) / elementwise.maximum(gaps, 1.0)
        has_gaps = elementwise.greater(gaps, 0.0)
        changes = [
            step(self._mean, reduce_mean(values, axis=[0, 1])),
            step(self._square, reduce_mean(elementwise.square(values), axis=[0, 1])),
            step(self._gap, where(has_gaps, reduce_mean(spread), array.identity(self._gap))),
            assign(self._start_mean, _either(begins, start_mean, self._start_mean)),
            assign(self._start_variance, _either(begins, start_variance, self._start_variance)),
            assign(self._last, elementwise.maximum(array.identity(self._last), reduce_max(times)))]
        with control_dependencies(changes):
            first = assign(self._first, elementwise.minimum(array.identity(self._first), reduce_min(times)))
            return group(first, assign_add(self._batches, 1))

    def _read(self) -> list[Tensor]:
        return [array.identity(each) for each in (
            self._mean, self._square, self._start_mean, self._start_variance, self._first, self._last, self._gap,
            self._batches)]

    def _statistics(self, values: list[Tensor]) -> InputStatistics:
        """What the variables say, or moments of 0 and 1 before the first batch."""
        mean, square, start_mean, start_variance, first, last, gap, batches = values
        is_new = elementwise.equal(batches, 0)
        variance = elementwise.maximum(square - elementwise.square(mean), 0.0)
        first = where(is_new, array.zeros_like(first), first)
        length = math.cast(where(is_new, array.zeros_like(last), last) - first, dtypes.float64)
        count = math.cast(elementwise.rint(length / elementwise.maximum(gap, 1e-9)), dtypes.int64) + 1
        return InputStatistics(
            series_start_moments=Moments(start_mean, start_variance),
            overall_feature_moments=Moments(mean, _either(is_new, array.ones_like(variance), variance)),
            start_time=first, total_observation_count=count)


def _moments(values: Tensor, axes: list[int]) -> tuple[Tensor, Tensor]:
    mean = reduce_mean(values, axis=axes)
    return mean, reduce_mean(elementwise.square(values - mean), axis=axes)


def _either(choice: Tensor, one: Any, other: Any) -> Tensor:
    """One of two vectors."""
    chosen = math.cast(choice, one.dtype)
    return one * chosen + array.identity(other) * (1 - chosen)
