# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets."""

from evergraph.keras.datasets import fashion_mnist as fashion_mnist, mnist as mnist
