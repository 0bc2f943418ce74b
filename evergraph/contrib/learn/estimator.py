"""tf.contrib.learn.Estimator: `fit`, `evaluate` and `predict` over a tf.estimator.Estimator."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.contrib.layers.feature_columns_layers import infer_real_valued_columns
from evergraph.contrib.learn.bundle_export import examples_of, export_estimator, generic_signature_fn
from evergraph.contrib.learn.feeders import setup_train_data_feeder
from evergraph.contrib.learn.keys import MetricKey
from evergraph.contrib.learn.metric_spec import MetricSpec
from evergraph.contrib.learn.model_fn import MODES, ModelFnOps
from evergraph.contrib.learn.monitors import replace_monitors_with_hooks
from evergraph.contrib.learn.run_config import RunConfig
from evergraph.contrib.learn.signatures import (
    create_placeholders_from_signatures,
    create_signatures,
    tensors_compatible,
)
from evergraph.estimator.calls import call_with, declared
from evergraph.estimator.estimator import Estimator as CoreEstimator
from evergraph.estimator.export.receivers import ServingInputReceiver
from evergraph.estimator.mode_keys import ModeKeys as CoreModeKeys
from evergraph.estimator.run_config import RunConfig as CoreRunConfig
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor
from evergraph.metrics.means import mean
from evergraph.ops.data.iterators import iterator_get_next
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook

DEFAULT_INPUT_ALTERNATIVE_KEY = "default_input_alternative"


@export("contrib.learn.NotFittedError")
class NotFittedError(ValueError, AttributeError):
    """An Estimator was asked for something that only training gives it."""


@export("contrib.learn.Evaluable")
class Evaluable(abc.ABC):
    """What can be evaluated."""

    @property
    @abc.abstractmethod
    def model_dir(self) -> Any:
        """The directory of checkpoints and events."""

    @abc.abstractmethod
    def evaluate(self, x: Any = None, y: Any = None, input_fn: Any = None, feed_fn: Any = None,
                 batch_size: int | None = None, steps: int | None = None, metrics: Any = None, name: str | None = None,
                 checkpoint_path: str | None = None, hooks: Any = None) -> Any:
        """Evaluates; see `tf.contrib.learn.Estimator.evaluate`."""


@export("contrib.learn.Trainable")
class Trainable(abc.ABC):
    """What can be trained."""

    @abc.abstractmethod
    def fit(self, x: Any = None, y: Any = None, input_fn: Any = None, steps: int | None = None,
            batch_size: int | None = None, monitors: Any = None, max_steps: int | None = None) -> Any:
        """Trains; see `tf.contrib.learn.Estimator.fit`."""


class _Core(CoreEstimator):
    """A tf.estimator.Estimator whose models may bring a metric "loss" of their own."""

    _OVERRIDABLE = CoreEstimator._OVERRIDABLE | {"_OVERRIDABLE", "_built", "_call_model_fn"}

    def _built(self, strategy: Any, input_fn: Callable[..., Any], mode: str) -> tuple[Any, Any, Any, Any, Any]:
        features, labels, hooks, spec, loss = super()._built(strategy, input_fn, mode)
        if MetricKey.LOSS in spec.eval_metric_ops:
            metrics = dict(spec.eval_metric_ops)
            loss = {MetricKey.LOSS: metrics.pop(MetricKey.LOSS)}
            spec = spec._replace(eval_metric_ops=metrics)
        return features, labels, hooks, spec, loss

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        return self._model_fn(features, labels, mode, config)


class _OnceHook(SessionRunHook):
    """Ends predictions after a batch where nothing else ends them: the input is of constants, or fed."""

    def __init__(self, whatever: bool) -> None:
        self._stops = whatever

    def begin(self) -> None:
        graph = default_graph()
        ends = get_collection(GraphKeys.QUEUE_RUNNERS) or any(
            node.opdef is iterator_get_next for node in graph.get_operations())
        self._stops = self._stops or not ends

    def after_run(self, run_context: SessionRunContext, run_values: Any) -> None:
        if self._stops:
            run_context.request_stop()


class _FeedHook(SessionRunHook):
    """Feeds the batches of a data feeder."""

    def __init__(self, feeder: Any) -> None:
        self._feeder = feeder

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(None, feed_dict=self._feeder.get_feed_dict_fn()())


@export("contrib.learn.BaseEstimator")
class BaseEstimator(Evaluable, Trainable):
    """The methods of tf.contrib.learn's Estimators. A subclass says what its model is, in `_call_model`.

    Args:
        model_dir: the directory of checkpoints and events.
        config: a tf.contrib.learn.RunConfig.
    """

    def __init__(self, model_dir: Any = None, config: Any = None) -> None:
        if config is None:
            config = RunConfig()
        if not isinstance(config, CoreRunConfig):
            raise ValueError(f"config is a tf.contrib.learn.RunConfig, got {config!r}")
        self._features_info = self._labels_info = None
        self._estimator = _Core(self._model_fn({}, None), model_dir, config)
        # A person may look at it, and change it before training.
        self._config = self._estimator._config

    @abc.abstractmethod
    def _call_model(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        """Builds the model; gives ModelFnOps."""

    @property
    def model_dir(self) -> str:
        """The directory of checkpoints and events."""
        return self._estimator.model_dir

    @property
    def config(self) -> Any:
        """A copy of the RunConfig."""
        return self._estimator.config

    def core(self, metrics: Mapping[Any, Any] | None = None, head: str | None = None) -> CoreEstimator:
        """The tf.estimator.Estimator below, with further metrics, or serving one of several heads."""
        if not metrics and head is None:
            return self._estimator
        return _Core(self._model_fn(metrics or {}, head), self.model_dir, self._estimator.config)

    def _model_fn(self, metrics: Mapping[Any, Any], head: str | None,
                  is_served: bool = False) -> Callable[..., EstimatorSpec]:
        """The model function of tf.estimator; a served model's features may have other dtypes than in training."""
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            if mode == CoreModeKeys.PREDICT:
                if not is_served:
                    self._check_inputs(features, self._features_info, "features")
                labels = create_placeholders_from_signatures(self._labels_info)
            else:
                self._note_inputs(features, labels)
            ops = self._call_model(features, labels, MODES[mode], config)
            if isinstance(ops, EstimatorSpec):
                return _with_metrics(ops, metrics, features, labels) if mode == CoreModeKeys.EVAL else ops
            exports = ops.exports(head) if mode == CoreModeKeys.PREDICT else None
            spec = ops.whole_spec(exports and _renamed(exports))
            return _with_metrics(spec, metrics, features, labels) if mode == CoreModeKeys.EVAL else spec
        return model_fn

    def _note_inputs(self, features: Any, labels: Any) -> None:
        """Keeps what the input is like; a later one must be like it."""
        self._check_inputs(features, self._features_info, "features")
        self._check_inputs(labels, self._labels_info, "labels")
        self._features_info, self._labels_info = create_signatures(features), create_signatures(labels)

    @staticmethod
    def _check_inputs(given: Any, known: Any, what: str) -> None:
        if known is not None and given is not None and not tensors_compatible(given, known):
            raise ValueError(f"{what} are incompatible with given information. Given {what}: {given}, required "
                             f"signatures: {known}.")

    def fit(self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None, steps: int | None = None,
            batch_size: int | None = None, monitors: Any = None, max_steps: int | None = None) -> Any:
        """Trains the model.

        Args:
            x, y: features and labels in place of `input_fn`: arrays, lists, pandas tables, iterators of examples, or
                several by name. What is no iterator is shuffled and repeated.
            input_fn: makes the input.
            steps: for how many steps to train; one step is made at least.
            batch_size: the number of examples of a batch of `x`; all by default.
            monitors: SessionRunHooks, or monitors of `tf.contrib.learn.monitors`.
            max_steps: the global step to train to.

        Raises:
            ValueError: not exactly one of `x` and `input_fn` is given, or both `steps` and `max_steps` are.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        chosen, hooks = _input_of(x, y, input_fn, batch_size, is_training=True)
        monitors = replace_monitors_with_hooks(monitors, self)
        self._estimator.train(chosen, hooks=[*hooks, *monitors],
                              steps=1 if steps == 0 else steps, max_steps=max_steps)
        return self

    def partial_fit(self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
                    steps: int | None = 1, batch_size: int | None = None, monitors: Any = None) -> Any:
        """Trains on; see `fit`."""
        logging.warning("partial_fit is the same as fit, which trains on too")
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def _check_fitted(self, checkpoint_path: str | None) -> None:
        if checkpoint_path is None and self._estimator.latest_checkpoint() is None:
            raise NotFittedError(f"Couldn't find trained model at {self.model_dir}.")

    def evaluate(self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
                 feed_fn: Callable[[], Any] | None = None, batch_size: int | None = None, steps: int | None = None,
                 metrics: Mapping[Any, Any] | None = None, name: str | None = None, checkpoint_path: str | None = None,
                 hooks: Any = None, log_progress: bool = True) -> dict[str, Any]:
        """Evaluates the model.

        Args:
            x, y: features and labels in place of `input_fn`, see `fit`; each is taken once unless `steps` is given.
            input_fn: makes the input.
            feed_fn: gives the feeds of each batch.
            batch_size: the number of examples of a batch of `x`; all by default.
            steps: the number of batches; None evaluates until the input ends.
            metrics: name -> MetricSpec, or a function of (predictions, labels); a name may be (name, prediction key).
            name: the name of the evaluation, a part of the directory of its events.
            checkpoint_path: the checkpoint to evaluate; by default the latest.
            hooks: SessionRunHooks.
            log_progress: whether to log batches; the log level of tf.logging says so here.

        Raises:
            NotFittedError: there is no checkpoint.
        """
        if metrics is not None and not isinstance(metrics, Mapping):
            raise ValueError(f"metrics is a dictionary of MetricSpecs or functions, got {metrics!r}")
        chosen, feeding = _input_of(x, y, input_fn, batch_size, is_training=False, epochs=1 if steps is None else None)
        self._check_fitted(checkpoint_path)
        if feed_fn is not None:
            feeding.append(_FunctionHook(feed_fn))
        return self.core(metrics).evaluate(chosen, steps=steps, hooks=[*feeding, *(hooks or ())],
                                           checkpoint_path=checkpoint_path, name=name)

    def predict(self, x: Any = None, input_fn: Callable[..., Any] | None = None, batch_size: int | None = None,
                outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False) -> Any:
        """The predictions for the examples of an input.

        Args:
            x: features in place of `input_fn`, see `fit`; each is taken once.
            input_fn: makes the input.
            batch_size: the number of examples of a batch of `x`; all by default.
            outputs: the names of the predictions to return; all by default.
            as_iterable: whether to yield them one by one until the input ends, and not return those of one batch.
            iterate_batches: whether to yield whole batches.

        Raises:
            NotFittedError: there is no checkpoint.
        """
        chosen, hooks = _input_of(x, None, input_fn, batch_size, is_training=False, epochs=1)
        self._check_fitted(None)
        if not hooks or not as_iterable:  # a feeder ends by itself
            hooks.append(_OnceHook(not as_iterable))
        found = self._estimator.predict(chosen, predict_keys=outputs, hooks=hooks,
                                        yield_single_examples=as_iterable and not iterate_batches)
        if as_iterable:
            return found
        batches = list(found)
        return batches[0]

    def export_savedmodel(self, export_dir_base: Any, serving_input_fn: Callable[[], Any],
                          default_output_alternative_key: str | None = None, assets_extra: Any = None,
                          as_text: bool = False, checkpoint_path: str | None = None,
                          strip_default_attrs: bool = False) -> bytes:
        """Exports the model as a SavedModel in a new directory, whose name is the time in seconds.

        Args:
            export_dir_base: where to make the directory.
            serving_input_fn: builds the input of the served model: InputFnOps, or a ServingInputReceiver.
            default_output_alternative_key: the head that is served unless another one is asked for; needed where there
                are several.
            assets_extra: files to add: path below "assets.extra" -> path of the file.
            as_text: whether the message is written as text.
            checkpoint_path: the checkpoint to export; by default the latest.
            strip_default_attrs: whether attrs with their default values are left out.

        Raises:
            NotFittedError: there is no checkpoint.
        """
        self._check_fitted(checkpoint_path)
        served = _Core(self._model_fn({}, default_output_alternative_key, is_served=True), self.model_dir,
                       self._estimator.config)
        return served.export_savedmodel(
            export_dir_base, as_receiver_fn(serving_input_fn), assets_extra, as_text, checkpoint_path,
            strip_default_attrs)

    def export(self, export_dir: Any, input_fn: Callable[[], Any] | None = None, input_feature_key: str | None = None,
               use_deprecated_input_fn: bool = True, signature_fn: Any = None, prediction_key: str | None = None,
               default_batch_size: int | None = 1, exports_to_keep: int | None = None,
               checkpoint_path: str | None = None) -> Any:
        """Exports the model in the form from before SavedModels, below a directory for each global step.

        Args:
            export_dir: where.
            input_fn: builds the features: a function of a tensor of serialized Examples, or, with
                `use_deprecated_input_fn=False`, one without arguments that returns (features by name, labels) or
                InputFnOps. By default a function that reads the features that training had.
            input_feature_key: the feature with the serialized Examples; only with `use_deprecated_input_fn=False`.
            use_deprecated_input_fn: see `input_fn`.
            signature_fn: a function of (examples, features, predictions) that returns (default, named) signatures of
                `tf.contrib.session_bundle.exporter`.
            prediction_key: the prediction to export, where there are several.
            default_batch_size: the batch size of the exported placeholder; None takes batches of any size.
            exports_to_keep: how many exports to keep; None keeps all.
            checkpoint_path: the checkpoint to export; by default the latest.

        Returns:
            The directory that was written.
        """
        return export_estimator(self, export_dir, signature_fn, prediction_key, input_fn, input_feature_key,
                                use_deprecated_input_fn, default_batch_size, exports_to_keep, checkpoint_path)

    def default_signature(self) -> tuple[Callable[..., Any], str | None]:
        """(what makes the signatures of `export`, the prediction that it exports)."""
        return generic_signature_fn, None

    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
        return examples_of(self._features_info)

    def get_variable_names(self) -> list[str]:
        """The names of the variables of the latest checkpoint."""
        return self._estimator.get_variable_names()

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable of the latest checkpoint."""
        return self._estimator.get_variable_value(name)


