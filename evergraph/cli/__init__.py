"""The `evergraph` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from evergraph.cli import run

COMMANDS = {"run": run}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that `argv` names, with the words behind it; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["-h"], ["--help"]):
        print(usage())
        return 0
    if not words or words[0] not in COMMANDS:
        print(usage(), file=sys.stderr)
        return 2
    return COMMANDS[words[0]].execute(words[1:])


def usage() -> str:
    """A line for each command."""
    lines = [f"  {name:10} {(module.__doc__ or '').splitlines()[0]}" for name, module in COMMANDS.items()]
    return "\n".join(["usage: evergraph COMMAND ...", "", *lines])
