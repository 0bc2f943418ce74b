# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets.boston_housing."""

from numpy import ndarray
from typing import Any

def load_data(
    path: str = 'boston_housing.npz', test_split: float = 0.2, seed: int = 113,
) -> tuple[tuple[ndarray[Any, Any], ndarray[Any, Any]], tuple[ndarray[Any, Any], ndarray[Any, Any]]]:
    """Prices of houses in Boston with 13 features each, 506 rows."""
