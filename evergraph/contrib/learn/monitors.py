"""tf.contrib.learn.monitors: what watched training before SessionRunHooks did, and the bridge to hooks."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.estimator.estimator import Estimator as CoreEstimator
from evergraph.frontend.collections import GraphKeys, get_collection, trainable_variables
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.proto import summary_pb2
from evergraph.save.state import latest_checkpoint
from evergraph.summary.writer import FileWriterCache
from evergraph.train.global_step import get_global_step
from evergraph.train.hooks import NanLossDuringTrainingError
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook


def _named(name: str) -> Any:
    return export(f"contrib.learn.monitors.{name}")


_named("NanLossDuringTrainingError")(NanLossDuringTrainingError)


@_named("BaseMonitor")
class BaseMonitor:
    """A watcher of training whose methods are called around every step.

    A subclass overrides what it needs. New programs write a tf.train.SessionRunHook.
    """

    def __init__(self) -> None:
        self._begun = False
        self._current_epoch = self._current_step = self._max_steps = self._estimator = None

    @property
    def run_on_all_workers(self) -> bool:
        """Whether other workers than the chief have it too."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Says whose training is watched."""
        self._estimator = estimator

    def begin(self, max_steps: int | None = None) -> None:
        """Called before the first step.

        Args:
            max_steps: the last step of training, where it is known.
        """
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._max_steps, self._begun = max_steps, True

    def end(self, session: Any = None) -> None:
        """Called after the last step."""
        if not self._begun:
            raise ValueError("end called without begin.")
        self._max_steps, self._begun = None, False

    def epoch_begin(self, epoch: int) -> None:
        """Called before a pass over the data."""
        if self._current_epoch is not None:
            raise ValueError(f"epoch_begin called twice without epoch_end: {self._current_epoch} has not ended")
        self._current_epoch = epoch

    def epoch_end(self, epoch: int) -> None:
        """Called after a pass over the data."""
        if self._current_epoch != epoch:
            raise ValueError(f"epoch_end expected {self._current_epoch} but got {epoch}.")
        self._current_epoch = None

    def step_begin(self, step: int) -> list[Any]:
        """Called before a step; returns the tensors, or their names, whose values `step_end` is to have."""
        self._current_step = step
        return []

    def step_end(self, step: int, output: Any) -> bool:
        """Called after a step with the values by name; returns whether to stop."""
        self._current_step = None
        return False

    def post_step(self, step: int, session: Any) -> None:
        """Called after all `step_end`s of a step, with the session."""


@_named("EveryN")
class EveryN(BaseMonitor):
    """A monitor that acts in every n-th step, in the first ones and in the last.

    Args:
        every_n_steps: in how many steps it acts once.
        first_n_steps: it acts in all steps up to this one.
    """

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None:
        super().__init__()
        self._every_n_steps, self._first_n_steps = every_n_steps, first_n_steps
        self._last_active_step, self._last_successful_step, self._is_active = 0, None, False

    def every_n_step_begin(self, step: int) -> list[Any]:
        """`step_begin` of a step in which it acts."""
        return []

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """`step_end` of a step in which it acts."""
        return False

    def every_n_post_step(self, step: int, session: Any) -> None:
        """`post_step` of a step in which it acts, and of the last one."""

    def step_begin(self, step: int) -> list[Any]:
        super().step_begin(step)
        self._is_active = (step <= self._first_n_steps or step >= self._every_n_steps + self._last_active_step
                           or step == self._max_steps)
        return self.every_n_step_begin(step) if self._is_active else []

    def step_end(self, step: int, output: Any) -> bool:
        super().step_end(step, output)
        return self.every_n_step_end(step, output) if self._is_active else False

    def post_step(self, step: int, session: Any) -> None:
        super().post_step(step, session)
        if self._is_active:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        super().end(session)
        if self._last_successful_step is not None and self._last_successful_step != self._last_active_step:
            self.every_n_post_step(self._last_successful_step, session)


