# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.ops.embeddings_ops."""

from evergraph.contrib.learn.ops import categorical_variable as categorical_variable
from evergraph.contrib.learn.ops import embedding_lookup as embedding_lookup
