"""tf.train.Supervisor: initializes, saves and summarizes in threads of its own while a program trains."""
from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import logging
from evergraph.base.export import export
from evergraph.frontend.collections import GraphKeys, global_variables
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import tables_initializer
from evergraph.frontend.variables.assign import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from evergraph.graph.graph import Graph, default_graph
from evergraph.ops.state.variables import variable, variable_v2
from evergraph.run.session import Session
from evergraph.save.meta_graph import export_meta_graph, write_graph
from evergraph.save.saver import Saver
from evergraph.summary import summaries
from evergraph.summary.writer import FileWriter
from evergraph.train.coordinator import Coordinator, LooperThread
from evergraph.train.global_step import global_step as value_of_step
from evergraph.train.hooks import session_log
from evergraph.train.scaffold import SessionManager

_DEFAULT = 0
"""Stands for "as usual" where None means "none"."""


def _found_or_made(graph: Graph, given: Any, key: str, make: Callable[[], Any]) -> Any:
    """What was given; by default the first item of a collection, or what the function makes, which is added to it."""
    if given is not _DEFAULT:
        return given
    found = graph.get_collection(key)
    if found:
        return found[0]
    made = make()
    if made is not None:
        graph.add_to_collection(key, made)
    return made


def _default_saver() -> Saver | None:
    return Saver() if global_variables() else None


def _step_of(graph: Graph) -> Any:
    """The tensor "global_step:0", when it is of integers."""
    try:
        found = graph.get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    if found.dtype.base_dtype.is_integer:
        return found
    logging.warning("global_step:0 is %s, and so no global step", found.dtype.name)
    return None


