"""Chooses how the debugger asks: on the whole screen, or line by line."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.debug.debugger.config import CLIConfig
from evergraph.debug.debugger.prompt import CommandUI, ReadlineUI
from evergraph.debug.debugger.screen import CursesUI

_KINDS: dict[str, type[CommandUI]] = {"curses": CursesUI, "readline": ReadlineUI}


def get_ui(ui_type: str, on_ui_exit: Callable[[], Any] | None = None, available_ui_types: Sequence[str] | None = None,
           config: CLIConfig | None = None) -> Any:
    """An interface of a kind: "curses", the whole screen, or "readline". Without a terminal all are the latter.

    Args:
        ui_type: the kind.
        on_ui_exit: is called when it ends.
        available_ui_types: the kinds to choose from; by default both.
        config: its settings.

    Raises:
        ValueError: there is no such kind.
    """
    if ui_type not in (available_ui_types or _KINDS):
        raise ValueError(f"Invalid ui_type: {ui_type!r}")
    kind = ui_type if _has_screen() else "readline"
    return _KINDS[kind](on_ui_exit, config)


def _has_screen() -> bool:
    """Whether a person is there to look at a terminal that can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" \
        and importlib.util.find_spec("curses") is not None
