"""Which of several exports to keep: functions of lists of paths that return shorter lists."""

from __future__ import annotations

import heapq
import itertools
import os
from collections.abc import Callable
from typing import Any, NamedTuple

from evergraph.base import files
from evergraph.base.export import export, names_in

_names = names_in("contrib.session_bundle.gc", "contrib.learn.utils.gc")


class Path(NamedTuple):
    """The path of an export, and its version."""

    path: Any
    export_version: int | None


export(*_names("Path"))(Path)
Kept = Callable[[list[Path]], list[Path]]


@export(*_names("largest_export_versions"))
def largest_export_versions(n: int) -> Kept:
    """A function that keeps the `n` exports of the largest versions, in the order of versions."""
    def keep(paths: list[Path]) -> list[Path]:
        places = heapq.nlargest(n, range(len(paths)), key=lambda place: (paths[place].export_version, place))
        return sorted(paths[place] for place in places)
    return keep


@export(*_names("one_of_every_n_export_versions"))
def one_of_every_n_export_versions(n: int) -> Kept:
    """A function that keeps the largest of every `n` versions: of 1 to n, with 0, of n + 1 to 2 n, and so on."""
    def keep(paths: list[Path]) -> list[Path]:
        best: dict[int, Path] = {}
        for path in sorted(paths, key=lambda path: path.export_version):
            best[max(0, (path.export_version - 1) // n)] = path
        return sorted(best.values())
    return keep


@export(*_names("mod_export_version"))
def mod_export_version(n: int) -> Kept:
    """A function that keeps the versions that `n` divides."""
    return lambda paths: sorted(path for path in paths if path.export_version % n == 0)


@export(*_names("union"))
def union(lf: Kept, rf: Kept) -> Kept:
    """A function that keeps what one of two functions, `lf` and `rf`, keeps."""
    return lambda paths: sorted({*lf(paths), *rf(paths)})


@export(*_names("negation"))
def negation(f: Kept) -> Kept:
    """A function that keeps what another one does not."""
    def keep(paths: list[Path]) -> list[Path]:
        dropped = set(f(paths))
        return sorted(path for path in paths if path not in dropped)
    return keep


@export(*_names("get_paths"))
def get_paths(base_dir: Any, parser: Callable[[Path], Path | None]) -> list[Path]:
    """The exports in a directory, sorted.

    Args:
        base_dir: the directory.
        parser: a function of a Path without a version that returns one with it, or None for what is no export.
    """
    folder = os.fsdecode(base_dir)
    found = (parser(Path(os.path.join(folder, name.rstrip("/")), None)) for name in files.listdir(folder))
    return sorted(itertools.filterfalse(lambda path: path is None, found))
