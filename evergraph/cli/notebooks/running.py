"""Runs a notebook's cells one after the other, without a kernel, and prints what a notebook would show."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any

from evergraph.cli.notebooks.cells import Cell, cells

Compile = Callable[[str, str], CodeType]


def run(path: str, compiled: Compile, module: ModuleType) -> None:
    """Runs the cells of a notebook in a module.

    Args:
        path: the notebook.
        compiled: makes code of a source, given what tracebacks call it.
        module: where names live; `display` is one.

    Raises:
        NoNotebook: the file is none.
    """
    if "DISPLAY" not in os.environ:
        os.environ.setdefault("MPLBACKEND", "agg")  # plt.show() of a notebook has no window to open
    with open(path, encoding="utf-8") as file:
        held = cells(file.read())
    vars(module).setdefault("display", _display)
    for cell in held:
        _run(cell, f"{os.path.basename(path)} cell {cell.number}", compiled, module)


def _run(cell: Cell, name: str, compiled: Compile, module: ModuleType) -> None:
    if cell.source.startswith("# %%") and not cell.source.startswith(("# %%time", "# %%capture", "# %%prun")):
        print(
            f"evergraph run: {name} is not Python and is left out: {cell.source.splitlines()[0][2:]}", file=sys.stderr
        )
        return
    linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(True), name)
    before, last = _last_value(cell.source)
    exec(compiled(before, name), vars(module))
    if last is not None:
        exec(compiled(last, name), vars(module))


def _last_value(source: str) -> tuple[str, str | None]:
    """A cell without its last expression, and a source that shows it; None where it ends in none, or in a semicolon."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # perhaps for Python 2
        return source, None
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or source.rstrip().endswith(";") or _is_print(last.value):
        return source, None
    lines = source.split("\n")
    start = last.lineno - 1
    head = lines[:start]
    text = "\n".join(lines[start:])
    if last.col_offset:  # behind another statement of the line
        return source, None
    shown = ast.get_source_segment(source, last)
    if shown is None or text.strip() != shown.strip():  # a comment behind it
        text = shown or text
    return "\n".join(head), "\n" * start + f"display(({text}\n))"


def _is_print(node: ast.expr) -> bool:
    """Whether nothing is shown because `print` is called: in Python 2 that is a statement, and stands in no call."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _display(*values: Any, **_: Any) -> None:
    """Prints values as a notebook without pictures shows them."""
    for value in values:
        if value is not None:
            print(value if isinstance(value, str) else repr(value))
