# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets.synthetic."""

from evergraph.contrib.learn.datasets.base import Dataset
from typing import Any

def circles(
    n_samples: int = 100, noise: float | None = None, seed: int | None = None, factor: float = 0.8,
    n_classes: int = 2, *unused_args: Any, **unused_kwargs: Any,
) -> Dataset:
    """Points on circles around one point, a class on each."""

def spirals(
    n_samples: int = 100, noise: float | None = None, seed: int | None = None, mode: str = 'archimedes',
    n_loops: int = 2, *unused_args: Any, **unused_kwargs: Any,
) -> Dataset:
    """Points on two spirals, one the mirror image of the other."""
