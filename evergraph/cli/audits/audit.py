"""Reads a code base and counts: the uses that resolve, the names that are missing, the programs by verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evergraph.cli.audits.names import is_removed, missing, shown
from evergraph.cli.audits.programs import OPTIONS, RUNS, VERDICTS, Place, Program, programs
from evergraph.cli.audits.sources import contents, sources
from evergraph.cli.audits.uses import TENSORFLOW, Contents, Use


@dataclass(frozen=True)
class Missing:
    """A name that the code base uses and does not get: how often, what to do, and where each file uses it first."""

    name: str
    uses: int
    remedy: str
    places: list[Place]

    @property
    def files(self) -> int:
        return len(self.places)


@dataclass(frozen=True)
class Report:
    """What an audit found.

    Attributes:
        root: The path that was read.
        files: How many sources there are.
        uses: Uses of TensorFlow's names: part ("all", "contrib", "inside") -> (those that resolve, all of them).
        guarded: Uses of missing names where the program expects that they may be absent.
        missing: The names that are missing or refused, the most used first.
        programs: The programs, in the order of their paths.
        cells: Notebook -> (number, first line) of each of its cells.
    """

    root: str
    files: int
    uses: Mapping[str, tuple[int, int]]
    guarded: int
    missing: list[Missing]
    programs: list[Program]
    cells: Mapping[str, list[tuple[int, int]]]

    @property
    def verdicts(self) -> Mapping[str, int]:
        counted = Counter(program.verdict for program in self.programs)
        return {verdict: counted[verdict] for verdict in VERDICTS if counted[verdict]}

    @property
    def runs(self) -> bool:
        return all(program.verdict in (RUNS, OPTIONS) for program in self.programs)


def audit(root: str) -> Report:
    """Reads the sources below a path."""
    files = contents(sources(root))
    counted: Counter[str] = Counter()
    good: Counter[str] = Counter()
    total: Counter[str] = Counter()
    guarded = 0
    for _, use in _uses(files):
        lacking = missing(use.path)
        for part in _parts(use.path):
            total[part] += 1
            good[part] += lacking is None or is_removed(lacking) or use.guarded
        guarded += bool(lacking and use.guarded)
        if not use.guarded:
            counted[shown(lacking or use.path)] += 1
    uses = {part: (good[part], total[part]) for part in ("all", "contrib", "inside")}
    base = programs(root, files)
    rows = [Missing(fact.name, max(counted[fact.name], len(held)), fact.about,
                    [Place(path, line) for path, (line, _) in held.items()])
            for fact, held in base.places.items() if fact.kind in ("need", "refusal", "eager")]  # fmt: skip
    ranked = sorted(rows, key=lambda row: (-row.files, -row.uses, row.name))
    cells = {path: each.cells for path, each in files.items() if each.cells}
    return Report(root, len(files), uses, guarded, ranked, base.programs, cells)


def _uses(files: Mapping[str, Contents]) -> Iterator[tuple[str, Use]]:
    for path, each in files.items():
        yield from ((path, use) for use in each.uses if use.path.partition(".")[0] in TENSORFLOW)


def _parts(path: str) -> Iterator[str]:
    words = path.split(".")
    yield "all"
    if "contrib" in words:
        yield "contrib"
    if {"python", "core"} & set(words):
        yield "inside"
