"""tf.contrib.nn: cross entropies of 2016, with logits before targets."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from evergraph.ops.arrays.basic import stop_gradient


@export("contrib.nn.deprecated_flipped_softmax_cross_entropy_with_logits")
def softmax_cross_entropy(logits: Any, labels: Any, dim: int = -1, name: str | None = None) -> Any:
    """`tf.nn.softmax_cross_entropy_with_logits`, logits before labels."""
    return softmax_cross_entropy_with_logits_v2(labels=stop_gradient(labels), logits=logits, axis=dim, name=name)


@export("contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy(logits: Any, labels: Any, name: str | None = None) -> Any:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`, logits before labels."""
    return sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


@export("contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy(logits: Any, targets: Any, name: str | None = None) -> Any:
    """`tf.nn.sigmoid_cross_entropy_with_logits`, logits before labels, which are called targets."""
    return sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)
