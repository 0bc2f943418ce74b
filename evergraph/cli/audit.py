"""Says which programs of a code base run on evergraph, and which names the others need, without running them.

    evergraph audit models/research             a folder, one file, or a notebook
    evergraph audit models/research --json      for programs
    evergraph audit . --html report.html        a page for a browser
    evergraph audit . --names                   only the names that are missing, with the files that use them

The exit status is 0 when every program runs, as it is or with the options that the report names; otherwise 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys


def execute(words: list[str]) -> int:
    """Prints a report on the sources below a path."""
    given = _parser().parse_args(words)
    root = os.path.normpath(given.path)
    if not os.path.exists(root):
        print(f"evergraph audit: there is no file or folder {given.path}", file=sys.stderr)
        return 2
    # Only now: the table of names takes a while to read, which --help need not wait for.
    from evergraph.cli.audits.audit import audit
    from evergraph.cli.audits.show import as_json, lines, name_lines

    report = audit(root)
    if given.html:
        from evergraph.cli.audits.page import page

        with open(given.html, "w", encoding="utf-8") as file:
            file.write(page(report))
        print(f"{given.html}: {len(report.programs)} programs")
        return 0 if report.runs else 1
    try:
        if given.json:
            print(json.dumps(as_json(report), indent=2))
        else:
            print(*(name_lines(report) if given.names else lines(report)), sep="\n")
    except BrokenPipeError:  # `evergraph audit ... | head`
        sys.stderr.close()
    return 0 if report.runs else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evergraph audit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", help="a folder of sources, one source, or a notebook")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--html", metavar="FILE", help="write a page for a browser")
    parser.add_argument("--names", action="store_true", help="print the missing names alone")
    return parser
