# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets."""

from evergraph.contrib.learn.datasets import base as base, mnist as mnist
