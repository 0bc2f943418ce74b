# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.examples.tutorials."""

from evergraph.examples.tutorials import mnist as mnist
