# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.learning.tf_saver."""

from evergraph.train import Saver as Saver
