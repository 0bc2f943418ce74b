"""Decides when a stage is compiled, and remembers what was.

The decision is a pure function of what is known without a clock, so that the same program gives the same numbers twice:
the tiers may differ in the last bits, and the switch from one to the other always happens at the same run.
"""

from __future__ import annotations

import collections
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

HOT_RUNS = 3  # a stage that ran this often is worth compiling
SMALL_NODES = 12  # up to this many nodes ...
SMALL_ELEMENTS = 2048  # ... on this many elements, NumPy is as fast as a compiled program
HEAVY_ELEMENTS = 1 << 18
MOST_EXECUTABLES = 64  # kept per stage
MOST_SIGNATURES = 32  # compiled per stage, before the rest runs on NumPy


@dataclass(frozen=True)
class Work:
    """What a stage does, as far as it can be said beforehand.

    Attributes:
        nodes: how many kernels run; those inside loops count several times.
        elements: how many numbers come in through feeds and variables.
        updates: whether it changes a variable that it also reads, as training steps do.
        device_only: whether some kernel exists for XLA alone.
    """

    nodes: int
    elements: int
    updates: bool
    device_only: bool

    @property
    def is_small(self) -> bool:
        """Whether compiling could never pay, on any platform."""
        return self.nodes <= SMALL_NODES and self.elements <= SMALL_ELEMENTS and not self.device_only


def tier(work: Work, earlier_runs: int, platform: str) -> str:
    """ "numpy" or "xla": how a stage runs, given its work and how often it ran with this kind of input."""
    if work.is_small:
        return "numpy"
    if platform != "cpu" or work.device_only or work.updates or work.elements >= HEAVY_ELEMENTS and work.nodes > 2:
        return "xla"
    return "xla" if earlier_runs >= HOT_RUNS else "numpy"


class Counter:
    """How many programs were compiled in this process."""

    def __init__(self) -> None:
        self.count = 0


compilations = Counter()


class Executables:
    """The compiled programs of one stage by signature; the least recently used go first."""

    def __init__(self) -> None:
        self._kept: collections.OrderedDict[Hashable, Any] = collections.OrderedDict()
        self.signatures = 0

    def get(self, key: Hashable) -> Any:
        found = self._kept.get(key)
        if found is not None and len(self._kept) > MOST_EXECUTABLES // 2:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, executable: Any) -> None:
        self._kept[key] = executable
        self.signatures += 1
        if len(self._kept) > MOST_EXECUTABLES:
            self._kept.popitem(last=False)

    @property
    def is_full(self) -> bool:
        """Whether the stage has had so many signatures that compiling more does not pay."""
        return self.signatures >= MOST_SIGNATURES
