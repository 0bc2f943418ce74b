"""Target columns: what a model of tf.contrib.learn predicts, with its loss, predictions and metrics."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, math
from evergraph.frontend.nn import activations, cross_entropy
from evergraph.frontend.reduce import argmax, reduce_mean, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.metrics import areas, counts, means
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations as ops


class ProblemType:
    """The kinds of problems."""

    UNSPECIFIED, CLASSIFICATION, LINEAR_REGRESSION, LOGISTIC_REGRESSION = range(4)


def regression_target(label_name: str | None = None, weight_column_name: str | None = None,
                      label_dimension: int = 1) -> TargetColumn:
    """A target of numbers, with the squared error as its loss.

    Args:
        label_name: the key of the labels, where these are a dictionary.
        weight_column_name: the key of the weights among the features; None for equal weights.
        label_dimension: the number of values of a label.
    """
    return TargetColumn(_squared_error, label_dimension, label_name, weight_column_name, ProblemType.LINEAR_REGRESSION)


def multi_class_target(n_classes: int, label_name: str | None = None,
                       weight_column_name: str | None = None) -> TargetColumn:
    """A target of classes, with the cross entropy as its loss.

    Args:
        n_classes: the number of classes; with two, a logit is that of class 1.
        label_name, weight_column_name: see `regression_target`.

    Raises:
        ValueError: there are fewer than two classes.
    """
    if n_classes < 2:
        raise ValueError(f"n_classes must be 2 or more, got {n_classes}")
    if n_classes == 2:
        return _Binary(_log_loss, 1, label_name, weight_column_name, ProblemType.LOGISTIC_REGRESSION)
    return _Classes(_softmax_loss, n_classes, label_name, weight_column_name, ProblemType.CLASSIFICATION)


def binary_svm_target(label_name: str | None = None, weight_column_name: str | None = None) -> TargetColumn:
    """A target of two classes, with the hinge loss.

    Args:
        label_name, weight_column_name: see `regression_target`.
    """
    return _Margin(_hinge_loss, 1, label_name, weight_column_name, ProblemType.CLASSIFICATION)


class TargetColumn:
    """What a model predicts.

    Args:
        loss_fn: a function (logits, labels) -> the loss of each example.
        num_label_columns: the number of values of a label.
        label_name, weight_column_name: see `regression_target`.
        problem_type: one of `ProblemType`.
    """

    def __init__(self, loss_fn: Callable[..., Any], num_label_columns: int, label_name: str | None,
                 weight_column_name: str | None, problem_type: int) -> None:
        self._loss_fn, self._num_label_columns = loss_fn, num_label_columns
        self._label_name, self._weight_column_name, self._problem_type = label_name, weight_column_name, problem_type

    num_label_columns = property(lambda self: self._num_label_columns, doc="The number of values of a label.")
    label_name = property(lambda self: self._label_name, doc="The key of the labels.")
    weight_column_name = property(lambda self: self._weight_column_name, doc="The key of the weights.")
    problem_type = property(lambda self: self._problem_type, doc="The kind of the problem.")

    def get_weight_tensor(self, features: Mapping[str, Any]) -> Tensor | None:
        """The weights of the examples; None for equal ones."""
        if not self._weight_column_name:
            return None
        return array.reshape(math.cast(convert_to_tensor(features[self._weight_column_name]), dtypes.float32), [-1])

    def loss(self, logits: Any, target: Any, features: Mapping[str, Any]) -> Tensor:
        """The mean loss, weighted: what evaluation reports."""
        losses, weights = self._losses(logits, target), self.get_weight_tensor(features)
        if weights is None:
            return reduce_mean(losses, name="loss")
        return math.div(reduce_sum(losses * weights), reduce_sum(weights), name="loss")

    def training_loss(self, logits: Any, target: Any, features: Mapping[str, Any],
                      name: str = "training_loss") -> Tensor:
        """The mean of weighted losses over the batch: what training minimizes."""
        losses, weights = self._losses(logits, target), self.get_weight_tensor(features)
        return reduce_mean(losses if weights is None else losses * weights, name=name)

    def _losses(self, logits: Any, target: Any) -> Tensor:
        """The loss of each example.

        Raises:
            ValueError: the labels are a dictionary, and the target says no key.
        """
        if isinstance(target, dict):
            if self._label_name is None:
                raise ValueError(f"the labels are a dictionary of {sorted(target)}: say which by label_name")
            target = target[self._label_name]
        return self._loss_fn(convert_to_tensor(logits), convert_to_tensor(target))

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Tensor:
        """Predictions for logits.

        Args:
            logits: a tensor [batch, values].
            proba: whether to give probabilities.

        Raises:
            ValueError: there are no probabilities.
        """
        if proba:
            raise ValueError("a regression has no probabilities")
        return array.squeeze(logits, [1], name="regression") if self._num_label_columns == 1 else logits

    def get_eval_ops(self, features: Mapping[str, Any], logits: Any, labels: Any,
                     metrics: Mapping[Any, Any] | None = None) -> dict[str, Any]:
        """Name -> (value, update) of the metrics.

        Args:
            features: the features, for weights.
            logits: a tensor [batch, values].
            labels: the labels.
            metrics: further ones: a name, or (name, "classes" or "probabilities"), -> a function (predictions, labels)
                or (predictions, labels, weights=...).
        """
        found = {"loss": means.mean(self.loss(logits, labels, features))}
        found.update(self._own_metrics(logits, labels, self.get_weight_tensor(features)))
        for key, function in (metrics or {}).items():
            name, kind = key if isinstance(key, tuple) else (key, "classes")
            predictions = self.logits_to_predictions(logits, proba=kind == "probabilities")
            found[name] = function(predictions, labels)
        return found

    def _own_metrics(self, logits: Any, labels: Any, weights: Any) -> dict[str, Any]:
        return {}


class _Classes(TargetColumn):
    """A target of classes."""

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Tensor:
        """The most likely class, or the probabilities of all."""
        logits = convert_to_tensor(logits)
        if self._num_label_columns == 1:
            logits = array.concat([array.zeros_like(logits), logits], 1)
        return activations.softmax(logits) if proba else argmax(logits, 1)

    def _own_metrics(self, logits: Any, labels: Any, weights: Any) -> dict[str, Any]:
        labels = array.reshape(math.cast(labels, dtypes.int64), [-1])
        return {"accuracy": means.accuracy(labels, self.logits_to_predictions(logits), weights)}


class _Binary(_Classes):
    """A target of two classes, with a logit for class 1."""

    def _own_metrics(self, logits: Any, labels: Any, weights: Any) -> dict[str, Any]:
        chances = elementwise.sigmoid(array.reshape(logits, [-1]))
        labels = array.reshape(math.cast(labels, dtypes.float32), [-1])
        above = elementwise.greater_equal(chances, 0.5)
        truths = math.cast(labels, dtypes.bool)
        return {"labels/prediction_mean": means.mean(chances, weights),
                "labels/actual_label_mean": means.mean(labels, weights),
                "accuracy/baseline_label_mean": means.mean(labels, weights),
                "accuracy/threshold_0.500000_mean": means.accuracy(truths, above, weights),
                "precision/positive_threshold_0.500000_mean": counts.precision(truths, above, weights),
                "recall/positive_threshold_0.500000_mean": counts.recall(truths, above, weights),
                "auc": areas.auc(truths, chances, weights),
                "auc_precision_recall": areas.auc(truths, chances, weights, curve="PR")}


class _Margin(_Classes):
    """A target of two classes that are told by the sign of the logit."""

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Tensor:
        """The class of each example.

        Raises:
            ValueError: there are no probabilities.
        """
        if proba:
            raise ValueError("a support vector machine has no probabilities")
        return super().logits_to_predictions(logits)


def _squared_error(logits: Tensor, labels: Tensor) -> Tensor:
    labels = math.cast(array.reshape(labels, array.shape(logits)), logits.dtype)
    losses = elementwise.square(logits - labels)
    return reduce_mean(losses, axis=1) if losses.shape.ndims == 2 else losses


def _log_loss(logits: Tensor, labels: Tensor) -> Tensor:
    labels = math.cast(array.reshape(labels, array.shape(logits)), logits.dtype)
    return array.reshape(cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits), [-1])


def _softmax_loss(logits: Tensor, labels: Tensor) -> Tensor:
    return cross_entropy.sparse_softmax_cross_entropy_with_logits(
        labels=array.reshape(math.cast(labels, dtypes.int64), [-1]), logits=logits)


def _hinge_loss(logits: Tensor, labels: Tensor) -> Tensor:
    signs = 2.0 * math.cast(array.reshape(labels, array.shape(logits)), logits.dtype) - 1.0
    return array.reshape(ops.relu(1.0 - signs * logits), [-1])
