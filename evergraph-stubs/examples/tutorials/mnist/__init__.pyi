# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.examples.tutorials.mnist."""

from evergraph.examples.tutorials.mnist import input_data as input_data, mnist as mnist
