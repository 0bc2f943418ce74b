"""tf.contrib.eager.metrics: objects that take in batches and know a mean of them."""

from __future__ import annotations

import re
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.array import identity, shape, size
from evergraph.frontend.blocks import control_dependencies, init_scope, name_scope
from evergraph.frontend.checks import assert_equal
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.control_flow import group
from evergraph.frontend.reduce import argmax, reduce_sum
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math.elementwise import equal, greater
from evergraph.save.tracking import AutoTrackable


@export("contrib.eager.metrics.Metric")
class Metric(AutoTrackable):
    """The base of metrics: calling one takes in a batch, `result` says what all batches come to.

    A subclass defines `build`, which makes its variables by `add_variable` when it is first called, `call` and
    `result`.

    Args:
        name: the name; by default that of the class.
        use_global_variables: whether the variables are global ones in a graph, rather than local ones.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._name, self._is_built = name or type(self).__name__, False
        self._scope = re.sub(r"[^\w.\-/]", "_", self._name)
        self._variables: list[Any] = []
        self._is_global = use_global_variables

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables of the metric."""
        return list(self._variables)

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the variables; gets what the first call gets."""
        raise NotImplementedError(f"{type(self).__name__} does not say which variables it has")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in a batch."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it takes in a batch")

    def result(self) -> Tensor:
        """What the batches come to."""
        raise NotImplementedError(f"{type(self).__name__} has no result")

    def value(self) -> Tensor:
        """The same as `result`."""
        return self.result()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in a batch; in a graph, the operation that does."""
        if not self._is_built:
            with init_scope():
                self.build(*args, **kwargs)
            self._is_built = True
        with name_scope(self._scope):
            return self.call(*args, **kwargs)

    def add_variable(self, name: str, shape: Any = (), dtype: Any = dtypes.float64, initializer: Any = None) -> Any:
        """A new variable of the metric, which starts at zero unless there is an initializer."""
        kinds = GraphKeys.GLOBAL_VARIABLES if self._is_global else GraphKeys.LOCAL_VARIABLES
        make = initializer or zeros_initializer()
        variable = ResourceVariable(lambda: make(shape, dtype), trainable=False, name=f"{self._scope}/{name}",
                                    dtype=dtype, collections=[kinds, GraphKeys.METRIC_VARIABLES])
        self._variables.append(variable)
        return variable

    def init_variables(self) -> Any:
        """Forgets all batches; in a graph, the operation that does."""
        if default_graph().is_eager:
            for variable in self._variables:
                variable.assign(math.cast(variable * 0, variable.dtype))
            return None
        return group(*(variable.initializer for variable in self._variables))


@export("contrib.eager.metrics.Mean")
class Mean(Metric):
    """The weighted mean of values.

    >>> tf.enable_eager_execution()
    >>> mean = tf.contrib.eager.metrics.Mean()
    >>> for value in (1.0, 4.0): _ = mean(value)
    >>> mean.result().numpy()
    2.5

    Args:
        name: the name.
        dtype: that of the sums.
        use_global_variables: whether the variables are global ones in a graph, rather than local ones.
    """

    def __init__(self, name: str | None = None, dtype: Any = dtypes.float64,
                 use_global_variables: bool = False) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = dtypes.as_dtype(dtype)

    def build(self, *args: Any, **kwargs: Any) -> None:
        self.numer = self.add_variable("numer", (), self.dtype)
        self.denom = self.add_variable("denom", (), self.dtype)

    def call(self, values: Any, weights: Any = None) -> Any:
        """Takes in values, with weights of one by default; returns them."""
        values = convert_to_tensor(values)
        if weights is None:
            count = math.cast(size(values), self.dtype)
            total = math.cast(reduce_sum(math.cast(values, self.dtype)), self.dtype)
        else:
            weights = math.cast(convert_to_tensor(weights), self.dtype)
            count, total = reduce_sum(weights), reduce_sum(math.cast(values, self.dtype) * weights)
        updates = [self.denom.assign_add(count), self.numer.assign_add(total)]
        with control_dependencies([] if default_graph().is_eager else [update.op for update in updates]):
            return identity(values)

    def result(self) -> Tensor:
        return self.numer / self.denom


class _Rate(Mean):
    """The rate of correct predictions."""

    def _count(self, labels: Any, right: Any, weights: Any, *returned: Any) -> Any:
        super().call(right, weights)
        return returned


@export("contrib.eager.metrics.Accuracy")
class Accuracy(_Rate):
    """The rate of predictions that equal their labels."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Takes in labels and predictions of the same shape; returns both."""
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        check = assert_equal(shape(labels), shape(predictions), message="labels and predictions differ in shape")
        with control_dependencies([] if check is None else [check]):
            right = math.cast(equal(labels, predictions), self.dtype)
        return self._count(labels, right, weights, labels, predictions)


@export("contrib.eager.metrics.CategoricalAccuracy")
class CategoricalAccuracy(_Rate):
    """The rate of rows of scores whose largest is at the place of the one of their one-hot label."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Takes in one-hot labels and scores of the same shape; returns both."""
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        right = math.cast(equal(argmax(labels, axis=-1), argmax(predictions, axis=-1)), self.dtype)
        return self._count(labels, right, weights, labels, predictions)


@export("contrib.eager.metrics.BinaryAccuracy")
class BinaryAccuracy(_Rate):
    """The rate of scores that are above a threshold where their label is one, and not where it is zero.

    Args:
        threshold: the threshold.
        name: the name.
        dtype: that of the sums.
    """

    def __init__(self, threshold: float, name: str | None = None, dtype: Any = dtypes.float64) -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Takes in labels of zero and one, and scores of the same shape; returns both."""
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        above = greater(predictions, math.cast(self.threshold, predictions.dtype))
        right = math.cast(equal(math.cast(labels, dtypes.bool), above), self.dtype)
        return self._count(labels, right, weights, labels, predictions)


@export("contrib.eager.metrics.SparseAccuracy")
class SparseAccuracy(_Rate):
    """The rate of rows of scores whose largest is at the place that their label names."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Takes in labels and rows of scores; returns both."""
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        right = math.cast(equal(argmax(predictions, axis=-1), math.cast(labels, dtypes.int64)), self.dtype)
        return self._count(labels, right, weights, labels, predictions)
