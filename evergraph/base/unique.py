"""Numbers for names that have to be unique in the process."""

from __future__ import annotations

import itertools

_numbers = itertools.count()


def uid() -> int:
    """A number that no other call has given."""
    return next(_numbers)
