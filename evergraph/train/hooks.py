"""The hooks of tf.train: they save, log, count, watch, wait, feed and stop while a monitored session trains."""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors, files, logging
from evergraph.base.export import export
from evergraph.formats.replace import replace_file
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.save.meta_graph import export_meta_graph, write
from evergraph.summary.writer import FileWriterCache
from evergraph.train.chrome_trace import Timeline
from evergraph.train.global_step import get_global_step, global_step_read
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from evergraph.train.timer import SecondOrStepTimer


def _public(name: str) -> Callable[[Any], Any]:
    return export(f"train.{name}", f"estimator.{name}", module=__name__)


def _global_step_for(hook: SessionRunHook) -> Tensor:
    """A tensor with the global step from before the run, in which it may be counted up.

    Raises:
        RuntimeError: there is no global step.
    """
    value = global_step_read()
    if value is None:
        raise RuntimeError(f"{type(hook).__name__} needs a global step: tf.train.get_or_create_global_step() makes one")
    return value


def session_log(status: str, **fields: Any) -> Any:
    log = proto.event_pb2.SessionLog
    return log(status=log.SessionStatus.Value(status), **fields)


class _StepHook(SessionRunHook):
    """A hook that does something every few steps or seconds, which are counted by the global step.

    A run gives the step from before it, so that the step is read once more when it may be due.
    """

    _timer: SecondOrStepTimer
    _step: Tensor
    _asks: SessionRunArgs  # the same in each run, so that the session need not merge it with the others' again
    _steps_per_run = 1

    def _find_step(self) -> None:
        self._step = _global_step_for(self)
        self._asks = SessionRunArgs(self._step)

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Says by how much one run counts up the step, when it trains in a loop of its own."""
        self._steps_per_run = steps_per_run

    def _step_when_due(self, run_context: SessionRunContext, step_before: int) -> int | None:
        """The step after the run, when the timer triggers for it."""
        if self._timer.should_trigger_for_step(step_before + self._steps_per_run):
            step = run_context.session.run(self._step)
            if self._timer.should_trigger_for_step(step):
                return step
        return None


# ---- stopping


@_public("StopAtStepHook")
class StopAtStepHook(SessionRunHook):
    """Stops training at a global step.

    Args:
        num_steps: the number of steps to train, counted from the global step at the start.
        last_step: the global step to stop at. Exactly one of the two must be given.

    Raises:
        ValueError: both or neither are given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if (num_steps is None) == (last_step is None):
            raise ValueError("give one of num_steps and last_step")
        self._num_steps, self._last_step = num_steps, last_step

    @property
    def last_step(self) -> int | None:
        """The global step to stop at; None where it is counted from a start that is not known yet."""
        return self._last_step

    def begin(self) -> None:
        self._step = _global_step_for(self)
        self._asks = SessionRunArgs(self._step)

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = int(session.run(self._step)) + self._num_steps

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return self._asks

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if int(run_values.results) + 1 >= self._last_step and run_context.session.run(self._step) >= self._last_step:
            run_context.request_stop()


@_public("NanLossDuringTrainingError")
class NanLossDuringTrainingError(RuntimeError):
    """Raised by `tf.train.NanTensorHook` when the loss is NaN."""

    def __str__(self) -> str:
        return self.args[0] if self.args else "the loss has become NaN during training"


