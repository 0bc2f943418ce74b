"""The `evergraph` command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evergraph.cli import run

COMMANDS = {"run": run}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that `argv` names; returns the exit status."""
    parser = argparse.ArgumentParser(prog="evergraph", description="TensorFlow 1 programs without TensorFlow.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        summary = (module.__doc__ or "").strip().splitlines()[0]
        module.add_arguments(commands.add_parser(name, help=summary, description=module.__doc__,
                                                 formatter_class=argparse.RawDescriptionHelpFormatter))
    arguments = parser.parse_args(argv)
    return COMMANDS[arguments.command].execute(arguments)
