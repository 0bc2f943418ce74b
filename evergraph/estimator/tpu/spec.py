"""What a model function for a TPUEstimator returns: TPUEstimatorSpec."""
from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.estimator.spec import EstimatorSpec
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

_FIELDS = ("mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs", "scaffold_fn", "host_call",
           "training_hooks", "evaluation_hooks", "prediction_hooks")


@export("estimator.tpu.TPUEstimatorSpec", "contrib.tpu.TPUEstimatorSpec")
class TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", _FIELDS)):
    """What a model function tells a TPUEstimator about the graph it has built; see tf.estimator.EstimatorSpec.

    Args:
        mode: a tf.estimator.ModeKeys.
        predictions: a tensor, or a dict of tensors.
        loss: a tensor with a single number.
        train_op: the operation or tensor that makes a step of training.
        eval_metrics: (function, tensors): the function makes the dict of metrics of the tensors, a list or a dict by
            the names of its arguments.
        export_outputs: name of a signature -> ExportOutput.
        scaffold_fn: makes the tf.train.Scaffold.
        host_call: (function, tensors), as `eval_metrics`: the operations that the function makes run beside each step.
        training_hooks: hooks of training.
        evaluation_hooks: hooks of evaluation.
        prediction_hooks: hooks of prediction.

    Raises:
        ValueError: `eval_metrics` or `host_call` is no such pair.
        TypeError: something in a list of hooks is no hook.
    """

    def __new__(cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
                eval_metrics: Any = None, export_outputs: Any = None, scaffold_fn: Any = None, host_call: Any = None,
                training_hooks: Any = None, evaluation_hooks: Any = None,
                prediction_hooks: Any = None) -> TPUEstimatorSpec:
        for name, pair in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if pair is not None:
                _check_pair(name, pair)
        hooks = [tuple(each or ()) for each in (training_hooks, evaluation_hooks, prediction_hooks)]
        for hook in (hook for each in hooks for hook in each):
            if not isinstance(hook, SessionRunHook):
                raise TypeError(f"a hook must be a SessionRunHook, got {hook}")
        return super().__new__(cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn,
                               host_call, *hooks)

    def as_estimator_spec(self) -> EstimatorSpec:
        """The same as a tf.estimator.EstimatorSpec: metrics, scaffold and host call are made now."""
        hooks: tuple[SessionRunHook, ...] = ()
        metrics = None
        if self.eval_metrics is not None:
            metrics = _called(self.eval_metrics)
        if self.host_call is not None:
            hooks = (HostCallHook(_called(self.host_call)),)
        return EstimatorSpec(
            self.mode, self.predictions, self.loss, self.train_op, metrics, self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None, training_hooks=self.training_hooks + hooks,
            evaluation_hooks=self.evaluation_hooks + hooks, prediction_hooks=self.prediction_hooks + hooks)


class HostCallHook(SessionRunHook):
    """Runs what a host call has made in every step, or in one of several.

    Args:
        tensors: operations and tensors.
    """

    def __init__(self, tensors: Any) -> None:
        self._fetches = [each for each in nest.flatten(tensors) if each is not None]
        self.every_n_steps, self._runs = 1, 0

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        is_due = self._fetches and self._runs % self.every_n_steps == 0
        return SessionRunArgs(self._fetches) if is_due else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._runs += 1


def _check_pair(name: str, pair: Any) -> None:
    if not isinstance(pair, Sequence) or len(pair) != 2:
        raise ValueError(f"{name} should be a pair of a function and its tensors, not {pair!r}")
    function, tensors = pair
    if not callable(function):
        raise TypeError(f"the first element of {name} should be callable, not {function!r}")
    if not isinstance(tensors, (list, tuple, Mapping)):
        raise ValueError(f"the second element of {name} should be a list, tuple or dict of tensors, not {tensors!r}")


def _called(pair: Any) -> Any:
    function, tensors = pair
    return function(**tensors) if isinstance(tensors, Mapping) else function(*tensors)
