"""The scalars of event files as a picture in a notebook."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from evergraph.cli.plot import CannotDraw, chosen_of, figure_of
from evergraph.cli.plots.scalars import lines_of


class Picture:
    """An SVG that notebooks show."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __repr__(self) -> str:
        return "a picture of scalars"


def plotted(folders: Sequence[str]) -> Any:
    """A picture of the scalars of runs; what was wrong where there is none."""
    try:
        file = io.StringIO()
        figure_of(chosen_of(lines_of(folders), re.compile(""))).savefig(file, format="svg")
    except (CannotDraw, OSError) as error:
        print(f"%evergraph plot: {error}")
        return None
    return Picture(file.getvalue())
