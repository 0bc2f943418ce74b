# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensorboard."""

from evergraph.contrib.tensorboard import plugins as plugins
