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
WANTED = sections.ROOT / "evergraph" / "api" / "contrib_names.txt"
GAPS = sections.ROOT / "evergraph" / "tools" / "contrib_gaps.toml"
_SHOWN = 6
_MODULES = {"examples", "feature_column", "ops", "predictor_factories", "summary_test_util", "testing_common"}
_ELSEWHERE = ("keras",)  # tf.contrib.keras is tf.keras


def packages(table: str) -> dict[str, list[str]]:
    """Each package of tf.contrib -> its public names, from the text of the table of names."""
    found: dict[str, set[str]] = {}
    for package, name in re.findall(r'^    "contrib\.(\w+)\.([\w.]+)":', table, re.MULTILINE):
        found.setdefault(package, set()).add(name)
    return {package: sorted(names) for package, names in sorted(found.items())}


def gaps() -> dict[str, str]:
    """Each package that lacks something -> what, and why."""
    return tomllib.loads(GAPS.read_text())


def missing(wanted: Iterable[str], there: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Each package that lacks public names of TensorFlow's -> these names.

    Args:
        wanted: TensorFlow's names, "contrib.PACKAGE.NAME".
        there: see `packages`.
    """
    known = {f"{package}.{name}" for package, names in there.items() for name in names}
    spaces = {name.rsplit(".", level)[0] for name in known for level in range(1, name.count(".") + 1)}
    found: dict[str, list[str]] = {}
    for name in sorted(wanted):
        short = name.removeprefix("contrib.")
        package, _, leaf = short.partition(".")
        if leaf and leaf not in _MODULES and short not in known | spaces:
            found.setdefault(package, []).append(leaf)
    return found


def _lacking(reason: str, names: Iterable[str]) -> str:
    """What a package lacks: the reason, and the names where it is not the whole package."""
    listed = "" if reason.startswith("all") else ", ".join(f"`{name}`" for name in names)
    return "; ".join(part for part in (listed, reason) if part)


def _there(names: Iterable[str]) -> str:
    """How many names there are, and which, where they are few."""
    direct = [name for name in names if "." not in name] or list(names)
    return f"{len(direct)} names" if len(direct) > _SHOWN else ", ".join(f"`{name}`" for name in direct)


def rows(there: Mapping[str, Iterable[str]], lacking: Mapping[str, str], absent: Mapping[str, Iterable[str]]) -> str:
    """A Markdown table with a row for each package."""
    lines = [f"| `{package}` | {_there(there[package]) if package in there else 'nothing'} | "
             f"{_lacking(lacking.get(package, ''), absent.get(package, ()))} |"
             for package in sorted({*there, *lacking, *absent} - set(_ELSEWHERE))]
    return "\n".join(["| package | what is there | what is not, and why |", "|---|---|---|", *lines])


def main(arguments: list[str] | None = None) -> int:
    def tables() -> dict[str, str]:
        there = packages(NAMES.read_text())
        return {"packages": rows(there, gaps(), missing(WANTED.read_text().split(), there))}

    return sections.main("evergraph.tools.contrib", PAGE, tables, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
