# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.decision_trees.proto.generic_tree_model_extensions_pb2 import *
