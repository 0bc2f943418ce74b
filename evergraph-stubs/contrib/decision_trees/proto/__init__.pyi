# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.decision_trees.proto."""

from evergraph.contrib.decision_trees.proto import (
    generic_tree_model_extensions_pb2 as generic_tree_model_extensions_pb2,
    generic_tree_model_pb2 as generic_tree_model_pb2,
)