class _FunctionHook(SessionRunHook):
    """Feeds what a function gives."""

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self._feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(None, feed_dict=self._feed_fn())


@export("contrib.learn.Estimator", "contrib.learn.estimators.Estimator")
class Estimator(BaseEstimator):
    """An Estimator of tf.contrib.learn, over a tf.estimator.Estimator. New programs use tf.estimator.

    Args:
        model_fn: builds the model from (features, labels), in this order, and from those of `mode`, `params`, `config`
            and `model_dir` that it declares. It returns ModelFnOps, (predictions, loss, train_op), or an
            EstimatorSpec. Predictions are asked for with the mode "infer", and labels are placeholders then.
        model_dir: the directory of checkpoints and events.
        config: a tf.contrib.learn.RunConfig.
        params: hyperparameters.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
    """

    def __init__(self, model_fn: Callable[..., Any] | None = None, model_dir: Any = None, config: Any = None,
                 params: Any = None, feature_engineering_fn: Callable[..., Any] | None = None) -> None:
        self._given_fn, self._params, self._engineer = model_fn, params, feature_engineering_fn
        if model_fn is not None and params is not None:
            _check_takes_params(model_fn)
        super().__init__(model_dir, config)

    @property
    def params(self) -> Any:
        """The hyperparameters."""
        return self._params

    def _call_model(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        if self._given_fn is None:
            raise ValueError("this Estimator was made without a model_fn: it has no model")
        if self._engineer is not None:
            features, labels = self._engineer(features, labels)
        result = call_with(self._given_fn, features, labels, mode=mode, params=self._params, config=config,
                           model_dir=config.model_dir)
        if isinstance(result, (EstimatorSpec, ModelFnOps)):
            return result
        if isinstance(result, tuple) and len(result) == 3:
            return ModelFnOps(mode, *result)
        raise ValueError(f"model_fn should return ModelFnOps or (predictions, loss, train_op), not {result!r}")


def _check_takes_params(model_fn: Callable[..., Any]) -> None:
    if "params" not in declared(model_fn):
        raise ValueError(f"model_fn ({model_fn}) does not take params argument, but params are given")


def _renamed(exports: Mapping[str, Any]) -> dict[str, Any]:
    """Exports by the names of signatures: the default one, and one for each pair of an input and a head."""
    return {key if key == DEFAULT_SERVING_SIGNATURE_DEF_KEY else f"{DEFAULT_INPUT_ALTERNATIVE_KEY}:{key}": output
            for key, output in exports.items()}


def _with_metrics(spec: EstimatorSpec, metrics: Mapping[Any, Any], features: Any, labels: Any) -> EstimatorSpec:
    if not metrics:
        return spec
    added = _metric_ops(metrics, features, labels, spec.predictions)
    return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **added})


