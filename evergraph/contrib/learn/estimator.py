"""tf.contrib.learn.Estimator: `fit`, `evaluate` and `predict` over a tf.estimator.Estimator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.contrib.learn.metric_spec import MetricSpec
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.data.dataset import DatasetV1
from evergraph.estimator.calls import call_with
from evergraph.estimator.estimator import Estimator as CoreEstimator
from evergraph.estimator.export.outputs import PredictOutput
from evergraph.estimator.export.receivers import ServingInputReceiver
from evergraph.estimator.mode_keys import ModeKeys as CoreModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.graph.node import Tensor
from evergraph.metrics.means import mean
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY

_MODES = {CoreModeKeys.TRAIN: ModeKeys.TRAIN, CoreModeKeys.EVAL: ModeKeys.EVAL, CoreModeKeys.PREDICT: ModeKeys.INFER}
_CORE_MODES = {ours: core for core, ours in _MODES.items()}


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
        output_alternatives: what heads export; not supported: see `export_outputs` of tf.estimator.EstimatorSpec.
        training_chief_hooks: SessionRunHooks of the chief.
        training_hooks: SessionRunHooks of training.
        scaffold: a tf.train.Scaffold.

    Raises:
        ValueError: something that the mode needs is missing.
        UnimplementedError: there are `output_alternatives`.
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
        if output_alternatives is not None:
            raise errors.UnimplementedError(
                None, None, "tf.contrib.learn.ModelFnOps(output_alternatives=...): return a tf.estimator.EstimatorSpec "
                "with export_outputs")
        return super().__new__(cls, predictions, loss, train_op, eval_metric_ops, None, training_chief_hooks,
                               training_hooks, scaffold, mode)

    def estimator_spec(self, default_serving_output_alternative_key: str | None = None) -> EstimatorSpec:
        """The same as a tf.estimator.EstimatorSpec.

        Args:
            default_serving_output_alternative_key: the head to serve; only None.
        """
        if default_serving_output_alternative_key is not None:
            raise ValueError("default_serving_output_alternative_key names one of output_alternatives, of which there "
                             f"are none: {default_serving_output_alternative_key!r}")
        exported = {DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(self.predictions)}
        return EstimatorSpec(
            _CORE_MODES[self.mode], predictions=self.predictions, loss=self.loss, train_op=self.train_op,
            eval_metric_ops=self.eval_metric_ops, scaffold=self.scaffold, training_hooks=self.training_hooks,
            training_chief_hooks=self.training_chief_hooks,
            export_outputs=exported if self.mode == ModeKeys.INFER else None)


@export("contrib.learn.Estimator", "contrib.learn.estimators.Estimator")
class Estimator:
    """An Estimator of tf.contrib.learn, over a tf.estimator.Estimator. New programs use tf.estimator.

    Args:
        model_fn: builds the model from (features, labels), in this order, and from those of `mode`, `params`, `config`
            and `model_dir` that it declares. It returns ModelFnOps, (predictions, loss, train_op), or an
            EstimatorSpec. Predictions are asked for with the mode "infer".
        model_dir: the directory of checkpoints and events.
        config: a tf.contrib.learn.RunConfig.
        params: hyperparameters.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
    """

    def __init__(self, model_fn: Callable[..., Any] | None = None, model_dir: Any = None, config: Any = None,
                 params: Any = None, feature_engineering_fn: Callable[..., Any] | None = None) -> None:
        if model_fn is None:
            raise ValueError("model_fn must be a function, got None")
        self._given_fn, self._params, self._engineer = model_fn, params, feature_engineering_fn
        self._estimator = CoreEstimator(self._model_fn({}), model_dir, config)

    @property
    def model_dir(self) -> str:
        """The directory of checkpoints and events."""
        return self._estimator.model_dir

    @property
    def config(self) -> Any:
        """A copy of the RunConfig."""
        return self._estimator.config

    @property
    def params(self) -> Any:
        """The hyperparameters."""
        return self._params

    def core(self, metrics: Mapping[Any, Any] | None = None) -> CoreEstimator:
        """The tf.estimator.Estimator below, whose evaluations have further metrics."""
        if not metrics:
            return self._estimator
        return CoreEstimator(self._model_fn(metrics), self.model_dir, self._estimator.config)

    def _model_fn(self, metrics: Mapping[Any, Any]) -> Callable[..., EstimatorSpec]:
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            if self._engineer is not None:
                features, labels = self._engineer(features, labels)
            result = call_with(self._given_fn, features, labels, mode=_MODES[mode], params=self._params, config=config,
                               model_dir=config.model_dir)
            spec = _as_spec(result, _MODES[mode])
            if mode != CoreModeKeys.EVAL or not metrics:
                return spec
            added = _metric_ops(metrics, features, labels, spec.predictions)
            return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **added})
        return model_fn

    def fit(self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None, steps: int | None = None,
            batch_size: int | None = None, monitors: Any = None, max_steps: int | None = None) -> Estimator:
        """Trains the model.

        Args:
            x, y: arrays of features and labels, which are shuffled and repeated, in place of `input_fn`.
            input_fn: makes the input.
            steps: for how many steps to train.
            batch_size: the number of examples of a batch of arrays; all by default.
            monitors: SessionRunHooks.
            max_steps: the global step to train to.

        Raises:
            ValueError: not exactly one of `x` and `input_fn` is given.
        """
        chosen = _input_fn(x, y, input_fn, batch_size, is_training=True)
        self._estimator.train(chosen, hooks=monitors, steps=steps, max_steps=max_steps)
        return self

    def partial_fit(self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
                    steps: int | None = 1, batch_size: int | None = None, monitors: Any = None) -> Estimator:
        """Trains on; see `fit`."""
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def evaluate(self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
                 feed_fn: Any = None, batch_size: int | None = None, steps: int | None = None,
                 metrics: Mapping[Any, Any] | None = None, name: str | None = None, checkpoint_path: str | None = None,
                 hooks: Any = None, log_progress: bool = True) -> dict[str, Any]:
        """Evaluates the model.

        Args:
            x, y: arrays of features and labels, which are taken once, in place of `input_fn`.
            input_fn: makes the input.
            feed_fn: not supported.
            batch_size: the number of examples of a batch of arrays; all by default.
            steps: the number of batches; None evaluates until the input ends.
            metrics: name -> MetricSpec, or a function of (predictions, labels); a name may be (name, prediction key).
            name: the name of the evaluation, a part of the directory of its events.
            checkpoint_path: the checkpoint to evaluate; by default the latest.
            hooks: SessionRunHooks.
            log_progress: whether to log batches; the log level of tf.logging says so here.
        """
        if feed_fn is not None:
            raise errors.UnimplementedError(None, None, "tf.contrib.learn.Estimator.evaluate: feed_fn is not "
                                            "supported: use input_fn")
        if metrics is not None and not isinstance(metrics, Mapping):
            raise ValueError(f"metrics is a dictionary of MetricSpecs or functions, got {metrics!r}")
        chosen = _input_fn(x, y, input_fn, batch_size, is_training=False)
        return self.core(metrics).evaluate(chosen, steps=steps, hooks=hooks, checkpoint_path=checkpoint_path, name=name)

    def predict(self, x: Any = None, input_fn: Callable[..., Any] | None = None, batch_size: int | None = None,
                outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False) -> Any:
        """The predictions for the examples of an input.

        Args:
            x: an array of features, in place of `input_fn`.
            input_fn: makes the input.
            batch_size: the number of examples of a batch of the array; all by default.
            outputs: the names of the predictions to return; all by default.
            as_iterable: whether to yield them one by one, and not return arrays of all.
            iterate_batches: whether to yield whole batches.
        """
        chosen = _input_fn(x, None, input_fn, batch_size, is_training=False)
        found = self._estimator.predict(chosen, predict_keys=outputs,
                                        yield_single_examples=as_iterable and not iterate_batches)
        return found if as_iterable else _joined(list(found))

    def export_savedmodel(self, export_dir_base: Any, serving_input_fn: Callable[[], Any],
                          default_output_alternative_key: str | None = None, assets_extra: Any = None,
                          as_text: bool = False, checkpoint_path: str | None = None) -> bytes:
        """Exports the model as a SavedModel in a new directory, whose name is the time in seconds.

        Args:
            export_dir_base: where to make the directory.
            serving_input_fn: builds the input of the served model: InputFnOps, or a ServingInputReceiver.
            default_output_alternative_key: the head to serve; only None.
            assets_extra: files to add: path below "assets.extra" -> path of the file.
            as_text: whether the message is written as text.
            checkpoint_path: the checkpoint to export; by default the latest.
        """
        check_no_head(default_output_alternative_key)
        return self._estimator.export_savedmodel(
            export_dir_base, as_receiver_fn(serving_input_fn), assets_extra, as_text, checkpoint_path)

    def get_variable_names(self) -> list[str]:
        """The names of the variables of the latest checkpoint."""
        return self._estimator.get_variable_names()

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable of the latest checkpoint."""
        return self._estimator.get_variable_value(name)


