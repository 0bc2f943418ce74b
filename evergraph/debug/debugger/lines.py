"""Lines with fonts and annotations: what the debugger's commands answer."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base.version import VERSION

REGEX_MATCH_LINES_KEY = "regex_match_lines"
INIT_SCROLL_POS_KEY = "init_scroll_pos"
MAIN_MENU_KEY = "mm:"
_INDENT = "  "


class RichLine:
    """A line of text whose parts have fonts.

    Args:
        text: the text.
        font_attr: its font; None for plain text.
    """

    def __init__(self, text: str = "", font_attr: Any = None) -> None:
        self.text = text
        self.font_attr_segs: list[tuple[int, int, Any]] = [(0, len(text), font_attr)] if font_attr else []

    def __add__(self, other: str | RichLine) -> RichLine:
        if not isinstance(other, (str, RichLine)):
            raise TypeError(f"only a string or another RichLine can be added to a RichLine, not {type(other)}")
        found = RichLine(self.text + str(getattr(other, "text", other)))
        start = len(self.text)
        found.font_attr_segs = [*self.font_attr_segs, *(
            (start + begin, start + end, font) for begin, end, font in getattr(other, "font_attr_segs", ()))]
        return found

    def __len__(self) -> int:
        return len(self.text)


class RichTextLines:
    """Lines of text.

    Args:
        lines: a line, or several of them.
        font_attr_segs: number of a line -> the parts of it that have a font: (begin, end, font).
        annotations: number of a line -> what is known of it; other keys are about all lines.

    Raises:
        ValueError: `lines` are no strings.
    """

    def __init__(self, lines: Any, font_attr_segs: Mapping[int, Any] | None = None,
                 annotations: Mapping[Any, Any] | None = None) -> None:
        if isinstance(lines, str):
            lines = [lines]
        if not isinstance(lines, list):
            raise ValueError(f"Unexpected type in lines: {type(lines)}; wanted are strings")
        self.lines: list[str] = lines
        self.font_attr_segs: dict[int, Any] = dict(font_attr_segs or {})
        self.annotations: dict[Any, Any] = dict(annotations or {})

    def num_lines(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    def slice(self, begin: int, end: int) -> RichTextLines:
        """The lines from number `begin` to before `end`, with what is known of all lines.

        Raises:
            ValueError: a number is negative.
        """
        if begin < 0 or end < 0:
            raise ValueError("Encountered negative index")
        found = RichTextLines(self.lines[begin:end])
        found.font_attr_segs = {at - begin: segs for at, segs in self.font_attr_segs.items() if begin <= at < end}
        for key, value in self.annotations.items():
            if not isinstance(key, int):
                found.annotations[key] = value
            elif begin <= key < end:
                found.annotations[key - begin] = value
        return found

    def extend(self, other: RichTextLines) -> None:
        """Adds lines at the end."""
        start = len(self.lines)
        self.lines.extend(other.lines)
        self.font_attr_segs.update((start + at, segs) for at, segs in other.font_attr_segs.items())
        self.annotations.update((start + key if isinstance(key, int) else key, value)
                                for key, value in other.annotations.items())

    def append(self, line: str, font_attr_segs: Any = None) -> None:
        """Adds a line at the end."""
        self.lines.append(line)
        if font_attr_segs:
            self.font_attr_segs[len(self.lines) - 1] = font_attr_segs

    def append_rich_line(self, rich_line: RichLine) -> None:
        """Adds a line at the end."""
        self.append(rich_line.text, rich_line.font_attr_segs)

    def prepend(self, line: str | list[str], font_attr_segs: Any = None) -> None:
        """Adds a line at the beginning."""
        first = RichTextLines(line, {0: font_attr_segs} if font_attr_segs else None)
        first.extend(self)
        self.lines, self.font_attr_segs, self.annotations = first.lines, first.font_attr_segs, first.annotations

    def write_to_file(self, file_path: str) -> None:
        """Writes the text to a file."""
        with open(file_path, "w") as file:
            file.writelines(f"{line}\n" for line in self.lines)


def rich_text_lines_from_rich_line_list(rich_text_list: Sequence[str | RichLine],
                                        annotations: Mapping[Any, Any] | None = None) -> RichTextLines:
    """Lines, of which some have fonts."""
    found = RichTextLines([], annotations=annotations)
    for line in rich_text_list:
        found.append_rich_line(line if isinstance(line, RichLine) else RichLine(line))
    return found


def get_tensorflow_version_lines(include_dependency_versions: bool = False) -> RichTextLines:
    """The version of TensorFlow whose interface this is, and on request of what it uses."""
    lines = [f"TensorFlow version: {VERSION}", ""]
    if include_dependency_versions:
        lines += ["Dependency version(s):", f"  numpy: {np.__version__}", ""]
    return RichTextLines(lines)


def regex_find(orig_screen_output: RichTextLines, regex: str, font_attr: Any) -> RichTextLines:
    """The same lines with all matches of a pattern in a font, and an annotation that says in which lines they are.

    Raises:
        ValueError: it is no pattern.
    """
    try:
        pattern = re.compile(regex)
    except re.error as error:
        raise ValueError(f"Invalid regular expression: {regex!r}") from error
    found = RichTextLines(orig_screen_output.lines, copy.deepcopy(orig_screen_output.font_attr_segs),
                          orig_screen_output.annotations)
    matching = []
    for at, line in enumerate(found.lines):
        matches = [(match.start(), match.end(), font_attr) for match in pattern.finditer(line)]
        if matches:
            matching.append(at)
            found.font_attr_segs[at] = sorted([*found.font_attr_segs.get(at, []), *matches], key=lambda seg: seg[0])
    found.annotations[REGEX_MATCH_LINES_KEY] = matching
    return found


def wrap_rich_text_lines(inp: RichTextLines, cols: int) -> tuple[RichTextLines, list[int]]:
    """Breaks lines that are longer than a screen is wide.

    Returns:
        The new lines, and the number of the first new line of each old one.

    Raises:
        ValueError: an argument is of another type.
    """
    if not isinstance(inp, RichTextLines):
        raise ValueError("Invalid type of input screen_output")
    if not isinstance(cols, int):
        raise ValueError("Invalid type of input cols")
    found, firsts = RichTextLines([]), []
    for at, line in enumerate(inp.lines):
        firsts.append(len(found.lines))
        if at in inp.annotations:
            found.annotations[len(found.lines)] = inp.annotations[at]
        for begin in range(0, max(len(line), 1), cols):
            segs = [(max(start, begin) - begin, min(end, begin + cols) - begin, font)
                    for start, end, font in inp.font_attr_segs.get(at, ()) if start < begin + cols and end > begin]
            found.append(line[begin:begin + cols], segs)
    found.annotations.update((key, value) for key, value in inp.annotations.items() if not isinstance(key, int))
    return found, firsts


class MenuItem:
    """An item of a menu.

    Args:
        caption: its text.
        content: the command that it stands for.
        enabled: whether it can be chosen.
    """

    def __init__(self, caption: str, content: Any, enabled: bool = True) -> None:
        self._caption, self._content, self._enabled = caption, content, enabled

    caption = property(lambda self: self._caption)
    content = property(lambda self: self._content)

    def is_enabled(self) -> bool:
        """Whether it can be chosen."""
        return self._enabled

    def disable(self) -> None:
        """Lets nobody choose it."""
        self._enabled = False

    def enable(self) -> None:
        """Lets it be chosen."""
        self._enabled = True


class Menu:
    """Commands that are one step away from what is on the screen."""

    def __init__(self, name: str | None = None) -> None:
        self._name, self._items = name, list[MenuItem]()

    def append(self, item: MenuItem) -> None:
        """Adds an item at the end."""
        self._items.append(item)

    def insert(self, index: int, item: MenuItem) -> None:
        """Adds an item at a place."""
        self._items.insert(index, item)

    def num_items(self) -> int:
        """How many items there are."""
        return len(self._items)

    def captions(self) -> list[str]:
        """The texts of the items."""
        return [item.caption for item in self._items]

    def caption_to_item(self, caption: str) -> MenuItem:
        """The item with a text.

        Raises:
            LookupError: there is none.
        """
        for item in self._items:
            if item.caption == caption:
                return item
        raise LookupError(f"the menu has no {caption!r}")

    def format_as_single_line(self, prefix: str | None = None, divider: str = " | ", enabled_item_attrs: Any = None,
                              disabled_item_attrs: Any = None) -> RichTextLines:
        """The items in one line, each in the font of its state; one that can be chosen also has the item as font."""
        line, segs = prefix or "", []
        for item in self._items:
            attrs = _as_list(enabled_item_attrs if item.is_enabled() else disabled_item_attrs)
            fonts = [item, *attrs] if item.is_enabled() else attrs
            if fonts:
                segs.append((len(line), len(line) + len(item.caption), fonts))
            line += item.caption + divider
        return RichTextLines(line, {0: segs} if segs else None)


def _as_list(attrs: Any) -> list[Any]:
    return [] if attrs is None else attrs if isinstance(attrs, list) else [attrs]
