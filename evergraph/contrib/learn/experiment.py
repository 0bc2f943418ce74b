"""tf.contrib.learn.Experiment: an Estimator with what it is trained and evaluated on, and the ways to do both."""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.cluster.server import Server
from evergraph.contrib.learn.estimator import Evaluable, Trainable
from evergraph.contrib.learn.monitors import ValidationMonitor, replace_monitors_with_hooks
from evergraph.contrib.learn.saved_model_export import ExportStrategy
from evergraph.estimator.estimator import Estimator
from evergraph.save.state import latest_checkpoint
from evergraph.train.hooks import CheckpointSaverHook, CheckpointSaverListener, GlobalStepWaiterHook
from evergraph.train.session_run_hook import SessionRunHook

_GLOBAL_STEP = "global_step"
_STEPS_TO_WAIT = 8000  # of the global step, for each worker before this one


@export("contrib.learn.Experiment")
class Experiment:
    """An Estimator with what it is trained and evaluated on.

    `tf.estimator.train_and_evaluate` does the same with a TrainSpec and an EvalSpec.

    Args:
        estimator: a tf.estimator.Estimator or a tf.contrib.learn.Estimator.
        train_input_fn: makes the input of training.
        eval_input_fn: makes the input of evaluation.
        eval_metrics: further metrics of a tf.contrib.learn.Estimator, see its `evaluate`; a tf.estimator.Estimator has
            those of its model function and of `tf.estimator.add_metrics`.
        train_steps: the global step to train to; None trains until the input ends.
        eval_steps: the number of batches to evaluate; None evaluates until the input ends.
        train_monitors: monitors, or SessionRunHooks, of training.
        eval_hooks: SessionRunHooks of evaluation.
        local_eval_frequency: the `min_eval_frequency` of `local_run`.
        eval_delay_secs: the seconds to wait before evaluations begin.
        continuous_eval_throttle_secs: the least number of seconds between evaluations.
        min_eval_frequency: the least number of steps between evaluations while `train_and_evaluate` trains, which also
            wait for checkpoints; 0 evaluates at the end alone. By default 1, or 1000 where the model's directory is on
            another machine.
        delay_workers_by_global_step: whether workers wait for a global step rather than for a time.
        export_strategies: an ExportStrategy, or several.
        train_steps_per_iteration: the number of steps between evaluations of `continuous_train_and_eval`; by default a
            tenth of `train_steps`, or 1000.
        checkpoint_and_export: whether `train_and_evaluate` evaluates and exports every checkpoint.
        saving_listeners: CheckpointSaverListeners of a tf.estimator.Estimator.

    Raises:
        ValueError: something is of the wrong kind, or does not go with this Estimator.
    """

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Callable[..., Any],
        eval_input_fn: Callable[..., Any],
        eval_metrics: Any = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Sequence[Any] | None = None,
        eval_hooks: Sequence[SessionRunHook] | None = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Any = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
    ) -> None:
        self._is_core = isinstance(estimator, Estimator)
        _check_estimator(estimator, self._is_core, eval_metrics, saving_listeners)
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self._estimator, self._eval_metrics, self._saving_listeners = estimator, eval_metrics, saving_listeners
        self._train_input_fn, self._train_steps = train_input_fn, train_steps
        self._eval_input_fn, self._eval_steps, self._eval_hooks = eval_input_fn, eval_steps, list(eval_hooks or ())
        self._local_eval_frequency, self._eval_delay_secs = local_eval_frequency, eval_delay_secs
        self._continuous_eval_throttle_secs = continuous_eval_throttle_secs
        self._delay_workers_by_global_step = delay_workers_by_global_step
        self._train_monitors = list(train_monitors or ())
        self._train_steps_per_iteration = train_steps_per_iteration
        self._checkpoint_and_export = checkpoint_and_export
        is_far = str(estimator.model_dir).startswith("gs://")
        self._min_eval_frequency = (1000 if is_far else 1) if min_eval_frequency is None else min_eval_frequency
        self._export_strategies = _checked_strategies(export_strategies)

    @property
    def estimator(self) -> Any:
        """The Estimator."""
        return self._estimator

    @property
    def eval_metrics(self) -> Any:
        """The further metrics."""
        return self._eval_metrics

    @property
    def train_steps(self) -> int | None:
        """The global step to train to."""
        return self._train_steps

    @property
    def eval_steps(self) -> int | None:
        """The number of batches to evaluate."""
        return self._eval_steps

    def extend_train_hooks(self, additional_hooks: Sequence[Any]) -> None:
        """Adds hooks, or monitors, of training."""
        self._train_monitors.extend(additional_hooks)

    def reset_export_strategies(self, new_export_strategies: Any = None) -> list[ExportStrategy]:
        """Takes other strategies; returns those from before."""
        before, self._export_strategies = self._export_strategies, _checked_strategies(new_export_strategies)
        return before

    # ---- training

    def train(self, delay_secs: float | None = None) -> Any:
        """Trains, as a worker of a cluster does: with a server, and later the higher its number is.

        Args:
            delay_secs: the seconds to wait; by default 5 for each worker before this one, up to 60.

        Returns:
            The Estimator.
        """
        start = time.time()
        config = self._estimator.config
        if config.cluster_spec and config.master:
            self._start_server()
        hooks = []
        if delay_secs is None:
            number = config.task_id or 0
            if self._delay_workers_by_global_step:
                hooks.append(GlobalStepWaiterHook(number * _STEPS_TO_WAIT))
                delay_secs = 0
            else:
                delay_secs = min(60, number * 5)
        wait = delay_secs - (time.time() - start)
        if wait > 0:
            logging.info("Waiting %d secs before starting training.", wait)
            time.sleep(wait)
        return self._call_train(max_steps=self._train_steps, hooks=[*self._train_monitors, *hooks])

    def _call_train(self, steps: int | None = None, max_steps: int | None = None,
                    hooks: Sequence[Any] | None = None) -> Any:
        hooks = replace_monitors_with_hooks(hooks, self._estimator)
        if self._is_core:
            return self._estimator.train(input_fn=self._train_input_fn, steps=steps, max_steps=max_steps, hooks=hooks,
                                         saving_listeners=self._saving_listeners)
        return self._estimator.fit(input_fn=self._train_input_fn, steps=steps, max_steps=max_steps, monitors=hooks)

    def _start_server(self) -> Server:
        config = self._estimator.config
        if not config.cluster_spec or not config.task_type or not config.master:
            raise ValueError("Could not start server: RunConfig or TF_CONFIG has to say what cluster_spec, task_type "
                             "and master are.")
        server = Server(config.cluster_spec, job_name=config.task_type, task_index=config.task_id,
                        config=config.session_config, start=False)
        server.start()
        return server

    def run_std_server(self) -> None:
        """Serves as a task of the cluster, without end."""
        self._start_server().join()

    # ---- evaluation

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> Any:
        """Evaluates the latest checkpoint; gives the metrics.

        Args:
            delay_secs: the seconds to wait first; by default `eval_delay_secs`.
            name: the name of the evaluation.
        """
        delay_secs = self._eval_delay_secs if delay_secs is None else delay_secs
        if delay_secs:
            time.sleep(delay_secs)
        return self._call_evaluate(name=name)

    def _call_evaluate(self, name: str | None = None, steps: Any = None, checkpoint_path: str | None = None) -> Any:
        given = {"input_fn": self._eval_input_fn, "steps": self._eval_steps if steps is None else steps, "name": name,
                 "checkpoint_path": checkpoint_path, "hooks": self._eval_hooks}
        if not self._is_core:
            given["metrics"] = self._eval_metrics
        return self._estimator.evaluate(**given)

    def continuous_eval(self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
                        evaluate_checkpoint_only_once: bool = True, continuous_eval_predicate_fn: Any = None,
                        name: str = "continuous") -> None:
        """Evaluates and exports checkpoints as they appear, until that of the last step.

        Args:
            delay_secs: the seconds to wait first; by default `eval_delay_secs`.
            throttle_delay_secs: the least number of seconds between evaluations; by default
                `continuous_eval_throttle_secs`.
            evaluate_checkpoint_only_once: whether no checkpoint is evaluated twice.
            continuous_eval_predicate_fn: a function of the last results, or of them and the checkpoint's path, both of
                which may be None; it returns whether to go on.
            name: the name of the evaluation.
        """
        _check_predicate(continuous_eval_predicate_fn)
        delay_secs = self._eval_delay_secs if delay_secs is None else delay_secs
        throttle = self._continuous_eval_throttle_secs if throttle_delay_secs is None else throttle_delay_secs
        if delay_secs:
            time.sleep(delay_secs)
        seen, results = None, None
        while _goes_on(continuous_eval_predicate_fn, results, seen if results is not None else None):
            start = time.time()
            path = latest_checkpoint(self._estimator.model_dir)
            if path is None or (evaluate_checkpoint_only_once and path == seen):
                results = None
            else:
                results = self._call_evaluate(name, checkpoint_path=path)
                self._maybe_export(results, path)
                seen = path
                if self._is_last(results):
                    return
            wait = throttle - (time.time() - start)
            if wait > 0:
                time.sleep(wait)

    def continuous_eval_on_train_data(self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
                                      continuous_eval_predicate_fn: Any = None,
                                      name: str = "continuous_on_train_data") -> None:
        """As `continuous_eval`, on the input of training."""
        given, self._eval_input_fn = self._eval_input_fn, self._train_input_fn
        try:
            self.continuous_eval(delay_secs, throttle_delay_secs, True, continuous_eval_predicate_fn, name)
        finally:
            self._eval_input_fn = given

    def _is_last(self, results: Any) -> bool:
        return bool(self._train_steps and results and results.get(_GLOBAL_STEP, 0) >= self._train_steps)

    # ---- both

    def train_and_evaluate(self) -> tuple[Any, Any]:
        """Trains, evaluates meanwhile and at the end, and exports; gives (the last metrics, what was exported)."""
        if self._checkpoint_and_export:
            return self._train_by_checkpoints()
        hooks = list(self._train_monitors)
        if self._min_eval_frequency:
            hooks.append(ValidationMonitor(
                input_fn=self._eval_input_fn, eval_steps=self._eval_steps, metrics=self._eval_metrics,
                every_n_steps=self._min_eval_frequency, hooks=self._eval_hooks))
        given, self._train_monitors = self._train_monitors, hooks
        try:
            self.train(delay_secs=0)
        finally:
            self._train_monitors = given
        results = self._call_evaluate()
        return results, self._maybe_export(results)

    def _train_by_checkpoints(self) -> tuple[Any, Any]:
        config, listener = self._estimator.config, _Evaluating(self)
        saver = CheckpointSaverHook(
            self._estimator.model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
            listeners=[listener])
        given, self._train_monitors = self._train_monitors, [*self._train_monitors, saver]
        try:
            self.train(delay_secs=0)
        finally:
            self._train_monitors = given
        return listener.results, listener.exported

    def continuous_train_and_eval(self, continuous_eval_predicate_fn: Any = None) -> tuple[Any, Any]:
        """Trains and evaluates in turns; gives (the last metrics, what was exported).

        Args:
            continuous_eval_predicate_fn: a function of the last results, None at first, that returns whether to go on.
        """
        _check_predicate(continuous_eval_predicate_fn)
        steps = self._train_steps_per_iteration or (int(self._train_steps / 10) if self._train_steps else 1000)
        results = exported = None
        while _goes_on(continuous_eval_predicate_fn, results, None) and not self._is_last(results):
            self._call_train(steps=steps, hooks=self._train_monitors)
            results = self._call_evaluate()
            exported = self._maybe_export(results)
        return results, exported

    def local_run(self) -> tuple[Any, Any]:
        """`train_and_evaluate` with `local_eval_frequency`."""
        given = self._min_eval_frequency
        self._min_eval_frequency = self._local_eval_frequency
        try:
            return self.train_and_evaluate()
        finally:
            self._min_eval_frequency = given

    def test(self) -> tuple[Any, Any]:
        """Tries everything: one step of training, one batch of evaluation, and the exports."""
        self._call_train(steps=1, hooks=self._train_monitors)
        results = self._call_evaluate("one_pass", steps=1)
        return results, self._maybe_export(results)

    def _maybe_export(self, eval_result: Any, checkpoint_path: str | None = None) -> list[Any]:
        """Exports by each strategy; gives the directories."""
        path = checkpoint_path or latest_checkpoint(self._estimator.model_dir)
        return [strategy.export(self._estimator, os.path.join(
            os.fsencode(self._estimator.model_dir), b"export", os.fsencode(strategy.name)), path, eval_result)
            for strategy in self._export_strategies]


