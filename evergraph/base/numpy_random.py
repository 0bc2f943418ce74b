"""NumPy's global generator belongs to the program: what we import must not draw from it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Leaves NumPy's global generator as it was before the block. Importing JAX draws from it."""
    state = np.random.get_state()
    try:
        yield
    finally:
        np.random.set_state(state)
