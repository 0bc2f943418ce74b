"""tf.contrib.learn.graph_actions: trains, evaluates and runs a graph that is built already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.contrib.learn.monitors import BaseMonitor, RunHookAdapterForMonitors
from evergraph.estimator.eval_files import write_metrics
from evergraph.frontend.array import constant
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import tables_initializer
from evergraph.frontend.resources import initialize_resources, shared_resources
from evergraph.frontend.variables.assign import global_variables_initializer, local_variables_initializer
from evergraph.graph.graph import Graph, default_graph
from evergraph.run.session import Session
from evergraph.save.saver import Saver
from evergraph.summary.writer import FileWriterCache
from evergraph.train.coordinator import Coordinator
from evergraph.train.global_step import get_global_step
from evergraph.train.hooks import CheckpointSaverHook, FeedFnHook, NanTensorHook, StopAtStepHook, SummarySaverHook
from evergraph.train.monitored import ChiefSessionCreator, MonitoredSession, Scaffold, WorkerSessionCreator
from evergraph.train.queue_runner import start_queue_runners
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunHook


def _named(name: str) -> Any:
    return export(f"contrib.learn.graph_actions.{name}")


@_named("clear_summary_writers")
def clear_summary_writers() -> None:
    """Closes and forgets all summary writers."""
    FileWriterCache.clear()


@_named("get_summary_writer")
def get_summary_writer(logdir: Any) -> Any:
    """The summary writer of a directory."""
    return FileWriterCache.get(logdir)


@_named("train")
def train(graph: Graph, output_dir: Any, train_op: Any, loss_op: Any, global_step_tensor: Any = None,
          init_op: Any = None, init_feed_dict: Any = None, init_fn: Any = None, log_every_steps: int = 10,
          supervisor_is_chief: bool = True, supervisor_master: str = "", supervisor_save_model_secs: float = 600,
          keep_checkpoint_max: int | None = 5, supervisor_save_summaries_steps: int = 100,
          feed_fn: Callable[[], Any] | None = None, steps: int | None = None, fail_on_nan_loss: bool = True,
          monitors: Sequence[Any] | None = None, max_steps: int | None = None) -> Any:
    """Trains the model of a graph; gives the last loss.

    Args:
        graph: the graph.
        output_dir: the directory of checkpoints and events.
        train_op: the operation of a step.
        loss_op: the loss.
        global_step_tensor: the global step; by default that of the graph.
        init_op, init_feed_dict, init_fn: see tf.train.Scaffold.
        log_every_steps: in how many steps the loss is logged once.
        supervisor_is_chief: whether this process initializes and saves.
        supervisor_master: the target of the session.
        supervisor_save_model_secs: the number of seconds between checkpoints.
        keep_checkpoint_max: how many checkpoints to keep.
        supervisor_save_summaries_steps: the number of steps between summaries.
        feed_fn: gives the feeds of each step; it raises StopIteration to end training.
        steps: for how many steps to train.
        fail_on_nan_loss: whether a loss that is no number raises, rather than ends training.
        monitors: monitors, or SessionRunHooks.
        max_steps: the global step to train to.

    Raises:
        ValueError: something that it needs is missing.
    """
    for value, message in ((output_dir, "Output directory should be non-empty"), (train_op, "Missing train_op."),
                           (loss_op, "Missing loss_op.")):
        if value is None or (isinstance(value, str) and not value):
            raise ValueError(f"{message} Given: {value!r}")
    if steps is not None and max_steps is not None:
        raise ValueError("Can not provide both steps and max_steps.")
    with graph.as_default():
        step = global_step_tensor if global_step_tensor is not None else get_global_step(graph)
        if step is None:
            raise ValueError("the graph has no global_step: make one with tf.train.create_global_step")
        last = _Last(loss_op, log_every_steps)
        hooks: list[SessionRunHook] = [NanTensorHook(loss_op, fail_on_nan_loss), last,
                                       *_bridged(monitors, supervisor_is_chief)]
        if steps is not None or max_steps is not None:
            hooks.append(StopAtStepHook(steps, max_steps))
        if feed_fn is not None:
            hooks.append(FeedFnHook(feed_fn))
        saver = next(iter(get_collection(GraphKeys.SAVERS)), None) or Saver(
            sharded=True, max_to_keep=keep_checkpoint_max, defer_build=True)
        scaffold = Scaffold(init_op=init_op, init_feed_dict=init_feed_dict, init_fn=_init(init_fn), saver=saver,
                            local_init_op=next(iter(get_collection(GraphKeys.LOCAL_INIT_OP)), None),
                            ready_for_local_init_op=None if supervisor_is_chief else _ready_for_local_init())
        if supervisor_is_chief:
            hooks += [CheckpointSaverHook(output_dir, save_secs=supervisor_save_model_secs, scaffold=scaffold),
                      SummarySaverHook(supervisor_save_summaries_steps, output_dir=output_dir, scaffold=scaffold)]
            creator: Any = ChiefSessionCreator(scaffold, supervisor_master, checkpoint_dir=output_dir)
        else:
            creator = WorkerSessionCreator(scaffold, supervisor_master)
        with MonitoredSession(creator, hooks) as session:
            while not session.should_stop():
                session.run(train_op)
    return last.value


def _ready_for_local_init() -> Any:
    """What a worker waits for before it initializes local variables: nothing, unless the graph says so."""
    found = get_collection(GraphKeys.READY_FOR_LOCAL_INIT_OP)
    return found[0] if found else constant([], dtypes.string)


def _init(init_fn: Any) -> Any:
    return None if init_fn is None else lambda scaffold, session: init_fn(session)


def _bridged(monitors: Sequence[Any] | None, is_chief: bool) -> list[SessionRunHook]:
    """Hooks, and one for all monitors that run here."""
    found = [each for each in monitors or () if not isinstance(each, BaseMonitor)]
    watching = [each for each in monitors or () if isinstance(each, BaseMonitor)
                and (is_chief or each.run_on_all_workers)]
    return [*found, RunHookAdapterForMonitors(watching)] if watching else found


class _Last(SessionRunHook):
    """Keeps the last loss, and logs some."""

    def __init__(self, loss: Any, every: int) -> None:
        self._loss, self._every, self._runs, self.value = loss, every, 0, None

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.value = run_values.results
        if self._every and self._runs % self._every == 0:
            logging.info("training step %d: loss = %s", self._runs, self.value)
        self._runs += 1


@_named("evaluate")
def evaluate(graph: Graph, output_dir: Any, checkpoint_path: str | None, eval_dict: Mapping[str, Any],
             update_op: Any = None, global_step_tensor: Any = None, supervisor_master: str = "",
             log_every_steps: int = 10, feed_fn: Callable[[], Any] | None = None,
             max_steps: int | None = None) -> tuple[dict[str, Any], int]:
    """(the values of tensors after a number of steps, the global step), which it also writes as summaries.

    Args:
        graph: the graph.
        output_dir: the directory of events.
        checkpoint_path: the checkpoint to restore; without one the variables are initialized.
        eval_dict: tensors by name.
        update_op: what a step runs; `eval_dict` by default.
        global_step_tensor: the global step; by default that of the graph.
        supervisor_master: the target of the session.
        log_every_steps: in how many steps the results are logged once.
        feed_fn: gives the feeds of each step; it raises StopIteration to end.
        max_steps: the number of steps; None evaluates until the input ends.

    Raises:
        ValueError: there is no directory, or no global step.
    """
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty, got {output_dir!r}")
    with graph.as_default():
        step = global_step_tensor if global_step_tensor is not None else get_global_step(graph)
        if step is None:
            raise ValueError("the graph has no global_step: make one with tf.train.create_global_step")
        scaffold = Scaffold(saver=next(iter(get_collection(GraphKeys.SAVERS)), None))
        creator = ChiefSessionCreator(scaffold, supervisor_master, checkpoint_filename_with_path=checkpoint_path)
        results: dict[str, Any] = {}
        feeds, number = None, 0
        with MonitoredSession(creator) as session:
            global_step = int(session.run(step))
            while not session.should_stop() and (max_steps is None or number < max_steps):
                if feed_fn is not None:
                    try:
                        feeds = feed_fn()
                    except StopIteration:
                        break
                if update_op is None:
                    results = session.run(dict(eval_dict), feeds)
                else:
                    session.run(update_op, feeds)
                if log_every_steps and number % log_every_steps == 0:
                    logging.info("evaluation step %d: %s", number, results)
                number += 1
            if update_op is not None:
                results = session.run(dict(eval_dict), feeds)
    write_metrics(output_dir, results, global_step)
    return results, global_step


@_named("run_feeds_iter")
def run_feeds_iter(output_dict: Mapping[str, Any], feed_dicts: Iterable[Any],
                   restore_checkpoint_path: str | None = None) -> Iterator[dict[str, Any]]:
    """Yields the values of tensors for each of several feeds, in a session whose variables are initialized.

    Args:
        output_dict: the tensors by name, of one graph.
        feed_dicts: the feeds of each run, which may be None.
        restore_checkpoint_path: a checkpoint whose values the variables get.
    """
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    graph = next((tensor.graph for tensor in output_dict.values()), default_graph())
    with graph.as_default(), Session() as session:
        session.run(initialize_resources(shared_resources()))
        session.run(group(global_variables_initializer(), local_variables_initializer()))
        session.run(tables_initializer())
        if restore_checkpoint_path is not None:
            Saver().restore(session, restore_checkpoint_path)
        coordinator = Coordinator()
        threads = start_queue_runners(session, coordinator)
        try:
            for feeds in feed_dicts:
                yield session.run(dict(output_dict), feeds)
        finally:
            coordinator.request_stop()
            coordinator.join(threads, ignore_live_threads=True)


@_named("run_feeds")
def run_feeds(output_dict: Mapping[str, Any], feed_dicts: Iterable[Any],
              restore_checkpoint_path: str | None = None) -> list[dict[str, Any]]:
    """The values of tensors for each of several feeds; see `run_feeds_iter`."""
    return list(run_feeds_iter(output_dict, feed_dicts, restore_checkpoint_path))


@export("contrib.learn.run_n")
@_named("run_n")
def run_n(output_dict: Mapping[str, Any], feed_dict: Mapping[Any, Any] | None = None,
          restore_checkpoint_path: str | None = None, n: int = 1) -> list[dict[str, Any]]:
    """The values of tensors in several runs with the same feeds, in a session whose variables are initialized.

    >>> found = tf.contrib.learn.run_n({"twice": 2 * tf.constant(3)}, n=2)

    Args:
        output_dict: the tensors by name, of one graph.
        feed_dict: what to feed in each run.
        restore_checkpoint_path: a checkpoint whose values the variables get.
        n: the number of runs.
    """
    return run_feeds(output_dict, [feed_dict] * n, restore_checkpoint_path)


@_named("infer")
def infer(restore_checkpoint_path: str | None, output_dict: Mapping[str, Any],
          feed_dict: Mapping[Any, Any] | None = None) -> dict[str, Any]:
    """The values of tensors in one run; see `run_n`."""
    return run_n(output_dict, feed_dict, restore_checkpoint_path, 1)[0]


for _name in ("run_feeds", "run_feeds_iter", "infer", "evaluate", "train"):
    export(f"contrib.learn.{_name}")(globals()[_name])
