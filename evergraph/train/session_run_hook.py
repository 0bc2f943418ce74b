"""What hooks are and see: they take part in each run of a monitored session."""
from __future__ import annotations

from typing import Any, NamedTuple

from evergraph.base.export import export


@export("train.SessionRunArgs", "estimator.SessionRunArgs")
class SessionRunArgs(NamedTuple):
    """The fetches and feeds that a hook adds to a session run.

    Attributes:
        fetches: additional fetches, in any form that Session.run takes.
        feed_dict: additional feeds.
        options: RunOptions, merged into those of the run.
    """

    fetches: Any
    feed_dict: Any = None
    options: Any = None


@export("train.SessionRunValues", "estimator.SessionRunValues")
class SessionRunValues(NamedTuple):
    """The results of a session run for one hook.

    Attributes:
        results: the values of the hook's fetches, in their structure.
        options: the RunOptions of the run.
        run_metadata: the RunMetadata of the run.
    """

    results: Any
    options: Any
    run_metadata: Any


@export("train.SessionRunContext", "estimator.SessionRunContext")
class SessionRunContext:
    """The session run that a hook's `before_run` and `after_run` are called for.

    Args:
        original_args: the SessionRunArgs of the call of `run`, without those of hooks.
        session: the session.
    """

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self) -> None:
        """Requests that training stop after this run: `should_stop` of the monitored session becomes true."""
        self._stop_requested = True


@export("train.SessionRunHook", "estimator.SessionRunHook")
class SessionRunHook:
    """The base class of hooks: a monitored session calls their methods around its runs.

    >>> class CountRuns(tf.train.SessionRunHook):
    ...     runs = 0
    ...     def after_run(self, run_context, run_values):
    ...         self.runs += 1
    """

    def begin(self) -> None:
        """Called once before the session is created; the graph can still be changed."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called after a session was created, also after one that replaces a lost one. The graph is finalized.

        Args:
            session: the new session.
            coord: the Coordinator of the session's threads.
        """

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run; returns the SessionRunArgs to add to the run, or None."""
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that raised no exception."""

    def end(self, session: Any) -> None:
        """Called once before the session is closed, unless an exception closes it."""
