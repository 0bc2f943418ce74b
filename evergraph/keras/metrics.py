"""tf.keras.metrics: objects that keep a number over many batches. The base, sums and means."""
from __future__ import annotations

import abc
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, init_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.confusion import remove_squeezable_dimensions
from evergraph.frontend.control_flow import group
from evergraph.frontend.nn.weights import broadcast_weights
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.keras import session, settings
from evergraph.keras.layer import Layer
from evergraph.ops.math import elementwise


@export("keras.metrics.Metric")
class Metric(Layer):
    """The base of metrics: a subclass creates its variables, changes them in `update_state` and reads them in `result`.

    Calling a metric takes in a batch and returns the value after it.

    >>> mean = tf.keras.metrics.Mean()
    >>> update = mean.update_state([1.0, 3.0])
    >>> with tf.Session() as session:
    ...     session.run(tf.variables_initializer(mean.variables))
    ...     session.run(update)
    ...     print(session.run(mean.result()))
    2.0

    Args:
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    is_metric = True

    def __init__(self, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype or settings.floatx(), **kwargs)
        self._metric_updates: list[Any] = []
        self.built = self.stateful = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "update_state" in vars(cls):
            cls.update_state = _remembered(cls.update_state)  # type: ignore[method-assign]

    def add_weight(self, name: str, shape: Any = (), aggregation: Any = VariableAggregation.SUM,
                   synchronization: Any = VariableSynchronization.ON_READ, initializer: Any = "zeros",
                   dtype: Any = None) -> Any:
        """Creates a variable, which is local: no checkpoint has it, and `tf.local_variables_initializer` resets it."""
        with init_scope():
            variable = super().add_weight(
                name, shape, dtype=dtype or self.dtype, initializer=initializer, trainable=False,
                aggregation=aggregation, synchronization=synchronization,
                collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES])
        session.track_variable(variable)
        return variable

    @abc.abstractmethod
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in a batch, and returns the operation that does."""

    @abc.abstractmethod
    def result(self) -> Any:
        """The value over all batches so far."""

    @property
    def updates(self) -> list[Any]:
        """The operations that took in batches."""
        return self._metric_updates

    def reset_states(self) -> None:
        """Forgets all batches: sets the variables to zero, in Keras' session or with eager execution."""
        session.batch_set_value([(variable, np.zeros(variable.shape.as_list(), variable.dtype.as_numpy_dtype))
                                 for variable in self.variables])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in a batch, and returns the value after it."""
        with control_dependencies([] if default_graph().is_eager else [self.update_state(*args, **kwargs)]):
            if default_graph().is_eager:
                self.update_state(*args, **kwargs)
            tensor = array.identity(self.result())
        tensor._metric_obj = self  # `add_metric` finds it there
        self.latest = tensor
        return tensor

    latest: Any = None  # the value after the last batch that it was called with

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {"name": self.name, "dtype": self.dtype}


def _remembered(update: Any) -> Any:
    """An `update_state` whose operation joins `updates`."""
    @functools.wraps(update)
    def update_state(self: Metric, *args: Any, **kwargs: Any) -> Any:
        if getattr(self, "_is_updating", False):
            return update(self, *args, **kwargs)
        self._is_updating = True
        try:
            operation = update(self, *args, **kwargs)
        finally:
            self._is_updating = False
        if not default_graph().is_eager:
            self._metric_updates.append(operation)
        return operation
    return update_state


def fitted(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Labels and predictions of one rank: a last axis of size 1 that only one of them has is removed."""
    ranks = y_true.shape.rank, y_pred.shape.rank
    if None not in ranks and (ranks[0] != ranks[1] or y_pred.shape.as_list()[-1:] == [1]):
        return remove_squeezable_dimensions(y_true, y_pred)
    return y_true, y_pred


