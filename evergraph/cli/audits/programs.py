"""Tells which sources are programs, which others each imports, and what keeps a program from running."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from evergraph.cli.audits.names import is_removed, missing, remedy, shown
from evergraph.cli.audits.python2 import MODULES as OLD_MODULES
from evergraph.cli.audits.uses import TENSORFLOW, Contents, Import
from evergraph.cli.legacy.names import lent_name

RUNS, OPTIONS, NEEDS, PYTHON2, BROKEN = "runs", "runs with options", "needs names", "Python 2 first", "cannot be parsed"
VERDICTS = (RUNS, OPTIONS, NEEDS, PYTHON2, BROKEN)

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Need:
    """A name that is not there, what to do about it, and the lines that use it.

    With `at_once` an import of the program fails; otherwise it goes on until a function is called that uses the name.
    """

    name: str
    remedy: str
    places: tuple[Place, ...]
    at_once: bool


@dataclass(slots=True)
class Program:
    """A main program with the sources it imports, directly or not.

    Attributes:
        path: The main program.
        needs: Names of TensorFlow that evergraph lacks.
        options: What lets it run as it is: option of `evergraph run` -> the names that need it.
        python2: What Python 3 lacks, each with its places.
        broken: Sources that no Python can parse, with the reason.
        packages: Packages that it imports and that are not installed here.
    """

    path: str
    needs: list[Need] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)
    python2: list[tuple[str, Place]] = field(default_factory=list)
    broken: list[tuple[str, str]] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        if self.broken:
            return BROKEN
        if self.python2:
            return PYTHON2
        return NEEDS if self.needs else OPTIONS if self.options else RUNS


@dataclass(slots=True)
class Finding:
    """What one source needs; the fields are those of Program."""

    uses_tensorflow: bool
    needs: dict[str, list[Place]] = field(default_factory=dict)
    options: dict[str, set[str]] = field(default_factory=dict)
    python2: list[tuple[str, Place]] = field(default_factory=list)
    broken: list[tuple[str, str]] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)
    at_once: set[str] = field(default_factory=set)


def programs(root: str, files: Mapping[str, Contents]) -> list[Program]:
    """The programs of a code base that use TensorFlow: scripts, and sources that no other one imports."""
    top = root if os.path.isdir(root) else os.path.dirname(root)
    edges = {path: set(_imported(path, top, contents.imports, files)) for path, contents in files.items()}
    imported = {target for path, targets in edges.items() for target in targets if target != path}
    findings = {path: _finding(path, contents, edges[path]) for path, contents in files.items()}
    found = []
    for path, contents in files.items():
        if os.path.basename(path) in ("__init__.py", "setup.py") or not (contents.is_script or path not in imported):
            continue
        reached = [findings[each] for each in _reached(path, edges)]
        if any(finding.uses_tensorflow for finding in reached):
            found.append(_program(path, reached))
    return found


def _uses_tensorflow(contents: Contents) -> bool:
    return any(use.path.partition(".")[0] in TENSORFLOW for use in contents.uses)


def _reached(path: str, edges: Mapping[str, set[str]]) -> list[str]:
    """A source and all that it imports, directly or not."""
    seen, waiting = {path}, [path]
    while waiting:
        fresh = edges[waiting.pop()] - seen
        seen |= fresh
        waiting.extend(fresh)
    return sorted(seen, key=lambda each: (each != path, each))


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


def _program(path: str, reached: Iterable[Finding]) -> Program:
    program = Program(path)
    needs: dict[str, list[Place]] = {}
    options: dict[str, set[str]] = {}
    packages: set[str] = set()
    at_once: set[str] = set()
    for finding in reached:
        at_once |= finding.at_once
        for name, places in finding.needs.items():
            needs.setdefault(name, []).extend(places)
        for option, names in finding.options.items():
            options.setdefault(option, set()).update(names)
        program.python2 += finding.python2
        program.broken += finding.broken
        packages |= finding.packages
    program.needs = [
        Need(shown(name), remedy(name), tuple(places), name in at_once) for name, places in sorted(needs.items())
    ]
    program.options = {option: sorted(names) for option, names in sorted(options.items())}
    program.packages = sorted(packages)
    return program


def _finding(path: str, contents: Contents, targets: Iterable[str]) -> Finding:
    """What one source needs, given the sources that it imports."""
    finding = Finding(_uses_tensorflow(contents))
    for use in contents.uses:
        if use.guarded:
            continue
        if use.path.partition(".")[0] not in TENSORFLOW:
            if name := lent_name(use.path):
                finding.options.setdefault("--legacy", set()).add(name)
        elif lacking := missing(use.path):
            if is_removed(lacking):
                finding.options.setdefault("--allow-removed-names", set()).add(shown(lacking))
            else:
                finding.needs.setdefault(lacking, []).append((path, use.line))
                finding.at_once |= {lacking} if use.at_once else set()
    if contents.methods and any(use.path.startswith("numpy") for use in contents.uses):
        finding.options.setdefault("--legacy", set()).update(f".{name}()" for name, _ in contents.methods)
    if contents.broken:
        finding.broken.append((path, contents.broken))
    own = {part.removesuffix(".py") for target in targets for part in target.split("/")}
    old = [(what, line) for what, line in contents.old if what.split()[-1] not in own & OLD_MODULES]
    finding.python2 += [(what, (path, line)) for what, line in old]
    finding.packages |= {package for package in _packages(contents) if package not in own}
    return finding


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
