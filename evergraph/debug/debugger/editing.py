"""A line of text that keys edit, with the commands before it and the words that complete it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence


class Field:
    """The line.

    Args:
        history: the last commands that begin with a text, the latest at the end.
        completions: the words that the last word of a line may become.

    Attributes:
        text: what the line says.
        cursor: the place in it where keys write.
        candidates: words between which the last key, which asked for completion, could not decide.
    """

    def __init__(self, history: Callable[[str], Sequence[str]], completions: Callable[[str], Sequence[str]]) -> None:
        self._history, self._completions = history, completions
        self.text, self.cursor = "", 0
        self.candidates: Sequence[str] = ()
        self._typed: str | None = None  # the text with which a search of the history began ...
        self._back = 0  # ... and how many commands back it is

    def insert(self, text: str) -> None:
        """Writes at the cursor."""
        self._set(self.text[:self.cursor] + text + self.text[self.cursor:], self.cursor + len(text))

    def erase(self, by: int) -> None:
        """Erases the character before the cursor (-1) or at it (0)."""
        at = self.cursor + by
        if 0 <= at < len(self.text):
            self._set(self.text[:at] + self.text[at + 1:], at)

    def erase_all(self) -> None:
        """Leaves an empty line."""
        self._set("", 0)

    def move(self, to: int) -> None:
        """Moves the cursor, at most to an end of the line."""
        self._set(self.text, min(max(to, 0), len(self.text)))

    def take(self) -> str:
        """The text, which is gone then."""
        text = self.text
        self.erase_all()
        return text.strip()

    def look_back(self, by: int) -> None:
        """Shows an earlier command (1) or a later one (-1) of those that begin with what was typed."""
        typed = self.text if self._typed is None else self._typed
        found = [*dict.fromkeys(reversed(self._history(typed)))]
        back = min(max(self._back + by, 0), len(found))
        text = found[back - 1] if back else typed
        self._set(text, len(text))
        self._typed, self._back = (typed, back) if back else (None, 0)

    def complete(self) -> None:
        """Completes the word before the cursor, as far as all candidates agree."""
        before = self.text[:self.cursor]
        found = self._completions(before)
        word = before.split(" ")[-1]
        more = os.path.commonprefix(list(found))[len(word):] + (" " if len(found) == 1 else "")
        self.insert(more)
        self.candidates = found if len(found) > 1 and not more else ()

    def _set(self, text: str, cursor: int) -> None:
        self.text, self.cursor, self.candidates = text, cursor, ()
        self._typed, self._back = None, 0
