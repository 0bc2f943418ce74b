"""Dtype and shape of the tensors that a model was given, to compare later ones with and to make placeholders of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.input.features import FixedLenFeature, VarLenFeature
from evergraph.frontend.input.parsing import parse_example
from evergraph.graph.composite import SparseTensor

_PARSED = (dtypes.float32, dtypes.int64, dtypes.string)


class TensorSignature(NamedTuple):
    """The dtype and the shape of a tensor without its batch, and whether it is sparse."""

    dtype: Any
    shape: TensorShape
    is_sparse: bool

    def is_compatible_with(self, other: TensorSignature) -> bool:
        """Whether a tensor of the other signature may stand where one of this does."""
        return (self.is_sparse == other.is_sparse and self.dtype == other.dtype
                and (self.is_sparse or _without_batch(self.shape).is_compatible_with(_without_batch(other.shape))))

    def get_placeholder(self) -> Any:
        """A placeholder for a batch of any size."""
        if self.is_sparse:
            return array.sparse_placeholder(self.dtype)
        return array.placeholder(self.dtype, _any_batch(self.shape))

    def get_feature_spec(self) -> Any:
        """How to read the tensor from Examples."""
        dtype = self.dtype if self.dtype in _PARSED else dtypes.int64 if self.dtype.is_integer else dtypes.float32
        if self.is_sparse:
            return VarLenFeature(dtype)
        return FixedLenFeature(_without_batch(self.shape).as_list(), dtype)


def _without_batch(shape: TensorShape) -> TensorShape:
    return shape if not shape.ndims else shape[1:]


def _any_batch(shape: TensorShape) -> TensorShape:
    return shape if not shape.ndims else TensorShape([None]).concatenate(shape[1:])


def _signature(tensor: Any) -> TensorSignature:
    if isinstance(tensor, SparseTensor):
        return TensorSignature(tensor.values.dtype.base_dtype, TensorShape(None), True)
    return TensorSignature(tensor.dtype.base_dtype, tensor.shape, False)


def create_signatures(tensors: Any) -> Any:
    """The signature of a tensor, or of several by name; None of None."""
    if tensors is None:
        return None
    if isinstance(tensors, Mapping):
        return {key: _signature(tensor) for key, tensor in tensors.items()}
    return _signature(tensors)


def tensors_compatible(tensors: Any, signatures: Any) -> bool:
    """Whether tensors have signatures that were kept; there may be more by name."""
    if tensors is None or signatures is None:
        return tensors is None and signatures is None
    if isinstance(tensors, Mapping) != isinstance(signatures, Mapping):
        return False
    if not isinstance(tensors, Mapping):
        return signatures.is_compatible_with(_signature(tensors))
    return all(key in tensors and kept.is_compatible_with(_signature(tensors[key]))
               for key, kept in signatures.items())


def create_placeholders_from_signatures(signatures: Any) -> Any:
    """Placeholders for tensors of signatures; None of None."""
    if isinstance(signatures, Mapping):
        return {key: kept.get_placeholder() for key, kept in signatures.items()}
    return None if signatures is None else signatures.get_placeholder()


def create_example_parser_from_signatures(signatures: Any, examples_batch: Any,
                                          single_feature_name: str = "feature") -> Any:
    """Tensors of signatures, read from a batch of serialized Examples.

    Args:
        signatures: a signature, which is read from the feature `single_feature_name`, or several by name.
        examples_batch: serialized Examples.
        single_feature_name: the name of the feature of a single signature.
    """
    named = signatures if isinstance(signatures, Mapping) else {single_feature_name: signatures}
    parsed = parse_example(examples_batch, {key: kept.get_feature_spec() for key, kept in named.items()})
    found = {key: _cast(parsed[key], kept.dtype) for key, kept in named.items()}
    return found if isinstance(signatures, Mapping) else found[single_feature_name]


def _cast(tensor: Any, dtype: Any) -> Any:
    return tensor if tensor.dtype == dtype else math.cast(tensor, dtype)
