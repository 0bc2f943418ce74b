# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.datasets."""

from evergraph.compat.v2.keras.datasets import fashion_mnist as fashion_mnist, mnist as mnist
