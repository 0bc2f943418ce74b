# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.libsvm."""

from evergraph import SparseTensor, Tensor
from typing import Any

def decode_libsvm(
    content: Any, num_features: int, dtype: Any = None, label_dtype: Any = None,
) -> tuple[SparseTensor, Tensor]:
    """Features and labels from lines such as `1 3:0.5 7:2`: a label, then numbers of features with their
    values."""
