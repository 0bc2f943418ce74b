"""tf.contrib.slim.learning.train and tf.contrib.slim.evaluation: loops of training and evaluation."""
from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base import errors, logging
from evergraph.base.export import export, names_in
from evergraph.frontend.blocks import device, name_scope
from evergraph.frontend.collections import GraphKeys, get_collection, get_collection_ref
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import tables_initializer
from evergraph.frontend.math import cast
from evergraph.frontend.variables.assign import global_variables_initializer, local_variables_initializer
from evergraph.graph.convert import constant
from evergraph.graph.graph import default_graph
from evergraph.ops.math import elementwise
from evergraph.run.session import Session
from evergraph.save.reader import checkpoints_iterator, wait_for_new_checkpoint
from evergraph.save.saver import Saver
from evergraph.save.state import latest_checkpoint
from evergraph.summary import summaries
from evergraph.summary.writer import FileWriter
from evergraph.train.coordinator import Coordinator
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.monitored import MonitoredSession, SessionCreator
from evergraph.train.queue_runner import start_queue_runners

_USE_DEFAULT = 0

_names = names_in("contrib.slim")


export(*_names("evaluation.checkpoints_iterator"), module="evergraph.save.reader")(checkpoints_iterator)
export(*_names("evaluation.wait_for_new_checkpoint"), module="evergraph.save.reader")(wait_for_new_checkpoint)


@export(*_names("learning.train_step"))
def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """Makes a step of training; (the loss, whether training is over).

    Args:
        sess: the session.
        train_op: gives the loss.
        global_step: counts steps.
        train_step_kwargs: `should_stop` and `should_log`, bool tensors; others are for functions of one's own.
    """
    start = time.time()
    loss, step = sess.run([train_op, global_step])
    elapsed = time.time() - start
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, elapsed)
    stop = bool(sess.run(train_step_kwargs["should_stop"])) if "should_stop" in train_step_kwargs else False
    return loss, stop


def _default_kwargs(global_step: Any, number_of_steps: int | None, log_every_n_steps: int) -> dict[str, Any]:
    with name_scope("train_step"):
        kwargs = {"should_stop": elementwise.greater_equal(global_step, number_of_steps) if number_of_steps
                  else constant(False)}
        if log_every_n_steps > 0:
            kwargs["should_log"] = elementwise.equal(
                elementwise.floor_mod(cast(global_step, "int64"), constant(log_every_n_steps, "int64")),
                constant(0, "int64"))
    return kwargs


class _Keeper:
    """Saves checkpoints and summaries every so many seconds."""

    def __init__(self, session: Any, logdir: Any, saver: Any, global_step: Any, summary_op: Any, writer: Any,
                 save_every: float, summarize_every: float) -> None:
        self.session, self.saver, self.global_step = session, saver, global_step
        self.path = os.path.join(logdir, "model.ckpt") if logdir else None
        self.summary_op, self.writer = summary_op, writer
        self.save_every, self.summarize_every = save_every, summarize_every
        self.saved = self.summarized = time.time()

    def look(self) -> None:
        """Does what is due."""
        now = time.time()
        if self.path and self.saver and self.save_every and now - self.saved >= self.save_every:
            self.save()
        if self.summary_op is not None and self.writer and self.summarize_every and \
                now - self.summarized >= self.summarize_every:
            self.summarize()

    def save(self) -> None:
        if self.path and self.saver:
            self.saved = time.time()
            self.saver.save(self.session, self.path, global_step=self.global_step)

    def summarize(self) -> None:
        if self.summary_op is not None and self.writer:
            self.summarized = time.time()
            text, step = self.session.run([self.summary_op, self.global_step])
            self.writer.add_summary(text, step)
            self.writer.flush()


