"""Evaluates each new checkpoint of an Estimator once, and exports its model."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evergraph.base import logging
from evergraph.base.text import as_str_any
from evergraph.estimator.train_specs import EvalSpec
from evergraph.train.hooks import CheckpointSaverListener
from evergraph.train.timer import SecondOrStepTimer

EVALUATED, MISSING_CHECKPOINT, NO_NEW_CHECKPOINT = "evaluated", "missing checkpoint", "no new checkpoint"
GLOBAL_STEP = "global_step"


@dataclass(frozen=True)
class EvalResult:
    """What an attempt to evaluate came to."""

    status: str
    metrics: Mapping[str, Any] | None = None
    checkpoint_path: str | None = None


class EvalListener:
    """Hears of the evaluations of `train_and_evaluate`; a false answer ends it."""

    def before_eval(self) -> bool:
        """Called before an evaluation."""
        return True

    def after_eval(self, eval_result: EvalResult) -> bool:
        """Called after an attempt to evaluate."""
        return True


class Evaluator:
    """Evaluates and exports an Estimator's latest checkpoint, each checkpoint once."""

    def __init__(self, estimator: Any, eval_spec: EvalSpec, max_steps: int | None) -> None:
        self._estimator, self._spec, self._max_steps = estimator, eval_spec, max_steps
        self._evaluated: str | None = None
        self._is_warned = False
        self.has_exported_last = False

    def evaluate_and_export(self) -> tuple[EvalResult, list[Any]]:
        """(the result, what the exporters gave) of the latest checkpoint, if it is a new one."""
        path = self._estimator.latest_checkpoint()
        if not path:
            return self._nothing(MISSING_CHECKPOINT, "there is no checkpoint yet: evaluation waits for the first")
        if path == self._evaluated:
            return self._nothing(NO_NEW_CHECKPOINT, f"{path} is still the latest checkpoint and was evaluated: "
                                 "evaluation waits for the next")
        metrics = self._estimator.evaluate(input_fn=self._spec.input_fn, steps=self._spec.steps, name=self._spec.name,
                                           checkpoint_path=path, hooks=self._spec.hooks)
        _check(metrics)
        result = EvalResult(EVALUATED, metrics, path)
        is_last = bool(self._max_steps) and metrics[GLOBAL_STEP] >= self._max_steps
        exported = self._export(result, is_last)
        self.has_exported_last |= is_last
        self._evaluated, self._is_warned = path, False
        return result, exported

    def _nothing(self, status: str, reason: str) -> tuple[EvalResult, list[Any]]:
        """Says once why there is nothing to evaluate."""
        if not self._is_warned:
            logging.warning(reason)
            self._is_warned = True
        return EvalResult(status), []

    def _export(self, result: EvalResult, is_last: bool) -> list[Any]:
        base = os.path.join(as_str_any(self._estimator.model_dir), "export")
        return [exporter.export(estimator=self._estimator, export_path=os.path.join(base, exporter.name),
                                checkpoint_path=result.checkpoint_path, eval_result=result.metrics,
                                is_the_final_export=is_last) for exporter in self._spec.exporters]


def _check(metrics: Any) -> None:
    """Estimators that others make may give something else than metrics."""
    if metrics is None or metrics == {}:
        raise ValueError(f"evaluate of the Estimator returned no metrics: {metrics}")
    if not isinstance(metrics, dict):
        raise TypeError(f"`Estimator.evaluate` should return dict. It returned {type(metrics)}")
    if GLOBAL_STEP not in metrics:
        raise ValueError(f"evaluate of the Estimator returned no `global_step`: {metrics}")


class EvaluateNewCheckpoints(CheckpointSaverListener):
    """Evaluates in the pauses that saving makes in training, unless the last evaluation was too short ago.

    Attributes:
        result: the latest EvalResult.
        exported: what the exporters gave with it.
    """

    def __init__(self, evaluator: Evaluator, throttle_secs: float, listener: EvalListener,
                 evaluate: Callable[[], tuple[EvalResult, list[Any]]] | None = None) -> None:
        self._evaluate = evaluate or evaluator.evaluate_and_export
        self._throttle_secs, self._listener = throttle_secs, listener
        self.result: EvalResult | None = None
        self.exported: list[Any] = []

    def begin(self) -> None:
        self._timer, self._is_first = SecondOrStepTimer(every_secs=self._throttle_secs), True

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        if self._is_first:  # the checkpoint from before the first step
            self._is_first = False
            return None
        if not self._timer.should_trigger_for_step(global_step_value):
            logging.info("The last evaluation was less than throttle_secs (%s) ago: this checkpoint "
                         "waits.", self._throttle_secs)
            return None
        return not self._goes_on(global_step_value)

    def end(self, session: Any, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step():
            self._goes_on(global_step_value)

    def _goes_on(self, step: int) -> bool:
        """Evaluates; gives whether to go on training."""
        if not self._listener.before_eval():
            logging.info("before_eval asked to stop: training and evaluation end here.")
            return False
        self._timer.update_last_triggered_step(step)
        self.result, self.exported = self._evaluate()
        if self.result.status != EVALUATED:
            raise RuntimeError("The training saved no checkpoint that was not yet evaluated. Evaluation says: "
                               f"{self.result.status}")
        if not self._listener.after_eval(self.result):
            logging.info("after_eval asked to stop: training and evaluation end here.")
            return False
        return True
