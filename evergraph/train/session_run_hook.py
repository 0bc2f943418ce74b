"""What hooks are and see: they take part in each run of a monitored session."""
from __future__ import annotations

from typing import Any, NamedTuple

from evergraph.base.export import export


@export("train.SessionRunArgs", "estimator.SessionRunArgs")
class SessionRunArgs(NamedTuple):
    """What a hook adds to a run.

    Attributes:
        fetches: what to fetch besides, in any form that Session.run takes.
        feed_dict: what to feed besides.
        options: RunOptions to merge into those of the run.
    """

    fetches: Any
    feed_dict: Any = None
    options: Any = None


@export("train.SessionRunValues", "estimator.SessionRunValues")
class SessionRunValues(NamedTuple):
    """What a hook gets from a run.

    Attributes:
        results: the values of its fetches.
        options: the RunOptions of the run.
        run_metadata: its RunMetadata.
    """

    results: Any
    options: Any
    run_metadata: Any


@export("train.SessionRunContext", "estimator.SessionRunContext")
class SessionRunContext:
    """A run, as hooks see it.

    Args:
        original_args: the SessionRunArgs of the run itself.
        session: the session.
    """

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self) -> None:
        """Asks for this run to be the last."""
        self._stop_requested = True


@export("train.SessionRunHook", "estimator.SessionRunHook")
class SessionRunHook:
    """Something that takes part in each run of a monitored session; a subclass defines what it needs of this."""

    def begin(self) -> None:
        """Called once, before the session is made: the last chance to change the graph."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session was made, also when it was made anew after an error.

        Args:
            session: the new session.
            coord: the coordinator of its threads.
        """

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run; gives what the hook adds to it, or None."""
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that did not fail."""

    def end(self, session: Any) -> None:
        """Called once at the end, unless a run has failed."""
