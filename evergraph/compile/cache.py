"""The tier policy, which decides when a stage is compiled.

The policy is a pure function that reads no clock, so that the same program computes the same numbers twice: the tiers
may differ in the last bits, and the switch from one to the other always happens at the same run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

HOT_RUNS = 3  # a stage that ran this often is worth compiling ...
MOST_HOT_RUNS = 48  # ... or as often for each of its programs, but never more often than this
LIGHT_RUNS = 8192  # how often a light stage runs on NumPy, at most, before its program takes over
LIGHT_NODES = 400  # a stage is light up to this many nodes, none of them a loop ...
LIGHT_VOLUME = 1 << 24  # ... that make this many numbers in all
QUICK_NODES = 150  # up to this many nodes ...
QUICK_TRAINING_NODES = 32  # ... or so many with updates of an optimizer ...
QUICK_ELEMENTS = 1 << 15  # ... on this many elements of feeds and variables ...
QUICK_VOLUME = 1 << 15  # ... which make this many numbers, a replay of a light stage takes less time than a program
NUMBERS_A_NODE = 1 << 12  # numbers that NumPy makes in the time that a kernel takes longer than in a program
LOADING_CALLS = 24 << 20  # kernels that NumPy calls in loops while it loses the time that it takes to load JAX
PASSES_BEFORE = 98_304  # how often the nodes of a light stage with loops run, on average, before compiling begins ...
PASSES_MEANWHILE = 8192  # ... and while XLA compiles
LOADING_NUMBERS = 1 << 34  # numbers that NumPy makes in loops while it loses that time
LIGHT_LOOP_ELEMENTS = 1 << 24  # a stage with loops is light up to this many elements of feeds and variables ...
LIGHT_ITERATION = 1 << 26  # ... which make this many numbers in one iteration of each loop ...
LONG_RUN = 1 << 18  # ... if no run calls more kernels than this
SMALL_ITERATION = 1 << 22  # numbers up to which loops over changing numbers of steps are as fast on NumPy
LONG_NODES = 32  # from so many nodes on compiling takes some tenths of a second
LOADING_NODES = 100  # that XLA compiles in the time that it takes to load JAX
LONG_VOLUME = 1 << 28  # numbers that NumPy may make and keep meanwhile
MEANWHILE_RUNS = 128  # how often a long stage runs on NumPy, at most, while its program is compiled
SETTLING_RUNS = 8  # after which such a stage has shown what sizes there are
MEANWHILE_NUMBERS = 1 << 14  # that NumPy makes in such a stage while it calls a kernel
A_NUMBER = 16  # multiplications take as long as NumPy takes to make another number
SMALL_NODES = 12  # up to this many nodes ...
SMALL_ELEMENTS = 2048  # ... on this many elements, NumPy is as fast as a compiled program ...
SMALL_RESULT = 1 << 15  # ... unless one of them makes many elements of few, as one-hot encoding does
HEAVY_ELEMENTS = 1 << 18
TABLE_ELEMENTS = 8  # of a variable of which only rows are used count as one: NumPy copies the rest in each update
FORMS_AT_ONCE = 2  # how many forms are compiled when first seen; the rest has to prove hot
MOST_AT_ONCE = 8  # programs of a stage whose forms are few, as those of loops with room, or whose work is unknown
MOST_EXECUTABLES = 64  # kept per stage
MOST_NODES = 20_000  # in one compiled program; XLA's compile time grows faster than that
MANY_FORMS = 10  # programs of one stage, after which a line in the log says why
RARE = 8  # one step in so many may differ from the sizes that a program assumes, and runs on NumPy
VARYING = 4  # forms that have run on NumPy: more are to be expected
MOST_COUNTED = 4096  # forms per stage whose runs on NumPy are counted
MOST_AHEAD = 8  # programs per stage that the background compiles and no run has used yet
AHEAD_ELEMENTS = 1 << 22  # in feeds and variables, of which compiling ahead takes a copy

# What takes how long where there is an accelerator, in microseconds: about as on an H200 whose host has 16 cores.
STARTING, STARTING_NODE = 600, 1.2  # to start a program with its transfers and to wait for it; more for each node
COMPILING, COMPILING_NODE = 400_000, 2000  # to compile a program; more for each node
KERNEL = 2  # to run a kernel on NumPy ...
KERNEL_IN_LOOP = 0.8  # ... where it is replayed all the time
LAUNCH_IN_LOOP = 1.3  # the same in a program: several nodes share a launch
NUMBER = 6e-4  # to make a number on NumPy, see `Work.numbers`, where other threads may use the cores
ELEMENT = 2e-3  # to update a variable there, or to move an input, for each element
MOVING = 250  # to take a variable from the device to the host, and back
ITERATION_BESIDE = 1 << 22  # numbers that loops may make in one iteration to be light beside an accelerator ...
LOOP_ELEMENTS_BESIDE = 1 << 20  # ... from fewer elements of feeds and variables than this
WORTH_A_PROGRAM = 2  # times as long as a program takes: what takes NumPy less stays there
FEW_RUNS = 8  # on NumPy, at most, in the time that it takes to compile: such a form is compiled at once


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
        iteration: how many numbers the kernels inside loops make, each of them once; see `A_NUMBER`.
        fills: whether it makes values for variables of nothing, as initializers do.
        has_waited: whether it ran on NumPy for a while already, in another form of its plan.
        multiplications: how many products of matrices and convolutions take outside of loops, about.
        trains: whether it has updates of an optimizer.
    """

    nodes: int
    elements: int
    updates: bool
    device_only: bool
    largest: int = 0
    volume: int | None = None
    looping: int = 0
    iteration: int = 0
    fills: bool = False
    has_waited: bool = False
    multiplications: int = 0
    trains: bool = False

    @property
    def is_small(self) -> bool:
        """Whether compiling could never pay, on any platform."""
        return self.nodes <= SMALL_NODES and self.elements <= SMALL_ELEMENTS and self.largest <= SMALL_RESULT \
            and not self.device_only

    @property
    def is_quick(self) -> bool:
        """Whether compiling could never pay on CPUs."""
        return self.is_light and self.elements <= QUICK_ELEMENTS and self.numbers <= QUICK_VOLUME \
            and self.nodes <= (QUICK_TRAINING_NODES if self.trains else QUICK_NODES)

    @property
    def is_light(self) -> bool:
        """Whether compiling takes as long as a hundred steps on NumPy, or longer."""
        return self._may_wait and not self.has_waited and not self.looping and self.nodes <= LIGHT_NODES \
            and self.elements < HEAVY_ELEMENTS

    @property
    def has_light_loops(self) -> bool:
        """Whether NumPy is to run a stage with loops at first, as long as these are not long.

        It takes about as long as TensorFlow, also for large weights and batches: products take most of the time.
        """
        return self.volume is not None and self.volume <= LONG_VOLUME and not self.device_only and self.looping > 0 \
            and self.iteration <= LIGHT_ITERATION and self.elements < LIGHT_LOOP_ELEMENTS

    @property
    def has_light_loops_anywhere(self) -> bool:
        """The same also where there is an accelerator, which is faster where loops make many numbers."""
        return self.has_light_loops and self.iteration <= ITERATION_BESIDE and self.elements < LOOP_ELEMENTS_BESIDE

    @property
    def has_small_iterations(self) -> bool:
        """Whether a program for loops over any number of steps is no faster than NumPy on CPUs."""
        return 0 < self.looping and self.iteration < SMALL_ITERATION

    @property
    def is_long(self) -> bool:
        """Whether it is too large to be light, and NumPy can do its work while it is compiled."""
        if self.volume is None or self.device_only or self.looping or self.volume + self.elements > LONG_VOLUME:
            return False
        is_large = self.elements >= HEAVY_ELEMENTS or self.volume > LIGHT_VOLUME
        return self.nodes >= (LONG_NODES if is_large else LIGHT_NODES + 1)

    @property
    def numbers(self) -> int:
        """How many numbers the kernels make, as far as known, in which multiplications count as well."""
        return (self.volume or 0) + self.multiplications // A_NUMBER

    @property
    def _may_wait(self) -> bool:
        """Whether NumPy can do it, and makes few numbers."""
        return self.volume is not None and self.volume <= LIGHT_VOLUME and not self.device_only


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


