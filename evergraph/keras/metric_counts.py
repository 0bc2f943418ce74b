"""tf.keras.metrics that count right and wrong predictions: Precision, Recall, TruePositives, ..."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend import checks as checks_of
from evergraph.frontend.blocks import control_dependencies, root_graph
from evergraph.frontend.control_flow import group
from evergraph.frontend.indexing import one_hot, where
from evergraph.frontend.nn.weights import broadcast_weights
from evergraph.frontend.ordering import top_k
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras.metrics import Metric, fitted
from evergraph.ops.math import elementwise

_LOWEST = -1e10  # below every score
_REALLY = {"true_positives": True, "false_positives": False, "true_negatives": False, "false_negatives": True}
_SAID = {"true_positives": True, "false_positives": True, "true_negatives": False, "false_negatives": False}


class Counts(Metric):
    """Counts, at thresholds, of examples by what they are and what they were taken for.

    Args:
        kinds: the counts to keep: "true_positives", "false_positives", "true_negatives", "false_negatives".
        thresholds: a probability, or a list of them, above which class 1 is predicted; 0.5 by default.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
        top_k: the number of classes with the highest scores that count as predicted.
        class_id: the class to count; by default all of them.
    """

    def __init__(self, kinds: tuple[str, ...], thresholds: Any, name: str | None, dtype: Any, top_k: int | None = None,
                 class_id: int | None = None) -> None:
        super().__init__(name, dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        default = 0.5 if top_k is None else _LOWEST
        given = [default if thresholds is None else thresholds]
        self.thresholds = list(thresholds) if isinstance(thresholds, (list, tuple)) else given
        self._check_thresholds()
        for kind in kinds:
            setattr(self, kind, self.add_weight(kind, (len(self.thresholds),)))
        self._kinds = kinds

    def _check_thresholds(self) -> None:
        """Raises ValueError for thresholds that are no probabilities."""
        wrong = [each for each in self.thresholds if each is None or each != _LOWEST and not 0 <= each <= 1]
        if wrong:
            raise ValueError(f"Threshold values must be in [0, 1]. Invalid values: {wrong}")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights.

        With eager execution a probability outside [0, 1] raises InvalidArgumentError; in a graph it counts as it is.
        """
        y_true, y_pred = fitted(math.cast(convert_to_tensor(y_true), dtypes.float32),
                                math.cast(convert_to_tensor(y_pred), dtypes.float32))
        y_pred.shape.assert_is_compatible_with(y_true.shape)
        if root_graph().is_eager:  # TensorFlow's graphs hold these checks, and never run them
            y_pred = _checked(y_pred)
        really = math.cast(y_true, dtypes.bool)
        if self.top_k is not None:
            y_pred = where(in_top(y_pred, self.top_k), y_pred, array.ones_like(y_pred) * 2 * _LOWEST)
        if self.class_id is not None:
            y_pred, really = y_pred[..., self.class_id], really[..., self.class_id]
        weights = array.ones_like(y_pred)
        if sample_weight is not None:
            weights = broadcast_weights(_ranked(math.cast(sample_weight, dtypes.float32), y_pred), y_pred)
        limits = array.reshape(math.cast(self.thresholds, dtypes.float32), [-1, 1])
        said = elementwise.greater(array.reshape(y_pred, [1, -1]), limits)
        really, weights = array.reshape(really, [1, -1]), array.reshape(weights, [1, -1])
        return group(*[getattr(self, kind).assign_add(self._count(kind, really, said, weights))
                       for kind in self._kinds])

    @staticmethod
    def _count(kind: str, really: Any, said: Any, weights: Any) -> Any:
        truth = really if _REALLY[kind] else elementwise.logical_not(really)
        taken = said if _SAID[kind] else elementwise.logical_not(said)
        return reduce_sum(math.cast(elementwise.logical_and(truth, taken), dtypes.float32) * weights, axis=1)

    def _shown(self, values: Any) -> Any:
        """A number where there is one threshold, else a vector."""
        return values[0] if len(self.thresholds) == 1 else values

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), "thresholds": self.init_thresholds, "top_k": self.top_k,
                "class_id": self.class_id}


def in_top(scores: Any, number: int) -> Any:
    """Which of the scores along the last axis are among the highest."""
    _, ids = top_k(scores, number)
    return elementwise.greater(reduce_sum(one_hot(ids, array.shape(scores)[-1]), axis=-2), 0.0)


def _checked(probabilities: Any) -> Any:
    checks = [checks_of.assert_greater_equal(probabilities, 0.0, message="predictions must be >= 0"),
              checks_of.assert_less_equal(probabilities, 1.0, message="predictions must be <= 1")]
    with control_dependencies([each for each in checks if each is not None]):
        return array.identity(probabilities)


def _ranked(weights: Any, values: Any) -> Any:
    weights = convert_to_tensor(weights)
    if None not in (weights.shape.ndims, values.shape.ndims) and 0 < weights.shape.ndims == values.shape.ndims - 1:
        return array.expand_dims(weights, -1)
    return weights


@export("keras.metrics.Precision")
class Precision(Counts):
    """The share of predicted positives that are positive.

    Args:
        thresholds: a probability, or a list of them, above which class 1 is predicted; 0.5 by default.
        top_k: the number of classes with the highest scores that count as predicted.
        class_id: the class to count; by default all of them.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    def __init__(self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
                 name: str | None = None, dtype: Any = None) -> None:
        super().__init__(("true_positives", "false_positives"), thresholds, name, dtype, top_k, class_id)

    def result(self) -> Any:
        """The precision, 0 where nothing was predicted positive."""
        right = self.true_positives.read_value()
        return self._shown(math.div_no_nan(right, right + self.false_positives.read_value()))


@export("keras.metrics.Recall")
class Recall(Counts):
    """The share of positives that are predicted positive.

    Args:
        thresholds: a probability, or a list of them, above which class 1 is predicted; 0.5 by default.
        top_k: the number of classes with the highest scores that count as predicted.
        class_id: the class to count; by default all of them.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    def __init__(self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
                 name: str | None = None, dtype: Any = None) -> None:
        super().__init__(("true_positives", "false_negatives"), thresholds, name, dtype, top_k, class_id)

    def result(self) -> Any:
        """The recall, 0 where nothing is positive."""
        right = self.true_positives.read_value()
        return self._shown(math.div_no_nan(right, right + self.false_negatives.read_value()))


class _Count(Counts):
    """One of the four counts."""

    kind = ""

    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__((self.kind,), thresholds, name, dtype)

    accumulator = property(lambda self: getattr(self, self.kind), doc="The variable of the count.")

    def result(self) -> Any:
        """The count."""
        return self._shown(array.identity(getattr(self, self.kind).read_value()))

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**Metric.get_config(self), "thresholds": self.init_thresholds}


@export("keras.metrics.TruePositives")
class TruePositives(_Count):
    """The number of positives that are predicted positive; arguments as for `Precision`."""

    kind = "true_positives"


@export("keras.metrics.FalsePositives")
class FalsePositives(_Count):
    """The number of negatives that are predicted positive; arguments as for `Precision`."""

    kind = "false_positives"


@export("keras.metrics.TrueNegatives")
class TrueNegatives(_Count):
    """The number of negatives that are predicted negative; arguments as for `Precision`."""

    kind = "true_negatives"


@export("keras.metrics.FalseNegatives")
class FalseNegatives(_Count):
    """The number of positives that are predicted negative; arguments as for `Precision`."""

    kind = "false_negatives"
