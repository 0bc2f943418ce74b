# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.datasets."""

from evergraph.compat.v2.keras.datasets import (
    boston_housing as boston_housing, cifar10 as cifar10, cifar100 as cifar100,
    fashion_mnist as fashion_mnist, imdb as imdb, mnist as mnist, reuters as reuters,
)