@_public("NanTensorHook")
class NanTensorHook(SessionRunHook):
    """Stops training when the loss is NaN.

    Args:
        loss_tensor: the loss, a scalar tensor.
        fail_on_nan_loss: whether to raise NanLossDuringTrainingError; otherwise training stops without an error.
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._asks, self._is_error = SessionRunArgs(loss_tensor), fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return self._asks

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if run_values.results == run_values.results:  # NaN alone differs from itself
            return
        if self._is_error:
            logging.error("Training has diverged: the loss is NaN.")
            raise NanLossDuringTrainingError
        logging.warning("Training has diverged: the loss is NaN. Stopping.")
        run_context.request_stop()


# ---- logging


def _fetchable(tensor: Any) -> Any:
    """A tensor of the default graph, given as itself or by its name or that of its operation."""
    graph = default_graph()
    if not isinstance(tensor, str):
        if getattr(tensor, "graph", None) is not graph:
            raise ValueError(f"{tensor!r} is not of the default graph")
        return tensor
    if ":" in tensor:
        return graph.as_graph_element(tensor)
    found = graph.as_graph_element(f"{tensor}:0")
    if len(found.op.outputs) > 1:
        raise ValueError(f"{tensor} has {len(found.op.outputs)} outputs: say which, as in '{tensor}:0'")
    return found


@_public("LoggingTensorHook")
class LoggingTensorHook(SessionRunHook):
    """Logs the values of tensors at level INFO, every few runs or seconds, or at the end.

    Args:
        tensors: a dict from labels to tensors or tensor names, or a list of these.
        every_n_iter: logs in the first of every `every_n_iter` runs.
        every_n_secs: logs at most once in `every_n_secs` seconds.
        at_end: whether to log when the session is closed; without the other two, only then.
        formatter: a function from the dict of values to the text.

    Raises:
        ValueError: both of `every_n_iter` and `every_n_secs` are given, or neither and `at_end` is false.
    """

    # Classes of programs read and replace these; the names are TensorFlow's.
    _current_tensors: dict[Any, Any]
    _iter_count, _should_trigger = 0, False
    _asks: SessionRunArgs | None = None

    def __init__(self, tensors: Any, every_n_iter: int | None = None, every_n_secs: float | None = None,
                 at_end: bool = False, formatter: Callable[[dict[Any, Any]], str] | None = None) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("give exactly one of every_n_iter and every_n_secs, unless at_end alone says when to log")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}: it has to be positive")
        self._tensors = dict(tensors) if isinstance(tensors, Mapping) else {tensor: tensor for tensor in tensors}
        self._tag_order = sorted(self._tensors) if isinstance(tensors, Mapping) else list(tensors)
        self._timer = None if only_at_end else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        self._log_at_end, self._formatter = at_end, formatter

    def begin(self) -> None:
        self._iter_count, self._should_trigger = 0, False
        if self._timer is not None:
            self._timer.reset()
        self._current_tensors = {tag: _fetchable(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._should_trigger = self._timer is not None and self._timer.should_trigger_for_step(self._iter_count)
        if self._asks is None or self._asks.fetches is not self._current_tensors:
            self._asks = SessionRunArgs(self._current_tensors)
        return self._asks if self._should_trigger else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._should_trigger:
            self._log_tensors(run_values.results)
        self._iter_count += 1

    def end(self, session: Any) -> None:
        if self._log_at_end:
            self._log_tensors(session.run(self._current_tensors))

    def _log_tensors(self, values: dict[Any, Any]) -> None:
        secs = None if self._timer is None else self._timer.update_last_triggered_step(self._iter_count)[0]
        with np.printoptions(suppress=True):
            if self._formatter is not None:
                logging.info(self._formatter(values))
                return
            text = ", ".join(f"{tag} = {values[tag]!s}" for tag in self._tag_order)
            logging.info("%s", text if secs is None else f"{text} ({secs:.3f} sec)")


@_public("StepCounterHook")
class StepCounterHook(_StepHook):
    """Measures global steps per second, logs them and writes them as a summary.

    Args:
        every_n_steps: the number of steps between measurements.
        every_n_secs: the number of seconds between measurements. Exactly one of the two must be given.
        output_dir: the directory of the event file.
        summary_writer: a FileWriter, in place of a directory.

    Raises:
        ValueError: both or neither of `every_n_steps` and `every_n_secs` are given.
    """

    def __init__(self, every_n_steps: int | None = 100, every_n_secs: float | None = None,
                 output_dir: str | None = None, summary_writer: Any = None) -> None:
        self._timer = SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_steps)
        self._output_dir, self._writer = output_dir, summary_writer
        self._last_seen: int | None = None

    def begin(self) -> None:
        if self._writer is None and self._output_dir:
            self._writer = FileWriterCache.get(self._output_dir)
        self._find_step()
        self._tag = f"{get_global_step().op.name}/sec"

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return self._asks

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        before = int(run_values.results)
        step = self._step_when_due(run_context, before)
        if step is not None:
            secs, steps = self._timer.update_last_triggered_step(step)
            if secs is not None and steps is not None:
                self._record(steps / secs if secs > 0 else float("inf"), step)
        if before == self._last_seen:
            logging.log_first_n(logging.WARN, "the global step %s has not been increased by the last run: pass "
                                "tf.train.get_global_step() to minimize or apply_gradients", 5, before)
        self._last_seen = before

    def _record(self, rate: float, step: int) -> None:
        """Takes note of how many steps a second has."""
        self._write(self._tag, rate, step)

    def _write(self, tag: str, rate: float, step: int) -> None:
        if self._writer is not None:
            value = proto.summary_pb2.Summary.Value(tag=tag, simple_value=rate)
            self._writer.add_summary(proto.summary_pb2.Summary(value=[value]), step)
        logging.info("%s: %g", tag, rate)


# ---- saving


@_public("CheckpointSaverListener")
class CheckpointSaverListener:
    """The base class of listeners of a CheckpointSaverHook; a subclass overrides the methods that it needs."""

    def begin(self) -> None:
        """Called once before the session is created; the graph can still be changed."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before each checkpoint is written."""

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Called after each checkpoint was written; a true result stops training."""

    def end(self, session: Any, global_step_value: int) -> None:
        """Called when the session is closed, after the last checkpoint was written."""


@_public("CheckpointSaverHook")
class CheckpointSaverHook(_StepHook):
    """Saves checkpoints: after the session is created, every few steps or seconds, and before the session is closed.

    Args:
        checkpoint_dir: the directory of the checkpoints.
        save_secs: the number of seconds between checkpoints.
        save_steps: the number of steps between checkpoints. Exactly one of the two must be given.
        saver: the Saver; by default that of `scaffold`, or the one in the graph's collection of savers.
        checkpoint_basename: the prefix of the names of checkpoints.
        scaffold: the Scaffold with the saver.
        listeners: CheckpointSaverListeners to call.

    Raises:
        ValueError: both or neither of `save_secs` and `save_steps` are given, or both a saver and a scaffold.
    """

    def __init__(self, checkpoint_dir: str, save_secs: float | None = None, save_steps: int | None = None,
                 saver: Any = None, checkpoint_basename: str = "model.ckpt", scaffold: Any = None,
                 listeners: Sequence[CheckpointSaverListener] | None = None) -> None:
        if saver is not None and scaffold is not None:
            raise ValueError("give saver or scaffold, not both")
        logging.info("Create CheckpointSaverHook.")
        self._saver, self._scaffold, self._listeners = saver, scaffold, list(listeners or ())
        self._folder, self._path = checkpoint_dir, os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def add_listener(self, listener: CheckpointSaverListener) -> None:
        """Adds a listener, before the session is created."""
        self._listeners.append(listener)

    def begin(self) -> None:
        self._writer = FileWriterCache.get(self._folder)
        self._find_step()
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        step = session.run(self._step)
        graph = default_graph()
        content = graph.as_graph_def(add_shapes=True)
        # For people to look at; each training writes it anew.
        write(os.path.join(self._folder, "graph.pbtxt"), content, as_text=True, is_durable=False)
        self._writer.add_graph(graph)
        saver_def = self._get_saver().saver_def
        self._writer.add_meta_graph(export_meta_graph(graph_def=content, saver_def=saver_def))
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return self._asks

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        step = self._step_when_due(run_context, int(run_values.results))
        if step is not None:
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        step = session.run(self._step)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: int) -> bool:
        """Saves; gives whether a listener wants to stop."""
        logging.info("Saving checkpoints for %d into %s.", step, self._path)
        self._writer.flush()  # events of steps that the checkpoint has are not lost with the process
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._path, global_step=step)
        self._writer.add_session_log(session_log("CHECKPOINT", checkpoint_path=self._path), step)
        wishes = [listener.after_save(session, step) for listener in self._listeners]
        return any(wishes)

    def _get_saver(self) -> Any:
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        found = get_collection(GraphKeys.SAVERS)
        if len(found) != 1:
            raise RuntimeError(f"the graph has {len(found)} savers in its collection: give saver or scaffold")
        return found[0]


@_public("SummarySaverHook")
class SummarySaverHook(_StepHook):
    """Writes summaries to an event file, in the first run and every few steps or seconds.

    Args:
        save_steps: the number of steps between summaries.
        save_secs: the number of seconds between summaries. Exactly one of the two must be given.
        output_dir: the directory of the event file.
        summary_writer: a FileWriter, in place of a directory.
        scaffold: the Scaffold with the merged summary.
        summary_op: a string tensor with serialized summaries, or a list of them. Exactly one of the two must be given.

    Raises:
        ValueError: both or neither are given where exactly one must be.
    """

    def __init__(self, save_steps: int | None = None, save_secs: float | None = None, output_dir: str | None = None,
                 summary_writer: Any = None, scaffold: Any = None, summary_op: Any = None) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError("give exactly one of scaffold and summary_op")
        self._summary_op, self._scaffold = summary_op, scaffold
        self._output_dir, self._writer = output_dir, summary_writer
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        if self._writer is None and self._output_dir:
            self._writer = FileWriterCache.get(self._output_dir)
        self._next_step: int | None = None
        self._find_step()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._is_due = self._next_step is None or self._timer.should_trigger_for_step(self._next_step)
        if not self._is_due:
            return self._asks
        summaries = self._scaffold.summary_op if self._summary_op is None else self._summary_op
        several = summaries if isinstance(summaries, (list, tuple)) else [] if summaries is None else [summaries]
        return SessionRunArgs(list(several))

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._writer is None:
            return
        step = run_context.session.run(self._step) if self._is_due else int(run_values.results) + 1
        if self._next_step is None:
            self._writer.add_session_log(session_log("START"), step)
        if self._is_due:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results:
                self._writer.add_summary(summary, step)
        self._next_step = int(step) + 1

    def end(self, session: Any = None) -> None:
        if self._writer is not None:
            self._writer.flush()


@_public("ProfilerHook")
class ProfilerHook(_StepHook):
    """Profiles a run every few steps or seconds, except the first: writes a Chrome trace and an event for TensorBoard.

    A trace is a file "timeline-<step>.json", which chrome://tracing shows.

    Args:
        save_steps: the number of steps between profiles.
        save_secs: the number of seconds between profiles. Exactly one of the two must be given.
        output_dir: the directory of the files.
        show_dataflow: whether the trace has arrows from operations to the consumers of their outputs.
        show_memory: whether the trace has a graph of the memory that live outputs take.

    Raises:
        ValueError: both or neither of `save_steps` and `save_secs` are given.
    """

    def __init__(self, save_steps: int | None = None, save_secs: float | None = None, output_dir: str = "",
                 show_dataflow: bool = True, show_memory: bool = False) -> None:
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._folder, self._shown = output_dir, {"show_dataflow": show_dataflow, "show_memory": show_memory}
        self._writer = FileWriterCache.get(output_dir)

    def begin(self) -> None:
        self._next_step: int | None = None
        self._find_step()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._is_due = self._next_step is not None and self._timer.should_trigger_for_step(self._next_step)
        if not self._is_due:
            return self._asks
        options = proto.config_pb2.RunOptions
        return SessionRunArgs(self._step, options=options(trace_level=options.FULL_TRACE))

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        before = run_values.results
        if self._next_step is None:
            self._timer.update_last_triggered_step(before)
        step = run_context.session.run(self._step) if self._is_due else before + 1
        if self._is_due:
            self._timer.update_last_triggered_step(step)
            self._save(step, run_values.run_metadata)
        self._next_step = step + 1

    def _save(self, step: int, metadata: Any) -> None:
        path = os.path.join(self._folder, f"timeline-{step}.json")
        logging.info("Writing the times of step %d to %s.", step, path)
        if self._folder:
            files.makedirs(self._folder)
        replace_file(path, Timeline(metadata.step_stats).generate_chrome_trace_format(**self._shown).encode())
        self._writer.add_run_metadata(metadata, f"step_{step}", step)


# ---- waiting, feeding, ending


@_public("GlobalStepWaiterHook")
class GlobalStepWaiterHook(SessionRunHook):
    """Delays the first run of a worker until the global step has reached a value; workers then start one by one.

    Args:
        wait_until_step: the global step to wait for; 0 does not wait.
    """

    _SECONDS = 0.5  # between two looks at the step

    def __init__(self, wait_until_step: int) -> None:
        self._wait_until_step = wait_until_step

    def begin(self) -> None:
        self._is_waiting = self._wait_until_step > 0
        self._step = _global_step_for(self)

    def before_run(self, run_context: SessionRunContext) -> None:
        last_told: int | None = None
        while self._is_waiting:
            step = run_context.session.run(self._step)
            if step >= self._wait_until_step:
                self._is_waiting = False
                return
            if last_told is None or step - last_told > 1000:
                logging.info("Waiting for step %d; now it is step %d.", self._wait_until_step, step)
                last_told = step
            time.sleep(self._SECONDS)


@_public("FinalOpsHook")
class FinalOpsHook(SessionRunHook):
    """Evaluates tensors or runs operations once, before the session is closed.

    Args:
        final_ops: the fetches, in any form that Session.run takes.
        final_ops_feed_dict: the feeds.
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops, self._feed_dict, self._values = final_ops, final_ops_feed_dict, None

    @property
    def final_ops_values(self) -> Any:
        """The fetched values; None before the end."""
        return self._values

    def end(self, session: Any) -> None:
        if self._final_ops is None:
            return
        try:
            self._values = session.run(self._final_ops, feed_dict=self._feed_dict)
        except (errors.OutOfRangeError, StopIteration) as error:
            logging.warning("final_ops ask for more of an input that has ended: %s", error)
            raise


@_public("FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Adds feeds to each run.

    Args:
        feed_fn: a function without arguments that returns a feed_dict.
    """

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(None, feed_dict=self.feed_fn())
