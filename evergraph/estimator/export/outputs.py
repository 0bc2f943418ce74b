"""What a model gives when it is served: tf.estimator.export.PredictOutput and its siblings."""
from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.array import constant
from evergraph.frontend.blocks import control_dependencies
from evergraph.graph.node import Operation, Tensor
from evergraph.save import saved_model_signatures as signatures

_SEPARATOR = "/"


@export("estimator.export.ExportOutput")
class ExportOutput(abc.ABC):
    """The base class of what an EstimatorSpec exports: something that becomes a SignatureDef."""

    __metaclass__ = abc.ABCMeta  # TensorFlow 1.15's classes have this attribute of Python 2

    @abc.abstractmethod
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The SignatureDef with these inputs.

        Args:
            receiver_tensors: name -> tensor of what the served model is fed with.
        """


def _is_dtype(value: Any, test: str) -> bool:
    return isinstance(value, Tensor) and getattr(value.dtype.base_dtype, test)


def _only_examples(receiver_tensors: Mapping[str, Any], kind: str) -> Tensor:
    """The one string tensor that a classifier or regressor is fed with.

    Raises:
        ValueError: the inputs are others.
    """
    examples = list(receiver_tensors.values())
    if len(examples) != 1 or not isinstance(examples[0], Tensor) or examples[0].dtype.base_dtype.name != "string":
        raise ValueError(f"{kind} signatures take a single tensor of tf.string, which holds serialized "
                         f"tf.Examples; the receiver function gives {dict(receiver_tensors)}. Parse examples with "
                         "tf.io.parse_example, or export a PredictOutput, which takes any inputs")
    return examples[0]


@export("estimator.export.ClassificationOutput")
class ClassificationOutput(ExportOutput):
    """The output of a classifier: scores, or the names of classes, or both.

    Args:
        scores: a floating-point tensor, one score for each class.
        classes: a string tensor with the names of the classes.

    Raises:
        ValueError: both are missing, or one has the wrong dtype.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is not None and not _is_dtype(scores, "is_floating"):
            raise ValueError(f"Classification scores must be a float32 Tensor, not {scores}")
        if classes is not None and not (isinstance(classes, Tensor) and classes.dtype.base_dtype.name == "string"):
            raise ValueError(f"Classification classes must be a string Tensor, not {classes}")
        if scores is None and classes is None:
            raise ValueError("a classification needs scores, classes or both, got neither")
        self._scores, self._classes = scores, classes

    scores = property(lambda self: self._scores)
    classes = property(lambda self: self._classes)

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The classification signature; its only input is a string tensor."""
        examples = _only_examples(receiver_tensors, "Classification")
        return signatures.classification_signature_def(examples, self._classes, self._scores)


@export("estimator.export.RegressionOutput")
class RegressionOutput(ExportOutput):
    """The output of a regression.

    Args:
        value: a floating-point tensor.

    Raises:
        ValueError: it is something else.
    """

    def __init__(self, value: Any) -> None:
        if not _is_dtype(value, "is_floating"):
            raise ValueError(f"A regression gives a float32 Tensor as its value, not {value}")
        self._value = value

    value = property(lambda self: self._value)

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The regression signature; its only input is a string tensor."""
        return signatures.regression_signature_def(_only_examples(receiver_tensors, "Regression"), self._value)


def _key(name: Any, what: str) -> str:
    """The name of an output; a tuple is joined by slashes."""
    name = _SEPARATOR.join(name) if isinstance(name, tuple) else name
    if not isinstance(name, str):
        raise ValueError(f"{what} output key must be a string; got {name}.")
    return name


def _named(outputs: Any, only: str, what: str) -> dict[Any, Any]:
    """Outputs by name; a single one has the name `only`."""
    named = dict(outputs) if isinstance(outputs, dict) else {only: outputs}
    checked = {}
    for name, value in named.items():
        key = _key(name, what)
        if not isinstance(value, Tensor):
            raise ValueError(f"{what} output value must be a Tensor; got {value}.")
        checked[key] = value
    return checked


