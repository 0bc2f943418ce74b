"""Runs a program as `evergraph run` does, and says at the end where its time went.

    evergraph profile train.py --steps 100

It takes what `evergraph run` takes. Some runs of each list of fetches are traced: for these it names the nodes and the
lines of the program that took most of the time.
"""

from __future__ import annotations

import sys

from evergraph.cli import run
from evergraph.debug.where_time_goes import WhereTimeGoes


def execute(words: list[str]) -> int:
    """Runs the program and prints the report, also if the program ends by an exception."""
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    measured = WhereTimeGoes()
    try:
        with measured:
            return run.execute(words)
    finally:
        print("evergraph profile:", *measured.report(), sep="\n", file=sys.stderr)
