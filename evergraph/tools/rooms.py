"""Writes the table of rooms in docs/architecture.md from [tool.evergraph.rooms] in pyproject.toml:

    python -m evergraph.tools.rooms            # --check fails when the table is out of date

Rooms that are allowed for but have no folder yet are left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from evergraph.tools import sections

PAGE = sections.ROOT / "docs" / "architecture.md"


def rooms() -> dict[str, Any]:
    """The rooms that there are, in the order of pyproject.toml: from the lowest layer to the highest."""
    settings = tomllib.loads((sections.ROOT / "pyproject.toml").read_text())["tool"]["evergraph"]["rooms"]
    return {name: room for name, room in settings.items() if (sections.ROOT / "evergraph" / name).is_dir()}


def table(rooms: Mapping[str, Any]) -> str:
    """A Markdown table with a row for each room."""
    rows = [f"| [`{name}/`](../evergraph/{name}) | {room['holds']} |" for name, room in rooms.items()]
    return "\n".join(["| room | what it holds |", "|---|---|", *rows])


def main(arguments: list[str] | None = None) -> int:
    return sections.main("evergraph.tools.rooms", PAGE, lambda: {"rooms": table(rooms())}, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
