"""What declares the ops that have not been imported yet; by itself, so that to say it costs no import."""

from collections.abc import Callable

fillers: dict[Callable[[], object], None] = {}


def fill_with(declare_all: Callable[[], object]) -> None:
    """Registers a function that declares ops."""
    fillers[declare_all] = None
