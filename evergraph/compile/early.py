"""Steps that return while the device still computes them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base.devices import Place
from evergraph.passes.partition import Stage


class Early:
    """The steps of a session that have returned, and are not known to have succeeded.

    Args:
        allowed: whether a step that fetches operations alone may return early; None for steps on accelerators.

    Attributes:
        pending: the last of them.
    """

    def __init__(self, allowed: bool | None = None) -> None:
        self.allowed = allowed
        self.pending: Pending | None = None
        self._lock = threading.Lock()

    def allows(self, place: Place) -> bool:
        """Whether steps at a place may return early."""
        return place.platform != "cpu" if self.allowed is None else self.allowed

    def settle(self) -> None:
        """Waits for the step that has returned early, if there is one.

        Raises:
            tf.errors.OpError: it has failed.
        """
        pending = self.pending
        if pending is None:
            return
        try:
            pending.check()
        except Exception:  # an interrupt leaves the step to the next one who waits for it
            self._forget(pending)
            raise
        self._forget(pending)

    def settle_before(self, pending: Pending) -> None:
        """Waits for the step before one that has returned early, as `settle` does. If it failed, neither has run."""
        try:
            pending.check_before()
        except Exception:
            self._forget(pending)
            raise

    def defer(self, pending: Pending) -> None:
        """Notes a step that will return early. The one that has done so last is then the step before it."""
        with self._lock:
            pending.before, self.pending = self.pending, pending

    def _forget(self, pending: Pending) -> None:
        with self._lock:
            if self.pending is pending:
                self.pending = None


class Pending:
    """A step that has returned while the device still computes it.

    Args:
        stage: its only stage.
        ran: gets the results as "found" when the program is started.
        place: where among them the code of the check that failed is.
        fail: raises the error of the check with a number.

    Attributes:
        before: the step before it, if that too is not known to have succeeded. If it failed, this one does nothing.
    """

    def __init__(self, stage: Stage, ran: Mapping[str, Sequence[Any]], place: int, fail: Callable[[int], None]) -> None:
        self.stage, self._ran, self._place, self._fail = stage, ran, place, fail
        self.before: Pending | None = None

    @property
    def code(self) -> Any:
        """The code of the check that failed, as the device will have it; None if the program was not started."""
        found = self._ran.get("found")
        return None if found is None else found[self._place]

    def check_before(self) -> None:
        """Waits for the step before, and raises its error if it has failed."""
        if self.before is not None:
            self.before.check()
            self.before = None

    def check(self) -> None:
        """Waits for the step, and raises its error if it has failed: then all variables have the values from before."""
        self.check_before()
        code = self.code
        if code is not None and (number := int(np.asarray(code))):
            self._fail(number - 1)
