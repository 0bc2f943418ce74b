"""Text from files as a terminal may show it."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])
"""Categories that a terminal obeys instead of showing: controls, direction and format marks, line separators."""


def plain(text: str) -> str:
    r"""`text` with every control character as an escape, such as `\x1b`: what a file says moves no cursor, sets no
    title, and turns no text around."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) if unicodedata.category(character) in _HIDDEN else character
                   for character in text)  # fmt: skip


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
