"""The arguments of `padded_batch`: shapes to pad to, and values to pad with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.data import nest, specs
from evergraph.frontend import array, math
from evergraph.graph.convert import convert_to_tensor, is_tensor_like
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import denoted_shape
from evergraph.ops.arrays import basic


@dataclass(frozen=True)
class Padding:
    """How elements are padded.

    Attributes:
        shapes: an int64 vector for each component, -1 where the size is that of the largest element.
        values: a scalar for each component.
        spec: of the padded elements.
    """

    shapes: list[Tensor]
    values: list[Tensor]
    spec: Any


def padding_of(spec: Any, padded_shapes: Any, padding_values: Any) -> Padding:
    """How to pad elements of this spec.

    Raises:
        TypeError: a component is sparse, or a value has another dtype than its component.
        ValueError: a shape does not fit its component, or a value is no scalar.
    """
    leaves = nest.flatten(spec)
    if any(type(leaf) is not specs.TensorSpec for leaf in leaves):
        raise TypeError("padded_batch pads dense tensors only, and a component of the dataset is another kind")
    pairs = zip(nest.flatten_up_to(spec, padded_shapes), leaves, strict=True)
    shapes = [_shape_vector(shape, leaf) for shape, leaf in pairs]
    given = [None] * len(leaves) if padding_values is None else _flat_values(spec, padding_values)
    values = [_value(value, leaf) for value, leaf in zip(given, leaves, strict=True)]
    padded = [specs.TensorSpec(denoted_shape(shape), leaf.dtype) for shape, leaf in zip(shapes, leaves, strict=True)]
    return Padding(shapes, values, nest.pack_sequence_as(spec, padded))


def _flat_values(spec: Any, values: Any) -> list[Any]:
    return [values] * len(nest.flatten(spec)) if not nest.is_nested(values) and not nest.is_nested(spec) \
        else nest.flatten_up_to(spec, values)


def _shape_vector(shape: Any, leaf: Any) -> Tensor:
    if isinstance(shape, (list, tuple)) and any(map(is_tensor_like, shape)):
        shape = array.stack([math.cast(size, dtypes.int64) for size in shape])
    if is_tensor_like(shape):
        vector = convert_to_tensor(shape)
        if vector.dtype != dtypes.int64:
            raise TypeError(f"Padded shape {shape} must be a 1-D tensor of tf.int64 values, but its element "
                            f"type was {vector.dtype.name}.")
        if not vector.shape.is_compatible_with([None]):
            raise ValueError(f"Padded shape {shape} must be a 1-D tensor of tf.int64 values, but its shape was "
                             f"{vector.shape}.")
    else:
        sizes = shape.tolist() if isinstance(shape, np.ndarray) else shape
        if isinstance(sizes, (list, tuple)) and any(isinstance(size, (list, tuple)) for size in sizes):
            raise ValueError(f"Padded shape {shape} must be a 1-D tensor of tf.int64 values, but its shape was "
                             f"{TensorShape(np.shape(sizes))}.")
        if not isinstance(sizes, TensorShape) and sizes is not None:
            sizes = [None if size is not None and int(size) == -1 else size for size in sizes]
        static = TensorShape(sizes)
        if static.ndims is None:
            raise ValueError(f"Padded shape {shape} must have a known rank")
        vector = convert_to_tensor(np.array([-1 if s is None else s for s in static.as_list()], np.int64))
    _check_fits(shape, TensorShape(denoted_shape(vector)), leaf.shape)
    return vector


def _check_fits(given: Any, padded: TensorShape, wanted: TensorShape) -> None:
    fits = padded.ndims is None or wanted.ndims is None or padded.ndims == wanted.ndims and all(
        new is None or old is None or new >= old for new, old in zip(padded.as_list(), wanted.as_list(), strict=True))
    if not fits:
        raise ValueError(f"The padded shape {padded} is not compatible with the corresponding input component shape "
                         f"{wanted}.")


def _value(value: Any, leaf: Any) -> Tensor:
    if value is None:
        if leaf.dtype not in (dtypes.string, dtypes.variant):
            return convert_to_tensor(np.zeros((), leaf.dtype.np), leaf.dtype)
        if leaf.dtype is dtypes.variant:
            raise TypeError("padded_batch: a component of dtype variant has no padding value")
        return convert_to_tensor("", dtypes.string)
    tensor = convert_to_tensor(value, name="padding_value")
    if not tensor.shape.is_compatible_with([]):
        raise ValueError(f"`padding_values`: expected a scalar for each component, got {value}")
    if tensor.dtype != leaf.dtype:
        raise TypeError(f"`padding_values`: {tensor} pads a component of {leaf.dtype}, expected the same dtype")
    return basic.identity(tensor) if tensor.dtype.is_ref else tensor
