# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.data.experimental."""

from evergraph import RaggedTensorSpec
from typing import Any

def RaggedTensorStructure(dtype: Any, shape: Any, ragged_rank: int) -> RaggedTensorSpec:
    """The same as `tf.RaggedTensorSpec(shape, dtype, ragged_rank)`."""
