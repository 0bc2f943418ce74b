"""The heads of numbers: by mean squared error, for counts, and for probabilities."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.heads.keys import MetricKeys, PredictionKeys
from evergraph.estimator.heads.measures import Measure, Sample
from evergraph.estimator.heads.shapes import checked_logits, dense_labels, values_between
from evergraph.estimator.heads.single import REGRESS, Losses, SingleHead, regression_output
from evergraph.frontend import math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_non_negative
from evergraph.frontend.nn.cross_entropy import log_poisson_loss, sigmoid_cross_entropy_with_logits
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Reduction
from evergraph.ops.math import elementwise


@export("estimator.RegressionHead")
class RegressionHead(SingleHead):
    """The head of a regression by mean squared error.

    Logits and labels are [..., label_dimension]; weights may be given for each of the numbers.

    >>> head = tf.estimator.RegressionHead()
    >>> loss = head.loss(labels=[[1.0], [2.0]], logits=[[1.5], [2.0]])

    Args:
        label_dimension: how many numbers a label has.
        weight_column: the name of the feature with the weights of examples, or a numeric column.
        loss_reduction: how the losses of examples become one loss: one of tf.keras.losses.Reduction.
        loss_fn: a function of labels, logits and, if it wants them, features and loss_reduction that returns the
            losses, [..., label_dimension], in place of the squared error.
        inverse_link_fn: the function from logits to predictions, the inverse of the link function of a generalized
            linear model; by default they are the same.
        name: the name of the head, which its metrics and summaries end with.

    Raises:
        ValueError: an argument is out of its range.
    """

    weighs_logits = True

    def __init__(self, label_dimension: int = 1, weight_column: Any = None,
                 loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                 inverse_link_fn: Callable[[Any], Any] | None = None, name: str | None = None) -> None:
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        self._inverse_link_fn = inverse_link_fn
        super().__init__(label_dimension, weight_column, loss_fn, loss_reduction, name)

    @property
    def _loss_dimension(self) -> int:
        return self._dimension

    def _numbers(self, labels: Any, logits: Tensor) -> Tensor:
        return math.cast(dense_labels(labels, logits, self._dimension), dtypes.float32)

    def _unreduced(self, labels: Tensor, logits: Tensor) -> Tensor:
        return elementwise.squared_difference(logits, labels)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]:
        with name_scope("predictions", values=[logits]):
            logits = checked_logits(logits, self._dimension)
            if self._inverse_link_fn is None:
                return {PredictionKeys.PREDICTIONS: logits}
            return {PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits), PredictionKeys.LOGITS: logits}

    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        return {REGRESS: regression_output(predictions[PredictionKeys.PREDICTIONS])}

    def _measures(self) -> dict[str, Measure]:
        return {MetricKeys.PREDICTION_MEAN: Measure("mean"), MetricKeys.LABEL_MEAN: Measure("mean")}

    def _samples(self, logits: Tensor, losses: Losses) -> dict[str, Sample]:
        values = self.predictions(logits)[PredictionKeys.PREDICTIONS]
        return {MetricKeys.PREDICTION_MEAN: Sample(values, weights=losses.weights),
                MetricKeys.LABEL_MEAN: Sample(losses.labels, weights=losses.weights)}


@export("estimator.PoissonRegressionHead")
class PoissonRegressionHead(RegressionHead):
    """The head of a regression of counts, by the Poisson log likelihood; predictions are the exponentials of logits.

    Args:
        label_dimension: how many numbers a label has.
        weight_column: the name of the feature with the weights of examples, or a numeric column.
        loss_reduction: how the losses of examples become one loss: one of tf.keras.losses.Reduction.
        compute_full_loss: whether the loss has the term log(label!), by Stirling's approximation, which no gradient
            depends on.
        name: the name of the head, which its metrics and summaries end with.
    """

    def __init__(self, label_dimension: int = 1, weight_column: Any = None,
                 loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, compute_full_loss: bool = True,
                 name: str | None = None) -> None:
        self._compute_full_loss = compute_full_loss
        super().__init__(label_dimension, weight_column, loss_reduction, inverse_link_fn=elementwise.exp, name=name)

    def _unreduced(self, labels: Tensor, logits: Tensor) -> Tensor:
        with control_dependencies([assert_non_negative(labels, message="Negative labels are not counts")]):
            return log_poisson_loss(labels, logits, compute_full_loss=self._compute_full_loss)


@export("estimator.LogisticRegressionHead")
class LogisticRegressionHead(RegressionHead):
    """The head of a regression of probabilities, by sigmoid cross entropy; predictions are the sigmoids of logits.

    Unlike a `BinaryClassHead` it has the metrics of a regression, and labels are numbers between 0 and 1.

    Args:
        weight_column: the name of the feature with the weights of examples, or a numeric column.
        loss_reduction: how the losses of examples become one loss: one of tf.keras.losses.Reduction.
        name: the name of the head, which its metrics and summaries end with.
    """

    def __init__(self, weight_column: Any = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
                 name: str | None = None) -> None:
        super().__init__(1, weight_column, loss_reduction, inverse_link_fn=elementwise.sigmoid, name=name)

    def _unreduced(self, labels: Tensor, logits: Tensor) -> Tensor:
        wanted = "Labels must be in range [0, 1]"
        return sigmoid_cross_entropy_with_logits(labels=values_between(labels, 0, 1, wanted, wanted), logits=logits)
