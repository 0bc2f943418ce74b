# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensorboard.plugins."""

from evergraph.contrib.tensorboard.plugins import projector as projector
