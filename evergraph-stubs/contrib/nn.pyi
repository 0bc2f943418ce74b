# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.nn."""

from evergraph import Tensor
from typing import Any

def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: Any, targets: Any, name: str | None = None,
) -> Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits`, logits before labels, which are called targets."""

def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None,
) -> Any:
    """`tf.nn.softmax_cross_entropy_with_logits`, logits before labels."""

def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None,
) -> Any:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`, logits before labels."""

def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> Tensor:
    """The element at place `n` of each row once it is sorted; `reverse` sorts it downward."""
