# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.nn."""

from evergraph import Tensor
from typing import Any

def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: Any = 'mean',
    default_id: Any = None, max_norm: Any = None, name: str | None = None,
) -> Tensor:
    """`tf.nn.safe_embedding_lookup_sparse` as TensorFlow 2 spells it: rows are dealt out to parts in
    stretches."""
