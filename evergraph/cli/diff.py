"""Says how two checkpoints, graphs or SavedModels differ.

    evergraph diff model.ckpt-1000 model.ckpt-2000              tensors that came, went or changed, and how far
    evergraph diff model.ckpt-1000 other.ckpt --tolerance 1e-6   values this much of the largest apart are the same
    evergraph diff old.pb new.pb                                nodes: op, inputs, attributes
    evergraph diff export/1 export/2 --json                     SavedModels: signatures, nodes and tensors

The exit status is 0 when they agree, 1 when they differ, 2 when one cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys

from evergraph.cli.plain import plain


def execute(words: list[str]) -> int:
    """Prints how two paths differ."""
    parser = argparse.ArgumentParser(
        prog="evergraph diff", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "first", help="a checkpoint, a directory with one, a graph in .pb, .pbtxt or .meta, a SavedModel"
    )
    parser.add_argument("second", help="another")
    parser.add_argument("--tolerance", type=float, default=0.0, metavar="T", help="how far values may be apart (0)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(words)
    # Only now: what reads files takes half a second to import, which --help need not wait for.
    from evergraph.base import errors
    from evergraph.cli.reports.differences import Incomparable, differences
    from evergraph.cli.reports.kinds import Unknown
    from evergraph.cli.reports.report import show, to_json

    try:
        report = differences(given.first, given.second, given.tolerance)
    except (Unknown, Incomparable, errors.OpError, OSError, ValueError) as error:
        print(
            f"evergraph diff: {plain(' '.join(str(getattr(error, 'message', None) or error).split()))}", file=sys.stderr
        )
        return 2
    differ = any(table.rows for table in report.tables)
    try:
        if given.json:
            print(json.dumps({"differ": differ, **to_json(report)}, indent=2))
        else:
            show(report)
            print("they differ" if differ else "they agree")
    except BrokenPipeError:  # `evergraph diff ... | head`
        sys.stderr.close()
    return int(differ)
