# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.embedding_ops."""

from evergraph.contrib.layers import (
    embedding_lookup_sparse_with_distributed_aggregation as embedding_lookup_sparse_with_distributed_aggregation,
)

from evergraph.contrib.layers import embedding_lookup_unique as embedding_lookup_unique
from evergraph.contrib.layers import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from evergraph.contrib.layers import scattered_embedding_lookup as scattered_embedding_lookup
from evergraph.contrib.layers import scattered_embedding_lookup_sparse as scattered_embedding_lookup_sparse
