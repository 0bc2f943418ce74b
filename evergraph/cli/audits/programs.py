"""Tells which sources are programs, which others each imports, and what keeps a program from running."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from evergraph.cli.audits.names import is_removed, missing, refusal, remedy, shown
from evergraph.cli.audits.python2 import HINT
from evergraph.cli.audits.python2 import MODULES as OLD_MODULES
from evergraph.cli.audits.reach import closures, members
from evergraph.cli.audits.refusals import refused
from evergraph.cli.audits.uses import TENSORFLOW, Contents, Import
from evergraph.cli.legacy.names import lent_name

RUNS, OPTIONS, LATER, NEEDS = "runs", "runs with options", "raises when called", "needs names"
PYTHON2, BROKEN = "Python 2 first", "cannot be parsed"
VERDICTS = (RUNS, OPTIONS, LATER, NEEDS, PYTHON2, BROKEN)

_MOST = 20
"""Needs that are named of one program; of the others their number is, so that a report grows with the code base."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a source; of a notebook, of all its cells of code together."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a source asks for and does not get, or gets by an option.

    Attributes:
        kind: "need", "refusal", "option", "python2", "broken", "eager", "mode" or "package".
        name: what it asks for.
        about: the remedy, the option, or the reason.
    """

    kind: str
    name: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """A name that is not there or is refused when called, what to do about it, and the first line that uses it.

    With `at_once` an import of the program fails; otherwise it goes on until a function is called that uses the name.
    """

    name: str
    remedy: str
    place: Place
    at_once: bool
    kind: str = "need"


@dataclass(slots=True)
class Program:
    """A main program with the sources it imports, directly or not.

    Attributes:
        path: The main program.
        verdict: One of VERDICTS.
        needs: What it lacks, those that end it at once first; at most twenty.
        more: How many other things it lacks.
        options: What lets it run as it is: option of `evergraph run` -> the names that need it, at most twenty.
        packages: Packages that it imports and that are not installed here.
    """

    path: str
    verdict: str = RUNS
    needs: list[Need] = field(default_factory=list)
    more: int = 0
    options: dict[str, list[str]] = field(default_factory=dict)
    packages: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Base:
    """The facts of a code base.

    Attributes:
        programs: The programs that use TensorFlow, in the order of their paths.
        places: Fact -> the first line of each source with it, and whether that line runs when the source is imported.
    """

    programs: list[Program]
    places: dict[Fact, dict[str, tuple[int, bool]]]


_EAGER = "for TensorFlow 2; `import tensorflow.compat.v2 as tf` and tf.enable_v2_behavior() at the start run it"
_AT_ONCE = {"broken": BROKEN, "python2": PYTHON2, "need": NEEDS, "refusal": NEEDS, "eager": NEEDS}
"""The verdict that a fact gives a program which meets it as it starts."""


def programs(root: str, files: Mapping[str, Contents]) -> Base:
    """The programs of a code base: scripts, notebooks, and sources that no other one imports."""
    top = root if os.path.isdir(root) else os.path.dirname(root)
    paths = list(files)
    numbers = {path: number for number, path in enumerate(paths)}
    all_edges: list[list[int]] = []
    at_once: list[list[int]] = []
    for path, contents in files.items():
        firm = [each for each in contents.imports if each.at_once and not each.guarded]
        soft = [each for each in contents.imports if not each.at_once or each.guarded]
        now = {numbers[target] for target in _imported(path, top, firm, files)}
        later = {numbers[target] for target in _imported(path, top, soft, files)}
        at_once.append(sorted(now - {numbers[path]}))
        all_edges.append(sorted((now | later) - {numbers[path]}))
    imported = {target for targets in all_edges for target in targets}
    places = _places(paths, files, all_edges)
    facts = _Facts(paths, places, all_edges, at_once)
    user = closures(all_edges, [int(_uses_tensorflow(contents)) for contents in files.values()])
    found = [facts.program(number) for number, path in enumerate(paths)
             if user[number] and _is_program(path, files[path], number in imported)]  # fmt: skip
    return Base(found, places)


def _is_program(path: str, contents: Contents, is_imported: bool) -> bool:
    name = os.path.basename(path)
    return name not in ("__init__.py", "setup.py", "conftest.py") and (contents.is_script or not is_imported)


class _Facts:
    """The facts that each source meets, by the sources that it reaches."""

    def __init__(
        self,
        paths: Sequence[str],
        places: Mapping[Fact, Mapping[str, tuple[int, bool]]],
        edges: Sequence[Sequence[int]],
        at_once: Sequence[Sequence[int]],
    ) -> None:
        self._paths, self._places, self._facts = paths, places, list(places)
        numbers = {path: number for number, path in enumerate(paths)}
        own, own_at_once = [0] * len(paths), [0] * len(paths)
        for bit, fact in enumerate(self._facts):
            for path, (_, now) in places[fact].items():
                own[numbers[path]] |= 1 << bit
                own_at_once[numbers[path]] |= int(now) << bit
        self._numbers, self._own = numbers, own
        self._met = closures(edges, own)
        self._met_at_once = closures(at_once, own_at_once)
        self._reached = closures(edges, [1 << number for number in range(len(paths))])
        self._reached_at_once = closures(at_once, [1 << number for number in range(len(paths))])

    def program(self, number: int) -> Program:
        """What one source, as the main program, needs."""
        made = Program(self._paths[number])
        now = self._met_at_once[number]
        verdicts = [RUNS]
        needs: list[tuple[bool, int, Fact]] = []
        met = [self._facts[bit] for bit in members(self._met[number])]
        skipped = {"mode", "eager"} if any(fact.kind == "mode" for fact in met) else {"mode"}
        for bit, fact in zip(members(self._met[number]), met):
            at_once = bool(now >> bit & 1)
            if fact.kind in skipped:
                continue
            if fact.kind == "option":
                made.options.setdefault(fact.about, []).append(fact.name)
            elif fact.kind == "package":
                made.packages.append(fact.name)
            else:
                # A main program for Python 2 is one, wherever it says so; of a library it may be a part never called.
                is_old = fact.kind == "python2" and bool(self._own[number] >> bit & 1)
                verdicts.append(_AT_ONCE[fact.kind] if at_once or is_old else LATER)
                needs.append((not at_once, list(_AT_ONCE).index(fact.kind), fact))
        needs.sort(key=lambda each: (*each[:2], each[2].name))
        made.needs = [self._need(number, fact, not later) for later, _, fact in needs[:_MOST]]
        made.more = max(len(needs) - _MOST, 0)
        made.options = {option: sorted(names)[:_MOST] for option, names in sorted(made.options.items())}
        made.packages.sort()
        made.verdict = max([*verdicts, OPTIONS if made.options else RUNS], key=VERDICTS.index)
        return made

    def _need(self, number: int, fact: Fact, at_once: bool) -> Need:
        reached = (self._reached_at_once if at_once else self._reached)[number]
        held = self._places[fact]
        path = self._paths[number]
        if path not in held or at_once and not held[path][1]:
            path = next(each for each, (_, now) in held.items()
                        if reached >> self._numbers[each] & 1 and (now or not at_once))  # fmt: skip
        return Need(fact.name, fact.about, Place(path, held[path][0]), at_once, fact.kind)


def _uses_tensorflow(contents: Contents) -> bool:
    return any(use.path.partition(".")[0] in TENSORFLOW for use in contents.uses)


def _imported(path: str, top: str, imports: Iterable[Import], files: Mapping[str, Contents]) -> Iterator[str]:
    """The sources of the code base that a source imports, each package's __init__.py included."""
    folders = _above(path, top)
    for each in imports:
        bases = folders[each.level - 1 : each.level] if each.level else folders
        words = each.module.split(".") if each.module else []
        last = each.name if each.name not in ("", "*") else None
        for base in bases:
            if targets := _files_of(base, words, last, files):
                yield from targets
                break


