# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.nccl."""

from collections.abc import Sequence
from evergraph import Tensor
from typing import Any

def all_max(tensors: Sequence[Any]) -> list[Tensor]:
    """The largest of the tensors, element by element, for each of them."""

def all_min(tensors: Sequence[Any]) -> list[Tensor]:
    """The smallest of the tensors, element by element, for each of them."""

def all_prod(tensors: Sequence[Any]) -> list[Tensor]:
    """The product of the tensors, for each of them."""

def all_sum(tensors: Sequence[Any]) -> list[Tensor]:
    """The sum of the tensors, for each of them."""

def broadcast(tensor: Any) -> Tensor:
    """The tensor, to be used on every device."""

def reduce_sum(tensors: Sequence[Any]) -> Tensor:
    """The sum of the tensors, once."""
