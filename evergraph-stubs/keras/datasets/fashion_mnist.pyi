# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets.fashion_mnist."""

from numpy import ndarray
from typing import Any

def load_data(
) -> tuple[tuple[ndarray[Any, Any], ndarray[Any, Any]], tuple[ndarray[Any, Any], ndarray[Any, Any]]]:
    """Fashion-MNIST: 60,000 and 10,000 images of clothes in ten classes, 28 x 28 bytes, with their
    labels."""
