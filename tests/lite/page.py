"""Writes the table of ops in docs/lite.md from the rows of the converter:

    python -m tests.lite.page            # --check fails when the table is out of date
"""

import sys

from evergraph.lite import lowering  # noqa: F401 - its rows fill the table
from evergraph.lite.site import TABLE
from evergraph.tools import sections

PAGE = sections.ROOT / "docs" / "lite.md"


def table():
    """A Markdown table with a row for each op."""
    rows = [f"| {op.name} | {', '.join(row.codes) or 'nothing to compute'} |" for op, row in
            sorted(TABLE.items(), key=lambda pair: pair[0].name)]  # fmt: skip
    return "\n".join(["| TensorFlow's op | TensorFlow Lite's operators |", "|---|---|", *rows])


def counts():
    operators = {code for row in TABLE.values() for code in row.codes}
    return f"{len(TABLE)} ops have a counterpart, by {len(operators)} of TensorFlow Lite's builtin operators:"


def main(words=None):
    return sections.main("tests.lite.page", PAGE, lambda: {"ops": f"{counts()}\n\n{table()}"}, words)


if __name__ == "__main__":
    sys.exit(main())
