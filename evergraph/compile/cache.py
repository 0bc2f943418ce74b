"""The tier policy, which decides when a stage is compiled.

The policy is a pure function that reads no clock, so that the same program computes the same numbers twice: the tiers
may differ in the last bits, and the switch from one to the other always happens at the same run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

HOT_RUNS = 3  # a stage that ran this often is worth compiling ...
MOST_HOT_RUNS = 48  # ... or as often for each of its programs, but never more often than this
LIGHT_RUNS = 3072  # how often a light stage runs on NumPy, at most, before its program takes over
LIGHT_NODES = 400  # a stage is light up to this many nodes, none of them a loop ...
LIGHT_VOLUME = 1 << 24  # ... that make this many numbers in all
NUMBERS_A_NODE = 1 << 14  # numbers that NumPy makes in the time that it takes to call a kernel
LIGHT_PASSES = 2048  # how often the nodes of a light stage with loops run on NumPy, on average
LIGHT_LOOP_NODES = 600  # a stage with loops is light up to this many nodes ...
LIGHT_LOOP_ELEMENTS = 1 << 17  # ... on this many elements of feeds and variables ...
LIGHT_LOOP_VOLUME = 1 << 22  # ... which make this many numbers, each node once ...
LIGHT_ITERATION = 1 << 19  # ... and this many in one iteration of each loop ...
LONG_RUN = 1 << 15  # ... if no run calls more kernels than this
SMALL_NODES = 12  # up to this many nodes ...
SMALL_ELEMENTS = 2048  # ... on this many elements, NumPy is as fast as a compiled program ...
SMALL_RESULT = 1 << 15  # ... unless one of them makes many elements of few, as one-hot encoding does
HEAVY_ELEMENTS = 1 << 18
TABLE_ELEMENTS = 8  # of a variable of which only rows are used count as one: NumPy copies the rest in each update
FORMS_AT_ONCE = {"cpu": 2}  # how many forms are compiled when first seen; the rest has to prove hot ...
MOST_AT_ONCE = 8  # ... also on accelerators, where a step on NumPy costs two transfers of its variables
MOST_EXECUTABLES = 64  # kept per stage
MOST_NODES = {"cpu": 5000}  # in one compiled program; XLA's compile time grows with the square of that ...
MOST_NODES_ELSEWHERE = 20_000  # ... and on accelerators every further program of a step costs a dispatch
MANY_FORMS = 10  # programs of one stage, after which a line in the log says why
RARE = 8  # one step in so many may differ from the sizes that a program assumes, and runs on NumPy
MOST_COUNTED = 4096  # forms per stage whose runs on NumPy are counted
MOST_AHEAD = 8  # programs per stage that the background compiles and no run has used yet
AHEAD_ELEMENTS = 1 << 22  # in feeds and variables, of which compiling ahead takes a copy


@dataclass(frozen=True)
class Work:
    """An estimate of what a stage does, made before it runs.

    Attributes:
        nodes: how many kernels run; those inside loops count several times.
        elements: how many numbers come in through feeds and variables; see `TABLE_ELEMENTS`.
        updates: whether it changes a variable that it also reads, as training steps do.
        device_only: whether some kernel exists for XLA alone.
        largest: the elements of the largest result whose shape is known.
        volume: how many numbers the kernels make; None where that is not known, or some kernel is slow on NumPy. What
            is inside loops counts once.
        looping: how many kernels there are, if loops repeat some of them; 0 if there is no loop.
        iteration: how many numbers the kernels inside loops make, each of them once.
    """

    nodes: int
    elements: int
    updates: bool
    device_only: bool
    largest: int = 0
    volume: int | None = None
    looping: int = 0
    iteration: int = 0

    @property
    def is_small(self) -> bool:
        """Whether compiling could never pay, on any platform."""
        return self.nodes <= SMALL_NODES and self.elements <= SMALL_ELEMENTS and self.largest <= SMALL_RESULT \
            and not self.device_only

    @property
    def is_light(self) -> bool:
        """Whether compiling takes as long as a hundred steps on NumPy, or longer."""
        return self.volume is not None and not self.device_only and not self.looping and self.nodes <= LIGHT_NODES \
            and self.volume <= LIGHT_VOLUME and self.elements < HEAVY_ELEMENTS

    @property
    def has_light_loops(self) -> bool:
        """The same for a stage with loops, as long as these are not long: compiling a node takes about 10 ms there."""
        return self.volume is not None and not self.device_only and 0 < self.looping <= LIGHT_LOOP_NODES \
            and self.volume <= LIGHT_LOOP_VOLUME and self.iteration <= LIGHT_ITERATION \
            and self.elements < LIGHT_LOOP_ELEMENTS


def tier(work: Work, earlier_runs: int, compiled: int, platform: str) -> str:
    """The tier that a stage runs on: "numpy" or "xla".

    Args:
        work: the estimate of what it does.
        earlier_runs: how often it ran on NumPy with inputs of this form.
        compiled: for how many forms it was compiled already. Where shapes change from step to step, as the number of
            elements of a sparse tensor does, compiling for each new shape would cost more than it saves. A form that
            keeps coming back is compiled however many others there are.
        platform: where it runs.
    """
    return "xla" if earlier_runs >= runs_on_numpy(work, compiled, platform) else "numpy"


def runs_on_numpy(work: Work, compiled: int, platform: str) -> float:
    """How often a form runs on NumPy before it is compiled; see `tier`."""
    if work.is_small:
        return math.inf
    if work.device_only:
        return 0
    if work.is_light and platform == "cpu":
        return light_runs(work)
    at_once = platform != "cpu" or work.updates or work.elements >= HEAVY_ELEMENTS and work.nodes > 2
    if at_once and compiled < FORMS_AT_ONCE.get(platform, MOST_AT_ONCE):
        return 0
    return min(HOT_RUNS * max(compiled, 1), MOST_HOT_RUNS)


def light_runs(work: Work) -> int:
    """How often a light stage runs on NumPy: about as often as takes as much longer as it takes to compile.

    To compile takes 10 ms for each node, and half a second to load JAX; a run on NumPy takes longer than a program by
    6 us for each node, and by 0.4 ns for each number. So the fewer numbers a node makes, the later it pays.
    """
    numbers = (work.volume or 0) // NUMBERS_A_NODE
    return max(LIGHT_RUNS * work.nodes // (work.nodes + numbers), 1)


def calls_on_numpy(work: Work) -> int:
    """How many kernels a stage with light loops calls on NumPy before it is compiled, in runs of all forms together."""
    return work.looping * LIGHT_PASSES


def starts_ahead(runs: int, switch: float) -> bool:
    """Whether to compile a form in the background after so many runs on NumPy, of which `switch` are the last."""
    return 0 < switch < math.inf and runs >= first_ahead(switch)


def first_ahead(switch: float) -> float:
    """The number of runs on NumPy, of `switch` in all, after which the background begins to compile."""
    return max(switch // 2, 1)


def is_exception(fitting: int, other: int) -> bool:
    """Whether steps of other sizes than a program assumes are rare enough for NumPy, as last batches of epochs are."""
    return other < HOT_RUNS or other * RARE <= fitting


def most_nodes(platform: str) -> int:
    """The number of nodes in a device stage above which it is cut into several."""
    return MOST_NODES.get(platform, MOST_NODES_ELSEWHERE)


class Counter:
    """The number of programs that were compiled in this process."""

    def __init__(self) -> None:
        self.count = 0


compilations = Counter()