def weighted(values: Any, sample_weight: Any, dtype: Any = dtypes.float32) -> tuple[Any, Any]:
    """Values times their weights, and the weights in the shape of the values.

    Weights may lack the last axis of the values, or have one of size 1 too many. If they lack more axes, the values are
    averaged over those.
    """
    values = math.cast(convert_to_tensor(values), dtype)
    if sample_weight is None:
        return values, array.ones_like(values)
    weights = math.cast(convert_to_tensor(sample_weight), dtype)
    ranks = values.shape.rank, weights.shape.rank
    if None not in ranks and ranks[1] == ranks[0] + 1:
        weights = array.squeeze(weights, [-1])
    elif None not in ranks and 0 < ranks[1] == ranks[0] - 1:
        weights = array.expand_dims(weights, -1)
    elif None not in ranks and 0 < ranks[1] < ranks[0]:
        values = reduce_mean(values, axis=list(range(ranks[1], ranks[0])))
    weights = broadcast_weights(weights, values)
    return elementwise.mul(values, weights), weights


@export("keras.metrics.Mean")
class Mean(Metric):
    """The weighted mean of values.

    Args:
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    def __init__(self, name: str | None = "mean", dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total, self.count = self.add_weight("total"), self.add_weight("count")

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Takes in values, with weights in their shape or without their last axis."""
        values, weights = weighted(values, sample_weight, self.dtype)
        return group(self.total.assign_add(reduce_sum(values)), self.count.assign_add(reduce_sum(weights)))

    def result(self) -> Any:
        """The weighted mean, 0 before the first value."""
        return math.div_no_nan(self.total.read_value(), self.count.read_value())


@export("keras.metrics.Sum")
class Sum(Metric):
    """The weighted sum of values.

    Args:
        name: the name of the metric.
        dtype: the dtype of its variable, float32 by default.
    """

    def __init__(self, name: str | None = "sum", dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_weight("total")

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Takes in values, with weights in their shape or without their last axis."""
        return group(self.total.assign_add(reduce_sum(weighted(values, sample_weight, self.dtype)[0])))

    def result(self) -> Any:
        """The weighted sum."""
        return array.identity(self.total.read_value())


class MeanMetricWrapper(Mean):
    """The weighted mean of a function of labels and predictions.

    Args:
        fn: the function.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
        **kwargs: further arguments of the function.
    """

    def __init__(self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name, dtype)
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
        y_true, y_pred = (math.cast(convert_to_tensor(each), self.dtype) for each in (y_true, y_pred))
        y_true, y_pred = fitted(y_true, y_pred)
        return super().update_state(self._fn(y_true, y_pred, **self._fn_kwargs), sample_weight)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), **self._fn_kwargs}


@export("keras.metrics.MeanRelativeError")
class MeanRelativeError(Mean):
    """The mean of the absolute errors divided by given numbers.

    Args:
        normalizer: the numbers, in the shape of the predictions; where they are 0, the error counts as 0.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    def __init__(self, normalizer: Any, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.normalizer = math.cast(convert_to_tensor(normalizer), self.dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
        y_true, y_pred = fitted(*(math.cast(convert_to_tensor(each), self.dtype) for each in (y_true, y_pred)))
        y_pred, normalizer = remove_squeezable_dimensions(y_pred, self.normalizer)
        y_pred.shape.assert_is_compatible_with(y_true.shape)
        return super().update_state(math.div_no_nan(math.abs(y_true - y_pred), normalizer), sample_weight)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), "normalizer": session.get_value(self.normalizer)}


@export("keras.metrics.RootMeanSquaredError")
class RootMeanSquaredError(Mean):
    """The root of the mean squared error of predictions.

    Args:
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    def __init__(self, name: str | None = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
        y_true, y_pred = fitted(*(math.cast(convert_to_tensor(each), self.dtype) for each in (y_true, y_pred)))
        return super().update_state(math.square(y_pred - y_true), sample_weight)

    def result(self) -> Any:
        """The root of the weighted mean."""
        return elementwise.sqrt(super().result())
