"""Sessions that look after themselves: hooks take part in each run, and lost workers mean a new session.

A monitored session is made of layers. From the inside out: the session; a layer that calls the hooks; one that minds
the coordinator of the session's threads; and, unless the session is singular, one that makes all of these anew when a
worker was lost.
"""
from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph import proto
from evergraph.base import errors, logging
from evergraph.base.export import export
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.graph.graph import Graph, default_graph
from evergraph.train.coordinator import Coordinator
from evergraph.train.hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from evergraph.train.queue_runner import start_queue_runners
from evergraph.train.scaffold import Scaffold, SessionManager
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from evergraph.train.worker_context import get_current_worker_context

_LOST = (errors.AbortedError, errors.UnavailableError)
_BETWEEN_LOOKS = 1.0  # seconds, at what the chief has initialized; TensorFlow takes 30
"""What a run raises when a machine has gone: a new session may go on."""

_new = tuple.__new__  # of a named tuple, whose own constructor is a function in Python

# ---- who makes sessions


@export("train.SessionCreator")
class SessionCreator:
    """The base class of objects that create the sessions of a MonitoredSession."""

    def create_session(self) -> Any:
        """Creates a session that is ready to run."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it makes a session")


class _ScaffoldedCreator(SessionCreator):
    """Makes sessions for a graph that a scaffold finishes."""

    def __init__(self, scaffold: Scaffold | None, master: str, config: Any) -> None:
        self._scaffold, self._master, self._config = scaffold or Scaffold(), master, config
        self._manager: SessionManager | None = None

    def _get_manager(self) -> SessionManager:
        self._scaffold.finalize()
        if self._manager is None:
            self._manager = SessionManager(
                local_init_op=self._scaffold.local_init_op, ready_op=self._scaffold.ready_op,
                ready_for_local_init_op=self._scaffold.ready_for_local_init_op, graph=default_graph(),
                recovery_wait_secs=_BETWEEN_LOOKS)
        return self._manager


@export("train.ChiefSessionCreator")
class ChiefSessionCreator(_ScaffoldedCreator):
    """Creates sessions for the chief: restores the variables from a checkpoint, or initializes them.

    Args:
        scaffold: the Scaffold with the saver and initializers; by default a new one.
        master: the target of the sessions.
        config: a ConfigProto.
        checkpoint_dir: the directory whose latest checkpoint is restored.
        checkpoint_filename_with_path: the checkpoint to restore, in place of a directory.
    """

    def __init__(self, scaffold: Scaffold | None = None, master: str = "", config: Any = None,
                 checkpoint_dir: str | None = None, checkpoint_filename_with_path: str | None = None) -> None:
        super().__init__(scaffold, master, config)
        self._checkpoint_dir, self._checkpoint = checkpoint_dir, checkpoint_filename_with_path

    def create_session(self) -> Any:
        """A new session that is ready to run."""
        return self._get_manager().prepare_session(
            self._master, init_op=self._scaffold.init_op, saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir, checkpoint_filename_with_path=self._checkpoint, config=self._config,
            init_feed_dict=self._scaffold.init_feed_dict, init_fn=self._scaffold.init_fn)


@export("train.WorkerSessionCreator")
class WorkerSessionCreator(_ScaffoldedCreator):
    """Creates sessions for a worker: waits until the chief has initialized the variables.

    Args:
        scaffold: the Scaffold with the initializers of local variables; by default a new one.
        master: the target of the sessions.
        config: a ConfigProto.
        max_wait_secs: the maximum time to wait.
    """

    def __init__(self, scaffold: Scaffold | None = None, master: str = "", config: Any = None,
                 max_wait_secs: float = 30 * 60) -> None:
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        """A new session that is ready to run."""
        return self._get_manager().wait_for_session(self._master, config=self._config,
                                                    max_wait_secs=self._max_wait_secs)


class _CoordinatedCreator(SessionCreator):
    """Makes sessions with a coordinator, queue runners and hooks.

    Attributes:
        tf_sess: the session itself, the innermost layer.
        coord: its coordinator.
    """

    def __init__(self, creator: SessionCreator, hooks: Sequence[SessionRunHook], grace_secs: float) -> None:
        self._creator, self._hooks, self._grace_secs = creator, hooks, grace_secs
        self.tf_sess: Any = None
        self.coord: Coordinator | None = None

    def create_session(self) -> _Coordinated:
        self.tf_sess = self._creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=[])  # whoever joins sees every reason to stop
        made = _Coordinated(_Hooked(self.tf_sess, self._hooks), self.coord, self._grace_secs)
        try:
            if get_collection(GraphKeys.QUEUE_RUNNERS):
                start_queue_runners(sess=self.tf_sess, coord=self.coord)
            for hook in self._hooks:
                hook.after_create_session(self.tf_sess, self.coord)
        except BaseException as error:
            made.close_after(error)
            raise
        return made


# ---- the layers


class _Layer:
    """A session around a session, until it is closed."""

    def __init__(self, sess: Any) -> None:
        self._sess = sess

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        return self._sess.run(fetches, feed_dict, options, run_metadata)

    def run_step(self, step: Callable[[Callable[..., Any]], Any]) -> Any:
        """Makes a step out of several runs: calls a function with what runs."""
        return step(self.run)

    def should_stop(self) -> bool:
        return self._sess is None or self._sess.should_stop()

    def close(self) -> None:
        """Closes what is inside. That a worker was lost does not matter any more."""
        sess, self._sess = self._sess, None
        if sess is not None:
            try:
                sess.close()
            except _LOST as error:
                logging.info("A worker was lost before its session was closed: %s", error)


class _Hooked(_Layer):
    """Calls the hooks around each run."""

    def __init__(self, sess: Any, hooks: Sequence[SessionRunHook]) -> None:
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False
        self._together = _Together(None, None, None, (), ())  # what the last run was asked for
        # What hooks see of runs that nobody watches, and that fetch nothing for them.
        self._nothing = SessionRunValues(None, proto.config_pb2.RunOptions(), proto.config_pb2.RunMetadata())

    def should_stop(self) -> bool:
        return self._should_stop or self._sess is None

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        if self._should_stop or self._sess is None:
            raise RuntimeError("this session was to stop: a hook asked for it, or it is closed")
        context = SessionRunContext(_new(SessionRunArgs, (fetches, feed_dict, None)), self._sess)
        asked = [hook.before_run(context) for hook in self._hooks]
        together = self._together
        if feed_dict or options is not None or not together.serves(fetches, asked):
            self._together = together = _Together(fetches, feed_dict, options, self._hooks, asked)
        if run_metadata is None and together.options is None:  # most runs: nobody watches
            seen = self._nothing
            values = self._sess.run(together.fetches, feed_dict=together.feeds)
        else:
            options = proto.config_pb2.RunOptions() if together.options is None else together.options
            metadata = proto.config_pb2.RunMetadata() if run_metadata is None else run_metadata
            seen = SessionRunValues(None, options, metadata)
            values = self._sess.run(together.fetches, feed_dict=together.feeds, options=options, run_metadata=metadata)
        _, options, metadata = seen
        for hook, place in zip(self._hooks, together.places, strict=True):
            hook.after_run(context, _new(SessionRunValues, (values[place], options, metadata)) if place else seen)
        self._should_stop = context._stop_requested
        return values[0]


class _Together:
    """What the caller of a run and the hooks ask for.

    Args:
        fetches, feed_dict, options: the caller's.
        hooks: the hooks.
        asked: the SessionRunArgs of each of them, or None.

    Attributes:
        fetches: a list of the caller's fetches and those of hooks.
        places: where in it each hook finds its own: 0 for one that fetches nothing.
        feeds: all feeds; None for none.
        options: what any of the RunOptions asks for; None for nothing.
    """

    def __init__(self, fetches: Any, feed_dict: Any, options: Any, hooks: Sequence[SessionRunHook],
                 asked: Sequence[SessionRunArgs | None]) -> None:
        self.fetches, self.places = [fetches], []
        feeds, several = dict(feed_dict) if feed_dict else {}, [] if options is None else [options]
        for hook, each in zip(hooks, asked, strict=True):
            self.places.append(0 if each is None or each.fetches is None else len(self.fetches))
            if self.places[-1]:
                self.fetches.append(each.fetches)
            if each is not None and each.feed_dict:
                _feed_also(feeds, each.feed_dict, hook)
            if each is not None and each.options is not None:
                several.append(each.options)
        self.feeds, self.options = feeds or None, _merged_options(several) if several else None
        self._asked = asked
        # Dicts of feeds and RunOptions, which can be changed, are looked at in each run.
        self._may_serve = self.feeds is None and not several and all(
            each is None or each.feed_dict is None for each in asked)

    def serves(self, fetches: Any, asked: Sequence[SessionRunArgs | None]) -> bool:
        """Whether a run whose caller has neither feeds nor options asks for the same, as most hooks do in each run."""
        return self._may_serve and fetches is self.fetches[0] and len(asked) == len(self._asked) \
            and all(map(operator.is_, asked, self._asked))


def _feed_also(feeds: dict[Any, Any], others: Mapping[Any, Any], hook: SessionRunHook) -> None:
    """Adds the feeds of a hook.

    Raises:
        RuntimeError: one of these tensors is fed already.
    """
    for tensor, value in others.items():
        if tensor in feeds:
            raise RuntimeError(f"Same tensor is fed twice: {tensor}, the second time by {hook!r}")
        feeds[tensor] = value


def _merged_options(several: Sequence[Any]) -> Any:
    """What any of these RunOptions asks for; None where none asks for anything."""
    if not any(options.ByteSize() for options in several):
        return None
    merged = proto.config_pb2.RunOptions()
    merged.CopyFrom(several[0])
    for options in several[1:]:
        _merge_options(merged, options)
    return merged


def _merge_options(into: Any, other: Any) -> None:
    """What either of two RunOptions asks for; of two numbers the larger."""
    into.trace_level = max(into.trace_level, other.trace_level)
    into.timeout_in_ms = max(into.timeout_in_ms, other.timeout_in_ms)
    into.inter_op_thread_pool = max(into.inter_op_thread_pool, other.inter_op_thread_pool)
    into.output_partition_graphs |= other.output_partition_graphs
    into.report_tensor_allocations_upon_oom |= other.report_tensor_allocations_upon_oom
    if other.HasField("debug_options"):
        into.debug_options.debug_tensor_watch_opts.extend(other.debug_options.debug_tensor_watch_opts)


class _Coordinated(_Layer):
    """Minds the coordinator: an error of its threads is an error of the session."""

    def __init__(self, sess: Any, coord: Coordinator, grace_secs: float) -> None:
        super().__init__(sess)
        self._coord, self._grace_secs = coord, grace_secs

    def should_stop(self) -> bool:
        if self._coord.should_stop():
            self._coord.raise_requested_exception()
            return True
        return self._sess is None or self._sess.should_stop()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        try:
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        except _LOST:
            raise
        except Exception as error:
            self._raise_if_lost(error)
            raise

    def _raise_if_lost(self, error: Exception) -> None:
        """When a thread has lost its worker, that is why this run failed."""
        try:
            self._coord.raise_requested_exception()
        except _LOST as lost:
            raise lost from error
        except Exception as other:
            logging.vlog(1, "A thread failed before the run did: %s", other)

    def close(self) -> None:
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._grace_secs, ignore_live_threads=True)
        finally:
            self._close_inside()

    def close_after(self, error: BaseException) -> None:
        """Closes a session that was not made completely, whose error is the one to tell."""
        try:
            self.close()
        except Exception as other:
            logging.info("Besides %r, a thread failed: %s", error, other)

    def _close_inside(self) -> None:
        try:
            super().close()
        except Exception as error:  # what went wrong with the session its runs and threads have told
            logging.info("A session did not close well: %s", error)


class _Recoverable(_Layer):
    """Makes a new session when a worker was lost, and does again what was being done."""

    def __init__(self, creator: SessionCreator) -> None:
        self._creator = creator
        super().__init__(self._created())

    def _created(self) -> Any:
        while True:
            try:
                return self._creator.create_session()
            except _LOST as error:
                logging.info("A worker was lost while a session was made; making another: %s", error)

    def _replace(self, error: Exception) -> None:
        logging.info("A worker was lost; going on in a new session: %s", error)
        self.close()
        self._sess = self._created()

    def should_stop(self) -> bool:
        try:
            return self._sess is None or self._sess.should_stop()
        except _LOST as error:
            self._replace(error)
            return False
        except Exception:
            return True  # closing the session raises it

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        while True:  # until no worker is lost meanwhile
            try:
                return self._sess.run(fetches, feed_dict, options, run_metadata)
            except _LOST as error:
                self._replace(error)

    def run_step(self, step: Callable[[Callable[..., Any]], Any]) -> Any:
        while True:
            try:
                return self._sess.run_step(step)  # the whole step again, not the run alone
            except _LOST as error:
                self._replace(error)


# ---- monitored sessions


class _StepContext:
    """What the function given to `run_step_fn` may use.

    Args:
        session: the session, without hooks.
        run_with_hooks_fn: runs with hooks.
    """

    def __init__(self, session: Any, run_with_hooks_fn: Callable[..., Any]) -> None:
        self._session, self._run_with_hooks_fn = session, run_with_hooks_fn

    session = property(lambda self: self._session)

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """Runs as the monitored session does, hooks and all."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """Ends the step and the training: a `with` block of the monitored session ends without an error."""
        raise StopIteration("the step asked to stop")


def _check_step_function(step_fn: Callable[..., Any]) -> None:
    names = inspect.getfullargspec(step_fn).args
    if names not in (["step_context"], ["self", "step_context"]):
        raise ValueError(f"`step_fn` may either have one `step_context` argument, and `self` before it, not {names}")


class _Monitored:
    """What the two kinds of monitored sessions have in common."""

    StepContext = _StepContext

    def __init__(self, creator: SessionCreator, hooks: Sequence[SessionRunHook] | None, grace_secs: float) -> None:
        self._to_unfinalize = None if default_graph().finalized else default_graph()
        self._hooks = list(hooks or ())
        for hook in self._hooks:
            hook.begin()
        self._coordinated_creator = _CoordinatedCreator(creator, self._hooks, grace_secs)
        self._sess: Any = self._made()

    def _made(self) -> Any:
        raise NotImplementedError

    @property
    def graph(self) -> Graph | None:
        """The graph; None when the session is closed."""
        sess = self._tf_sess()
        return None if sess is None else sess.graph

    def _tf_sess(self) -> Any:
        return self._coordinated_creator.tf_sess

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs as tf.Session.run does, with what the hooks add.

        Args:
            fetches: what to fetch.
            feed_dict: what to feed.
            options: RunOptions, which hooks may add to.
            run_metadata: a RunMetadata to fill.

        Raises:
            RuntimeError: the session is closed, a hook has asked to stop, or a tensor is fed twice.
        """
        if self._sess is None:
            self._opened()
        return self._sess.run(fetches, feed_dict, options, run_metadata)

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Calls a function that makes a step; gives what it returns.

        Args:
            step_fn: called with a StepContext, under the name `step_context`. A monitored session that recovers from
                lost workers calls it again when one was lost.

        Raises:
            ValueError: the function has other arguments.
            StopIteration: the function asked to stop.
        """
        _check_step_function(step_fn)
        sess = self._opened()
        return sess.run_step(lambda run_with_hooks: step_fn(_StepContext(self._tf_sess(), run_with_hooks)))

    def should_stop(self) -> bool:
        """Whether a hook or a thread asked to stop, or the session is closed."""
        return self._sess is None or self._sess.should_stop()

    def _is_closed(self) -> bool:
        return self._tf_sess() is None

    def _opened(self) -> Any:
        if self._sess is None:
            raise RuntimeError("Session is already closed.")
        return self._sess

    def close(self) -> None:
        """Lets the hooks end, stops the threads and closes the session.

        Raises:
            RuntimeError: it is closed already.
        """
        self._close(has_failed=False)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> bool:
        has_ended = kind in (errors.OutOfRangeError, StopIteration)  # as inputs do
        self._close(has_failed=kind is not None and not has_ended)
        return has_ended

    def _close(self, has_failed: bool) -> None:
        sess = self._opened()
        try:
            if not has_failed:
                for hook in self._hooks:
                    hook.end(self._tf_sess())
        finally:
            self._sess = self._coordinated_creator.tf_sess = None
            try:
                sess.close()
            finally:
                self._coordinated_creator.coord = None
                if self._to_unfinalize is not None:
                    self._to_unfinalize._unsafe_unfinalize()


@export("train.MonitoredSession")
class MonitoredSession(_Monitored):
    """A session for training that initializes or restores variables, calls hooks, and recovers from lost workers.

    It calls the hooks' `begin` and `after_create_session` when it is created, `before_run` and `after_run` around each
    run, and `end` when it is closed, unless an exception ended the `with` block. AbortedError and UnavailableError mean
    that a worker was lost: the run is repeated in a new session. OutOfRangeError and StopIteration end the `with` block
    without an error; every other exception closes the session and propagates.

    >>> with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(last_step=1000)]) as session:
    ...     while not session.should_stop():
    ...         session.run(train_op)

    Args:
        session_creator: the SessionCreator; by default a tf.train.ChiefSessionCreator.
        hooks: a list of SessionRunHooks.
        stop_grace_period_secs: the time in which threads must end when the session is closed.
    """

    def __init__(self, session_creator: SessionCreator | None = None, hooks: Sequence[SessionRunHook] | None = None,
                 stop_grace_period_secs: float = 120) -> None:
        if session_creator is None:
            worker = get_current_worker_context()
            session_creator = ChiefSessionCreator() if worker is None else worker.session_creator()
            hooks = hooks if worker is None else [*worker.session_hooks, *(hooks or ())]
        super().__init__(session_creator, hooks, stop_grace_period_secs)

    def _made(self) -> Any:
        return _Recoverable(self._coordinated_creator)


@export("train.SingularMonitoredSession")
class SingularMonitoredSession(_Monitored):
    """A MonitoredSession around a single session, `raw_session()`; it does not recover from lost workers.

    Args:
        hooks: a list of SessionRunHooks.
        scaffold: the Scaffold with the saver and initializers; by default a new one.
        master: the target of the session.
        config: a ConfigProto.
        checkpoint_dir: the directory whose latest checkpoint is restored.
        stop_grace_period_secs: the time in which threads must end when the session is closed.
        checkpoint_filename_with_path: the checkpoint to restore, in place of a directory.
    """

    def __init__(self, hooks: Sequence[SessionRunHook] | None = None, scaffold: Scaffold | None = None,
                 master: str = "", config: Any = None, checkpoint_dir: str | None = None,
                 stop_grace_period_secs: float = 120, checkpoint_filename_with_path: str | None = None) -> None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, stop_grace_period_secs)

    def _made(self) -> Any:
        return self._coordinated_creator.create_session()

    def raw_session(self) -> Any:
        """The session itself; None when it is closed."""
        return self._tf_sess()


# ---- the one for everyday training

_DEFAULT = object()


def _every(secs: Any, steps: Any, default_secs: float | None, default_steps: int | None) -> dict[str, Any]:
    """How often to save: as the defaults say, unless one of the two is given; 0 is never, and no hook then."""
    if secs is _DEFAULT and steps is _DEFAULT:
        secs, steps = default_secs, default_steps
    given = {"save_secs": secs, "save_steps": steps}
    return {name: number for name, number in given.items() if number is not _DEFAULT and number and number > 0}


@export("train.MonitoredTrainingSession")
def MonitoredTrainingSession(  # noqa: N802 (TensorFlow's name)
        master: str = "", is_chief: bool = True, checkpoint_dir: str | None = None, scaffold: Scaffold | None = None,
        hooks: Sequence[SessionRunHook] | None = None, chief_only_hooks: Sequence[SessionRunHook] | None = None,
        save_checkpoint_secs: Any = _DEFAULT, save_summaries_steps: Any = _DEFAULT,
        save_summaries_secs: Any = _DEFAULT, config: Any = None, stop_grace_period_secs: float = 120,
        log_step_count_steps: int | None = 100, max_wait_secs: float = 7200, save_checkpoint_steps: Any = _DEFAULT,
        summary_dir: str | None = None) -> MonitoredSession:
    """Creates a MonitoredSession that restores the latest checkpoint and saves checkpoints and summaries.

    Args:
        master: the target of the session.
        is_chief: whether this process initializes and saves; the others wait for it.
        checkpoint_dir: the directory of the checkpoints, and of the summaries unless `summary_dir` is given; None saves
            neither.
        scaffold: the Scaffold with the saver and initializers; by default a new one.
        hooks: a list of SessionRunHooks.
        chief_only_hooks: hooks of the chief alone, which are called before all others.
        save_checkpoint_secs: the number of seconds between checkpoints; 600 unless this or `save_checkpoint_steps` is
            given. None or 0 does not save by time.
        save_summaries_steps: the number of steps between summaries; 100 unless this or `save_summaries_secs` is given.
        save_summaries_secs: the number of seconds between summaries.
        config: a ConfigProto.
        stop_grace_period_secs: the time in which threads must end when the session is closed.
        log_step_count_steps: the number of steps between logs of the steps per second; None or 0 for none.
        max_wait_secs: the maximum time that a worker waits for the chief.
        save_checkpoint_steps: the number of steps between checkpoints.
        summary_dir: the directory of the summaries.

    >>> with tf.train.MonitoredTrainingSession(checkpoint_dir="/tmp/model", save_checkpoint_steps=100) as session:
    ...     while not session.should_stop():
    ...         session.run(train_op)
    """
    scaffold, worker = scaffold or Scaffold(), get_current_worker_context()
    if worker is not None:
        is_chief, saves, summarizes = worker.is_chief, worker.should_checkpoint, worker.should_save_summary
        creator = worker.session_creator(scaffold, config, checkpoint_dir, max_wait_secs=max_wait_secs)
    elif is_chief:
        saves = summarizes = True
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    else:
        saves = summarizes = False
        creator = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
    all_hooks = list(worker.session_hooks) if worker is not None else []
    all_hooks += (chief_only_hooks or ()) if is_chief else ()
    summary_dir = (summary_dir or checkpoint_dir) if summarizes else None
    if summary_dir and log_step_count_steps and log_step_count_steps > 0:
        all_hooks.append(StepCounterHook(every_n_steps=log_step_count_steps, output_dir=summary_dir))
    every = _every(save_summaries_secs, save_summaries_steps, None, 100)
    if summary_dir and every:
        all_hooks.append(SummarySaverHook(**every, output_dir=summary_dir, scaffold=scaffold))
    every = _every(save_checkpoint_secs, save_checkpoint_steps, 600, None)
    if checkpoint_dir and saves and every:
        all_hooks.append(CheckpointSaverHook(checkpoint_dir, **every, scaffold=scaffold))
    return MonitoredSession(creator, [*all_hooks, *(hooks or ())], stop_grace_period_secs)
