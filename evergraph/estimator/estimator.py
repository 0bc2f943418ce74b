"""tf.estimator.Estimator: trains, evaluates, predicts with and exports the model that a function builds."""
from __future__ import annotations

import copy
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from evergraph import proto
from evergraph.base import errors, logging, nest
from evergraph.base.export import export
from evergraph.base.text import path_to_str
from evergraph.estimator import progress
from evergraph.estimator.calls import call_with
from evergraph.estimator.eval_files import write_checkpoint_path, write_metrics
from evergraph.estimator.export.outputs import metric_pair
from evergraph.estimator.export.saved_models import export_models
from evergraph.estimator.input_result import features_alone, features_and_labels
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.model_call import call_model_fn, check_model_fn
from evergraph.estimator.prediction import batches, check_input, rows, selected
from evergraph.estimator.replicated import LOSS, input_of, scope_of, spec_of, worker_of
from evergraph.estimator.run_config import RunConfig
from evergraph.estimator.spec import EstimatorSpec
from evergraph.estimator.tf_config import TaskType
from evergraph.estimator.train_loop import train_with_spec
from evergraph.estimator.warm_start import as_settings, start_warm
from evergraph.frontend.blocks import device
from evergraph.frontend.control_flow import group
from evergraph.frontend.random import set_random_seed
from evergraph.graph.graph import Graph, default_graph
from evergraph.metrics.means import mean
from evergraph.save.reader import list_variables, load_variable
from evergraph.save.state import latest_checkpoint
from evergraph.train.device_setter import replica_device_setter
from evergraph.train.evaluation import StopAfterNEvalsHook, counting, get_or_create_eval_step, run_evaluation
from evergraph.train.global_step import create_global_step, get_global_step, global_step_read
from evergraph.train.hooks import CheckpointSaverListener, StopAtStepHook
from evergraph.train.monitored import ChiefSessionCreator
from evergraph.train.scaffold import Scaffold
from evergraph.train.session_run_hook import SessionRunHook

GLOBAL_STEP = "global_step"