def _metric_ops(metrics: Mapping[Any, Any], features: Any, labels: Any, predictions: Any) -> dict[str, Any]:
    found = {}
    only = next(iter(labels.values())) if isinstance(labels, Mapping) and len(labels) == 1 else labels
    for key, metric in metrics.items():
        if isinstance(key, tuple) and len(key) != 2:
            raise ValueError(f"the key of a metric is its name, or (name, prediction key), got {key}")
        name, prediction_key = key if isinstance(key, tuple) else (key, None)
        if isinstance(metric, MetricSpec):
            ops = metric.create_metric_ops(features, labels, predictions)
        else:
            ops = metric(_predicted(predictions, prediction_key, name), only)
        found[name] = mean(ops) if isinstance(ops, Tensor) else ops
    return found


def _predicted(predictions: Any, key: str | None, name: str) -> Any:
    if key is not None:
        if not isinstance(predictions, Mapping):
            raise ValueError(f"metric {name!r} asks for the prediction {key!r}, and there is only one: {predictions}")
        return predictions[key]
    if isinstance(predictions, Mapping) and len(predictions) == 1:
        return next(iter(predictions.values()))
    return predictions


def _input_of(x: Any, y: Any, input_fn: Callable[..., Any] | None, batch_size: int | None, is_training: bool,
              epochs: int | None = None) -> tuple[Callable[..., Any], list[SessionRunHook]]:
    """(the input, the hooks that feed it): the given one, or from what is in memory."""
    if input_fn is not None:
        if x is not None or y is not None:
            raise ValueError("Can not provide both input_fn and x or y.")
        if batch_size is not None:
            raise ValueError("Can not provide both input_fn and batch_size.")
        return input_fn, []
    if x is None:
        raise ValueError("Either x or input_fn must be provided.")
    if _holds_tensors(x) or _holds_tensors(y):
        raise ValueError("Inputs cannot be tensors. Please provide input_fn.")
    feeder = setup_train_data_feeder(x, y, None, batch_size, shuffle=is_training, epochs=epochs)

    def placeholders() -> Any:
        features, labels = feeder.input_builder()
        return features if labels is None else (features, labels)
    return placeholders, [_FeedHook(feeder)]


