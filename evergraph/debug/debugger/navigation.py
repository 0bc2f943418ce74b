"""What was on the screen before: the history of the debugger's curses interface."""

from __future__ import annotations

from typing import Any

from evergraph.debug.debugger.lines import MenuItem, RichLine, RichTextLines, rich_text_lines_from_rich_line_list


class NavigationHistoryItem:
    """A screen that was shown: the command, its answer, and how far that was scrolled."""

    def __init__(self, command: str, screen_output: RichTextLines, scroll_position: int) -> None:
        self.command, self.screen_output, self.scroll_position = command, screen_output, scroll_position


class CursesNavigationHistory:
    """Screens to go back and forward to.

    Args:
        capacity: how many are kept.

    Raises:
        ValueError: `capacity` is not positive.
    """

    BACK_ARROW_TEXT, FORWARD_ARROW_TEXT = "<--", "-->"

    def __init__(self, capacity: int) -> None:
        if capacity <= 0:
            raise ValueError(f"the capacity has to be positive, not {capacity}")
        self._capacity, self._items, self._pointer = capacity, list[NavigationHistoryItem](), -1

    def add_item(self, command: str, screen_output: RichTextLines, scroll_position: int) -> None:
        """Adds a screen behind the current one, in place of those that came after it."""
        self._items = [*self._items[:self._pointer + 1], NavigationHistoryItem(command, screen_output, scroll_position)]
        self._items = self._items[-self._capacity:]
        self._pointer = len(self._items) - 1

    def update_scroll_position(self, new_scroll_position: int) -> None:
        """Notes how far the current screen is scrolled."""
        self._current().scroll_position = new_scroll_position

    def size(self) -> int:
        """How many screens there are."""
        return len(self._items)

    def pointer(self) -> int:
        """The number of the current one."""
        return self._pointer

    def go_back(self) -> NavigationHistoryItem:
        """The screen before the current one, or the first."""
        self._current()
        self._pointer = max(self._pointer - 1, 0)
        return self._current()

    def go_forward(self) -> NavigationHistoryItem:
        """The screen after the current one, or the last."""
        self._current()
        self._pointer = min(self._pointer + 1, len(self._items) - 1)
        return self._current()

    def can_go_back(self) -> bool:
        """Whether there is a screen before the current one."""
        return self._pointer >= 1

    def can_go_forward(self) -> bool:
        """Whether there is a screen after the current one."""
        return self._pointer + 1 < len(self._items)

    def render(self, max_length: int, backward_command: str, forward_command: str,
               latest_command_attribute: Any = "black_on_white",
               old_command_attribute: Any = "magenta_on_white") -> RichTextLines:
        """A line with arrows and the current command, which is cut if it is too long."""
        line = RichLine("| ")
        line += RichLine(self.BACK_ARROW_TEXT, MenuItem(None, backward_command) if self.can_go_back() else None)
        line += " "
        line += RichLine(self.FORWARD_ARROW_TEXT, MenuItem(None, forward_command) if self.can_go_forward() else None)
        if self._items:
            attribute = latest_command_attribute if self._pointer == len(self._items) - 1 else old_command_attribute
            line += " | "
            note = "" if self._pointer == len(self._items) - 1 else f"(-{len(self._items) - 1 - self._pointer}) "
            room = max_length - len(line) - len(note)
            command = self._current().command
            if note:
                line += RichLine(note, attribute)
            line += RichLine(command[:max(room, 0)], attribute)
        return rich_text_lines_from_rich_line_list([line])

    def _current(self) -> NavigationHistoryItem:
        if not self._items:
            raise ValueError("Empty navigation history")
        return self._items[self._pointer]
