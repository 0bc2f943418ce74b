"""tf.train.basic_train_loop: steps until a supervisor says to stop."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export


@export("train.basic_train_loop")
def basic_train_loop(supervisor: Any, train_step_fn: Callable[..., Any], args: Sequence[Any] | None = None,
                     kwargs: Mapping[str, Any] | None = None, master: str = "") -> None:
    """Calls a function again and again, in a session of a supervisor, until the supervisor should stop.

    When a worker was lost, which is an AbortedError, it goes on in a new session.

    Args:
        supervisor: the supervisor.
        train_step_fn: called with the session, `args` and `kwargs`.
        args: its positional arguments after the session.
        kwargs: its keyword arguments.
        master: where the session runs.
    """
    while True:
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *(args or ()), **(kwargs or {}))
            return
        except errors.AbortedError:
            continue
