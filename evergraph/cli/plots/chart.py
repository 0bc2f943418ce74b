"""Lines as characters: a chart for a terminal, of braille dots, two across and four down in each character."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.text import Text

COLORS = ("bright_blue", "bright_yellow", "bright_green", "bright_magenta", "bright_cyan", "bright_red")
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_BLANK = 0x2800

Points = Sequence[tuple[int, float]]


def chart(lines: Sequence[Points], width: int = 72, height: int = 10) -> list[Text]:
    """Rows of text that show lines of (step, value), with the range of each axis.

    Args:
        lines: each is drawn in a color of its own, the first in COLORS[0].
        width: in characters, the labels included.
        height: of the area in which lines are drawn.
    """
    steps = [step for line in lines for step, _ in line]
    values = [value for line in lines for _, value in line]
    top, bottom = _range(values)
    labels = {0: f"{top:.4g}", height - 1: f"{bottom:.4g}"}
    margin = max(map(len, labels.values())) + 1
    canvas, owners = _drawn(lines, (min(steps), max(steps)), (bottom, top), max(width - margin - 1, 8), height)
    rows = []
    for number, (cells, colors) in enumerate(zip(canvas, owners)):
        row = Text(f"{labels.get(number, ''):>{margin - 1}} │", no_wrap=True)
        for cell, color in zip(cells, colors):
            row.append(chr(_BLANK + int(cell)), COLORS[color % len(COLORS)] if cell else "")
        rows.append(row)
    first, last = f"{min(steps):,}", f"{max(steps):,}"
    rows.append(Text(" " * margin + first + last.rjust(canvas.shape[1] + 1 - len(first)), no_wrap=True))
    return rows


def _range(values: Sequence[float]) -> tuple[float, float]:
    """The largest and smallest value, apart from each other even where all values are equal."""
    top, bottom = max(values), min(values)
    return (top, bottom) if top > bottom else (top + (abs(top) or 1) / 2, bottom - (abs(bottom) or 1) / 2)


def _drawn(lines: Sequence[Points], across: tuple[float, float], up: tuple[float, float], width: int,
           height: int) -> tuple[np.ndarray, np.ndarray]:
    """(the dots that are set in each character, the line to which each character belongs)."""
    canvas, owners = np.zeros((height, width), np.int64), np.zeros((height, width), np.int64)
    for number, line in enumerate(lines):
        x, y = np.array(line, np.float64).T
        columns = _scaled(x, *across, 2 * width - 1)
        rows = 4 * height - 1 - _scaled(y, *up, 4 * height - 1)
        for column, row in _joined(columns, rows):
            canvas[row // 4, column // 2] |= _DOTS[row % 4, column % 2]
            owners[row // 4, column // 2] = number
    return canvas, owners


def _scaled(values: np.ndarray, low: float, high: float, places: int) -> np.ndarray:
    """Values from `low` to `high` as whole numbers from 0 to `places`. Halved, so that no difference overflows."""
    span = high / 2 - low / 2
    return np.zeros(len(values), np.int64) if span == 0 else np.rint(
        (values / 2 - low / 2) / span * places).astype(np.int64)


def _joined(columns: np.ndarray, rows: np.ndarray) -> list[tuple[int, int]]:
    """The dots on straight lines from each point to the next."""
    dots = [(int(columns[0]), int(rows[0]))]
    for at in range(1, len(columns)):
        count = max(abs(columns[at] - columns[at - 1]), abs(rows[at] - rows[at - 1]), 1)
        across = np.rint(np.linspace(columns[at - 1], columns[at], count + 1)).astype(int)
        down = np.rint(np.linspace(rows[at - 1], rows[at], count + 1)).astype(int)
        dots += list(zip(across.tolist(), down.tolist()))
    return dots
