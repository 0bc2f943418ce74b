"""Heads of tf.contrib.learn: loss, metrics, predictions and exports of a model from its logits and labels."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.layers.dense import fully_connected
from evergraph.contrib.learn.keys import MetricKey, PredictionKey, ProblemType
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.vocabulary_tables import index_table_from_tensor, index_to_string_table_from_tensor
from evergraph.frontend.nn.activations import softmax
from evergraph.frontend.nn.cross_entropy import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from evergraph.frontend.nn.weights import assert_broadcastable
from evergraph.frontend.reduce import argmax, reduce_mean
from evergraph.frontend.sparse.arithmetic import sparse_to_indicator
from evergraph.frontend.strings import as_string
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.distance import hinge_loss
from evergraph.losses.weighting import Reduction
from evergraph.metrics.areas import auc
from evergraph.metrics.means import accuracy, mean
from evergraph.metrics.thresholds import precision_at_thresholds, recall_at_thresholds
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.pad import tile
from evergraph.ops.math import elementwise
from evergraph.summary import summaries
from evergraph.train.adagrad import AdagradOptimizer


@export("contrib.learn.Head")
class Head(abc.ABC):
    """The top of a model: what it makes of logits and labels in each mode."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """The size of the last axis of the logits."""

    @abc.abstractmethod
    def create_model_fn_ops(self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None,
                            logits: Any = None, logits_input: Any = None, scope: Any = None) -> ModelFnOps:
        """What a model function returns.

        Args:
            features: tensors by name, for the weights of examples.
            mode: one of `tf.contrib.learn.ModeKeys`.
            labels: the labels, or several by name; not needed for predictions.
            train_op_fn: makes the train op of the loss.
            logits: the logits, [batch, logits_dimension].
            logits_input: what a layer is to make the logits of, in place of `logits`.
            scope: a variable scope, in place of one of the head's name.
        """


@export("contrib.learn.no_op_train_fn")
def no_op_train_fn(loss: Any) -> Any:
    """A train op that trains nothing."""
    return basic.no_op()


class SingleHead(Head):
    """A head of one kind of label. Subclasses say what labels, losses, predictions and metrics are."""

    def __init__(self, problem_type: int, logits_dimension: int, default_name: str, label_name: str | None = None,
                 weight_column_name: str | None = None, loss_fn: Callable[..., Any] | None = None,
                 enable_centered_bias: bool = False, head_name: str | None = None) -> None:
        self._problem_type, self._logits_dimension = problem_type, logits_dimension
        self._default_name, self._head_name = default_name, head_name
        self._label_name, self._weight_column_name = label_name, weight_column_name
        self._loss_fn, self._enable_centered_bias = loss_fn, enable_centered_bias

    @property
    def logits_dimension(self) -> int:
        return self._logits_dimension

    @property
    def head_name(self) -> str | None:
        """The name, which the names of its metrics end with."""
        return self._head_name

    @property
    def weight_column_name(self) -> str | None:
        """The feature with the weights of examples."""
        return self._weight_column_name

    @abc.abstractmethod
    def _checked_labels(self, labels: Any) -> Any:
        """Labels of the form that the loss takes."""

    @abc.abstractmethod
    def _losses(self, labels: Any, logits: Any) -> Any:
        """The loss of each example, [batch, ...]."""

    @abc.abstractmethod
    def _predictions(self, logits: Any) -> dict[str, Any]:
        """The predictions by name."""

    @abc.abstractmethod
    def _served(self, predictions: Mapping[str, Any]) -> Any:
        """What is exported."""

    def _metrics(self, predictions: Mapping[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        """The metrics beside the loss."""
        return {}

    def create_model_fn_ops(self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None,
                            logits: Any = None, logits_input: Any = None, scope: Any = None) -> ModelFnOps:
        with variable_scope(scope, default_name=self._head_name or self._default_name) as entered:
            logits = self._checked_logits(logits, logits_input)
            bias = None
            if self._enable_centered_bias:
                bias = _centered_bias(self._logits_dimension, entered.name)
                logits = elementwise.add(logits, bias)
            predictions = self._predictions(logits)
            loss = train_op = None
            metrics = {}
            if mode != ModeKeys.INFER and labels is not None:
                labels = self._checked_labels(self._chosen_label(labels))
                weights = self._weights(features)
                loss, metrics = self._measured(labels, logits, predictions, weights)
                if mode == ModeKeys.TRAIN:
                    train_op = self._trained(loss, train_op_fn, bias, labels)
            return ModelFnOps(mode, predictions, loss, train_op, metrics,
                              {self._head_name: (self._problem_type, self._served(predictions))})

    def _checked_logits(self, logits: Any, logits_input: Any) -> Any:
        if (logits is None) == (logits_input is None):
            raise ValueError("Both logits and logits_input supplied: give one of them" if logits is not None else
                             "Neither logits nor logits_input supplied: give one of them")
        if logits is None:
            logits_input = convert_to_tensor(logits_input)
            return fully_connected(logits_input, self._logits_dimension, activation_fn=None, scope="logits")
        logits = convert_to_tensor(logits)
        last = logits.shape.dims[-1].value if logits.shape.dims else None
        if last is not None and last != self._logits_dimension and logits.shape.ndims != 1:
            raise ValueError(f"Dimensions {self._logits_dimension} and {last} are not compatible: the head wants "
                             f"logits [batch, {self._logits_dimension}], and these are {logits}")
        return logits

    def _chosen_label(self, labels: Any) -> Any:
        if isinstance(labels, Mapping):
            if self._label_name is not None:
                labels = labels[self._label_name]
            elif len(labels) == 1:
                labels = next(iter(labels.values()))
            else:
                raise ValueError(f"the head needs a label_name: there are the labels {sorted(labels)}")
        return convert_to_tensor_or_sparse_tensor(labels)

    def _weights(self, features: Any) -> Any:
        """The weights of examples as a matrix of one column, or one number for all; None without any."""
        if self._weight_column_name is None:
            return None
        weights = math.cast(convert_to_tensor(features[self._weight_column_name]), dtypes.float32)
        return array.expand_dims(weights, 1) if weights.shape.ndims == 1 else weights

    def _measured(self, labels: Any, logits: Any, predictions: Any, weights: Any) -> tuple[Any, dict[str, Any]]:
        """(the loss, the metrics)."""
        if self._loss_fn is not None:
            loss = self._loss_fn(labels, logits, weights=1.0 if weights is None else weights)
            averaged = mean(loss)
        else:
            losses = self._losses(labels, logits)
            if weights is not None:
                assert_broadcastable(weights, losses)
            loss = reduce_mean(losses if weights is None else elementwise.mul(losses, weights), name="loss")
            averaged = mean(losses, weights)
        with name_scope(None):
            summaries.scalar(_suffixed(MetricKey.LOSS, self._head_name), loss)
        found = {MetricKey.LOSS: averaged, **self._metrics(predictions, labels, weights)}
        return loss, {_suffixed(key, self._head_name): metric for key, metric in found.items()}

    def _trained(self, loss: Any, train_op_fn: Any, bias: Any, labels: Any) -> Any:
        if train_op_fn is None:
            raise ValueError("train_op_fn can not be None in TRAIN mode")
        train_op = train_op_fn(loss)
        if bias is None:
            return train_op
        alone = elementwise.add(array.zeros([array.shape(labels)[0], self._logits_dimension]), bias)
        if self._loss_fn is None:
            bias_loss = reduce_mean(self._losses(labels, alone))
        else:
            bias_loss = self._loss_fn(labels, alone, weights=1.0)
        step = AdagradOptimizer(0.1).minimize(bias_loss, var_list=[bias], name="centered_bias_step")
        return group(train_op, step)


def _suffixed(key: str, head_name: str | None) -> str:
    return key if head_name is None else f"{key}/{head_name}"


def _centered_bias(size: int, scope: str) -> Any:
    """What is added to the logits of every example, with a summary for each of the numbers."""
    bias = get_variable("centered_bias_weight", [size], initializer=zeros_initializer(),
                        collections=[GraphKeys.GLOBAL_VARIABLES])
    with name_scope(None):
        for place in range(size):
            summaries.scalar(f"{scope}/centered_bias/bias_{place}", bias[place])
    return bias


def _dense(labels: Any) -> Any:
    """The labels.

    Raises:
        ValueError: they are sparse.
    """
    if isinstance(labels, SparseTensor):
        raise ValueError("SparseTensor is not supported as labels of this head")
    return labels


def _column(labels: Any) -> Any:
    return array.expand_dims(labels, 1) if labels.shape.ndims == 1 else labels


def _all_classes(predictions: Mapping[str, Any], names: Any) -> dict[str, Any]:
    """Probabilities, with the name of each class beside them."""
    probabilities = predictions[PredictionKey.PROBABILITIES]
    classes = tile(array.expand_dims(names, 0), array.stack([array.shape(probabilities)[0], 1]))
    return {PredictionKey.CLASSES: classes, PredictionKey.PROBABILITIES: probabilities}


def _numbered(count: int) -> Any:
    return as_string(math.range(count))


class RegressionHead(SingleHead):
    """Numbers."""

    def __init__(self, link_fn: Callable[[Any], Any], losses: Callable[[Any, Any], Any], **options: Any) -> None:
        super().__init__(ProblemType.LINEAR_REGRESSION, **options)
        self._link_fn, self._each_loss = link_fn, losses

    def _checked_labels(self, labels: Any) -> Any:
        return _column(math.cast(_dense(labels), dtypes.float32))

    def _losses(self, labels: Any, logits: Any) -> Any:
        labels.shape.assert_is_compatible_with(logits.shape)
        return self._each_loss(labels, logits)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        if self._logits_dimension == 1:
            logits = array.squeeze(logits, axis=[1])
        return {PredictionKey.SCORES: self._link_fn(logits)}

    def _served(self, predictions: Mapping[str, Any]) -> Any:
        return dict(predictions)


class BinaryHead(SingleHead):
    """Two classes, with the logit of the second."""

    def __init__(self, thresholds: Sequence[float] | None, **options: Any) -> None:
        super().__init__(ProblemType.LOGISTIC_REGRESSION, logits_dimension=1, **options)
        self._thresholds = tuple(thresholds or (0.5,))

    def _checked_labels(self, labels: Any) -> Any:
        return _column(math.cast(_dense(labels), dtypes.float32))

    def _losses(self, labels: Any, logits: Any) -> Any:
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="loss")

    def _predictions(self, logits: Any) -> dict[str, Any]:
        both = array.concat([array.zeros_like(logits), logits], 1)
        return {PredictionKey.LOGITS: logits, PredictionKey.LOGISTIC: elementwise.sigmoid(logits),
                PredictionKey.PROBABILITIES: softmax(both), PredictionKey.CLASSES: argmax(both, 1)}

    def _served(self, predictions: Mapping[str, Any]) -> Any:
        return _all_classes(predictions, _numbered(2))

    def _metrics(self, predictions: Mapping[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        chance = predictions[PredictionKey.LOGISTIC]
        classes = array.expand_dims(predictions[PredictionKey.CLASSES], 1)
        found = {
            MetricKey.ACCURACY: accuracy(math.cast(labels, dtypes.int64), classes, weights),
            MetricKey.PREDICTION_MEAN: mean(chance, weights),
            MetricKey.LABEL_MEAN: mean(labels, weights),
            MetricKey.ACCURACY_BASELINE: mean(labels, weights),
            MetricKey.AUC: auc(labels, chance, weights),
            MetricKey.AUC_PR: auc(labels, chance, weights, curve="PR"),
        }
        for threshold in self._thresholds:
            hit = math.cast(elementwise.greater_equal(chance, threshold), dtypes.float32)
            found[MetricKey.ACCURACY_MEAN % threshold] = accuracy(labels, hit, weights)
            found[MetricKey.PRECISION_MEAN % threshold] = _only(precision_at_thresholds(
                labels, chance, [threshold], weights))
            found[MetricKey.RECALL_MEAN % threshold] = _only(recall_at_thresholds(labels, chance, [threshold], weights))
        return found


def _only(metric: Any) -> tuple[Any, Any]:
    """The metric at the one threshold of a list."""
    return tuple(array.squeeze(each) for each in metric)


class SvmHead(SingleHead):
    """Two classes, apart by a margin."""

    def __init__(self, **options: Any) -> None:
        super().__init__(ProblemType.LOGISTIC_REGRESSION, logits_dimension=1, **options)

    def _checked_labels(self, labels: Any) -> Any:
        return _column(math.cast(_dense(labels), dtypes.float32))

    def _losses(self, labels: Any, logits: Any) -> Any:
        return hinge_loss(labels=labels, logits=logits, reduction=Reduction.NONE)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        both = array.concat([array.zeros_like(logits), logits], 1)
        return {PredictionKey.LOGITS: logits, PredictionKey.CLASSES: argmax(both, 1)}

    def _served(self, predictions: Mapping[str, Any]) -> Any:
        return dict(predictions)

    def _metrics(self, predictions: Mapping[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        classes = array.expand_dims(predictions[PredictionKey.CLASSES], 1)
        return {MetricKey.ACCURACY: accuracy(math.cast(labels, dtypes.int64), classes, weights)}


class MultiClassHead(SingleHead):
    """One of several classes, by number or by name."""

    def __init__(self, n_classes: int, thresholds: Sequence[float] | None, metric_class_ids: Sequence[int] | None,
                 label_keys: Sequence[str] | None, **options: Any) -> None:
        super().__init__(ProblemType.CLASSIFICATION, logits_dimension=n_classes, **options)
        self._class_ids = _checked_ids(metric_class_ids, n_classes)
        if thresholds:
            raise ValueError(f"thresholds are for two classes; there are {n_classes}: {thresholds}")
        if label_keys and len(label_keys) != n_classes:
            raise ValueError(f"Length of label_keys must equal n_classes: {len(label_keys)} and {n_classes}")
        self._label_keys = None if not label_keys else list(label_keys)

    def _checked_labels(self, labels: Any) -> Any:
        labels = _column(_dense(labels))
        if self._label_keys is not None:
            return index_table_from_tensor(self._label_keys, name="label_id_lookup").lookup(labels)
        return math.cast(labels, dtypes.int64)

    def _losses(self, labels: Any, logits: Any) -> Any:
        return array.expand_dims(sparse_softmax_cross_entropy_with_logits(
            labels=array.squeeze(labels, axis=[1]), logits=logits, name="loss"), 1)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        classes = argmax(logits, 1)
        if self._label_keys is not None:
            classes = index_to_string_table_from_tensor(self._label_keys, name="class_string_lookup").lookup(classes)
        return {PredictionKey.LOGITS: logits, PredictionKey.PROBABILITIES: softmax(logits),
                PredictionKey.CLASSES: classes}

    def _served(self, predictions: Mapping[str, Any]) -> Any:
        names = _numbered(self._logits_dimension) if self._label_keys is None else convert_to_tensor(self._label_keys)
        return _all_classes(predictions, names)

    def _metrics(self, predictions: Mapping[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        numbers = array.expand_dims(argmax(predictions[PredictionKey.LOGITS], 1), 1)
        found = {MetricKey.ACCURACY: accuracy(labels, numbers, weights)}
        for number in self._class_ids:
            found |= {
                MetricKey.CLASS_PROBABILITY_MEAN % number:
                    mean(predictions[PredictionKey.PROBABILITIES][:, number:number + 1], weights),
                MetricKey.CLASS_LOGITS_MEAN % number:
                    mean(predictions[PredictionKey.LOGITS][:, number:number + 1], weights),
                MetricKey.CLASS_PREDICTION_MEAN % number: mean(_is(numbers, number), weights),
                MetricKey.CLASS_LABEL_MEAN % number: mean(_is(labels, number), weights),
            }
        return found


def _is(numbers: Any, number: int) -> Any:
    return math.cast(elementwise.equal(numbers, math.cast(number, numbers.dtype)), dtypes.float32)


def _checked_ids(ids: Sequence[int] | None, n_classes: int) -> tuple[int, ...]:
    found = tuple(ids or ())
    if any(not 0 <= number < n_classes for number in found):
        raise ValueError(f"metric_class_ids are from 0 to {n_classes - 1}, got {found}")
    return found


class MultiLabelHead(SingleHead):
    """Any number of classes at a time: labels are rows of zeros and ones, or sparse rows of class numbers."""

    def __init__(self, n_classes: int, thresholds: Sequence[float] | None, metric_class_ids: Sequence[int] | None,
                 **options: Any) -> None:
        super().__init__(ProblemType.CLASSIFICATION, logits_dimension=n_classes, **options)
        if thresholds:
            raise ValueError(f"thresholds are for two classes; there are {n_classes}: {thresholds}")
        self._class_ids = _checked_ids(metric_class_ids, n_classes)

    def _checked_labels(self, labels: Any) -> Any:
        if isinstance(labels, SparseTensor):
            if self._logits_dimension < 2:
                raise ValueError("Must set num_classes >= 2 when passing labels as a SparseTensor")
            labels = sparse_to_indicator(labels, self._logits_dimension)
        return math.cast(labels, dtypes.float32)

    def _losses(self, labels: Any, logits: Any) -> Any:
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="loss")

    def _predictions(self, logits: Any) -> dict[str, Any]:
        return {PredictionKey.LOGITS: logits, PredictionKey.PROBABILITIES: elementwise.sigmoid(logits),
                PredictionKey.CLASSES: math.cast(elementwise.greater(logits, 0.0), dtypes.int64)}

    def _served(self, predictions: Mapping[str, Any]) -> Any:
        return _all_classes(predictions, _numbered(self._logits_dimension))

    def _metrics(self, predictions: Mapping[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        chances, classes = predictions[PredictionKey.PROBABILITIES], predictions[PredictionKey.CLASSES]
        found = {
            MetricKey.ACCURACY: accuracy(math.cast(labels, dtypes.int64), classes, weights),
            MetricKey.AUC: auc(labels, chances, weights),
            MetricKey.AUC_PR: auc(labels, chances, weights, curve="PR"),
        }
        for number in self._class_ids:
            one = (slice(None), slice(number, number + 1))
            of_class = weights
            if weights is not None and weights.shape.ndims == 2 and weights.shape.as_list()[1] != 1:
                of_class = weights[one]
            found |= {
                MetricKey.CLASS_PREDICTION_MEAN % number: mean(math.cast(classes[one], dtypes.float32), of_class),
                MetricKey.CLASS_PROBABILITY_MEAN % number: mean(chances[one], of_class),
                MetricKey.CLASS_LOGITS_MEAN % number: mean(predictions[PredictionKey.LOGITS][one], of_class),
                MetricKey.CLASS_LABEL_MEAN % number: mean(labels[one], of_class),
                MetricKey.CLASS_AUC % number: auc(labels[one], chances[one], of_class),
                MetricKey.CLASS_AUC_PR % number: auc(labels[one], chances[one], of_class, curve="PR"),
            }
        return found


class LossOnlyHead(Head):
    """A loss without logits, for the sum of a multi_head."""

    def __init__(self, loss_fn: Callable[[], Any], head_name: str | None = None) -> None:
        self._loss_fn, self._head_name = loss_fn, head_name or "loss_only_head"

    @property
    def logits_dimension(self) -> int:
        return 0

    @property
    def head_name(self) -> str:
        """The name."""
        return self._head_name

    def create_model_fn_ops(self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None,
                            logits: Any = None, logits_input: Any = None, scope: Any = None) -> ModelFnOps:
        loss = train_op = None
        if mode != ModeKeys.INFER:
            with variable_scope(scope, default_name=self._head_name):
                loss = convert_to_tensor(self._loss_fn())
                with name_scope(None):
                    summaries.scalar(_suffixed(MetricKey.LOSS, self._head_name), loss)
                if mode == ModeKeys.TRAIN:
                    if train_op_fn is None:
                        raise ValueError("train_op_fn can not be None in TRAIN mode")
                    train_op = train_op_fn(loss)
        return ModelFnOps(mode, {}, loss, train_op, {})


class MultiHead(Head):
    """Several heads, whose logits stand side by side."""

    def __init__(self, heads: Sequence[Any], loss_merger: Callable[[Sequence[Any]], Any]) -> None:
        for head in heads:
            if not head.head_name:
                raise ValueError(f"Members of MultiHead must have names, and {head} has none")
        self._heads, self._merger = tuple(heads), loss_merger

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    def create_model_fn_ops(self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None,
                            logits: Any = None, logits_input: Any = None, scope: Any = None) -> ModelFnOps:
        parts = self._split(logits)
        found = []
        with variable_scope(scope, default_name="multi_head"):
            for head in self._heads:
                given = {"logits": parts[head.head_name]} if parts else {"logits_input": logits_input}
                found.append(head.create_model_fn_ops(features, mode, labels, no_op_train_fn, **given))
        metrics = {key: metric for ops in found for key, metric in ops.eval_metric_ops.items()}
        loss = None if mode == ModeKeys.INFER else self._merger([ops.loss for ops in found])
        if mode == ModeKeys.TRAIN:
            if train_op_fn is None:
                raise ValueError("train_op_fn can not be None in TRAIN mode")
            train_op = group(train_op_fn(loss), *(ops.train_op for ops in found if ops.train_op is not None))
            return ModelFnOps(mode, None, loss, train_op, metrics)
        predictions = {(head.head_name, key): value for head, ops in zip(self._heads, found, strict=True)
                       for key, value in ops.predictions.items()}
        if mode == ModeKeys.EVAL:
            return ModelFnOps(mode, predictions, loss, None, metrics)
        alternatives = {key: value for ops in found for key, value in (ops.output_alternatives or {}).items()}
        return ModelFnOps(mode, predictions, None, None, None, alternatives)

    def _split(self, logits: Any) -> dict[str, Any]:
        """The logits of each head."""
        if logits is None:
            return {}
        if isinstance(logits, Mapping):
            return {head.head_name: logits.get(head.head_name) for head in self._heads}
        sizes = [head.logits_dimension for head in self._heads]
        return {head.head_name: part for head, part in zip(
            self._heads, array.split(convert_to_tensor(logits), sizes, axis=1), strict=True)}


@export("contrib.learn.regression_head")
def regression_head(label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1,
                    enable_centered_bias: bool = False, head_name: str | None = None,
                    link_fn: Callable[[Any], Any] | None = None) -> Head:
    """A head for numbers, whose loss is the mean squared error.

    Args:
        label_name: the label where there are several by name.
        weight_column_name: the feature with the weights of examples.
        label_dimension: how many numbers there are for an example.
        enable_centered_bias: whether to learn a bias that alone predicts as well as it can.
        head_name: the name, which the names of its metrics end with.
        link_fn: makes predictions of logits; the logits themselves by default.
    """
    return RegressionHead(link_fn or array.identity, elementwise.squared_difference, logits_dimension=label_dimension,
                          default_name="regression_head", label_name=label_name,
                          weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias,
                          head_name=head_name)


@export("contrib.learn.poisson_regression_head")
def poisson_regression_head(label_name: str | None = None, weight_column_name: str | None = None,
                            label_dimension: int = 1, enable_centered_bias: bool = False,
                            head_name: str | None = None) -> Head:
    """A head for counts, whose logits are logarithms of the rate of a Poisson distribution.

    Args:
        label_name, weight_column_name, label_dimension, enable_centered_bias, head_name: see `regression_head`.
    """
    return RegressionHead(
        elementwise.exp, lambda labels, logits: log_poisson_loss(labels, logits, compute_full_loss=True),
        logits_dimension=label_dimension, default_name="poisson_regression_head", label_name=label_name,
        weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias, head_name=head_name)


@export("contrib.learn.multi_class_head")
def multi_class_head(n_classes: int, label_name: str | None = None, weight_column_name: str | None = None,
                     enable_centered_bias: bool = False, head_name: str | None = None,
                     thresholds: Sequence[float] | None = None, metric_class_ids: Sequence[int] | None = None,
                     loss_fn: Callable[..., Any] | None = None,
                     label_keys: Sequence[str] | None = None) -> Head:
    """A head for one of several classes: sigmoid cross entropy for two of them, softmax cross entropy for more.

    Args:
        n_classes: the number of classes.
        label_name, weight_column_name, enable_centered_bias, head_name: see `regression_head`.
        thresholds: thresholds of probabilities for metrics of two classes; 0.5 by default.
        metric_class_ids: the classes that have metrics of their own.
        loss_fn: a function of (labels, logits, weights) that returns the loss.
        label_keys: the names of the classes, where labels are strings.

    Raises:
        ValueError: `n_classes` is less than 2, or an argument does not go with it.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    common = {"label_name": label_name, "weight_column_name": weight_column_name, "loss_fn": loss_fn,
              "enable_centered_bias": enable_centered_bias, "head_name": head_name}
    if n_classes > 2:
        return MultiClassHead(n_classes, thresholds, metric_class_ids, label_keys, default_name="multi_class_head",
                              **common)
    if metric_class_ids:
        raise ValueError("metric_class_ids invalid for n_classes==2.")
    if label_keys:
        raise ValueError("label_keys is not supported for n_classes=2.")
    return BinaryHead(thresholds, default_name="binary_logistic_head", **common)


