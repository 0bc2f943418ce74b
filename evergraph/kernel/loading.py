"""Imports JAX once and wholly, without side effects on the program's NumPy random generator and root logger."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from evergraph.base.aside import Once


def _imported() -> Any:
    """JAX draws from NumPy's global generator when it is imported, and logs at DEBUG.

    Restores the generator, and sets JAX's loggers to WARNING unless the program has set their level.
    """
    for logger in map(logging.getLogger, ("jax", "jax_plugins")):
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)
    state = np.random.get_state()
    try:
        import jax
    finally:
        np.random.set_state(state)
    return jax


imported_jax = Once(_imported)
"""The jax module. Modules of which an interrupt has left a part behind could not be imported again."""
