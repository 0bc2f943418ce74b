"""Finds the sources of a code base and reads them, several at a time where there are many."""

from __future__ import annotations

import gc
import multiprocessing
import os
import tokenize
from collections.abc import Iterator, Mapping, Sequence

from evergraph.cli.audits.uses import Contents, read
from evergraph.cli.notebooks.cells import NoNotebook, cells, joined

_SKIPPED = frozenset(["__pycache__", "node_modules", "site-packages"])
_MANY = 200
"""Files from which on several processes read faster than one."""


def sources(root: str) -> list[str]:
    """The Python files and notebooks below a path, or the file that it is, in order; hidden folders are left out."""
    if os.path.isfile(root):
        return [root]
    return sorted(_below(root))


def _below(root: str) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _SKIPPED and not name.startswith(".")]
        yield from (os.path.join(folder, name) for name in files if name.endswith((".py", ".ipynb")))


def contents(paths: Sequence[str]) -> Mapping[str, Contents]:
    """What each of the files asks for."""
    workers = min(os.cpu_count() or 1, 8)
    if len(paths) < _MANY or workers == 1:
        return dict(zip(paths, map(_contents, paths)))
    # Syntax trees have no cycles, and looking for some takes half of the time.
    with multiprocessing.get_context("forkserver").Pool(workers, gc.disable) as pool:
        return dict(zip(paths, pool.map(_contents, paths, chunksize=20)))


def _contents(path: str) -> Contents:
    try:
        if path.endswith(".ipynb"):
            return _notebook(path)
        with tokenize.open(path) as file:  # decodes as the file's first lines say
            text = file.read()
    except (SyntaxError, UnicodeDecodeError, LookupError):
        with open(path, encoding="latin-1") as file:
            text = file.read()
    except OSError as error:
        return Contents(broken=error.strerror)
    return read(text)


def _notebook(path: str) -> Contents:
    with open(path, encoding="utf-8", errors="replace") as file:
        try:
            held = cells(file.read())
        except NoNotebook as error:
            return Contents(broken=str(error))
    found = read(joined(held))
    found.cells = [(cell.number, cell.first) for cell in held]
    found.is_script = True
    return found