class _Evaluating(CheckpointSaverListener):
    """Evaluates and exports every checkpoint that is saved."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self.results = self.exported = None

    def after_save(self, session: Any, global_step_value: int) -> None:
        self.results = self._experiment._call_evaluate("intermediate_export")
        self.exported = self._experiment._maybe_export(self.results)


def _check_estimator(estimator: Any, is_core: bool, eval_metrics: Any, saving_listeners: Any) -> None:
    if is_core:
        if eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None`: a tf.estimator.Estimator takes metrics by add_metrics")
        return
    if not isinstance(estimator, Evaluable):
        raise ValueError(f"`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.Estimator`, not "
                         f"{type(estimator)}")
    if not isinstance(estimator, Trainable):
        raise ValueError(f"`estimator` must implement `tf.contrib.learn.Trainable` or `tf.estimator.Estimator`, not "
                         f"{type(estimator)}")
    if saving_listeners is not None:
        raise ValueError("`saving_listeners` must be `None` with a tf.contrib.learn.Estimator")


def _checked_strategies(given: Any) -> list[ExportStrategy]:
    if given is None:
        return []
    found = [given] if isinstance(given, ExportStrategy) else list(given)
    for each in found:
        if not isinstance(each, ExportStrategy):
            raise ValueError(f"`export_strategies` must be an ExportStrategy, or several, and hold {each!r}")
    return found


def _check_predicate(predicate: Any) -> None:
    if predicate is not None and not callable(predicate):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")


def _goes_on(predicate: Any, results: Any, path: str | None) -> bool:
    if predicate is None:
        return True
    is_wide = "checkpoint_path" in inspect.signature(predicate).parameters
    return predicate(results, checkpoint_path=path) if is_wide else predicate(results)
