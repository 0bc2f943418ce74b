"""Imports JAX without side effects on the program's NumPy random generator and root logger."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def unnoticed() -> Iterator[None]:
    """Context manager for importing JAX, which draws from NumPy's global generator and logs at DEBUG.

    Restores the generator, and sets JAX's loggers to WARNING unless the program has set their level.
    """
    for logger in map(logging.getLogger, ("jax", "jax_plugins")):
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)
    state = np.random.get_state()
    try:
        yield
    finally:
        np.random.set_state(state)
