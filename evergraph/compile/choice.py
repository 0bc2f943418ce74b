"""Chooses the tier of each run of a stage: asks the policy, and remembers what it says."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evergraph.compile import backend, explain
from evergraph.compile.footprint import Footprint, open_sizes, with_known_sizes
from evergraph.compile.interpreter import Interpreter
from evergraph.compile.policy import (
    COMES_BACK,
    Decision,
    History,
    Work,
    decide,
    explained,
    machine_for,
    most_calls,
)
from evergraph.compile.signatures import MOST_COUNTED, Signatures
from evergraph.compile.values import Values, elements, size
from evergraph.compile.variation import Variation
from evergraph.kernel import patience
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.stacked import rooms
from evergraph.kernel.reasons import NeedRoom
from evergraph.passes.partition import Stage

Begin = Callable[[Values, Sequence[Any], Any, float], None]


@dataclass(frozen=True)
class _Asked:
    """A decision of the policy.

    Attributes:
        state: what it depends on, beside the signature and its runs.
        until: the run of the signature up to which it need not be asked again.
        work: what it was asked about.
        decision: the answer.
    """

    state: tuple[Any, ...]
    until: float
    work: Work
    decision: Decision


class Choice:
    """The tier that each signature of a stage's inputs runs on. Threads share it.

    Args:
        stage: the stage.
        footprint: what it stores, and how much it does.
        signatures: those that have run.
        interpreter: runs it on NumPy, and counts what its loops do there.
        variation: what changes from run to run.
        begin: compiles a signature in the background.
        is_decided: the stage is to be compiled, whatever the policy says of its signatures.

    Attributes:
        stays: the layout of the store and the signature that NumPy has for good.
    """

    def __init__(self, stage: Stage, footprint: Footprint, signatures: Signatures, interpreter: Interpreter,
                 variation: Variation, begin: Begin, is_decided: bool) -> None:
        self._stage, self._footprint, self._signatures = stage, footprint, signatures
        self._interpreter, self._variation, self._begin, self.is_decided = interpreter, variation, begin, is_decided
        self.stays: tuple[int, Any] | None = None
        self._guessed: tuple[Work, Work] | None = None  # an estimate by guessed sizes, and by known ones
        self._asked: dict[Any, _Asked] = {}  # by signature
        self._explained: Callable[[], str] | None = None

    @property
    def is_settled(self) -> bool:
        """Whether no program is to come: each signature has one, or NumPy has it for good, or sizes keep changing."""
        decisions = [asked.decision for asked in self._asked.values()]
        return len(decisions) > COMES_BACK or all(each.tier == "xla" or each.until == math.inf for each in decisions)

    @property
    def explanation(self) -> str | None:
        """The last decision in one line."""
        return None if self._explained is None else self._explained()

    def leaves_to_numpy(self, store: Values, args: Sequence[Any], signature: Any) -> bool:
        """Whether NumPy runs a signature this time; begins to compile it if the policy says so.

        Raises:
            NeedRoom: the stage is to be compiled, and its loops run over changing numbers of steps.
        """
        asked, now = self._asked.get(signature), self._now(store)
        if asked is None or asked.state != now or self._signatures.runs(signature) >= asked.until:
            asked = self._ask(store, args, signature, now)
        begun = self._signatures.begun(signature)
        if begun is not None and not self.is_decided:
            is_left = self._history(store, args, signature).runs < begun.switch
        else:
            is_left = asked.decision.tier == "numpy"
        if is_left:
            if asked.decision.until < math.inf or self._footprint.nodes_in_loops:
                self._signatures.count(signature)
            elif not self._footprint.keys or self._stage.place.platform_if_known == "cpu":
                self.stays = (store.layout, signature)  # no variable may be moved to a device
        return is_left

    def most_calls(self, signature: Any) -> float:
        """How many kernels loops may call in a run before it is given up.

        A run with a deadline is not, because a program of XLA could not be ended by it.
        """
        asked = self._asked.get(signature)
        if self.is_decided or asked is None or patience.deadline() is not None:
            return math.inf
        return most_calls(asked.work)

    def give_up(self, calls: float) -> None:
        """Notes that a run on NumPy was given up when its loops had called so many kernels."""
        self.is_decided = True
        self._interpreter.count(calls)

    def _ask(self, store: Values, args: Sequence[Any], signature: Any, now: tuple[Any, ...]) -> _Asked:
        """Asks the policy for a decision, and notes until which run of the signature it holds."""
        history = self._history(store, args, signature)
        work = self._work(store, args, signature)
        decision = self._decide(work, history)
        if decision.tier == "xla" or decision.compile_now:
            work = self._with_known_sizes(work, args)
            decision = self._decide(work, history)
        if decision.until < math.inf:
            backend.memory_is_kept()
        if decision.compile_now and self._signatures.begun(signature) is None:
            if self._variation.of_steps:
                raise NeedRoom
            self._begin(store, args, signature, decision.until)
        holds = 0 if work.nodes_in_loops else decision.until if decision.compile_now else decision.until // 2
        before = self._asked.get(signature)
        if len(self._asked) >= MOST_COUNTED:
            self._asked.clear()
        asked = self._asked[signature] = _Asked(now, holds, work, decision)
        self._explained = functools.partial(explained, self._stage.label, work, signature[0], history, decision)
        if explain.setting.is_on and (before is None or before.decision[:2] != decision[:2]):
            explain.say(self._explained())
        return asked

    def _decide(self, work: Work, history: History) -> Decision:
        """What the policy says; JAX is not loaded to tell the platform while all agree that nothing is compiled."""
        if self._stage.place.platform_if_known is None:
            decisions = [decide(machine, work, history) for machine in map(machine_for, ("cpu", "gpu"))]
            first = min(decisions, key=lambda decision: decision.until)
            if first.tier == "numpy" and not first.compile_now:
                return first
        return decide(machine_for(self._stage.place.platform), work, history)

    def _history(self, store: Values, args: Sequence[Any], signature: Any) -> History:
        """What earlier runs tell. A first program of loops is for all their runs; others are for a signature each."""
        programs, loops = self._signatures.compiled, self._interpreter
        runs = loops.runs_of_loops if loops.runs_of_loops and not programs else self._signatures.runs(signature)
        return History(runs, loops.calls / max(loops.runs_of_loops, 1), programs, self._moved(store),
                       self._signatures.counted, self._variation.of_steps, bool(rooms(args)), self.is_decided)

    def _moved(self, store: Values) -> int:
        """How many of the variables are on an accelerator, from where a run on NumPy has to take them."""
        if not self._footprint.keys or self._stage.place.platform_if_known in (None, "cpu"):
            return 0
        return sum([type(value) is not np.ndarray for value in store.get_all(self._footprint.keys)
                    if value is not None])

    def _now(self, store: Values) -> tuple[Any, ...]:
        """What a decision depends on, beside the signature and its runs."""
        return store.layout, self._signatures.compiled, self.is_decided, self._variation.of_steps, self._moved(store)

    def _work(self, store: Values, args: Sequence[Any], signature: Any) -> Work:
        """What the stage does with inputs of this signature, with guesses of sizes that are not static."""
        asked = self._asked.get(signature)
        if asked is not None and asked.state[0] == store.layout:
            return asked.work
        plain = [a for a in args if not is_list(a)]  # lists are what another loop has kept, not what is fed
        in_tables = sum(map(size, store.forms(tuple(self._footprint.tables))))
        state = elements(store, self._footprint.keys, plain) - in_tables
        work = self._footprint.work(state, open_sizes(self._stage.inputs, args))
        return work if self._guessed is None else self._corrected(work)

    def _with_known_sizes(self, work: Work, args: Sequence[Any]) -> Work:
        """The estimate of what is to be compiled, by the sizes that follow from the inputs instead of guessed ones.

        It takes a while to find them: what they are for the first signature says how far the guess is off for others.
        """
        if self._guessed is not None or self._footprint.has_static_shapes or work.xla_only:
            return work
        sizes = open_sizes(self._stage.inputs, args)
        self._guessed = work, with_known_sizes(self._stage, self._footprint, work, args, sizes)
        return self._guessed[1]

    def _corrected(self, work: Work) -> Work:
        """A guess, as far off as that for the first signature was."""
        assert self._guessed is not None
        guess, right = self._guessed
        if work.elements is None or guess.elements is None or right.elements is None:
            return replace(work, elements=right.elements, flops=right.flops)
        return replace(work, **{name: getattr(work, name) * getattr(right, name) // max(getattr(guess, name), 1)
                                for name in ("elements", "flops", "elements_in_loops", "flops_in_loops")})
