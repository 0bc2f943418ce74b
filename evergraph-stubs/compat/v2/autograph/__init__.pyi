# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.autograph."""

from evergraph.compat.v2.autograph import experimental as experimental

from evergraph.autograph import set_verbosity as set_verbosity
from evergraph.autograph import to_code as to_code
from evergraph.autograph import to_graph as to_graph
from evergraph.autograph import trace as trace