def _above(path: str, top: str) -> list[str]:
    """The folders that hold a source, from its own up to the top of the code base."""
    folders = [os.path.dirname(path)]
    while folders[-1] != top and len(folders[-1]) > len(top):
        folders.append(os.path.dirname(folders[-1]))
    return folders


def _files_of(base: str, words: list[str], last: str | None, files: Mapping[str, Contents]) -> list[str]:
    """The sources that importing base/words, and `last` from it, reads; none when there is no such module."""
    place, found = base, []
    for word in words:
        place = f"{place}/{word}" if place else word
        found += [each for each in (f"{place}/__init__.py", f"{place}.py") if each in files]
    if last:
        inner = f"{place}/{last}" if place else last
        found += [each for each in (f"{inner}.py", f"{inner}/__init__.py") if each in files]
    whole = not words or last or f"{place}.py" in files or f"{place}/__init__.py" in files
    return found if whole else []


def _places(
    paths: Sequence[str], files: Mapping[str, Contents], edges: Sequence[Sequence[int]]
) -> dict[Fact, dict[str, tuple[int, bool]]]:
    given = {name for contents in files.values() for name in contents.given}
    defined = {f".{name}()" for contents in files.values() for name in contents.defined}
    places: dict[Fact, dict[str, tuple[int, bool]]] = {}
    for number, path in enumerate(paths):
        targets = [paths[target] for target in edges[number]]
        for fact, line, at_once in _facts(files[path], targets, given, defined):
            held = places.setdefault(fact, {})
            if path not in held or at_once and not held[path][1]:
                held[path] = line, at_once
    return places


