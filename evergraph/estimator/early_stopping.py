"""Hooks that stop training when a metric of the evaluations says so."""
from __future__ import annotations

import operator
import time
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.export import export, names_in
from evergraph.estimator.estimator import Estimator, load_global_step
from evergraph.estimator.event_metrics import read_eval_metrics
from evergraph.frontend.array import constant
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.frontend.variables.scope import AUTO_REUSE, get_variable, variable_scope
from evergraph.train.global_step import global_step_read
from evergraph.train.hooks import StopAtStepHook
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from evergraph.train.timer import SecondOrStepTimer

_names = names_in("estimator.experimental", "contrib.estimator")


@export(*_names("make_early_stopping_hook"))
def make_early_stopping_hook(estimator: Any, should_stop_fn: Callable[[], bool], run_every_secs: float | None = 60,
                             run_every_steps: int | None = None) -> SessionRunHook:
    """A hook that stops training when a function says so.

    Args:
        estimator: the Estimator that trains.
        should_stop_fn: a function without arguments, true when training should stop. The chief calls it.
        run_every_secs: the seconds between its calls.
        run_every_steps: the steps between its calls, in place of seconds.

    Raises:
        TypeError: `estimator` is no Estimator.
        ValueError: both of `run_every_secs` and `run_every_steps` are given.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`, not {type(estimator)}")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError(f"run_every_secs={run_every_secs} and run_every_steps={run_every_steps} exclude each other: "
                         "set one of them to None")
    if estimator.config.is_chief:
        return StopWhen(should_stop_fn, run_every_secs, run_every_steps)
    return StopWithChief()


def stop_variable() -> Any:
    """The variable by which the chief tells workers to stop; its name is part of checkpoints."""
    with variable_scope("signal_early_stopping", values=[], reuse=AUTO_REUSE):
        return get_variable("STOP", shape=[], dtype=dtypes.bool, initializer=constant_initializer(False),
                            collections=[GraphKeys.GLOBAL_VARIABLES], trainable=False)


class StopWhen(SessionRunHook):
    """Asks a function every now and then whether to stop."""

    def __init__(self, should_stop_fn: Callable[[], bool], run_every_secs: float | None = 60,
                 run_every_steps: int | None = None) -> None:
        if not callable(should_stop_fn):
            raise TypeError(f"should_stop_fn must be a function, not {should_stop_fn!r}")
        self._should_stop_fn = should_stop_fn
        self._timer = SecondOrStepTimer(every_secs=run_every_secs, every_steps=run_every_steps)

    def begin(self) -> None:
        self._timer.reset()
        self._step = global_step_read()
        self._stop_var = stop_variable()
        self._stop_op = assign(self._stop_var, constant(True))

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop_fn():
                logging.info("Requesting early stopping at global step %d", step)
                run_context.session.run(self._stop_op)
                run_context.request_stop()


class StopWithChief(SessionRunHook):
    """Stops when the chief has said so."""

    def begin(self) -> None:
        self._stop_var = stop_variable()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._stop_var)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if run_values.results:
            logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()


# ---- by the metrics of evaluations


def _at_threshold(estimator: Any, metric_name: str, threshold: float, is_past: Callable[[float, float], bool],
                  eval_dir: str | None, min_steps: int) -> Callable[[], bool]:
    """Whether an evaluation at or after `min_steps` has passed the threshold."""
    folder = eval_dir or estimator.eval_dir()

    def should_stop() -> bool:
        for step, metrics in read_eval_metrics(folder).items():
            if step >= min_steps and is_past(metrics[metric_name], threshold):
                logging.info("At step %d, metric %r has value %s, which has passed the threshold (%s) for early "
                             "stopping.", step, metric_name, metrics[metric_name], threshold)
                return True
        return False

    return should_stop


def _without_progress(estimator: Any, metric_name: str, max_steps: int, is_better: Callable[[float, float], bool],
                      eval_dir: str | None, min_steps: int) -> Callable[[], bool]:
    """Whether the best of the evaluations at or after `min_steps` is `max_steps` steps old."""
    folder = eval_dir or estimator.eval_dir()

    def should_stop() -> bool:
        best, best_step = None, 0
        for step, metrics in read_eval_metrics(folder).items():
            if step < min_steps:
                continue
            value = metrics[metric_name]
            if best is None or is_better(value, best):
                best, best_step = value, step
            if step - best_step >= max_steps:
                logging.info("No progress of metric %r for %d steps, which is at least the max steps (%d) for early "
                             "stopping. Best: %s at step %d.", metric_name, step - best_step, max_steps, best,
                             best_step)
                return True
        return False

    return should_stop


_ARGUMENTS = """
        eval_dir: the directory of the evaluations' events; by default `estimator.eval_dir()`.
        min_steps: evaluations before this step do not count.
        run_every_secs: the seconds between looks at the events.
        run_every_steps: the steps between looks at the events, in place of seconds.

    Raises:
        TypeError: `estimator` is no Estimator.
        ValueError: both of `run_every_secs` and `run_every_steps` are given.
    """


def _documented(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the arguments that the four functions below have in common."""
    function.__doc__ = f"{(function.__doc__ or '').rstrip()}{_ARGUMENTS}"
    return function


