# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.learning.supervisor."""

from evergraph.train import Supervisor as Supervisor
