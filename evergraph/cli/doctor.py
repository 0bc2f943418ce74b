"""Looks at what evergraph runs on: Python, JAX, devices, C code, caches, optional packages, and a short self-test.

    evergraph doctor                  a line for each
    evergraph doctor --json           for programs, and for reports of faults

The exit status is 0 when evergraph works here, 1 when something keeps it from working.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys


def execute(words: list[str]) -> int:
    """Prints what was found, each with what to do about it."""
    parser = argparse.ArgumentParser(
        prog="evergraph doctor", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(words)
    # Only now: the examination imports JAX, which --help need not wait for.
    from evergraph.cli.examination.findings import BAD, examined

    found = []
    for finding in examined():
        found.append(finding)
        if not given.json:
            print(finding.line(), flush=True)
    works = not any(finding.state == BAD for finding in found)
    if given.json:
        print(json.dumps({"works": works, "findings": [dataclasses.asdict(each) for each in found]}, indent=2))
    else:
        print(
            "evergraph works here" if works else "evergraph does not work here: see the lines with ✗", file=sys.stdout
        )
    return 0 if works else 1
