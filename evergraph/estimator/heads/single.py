"""What heads of one kind of label share: labels, losses, weights and metrics of logits."""
from __future__ import annotations

import abc
from typing import Any, NamedTuple

from evergraph.base import dtypes
from evergraph.estimator.calls import call_with, declared
from evergraph.estimator.export.outputs import ClassificationOutput, PredictOutput, RegressionOutput
from evergraph.estimator.heads.base import Head
from evergraph.estimator.heads.keys import MetricKeys, PredictionKeys, under_head
from evergraph.estimator.heads.measures import Measure, Sample, keras_metric
from evergraph.estimator.heads.shapes import checked_logits, checked_weights
from evergraph.estimator.heads.specs import spec_of
from evergraph.estimator.heads.training import total
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.input.vocabulary_tables import index_table_from_tensor, index_to_string_table_from_tensor
from evergraph.frontend.reduce import reduce_all
from evergraph.frontend.strings import as_string
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Reduction
from evergraph.losses import weighting
from evergraph.ops.arrays.pad import tile
from evergraph.ops.math import elementwise

SERVING_DEFAULT, CLASSIFY, REGRESS, PREDICT = "serving_default", "classification", "regression", "predict"

# What the losses of tf.keras call a reduction, in the words of tf.losses.
REDUCTIONS = {
    Reduction.AUTO: weighting.Reduction.SUM_OVER_BATCH_SIZE,
    Reduction.SUM: weighting.Reduction.SUM,
    Reduction.SUM_OVER_BATCH_SIZE: weighting.Reduction.SUM_OVER_BATCH_SIZE,
}


class Losses(NamedTuple):
    """The losses of a batch by element, the weights of its examples, and its labels as numbers."""

    unreduced: Any
    weights: Any
    labels: Any


class SingleHead(Head):
    """A head of one set of logits. A kind of head defines what its labels, losses, predictions and metrics are."""

    weighs_logits = False

    def __init__(self, dimension: int, weight_column: Any, loss_fn: Any, loss_reduction: str, name: str | None) -> None:
        if loss_reduction not in REDUCTIONS:
            raise ValueError(f"Invalid loss_reduction: {loss_reduction}. It must be one of {list(REDUCTIONS)}")
        if loss_fn is not None:
            check_loss_fn(loss_fn)
        self._dimension, self._weight_column, self._loss_fn = dimension, weight_column, loss_fn
        self._loss_reduction, self._name = loss_reduction, name

    @property
    def name(self) -> str | None:
        return self._name

    @property
    def logits_dimension(self) -> int:
        return self._dimension

    @property
    def loss_reduction(self) -> str:
        return self._loss_reduction

    # ---- what a kind defines

    @abc.abstractmethod
    def _numbers(self, labels: Any, logits: Tensor) -> Tensor:
        """Labels as numbers of the rank of the logits."""

    @abc.abstractmethod
    def _unreduced(self, labels: Tensor, logits: Tensor) -> Tensor:
        """The loss of each element."""

    @abc.abstractmethod
    def _measures(self) -> dict[str, Measure]:
        """The metrics by name, but for the losses."""

    @abc.abstractmethod
    def _samples(self, logits: Tensor, losses: Losses) -> dict[str, Sample]:
        """What a batch adds to each of the metrics."""

    @abc.abstractmethod
    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """The outputs to export, but for "predict"; the first of them is the default."""

    # ---- losses

    def losses(self, labels: Any, logits: Any, features: Any) -> Losses:
        """The losses of a batch by element."""
        with name_scope("losses", values=[logits, labels]):
            logits = checked_logits(logits, self._dimension)
            labels = self._numbers(labels, logits)
            if self._loss_fn is None:
                unreduced = self._unreduced(labels, logits)
            else:
                unreduced = call_loss_fn(self._loss_fn, labels, logits, features, self._loss_dimension)
            weights = checked_weights(features, self._weight_column, logits, self.weighs_logits)
            return Losses(unreduced, weights, labels)

    @property
    def _loss_dimension(self) -> int:
        """The size of the last axis of the losses."""
        return 1

    def loss(self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
             regularization_losses: Any = None) -> Tensor:
        found = self.losses(labels, logits, features)
        reduced = weighting.compute_weighted_loss(found.unreduced, found.weights, loss_collection=None,
                                                  reduction=REDUCTIONS[self._loss_reduction])
        extra = total(regularization_losses)
        return reduced if extra is None else reduced + extra

    def training_loss(self, labels: Any, logits: Any, features: Any, mode: Any, regularization_losses: Any) -> Tensor:
        """The loss of a training step."""
        return self.loss(labels, logits, features, mode, regularization_losses)

    # ---- predictions

    def export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """The outputs to export by signature."""
        outputs = self._outputs(predictions)
        return {SERVING_DEFAULT: next(iter(outputs.values())), **outputs, PREDICT: PredictOutput(predictions)}

    # ---- metrics

    def measures(self, regularization_losses: Any = None) -> dict[str, Measure]:
        """All metrics by name."""
        extra = {MetricKeys.LOSS_REGULARIZATION: Measure("mean")} if regularization_losses else {}
        return {under_head(self._name, key): measure for key, measure in
                {MetricKeys.LOSS_MEAN: Measure("mean"), **extra, **self._measures()}.items()}

    def samples(self, logits: Any, losses: Losses, regularization_losses: Any = None) -> dict[str, Sample]:
        """What a batch adds to each of the metrics."""
        extra = total(regularization_losses)
        extras = {} if extra is None else {MetricKeys.LOSS_REGULARIZATION: Sample(extra)}
        mean = Sample(losses.unreduced, weights=losses.weights)
        found = {MetricKeys.LOSS_MEAN: mean, **extras, **self._samples(checked_logits(logits, self._dimension), losses)}
        return {under_head(self._name, key): sample for key, sample in found.items()}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        with name_scope("metrics"):
            return {key: keras_metric(key, measure) for key, measure in self.measures(regularization_losses).items()}

    def update_metrics(self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
                       regularization_losses: Any = None) -> dict[str, Any]:
        samples = self.samples(logits, self.losses(labels, logits, features), regularization_losses)
        for key, sample in samples.items():
            sample.update(eval_metrics[key])
        return eval_metrics

    def create_estimator_spec(self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
                              trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
                              regularization_losses: Any = None) -> Any:
        with name_scope(self._name, "head"):
            predictions = self.predictions(logits)
            return spec_of(self, features, mode, logits, labels, predictions, optimizer, trainable_variables,
                           train_op_fn, update_ops, regularization_losses, self._name)