def _holds_tensors(data: Any) -> bool:
    values = data.values() if isinstance(data, Mapping) else [data]
    return any(isinstance(value, Tensor) for value in values)


@export("contrib.learn.infer_real_valued_columns_from_input_fn")
def infer_real_valued_columns_from_input_fn(input_fn: Callable[[], Any]) -> list[Any]:
    """Columns of numbers for the features of an input.

    Args:
        input_fn: makes (features, labels).
    """
    with Graph().as_default():
        features, _ = input_fn()
        return infer_real_valued_columns(features)


@export("contrib.learn.infer_real_valued_columns_from_input")
def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """Columns of numbers for an array of features, or for several by name."""
    chosen, _ = _input_of(x, None, None, None, is_training=False, epochs=1)
    return infer_real_valued_columns_from_input_fn(lambda: (chosen(), None))


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

    def __init__(self, estimator: BaseEstimator) -> None:
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
        return _joined(list(BaseEstimator.predict(self._estimator, x, batch_size=batch_size, outputs=outputs,
                                                  iterate_batches=True)))


def _joined(batches: list[Any]) -> Any:
    """The predictions of all batches together."""
    if isinstance(batches[0], Mapping):
        return {key: np.concatenate([batch[key] for batch in batches]) for key in batches[0]}
    return np.concatenate(batches)
