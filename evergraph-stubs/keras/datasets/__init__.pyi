# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets."""

from evergraph.keras.datasets import (
    boston_housing as boston_housing, cifar10 as cifar10, cifar100 as cifar100,
    fashion_mnist as fashion_mnist, imdb as imdb, mnist as mnist, reuters as reuters,
)