@export(*_names("learning.train"))
def train(train_op: Any, logdir: str | None, train_step_fn: Callable[..., Any] = train_step,
          train_step_kwargs: Any = _USE_DEFAULT, log_every_n_steps: int = 1, graph: Any = None, master: str = "",
          is_chief: bool = True, global_step: Any = None, number_of_steps: int | None = None,
          init_op: Any = _USE_DEFAULT, init_feed_dict: Any = None, local_init_op: Any = _USE_DEFAULT,
          init_fn: Any = None, ready_op: Any = _USE_DEFAULT, summary_op: Any = _USE_DEFAULT,
          save_summaries_secs: float = 600, summary_writer: Any = _USE_DEFAULT, startup_delay_steps: int = 0,
          saver: Any = None, save_interval_secs: float = 600, sync_optimizer: Any = None, session_config: Any = None,
          session_wrapper: Any = None, trace_every_n_steps: Any = None, ignore_live_threads: bool = False) -> Any:
    """Trains until the number of steps is reached or the input ends; begins where the last checkpoint in `logdir` is.

    Checkpoints and summaries are written between steps, when they are due; and a checkpoint at the end.

    Args:
        train_op: gives the loss when a step is made; see `create_train_op`.
        logdir: where checkpoints and summaries go; None for nowhere.
        train_step_fn: makes a step: see `train_step`.
        train_step_kwargs: its last argument; by default `should_stop` and `should_log`.
        log_every_n_steps: how often the loss is logged.
        graph: by default that of the operation.
        master: the target of the session.
        is_chief: whether this process initializes and saves; others are not supported.
        global_step: counts steps; by default the graph's own.
        number_of_steps: when to end; None for never.
        init_op, init_feed_dict, local_init_op, init_fn: initialize where there is no checkpoint; `init_fn` gets the
            session.
        ready_op: gives the names of variables that are not initialized; an error if there are any.
        summary_op: what is summarized; by default everything, None for nothing.
        save_summaries_secs: how often.
        summary_writer: by default one for `logdir`.
        startup_delay_steps: how many steps others must have made before this process begins.
        saver: by default one for all variables.
        save_interval_secs: how often checkpoints are written.
        sync_optimizer: optimizers over several processes are not supported here.
        session_config: a ConfigProto.
        session_wrapper: a function from the session to what is used in its place.
        trace_every_n_steps: traces are not supported here.
        ignore_live_threads: whether threads that do not end are no error.

    Returns:
        The last loss.

    Raises:
        ValueError: there is nothing to train, or a number is negative.
    """
    if train_op is None:
        raise ValueError("there is no train_op")
    if logdir is None and saver is not None:
        raise ValueError("a saver needs a logdir")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError(f"number_of_steps must be positive, got {number_of_steps}")
    for name, value in (("sync_optimizer", sync_optimizer), ("trace_every_n_steps", trace_every_n_steps)):
        if value is not None:
            raise errors.UnimplementedError(None, None, f"tf.contrib.slim.learning.train({name}=...)")
    if not is_chief or startup_delay_steps:
        raise errors.UnimplementedError(None, None, "tf.contrib.slim.learning.train with several processes")
    with (graph or train_op.graph).as_default() as current, device("/device:CPU:0"):
        step = get_or_create_global_step() if global_step is None else global_step
        kwargs = _default_kwargs(step, number_of_steps, log_every_n_steps) if train_step_kwargs is _USE_DEFAULT \
            else train_step_kwargs or {}
        saver = (saver or Saver()) if logdir else None
        start = global_variables_initializer() if init_op is _USE_DEFAULT else init_op
        local = group(local_variables_initializer(), tables_initializer()) if local_init_op is _USE_DEFAULT \
            else local_init_op
        summary_op = _merged() if summary_op is _USE_DEFAULT else summary_op
        writer = summary_writer if summary_writer is not _USE_DEFAULT else \
            FileWriter(logdir, current) if logdir and summary_op is not None else None
    with Session(master, graph=current, config=session_config) as session:
        session = session if session_wrapper is None else session_wrapper(session)
        _begin(session, logdir, saver, start, init_feed_dict, local, init_fn)
        if ready_op is not _USE_DEFAULT and ready_op is not None and len(session.run(ready_op)):
            raise errors.FailedPreconditionError(None, None, "Variables not initialized: "
                                                             f"{session.run(ready_op)}")
        keeper = _Keeper(session, logdir, saver, step, summary_op, writer, save_interval_secs, save_summaries_secs)
        return _loop(session, train_op, step, train_step_fn, kwargs, keeper, ignore_live_threads)


