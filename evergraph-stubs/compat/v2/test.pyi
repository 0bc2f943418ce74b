# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.test."""

from collections.abc import Callable, Sequence
from numpy import ndarray
from typing import Any

def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None,
) -> tuple[list[ndarray], list[ndarray]]:
    """The Jacobians of a function by its arguments twice: from tf.gradients, and from differences."""
