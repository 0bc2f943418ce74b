# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.nn."""

from evergraph import Tensor
from typing import Any

def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None,
) -> Tensor:
    """Alpha dropout (Klambauer et al., 2017): keeps mean and variance of what `tf.nn.selu` returns."""

from evergraph.nn import conv1d_transpose as conv1d_transpose

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

def rank_sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_resampled: int,
    num_classes: int, num_true: int, sampled_values: Any, resampling_temperature: Any,
    remove_accidental_hits: bool, partition_strategy: str, name: str | None = None,
) -> Tensor:
    """`tf.nn.sampled_softmax_loss` over those of the sampled classes that the batch finds most likely."""

def sampled_sparse_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int,
    sampled_values: Any = None, remove_accidental_hits: bool = True, partition_strategy: str = 'mod',
    name: str = 'sampled_sparse_softmax_loss',
) -> Tensor:
    """`tf.nn.sampled_softmax_loss` with one true class for each example, which needs no one-hot targets."""

def scaled_softplus(x: Any, alpha: Any, clip: Any = None, name: str | None = None) -> Tensor:
    """alpha * softplus(x / alpha), and no more than `clip`: a smooth relu whose bend has the width
    alpha."""
