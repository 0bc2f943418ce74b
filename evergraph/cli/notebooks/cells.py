"""The code of a notebook as one program, of which each line knows its cell."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_MAGIC = re.compile(r"^(\s*)(?:[%!]|\?|get_ipython\(\)\.system|[\w.]+\?\??\s*$)")
_ASSIGNED = re.compile(r"^(\s*)([\w, ]+=\s*)[%!]")
_TEXTS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|#.*")
_PYTHON_CELLS = ("%%time", "%%timeit", "%%capture", "%%prun")
"""Cell magics whose other lines are Python."""


@dataclass(frozen=True)
class Cell:
    """A cell of code: its number among those of the notebook, its source with magics as comments, its first line.

    The lines of all cells are counted through, with one empty line between two cells.
    """

    number: int
    source: str
    first: int


class NoNotebook(ValueError):
    """The file is no notebook; the message says why."""


def cells(text: str) -> list[Cell]:
    """The cells of code of a notebook.

    Raises:
        NoNotebook: it is none.
    """
    try:
        held = json.loads(text)
        sheets = held["worksheets"] if "cells" not in held else [held]  # nbformat 3 kept sheets of cells
        sources = [each.get("source", each.get("input", "")) for sheet in sheets for each in sheet["cells"]
                   if each.get("cell_type") == "code"]  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NoNotebook(f"no notebook: {type(error).__name__}: {error}") from None
    found, line = [], 1
    for number, source in enumerate(sources, 1):
        plain = python(source if isinstance(source, str) else "".join(source))
        found.append(Cell(number, plain, line))
        line += plain.count("\n") + 2
    return found


def joined(held: list[Cell]) -> str:
    """The cells as one source."""
    return "\n\n".join(cell.source for cell in held)


def place(held: list[Cell], line: int) -> str:
    """ "cell 3, line 2" for a line of the joined source."""
    cell = next((each for each in reversed(held) if each.first <= line), None)
    return f"line {line}" if cell is None else f"cell {cell.number}, line {line - cell.first + 1}"


def python(source: str) -> str:
    """A cell without what only IPython knows: magics and shell commands become `pass`, so that blocks stay whole."""
    lines = source.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%"):
        other = not first.startswith(_PYTHON_CELLS)
        return "\n".join("# " + line if other or line is first else line for line in lines)
    plain, depth = [], 0
    for line in lines:
        plain.append(line if depth > 0 else _line(line))  # `% (a, b)` may go on with an expression in brackets
        bare = _TEXTS.sub("", line)
        depth += sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
    return "\n".join(plain)


def _line(line: str) -> str:
    if found := _ASSIGNED.match(line):
        return f"{found[1]}{found[2]}None  # {line.strip()}"
    found = _MAGIC.match(line)
    return f"{found[1]}pass  # {line.strip()}" if found else line