def runs_on_numpy(work: Work, compiled: int, platform: str, calls: float = 0, moved: int = 0) -> float:
    """How often a form runs on NumPy before it is compiled; see `tier`.

    Args:
        work, compiled, platform: as for `tier`.
        calls: how many kernels a run calls in loops, as far as known.
        moved: how many of its variables are on an accelerator.
    """
    if work.is_small:
        return math.inf
    if work.device_only:
        return 0
    if platform != "cpu":
        return MOST_HOT_RUNS if work.fills else _runs_beside_accelerator(work, compiled, calls, moved)
    if work.is_light:
        return math.inf if work.is_quick else light_runs(work)
    if work.fills:
        return MOST_HOT_RUNS  # compiling takes far longer than the few runs that an initializer has
    if work.is_long:
        if compiled:
            return max(long_runs(work), light_runs(work))
        return HOT_RUNS if work.has_waited else long_runs(work)
    at_once = work.updates or work.elements >= HEAVY_ELEMENTS and work.nodes > 2
    if at_once and compiled < FORMS_AT_ONCE:
        return 0
    is_one_of_many = compiled >= MOST_AT_ONCE and work.volume is not None and not work.looping
    return max(_hot_runs(compiled), light_runs(work)) if is_one_of_many else _hot_runs(compiled)


def runs_anywhere(work: Work) -> float:
    """How often the first form of a stage runs on NumPy on every platform."""
    return min(runs_on_numpy(work, 0, platform) for platform in ("cpu", "gpu"))


def _hot_runs(compiled: int) -> int:
    return min(HOT_RUNS * max(compiled, 1), MOST_HOT_RUNS)


