# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.boosted_trees.proto.tree_config_pb2 import *
