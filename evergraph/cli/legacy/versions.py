"""The versions of distutils: numbers and words between dots, compared one after the other."""

from __future__ import annotations

import functools
import re
from typing import Any


@functools.total_ordering
class Version:
    """A version that compares with others and with texts."""

    def __init__(self, vstring: str | None = None) -> None:
        if vstring:
            self.parse(vstring)

    def parse(self, vstring: str) -> None:
        self.vstring = vstring
        parts = [part for part in re.split(r"(\d+|[a-z]+|\.)", vstring) if part and part != "."]
        self.version: list[Any] = [int(part) if part.isdigit() else part for part in parts]

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"{type(self).__name__} ('{self}')"

    def __hash__(self) -> int:
        return hash(self.vstring)

    def __eq__(self, other: object) -> bool:
        return self._key() == self._other(other)._key()

    def __lt__(self, other: object) -> bool:
        return self._key() < self._other(other)._key()

    def _other(self, other: object) -> Version:
        return other if isinstance(other, Version) else type(self)(str(other))

    def _key(self) -> list[tuple[bool, Any]]:
        """Words come before numbers, which Python does not compare with them."""
        return [(isinstance(part, int), part) for part in self.version]


class LooseVersion(Version):
    """A version of any form."""


class StrictVersion(Version):
    """A version of two or three numbers, perhaps with a pre-release such as a1."""

    def parse(self, vstring: str) -> None:
        found = re.fullmatch(r"(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?", vstring)
        if not found:
            raise ValueError(f"invalid version number '{vstring}'")
        self.vstring = vstring
        major, minor, patch, letter, number = found.groups()
        self.version = [int(major), int(minor), int(patch or 0), letter or "final", int(number or 0)]
