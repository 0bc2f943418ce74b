"""Says on the error stream what the tier policy decides, where EVERGRAPH_EXPLAIN asks for it."""

from __future__ import annotations

import os
import sys


class Setting:
    """Whether decisions are said; a program may change it."""

    is_on = os.environ.get("EVERGRAPH_EXPLAIN", "0") not in ("", "0")


setting = Setting()


def say(line: str) -> None:
    """Writes a line."""
    print(f"evergraph: {line}", file=sys.stderr)
