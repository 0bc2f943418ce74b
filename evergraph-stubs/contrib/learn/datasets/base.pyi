# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets.base."""

from typing import Any, NamedTuple

class Datasets(NamedTuple):
    train: Any
    validation: Any
    test: Any
