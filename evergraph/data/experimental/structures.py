"""Names of TensorFlow 1.15 for the specs of elements, and datasets as variant tensors."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.data.dataset import DatasetV1
from evergraph.frontend.specs import SparseTensorSpec, TensorSpec, TypeSpec
from evergraph.graph.node import Tensor

Structure = export("data.experimental.Structure")(TypeSpec)


@export("data.experimental.TensorStructure")
def tensor_structure(dtype: Any, shape: Any) -> TensorSpec:
    """The same as `tf.TensorSpec(shape, dtype)`."""
    return TensorSpec(shape, dtype)


@export("data.experimental.SparseTensorStructure")
def sparse_tensor_structure(dtype: Any, shape: Any) -> SparseTensorSpec:
    """The same as `tf.SparseTensorSpec(shape, dtype)`."""
    return SparseTensorSpec(shape, dtype)


@export("data.experimental.from_variant")
def from_variant(variant: Tensor, structure: Any) -> Any:
    """The dataset in a scalar tf.variant tensor.

    Args:
        variant: what `to_variant` gave.
        structure: the structure of the elements.
    """
    return DatasetV1._made(variant, structure)


@export("data.experimental.to_variant")
def to_variant(dataset: Any) -> Tensor:
    """A scalar tf.variant tensor that holds a dataset."""
    return dataset._variant_tensor
