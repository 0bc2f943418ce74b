"""The part of an answer that fits a screen: its lines broken and scrolled, with the matches of a search."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from evergraph.debug.debugger.lines import (
    INIT_SCROLL_POS_KEY,
    REGEX_MATCH_LINES_KEY,
    MenuItem,
    RichTextLines,
    regex_find,
    wrap_rich_text_lines,
)

_FOUND = "black_on_white"


class View:
    """An answer on a screen.

    Args:
        output: its lines.
        rows, columns: the size of the screen's part that shows it.

    Attributes:
        output: its lines.
        top: the number of the first broken line on the screen.
        pattern: what was searched for last.
    """

    def __init__(self, output: RichTextLines, rows: int, columns: int) -> None:
        self.output, self.pattern, self.top = output, None, 0
        self.pattern: str | None
        self.resize(rows, columns)
        self.show_line(output.annotations.get(INIT_SCROLL_POS_KEY, 0))

    def resize(self, rows: int, columns: int) -> None:
        """Breaks the lines for another size; the line at the top stays there."""
        line = self._line_of(self.top) if self.top else 0
        self._rows = rows
        marked = self.output if self.pattern is None else regex_find(self.output, self.pattern, _FOUND)
        self._matches = marked.annotations.get(REGEX_MATCH_LINES_KEY, []) if self.pattern is not None else []
        self._broken, self._firsts = wrap_rich_text_lines(marked, columns)
        self.show_line(line)

    def scroll(self, by: int) -> None:
        """Scrolls by so many rows, to an end at most."""
        self.top = min(max(self.top + by, 0), self._last_top)

    def show_line(self, number: int) -> None:
        """Scrolls to a line of the answer, or to the end."""
        firsts = self._firsts
        self.top = 0
        self.scroll(firsts[min(max(number, 0), len(firsts) - 1)] if firsts else 0)

    def search(self, pattern: str, columns: int) -> bool:
        """Marks the matches of a pattern and scrolls to the first; False if there are none.

        Raises:
            ValueError: it is no pattern.
        """
        regex_find(self.output, pattern, _FOUND)
        self.pattern = pattern
        self.resize(self._rows, columns)
        if self._matches:
            self.show_line(self._matches[0])
        return bool(self._matches)

    def next_match(self) -> bool:
        """Scrolls to the next line with a match, after the last one to the first; False if there is none."""
        if not self._matches:
            return False
        line = self._line_of(self.top)
        is_at_end = self.top == self._last_top
        self.show_line(next((at for at in self._matches if at > line and not is_at_end), self._matches[0]))
        return True

    def visible(self) -> RichTextLines:
        """The broken lines on the screen."""
        return self._broken.slice(self.top, self.top + self._rows)

    def link(self, row: int, column: int) -> str | None:
        """The command behind a place on the screen."""
        shown = self.visible()
        for begin, end, font in shown.font_attr_segs.get(row, ()) if row < len(shown.lines) else ():
            items = [each for each in (font if isinstance(font, list) else [font]) if isinstance(each, MenuItem)]
            if begin <= column < end and items and items[0].is_enabled():
                return str(items[0].content)
        return None

    @property
    def part(self) -> str:
        """How far it is scrolled, for people."""
        if not self._last_top:
            return "all"
        return f"{100 * self.top / self._last_top:.2f}%"

    @property
    def bar(self) -> tuple[int, int] | None:
        """The first row and the number of rows of a bar that shows which part is on the screen; None if all is."""
        if not self._last_top:
            return None
        size = max(self._rows * self._rows // len(self._broken.lines), 1)
        return round((self._rows - size) * self.top / self._last_top), size

    @property
    def _last_top(self) -> int:
        return max(len(self._broken.lines) - self._rows, 0)

    def _line_of(self, broken: int) -> int:
        """The line of the answer that a broken line is part of."""
        return bisect_right(self._firsts, broken) - 1


def fonts_of(font: Any) -> list[str]:
    """The names of fonts; what can be chosen is underlined."""
    parts = font if isinstance(font, list) else [font]
    return ["underline" if isinstance(part, MenuItem) else part for part in parts if part is not None]