@export("estimator.Estimator")
class Estimator:
    """A model with its training, evaluation, prediction and export, built by a function for each of them.

    Each method builds a graph of its own: `input_fn` makes the input, `model_fn` the model. What is trained is kept in
    checkpoints in `model_dir`, where all methods find it.

    >>> estimator = tf.estimator.Estimator(model_fn, model_dir="/tmp/model", params={"rate": 0.1})
    >>> estimator.train(lambda: tf.data.Dataset.from_tensors(({"x": x}, y)).repeat(), steps=100)
    >>> estimator.evaluate(lambda: tf.data.Dataset.from_tensors(({"x": x}, y)))
    {'loss': 0.0123, 'global_step': 100}

    Args:
        model_fn: builds the model and returns a tf.estimator.EstimatorSpec. It is called with those of the arguments
            `features`, `labels`, `mode`, `params` and `config` that it declares; it must declare `features`.
        model_dir: the directory of checkpoints and events; by default that of `config`, or a new temporary one.
        config: a tf.estimator.RunConfig.
        params: hyperparameters, which are passed on to `model_fn` and to input functions.
        warm_start_from: a checkpoint, a SavedModel, or a tf.estimator.WarmStartSettings, that variables start from
            while `model_dir` has no checkpoint.

    Raises:
        ValueError: `model_fn` is missing or declares other arguments, the directories contradict each other, or a
            subclass overrides a method.
    """

    _OVERRIDABLE = frozenset({"model_fn", "_create_and_assert_global_step", "_export_all_saved_models",
                              "_assert_members_are_not_overridden"})
    """What subclasses may redefine."""

    def __init__(self, model_fn: Callable[..., EstimatorSpec], model_dir: Any = None, config: RunConfig | None = None,
                 params: Any = None, warm_start_from: Any = None) -> None:
        self._assert_members_are_not_overridden(self)
        self._config = _completed(config, path_to_str(model_dir))
        self._model_dir, self._session_config = self._config.model_dir, self._config.session_config
        progress.take_over()
        logging.info("Using config: %s", vars(self._config))
        if model_fn is None:
            raise ValueError("model_fn must be a function that returns an EstimatorSpec, got None")
        check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._device_fn = self._config.device_fn or _devices_of_cluster(self._config)
        self._warm_start_settings = as_settings(warm_start_from)

    @staticmethod
    def _assert_members_are_not_overridden(self: Any) -> None:
        """Raises ValueError where a subclass has members of the same names; libraries put others in its place."""
        own = {name for name in Estimator.__dict__ if not name.startswith("__")}
        for kind in type(self).__mro__[:type(self).__mro__.index(Estimator)]:
            overridden = sorted((own & set(kind.__dict__)) - kind._OVERRIDABLE)
            if overridden:
                raise ValueError(f"{kind} cannot override members of Estimator, but it defines {overridden}")

    # ---- what it is

    @property
    def model_dir(self) -> str:
        """The directory of checkpoints and events."""
        return self._model_dir

    @property
    def config(self) -> RunConfig:
        """A copy of the RunConfig."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> Any:
        """A copy of the hyperparameters."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """The model function with `params` bound, a function of (features, labels, mode, config)."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the latest checkpoint, an array.

        Raises:
            ValueError: nothing is trained yet.
        """
        self._check_trained()
        return load_variable(self._model_dir, name)

    def get_variable_names(self) -> list[str]:
        """The names of the variables in the latest checkpoint.

        Raises:
            ValueError: nothing is trained yet.
        """
        self._check_trained()
        return [name for name, _ in list_variables(self._model_dir)]

    def _check_trained(self) -> None:
        if self.latest_checkpoint() is None:
            raise ValueError(f"did not find trained model in {self._model_dir}: it holds no checkpoint")

    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint in `model_dir`; None while there is none."""
        return latest_checkpoint(self._model_dir)

    def eval_dir(self, name: str | None = None) -> str:
        """The directory of the events of an evaluation.

        Args:
            name: that of the evaluation, as given to `evaluate`.
        """
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    # ---- training

    def train(self, input_fn: Callable[..., Any], hooks: Sequence[SessionRunHook] | None = None,
              steps: int | None = None, max_steps: int | None = None,
              saving_listeners: Sequence[CheckpointSaverListener] | None = None) -> Estimator:
        """Trains the model, going on from the latest checkpoint, until the input ends or for a number of steps.

        Args:
            input_fn: makes the input: a tf.data.Dataset of (features, labels), or that tuple, each a tensor or a dict
                of tensors. It is called with those of `mode`, `params` and `config` that it declares.
            hooks: SessionRunHooks.
            steps: the number of steps to train from where the checkpoint is.
            max_steps: the global step to train to; without effect when it is reached already.
            saving_listeners: CheckpointSaverListeners, which hear of each checkpoint.

        Returns:
            The estimator itself.

        Raises:
            ValueError: a number of steps is not positive, or both are given.
        """
        if self._config.task_type in (TaskType.EVALUATOR, TaskType.PS):
            raise ValueError(f"a task of type {self._config.task_type!r} does not call train: "
                             "tf.estimator.train_and_evaluate does what each task has to do")
        _check_steps(steps, max_steps)
        if max_steps is not None and max_steps <= load_global_step(self._model_dir):
            logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks = [*_checked_hooks(hooks), *self._convert_train_steps_to_hooks(steps, max_steps)]
        loss = self._train_model(input_fn, hooks, _checked_listeners(saving_listeners))
        logging.info("Loss for final step: %s.", loss)
        return self

    def _convert_train_steps_to_hooks(self, steps: int | None, max_steps: int | None) -> list[SessionRunHook]:
        return [] if steps is None and max_steps is None else [StopAtStepHook(steps, max_steps)]

    def _train_model(self, input_fn: Callable[..., Any], hooks: Sequence[SessionRunHook],
                     listeners: Sequence[CheckpointSaverListener]) -> Any:
        """Builds the graph and trains; gives the last loss."""
        with Graph().as_default() as graph, device(self._device_fn):
            with scope_of(self._config.train_distribute):
                self._start_graph(graph)
                global_step_read(graph)  # made before the model, which counts the step up
                features, labels, input_hooks, spec, _ = self._built(self._config.train_distribute, input_fn,
                                                                     ModeKeys.TRAIN)
            self._maybe_warm_start(self.latest_checkpoint())
            with worker_of(self._config.train_distribute):
                return train_with_spec(spec, self._config, self._session_config, hooks, input_hooks,
                                       global_step_read(graph), listeners, batch=(features, labels))

    # ---- evaluation

    def evaluate(self, input_fn: Callable[..., Any], steps: int | None = None,
                 hooks: Sequence[SessionRunHook] | None = None, checkpoint_path: str | None = None,
                 name: str | None = None) -> dict[str, Any]:
        """Evaluates the model on an input, and writes the results to `eval_dir(name)`.

        Args:
            input_fn: makes the input, as for `train`.
            steps: the number of batches; by default until the input ends.
            hooks: SessionRunHooks.
            checkpoint_path: the checkpoint to evaluate; by default the latest. Without any the variables are
                initialized.
            name: tells this evaluation from others, such as on another set of data.

        Returns:
            The values of `eval_metric_ops`, with the mean loss as "loss" and the step as "global_step".

        Raises:
            ValueError: `steps` is not positive, or a metric has one of these two names.
        """
        hooks = [*_checked_hooks(hooks), *self._convert_eval_steps_to_hooks(steps)]
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        if checkpoint_path is None:
            logging.info("model_dir %s holds no checkpoint (could not find trained model): evaluating the initial "
                         "variables.",
                         self._model_dir)
        start = time.perf_counter()
        with Graph().as_default(), device(self._device_fn):
            scaffold, update_op, metrics, all_hooks = self._evaluate_build_graph(input_fn, hooks, checkpoint_path)
            results = self._evaluate_run(checkpoint_path, scaffold, counting(update_op, all_hooks), metrics, all_hooks,
                                         self.eval_dir(name))
        if progress.is_wanted():
            progress.show_evaluation(results, time.perf_counter() - start)
        return results

    def _convert_eval_steps_to_hooks(self, steps: int | None) -> list[SessionRunHook]:
        if steps is None:
            return []
        if steps <= 0:
            raise ValueError(f"Must specify steps > 0, got {steps}")
        return [StopAfterNEvalsHook(steps)]

    def _evaluate_build_graph(self, input_fn: Callable[..., Any], hooks: Sequence[SessionRunHook] | None,
                              checkpoint_path: str | None) -> tuple[Any, Any, dict[str, Any], list[SessionRunHook]]:
        """(scaffold, what a batch updates, the metrics' values by name, all hooks) of the model in evaluation."""
        with scope_of(self._config.eval_distribute):
            self._start_graph(default_graph())
            _, _, input_hooks, spec, loss = self._built(self._config.eval_distribute, input_fn, ModeKeys.EVAL)
        update_op, metrics = _metrics_of(spec, loss)
        self._maybe_warm_start(checkpoint_path)
        all_hooks = [*input_hooks, *(hooks or ()), *spec.evaluation_hooks]
        return _initializing_all(spec.scaffold), update_op, metrics, all_hooks

    def _evaluate_run(self, checkpoint_path: str | None, scaffold: Any, counted: Any, metrics: Mapping[str, Any],
                      hooks: Sequence[SessionRunHook], folder: str) -> dict[str, Any]:
        """Evaluates what `_evaluate_build_graph` built, and writes the results."""
        results = run_evaluation(checkpoint_path, counted, self._config.evaluation_master, scaffold, None, metrics,
                                 None, hooks, self._session_config)
        step = int(results[GLOBAL_STEP])
        write_metrics(folder, results, step)
        if checkpoint_path:
            write_checkpoint_path(folder, checkpoint_path, step)
        return results

    # ---- prediction

    def predict(self, input_fn: Callable[..., Any], predict_keys: Any = None,
                hooks: Sequence[SessionRunHook] | None = None, checkpoint_path: str | None = None,
                yield_single_examples: bool = True) -> Iterator[Any]:
        """Yields the predictions for the examples of an input.

        Args:
            input_fn: makes the input: a tf.data.Dataset, features, or (features, labels), of which labels are not used.
            predict_keys: the keys of the predictions to compute, where they are a dict; by default all.
            hooks: SessionRunHooks.
            checkpoint_path: the checkpoint to predict with; by default the latest. Without any the variables are
                initialized.
            yield_single_examples: whether to yield example by example rather than batch by batch.

        Raises:
            ValueError: no prediction has one of `predict_keys`, or batches have tensors of different lengths.
        """
        hooks = _checked_hooks(hooks)
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        if checkpoint_path is None:
            logging.info("model_dir %s holds no checkpoint (could not find trained model): predicting with the "
                         "initial variables.",
                         self._model_dir)
        with Graph().as_default() as graph, device(self._device_fn):
            self._start_graph(graph)
            features, input_hooks = self._get_features_from_input_fn(input_fn, ModeKeys.PREDICT)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._maybe_warm_start(checkpoint_path)
            creator = ChiefSessionCreator(spec.scaffold, self._config.master, self._session_config,
                                          checkpoint_filename_with_path=checkpoint_path)
            predicted = batches(creator, [*input_hooks, *hooks, *spec.prediction_hooks],
                                selected(spec.predictions, predict_keys))
        for batch in predicted:
            if yield_single_examples:
                yield from rows(batch)
            else:
                yield batch

    # ---- export

    def export_saved_model(self, export_dir_base: Any, serving_input_receiver_fn: Callable[[], Any],
                           assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
                           checkpoint_path: str | None = None, experimental_mode: str = ModeKeys.PREDICT) -> bytes:
        """Exports the model as a SavedModel in a new directory, whose name is the time in seconds.

        Args:
            export_dir_base: where to make the directory.
            serving_input_receiver_fn: builds the input of the served model; returns a ServingInputReceiver.
            assets_extra: files to add: path below "assets.extra" -> path of the file.
            as_text: whether the message is written as text.
            checkpoint_path: the checkpoint to export; by default the latest.
            experimental_mode: the mode of the model.

        Returns:
            The path of the new directory.

        Raises:
            ValueError: there is no checkpoint, or the model exports nothing.
        """
        return self._export_all_saved_models(export_dir_base, {experimental_mode: serving_input_receiver_fn},
                                             assets_extra, as_text, checkpoint_path, strip_default_attrs=True)

    def export_savedmodel(self, export_dir_base: Any, serving_input_receiver_fn: Callable[[], Any],
                          assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
                          checkpoint_path: str | None = None, strip_default_attrs: bool = False) -> bytes:
        """The older form of `export_saved_model`.

        Args:
            export_dir_base: where to make the directory.
            serving_input_receiver_fn: builds the input of the served model; returns a ServingInputReceiver.
            assets_extra: files to add: path below "assets.extra" -> path of the file.
            as_text: whether the message is written as text.
            checkpoint_path: the checkpoint to export; by default the latest.
            strip_default_attrs: whether to drop attrs with default values from the graph.

        Returns:
            The path of the new directory.

        Raises:
            ValueError: there is no checkpoint, or the model exports nothing.
        """
        return self._export_all_saved_models(export_dir_base, {ModeKeys.PREDICT: serving_input_receiver_fn},
                                             assets_extra, as_text, checkpoint_path, strip_default_attrs)

    def experimental_export_all_saved_models(self, export_dir_base: Any,
                                             input_receiver_fn_map: Mapping[str, Callable[[], Any]],
                                             assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
                                             checkpoint_path: str | None = None) -> bytes:
        """Exports the graphs of several modes in one SavedModel; they share the variables.

        Args:
            export_dir_base: where to make the directory.
            input_receiver_fn_map: mode -> function that builds its input: a ServingInputReceiver for PREDICT, a
                SupervisedInputReceiver for TRAIN and EVAL.
            assets_extra: files to add: path below "assets.extra" -> path of the file.
            as_text: whether the message is written as text.
            checkpoint_path: the checkpoint to export; by default the latest.

        Returns:
            The path of the new directory.

        Raises:
            ValueError: there is no checkpoint, or it lacks variables that a mode has.
        """
        return self._export_all_saved_models(export_dir_base, input_receiver_fn_map, assets_extra, as_text,
                                             checkpoint_path, strip_default_attrs=True)

    def _export_all_saved_models(self, export_dir_base: Any, input_receiver_fn_map: Mapping[str, Callable[[], Any]],
                                 assets_extra: Mapping[str, Any] | None, as_text: bool, checkpoint_path: str | None,
                                 strip_default_attrs: bool) -> bytes:
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        if checkpoint_path is None and self._warm_start_settings is None:
            raise ValueError(f"nothing to export: did not find trained model in {self._model_dir}")
        return export_models(self._build_for_export, input_receiver_fn_map, export_dir_base, checkpoint_path,
                             self._session_config, assets_extra, as_text, strip_default_attrs)

    def _build_for_export(self, receiver_fn: Callable[[], Any], mode: str,
                          checkpoint_path: str | None) -> tuple[Any, EstimatorSpec]:
        """(receiver, spec) of the model in the default graph."""
        self._start_graph(default_graph())
        receiver = receiver_fn()
        spec = self._call_model_fn(receiver.features, getattr(receiver, "labels", None), mode, self.config)
        self._maybe_warm_start(checkpoint_path)
        return receiver, spec

    # ---- the graphs

    def _start_graph(self, graph: Graph) -> Any:
        """Seeds a graph and makes its global step, which it gives."""
        set_random_seed(self._config.tf_random_seed)
        return self._create_and_assert_global_step(graph)

    def _create_global_step(self, graph: Graph) -> Any:
        return create_global_step(graph)

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        """The global step of a graph, which it makes."""
        step = self._create_global_step(graph)
        if step is not get_global_step(graph) or not step.dtype.is_integer:
            raise ValueError(f"the global step of an Estimator is an integer in the graph's collection, not {step}")
        return step

    def _built(self, strategy: Any, input_fn: Callable[..., Any], mode: str) -> tuple[Any, Any, Any, Any, Any]:
        """(features, labels, hooks of the input, the model, its metric of the loss), for all replicas of a strategy."""
        if strategy is None:
            features, labels, hooks = self._get_features_and_labels_from_input_fn(input_fn, mode)
            return features, labels, hooks, self._call_model_fn(features, labels, mode, self.config), {}
        with device("/cpu:0"):
            features, labels, hooks = input_of(
                strategy, lambda context: self._call_input_fn(input_fn, mode, input_context=context))
        call = lambda features, labels: self._call_model_fn(features, labels, mode, self.config)
        return features, labels, hooks, *spec_of(strategy, call, features, labels)

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: str, **offered: Any) -> Any:
        """What the input function gives, built on the CPU."""
        with device("/cpu:0"):
            return call_with(input_fn, mode=mode, params=self.params, config=self.config, **offered)

    def _get_features_and_labels_from_input_fn(self, input_fn: Callable[..., Any],
                                               mode: str) -> tuple[Any, Any, list[SessionRunHook]]:
        """(features, labels, hooks of the input)."""
        with device("/cpu:0"):
            return features_and_labels(self._call_input_fn(input_fn, mode))

    def _get_features_from_input_fn(self, input_fn: Callable[..., Any], mode: str) -> tuple[Any, list[SessionRunHook]]:
        """(features, hooks of the input)."""
        with device("/cpu:0"):
            features, hooks = features_alone(self._call_input_fn(input_fn, mode))
        check_input(features)
        return features, hooks

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        return call_model_fn(self._model_fn, features, labels, mode, self.params, config)

    def _maybe_warm_start(self, checkpoint_path: str | None) -> None:
        """Without a checkpoint the variables start from another model's, where one is named."""
        if not checkpoint_path and self._warm_start_settings is not None:
            start_warm(self._warm_start_settings)


