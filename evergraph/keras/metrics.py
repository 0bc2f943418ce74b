"""tf.keras.metrics: objects that keep a number over many batches. Those here are means."""
from __future__ import annotations

import abc
import functools
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope, root_graph
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.control_flow import group
from evergraph.frontend.nn.weights import broadcast_weights
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.assign import variables_initializer
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import losses, utilities
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

    def __init__(self, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype or dtypes.float32, **kwargs)
        self._metric_updates: list[Any] = []
        self.built = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "update_state" in vars(cls):
            cls.update_state = _remembered(cls.update_state)  # type: ignore[method-assign]

    def add_weight(self, name: str, shape: Any = (), aggregation: Any = VariableAggregation.SUM,
                   synchronization: Any = VariableSynchronization.ON_READ, initializer: Any = "zeros",
                   dtype: Any = None) -> Any:
        """Creates a variable, which is local: no checkpoint has it, and `tf.local_variables_initializer` resets it."""
        with name_scope(f"{self.name}"):
            return super().add_weight(
                name, shape, dtype=dtype or self.dtype, initializer=initializer, trainable=False,
                aggregation=aggregation, synchronization=synchronization,
                collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES])

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

    def reset_states(self) -> Any:
        """The operation that forgets all batches; with eager execution they are forgotten at once."""
        if root_graph().is_eager:
            for variable in self.variables:
                variable.assign(array.zeros(variable.shape, variable.dtype))
            return None
        return variables_initializer(self.variables)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with control_dependencies([self.update_state(*args, **kwargs)]):
            return array.identity(self.result())


def _remembered(update: Any) -> Any:
    """An `update_state` whose operation joins `updates`."""
    def update_state(self: Metric, *args: Any, **kwargs: Any) -> Any:
        nested = getattr(self, "_is_updating", False)
        self._is_updating = True
        try:
            operation = update(self, *args, **kwargs)
        finally:
            self._is_updating = nested
        if not nested:
            self._metric_updates.append(operation)
        return operation
    update_state.__doc__ = update.__doc__
    return update_state


def weighted(values: Any, sample_weight: Any) -> tuple[Any, Any]:
    """Values times their weights, and the weights in the shape of the values.

    Weights may lack the last axis of the values, or have one of size 1 too many.
    """
    values = math.cast(convert_to_tensor(values), dtypes.float32)
    if sample_weight is None:
        return values, array.ones_like(values)
    weights = math.cast(convert_to_tensor(sample_weight), dtypes.float32)
    ranks = values.shape.ndims, weights.shape.ndims
    if None not in ranks and ranks[1] == ranks[0] + 1:
        weights = array.squeeze(weights, [-1])
    elif None not in ranks and 0 < ranks[1] == ranks[0] - 1:
        weights = array.expand_dims(weights, -1)
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
        values, weights = weighted(values, sample_weight)
        with name_scope(f"{self.name}/update"):
            return group(self.total.assign_add(math.cast(reduce_sum(values), self.dtype)),
                         self.count.assign_add(math.cast(reduce_sum(weights), self.dtype)))

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
        return self.total.assign_add(math.cast(reduce_sum(weighted(values, sample_weight)[0]), self.dtype))

    def result(self) -> Any:
        """The weighted sum."""
        return array.identity(self.total.read_value())


class MeanOf(Mean):
    """The weighted mean of a function of labels and predictions.

    Args:
        function: the function.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    def __init__(self, function: Callable[[Any, Any], Any], name: str | None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self._function = function

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
        y_pred = convert_to_tensor(y_pred)
        y_true = convert_to_tensor(y_true)
        return super().update_state(self._function(y_true, y_pred), sample_weight)


documented = with_parts(common="""name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.""")


def _matches(y_true: Any, y_pred: Any) -> Any:
    """1 where the two are equal."""
    if y_true.dtype != y_pred.dtype:
        y_pred = math.cast(y_pred, y_true.dtype)
    return math.cast(elementwise.equal(y_true, y_pred), dtypes.float32)


@export("keras.metrics.Accuracy")
@documented
class Accuracy(MeanOf):
    """How often predictions equal labels.

    Args:
        {common}
    """

    def __init__(self, name: str | None = "accuracy", dtype: Any = None) -> None:
        super().__init__(_matches, name, dtype)


@export("keras.metrics.BinaryAccuracy")
@documented
class BinaryAccuracy(MeanOf):
    """How often probabilities on the right side of a threshold match labels 0 and 1.

    Args:
        {common}
        threshold: the probability above which class 1 is predicted.
    """

    def __init__(self, name: str | None = "binary_accuracy", dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(functools.partial(utilities.binary_accuracy, threshold=threshold), name, dtype)


@export("keras.metrics.SparseCategoricalAccuracy")
@documented
class SparseCategoricalAccuracy(MeanOf):
    """How often the largest of the scores is that of the label, an id.

    Args:
        {common}
    """

    def __init__(self, name: str | None = "sparse_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(utilities.sparse_categorical_accuracy, name, dtype)


@export("keras.metrics.CategoricalAccuracy")
@documented
class CategoricalAccuracy(MeanOf):
    """How often the largest of the scores is where the label, one-hot, has its 1.

    Args:
        {common}
    """

    def __init__(self, name: str | None = "categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(utilities.categorical_accuracy, name, dtype)


@export("keras.metrics.MeanSquaredError")
@documented
class MeanSquaredError(MeanOf):
    """The mean squared error of predictions.

    Args:
        {common}
    """

    def __init__(self, name: str | None = "mean_squared_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_squared_error, name, dtype)


@export("keras.metrics.MeanAbsoluteError")
@documented
class MeanAbsoluteError(MeanOf):
    """The mean absolute error of predictions.

    Args:
        {common}
    """

    def __init__(self, name: str | None = "mean_absolute_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_absolute_error, name, dtype)
