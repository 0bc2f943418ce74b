"""Reads a code base and counts: the uses that resolve, the names that are missing, the programs by verdict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evergraph.cli.audits.names import is_removed, missing, remedy, shown
from evergraph.cli.audits.programs import OPTIONS, RUNS, VERDICTS, Program, programs
from evergraph.cli.audits.sources import contents, sources
from evergraph.cli.audits.uses import TENSORFLOW, Contents, Use


@dataclass(frozen=True)
class Missing:
    """A name that the code base uses and evergraph lacks: in how many files, how often, what to do, and first where."""

    name: str
    files: int
    uses: int
    remedy: str
    first: tuple[str, int]


@dataclass(frozen=True)
class Report:
    """What an audit found.

    Attributes:
        root: The path that was read.
        files: How many sources there are.
        uses: Uses of TensorFlow's names: part ("all", "contrib", "inside") -> (those that resolve, all of them).
        guarded: Uses of missing names where the program expects that they may be absent.
        missing: The names that are missing, the most used first.
        programs: The programs, in the order of their paths.
    """

    root: str
    files: int
    uses: Mapping[str, tuple[int, int]]
    guarded: int
    missing: list[Missing]
    programs: list[Program]

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
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    good: Counter[str] = Counter()
    total: Counter[str] = Counter()
    guarded = 0
    for path, use in _uses(files):
        lacking = missing(use.path)
        for part in _parts(use.path):
            total[part] += 1
            good[part] += lacking is None or is_removed(lacking) or use.guarded
        if lacking and use.guarded:
            guarded += 1
        elif lacking:
            found[lacking].append((path, use.line))
    uses = {part: (good[part], total[part]) for part in ("all", "contrib", "inside")}
    return Report(root, len(files), uses, guarded, _ranked(found), programs(root, files))


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


def _ranked(found: Mapping[str, list[tuple[str, int]]]) -> list[Missing]:
    rows = [Missing(shown(name), len({path for path, _ in places}), len(places), remedy(name), places[0])
            for name, places in found.items()]  # fmt: skip
    return sorted(rows, key=lambda row: (-row.files, -row.uses, row.name))
