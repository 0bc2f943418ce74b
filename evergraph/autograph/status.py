"""Whether functions that tf.function, tf.data and others are given are converted at this moment."""

from __future__ import annotations

import os

from evergraph.base import logging
from evergraph.graph.scopes import DefaultStack

conversion = DefaultStack()
"""True where a converted function runs, False where one runs that must not be converted; empty elsewhere."""


class Verbosity:
    """How much is said about conversions.

    Attributes:
        level: 0 for warnings alone; 1 also names what is converted, 3 shows the code too.
        to_stdout: whether to print it too.
    """

    level = int(os.environ.get("AUTOGRAPH_VERBOSITY", "0"))
    to_stdout = False


def say(level: int, text: str) -> None:
    """Logs a message if the verbosity is `level` or more."""
    if Verbosity.level >= level:
        logging.info(text)
        if Verbosity.to_stdout:
            print(text)


def warn(text: str) -> None:
    """Logs a warning."""
    logging.warning(text)
    if Verbosity.to_stdout:
        print(text)