@export("contrib.learn.binary_svm_head")
def binary_svm_head(label_name: str | None = None, weight_column_name: str | None = None,
                    enable_centered_bias: bool = False, head_name: str | None = None,
                    thresholds: Sequence[float] | None = None) -> Head:
    """A head for two classes, whose loss is the hinge loss.

    Args:
        label_name, weight_column_name, enable_centered_bias, head_name: see `regression_head`.
        thresholds: must be None: the distance from a plane is no probability.
    """
    if thresholds:
        raise ValueError(f"a support vector machine has no probabilities for thresholds: {thresholds}")
    return SvmHead(default_name="binary_svm_head", label_name=label_name, weight_column_name=weight_column_name,
                   enable_centered_bias=enable_centered_bias, head_name=head_name)


@export("contrib.learn.multi_label_head")
def multi_label_head(n_classes: int, label_name: str | None = None, weight_column_name: str | None = None,
                     enable_centered_bias: bool = False, head_name: str | None = None,
                     thresholds: Sequence[float] | None = None, metric_class_ids: Sequence[int] | None = None,
                     loss_fn: Callable[..., Any] | None = None) -> Head:
    """A head for any number of classes at a time, whose loss is the sigmoid cross entropy.

    Args:
        n_classes, label_name, weight_column_name, enable_centered_bias, head_name, thresholds, metric_class_ids,
        loss_fn: see `multi_class_head`.
    """
    if n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    return MultiLabelHead(n_classes, thresholds, metric_class_ids, default_name="multi_label_head",
                          label_name=label_name, weight_column_name=weight_column_name, loss_fn=loss_fn,
                          enable_centered_bias=enable_centered_bias, head_name=head_name)


@export("contrib.learn.loss_only_head")
def loss_only_head(loss_fn: Callable[[], Any], head_name: str | None = None) -> Head:
    """A head that adds a loss to those of others.

    Args:
        loss_fn: makes the loss; it takes nothing.
        head_name: the name.
    """
    return LossOnlyHead(loss_fn, head_name)


@export("contrib.learn.multi_head")
def multi_head(heads: Sequence[Any], loss_weights: Sequence[float] | None = None) -> Head:
    """Several heads as one, whose loss is the sum of theirs.

    Args:
        heads: heads with names.
        loss_weights: the weights of the sum.
    """
    weights = [1.0] * len(heads) if loss_weights is None else list(loss_weights)
    if len(weights) != len(heads):
        raise ValueError(f"heads and loss_weights must have the same size: {len(heads)} and {len(weights)}")

    def merged(losses: Sequence[Any]) -> Any:
        return math.add_n([elementwise.mul(math.cast(loss, dtypes.float32), weight)
                           for loss, weight in zip(losses, weights, strict=True)], name="weighted_average_loss")
    return MultiHead(heads, merged)
