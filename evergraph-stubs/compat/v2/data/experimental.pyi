# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.data.experimental."""

from collections.abc import Callable
from typing import Any

def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: Any = False, row_splits_dtype: Any = ...,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: consecutive elements; where their sizes are not known, as the rows of a
    tf.RaggedTensor."""
