"""Prints an audit as lines for a reader, or as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from evergraph.cli.audits.audit import Report
from evergraph.cli.audits.programs import Program
from evergraph.cli.audits.python2 import HINT
from evergraph.cli.plain import plain

_PLACES = 3
"""Lines that are named for a missing name; of the others the number is said."""

_PARTS = {
    "all": "uses of TensorFlow's names",
    "contrib": "of these in tf.contrib",
    "inside": "inside tensorflow.python and core",
}


def lines(report: Report) -> Iterator[str]:
    """The programs with what they need, the missing names, and the totals."""
    for program in report.programs:
        yield from _program_lines(report, program)
    if report.missing:
        yield ""
        yield from name_lines(report)
    yield ""
    yield from _totals(report)


def name_lines(report: Report) -> Iterator[str]:
    """A line for each missing name, the most used first."""
    width = max((len(row.name) for row in report.missing), default=0)
    yield f"{'missing name':{width}}  files  uses  remedy"
    for row in report.missing:
        yield f"{plain(row.name):{width}}  {row.files:5}  {row.uses:4}  {row.remedy}"


def _program_lines(report: Report, program: Program) -> Iterator[str]:
    options = "".join(f" {option}" for option in program.options)
    yield f"{_relative(report, program.path)}: {program.verdict}{':' + options if options else ''}"
    for option, names in program.options.items():
        yield f"    {option}: {_some(names)}"
    for source, reason in program.broken:
        yield f"    {_relative(report, source)}: {plain(reason)}"
    if program.python2:
        yield f"    Python 2: {_some([f'{plain(what)} ({_place(report, place)})' for what, place in program.python2])}"
        yield f"    convert it: {HINT}"
    for need in program.needs:
        places = _some([_place(report, place) for place in need.places])
        when = "" if need.at_once else ", when called"
        yield f"    {plain(need.name)} ({places}{when}): {need.remedy}"
    if program.packages:
        yield f"    not installed here: {', '.join(program.packages)}"


def _totals(report: Report) -> Iterator[str]:
    programs = ", ".join(f"{count} {verdict}" for verdict, count in report.verdicts.items())
    yield f"{report.files} files, {len(report.programs)} programs{': ' + programs if programs else ''}"
    for part, (good, total) in report.uses.items():
        if total:
            yield f"{total} {_PARTS[part]}, {100 * good / total:.1f}% resolve"
    if report.guarded:
        yield f"{report.guarded} uses of missing names stand where the program expects that they may be absent"


def _some(texts: list[str]) -> str:
    rest = len(texts) - _PLACES
    return ", ".join(texts[:_PLACES]) + (f" and {rest} more" if rest > 0 else "")


def _place(report: Report, place: tuple[str, int]) -> str:
    return f"{_relative(report, place[0])}:{place[1]}"


def _relative(report: Report, path: str) -> str:
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
        "missing": [
            {"name": row.name, "files": row.files, "uses": row.uses, "remedy": row.remedy,
             "first": _place(report, row.first)}
            for row in report.missing
        ],
        "programs": [_program_json(report, program) for program in report.programs],
    }  # fmt: skip


def _program_json(report: Report, program: Program) -> dict[str, Any]:
    return {
        "path": _relative(report, program.path),
        "verdict": program.verdict,
        "options": program.options,
        "needs": [
            {"name": need.name, "remedy": need.remedy, "at_once": need.at_once,
             "places": [_place(report, place) for place in need.places]}
            for need in program.needs
        ],
        "python2": [{"what": what, "place": _place(report, place)} for what, place in program.python2],
        "broken": [{"path": _relative(report, path), "reason": reason} for path, reason in program.broken],
        "packages": program.packages,
    }  # fmt: skip
