"""The tier policy: whether NumPy or a compiled program computes a stage.

One rule decides. A stage stays on NumPy while the time that it has lost there is less than what compiling it costs; so
a program of any length takes at most twice as long as it would with the better tier from the start. Both times are
estimates, by counts alone: no clock is read, so that the same program computes the same numbers twice. The tiers may
differ in the last bits, and the switch from one to the other always happens at the same run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from evergraph.kernel import recording


@dataclass(frozen=True)
class Machine:
    """How long things take on a kind of machine, in microseconds.

    Times on NumPy are what it takes longer there than in a program. They are fitted by hand to what
    `python -m benchmarks.tiers` prints, those of accelerators to `--accelerator` on an H200, and are off by up to three
    for single programs (by five for embeddings on an accelerator). An estimate that is off by two moves the switch of
    tiers by as much.

    Attributes:
        load: to load JAX.
        compile: to trace and compile a node.
        start: to start a program and to wait for its results.
        kernel: to call a kernel on NumPy.
        loop: to call a kernel in a loop on NumPy.
        element: to make an element of a tensor on NumPy.
        flop: to multiply and add on NumPy.
        state: to take an element of an input or a variable from where programs have it.
        move: to take a variable from there.
        replays: whether C code replays what kernels do, and programs run on the same processor. Then loops over
            changing numbers of steps are no slower on NumPy than in a program, which has room for the longest.
    """

    load: float
    compile: float
    start: float
    kernel: float
    loop: float
    element: float
    flop: float
    state: float = 0
    move: float = 0
    replays: bool = True

    def cost(self, work: Work) -> float:
        """Of compiling a stage."""
        return self.load + self.compile * work.nodes

    def lost(self, work: Work, calls: float = 0, moved: int = 0) -> float:
        """By a run on NumPy that calls so many kernels in loops, and takes so many variables from a device."""
        return (
            self.kernel * (work.nodes - work.nodes_in_loops)
            + self.element * (work.elements or 0)
            + self.flop * work.flops
            + self.state * work.state
            + self.move * moved
            + self.loop_call(work) * calls
            - self.start
        )

    def loop_call(self, work: Work) -> float:
        """Lost by a kernel that a loop calls, on average."""
        if not work.nodes_in_loops:
            return 0
        iteration = self.element * work.elements_in_loops + self.flop * work.flops_in_loops
        return self.loop + iteration / work.nodes_in_loops


CPU = Machine(load=800_000, compile=2500, start=50, kernel=0.7, loop=0.3, element=1.5e-4, flop=4e-6)
CPU_WITHOUT_C = replace(CPU, kernel=3, loop=3, element=3e-4, replays=False)
ACCELERATOR = replace(CPU, load=4_000_000, start=600, kernel=-0.5, loop=-0.5, element=6e-4, flop=1e-5, state=2e-3,
                      move=250, replays=False)

COMES_BACK = 3  # runs after which a signature of unknown work is taken to come back, for each program that there is
MOST_KEPT = 1 << 28  # elements that NumPy may make in a step, which it keeps until the end: 1 GiB of float32


@dataclass(frozen=True)
class Work:
    """An estimate of what a stage does, made before it runs.

    Attributes:
        nodes: how many nodes it has, those inside of functions and loops included.
        elements: how many elements its kernels make outside of loops; None if that is not known.
        flops: how many multiplications products of matrices and convolutions take outside of loops, about.
        state: how many elements its inputs and variables have, apart from tables of which it uses rows alone.
        nodes_in_loops: how many of the nodes are inside of loops.
        elements_in_loops: how many elements these make in one iteration.
        flops_in_loops: how many multiplications they take in one iteration.
        xla_only: whether some kernel exists for XLA alone.
    """

    nodes: int
    elements: int | None = None
    flops: int = 0
    state: int = 0
    nodes_in_loops: int = 0
    elements_in_loops: int = 0
    flops_in_loops: int = 0
    xla_only: bool = False


@dataclass(frozen=True)
class History:
    """What is known of earlier runs: counters, never times.

    Attributes:
        runs: on NumPy with inputs of this signature, or of any for stages with loops.
        calls: how many kernels loops called in these runs, on average.
        programs: for how many signatures the stage was compiled already.
        moved: how many of its variables are on an accelerator.
        signatures: how many have run on NumPy.
        varies: whether its loops get changing numbers of steps.
        has_room: whether its lists have room for any number of steps, so that there are few programs.
        is_decided: whether the stage was about to be compiled when its plan changed, or a run was given up for that.
    """

    runs: int = 0
    calls: float = 0
    programs: int = 0
    moved: int = 0
    signatures: int = 0
    varies: bool = False
    has_room: bool = False
    is_decided: bool = False


class Decision(NamedTuple):
    """How a run of a stage is computed.

    Attributes:
        tier: "numpy" or "xla".
        compile_now: whether to begin to compile in the background; a run on NumPy alone says so.
        until: the number of runs on NumPy after which the program takes over.
        why: in words.
    """

    tier: str
    compile_now: bool
    until: float
    why: str


def decide(machine: Machine, work: Work, history: History) -> Decision:
    """How the next run of a stage is computed. After half of the runs on NumPy, compiling begins.

    A signature whose work is not known is compiled when it comes back, as often for each program that there is: where
    sizes change from step to step, compiling for each would cost more than it saves.
    """
    until, why = _runs_on_numpy(machine, work, history)
    if history.runs >= until:
        return Decision("xla", False, until, why)
    return Decision("numpy", until < math.inf and history.runs >= until // 2 > 0, until, why)


def _runs_on_numpy(machine: Machine, work: Work, history: History) -> tuple[float, str]:
    """(how many runs a signature has on NumPy, why)."""
    if work.xla_only:
        return 0, "there is no other kernel"
    if history.has_room:
        return 0, "a program serves many lengths"
    if work.elements is None:
        return COMES_BACK * (history.programs + (not history.is_decided)), "what it computes is not known"
    if work.elements + work.elements_in_loops > MOST_KEPT:
        return 0, "NumPy would keep too much"
    lost = machine.lost(work, max(history.calls, work.nodes_in_loops), history.moved)
    if lost <= 0:
        return math.inf, "a program is no faster"
    if history.is_decided and not history.programs:
        return 0, "it was to be compiled before"
    varies = history.varies or history.signatures > COMES_BACK
    if work.nodes_in_loops and varies and machine.replays:
        return math.inf, "a program for loops of any length is no faster"
    cost = machine.cost(work)
    runs = math.ceil(cost / lost)
    why = f"lost {min(history.runs, runs) * lost / 1e6:.2g} of {cost / 1e6:.2g} s"
    return (0 if runs <= COMES_BACK else runs), why


def most_calls(work: Work) -> float:
    """How many kernels loops may call in one run on NumPy: Python would lose the time that compiling takes."""
    return CPU_WITHOUT_C.cost(work) / CPU_WITHOUT_C.loop_call(work) if work.nodes_in_loops else math.inf


def expected_seconds(nodes: int, platform: str) -> float:
    """How long it takes to compile so many nodes, where nothing else runs."""
    machine = machine_for(platform)
    return (machine.load + machine.compile * nodes) / 1e6


def machine_for(platform: str) -> Machine:
    """The machine whose programs run on a platform."""
    if platform != "cpu":
        return ACCELERATOR
    return CPU if recording.available() else CPU_WITHOUT_C


def is_kept_by_numpy(work: Work) -> bool:
    """Whether NumPy runs the stage for good, on every machine."""
    machines = map(machine_for, ("cpu", "gpu"))
    return all(decide(machine, work, History()).until == math.inf for machine in machines)


def is_exception(fitting: int, other: int) -> bool:
    """Whether steps of other sizes than a program assumes are rare enough for NumPy, as last batches of epochs are."""
    return other < COMES_BACK or other * 2 * COMES_BACK <= fitting


def explained(name: str, work: Work, shapes: Any, history: History, decision: Decision) -> str:
    """A decision in one line, which EVERGRAPH_EXPLAIN asks for.

    Args:
        name: of the stage.
        work: what it does.
        shapes: those of its inputs.
        history: what the decision was made by.
        decision: the decision.
    """
    flops = 2 * (work.flops + work.flops_in_loops) / 1e6
    given = ", ".join(str(list(shape)) for shape in shapes[:2]) + ", ..." * (len(shapes) > 2)
    tier = "NumPy" if decision.tier == "numpy" else "XLA"
    begun = ", compiling meanwhile" if decision.compile_now else ""
    until = f"; compiled at run {decision.until + 1:,.0f}" if tier == "NumPy" and decision.until < math.inf else ""
    what = f"stage {name} ({work.nodes} nodes, {flops:.2g} MFLOP) on {given or 'no inputs'}, run {history.runs + 1:,}"
    return f"{what}: {tier}{begun}; {decision.why}{until}"


class Counter:
    """The number of programs that were compiled in this process."""

    def __init__(self) -> None:
        self.count = 0


compilations = Counter()
