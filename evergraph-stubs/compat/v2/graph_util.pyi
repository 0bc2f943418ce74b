# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.graph_util."""

from evergraph import import_graph_def as import_graph_def
