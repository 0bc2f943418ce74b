"""What tests get for a session: stand-ins where eager execution is on, and a session that tells of its errors."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.base.logging import error as log_error
from evergraph.run.session import Session


class FakeEagerSession:
    """Has `run` with fetches alone, so that a test without placeholders runs eagerly, too.

    Args:
        test_case: the tf.test.TestCase that evaluates the fetches.
    """

    def __init__(self, test_case: Any) -> None:
        self._test_case = test_case

    def run(self, fetches: Any, *args: Any, **kwargs: Any) -> Any:
        """The values of tensors that were computed when they were made.

        Raises:
            RuntimeError: there are feeds or options.
        """
        feed_dict = kwargs.pop("feed_dict", {})
        if feed_dict or args or kwargs:
            raise RuntimeError("with eager execution there is no session that could be fed: `run` takes fetches alone")
        return self._test_case.evaluate(fetches)


class EagerSessionWarner:
    """Explains, when it is used, that there are no sessions with eager execution."""

    def __getattr__(self, attr: str) -> Any:
        raise AttributeError(f"self.session() has no {attr!r} while eager execution is on: use self.evaluate(tensors), "
                             f"or mark the test with test_util.deprecated_graph_mode_only")


class ErrorLoggingSession(Session):
    """A session that logs what its steps raise, except for the end of data."""

    def run(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().run(*args, **kwargs)
        except Exception as problem:
            if not isinstance(problem, errors.OutOfRangeError):
                log_error(str(problem))
            raise
