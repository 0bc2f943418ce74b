"""Counts the forms that a stage gets its inputs in, keeps the programs compiled for them, and says what keeps changing.

A form is what a program is compiled for: the shapes of inputs, and the values of static ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base import logging
from evergraph.compile.ahead import Job
from evergraph.compile.cache import MANY_FORMS, MOST_AHEAD, MOST_COUNTED, MOST_EXECUTABLES, VARYING
from evergraph.compile.executable import Executable
from evergraph.graph.node import Tensor


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
        switch: the run from which on the form uses it ...
        counts_calls: ... or else how many kernels loops have called by then, in runs of all forms.
    """

    executable: Executable
    job: Job
    layout: Any
    switch: float
    counts_calls: bool = False


class Forms:
    """The forms of one stage. Threads share it; one at a time compiles.

    Attributes:
        compiled: how many programs were compiled, or are in the background, those that were dropped since included.
        for_xla: the forms that the policy has given to XLA.
    """

    def __init__(self) -> None:
        self.compiled = 0
        self._is_reported = False
        self._begun: dict[Hashable, Begun] = {}
        self._runs: dict[Hashable, int] = {}  # of forms that run on NumPy
        self.for_xla: set[Hashable] = set()
        self._kept: dict[tuple[Any, Any], _Kept] = {}  # by the layout of the store and the form

    # ---- which forms are compiled

    def give_to_xla(self, form: Hashable) -> None:
        self.for_xla.add(form)
        self._runs.pop(form, None)

    def runs(self, form: Hashable) -> int:
        """How often the form ran on NumPy."""
        return self._runs.get(form, 0)

    def count(self, form: Hashable) -> None:
        """Counts a run on NumPy. Of too many forms, those that came once are forgotten."""
        if len(self._runs) >= MOST_COUNTED:
            self._runs = {each: runs // 2 for each, runs in list(self._runs.items()) if runs > 1}
        self._runs[form] = self._runs.get(form, 0) + 1

    @property
    def vary(self) -> bool:
        """Whether there have been many forms, none of which may come back often enough for a program of its own."""
        return len(self._runs) >= VARYING

    def has_run(self) -> bool:
        """Whether some form has run on NumPy, and may be compiled later."""
        return bool(self._runs)

    # ---- programs that the background compiles

    def may_begin(self, form: Hashable) -> bool:
        return form not in self._begun and len(self._begun) < MOST_AHEAD

    def begin(self, form: Hashable, begun: Begun) -> None:
        """Keeps a program that was begun. It counts as compiled from now on: not from when it happens to be ready."""
        self._begun[form] = begun
        self.compiled += 1

    def begun(self, form: Hashable) -> Begun | None:
        """The program that the background compiles for the form, if it does."""
        return self._begun.get(form)

    def wait(self, form: Hashable) -> bool:
        """Waits until the background has done what it does for the form, and says whether it has compiled it."""
        return self._begun[form].job.wait()

    def end(self, form: Hashable) -> Begun | None:
        """The program that was begun for the form, if one was; it is begun no longer."""
        begun = self._begun.pop(form, None)
        self.compiled -= begun is not None
        return begun

    # ---- programs

    def get(self, layout: Any, form: Hashable) -> Executable | None:
        """The program for a layout of the store and a form."""
        found = self._kept.get((layout, form))
        if found is None:
            return None
        found.uses += 1
        return found.executable

    def put(self, layout: Any, form: Hashable, executable: Executable) -> None:
        """Keeps a program. Of too many, the one that was used least is dropped: its form has to prove common again."""
        if len(self._kept) >= MOST_EXECUTABLES:
            least = min(self._kept, key=lambda key: self._kept[key].uses)
            del self._kept[least]
            self.for_xla.discard(least[1])
            for kept in self._kept.values():
                kept.uses //= 2
        self._kept[layout, form] = _Kept(executable)
        self.compiled += 1

    def drop_programs(self) -> None:
        self._kept.clear()

    def programs(self) -> list[Executable]:
        return [kept.executable for kept in list(self._kept.values())]

    # ---- what keeps changing

    def report(self, inputs: Sequence[Tensor], static: Sequence[int]) -> None:
        """Logs a line when the stage has been compiled for many forms: which tensors to blame, and what to do."""
        if self.compiled < MANY_FORMS or self._is_reported:
            return
        self._is_reported = True
        forms = [form for _, form in self._kept]
        sizes = [t for i, t in enumerate(inputs) if len({shapes[i] for shapes, *_ in forms}) > 1]
        values = [inputs[i] for at, i in enumerate(static) if len({known[at] for _, _, known, _ in forms}) > 1]
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