def _runs_beside_accelerator(work: Work, compiled: int, calls: float, moved: int) -> float:
    """How often a form runs on NumPy where there is an accelerator: until it has lost the time that compiling takes.

    The first two forms of what is not light are compiled at once, and so is every form that NumPy would take long for:
    up to as many as are kept.
    """
    if work.volume is None or work.looping and not work.has_light_loops_anywhere:
        if work.elements >= HEAVY_ELEMENTS or work.looping:
            return 0 if compiled < MOST_EXECUTABLES else HOT_RUNS
        return 0 if compiled < MOST_AT_ONCE else _hot_runs(compiled)
    paying = _paying_runs(work, calls, moved)
    is_heavy = compiled < FORMS_AT_ONCE or paying <= FEW_RUNS and compiled < MOST_EXECUTABLES
    return 0 if is_heavy and not (work.is_light or work.looping) else paying


def _paying_runs(work: Work, calls: float, moved: int) -> float:
    """How many runs on NumPy take as much longer than those of a program as it takes to compile."""
    beside = ELEMENT * work.elements + MOVING * moved
    if work.looping:
        on_numpy, on_device = calls * _call_on_numpy(work) + beside, STARTING + LAUNCH_IN_LOOP * calls
    else:
        on_numpy = KERNEL * work.nodes + NUMBER * work.numbers + beside
        on_device = STARTING + STARTING_NODE * work.nodes
    return _time_to_compile(work) // (on_numpy - on_device) if on_numpy >= WORTH_A_PROGRAM * on_device else math.inf


def _call_on_numpy(work: Work) -> float:
    """Microseconds that NumPy takes for a kernel in a loop, on average."""
    return KERNEL_IN_LOOP + NUMBER * work.iteration / work.looping


def _time_to_compile(work: Work) -> float:
    return COMPILING + COMPILING_NODE * (work.looping or work.nodes)


def light_runs(work: Work) -> int:
    """How often a light stage runs on NumPy: about as often as takes as much longer as it takes to compile.

    To compile takes 10 ms for each node, and half a second to load JAX; a run on NumPy, replayed mostly, takes longer
    than a program by 1 us for each node, and by 0.3 ns for each number. So the fewer numbers a node makes, the later it
    pays.
    """
    numbers = work.numbers // NUMBERS_A_NODE
    return max(LIGHT_RUNS * work.nodes // (work.nodes + numbers), 1)


def long_runs(work: Work) -> int:
    """How often a long stage runs on NumPy: about as often as it can while its program is compiled.

    Weights count beside the numbers that it makes, because they are updated. To load JAX takes as long as to compile a
    hundred nodes.
    """
    numbers = (work.numbers + work.elements) // MEANWHILE_NUMBERS
    return min(max(MEANWHILE_RUNS * (work.nodes + LOADING_NODES) // (work.nodes + numbers), 1), MEANWHILE_RUNS)


def calls_before_compiling(work: Work, platform: str = "cpu") -> float:
    """After how many calls of kernels, in runs of all forms together, a stage that counts them begins to be compiled.

    A call in a loop that is replayed takes 0.02 to 0.1 us longer than in a program, which takes 2 s to load JAX, to
    trace and to compile: by then the steps have lost as much. They lose more where kernels make many numbers, about
    0.1 ns for each. Accelerators are slow at loops of small kernels: each is launched by itself.
    """
    if platform != "cpu":
        lost = _call_on_numpy(work) - LAUNCH_IN_LOOP
        return _time_to_compile(work) // lost if lost >= (WORTH_A_PROGRAM - 1) * LAUNCH_IN_LOOP else math.inf
    numbers = work.iteration // NUMBERS_A_NODE
    calls = max(LOADING_CALLS, work.looping * PASSES_BEFORE) * work.looping // (work.looping + numbers)
    return min(calls, LOADING_NUMBERS * work.looping // max(work.iteration, 1))


def calls_while_compiling(work: Work, platform: str = "cpu") -> float:
    """How many kernels such a stage calls on NumPy while XLA compiles, which takes 3 to 5 ms for each node."""
    return work.looping * PASSES_MEANWHILE if platform == "cpu" else _time_to_compile(work) // _call_on_numpy(work)


def starts_ahead(runs: int, switch: float, is_urgent: bool = False) -> bool:
    """Whether to compile a form in the background after so many runs on NumPy, of which `switch` are the last.

    Args:
        runs: the number of runs so far.
        switch: how many there are before the program takes over.
        is_urgent: whether to begin as soon as sizes are known, as for the first form of what takes long to compile.
    """
    return 0 < switch < math.inf and runs >= first_ahead(switch, is_urgent)


def first_ahead(switch: float, is_urgent: bool = False) -> float:
    """The number of runs on NumPy, of `switch` in all, after which the background begins to compile."""
    half = max(switch // 2, 1)
    return min(half, SETTLING_RUNS) if is_urgent else half


def is_exception(fitting: int, other: int) -> bool:
    """Whether steps of other sizes than a program assumes are rare enough for NumPy, as last batches of epochs are."""
    return other < HOT_RUNS or other * RARE <= fitting


class Counter:
    """The number of programs that were compiled in this process."""

    def __init__(self) -> None:
        self.count = 0


compilations = Counter()

