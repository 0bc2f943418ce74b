"""Writes the table of packages in docs/contrib.md, from the table of public names and contrib_gaps.toml:

    python -m evergraph.tools.contrib          # --check fails when the table is out of date
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping

from evergraph.tools import sections

PAGE = sections.ROOT / "docs" / "contrib.md"
NAMES = sections.ROOT / "evergraph" / "api" / "names.py"
GAPS = sections.ROOT / "evergraph" / "tools" / "contrib_gaps.toml"
_SHOWN = 6


def packages(table: str) -> dict[str, list[str]]:
    """Each package of tf.contrib -> its public names, from the text of the table of names."""
    found: dict[str, set[str]] = {}
    for package, name in re.findall(r'^    "contrib\.(\w+)\.([\w.]+)":', table, re.MULTILINE):
        found.setdefault(package, set()).add(name)
    return {package: sorted(names) for package, names in sorted(found.items())}


def gaps() -> dict[str, str]:
    """Each package that lacks something -> what, and why."""
    return tomllib.loads(GAPS.read_text())


def _there(names: Iterable[str]) -> str:
    """How many names there are, and which, where they are few."""
    direct = [name for name in names if "." not in name] or list(names)
    return f"{len(direct)} names" if len(direct) > _SHOWN else ", ".join(f"`{name}`" for name in direct)


def rows(there: Mapping[str, Iterable[str]], lacking: Mapping[str, str]) -> str:
    """A Markdown table with a row for each package."""
    lines = [f"| `{package}` | {_there(there[package]) if package in there else 'nothing'} | "
             f"{lacking.get(package, '')} |" for package in sorted({*there, *lacking})]
    return "\n".join(["| package | what is there | what is not, and why |", "|---|---|---|", *lines])


def main(arguments: list[str] | None = None) -> int:
    return sections.main("evergraph.tools.contrib", PAGE,
                         lambda: {"packages": rows(packages(NAMES.read_text()), gaps())}, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