# ---- loss functions of users

def check_loss_fn(function: Any) -> None:
    """Raises ValueError unless a loss function takes labels and logits, and nothing unknown."""
    names = declared(function)
    for wanted in ("labels", "logits"):
        if wanted not in names:
            raise ValueError(f"loss_fn must contain argument: {wanted}. Given arguments: {names}")
    unknown = sorted(set(names) - {"labels", "logits", "features", "loss_reduction"})
    if unknown:
        raise ValueError(f"loss_fn has unexpected args: {unknown}")


def call_loss_fn(loss_fn: Any, labels: Tensor, logits: Tensor, features: Any, expected_loss_dim: int = 1) -> Tensor:
    """The losses that a function returns, which must be [..., expected_loss_dim]."""
    losses = convert_to_tensor(call_with(loss_fn, labels=labels, logits=logits, features=features))
    logits_shape, shape = array.shape(logits, name="logits_shape"), array.shape(losses, name="loss_shape")
    expected = array.concat([logits_shape[:-1], [expected_loss_dim]], 0)
    shown = [f"loss_fn must return Tensor of shape [D0, D1, ... DN, {expected_loss_dim}]. ",
             "logits_shape: ", logits_shape, "loss_shape: ", shape]
    static = logits.shape.ndims, losses.shape.ndims
    fits = convert_to_tensor(False) if None not in static and static[0] != static[1] else reduce_all(
        elementwise.equal(expected, shape))
    with control_dependencies([Assert(fits, shown, summarize=8)]):
        return array.identity(losses)


# ---- classes

class Classes:
    """The classes of a classifier: numbers, or the strings of a vocabulary.

    Args:
        number: how many there are.
        vocabulary: their names, or None.
    """

    def __init__(self, number: int, vocabulary: Any) -> None:
        if vocabulary is not None and not isinstance(vocabulary, (list, tuple)):
            raise ValueError(f"label_vocabulary must be a list or a tuple of strings, not {type(vocabulary)}")
        if vocabulary is not None and len(vocabulary) != number:
            raise ValueError(f"Length of label_vocabulary must be n_classes ({number}). Given: {len(vocabulary)}")
        self.number, self.vocabulary = number, vocabulary

    def ids(self, labels: Any) -> Any:
        """The ids of labels: their positions in the vocabulary."""
        if self.vocabulary is None:
            return labels
        if labels.dtype != dtypes.string:
            raise ValueError(f"Labels dtype must be string under a label_vocabulary, not {labels.dtype}")
        return index_table_from_tensor(list(self.vocabulary), name="class_id_lookup").lookup(labels)

    def names(self, ids: Tensor) -> Tensor:
        """The names of ids, strings."""
        if self.vocabulary is None:
            return as_string(ids, name="str_classes")
        return index_to_string_table_from_tensor(list(self.vocabulary), name="class_string_lookup").lookup(ids)

    def all_ids(self, logits: Tensor) -> Tensor:
        """All ids for each example, [batch, number]."""
        return self._for_each(logits, math.range(self.number))

    def all_names(self, logits: Tensor) -> Tensor:
        """All names for each example, [batch, number]."""
        if self.vocabulary is None:
            return self._for_each(logits, as_string(math.range(self.number)))
        return self._for_each(logits, convert_to_tensor(list(self.vocabulary), dtypes.string))

    @staticmethod
    def _for_each(logits: Tensor, row: Tensor) -> Tensor:
        return tile(array.expand_dims(row, 0), [array.shape(logits)[0], 1])

    def output(self, probabilities: Tensor) -> ClassificationOutput:
        """The export of a classifier: the probabilities of all classes, and their names."""
        return ClassificationOutput(scores=probabilities, classes=self.all_names(probabilities))


def selected(predictions: dict[str, Any], keys: Any) -> dict[str, Any]:
    """The predictions of those keys, all by default; a prediction is a function that makes it."""
    known = {value for name, value in vars(PredictionKeys).items() if not name.startswith("_")}
    for key in keys or ():
        if key not in known:
            raise ValueError(f"Prediction key must be in PredictionKeys, given: {key}. This head has "
                             f"{sorted(known)}")
    return {key: make() for key, make in predictions.items() if keys is None or key in keys}


def regression_output(value: Tensor) -> RegressionOutput:
    """The export of a regression."""
    return RegressionOutput(value=value)
