"""Sections of the documentation that tools write: what stands between two marker comments of a page.

    <!-- rooms: written by `python -m evergraph.tools.rooms` -->
    ...
    <!-- end of rooms -->
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]


def replaced(page: str, name: str, body: str) -> str:
    """The text of a page with `body` as its section of that name.

    Raises:
        ValueError: the page has no such section, or several.
    """
    section = re.compile(rf"^(<!-- {name}: [^\n]* -->)$.*?^(<!-- end of {name} -->)$", re.MULTILINE | re.DOTALL)
    whole, found = section.subn(lambda markers: f"{markers[1]}\n\n{body.strip()}\n\n{markers[2]}", page)
    if found != 1:
        raise ValueError(f"wanted one section {name!r} in the page, found {found}")
    return whole


def main(
    module: str, page: Path, bodies: Callable[[], Mapping[str, str]], arguments: Sequence[str] | None = None
) -> int:
    """Writes sections anew, by name; with --check only says whether one would change, in words and as exit status 1."""
    parser = argparse.ArgumentParser(f"python -m {module}", description=f"Writes sections of {page.name}.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a section is out of date")
    check = parser.parse_args(arguments).check
    old = new = page.read_text()
    for name, body in bodies().items():
        new = replaced(new, name, body)
    if check and new != old:
        print(f"{page.name} is out of date: run `python -m {module}` and commit the result")
        return 1
    if new != old:
        page.write_text(new)
    return 0
