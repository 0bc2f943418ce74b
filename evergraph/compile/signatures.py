"""Counts the signatures of a stage's inputs, keeps the programs compiled for them, and says what keeps changing.

A signature is what a program is compiled for: the shapes of inputs, and the values of static ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base import logging
from evergraph.compile.ahead import Job
from evergraph.compile.executable import Executable
from evergraph.graph.node import Tensor

MOST_PROGRAMS = 64  # kept per stage
MOST_COUNTED = 4096  # signatures per stage whose runs on NumPy are counted
MOST_AHEAD = 8  # programs per stage that the background compiles and no run has used yet
MANY = 10  # programs of one stage, after which a line in the log says why


@dataclass
class _Kept:
    """A program, and how often it was used of late."""

    executable: Executable
    uses: int = 1


@dataclass
class Begun:
    """A program that the background compiles.

    Attributes:
        executable: the program.
        job: what the background does for it.
        layout: the layout of the store that it is for.
        switch: the number of runs on NumPy after which it takes over.
    """

    executable: Executable
    job: Job
    layout: Any
    switch: float


class Signatures:
    """The signatures of one stage. Threads share it; one at a time compiles.

    Attributes:
        compiled: how many programs were compiled, or are in the background, those that were dropped since included.
        for_xla: the signatures that the policy has given to XLA.
    """

    def __init__(self) -> None:
        self.compiled = 0
        self._is_reported = False
        self._begun: dict[Hashable, Begun] = {}
        self._runs: dict[Hashable, int] = {}  # of signatures that run on NumPy
        self.for_xla: set[Hashable] = set()
        self._kept: dict[tuple[Any, Any], _Kept] = {}  # by the layout of the store and the signature

    # ---- which signatures are compiled

    def give_to_xla(self, signature: Hashable) -> None:
        self.for_xla.add(signature)
        self._runs.pop(signature, None)

    def runs(self, signature: Hashable) -> int:
        """How often the signature ran on NumPy."""
        return self._runs.get(signature, 0)

    def count(self, signature: Hashable) -> None:
        """Counts a run on NumPy. Of too many signatures, those that came once are forgotten."""
        if len(self._runs) >= MOST_COUNTED:
            self._runs = {each: runs // 2 for each, runs in list(self._runs.items()) if runs > 1}
        self._runs[signature] = self._runs.get(signature, 0) + 1

    @property
    def counted(self) -> int:
        """How many signatures have run on NumPy."""
        return len(self._runs)

    def were_used(self) -> bool:
        """Whether there is a program, or some signature has run on NumPy and may be compiled later."""
        return bool(self._kept or self._runs)

    # ---- programs that the background compiles

    def may_begin(self, signature: Hashable) -> bool:
        return signature not in self._begun and len(self._begun) < MOST_AHEAD

    def begin(self, signature: Hashable, begun: Begun) -> None:
        """Keeps a program that was begun. It counts as compiled from now on: not from when it happens to be ready."""
        self._begun[signature] = begun
        self.compiled += 1

    def begun(self, signature: Hashable) -> Begun | None:
        """The program that the background compiles for the signature, if it does."""
        return self._begun.get(signature)

    def wait(self, signature: Hashable) -> bool:
        """Waits until the background has done what it does for the signature, and says whether it has compiled it."""
        return self._begun[signature].job.wait()

    def end(self, signature: Hashable) -> Begun | None:
        """The program that was begun for the signature, if one was; it is begun no longer."""
        begun = self._begun.pop(signature, None)
        self.compiled -= begun is not None
        return begun

    # ---- programs

    def get(self, layout: Any, signature: Hashable) -> Executable | None:
        """The program for a layout of the store and a signature."""
        found = self._kept.get((layout, signature))
        if found is None:
            return None
        found.uses += 1
        return found.executable

    def put(self, layout: Any, signature: Hashable, executable: Executable) -> None:
        """Keeps a program. Of too many, the one that was used least is dropped, and its signature counted anew."""
        if len(self._kept) >= MOST_PROGRAMS:
            least = min(self._kept, key=lambda key: self._kept[key].uses)
            del self._kept[least]
            self.for_xla.discard(least[1])
            for kept in self._kept.values():
                kept.uses //= 2
        self._kept[layout, signature] = _Kept(executable)
        self.compiled += 1

    def drop_programs(self) -> None:
        self._kept.clear()

    @property
    def has_programs(self) -> bool:
        return bool(self._kept)

    def programs(self) -> list[Executable]:
        return [kept.executable for kept in list(self._kept.values())]

    # ---- what keeps changing

    def report(self, inputs: Sequence[Tensor], static: Sequence[int]) -> None:
        """Logs a line when the stage has been compiled for many signatures: which tensors to blame, and what to do."""
        if self.compiled < MANY or self._is_reported:
            return
        self._is_reported = True
        signatures = [signature for _, signature in self._kept]
        sizes = [t for i, t in enumerate(inputs) if len({shapes[i] for shapes, *_ in signatures}) > 1]
        values = [inputs[i] for at, i in enumerate(static) if len({known[at] for _, _, known, _ in signatures}) > 1]
        said = [f"the size of {_named(t)}" for t in sizes] + [f"the value of {_named(t)}" for t in values]
        if said:
            logging.warn(
                f"A part of the graph was compiled {self.compiled} times, because of {' and '.join(said[:3])}. What is "
                f"new is compiled again, or runs uncompiled until it has come back several times, which is slower. Pad "
                f"to a few sizes, or leave out batches of odd sizes")


def _named(tensor: Tensor) -> str:
    """The name of a tensor, with the line of the program that made it."""
    frames = tensor.op.traceback
    return f"{tensor.name} ({frames[-1][0]}:{frames[-1][1]})" if frames else tensor.name
