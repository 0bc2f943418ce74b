# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.periodic_resample."""

from collections.abc import Sequence
from evergraph import Tensor
from typing import Any

def periodic_resample(values: Any, shape: Sequence[int | None], name: str | None = None) -> Tensor:
    """Moves elements from one axis to the others, which grow; with whole factors this is sub-pixel
    convolution's step."""
