# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.resampler."""

from evergraph import Tensor
from typing import Any

def resampler(data: Any, warp: Any, name: str = 'resampler') -> Tensor:
    """The pixels of images at given places, mixed from the four around each."""