def _merged() -> Any:
    """All summaries as one, the same each time."""
    kept = get_collection_ref(GraphKeys.SUMMARY_OP)
    if not kept:
        made = summaries.merge_all()
        if made is None:
            return None
        kept.append(made)
    return kept[0]


def _begin(session: Any, logdir: Any, saver: Any, start: Any, feeds: Any, local: Any, init_fn: Any) -> None:
    """Restores the last checkpoint, or initializes."""
    last = latest_checkpoint(logdir) if logdir else None
    if local is not None:
        session.run(local)
    if last and saver:
        saver.restore(session, last)
        return
    if start is not None:
        session.run(start, feeds)
    if init_fn is not None:
        init_fn(session)


def _loop(session: Any, train_op: Any, step: Any, train_step_fn: Any, kwargs: Any, keeper: _Keeper,
          ignore_live_threads: bool) -> Any:
    loss, coordinator = None, Coordinator()
    threads = start_queue_runners(session, coordinator)
    logging.info("Starting Session.")
    try:
        while not coordinator.should_stop():
            loss, over = train_step_fn(session, train_op, step, kwargs)
            keeper.look()
            if over:
                logging.info("Stopping Training.")
                break
    except errors.OutOfRangeError as error:
        logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
    keeper.save()
    if keeper.summarize_every:
        with contextlib.suppress(errors.OutOfRangeError):
            keeper.summarize()
    coordinator.request_stop()
    coordinator.join(threads, stop_grace_period_secs=120, ignore_live_threads=ignore_live_threads)
    return loss


# ---- evaluation

class _Restored(SessionCreator):
    """Makes sessions with the variables of a checkpoint, and starts their queue runners.

    Args:
        master, config: those of the session.
        checkpoint: the checkpoint; None for none.
        variables: what to restore; by default all.
        init_fn: a function of the session, called at last; None for none.
    """

    def __init__(self, master: str, config: Any, checkpoint: str | None, variables: Any, init_fn: Any = None) -> None:
        self._master, self._config, self._checkpoint, self._init_fn = master, config, checkpoint, init_fn
        self._saver = Saver(variables or get_collection(GraphKeys.GLOBAL_VARIABLES)) if checkpoint else None
        self._local = group(local_variables_initializer(), tables_initializer())
        self.coordinator = Coordinator()
        self._threads: list[Any] = []

    def create_session(self) -> Session:
        """A session that is ready."""
        session = Session(self._master, graph=default_graph(), config=self._config)
        session.run([global_variables_initializer(), self._local])
        if self._saver is not None:
            self._saver.restore(session, self._checkpoint)
        if self._init_fn is not None:
            self._init_fn(session)
        self._threads = start_queue_runners(session, self.coordinator)
        return session

    def stop(self) -> None:
        """Ends the queue runners."""
        self.coordinator.request_stop()
        self.coordinator.join(self._threads, stop_grace_period_secs=120)


@contextlib.contextmanager
def _evaluating(creator: _Restored, hooks: Any = None) -> Iterator[Any]:
    """A session of the creator, under the eyes of hooks."""
    with MonitoredSession(creator, hooks) if hooks else creator.create_session() as session:
        try:
            yield session
        finally:
            creator.stop()


def _evaluated(session: Any, num_evals: int, initial: tuple[Any, Any], each: tuple[Any, Any], final: tuple[Any, Any],
               writer: Any, summary: tuple[Any, Any], step: Any) -> Any:
    """Runs the operations; gives the value of the final one."""
    if initial[0] is not None:
        session.run(*initial)
    if each[0] is not None:
        with contextlib.suppress(errors.OutOfRangeError):  # the input may end before
            for _ in range(num_evals):
                session.run(*each)
    value = None if final[0] is None else session.run(*final)
    if summary[0] is not None:
        writer.add_summary(session.run(*summary), session.run(step))
        writer.flush()
    return value


