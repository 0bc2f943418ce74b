"""Draws the losses and metrics of runs, in the terminal or as a picture.

    evergraph plot model_dir                     every scalar of a run and of its evaluations
    evergraph plot runs/a runs/b --tag 'loss|accuracy'
    evergraph plot model_dir --output run.png    a picture (needs matplotlib)
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.cli.plain import plain


def execute(words: list[str]) -> int:
    """Draws; returns 1, with one line on stderr, when there is nothing to draw or no way to."""
    given = _parser().parse_args(words)
    from evergraph.base import errors
    from evergraph.cli.plots.scalars import lines_of

    try:
        found = chosen_of(lines_of(given.model_dir), given.tag)
        if given.output is None:
            _show(found)
        else:
            _save(found, given.output)
    except (CannotDraw, errors.OpError, OSError) as error:
        text = getattr(error, "message", None) or str(error)
        print(f"evergraph plot: {plain(' '.join(text.split()))}", file=sys.stderr)
        return 1
    return 0


class CannotDraw(Exception):
    """There is nothing to draw, or no way to draw it; the message says why."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evergraph plot", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model_dir", nargs="+", help="a directory of event files, such as an Estimator's model_dir")
    parser.add_argument("--tag", type=_pattern, default=re.compile(""), metavar="REGEX",
                        help="draw the tags in which this is found (all)")  # fmt: skip
    parser.add_argument("--output", metavar="FILE", help="write a picture: .png, .svg or .pdf")
    return parser


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None


def chosen_of(lines: Mapping[str, Sequence[Any]], pattern: re.Pattern[str]) -> dict[str, list[tuple[str, Any]]]:
    """Tag -> (run, points) of its lines, of the tags that were asked for and have a finite value."""
    chosen = {tag: [(line.run, line.finite()) for line in lines[tag] if line.finite()]
              for tag in sorted(lines) if pattern.search(tag)}  # fmt: skip
    chosen = {tag: found for tag, found in chosen.items() if found}
    if not chosen:
        known = ", ".join(sorted(lines)) or "none"
        raise CannotDraw(f"no scalars to draw under these tags; there are: {known}")
    return chosen


def _show(tags: Mapping[str, Sequence[tuple[str, Any]]]) -> None:
    """Draws a chart of each tag in the terminal; tags whose lines have one step each are lines of text below."""
    from rich.console import Console
    from rich.text import Text

    from evergraph.cli.plots.chart import COLORS, chart

    console = Console(highlight=False, emoji=False, markup=False)
    for tag, lines in sorted(tags.items(), key=lambda item: _is_flat(item[1])):
        title = Text(plain(tag), "bold")
        for number, (run, points) in enumerate(lines):
            step, value = points[-1]
            title.append("  ")
            title.append(f"● {plain(run)} {value:.4g}", COLORS[number % len(COLORS)])
            title.append(f" at step {step:g}" if _is_flat(lines) else "")
        console.print(title)
        if not _is_flat(lines):
            console.print(*chart([points for _, points in lines], min(console.width, 100)), "", sep="\n")


def _is_flat(lines: Sequence[tuple[str, Any]]) -> bool:
    """Whether each line is one point, which a chart says nothing about."""
    return all(len(points) == 1 for _, points in lines)


def _save(tags: Mapping[str, Sequence[tuple[str, Any]]], path: str) -> None:
    """Writes a picture with a chart of each tag."""
    try:
        figure_of(tags).savefig(path, dpi=120)
    except ValueError as error:  # a format that matplotlib does not know
        raise CannotDraw(f"{path}: {error}") from None
    print(path)


def figure_of(tags: Mapping[str, Sequence[tuple[str, Any]]]) -> Any:
    """A figure of matplotlib with a chart of each tag, two beside each other where there are several.

    Raises:
        CannotDraw: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise CannotDraw("pictures need matplotlib: pip install matplotlib") from None
    columns = min(len(tags), 2)
    rows = (len(tags) + columns - 1) // columns
    figure = Figure(figsize=(10, 3 * rows if columns > 1 else 5), layout="constrained")
    charts = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes, (tag, lines) in zip(charts, tags.items()):
        for run, points in lines:
            steps, values = zip(*points)
            axes.plot(steps, values, label=_literal(run), marker="." if len(points) < 20 else None)
        axes.set_title(_literal(tag))
        axes.set_xlabel("step")
        axes.grid(alpha=0.3)
        axes.legend()
    for axes in charts[len(tags):]:
        axes.remove()
    return figure


def _literal(text: str) -> str:
    """Text in which matplotlib finds no formula."""
    return plain(text).replace("$", r"\$")