@export("compat.v2.estimator.Estimator")
class EstimatorV2(Estimator):
    """The flavour of TensorFlow 2: exports by `export_saved_model` alone."""

    _OVERRIDABLE = Estimator._OVERRIDABLE | {"_OVERRIDABLE", "export_savedmodel"}

    @property
    def export_savedmodel(self) -> Any:  # type: ignore[override]
        """Not there.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("an Estimator of the second version has no 'export_savedmodel'. Please use "
                             "`export_saved_model`")


# ---- what it is made with


def _completed(config: RunConfig | None, model_dir: str | None) -> RunConfig:
    """A RunConfig with a directory and settings of sessions.

    Raises:
        ValueError: it is no RunConfig, or it names another directory.
    """
    config = RunConfig() if config is None else config
    if not isinstance(config, RunConfig):
        raise ValueError(f"config is {config!r}, not an instance of `RunConfig`")
    if config.session_config is None:
        config = RunConfig._replace(config, ["session_config"], session_config=_default_session_config())
    if model_dir and config.model_dir is not None and config.model_dir != model_dir:
        raise ValueError("`model_dir` are set both in constructor and `RunConfig`, but with different values: "
                         f"'{model_dir}' and '{config.model_dir}'")
    if config.model_dir is None:
        if not model_dir:
            model_dir = tempfile.mkdtemp()
            logging.warning("model_dir is not given: checkpoints go to the temporary folder %s", model_dir)
        config = RunConfig._replace(config, ["model_dir"], model_dir=model_dir)
    return config


def _default_session_config() -> Any:
    config = proto.config_pb2.ConfigProto(allow_soft_placement=True)
    rewriting = config.graph_options.rewrite_options
    rewriting.meta_optimizer_iterations = proto.rewriter_config_pb2.RewriterConfig.ONE
    return config


def _devices_of_cluster(config: RunConfig) -> Any:
    """The function that puts variables on parameter servers; None without any."""
    if config.num_ps_replicas == 0:
        return None
    return replica_device_setter(ps_tasks=config.num_ps_replicas, merge_devices=True, cluster=config.cluster_spec,
                                 worker_device=f"/job:{config.task_type}/task:{config.task_id}")


# ---- checks of arguments


def _check_steps(steps: int | None, max_steps: int | None) -> None:
    if steps is not None and max_steps is not None:
        raise ValueError(f"steps={steps} and max_steps={max_steps} exclude each other: give one of them")
    for name, given in (("steps", steps), ("max_steps", max_steps)):
        if given is not None and given <= 0:
            raise ValueError(f"Must specify {name} > 0, got {given}")


def _checked_hooks(hooks: Sequence[SessionRunHook] | None) -> list[SessionRunHook]:
    hooks = list(hooks or ())
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"each of hooks must be a SessionRunHook, got {hook}")
    return hooks


def _checked_listeners(listeners: Sequence[CheckpointSaverListener] | None) -> list[CheckpointSaverListener]:
    listeners = list(listeners or ())
    for listener in listeners:
        if not isinstance(listener, CheckpointSaverListener):
            raise TypeError(f"saving_listeners must be a list of CheckpointSaverListener objects, but holds {listener}")
    return listeners


# ---- helpers


def load_global_step(folder: str) -> int:
    """The global step of the latest checkpoint in a directory; 0 without any."""
    try:
        return int(load_variable(folder, GLOBAL_STEP))
    except (ValueError, errors.NotFoundError):
        return 0


def _initializing_all(scaffold: Scaffold) -> Scaffold:
    """A scaffold whose own `local_init_op`, if it has one, also initializes what evaluation adds to the graph."""
    if scaffold.local_init_op is None:
        return scaffold
    get_or_create_eval_step()
    local_init_op = group(scaffold.local_init_op, Scaffold.default_local_init_op())
    return Scaffold(local_init_op=local_init_op, copy_from_scaffold=scaffold)


def _metrics_of(spec: EstimatorSpec, loss: Mapping[str, Any] = MappingProxyType({})) -> tuple[Any, dict[str, Any]]:
    """(the operation that a batch updates all metrics by, their values by name), with the mean loss and the step.

    Raises:
        ValueError: a metric has the name of one of these two.
    """
    for name in (LOSS, GLOBAL_STEP):
        if name in spec.eval_metric_ops:
            raise ValueError(f"Metric with name `{name}` is not allowed: every Estimator measures it "
                             "already, choose another name")
    pairs = {name: metric_pair(metric) for name, metric in sorted(spec.eval_metric_ops.items())}
    pairs = dict(sorted({**pairs, **(loss or {LOSS: mean(spec.loss)})}.items()))
    update_op = group(*nest.flatten([update for _, update in pairs.values()]))
    return update_op, {**{name: value for name, (value, _) in pairs.items()}, GLOBAL_STEP: get_global_step()}
