"""Functions with the arguments that they took before TensorFlow 1.0, for `evergraph run --allow-removed-names`.

Each tells by its arguments which of both orders a call means, so that programs may mix them.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from evergraph.frontend import array
from evergraph.frontend.image.resize import resize_images as resize_to_size
from evergraph.frontend.nn import cross_entropy, sampled
from evergraph.frontend.nn.ctc import ctc_loss as ctc_loss_of_labels
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import pad


def _by_place(function):
    """A cross entropy to which the logits, then the labels may be given by place."""

    @functools.wraps(function)
    def old(logits=None, labels=None, **named):
        return function(labels=named.pop("targets", labels), logits=logits, **named)

    return old


softmax_cross_entropy = _by_place(cross_entropy.softmax_cross_entropy_with_logits)
sparse_cross_entropy = _by_place(cross_entropy.sparse_softmax_cross_entropy_with_logits)
sigmoid_cross_entropy = _by_place(cross_entropy.sigmoid_cross_entropy_with_logits)


def concat(*given: Any, **named: Any) -> Tensor:
    """tf.concat(concat_dim, values) or tf.concat(values, axis): nothing joins along a scalar."""
    if "concat_dim" in named or given and _is_scalar(given[0]):
        return _concat(*given, **named)
    return array.concat(*given, **named)


def _concat(concat_dim: Any, values: Any, name: str = "concat") -> Tensor:
    return array.concat(values, concat_dim, name=name)


def split(*given: Any, **named: Any) -> list[Tensor]:
    """tf.split(split_dim, num_split, value) or tf.split(value, num_or_size_splits, axis): scalars are not split."""
    if {"split_dim", "num_split"} & named.keys() or given and _is_scalar(given[0]):
        return _split(*given, **named)
    return array.split(*given, **named)


def _split(split_dim: Any, num_split: Any, value: Any, name: str = "split") -> list[Tensor]:
    return array.split(value, num_split, split_dim, name=name)


def reverse(tensor: Any, axis: Any = None, name: str | None = None, *, dims: Any = None) -> Tensor:
    """tf.reverse(tensor, dims), which says of each axis whether to reverse it, or tf.reverse(tensor, axis)."""
    chosen = convert_to_tensor(axis if dims is None else dims)
    if chosen.dtype.is_bool:
        return pad.reverse(tensor, chosen, name=name)
    return pad.reverse_v2(tensor, chosen, name=name)


def resize_images(images: Any, *given: Any, **named: Any) -> Tensor:
    """tf.image.resize_images(images, new_height, new_width) or tf.image.resize_images(images, size)."""
    if "new_height" in named or given and _is_scalar(given[0]):
        return _resize_images(images, *given, **named)
    return resize_to_size(images, *given, **named)


def _resize_images(images: Any, new_height: Any, new_width: Any, *given: Any, **named: Any) -> Tensor:
    return resize_to_size(images, [new_height, new_width], *given, **named)


def _inputs_first(function):
    """A sampled loss that took its inputs before its labels: labels are classes, inputs have fractions."""

    @functools.wraps(function)
    def old(weights, biases, labels, inputs, *given, **named):
        labels, inputs = convert_to_tensor(labels), convert_to_tensor(inputs)
        if labels.dtype.is_floating and inputs.dtype.is_integer:
            labels, inputs = inputs, labels
        return function(weights, biases, labels, inputs, *given, **named)

    return old


nce_loss = _inputs_first(sampled.nce_loss)
sampled_softmax_loss = _inputs_first(sampled.sampled_softmax_loss)


def ctc_loss(labels: Any, inputs: Any = None, *given: Any, **named: Any) -> Tensor:
    """tf.nn.ctc_loss(inputs, labels, ...) or tf.nn.ctc_loss(labels, inputs, ...): labels are sparse."""
    if isinstance(inputs, SparseTensor):
        labels, inputs = inputs, labels
    return ctc_loss_of_labels(labels, inputs, *given, **named)


def _is_scalar(value: Any) -> bool:
    return value.shape.rank == 0 if isinstance(value, Tensor) else isinstance(value, (int, np.integer))