def _facts(
    contents: Contents, targets: Iterable[str], given: set[str], defined: set[str]
) -> Iterator[tuple[Fact, int, bool]]:
    """What one source asks for, given those it imports and what the code base makes: fact, line, whether at once."""
    for use in contents.uses:
        if use.guarded:
            continue
        if use.path.partition(".")[0] not in TENSORFLOW:
            if name := lent_name(use.path):
                yield Fact("option", name, "--legacy"), use.line, use.at_once
        elif lacking := missing(use.path):
            if is_removed(lacking):
                yield Fact("option", shown(lacking), "--allow-removed-names"), use.line, use.at_once
            elif not any(
                use.path == name or use.path.startswith(f"{name}.") for name in given if name.startswith(lacking)
            ):
                yield Fact("need", shown(lacking), remedy(lacking)), use.line, use.at_once
        elif not use.imported and refused(use.path):
            yield Fact("refusal", shown(use.path), f"evergraph refuses it; {refusal(use.path)}"), use.line, use.at_once
    if any(use.path.startswith("numpy") for use in contents.uses):
        yield from ((Fact("option", f".{name}", "--legacy"), line, False) for name, line in contents.methods)
    for name, line in contents.old_calls:
        yield Fact("option", f"{shown(name)} as before 1.0", "--allow-removed-names"), line, False
    if contents.gpus and not contents.is_soft and any(use.path.endswith(".device") for use in contents.uses):
        number, line = max(contents.gpus)
        yield Fact("option", f"/gpu:{number} where there is none", f"--cpus={number + 1}"), line, False
    for name, what, line, at_once in contents.unfit:
        yield Fact("need", shown(name), f"called with arguments of another version: {what}"), line, at_once
    if contents.chooses_mode:
        yield Fact("mode", "graph or eager"), 1, True
    yield from ((Fact("eager", what, _EAGER), line, at_once) for what, line, at_once in contents.eager)
    if contents.broken:
        found = re.match(r"line (\d+): ", contents.broken)
        yield Fact("broken", "syntax", contents.broken), int(found[1]) if found else 1, True
    own = {part.removesuffix(".py") for target in targets for part in target.split("/")}
    for old in contents.old:
        if old.what.split()[-1] not in own & OLD_MODULES and old.what not in defined:
            yield Fact("python2", old.what, HINT), old.line, old.at_once
    yield from ((Fact("package", package), 1, True) for package in set(_packages(contents)) - own)


def _packages(contents: Contents) -> Iterator[str]:
    """The packages that a source imports and that are not installed here."""
    for each in contents.imports:
        package = each.module.partition(".")[0]
        if each.level == 0 and not each.guarded and package not in TENSORFLOW | OLD_MODULES:
            if not _is_installed(package) and not lent_name(f"{each.module}.{each.name}"):
                yield package


@cache
def _is_installed(package: str) -> bool:
    if package in sys.builtin_module_names or package in sys.stdlib_module_names:
        return True
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False
