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
FORMS_AT_ONCE = {"cpu": 2}  # how many forms of input are compiled when first seen; the rest has to prove hot ...
MOST_AT_ONCE = 8  # ... also on accelerators, where a step on NumPy costs two transfers of its variables
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


def tier(work: Work, earlier_runs: int, compiled: int, platform: str) -> str:
    """How a stage runs: "numpy" or "xla".

    Args:
        work: what it does.
        earlier_runs: how often it ran with inputs of this form.
        compiled: for how many forms it was compiled already. Where the form changes from step to step, as the number
            of elements of a sparse tensor does, compiling each as it comes would cost more than it saves.
        platform: where it runs.
    """
    if work.is_small:
        return "numpy"
    if work.device_only or earlier_runs >= HOT_RUNS:
        return "xla"
    at_once = platform != "cpu" or work.updates or work.elements >= HEAVY_ELEMENTS and work.nodes > 2
    return "xla" if at_once and compiled < FORMS_AT_ONCE.get(platform, MOST_AT_ONCE) else "numpy"


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
