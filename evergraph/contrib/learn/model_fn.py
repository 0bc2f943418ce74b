"""tf.contrib.learn.ModelFnOps: what a model function returns, and the same for tf.estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from evergraph.base.export import export
from evergraph.contrib.learn.keys import MetricKey, PredictionKey, ProblemType
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.estimator.export.outputs import ClassificationOutput, ExportOutput, PredictOutput, RegressionOutput
from evergraph.estimator.mode_keys import ModeKeys as CoreModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY

MODES = {CoreModeKeys.TRAIN: ModeKeys.TRAIN, CoreModeKeys.EVAL: ModeKeys.EVAL, CoreModeKeys.PREDICT: ModeKeys.INFER}
CORE_MODES = {ours: core for core, ours in MODES.items()}


class _Ops(NamedTuple):
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    output_alternatives: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any
    mode: Any


@export("contrib.learn.ModelFnOps", "contrib.learn.estimators.model_fn.ModelFnOps")
class ModelFnOps(_Ops):
    """What the model function of a `tf.contrib.learn.Estimator` returns.

    Args:
        mode: one of `tf.contrib.learn.ModeKeys`.
        predictions: a tensor, or several by name; not needed for training.
        loss: the loss; not needed for predictions.
        train_op: the operation of a training step; needed for training alone.
        eval_metric_ops: name -> (value, update_op).
        output_alternatives: what is exported: name of a head -> (one of `tf.contrib.learn.ProblemType`, tensors by
            name). The predictions by default.
        training_chief_hooks: SessionRunHooks of the chief.
        training_hooks: SessionRunHooks of training.
        scaffold: a tf.train.Scaffold.

    Raises:
        ValueError: something that the mode needs is missing.
    """

    __slots__ = ()

    def __new__(cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
                eval_metric_ops: Any = None, output_alternatives: Any = None, training_chief_hooks: Any = None,
                training_hooks: Any = None, scaffold: Any = None) -> ModelFnOps:
        if train_op is None and mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        if loss is None and mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        if predictions is None and mode in (ModeKeys.EVAL, ModeKeys.INFER):
            raise ValueError("Missing predictions.")
        return super().__new__(
            cls, predictions, loss, train_op, {} if eval_metric_ops is None else eval_metric_ops, output_alternatives,
            tuple(training_chief_hooks or ()), tuple(training_hooks or ()), scaffold, mode)

    def estimator_spec(self, default_serving_output_alternative_key: str | None = None) -> EstimatorSpec:
        """The same as a tf.estimator.EstimatorSpec, without the metric "loss", which tf.estimator has by itself.

        Args:
            default_serving_output_alternative_key: the head that is served unless another one is asked for; needed
                where there are several.
        """
        metrics = {key: metric for key, metric in self.eval_metric_ops.items() if key != MetricKey.LOSS}
        return self._spec(metrics, self.exports(default_serving_output_alternative_key))

    def whole_spec(self, exports: dict[str, ExportOutput] | None) -> EstimatorSpec:
        """An EstimatorSpec with all metrics, and with these exports."""
        return self._spec(self.eval_metric_ops, exports)

    def _spec(self, metrics: Mapping[str, Any], exports: dict[str, ExportOutput] | None) -> EstimatorSpec:
        return EstimatorSpec(
            CORE_MODES[self.mode], predictions=_tensors(self.predictions), loss=_tensors(self.loss),
            train_op=self.train_op, eval_metric_ops=dict(metrics), scaffold=self.scaffold,
            training_hooks=self.training_hooks, training_chief_hooks=self.training_chief_hooks, export_outputs=exports)

    def exports(self, default_key: str | None = None) -> dict[str, ExportOutput] | None:
        """What is exported by name of head, with the default one under the default key too; None unless predicting.

        Raises:
            ValueError: there is no such default, or none where there are several heads.
        """
        if self.mode != ModeKeys.INFER:
            return None
        alternatives, default_key = get_output_alternatives(self, default_key)
        found = {key: as_export(kind, tensors) for key, (kind, tensors) in alternatives.items()}
        return {**{key: output for key, output in found.items() if key is not None},
                DEFAULT_SERVING_SIGNATURE_DEF_KEY: found[default_key]}


def _tensors(value: Any) -> Any:
    """What a model function may give as a number, as a tensor."""
    if value is None or isinstance(value, SparseTensor):
        return value
    if isinstance(value, Mapping):
        return {key: _tensors(each) for key, each in value.items()}
    return convert_to_tensor(value)


DEFAULT_OUTPUT_ALTERNATIVE_KEY = "default_output_alternative"


def get_output_alternatives(model_fn_ops: ModelFnOps, default_output_alternative_key: str | None = None
                            ) -> tuple[dict[Any, Any], Any]:
    """(what a model exports: name of head -> (kind of problem, tensors by name), the default one's name).

    Raises:
        ValueError: there is no such default, or none where there are several heads.
    """
    alternatives = model_fn_ops.output_alternatives
    if not alternatives:
        if default_output_alternative_key:
            raise ValueError(f"Requested default_output_alternative: {default_output_alternative_key}, but available "
                             "output_alternatives are: []")
        predictions = model_fn_ops.predictions
        named = predictions if isinstance(predictions, Mapping) else {PredictionKey.GENERIC: predictions}
        return ({DEFAULT_OUTPUT_ALTERNATIVE_KEY: (ProblemType.UNSPECIFIED, dict(named))},
                DEFAULT_OUTPUT_ALTERNATIVE_KEY)
    known = sorted(alternatives, key=str)
    if default_output_alternative_key:
        if default_output_alternative_key not in alternatives:
            raise ValueError(f"Requested default_output_alternative: {default_output_alternative_key}, but available "
                             f"output_alternatives are: {known}")
        return alternatives, default_output_alternative_key
    if len(alternatives) > 1:
        raise ValueError(f"Please specify a default_output_alternative.  Available output_alternatives are: {known}")
    return alternatives, known[0]


def as_export(problem_type: int, tensors: Any) -> ExportOutput:
    """Tensors as what tf.estimator exports: by the kind of the problem where they fit it."""
    named = {key if isinstance(key, str) else "/".join(key): tensor for key, tensor in tensors.items()}
    if problem_type == ProblemType.LINEAR_REGRESSION:
        value = _picked(named, PredictionKey.SCORES, PredictionKey.PROBABILITIES)
        return RegressionOutput(value if value is not None else next(iter(named.values())))
    if problem_type in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes, scores = classes_and_scores(named)
        if classes is not None or scores is not None:
            return ClassificationOutput(scores=scores, classes=classes)
    return PredictOutput(named)


def _picked(tensors: Mapping[str, Any], *keys: str) -> Any:
    return next((tensors[key] for key in keys if tensors.get(key) is not None), None)


def classes_and_scores(tensors: Mapping[str, Any]) -> tuple[Any, Any]:
    """(the names of classes, their scores); classes that are no strings cannot be served and are None."""
    classes, scores = tensors.get(PredictionKey.CLASSES), _picked(
        tensors, PredictionKey.SCORES, PredictionKey.PROBABILITIES)
    if len(tensors) == 1:
        (only,) = tensors.values()
        classes, scores = (only, None) if only.dtype.base_dtype.name == "string" else (None, only)
    if classes is not None and classes.dtype.base_dtype.name != "string":
        classes = None
    return classes, scores
