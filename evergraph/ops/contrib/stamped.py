"""Objects of the session whose updates carry a stamp: those that come too late, with an older stamp, do not count."""

from __future__ import annotations

import threading
from typing import Any

from evergraph.base.errors import FailedPreconditionError, NotFoundError


class Stamped:
    """The base of such objects. They are created by an operation, with their first stamp."""

    what = "object"

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.RLock()
        self.stamp: int | None = None

    @property
    def is_initialized(self) -> bool:
        """Whether it has been created."""
        return self.stamp is not None

    def require(self) -> Any:
        """The object itself.

        Raises:
            NotFoundError: it has not been created.
        """
        if self.stamp is None:
            raise NotFoundError(None, None, f"the {self.what} {self.name!r} has not been initialized")
        return self

    def advance(self, stamp: Any, following: Any) -> None:
        """Goes on to the next stamp.

        Raises:
            FailedPreconditionError: the stamp is not that of the object.
        """
        if self.require().stamp != int(stamp):
            raise FailedPreconditionError(None, None, f"the {self.what} {self.name!r} has the stamp {self.stamp}, not "
                                          f"{int(stamp)}")
        self.stamp = int(following)
