"""Picks items of a sequence by their places, without a line of Python for each of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

Pick = Callable[[Sequence[Any]], Sequence[Any]]


def pick(places: Sequence[int]) -> Pick:
    """A function from a sequence to a tuple of the items in these places."""
    if not places:
        return _nothing
    if len(places) > 1:
        return operator.itemgetter(*places)
    place = places[0]
    return lambda items: (items[place],)


def _nothing(items: Sequence[Any]) -> tuple[()]:
    return ()
