# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets.mnist."""

from numpy import ndarray
from typing import Any

def load_data(
    path: str = 'mnist.npz',
) -> tuple[tuple[ndarray[Any, Any], ndarray[Any, Any]], tuple[ndarray[Any, Any], ndarray[Any, Any]]]:
    """MNIST: 60,000 and 10,000 images of digits, 28 x 28 bytes, with their labels."""
