# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.app."""

from collections.abc import Callable
from typing import Any
from evergraph.app import flags as flags

def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> None:
    """Parses the flags, calls a main function with the remaining arguments, and exits with its result."""
