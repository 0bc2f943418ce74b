# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets.cifar100."""

from numpy import ndarray
from typing import Any

def load_data(
    label_mode: str = 'fine',
) -> tuple[tuple[ndarray[Any, Any], ndarray[Any, Any]], tuple[ndarray[Any, Any], ndarray[Any, Any]]]:
    """CIFAR-100: 50,000 and 10,000 images, 32 x 32 bytes in three colours, with labels [images, 1]."""