@export("estimator.export.PredictOutput")
class PredictOutput(ExportOutput):
    """Any tensors as the output of a model.

    Args:
        outputs: name -> tensor, or a single tensor, whose name is "output".

    Raises:
        ValueError: a name is no string, or a value is no tensor.
    """

    def __init__(self, outputs: Any) -> None:
        self._outputs = _named(outputs, "output", "Prediction")

    outputs = property(lambda self: self._outputs)

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The prediction signature with any inputs."""
        return signatures.predict_signature_def(receiver_tensors, self._outputs)


# ---- graphs for training and evaluation


def is_metric(value: Any) -> bool:
    """Whether a value is an object that keeps a metric, such as tf.keras.metrics.Mean."""
    return hasattr(value, "update_state") and hasattr(value, "result")


def metric_pair(metric: Any) -> tuple[Any, Any]:
    """(value, update) of a metric, which is such a pair already or an object that keeps one.

    Raises:
        ValueError: the object has not been updated in this graph.
    """
    if not is_metric(metric):
        return metric
    if not metric.updates:
        raise ValueError("Please call update_state(...) on a metric object before it is given as a metric")
    return metric.result(), metric.updates[0]


def _as_tensor(update: Any) -> Tensor:
    """What a signature can name: an operation becomes an empty tensor that waits for it."""
    if isinstance(update, Tensor):
        return update
    with control_dependencies([update]):
        return constant([], name="metric_op_wrapper")


class SupervisedOutput(ExportOutput):
    """The losses, predictions and metrics of a graph for training or evaluation.

    Args:
        loss: name -> tensor, or a single tensor.
        predictions: name -> tensor, or a single tensor.
        metrics: name -> (value, update) or metric object, or a single one.

    Raises:
        ValueError: a name is no string, or a value is no tensor.
    """

    def __init__(self, loss: Any = None, predictions: Any = None, metrics: Any = None) -> None:
        self._loss = None if loss is None else _prefixed(_named(loss, "loss", "loss"), "loss")
        self._predictions = None if predictions is None else _prefixed(
            _named(predictions, "predictions", "predictions"), "predictions")
        self._metrics = None if metrics is None else _flat_metrics(metrics)

    loss = property(lambda self: self._loss)
    predictions = property(lambda self: self._predictions)
    metrics = property(lambda self: self._metrics)

    def _get_signature_def_fn(self) -> Any:
        """The function that makes the signature."""
        raise NotImplementedError(f"{type(self).__name__} does not say which signature it is")

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The signature, with all losses, predictions and metrics as outputs."""
        make = self._get_signature_def_fn()
        return make(receiver_tensors, self.loss, self.predictions, self.metrics)


def _prefixed(named: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The same under names that begin with what they are."""
    return {name if name.startswith(kind) else f"{kind}{_SEPARATOR}{name}": value for name, value in named.items()}


def _flat_metrics(metrics: Any) -> dict[str, Any]:
    """name/value and name/update_op of every metric."""
    named = metrics if isinstance(metrics, dict) else {"metrics": metrics}
    found = {}
    for name, metric in _prefixed({_key(name, "metrics"): each for name, each in named.items()}, "metrics").items():
        value, update = metric_pair(metric)
        if not isinstance(value, Tensor):
            raise ValueError(f"metrics output value must be a Tensor; got {value}.")
        if not isinstance(update, (Tensor, Operation)):
            raise ValueError("the update_op of a metric is an operation or else must be a Tensor; this one is "
                             f"{update}.")
        found[f"{name}/value"] = value
        found[f"{name}/update_op"] = _as_tensor(update)
    return found


class TrainOutput(SupervisedOutput):
    """The output of a graph for training."""

    def _get_signature_def_fn(self) -> Any:
        return signatures.supervised_train_signature_def


class EvalOutput(SupervisedOutput):
    """The output of a graph for evaluation."""

    def _get_signature_def_fn(self) -> Any:
        return signatures.supervised_eval_signature_def
