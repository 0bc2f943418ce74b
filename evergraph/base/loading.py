"""Loading JAX without the program noticing: NumPy's global generator and the root logger are the program's."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def unnoticed() -> Iterator[None]:
    """A block that imports JAX, which draws from NumPy's global generator and tells all it does to a log at DEBUG.

    The generator is as it was afterwards, and JAX logs warnings only, unless the program has said what it shall log.
    """
    for logger in map(logging.getLogger, ("jax", "jax_plugins")):
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)
    state = np.random.get_state()
    try:
        yield
    finally:
        np.random.set_state(state)