def check_no_head(key: str | None) -> None:
    """Raises UnimplementedError where a head is named."""
    if key is not None:
        raise errors.UnimplementedError(None, None, "tf.contrib.learn: default_output_alternative_key is not "
                                        "supported: see export_outputs of tf.estimator.EstimatorSpec")


def _as_spec(result: Any, mode: str) -> EstimatorSpec:
    if isinstance(result, EstimatorSpec):
        return result
    if isinstance(result, ModelFnOps):
        return result.estimator_spec()
    if isinstance(result, tuple) and len(result) == 3:
        return ModelFnOps(mode, *result).estimator_spec()
    raise ValueError(f"model_fn should return ModelFnOps or (predictions, loss, train_op), not {result!r}")


def _metric_ops(metrics: Mapping[Any, Any], features: Any, labels: Any, predictions: Any) -> dict[str, Any]:
    found = {}
    for key, metric in metrics.items():
        name, prediction_key = key if isinstance(key, tuple) else (key, None)
        spec = metric if isinstance(metric, MetricSpec) else MetricSpec(metric, prediction_key)
        ops = spec.create_metric_ops(features, labels, predictions)
        found[name] = mean(ops) if isinstance(ops, Tensor) else ops
    return found


def _joined(batches: list[Any]) -> Any:
    """The predictions of all batches together."""
    if isinstance(batches[0], Mapping):
        return {key: np.concatenate([batch[key] for batch in batches]) for key in batches[0]}
    return np.concatenate(batches)


