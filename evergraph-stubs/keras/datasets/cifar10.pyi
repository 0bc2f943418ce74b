# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets.cifar10."""

from numpy import ndarray
from typing import Any

def load_data(
) -> tuple[tuple[ndarray[Any, Any], ndarray[Any, Any]], tuple[ndarray[Any, Any], ndarray[Any, Any]]]:
    """CIFAR-10: 50,000 and 10,000 images of ten classes, 32 x 32 bytes in three colours, with labels
    [images, 1]."""
