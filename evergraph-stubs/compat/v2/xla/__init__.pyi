# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.xla."""

from evergraph.compat.v2.xla import experimental as experimental