@export(*_names("evaluation.evaluate_once"))
def evaluate_once(master: str, checkpoint_path: str, logdir: str, num_evals: int = 1, initial_op: Any = None,
                  initial_op_feed_dict: Any = None, eval_op: Any = None, eval_op_feed_dict: Any = None,
                  final_op: Any = None, final_op_feed_dict: Any = None, summary_op: Any = _USE_DEFAULT,
                  summary_op_feed_dict: Any = None, variables_to_restore: Any = None, session_config: Any = None,
                  hooks: Any = None) -> Any:
    """Evaluates a checkpoint; gives the value of `final_op`.

    Args:
        master: the target of the session.
        checkpoint_path: the checkpoint.
        logdir: where summaries go.
        num_evals: how often `eval_op` runs.
        initial_op, initial_op_feed_dict: run first.
        eval_op, eval_op_feed_dict: run each time.
        final_op, final_op_feed_dict: run last.
        summary_op, summary_op_feed_dict: what is summarized; by default everything, None for nothing.
        variables_to_restore: by default all.
        session_config: a ConfigProto.
        hooks: SessionRunHooks of the session.
    """
    summary_op = _merged() if summary_op is _USE_DEFAULT else summary_op
    step = get_or_create_global_step()
    writer = FileWriter(logdir, default_graph()) if summary_op is not None else None
    with _evaluating(_Restored(master, session_config, checkpoint_path, variables_to_restore), hooks) as session:
        return _evaluated(session, num_evals, (initial_op, initial_op_feed_dict), (eval_op, eval_op_feed_dict),
                          (final_op, final_op_feed_dict), writer, (summary_op, summary_op_feed_dict), step)


@export(*_names("evaluation.evaluation_loop"))
def evaluation_loop(master: str, checkpoint_dir: str, logdir: str, num_evals: int = 1, initial_op: Any = None,
                    initial_op_feed_dict: Any = None, init_fn: Any = None, eval_op: Any = None,
                    eval_op_feed_dict: Any = None, final_op: Any = None, final_op_feed_dict: Any = None,
                    summary_op: Any = _USE_DEFAULT, summary_op_feed_dict: Any = None, variables_to_restore: Any = None,
                    eval_interval_secs: float = 60, max_number_of_evaluations: int | None = None,
                    session_config: Any = None, timeout: float | None = None, timeout_fn: Any = None,
                    hooks: Any = None) -> Any:
    """Evaluates each new checkpoint of a directory; gives the last value of `final_op`.

    Args:
        checkpoint_dir: the directory.
        init_fn: a function of the session, once variables are restored.
        eval_interval_secs: the least time between evaluations.
        max_number_of_evaluations: when to end; None for never.
        timeout: how long to wait for a new checkpoint; None for ever.
        timeout_fn: called after that time; waiting ends when it gives True.
        master, logdir, num_evals, initial_op, initial_op_feed_dict, eval_op, eval_op_feed_dict, final_op,
        final_op_feed_dict, summary_op, summary_op_feed_dict, variables_to_restore, session_config, hooks: as for
            `evaluate_once`.
    """
    summary_op = _merged() if summary_op is _USE_DEFAULT else summary_op
    step = get_or_create_global_step()
    writer = FileWriter(logdir, default_graph()) if summary_op is not None else None
    value, count = None, 0
    for path in checkpoints_iterator(checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout,
                                     timeout_fn=timeout_fn):
        with _evaluating(_Restored(master, session_config, path, variables_to_restore, init_fn), hooks) as session:
            value = _evaluated(session, num_evals, (initial_op, initial_op_feed_dict), (eval_op, eval_op_feed_dict),
                               (final_op, final_op_feed_dict), writer, (summary_op, summary_op_feed_dict), step)
        count += 1
        if max_number_of_evaluations is not None and count >= max_number_of_evaluations:
            break
    return value
