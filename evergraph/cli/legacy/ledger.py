"""What has been lent to the program of this process, to be said when it ends."""

from __future__ import annotations

_LENT: dict[str, None] = {}


def lend(name: str) -> None:
    """Notes that the program was given something that newer packages lack."""
    _LENT.setdefault(name)


def lent() -> list[str]:
    """What has been lent, in the order of first use."""
    return list(_LENT)
