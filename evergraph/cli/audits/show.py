"""Prints an audit as lines for a reader, or as JSON."""

from __future__ import annotations

import os
from bisect import bisect
from collections.abc import Iterator
from typing import Any

from evergraph.cli.audits.audit import Missing, Report
from evergraph.cli.audits.programs import LATER, NEEDS, OPTIONS, RUNS, Need, Place, Program
from evergraph.cli.plain import plain

_PLACES = 3
"""Places and names that a line shows; of the others the number is said."""

_PARTS = {
    "all": "uses of TensorFlow's names",
    "contrib": "of these in tf.contrib",
    "inside": "inside tensorflow.python and core",
}


def lines(report: Report) -> Iterator[str]:
    """The programs with their verdicts, the missing names with the files behind them, and the totals."""
    for program in report.programs:
        yield f"{relative(report, program.path)}: {verdict(report, program)}"
        for need in program.needs[1:_PLACES]:
            yield f"    {said(report, need)}"
        rest = len(program.needs) + program.more - _PLACES
        if rest > 0:
            yield f"    and {rest} more"
    if report.missing:
        yield ""
        yield from name_lines(report)
    yield ""
    yield from totals(report)


def name_lines(report: Report) -> Iterator[str]:
    """Each missing name, the most used first: how often, what to do, and the files behind it."""
    for row in report.missing:
        yield f"{plain(row.name)}: {row.uses} uses in {row.files} files; {row.remedy}"
        yield f"    {_some([place(report, each) for each in row.places])}"


def verdict(report: Report, program: Program) -> str:
    """The verdict with what decides it."""
    after = f" (once installed: {_some(program.packages)})" if program.packages else ""
    if program.verdict == RUNS:
        return f"runs{after}"
    if program.verdict == OPTIONS:
        return f"runs with {' '.join(program.options)}{after}: " + "; ".join(map(_some, program.options.values()))
    if program.verdict == LATER:
        return f"will raise {said(report, program.needs[0])}{after}"
    if program.verdict == NEEDS:
        return f"needs {said(report, program.needs[0])}{after}"
    return f"{program.verdict}: {said(report, program.needs[0])}"


def said(report: Report, need: Need) -> str:
    """What a program lacks, where, and what to do."""
    where = place(report, need.place)
    if need.at_once:
        return f"{plain(need.name)} ({where}): {plain(need.remedy)}"
    return f"at {where} when called: {plain(need.name)}: {plain(need.remedy)}"


def totals(report: Report) -> Iterator[str]:
    """How many programs have which verdict, and how many uses of names resolve."""
    programs = ", ".join(f"{count} {name}" for name, count in report.verdicts.items())
    yield f"{report.files} files, {len(report.programs)} programs{': ' + programs if programs else ''}"
    for part, (good, total) in report.uses.items():
        if total:
            yield f"{total} {_PARTS[part]}, {100 * good / total:.1f}% resolve"
    if report.guarded:
        yield f"{report.guarded} uses of missing names stand where the program expects that they may be absent"


def _some(texts: list[str]) -> str:
    rest = len(texts) - _PLACES
    return ", ".join(texts[:_PLACES]) + (f" and {rest} more" if rest > 0 else "")


def place(report: Report, where: Place) -> str:
    """A line as editors take it, of a notebook with its cell."""
    cells = report.cells.get(where.path)
    number, first = cells[max(bisect([first for _, first in cells], where.line) - 1, 0)] if cells else (0, 1)
    inside = f"cell {number}, line {where.line - first + 1}" if cells else where.line
    return f"{relative(report, where.path)}:{inside}"


def relative(report: Report, path: str) -> str:
    """A path below that of the report."""
    return plain(os.path.relpath(path, report.root) if path != report.root else path)


def as_json(report: Report) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "path": report.root,
        "files": report.files,
        "runs": report.runs,
        "verdicts": report.verdicts,
        "uses": {part: {"resolve": good, "all": total} for part, (good, total) in report.uses.items()},
        "guarded": report.guarded,
        "missing": [_missing_json(report, row) for row in report.missing],
        "programs": [_program_json(report, program) for program in report.programs],
    }


def _missing_json(report: Report, row: Missing) -> dict[str, Any]:
    places = [place(report, each) for each in row.places]
    return {"name": row.name, "files": row.files, "uses": row.uses, "remedy": row.remedy, "places": places}


def _program_json(report: Report, program: Program) -> dict[str, Any]:
    return {
        "path": relative(report, program.path),
        "verdict": program.verdict,
        "options": program.options,
        "needs": [
            {"name": need.name, "kind": need.kind, "remedy": need.remedy, "at_once": need.at_once,
             "place": place(report, need.place)}
            for need in program.needs
        ],
        "more": program.more,
        "packages": program.packages,
    }  # fmt: skip