@_named("StopAtStep")
class StopAtStep(BaseMonitor):
    """Stops training at a step.

    Args:
        num_steps: after how many steps.
        last_step: after which step; either this or `num_steps`.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        super().__init__()
        if (num_steps is None) == (last_step is None):
            raise ValueError("Exactly one of num_steps and last_step must be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    run_on_all_workers = property(lambda self: True)

    def step_begin(self, step: int) -> list[Any]:
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + self._num_steps - 1
        return []

    def step_end(self, step: int, output: Any) -> bool:
        super().step_end(step, output)
        return step >= self._last_step


@_named("PrintTensor")
class PrintTensor(EveryN):
    """Logs values.

    Args:
        tensor_names: the names of tensors, or a dictionary from what they are called in the log.
        every_n, first_n: see EveryN.
    """

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._tensors = dict(tensor_names) if isinstance(tensor_names, Mapping) else {
            name: name for name in tensor_names}

    def every_n_step_begin(self, step: int) -> list[Any]:
        super().every_n_step_begin(step)
        return list(self._tensors.values())

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        said = [f"{called} = {outputs[_name(tensor)]}" for called, tensor in self._tensors.items()
                if _name(tensor) in outputs]
        logging.info("Step %d: %s", step, ", ".join(said))
        return False


def _name(tensor: Any) -> Any:
    return tensor.name if isinstance(tensor, Tensor) else tensor


@_named("LoggingTrainable")
class LoggingTrainable(EveryN):
    """Logs the values of trainable variables.

    Args:
        scope: the scope of the variables; all by default.
        every_n, first_n: see EveryN.
    """

    def __init__(self, scope: str | None = None, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._scope = scope

    def every_n_step_begin(self, step: int) -> list[Any]:
        super().every_n_step_begin(step)
        self._names = {variable.name: _value_name(variable) for variable in trainable_variables(self._scope)}
        return list(self._names.values())

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        said = [f"{name} = {outputs[tensor]}" for name, tensor in self._names.items() if tensor in outputs]
        logging.info("Logging Trainable: Step %d: %s", step, ", ".join(said))
        return False


def _value_name(variable: Any) -> str:
    return variable.value().name


@_named("SummarySaver")
class SummarySaver(EveryN):
    """Writes summaries.

    Args:
        summary_op: the summary.
        save_steps: in how many steps it is written once.
        output_dir: the directory of a summary writer, in place of `summary_writer`.
        summary_writer: a summary writer.
        scaffold: a tf.train.Scaffold whose summary is written, in place of `summary_op`.
    """

    def __init__(self, summary_op: Any, save_steps: int = 100, output_dir: str | None = None,
                 summary_writer: Any = None, scaffold: Any = None) -> None:
        super().__init__(every_n_steps=save_steps)
        self._summary_op, self._scaffold = summary_op, scaffold
        self._summary_writer = summary_writer
        if summary_writer is None and output_dir:
            self._summary_writer = FileWriterCache.get(output_dir)

    def set_estimator(self, estimator: Any) -> None:
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = FileWriterCache.get(estimator.model_dir)

    def every_n_step_begin(self, step: int) -> list[Any]:
        super().every_n_step_begin(step)
        if self._summary_op is None and self._scaffold is not None:
            self._summary_op = self._scaffold.summary_op
        return [] if self._summary_op is None else [self._summary_op]

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        if self._summary_op is not None and self._summary_writer:
            self._summary_writer.add_summary(outputs[_name(self._summary_op)], step)
        return False

    def end(self, session: Any = None) -> None:
        super().end(session)
        if self._summary_writer:
            self._summary_writer.flush()


@_named("ValidationMonitor")
class ValidationMonitor(EveryN):
    """Evaluates during training, and stops it when the results get no better.

    It evaluates checkpoints, so it has something to do once there is a new one.

    Args:
        x, y, input_fn, batch_size, metrics, hooks: what to evaluate on and by; see `tf.contrib.learn.Estimator`.
        eval_steps: the number of batches.
        every_n_steps: see EveryN.
        early_stopping_rounds: after how many steps without a better result to stop; None never stops.
        early_stopping_metric: the metric that tells which result is better.
        early_stopping_metric_minimize: whether less is better.
        name: the name of the evaluation.
        check_interval_secs: the least number of seconds between two looks for a new checkpoint; None always looks.
    """

    def __init__(self, x: Any = None, y: Any = None, input_fn: Any = None, batch_size: int | None = None,
                 eval_steps: int | None = None, every_n_steps: int = 100, metrics: Any = None, hooks: Any = None,
                 early_stopping_rounds: int | None = None, early_stopping_metric: str = "loss",
                 early_stopping_metric_minimize: bool = True, name: str | None = None,
                 check_interval_secs: float | None = 5) -> None:
        super().__init__(every_n_steps=every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self.x, self.y, self.input_fn, self.batch_size = x, y, input_fn, batch_size
        self.eval_steps, self.metrics, self.hooks, self.name = eval_steps, metrics, hooks, name
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_metric = early_stopping_metric
        self.early_stopping_metric_minimize = early_stopping_metric_minimize
        self.check_interval_secs = check_interval_secs
        self._best_value_step = self._best_value = self._best_metrics = None
        self._early_stopped = False
        self._latest_path = self._last_look = None

    early_stopped = property(lambda self: self._early_stopped, doc="Whether it has stopped training.")
    best_step = property(lambda self: self._best_value_step, doc="The step of the best result.")
    best_value = property(lambda self: self._best_value, doc="The best value of the metric.")
    best_metrics = property(lambda self: self._best_metrics, doc="All metrics of the best result.")

    def _evaluated(self) -> Any:
        if not isinstance(self._estimator, CoreEstimator):
            return self._estimator.evaluate(
                x=self.x, y=self.y, input_fn=self.input_fn, batch_size=self.batch_size, steps=self.eval_steps,
                metrics=self.metrics, hooks=self.hooks, name=self.name)
        for name, given in (("x", self.x), ("y", self.y), ("batch_size", self.batch_size), ("metrics", self.metrics)):
            if given is not None:
                raise ValueError(f"tf.estimator.Estimator does not support the argument {name} of a monitor: {name} "
                                 "are metrics and arrays of tf.contrib.learn.Estimator")
        return self._estimator.evaluate(input_fn=self.input_fn, steps=self.eval_steps, hooks=self.hooks,
                                        name=self.name)

    def _is_new_checkpoint(self) -> bool:
        now = time.monotonic()
        if self.check_interval_secs is not None and self._last_look is not None \
                and now - self._last_look < self.check_interval_secs:
            return False
        self._last_look = now
        path = latest_checkpoint(self._estimator.model_dir)
        if path is None or path == self._latest_path:
            return False
        self._latest_path = path
        return True

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        if not self._is_new_checkpoint():
            return False
        results = self._evaluated()
        if results is None:
            return False
        logging.info("Validation (step %d): %s", step, ", ".join(f"{key} = {results[key]}" for key in sorted(results)))
        return self.early_stopping_rounds is not None and self._is_enough(step, results)

    def _is_enough(self, step: int, results: Mapping[str, Any]) -> bool:
        if self.early_stopping_metric not in results:
            raise ValueError(f"Metric {self.early_stopping_metric} missing from outputs {sorted(results)}")
        value = results[self.early_stopping_metric]
        sign = 1 if self.early_stopping_metric_minimize else -1
        if self._best_value is None or sign * value < sign * self._best_value:
            self._best_value, self._best_value_step, self._best_metrics = value, step, dict(results)
        if step - self._best_value_step < self.early_stopping_rounds:
            return False
        logging.info("Stopping. Best step: %d with %s = %s.", self._best_value_step, self.early_stopping_metric,
                     self._best_value)
        self._early_stopped = True
        return True


@_named("CaptureVariable")
class CaptureVariable(EveryN):
    """Keeps the values of a tensor.

    Args:
        var_name: its name.
        every_n, first_n: see EveryN.
    """

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._var_name, self._var_values = var_name, {}

    @property
    def values(self) -> dict[int, Any]:
        """Step -> value."""
        return self._var_values

    def every_n_step_begin(self, step: int) -> list[Any]:
        super().every_n_step_begin(step)
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        self._var_values[step] = outputs[self._var_name]
        return False


_NOT_DUMPED = ("Const", "Assign", "Identity", "Placeholder", "RandomUniform", "Cast", "RestoreSlice")


@_named("GraphDump")
class GraphDump(BaseMonitor):
    """Keeps the values of all tensors in every step, to compare two runs.

    Args:
        ignore_ops: the types of operations that are left out; by default constants, copies and the like.
    """

    def __init__(self, ignore_ops: Sequence[str] | None = None) -> None:
        super().__init__()
        self._ignore_ops = _NOT_DUMPED if ignore_ops is None else tuple(ignore_ops)
        self._data: dict[int, Any] = {}

    @property
    def data(self) -> dict[int, Any]:
        """Step -> name -> value."""
        return self._data

    def begin(self, max_steps: int | None = None) -> None:
        super().begin(max_steps)
        self._tensors = [node.outputs[0] for node in default_graph().get_operations()
                         if node.outputs and node.type not in self._ignore_ops]

    def step_begin(self, step: int) -> list[Any]:
        super().step_begin(step)
        return self._tensors

    def step_end(self, step: int, output: Any) -> bool:
        super().step_end(step, output)
        self._data[step] = output
        return False

    def compare(self, other_dump: GraphDump, step: int, atol: float = 1e-06) -> tuple[list[str], dict[str, Any]]:
        """(the names of tensors that have the same values in a step of two dumps, both values of the others).

        Args:
            other_dump: the other dump.
            step: the step of both.
            atol: how far values that are the same may be apart.

        Raises:
            ValueError: one of the dumps has no such step.
        """
        if step not in self._data or step not in other_dump.data:
            raise ValueError(f"step {step} is not in both dumps: {sorted(self._data)} and {sorted(other_dump.data)}")
        mine, others = self._data[step], other_dump.data[step]
        matched, different = [], {}
        for key in sorted(key for key in mine if key in others):
            one, two = mine[key], others[key]
            is_close = np.allclose(one, two, atol=atol) if np.issubdtype(np.asarray(one).dtype, np.number) else (
                np.array_equal(one, two))
            if is_close:
                matched.append(key)
            else:
                different[key] = (one, two)
        return matched, different


@_named("ExportMonitor")
class ExportMonitor(EveryN):
    """Exports the model in the form from before SavedModels; see `tf.contrib.learn.Estimator.export`.

    Args:
        every_n_steps: see EveryN.
        export_dir: where.
        input_fn, input_feature_key, signature_fn, default_batch_size: see there.
        exports_to_keep: how many exports to keep.
    """

    def __init__(self, every_n_steps: int, export_dir: Any, input_fn: Any = None, input_feature_key: str | None = None,
                 exports_to_keep: int | None = 5, signature_fn: Any = None, default_batch_size: int | None = 1) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._export_dir, self._input_fn, self._input_feature_key = export_dir, input_fn, input_feature_key
        self._exports_to_keep, self._signature_fn = exports_to_keep, signature_fn
        self._default_batch_size = default_batch_size
        self._last_export_dir = self._exported = None

    export_dir = property(lambda self: self._export_dir, doc="Where exports are.")
    exports_to_keep = property(lambda self: self._exports_to_keep, doc="How many are kept.")
    signature_fn = property(lambda self: self._signature_fn, doc="Makes their signatures.")
    last_export_dir = property(lambda self: self._last_export_dir, doc="The directory of the last export.")

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        self._export()
        return False

    def end(self, session: Any = None) -> None:
        super().end(session)
        self._export()

    def _export(self) -> None:
        if latest_checkpoint(self._estimator.model_dir) is None:
            logging.info("Skipping export: %s holds no checkpoint yet.", self._estimator.model_dir)
            return
        if self._exported == latest_checkpoint(self._estimator.model_dir):
            return
        self._exported = latest_checkpoint(self._estimator.model_dir)
        self._last_export_dir = self._estimator.export(
            self._export_dir, exports_to_keep=self._exports_to_keep, signature_fn=self._signature_fn,
            input_fn=self._input_fn, default_batch_size=self._default_batch_size,
            input_feature_key=self._input_feature_key, use_deprecated_input_fn=self._input_feature_key is None)


@_named("CheckpointSaver")
class CheckpointSaver(BaseMonitor):
    """Saves checkpoints.

    Args:
        checkpoint_dir: where.
        save_secs: the number of seconds between two; either this or `save_steps`.
        save_steps: the number of steps between two.
        saver: a tf.train.Saver.
        checkpoint_basename: what their names begin with.
        scaffold: a tf.train.Scaffold whose saver is taken, in place of `saver`.
    """

    def __init__(self, checkpoint_dir: Any, save_secs: float | None = None, save_steps: int | None = None,
                 saver: Any = None, checkpoint_basename: str = "model.ckpt", scaffold: Any = None) -> None:
        super().__init__()
        if (save_secs is None) == (save_steps is None):
            raise ValueError("Exactly one of save_secs and save_steps must be provided")
        logging.info("Create CheckpointSaver.")
        self._saver, self._scaffold = saver, scaffold
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._save_secs, self._save_steps = save_secs, save_steps
        self._last_saved_time = self._last_saved_step = self._last_begin_step = None

    def begin(self, max_steps: int | None = None) -> None:
        super().begin(max_steps)
        self._last_saved_time = self._last_saved_step = None

    def step_begin(self, step: int) -> list[Any]:
        super().step_begin(step)
        self._last_begin_step = step
        return []

    def post_step(self, step: int, session: Any) -> None:
        super().post_step(step, session)
        is_due = (self._last_saved_step is None
                  or (self._save_steps is not None and step >= self._last_saved_step + self._save_steps)
                  or (self._save_secs is not None and time.time() >= self._last_saved_time + self._save_secs))
        if is_due:
            self._save(step, session)

    def end(self, session: Any = None) -> None:
        super().end(session)
        self._save(self._last_begin_step, session)

    def _save(self, step: int | None, session: Any) -> None:
        if step is None or step == self._last_saved_step:
            return
        self._last_saved_time, self._last_saved_step = time.time(), step
        saver = self._saver or (self._scaffold.saver if self._scaffold is not None else None)
        saver = saver or next(iter(get_collection(GraphKeys.SAVERS)), None)
        if saver is None:
            raise ValueError("CheckpointSaver has neither a saver nor a scaffold with one")
        saver.save(session, self._save_path, global_step=step)


@_named("StepCounter")
class StepCounter(EveryN):
    """Writes how many steps there are in a second, as a summary.

    Args:
        every_n_steps: see EveryN.
        output_dir: the directory of a summary writer, in place of `summary_writer`.
        summary_writer: a summary writer.
    """

    def __init__(self, every_n_steps: int = 100, output_dir: str | None = None, summary_writer: Any = None) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._last_reported_step = self._last_reported_time = None
        self._summary_writer = summary_writer
        if summary_writer is None and output_dir:
            self._summary_writer = FileWriterCache.get(output_dir)

    def set_estimator(self, estimator: Any) -> None:
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = FileWriterCache.get(estimator.model_dir)

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        now = time.time()
        if self._last_reported_time is not None and self._summary_writer:
            rate = (step - self._last_reported_step) / max(now - self._last_reported_time, 1e-9)
            value = summary_pb2.Summary.Value(tag="global_step/sec", simple_value=rate)
            self._summary_writer.add_summary(summary_pb2.Summary(value=[value]), step)
        self._last_reported_step, self._last_reported_time = step, now
        return False


@_named("NanLoss")
class NanLoss(EveryN):
    """Stops training when the loss is no number.

    Args:
        loss_tensor: the loss.
        every_n_steps: see EveryN.
        fail_on_nan_loss: whether to raise NanLossDuringTrainingError.
    """

    def __init__(self, loss_tensor: Any, every_n_steps: int = 100, fail_on_nan_loss: bool = True) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss

    def every_n_step_begin(self, step: int) -> list[Any]:
        super().every_n_step_begin(step)
        return [self._loss_tensor]

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        if not np.isnan(outputs[_name(self._loss_tensor)]):
            return False
        if self._fail_on_nan_loss:
            logging.error("Model diverged with loss = NaN.")
            raise NanLossDuringTrainingError
        logging.warning("Model diverged with loss = NaN.")
        return True


@_named("get_default_monitors")
def get_default_monitors(loss_op: Any = None, summary_op: Any = None, save_summary_steps: int = 100,
                         output_dir: str | None = None, summary_writer: Any = None) -> list[BaseMonitor]:
    """Monitors that log the loss and write summaries.

    Args:
        loss_op: the loss; none is logged without it.
        summary_op: the summary; none is written without it.
        save_summary_steps: in how many steps it is written once.
        output_dir, summary_writer: where; see SummarySaver.
    """
    found: list[BaseMonitor] = []
    if loss_op is not None:
        found.append(PrintTensor({"loss": loss_op.name}))
    if summary_op is not None:
        found.append(SummarySaver(summary_op, save_summary_steps, output_dir, summary_writer))
    return found


# ---- the bridge


@_named("RunHookAdapterForMonitors")
class RunHookAdapterForMonitors(SessionRunHook):
    """A SessionRunHook that calls monitors.

    Args:
        monitors: the monitors.
    """

    def __init__(self, monitors: Sequence[BaseMonitor]) -> None:
        self._monitors = list(monitors)

    def begin(self) -> None:
        self._last_step = None
        self._global_step = get_global_step(default_graph())
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        if self._last_step is None:
            self._last_step = run_context.session.run(self._global_step) + 1
        requests: dict[Any, Any] = {}
        for monitor in self._monitors:
            for wanted in monitor.step_begin(self._last_step) or ():
                requests[_name(wanted)] = _element(wanted, run_context.session.graph)
        return SessionRunArgs({"requests": requests, "step": self._global_step})

    def after_run(self, run_context: SessionRunContext, run_values: Any) -> None:
        results = run_values.results
        stop = [bool(monitor.step_end(self._last_step, results["requests"])) for monitor in self._monitors]
        if any(stop):
            run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._last_step, run_context.session)
        self._last_step = results["step"] + 1

    def end(self, session: Any) -> None:
        self._last_step = None
        for monitor in self._monitors:
            monitor.end(session=session)


def _element(wanted: Any, graph: Any) -> Any:
    """The tensor that a monitor asks for, by a name with or without its number."""
    if isinstance(wanted, str):
        return graph.as_graph_element(wanted if ":" in wanted else f"{wanted}:0")
    return wanted.outputs[0] if isinstance(wanted, Operation) else wanted


@_named("replace_monitors_with_hooks")
def replace_monitors_with_hooks(monitors_or_hooks: Sequence[Any] | None, estimator: Any) -> list[SessionRunHook]:
    """SessionRunHooks, as `Estimator.train` takes them.

    Args:
        monitors_or_hooks: monitors and hooks.
        estimator: the Estimator that monitors watch.

    Raises:
        ValueError: something in the list is neither.
    """
    hooks, monitors = [], []
    for each in monitors_or_hooks or ():
        if isinstance(each, SessionRunHook):
            hooks.append(each)
        elif isinstance(each, BaseMonitor):
            each.set_estimator(estimator)
            if each.run_on_all_workers or estimator.config.is_chief:
                monitors.append(each)
        else:
            raise ValueError(f"{each} is neither a tf.train.SessionRunHook nor a tf.contrib.learn monitor")
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks
