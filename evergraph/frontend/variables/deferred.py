"""What waits for variables that do not exist yet: a checkpoint restored before a model has made its variables."""

from __future__ import annotations

from collections.abc import Callable


class Waiting:
    """What to do when there are new variables; each returns whether it goes on waiting."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[], bool]] = []

    def __bool__(self) -> bool:
        return bool(self._callbacks)

    def add(self, callback: Callable[[], bool]) -> None:
        """Waits for new variables, and calls `callback` for them until it returns False."""
        self._callbacks.append(callback)

    def settle(self) -> None:
        """Calls what waits: new variables are there, and their owners hold them."""
        callbacks, self._callbacks = self._callbacks, []
        self._callbacks += [callback for callback in callbacks if callback()]


waiting = Waiting()
