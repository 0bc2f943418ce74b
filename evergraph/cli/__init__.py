"""The `evergraph` command."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

COMMANDS = ("run", "launch", "profile", "audit", "inspect", "diff", "predict", "freeze", "convert", "tool", "board",
            "plot", "serve", "kernel", "doctor", "cache", "completion")  # fmt: skip
"""Each is a module of this room with a function `execute(words)`; only the one that runs is imported."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that `argv` names, with the words behind it; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["-h"], ["--help"]):
        print(usage())
        return 0
    if words[:1] in (["-V"], ["--version"]):
        print(version())
        return 0
    if not words or words[0] not in COMMANDS:
        print(_mistyped(words[0]) if words else usage(), file=sys.stderr)
        return 2
    return command(words[0]).execute(words[1:])


def command(name: str) -> ModuleType:
    return importlib.import_module(f"evergraph.cli.{name}")


def usage() -> str:
    """A line for each command."""
    lines = [f"  {name:10} {(command(name).__doc__ or '').splitlines()[0]}" for name in COMMANDS]
    return "\n".join(["usage: evergraph COMMAND ...", "", *lines])


def version() -> str:
    """evergraph's version, and that of the TensorFlow whose names and files it has."""
    from evergraph.base.version import VERSION

    ours = vars(sys.modules["evergraph"])["__version__"]
    return f"evergraph {ours} (TensorFlow {VERSION}, Python {sys.version.split()[0]})"


def _mistyped(word: str) -> str:
    """What to say of a command that there is not: the nearest that there is."""
    if os.path.isfile(word) and word.endswith((".py", ".ipynb")):
        return f"evergraph: {word} is a program: evergraph run {word}"
    near = difflib.get_close_matches(word.lower(), COMMANDS, 1, 0.6)
    meant = f"did you mean `evergraph {near[0]}`?" if near else f"there are {', '.join(COMMANDS)}"
    return f"evergraph: there is no command {word!r}; {meant}"
