# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.proto."""

from evergraph.contrib.boosted_trees.proto import (
    learner_pb2 as learner_pb2, quantiles_pb2 as quantiles_pb2, split_info_pb2 as split_info_pb2,
    tree_config_pb2 as tree_config_pb2,
)
