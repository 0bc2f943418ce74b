# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan.features."""

from evergraph import Tensor
from typing import Any

def condition_tensor(tensor: Any, conditioning: Any) -> Tensor:
    """A tensor plus a projection of a condition: a fully connected layer without bias makes them fit."""

def condition_tensor_from_onehot(tensor: Any, one_hot_labels: Any, embedding_size: int = 256) -> Tensor:
    """A tensor plus a projection of an embedding of labels."""

def tensor_pool(
    input_values: Any, pool_size: int | None = 50, pooling_probability: float = 0.5,
    name: str = 'tensor_pool',
) -> Any:
    """Values of earlier steps, by chance (Shrivastava and others, 2017)."""