def _input_fn(x: Any, y: Any, input_fn: Callable[..., Any] | None, batch_size: int | None,
              is_training: bool) -> Callable[..., Any]:
    """The input: the given one, or from arrays."""
    if input_fn is not None:
        if x is not None or y is not None:
            raise ValueError("both input_fn and x or y were given: the data come from one of them.")
        if batch_size is not None:
            raise ValueError("Can not provide both input_fn and batch_size.")
        return input_fn
    if x is None:
        raise ValueError("Either x or input_fn must be provided.")
    if isinstance(x, Tensor) or isinstance(y, Tensor):
        raise ValueError("Inputs cannot be tensors. Please provide input_fn.")

    def from_arrays() -> DatasetV1:
        size = len(next(iter(x.values())) if isinstance(x, Mapping) else x)
        data = DatasetV1.from_tensor_slices(x if y is None else (x, y))
        if is_training:
            data = data.shuffle(size).repeat()
        return data.batch(batch_size or size)
    return from_arrays


@export("contrib.learn.InputFnOps", "contrib.learn.utils.input_fn_utils.InputFnOps")
class InputFnOps(NamedTuple):
    """The input of a served model: features, labels or None, and the tensors to feed by name."""

    features: Any
    labels: Any
    default_inputs: Any


def as_receiver_fn(serving_input_fn: Callable[[], Any]) -> Callable[[], Any]:
    """A function for tf.estimator from one that may return InputFnOps."""
    def receiver_fn() -> Any:
        made = serving_input_fn()
        return ServingInputReceiver(made.features, made.default_inputs) if isinstance(made, InputFnOps) else made
    return receiver_fn


@export("contrib.learn.SKCompat")
class SKCompat:
    """An Estimator with the methods of scikit-learn's: `fit`, `predict` and `score` of arrays.

    Args:
        estimator: a tf.contrib.learn.Estimator.
    """

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator

    def fit(self, x: Any, y: Any, batch_size: int | None = 128, steps: int | None = None, max_steps: int | None = None,
            monitors: Any = None) -> SKCompat:
        """Trains the model; see `tf.contrib.learn.Estimator.fit`."""
        self._estimator.fit(x, y, None, steps, batch_size, monitors, max_steps)
        return self

    def score(self, x: Any, y: Any, batch_size: int | None = 128, steps: int | None = None, metrics: Any = None,
              name: str | None = None) -> dict[str, Any]:
        """The metrics of the model; see `tf.contrib.learn.Estimator.evaluate`."""
        return self._estimator.evaluate(x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name)

    def predict(self, x: Any, batch_size: int | None = 128, outputs: Any = None) -> Any:
        """The predictions for all examples, arrays."""
        return self._estimator.predict(x, batch_size=batch_size, outputs=outputs, as_iterable=False)
