"""Room for long chains of transformations, of which each calls the one below it."""

from __future__ import annotations

import sys
from typing import Any

from evergraph.ops.data.pipeline import Dataset

# Calls inside of each other that a transformation takes at most: enough for the chains of tests/datasets/test_depth.py.
FRAMES = 12
_OTHERS = 1000  # calls around the transformations


def make_room(dataset: Dataset) -> bool:
    """Raises Python's limit of calls inside of each other where a chain needs more, and says whether it is so long.

    The limit stays, as an iterator is drawn from at any time. Its calls need the stack of a thread that is made for it.
    """
    needed = FRAMES * depth_of(dataset) + _OTHERS
    if needed > max(sys.getrecursionlimit(), 2 * _OTHERS):
        sys.setrecursionlimit(needed)
    return needed > 2 * _OTHERS


def depth_of(dataset: Dataset) -> int:
    """How many datasets are on the longest way from one to its sources."""
    depths: dict[int, int] = {}
    waiting = [dataset]
    while waiting:
        below = _below(waiting[-1])
        later = [each for each in below if id(each) not in depths]
        if later:
            waiting += later
            continue
        depths[id(waiting.pop())] = 1 + max((depths[id(each)] for each in below), default=0)
    return depths[id(dataset)]


def _below(dataset: Dataset) -> list[Dataset]:
    found: list[Any] = []
    for value in vars(dataset).values():
        found += value if isinstance(value, (list, tuple)) else [value]
    return [each for each in found if isinstance(each, Dataset)]
