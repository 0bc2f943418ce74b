# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.memory_stats."""

from evergraph import Tensor

def BytesInUse() -> Tensor:
    """An int64 scalar: the bytes in use when it runs."""

def BytesLimit() -> Tensor:
    """An int64 scalar: the bytes that there are."""

def MaxBytesInUse() -> Tensor:
    """An int64 scalar: the most bytes that were in use so far."""
