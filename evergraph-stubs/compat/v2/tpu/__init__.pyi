# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.tpu."""

from evergraph.compat.v2.tpu import experimental as experimental