@export("train.Supervisor", "contrib.slim.learning.supervisor.Supervisor")
class Supervisor:
    """Makes sessions ready, and saves checkpoints and summaries in threads while they run.

    It finalizes the graph. For new programs tf.train.MonitoredTrainingSession is the better choice.

    >>> sv = tf.train.Supervisor(logdir="/tmp/model")
    >>> with sv.managed_session() as sess:
    ...     while not sv.should_stop():
    ...         sess.run(train_op)

    Arguments that are 0 are what is usual: the item of the graph's collection, or a new one; None means none.

    Args:
        graph: the graph; the default graph when not given.
        ready_op: gives the names of what is not initialized.
        ready_for_local_init_op: gives the names of what must be initialized before `local_init_op`.
        is_chief: whether this process initializes and saves; others wait for it.
        init_op: initializes the variables when there is no checkpoint.
        init_feed_dict: what to feed to it.
        local_init_op: initializes local variables and tables, in every session.
        logdir: where checkpoints and summaries are; nothing is saved without.
        summary_op: the summaries that a thread writes.
        saver: writes and reads checkpoints.
        global_step: counts steps.
        save_summaries_secs: seconds between summaries; 0 for none.
        save_model_secs: seconds between checkpoints; 0 for none.
        recovery_wait_secs: seconds between two looks for a checkpoint or the chief.
        stop_grace_secs: how long threads may go on when it stops.
        checkpoint_basename: how the names of checkpoints begin.
        session_manager: makes the sessions.
        summary_writer: writes summaries.
        init_fn: called with the session after `init_op`.
        local_init_run_options: RunOptions for `local_init_op`.

    Raises:
        ValueError: this is not the chief, and variables have no device.
    """

    USE_DEFAULT = _DEFAULT

    def __init__(self, graph: Graph | None = None, ready_op: Any = _DEFAULT, ready_for_local_init_op: Any = _DEFAULT,
                 is_chief: bool = True, init_op: Any = _DEFAULT, init_feed_dict: Any = None,
                 local_init_op: Any = _DEFAULT, logdir: str | None = None, summary_op: Any = _DEFAULT,
                 saver: Any = _DEFAULT, global_step: Any = _DEFAULT, save_summaries_secs: float = 120,
                 save_model_secs: float = 600, recovery_wait_secs: float = 30, stop_grace_secs: float = 120,
                 checkpoint_basename: str = "model.ckpt", session_manager: SessionManager | None = None,
                 summary_writer: Any = _DEFAULT, init_fn: Callable[[Any], Any] | None = None,
                 local_init_run_options: Any = None) -> None:
        self._graph = default_graph() if graph is None else graph
        self._is_chief, self._coord, self._stop_grace_secs = is_chief, Coordinator(), stop_grace_secs
        self._init_feed_dict, self._init_fn = init_feed_dict, init_fn
        with self._graph.as_default():
            self._make_nodes(ready_op, ready_for_local_init_op, init_op, local_init_op, saver, summary_op, global_step)
        self._set_files(logdir, checkpoint_basename, summary_writer, save_summaries_secs, save_model_secs)
        self._session_manager = session_manager or SessionManager(
            local_init_op=self._local_init_op, ready_op=self._ready_op,
            ready_for_local_init_op=self._ready_for_local_init_op, graph=self._graph,
            recovery_wait_secs=recovery_wait_secs, local_init_run_options=local_init_run_options)
        self._check_devices()
        self._graph.finalize()

    def _make_nodes(self, ready: Any, ready_for_local_init: Any, init: Any, local_init: Any, saver: Any,
                    summary: Any, step: Any) -> None:
        find = lambda given, key, make: _found_or_made(self._graph, given, key, make)
        local = lambda: group(local_variables_initializer(), tables_initializer())
        self._ready_op = find(ready, GraphKeys.READY_OP, report_uninitialized_variables)
        self._ready_for_local_init_op = find(
            ready_for_local_init, GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: None)
        self._init_op = find(init, GraphKeys.INIT_OP, global_variables_initializer)
        self._local_init_op = find(local_init, GraphKeys.LOCAL_INIT_OP, local)
        self._saver = find(saver, GraphKeys.SAVERS, _default_saver)
        self._summary_op = find(summary, GraphKeys.SUMMARY_OP, summaries.merge_all)
        self._global_step = find(step, GraphKeys.GLOBAL_STEP, lambda: _step_of(self._graph))

    def _set_files(self, logdir: str | None, basename: str, writer: Any, save_summaries_secs: float,
                   save_model_secs: float) -> None:
        """What is written, and where to: by the chief alone."""
        self._is_graph_written = False
        self._logdir = logdir if self._is_chief else None
        self._save_path = os.path.join(self._logdir, basename) if self._logdir else None
        self._save_summaries_secs = save_summaries_secs if self._is_chief else None
        self._save_model_secs = save_model_secs if self._is_chief else None
        if writer is _DEFAULT:
            writer = FileWriter(self._logdir) if self._logdir else None
        self._summary_writer = writer if self._is_chief else None

    def _check_devices(self) -> None:
        if self._is_chief:
            return
        for node in self._graph.get_operations():
            if node.opdef in (variable, variable_v2) and not node.device:
                raise ValueError("with several replicas variables must have their device set, as "
                                 f"tf.train.replica_device_setter does; {node.name} has none")

    # ---- what it is made of

    coord = property(lambda self: self._coord)
    global_step = property(lambda self: self._global_step)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    init_op = property(lambda self: self._init_op)
    is_chief = property(lambda self: self._is_chief)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    ready_op = property(lambda self: self._ready_op)
    save_model_secs = property(lambda self: self._save_model_secs)
    save_path = property(lambda self: self._save_path)
    save_summaries_secs = property(lambda self: self._save_summaries_secs)
    saver = property(lambda self: self._saver)
    session_manager = property(lambda self: self._session_manager)
    summary_op = property(lambda self: self._summary_op)
    summary_writer = property(lambda self: self._summary_writer)

    # ---- sessions

    def prepare_or_wait_for_session(self, master: str = "", config: Any = None, wait_for_checkpoint: bool = False,
                                    max_wait_secs: float = 7200, start_standard_services: bool = True) -> Session:
        """A session that is ready: the chief makes it so, others wait for the chief.

        Args:
            master: where it runs.
            config: a ConfigProto.
            wait_for_checkpoint: whether the chief waits for a checkpoint to appear.
            max_wait_secs: how long to wait.
            start_standard_services: whether to start the threads that save, and the queue runners.
        """
        self._coord.clear_stop()
        if self._summary_writer is not None:
            self._summary_writer.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master, init_op=self._init_op, saver=self._saver, checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs, config=config,
                init_feed_dict=self._init_feed_dict, init_fn=self._init_fn)
            self._write_graph()
            if start_standard_services:
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            self.start_queue_runners(sess)
        return sess

    def _write_graph(self) -> None:
        content = self._graph.as_graph_def(add_shapes=True)
        if self._logdir:
            write_graph(content, self._logdir, "graph.pbtxt")
        if self._summary_writer is not None and not self._is_graph_written:
            saver_def = self._saver.saver_def if self._saver is not None else None
            self._summary_writer.add_graph(self._graph)
            meta_graph = export_meta_graph(graph=self._graph, graph_def=content, saver_def=saver_def)
            self._summary_writer.add_meta_graph(meta_graph)
            self._is_graph_written = True

    @contextlib.contextmanager
    def managed_session(self, master: str = "", config: Any = None, start_standard_services: bool = True,
                        close_summary_writer: bool = True) -> Iterator[Session]:
        """A with-block with a session, after which everything stops and the session is closed.

        OutOfRangeError, with which an input ends, ends the block without an error. Other errors of the block, or else
        of a thread, are raised after it.

        Args:
            master: where the session runs.
            config: a ConfigProto.
            start_standard_services: whether to start the threads that save, and the queue runners.
            close_summary_writer: whether to close the summary writer.
        """
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(master, config, start_standard_services=start_standard_services)
            yield sess
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    sess.close()

    # ---- threads

    def start_standard_services(self, sess: Session) -> list[LooperThread] | None:
        """Starts the threads that write summaries, the steps per second, and checkpoints; gives them.

        Raises:
            RuntimeError: this is not the chief.
        """
        self._chief_only("start_standard_services")
        if not self._logdir:
            logging.warning("Nothing is saved: the supervisor has no logdir")
            return None
        if self._global_step is not None and self._summary_writer is not None:
            step = value_of_step(sess, self._global_step)
            self._summary_writer.add_session_log(session_log("START"), step)
        threads: list[LooperThread] = []
        if self._save_summaries_secs and self._summary_writer is not None:
            if self._summary_op is not None:
                threads.append(LooperThread(self._coord, self._save_summaries_secs, self._summarize, (sess,)))
            if self._global_step is not None:
                threads.append(_StepCounter(self, sess, self._save_summaries_secs))
        if self._saver is not None and self._save_model_secs:
            threads.append(LooperThread(self._coord, self._save_model_secs, self._save, (sess,)))
        for thread in threads:
            thread.start()
        return threads

    def _summarize(self, sess: Session) -> None:
        steps = [] if self._global_step is None else [self._global_step]
        summary, *step = sess.run([self._summary_op, *steps])
        self._summary_writer.add_summary(summary, *(np.asarray(number).item() for number in step))

    def _save(self, sess: Session) -> None:
        step = None if self._global_step is None else value_of_step(sess, self._global_step)
        self._saver.save(sess, self._save_path, global_step=step)
        if self._summary_writer is not None and step is not None:
            log = session_log("CHECKPOINT", checkpoint_path=self._save_path)
            self._summary_writer.add_session_log(log, step)

    def start_queue_runners(self, sess: Session, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        """Starts the threads of queue runners; gives them.

        Args:
            sess: the session.
            queue_runners: by default those of the graph.
        """
        runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS) if queue_runners is None else queue_runners
        return [thread for runner in runners
                for thread in runner.create_threads(sess, coord=self._coord, daemon=True, start=True)]

    def loop(self, timer_interval_secs: float | None, target: Callable[..., Any], args: Sequence[Any] | None = None,
             kwargs: Mapping[str, Any] | None = None) -> LooperThread:
        """Starts a thread that calls a function again and again until the supervisor stops.

        Args:
            timer_interval_secs: how often; None calls it again at once.
            target: the function.
            args: its arguments.
            kwargs: its keyword arguments.
        """
        return LooperThread.loop(self._coord, timer_interval_secs, target, args=args, kwargs=kwargs)

    def summary_computed(self, sess: Session, summary: Any, global_step: Any = None) -> None:
        """Writes a summary.

        Args:
            sess: the session.
            summary: a Summary, or one in bytes.
            global_step: its step; by default the global step in the session.

        Raises:
            RuntimeError: this is not the chief, or there is no summary writer.
        """
        self._chief_only("summary_computed")
        if self._summary_writer is None:
            raise RuntimeError("summary_computed requires a summary writer: give the supervisor a logdir, or a writer")
        if global_step is None and self._global_step is not None:
            global_step = value_of_step(sess, self._global_step)
        self._summary_writer.add_summary(summary, global_step)

    def _chief_only(self, name: str) -> None:
        if not self._is_chief:
            raise RuntimeError(f"{name} is for the chief alone")

    # ---- stopping

    def stop(self, threads: Sequence[Any] | None = None, close_summary_writer: bool = True,
             ignore_live_threads: bool = False) -> None:
        """Stops the threads, and raises what one of them, or `request_stop`, reported. It does not close the session.

        Args:
            threads: threads to wait for besides those of the coordinator.
            close_summary_writer: whether to close the summary writer.
            ignore_live_threads: whether threads that go on after the grace period are left alone.
        """
        self._coord.request_stop()
        try:
            self._coord.join(threads, stop_grace_period_secs=self._stop_grace_secs,
                             ignore_live_threads=ignore_live_threads)
        finally:
            if close_summary_writer and self._summary_writer is not None:
                self._summary_writer.add_session_log(session_log("STOP"))
                self._summary_writer.close()
                self._is_graph_written = False

    def request_stop(self, ex: Any = None) -> None:
        """Requests that all threads stop, because of an exception or without one."""
        self._coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Whether a stop was requested."""
        return self._coord.should_stop()

    def stop_on_exception(self) -> Any:
        """A context manager that catches any exception and requests a stop with it."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Waits until a stop is requested."""
        self._coord.wait_for_stop()

    # The names of its first version.
    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


class _StepCounter(LooperThread):
    """Writes how many steps a second are made."""

    def __init__(self, supervisor: Supervisor, sess: Session, interval: float) -> None:
        super().__init__(supervisor.coord, interval)
        self._supervisor, self._session = supervisor, sess

    def _now(self) -> tuple[float, int]:
        return time.time(), value_of_step(self._session, self._supervisor.global_step)

    def start_loop(self) -> None:
        self._last = self._now()

    def run_loop(self) -> None:
        (before, step_before), (now, step) = self._last, self._now()
        self._last = now, step
        rate = (step - step_before) / (now - before) if now > before else float("inf")
        tag = f"{self._supervisor.global_step.op.name}/sec"
        value = proto.summary_pb2.Summary.Value(tag=tag, simple_value=rate)
        self._supervisor.summary_writer.add_summary(proto.summary_pb2.Summary(value=[value]), step)
        logging.info("%s: %g", tag, rate)
