"""The `evergraph` command."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from types import ModuleType

COMMANDS = ("run", "launch", "profile", "audit", "inspect", "freeze", "board", "plot", "serve")
"""Each is a module of this room with a function `execute(words)`; only the one that runs is imported."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that `argv` names, with the words behind it; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["-h"], ["--help"]):
        print(usage())
        return 0
    if not words or words[0] not in COMMANDS:
        print(usage(), file=sys.stderr)
        return 2
    return command(words[0]).execute(words[1:])


def command(name: str) -> ModuleType:
    return importlib.import_module(f"evergraph.cli.{name}")


def usage() -> str:
    """A line for each command."""
    lines = [f"  {name:10} {(command(name).__doc__ or '').splitlines()[0]}" for name in COMMANDS]
    return "\n".join(["usage: evergraph COMMAND ...", "", *lines])
