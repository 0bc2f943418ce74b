"""Masks of weights: variables of zeros and ones beside a weight, and the collections that they are in."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.collections import add_to_collection, get_collection
from evergraph.frontend.nn.activations import zero_fraction
from evergraph.frontend.variables.initializers import ones_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise

MASK_COLLECTION = "masks"
THRESHOLD_COLLECTION = "thresholds"
MASKED_WEIGHT_COLLECTION = "masked_weights"
WEIGHT_COLLECTION = "kernel"
MASKED_WEIGHT_NAME = "weights/masked_weight"


@export("contrib.model_pruning.apply_mask")
def apply_mask(x: Any, scope: Any = "") -> Tensor:
    """Weights with a mask of ones, which `tf.contrib.model_pruning.Pruning` sets to zero where they are small.

    >>> y = tf.matmul(x, tf.contrib.model_pruning.apply_mask(weights))

    Args:
        x: the weights.
        scope: the variable scope of `mask` and `threshold`; by default the current one.

    Returns:
        The product of the weights and their mask.
    """
    with variable_scope(scope or get_variable_scope()):
        mask = get_variable("mask", x.shape, initializer=ones_initializer(), trainable=False, dtype=x.dtype.base_dtype)
        threshold = get_variable("threshold", [], initializer=zeros_initializer(), trainable=False,
                                 dtype=x.dtype.base_dtype, partitioner=_whole)
    masked = elementwise.mul(convert_to_tensor(mask), convert_to_tensor(x), name=MASKED_WEIGHT_NAME)
    if not any(each is mask for each in get_collection(MASK_COLLECTION)):
        for collection, value in ((THRESHOLD_COLLECTION, threshold), (MASK_COLLECTION, mask),
                                  (MASKED_WEIGHT_COLLECTION, masked), (WEIGHT_COLLECTION, x)):
            add_to_collection(collection, value)
    return masked


def _whole(shape: Any, dtype: Any = dtypes.float32) -> list[int]:
    """A partitioner that leaves variables whole."""
    return [1] * shape.ndims


@export("contrib.model_pruning.get_masks")
def get_masks() -> list[Any]:
    """The masks of the graph."""
    return get_collection(MASK_COLLECTION)


@export("contrib.model_pruning.get_thresholds")
def get_thresholds() -> list[Any]:
    """The thresholds of the graph: weights whose magnitude is less are masked."""
    return get_collection(THRESHOLD_COLLECTION)


@export("contrib.model_pruning.get_masked_weights")
def get_masked_weights() -> list[Any]:
    """The masked weights of the graph."""
    return get_collection(MASKED_WEIGHT_COLLECTION)


@export("contrib.model_pruning.get_weights")
def get_weights() -> list[Any]:
    """The weights of the graph that have a mask."""
    return get_collection(WEIGHT_COLLECTION)


@export("contrib.model_pruning.get_weight_sparsity")
def get_weight_sparsity() -> list[Tensor]:
    """The share of zeros in each mask."""
    return [zero_fraction(convert_to_tensor(mask)) for mask in get_masks()]
