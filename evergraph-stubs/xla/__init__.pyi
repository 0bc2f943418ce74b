# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.xla."""

from evergraph.xla import experimental as experimental