@export(*_names("stop_if_higher_hook"))
@_documented
def stop_if_higher_hook(estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None,
                        min_steps: int = 0, run_every_secs: float | None = 60,
                        run_every_steps: int | None = None) -> SessionRunHook:
    """A hook that stops training when a metric of an evaluation is above a threshold.

    Args:
        estimator: the Estimator that trains.
        metric_name: the metric.
        threshold: the threshold.
    """
    test = _at_threshold(estimator, metric_name, threshold, operator.gt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, test, run_every_secs, run_every_steps)


@export(*_names("stop_if_lower_hook"))
@_documented
def stop_if_lower_hook(estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None,
                       min_steps: int = 0, run_every_secs: float | None = 60,
                       run_every_steps: int | None = None) -> SessionRunHook:
    """A hook that stops training when a metric of an evaluation is below a threshold.

    Args:
        estimator: the Estimator that trains.
        metric_name: the metric.
        threshold: the threshold.
    """
    test = _at_threshold(estimator, metric_name, threshold, operator.lt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, test, run_every_secs, run_every_steps)


@export(*_names("stop_if_no_increase_hook"))
@_documented
def stop_if_no_increase_hook(estimator: Any, metric_name: str, max_steps_without_increase: int,
                             eval_dir: str | None = None, min_steps: int = 0, run_every_secs: float | None = 60,
                             run_every_steps: int | None = None) -> SessionRunHook:
    """A hook that stops training when a metric of the evaluations has not risen for a number of steps.

    Args:
        estimator: the Estimator that trains.
        metric_name: the metric.
        max_steps_without_increase: the number of steps.
    """
    test = _without_progress(estimator, metric_name, max_steps_without_increase, operator.gt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, test, run_every_secs, run_every_steps)


@export(*_names("stop_if_no_decrease_hook"))
@_documented
def stop_if_no_decrease_hook(estimator: Any, metric_name: str, max_steps_without_decrease: int,
                             eval_dir: str | None = None, min_steps: int = 0, run_every_secs: float | None = 60,
                             run_every_steps: int | None = None) -> SessionRunHook:
    """A hook that stops training when a metric of the evaluations has not fallen for a number of steps.

    Args:
        estimator: the Estimator that trains.
        metric_name: the metric.
        max_steps_without_decrease: the number of steps.
    """
    test = _without_progress(estimator, metric_name, max_steps_without_decrease, operator.lt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, test, run_every_secs, run_every_steps)


# ---- by the steps of checkpoints


@export(*_names("make_stop_at_checkpoint_step_hook"))
def make_stop_at_checkpoint_step_hook(estimator: Any, last_step: int,
                                      wait_after_file_check_secs: float = 30) -> SessionRunHook:
    """A hook that stops training at a global step; a worker waits until the chief has saved that step.

    Args:
        estimator: the Estimator that trains.
        last_step: the step.
        wait_after_file_check_secs: the seconds between looks at the checkpoints.
    """
    if estimator.config.is_chief:
        return StopAtStepHook(last_step=last_step)
    return StopAtCheckpointStep(estimator.model_dir, last_step, wait_after_file_check_secs)


class StopAtCheckpointStep(SessionRunHook):
    """Stops when a checkpoint has a global step."""

    def __init__(self, model_dir: str, last_step: int | None, wait_after_file_check_secs: float = 30) -> None:
        if last_step is None:
            raise ValueError("StopAtCheckpointStepHook needs last_step, got None")
        if model_dir is None:
            raise ValueError("StopAtCheckpointStepHook needs model_dir, got None")
        self._model_dir, self._last_step, self._wait_secs = model_dir, last_step, wait_after_file_check_secs

    def begin(self) -> None:
        self._step = global_step_read()
        if self._step is None:
            raise RuntimeError("StopAtCheckpointStepHook reads the global step, but the graph has none")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if run_values.results + 1 < self._last_step or run_context.session.run(self._step) < self._last_step:
            return
        saved = load_global_step(self._model_dir)
        if saved >= self._last_step:
            run_context.request_stop()
            return
        logging.info("Waiting for a checkpoint of step %d; the latest has step %d.", self._last_step, saved)
        time.sleep(self._wait_secs)
