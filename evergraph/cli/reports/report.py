"""A report: facts and tables, shown to people with rich or to programs as JSON."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph.cli.plain import plain

Value = Any
"""Text, a number, None, or a list or dict of these."""


@dataclass(frozen=True)
class Table:
    """Rows under names of columns.

    Attributes:
        name: its key in JSON; people see it with spaces for underscores.
        columns: the keys of each row in JSON.
        rows: one value for each column.
        quiet: columns that only JSON has, so that the others fit in a terminal.
    """

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    quiet: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """What a path holds.

    Attributes:
        kind: "checkpoint", "graph", "meta_graph", "saved_model", "records", "events" or "directory".
        path: what was inspected.
        facts: single values by name.
        tables: what there are many of.
        parts: reports of what is inside a directory.
    """

    kind: str
    path: str
    facts: Mapping[str, Value] = field(default_factory=dict)
    tables: Sequence[Table] = ()
    parts: Sequence[Report] = ()


def to_json(report: Report) -> dict[str, Value]:
    """{"kind", "path", each fact, each table as a list of objects, "parts" of a directory}."""
    tables = {table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
              for table in report.tables}  # fmt: skip
    parts = {"parts": [to_json(part) for part in report.parts]} if report.kind == "directory" else {}
    return _finite({"kind": report.kind, "path": report.path, **report.facts, **tables, **parts})


def _finite(value: Value) -> Value:
    """The same with text for what JSON has no numbers for: "nan", "inf" and "-inf"."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def show(report: Report, file: Any = None) -> None:
    """Prints a report for people: in the width of a terminal, or as wide as it is where there is none."""
    from rich.console import Console  # takes a tenth of a second, which --json need not wait for

    file = file or sys.stdout
    console = Console(file=file, width=None if file.isatty() else 10_000, highlight=False, soft_wrap=not file.isatty())
    _show(report, console)


def _show(report: Report, console: Any) -> None:
    from rich.box import SIMPLE
    from rich.table import Table as Grid

    console.print(f"[bold]{_shown(report.path)}[/bold]: {_words(report.kind)}")
    for name, value in report.facts.items():
        if value not in (None, [], {}, ""):
            console.print(f"  {_shown(_words(name))}: {_shown(as_text(value, name))}")
    for table in report.tables:
        if not table.rows:
            continue
        title = f"{_shown(_words(table.name))} ({len(table.rows):,})"
        grid = Grid(title=title, title_justify="left", title_style="bold", box=SIMPLE)
        told = [index for index, name in enumerate(table.columns) if name not in table.quiet
                and (name == "shape" or any(row[index] is not None for row in table.rows))]  # fmt: skip
        for index in told:
            numeric = all(_is_number(row[index]) for row in table.rows)
            title, side = _shown(_words(table.columns[index])), "right" if numeric else "left"
            grid.add_column(title, justify=side, overflow="fold")
        for row in table.rows:
            grid.add_row(*[_shown(as_text(row[index], table.columns[index])) for index in told])
        console.print(grid)
    for part in report.parts:
        console.print()
        _show(part, console)


def _shown(text: str) -> str:
    """Text without control characters, and without meaning to rich."""
    from rich.markup import escape

    return escape(plain(text))


def _is_number(value: Value) -> bool:
    return value is None or isinstance(value, (int, float)) and not isinstance(value, bool)


def _words(name: str) -> str:
    return name.replace("_", " ")


_NUMBERED = ("step", "version", "producer", "consumer")  # names of numbers that count nothing
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def as_text(value: Value, name: str = "") -> str:
    """A value as people read it; those whose name says that they count bytes get a unit."""
    if name == "shape":
        return "unknown" if value is None else f"[{', '.join('?' if size is None else str(size) for size in value)}]"
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return _size(value) if name.endswith("bytes") else str(value) if name.endswith(_NUMBERED) else f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if name.endswith("time"):
        return value[:19].replace("T", " ")
    if isinstance(value, dict):
        return ", ".join(f"{_words(key)} {as_text(each, key)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(as_text(each, name) for each in value)
    return str(value)


def _size(count: int) -> str:
    amount, unit = float(count), 0
    while amount >= 1024 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{count} B" if unit == 0 else f"{amount:.1f} {_UNITS[unit]}"
