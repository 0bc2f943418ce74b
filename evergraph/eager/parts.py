"""How arguments and results of functions travel as tensors: which tensors a value of each kind consists of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.data.at_once import IteratorSpec
from evergraph.data.experimental.optionals import OptionalStructure
from evergraph.data.specs import DatasetSpec
from evergraph.distribute.values import PerReplica, PerReplicaSpec
from evergraph.frontend.ragged.kind import RaggedTensor
from evergraph.frontend.ragged.tensor import RaggedTensorSpec
from evergraph.frontend.specs import IndexedSlicesSpec, SparseTensorSpec, TensorSpec, TypeSpec, type_spec_from_value
from evergraph.frontend.tensor_array import TensorArraySpec
from evergraph.frontend.variables.variable import ResourceVariable, variable_of_handle
from evergraph.graph.composite import IndexedSlices, SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import HandleData, Tensor


class VariableSpec(TypeSpec):
    """A variable as an argument.

    Args:
        shape: its static shape.
        dtype: of its elements.
        trainable: whether tapes watch it.
        alias_id: which of the variables among the arguments it is: equal for two that are the same.
    """

    value_type = ResourceVariable

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, trainable: bool = True,
                 alias_id: int | None = None) -> None:
        self.shape, self.dtype, self.trainable = TensorShape(shape), dtypes.as_dtype(dtype), trainable
        self.alias_id = alias_id

    def _parts(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.trainable, self.alias_id

    def __repr__(self) -> str:
        return (f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, trainable={self.trainable}, "
                f"alias_id={self.alias_id})")


class _Tensor:
    """One tensor."""

    def specs(self, spec: Any) -> list[TensorSpec]:
        """The specs of the tensors that a value consists of."""
        return [spec]

    def taken(self, value: Any) -> list[Any]:
        """The tensors of a value."""
        return [value]

    def made(self, spec: Any, tensors: Sequence[Tensor]) -> Any:
        """The value of these tensors."""
        return tensors[0]


class _Sparse(_Tensor):
    def specs(self, spec: Any) -> list[TensorSpec]:
        rank = spec.shape.ndims
        return [TensorSpec([None, rank], dtypes.int64), TensorSpec([None], spec.dtype),
                TensorSpec([rank], dtypes.int64)]

    def taken(self, value: Any) -> list[Any]:
        return [value.indices, value.values, value.dense_shape]

    def made(self, spec: Any, tensors: Sequence[Tensor]) -> Any:
        return SparseTensor(*tensors)


class _Ragged(_Tensor):
    def specs(self, spec: Any) -> list[TensorSpec]:
        shape, count = spec._shape, spec._ragged_rank
        inner = TensorShape(None) if shape.ndims is None else TensorShape([None]).concatenate(shape[count + 1:])
        rows = None if not shape.tuple or shape.tuple[0] is None else shape.tuple[0] + 1
        splits = [TensorSpec([rows if i == 0 else None], spec._row_splits_dtype) for i in range(count)]
        return [TensorSpec(inner, spec._dtype), *splits]

    def taken(self, value: Any) -> list[Any]:
        return [value.flat_values, *value.nested_row_splits]

    def made(self, spec: Any, tensors: Sequence[Tensor]) -> Any:
        return RaggedTensor.from_nested_row_splits(tensors[0], list(tensors[1:]), validate=False)


class _Slices(_Tensor):
    def specs(self, spec: Any) -> list[TensorSpec]:
        shape, dtype, indices, whole, rows = spec._parts()
        values = TensorShape(None) if shape.ndims is None else rows.concatenate(shape[1:])
        parts = [TensorSpec(values, dtype), TensorSpec(rows, indices)]
        return parts if whole is None else [*parts, TensorSpec([shape.ndims], whole)]

    def taken(self, value: Any) -> list[Any]:
        return value._components()

    def made(self, spec: Any, tensors: Sequence[Tensor]) -> Any:
        return IndexedSlices(*tensors)


class _Held(_Tensor):
    """What one tensor, an attribute of the value, refers to."""

    def __init__(self, attribute: str, dtype: dtypes.DType) -> None:
        self._attribute, self._dtype = attribute, dtype

    def specs(self, spec: Any) -> list[TensorSpec]:
        return [TensorSpec([], self._dtype)]

    def taken(self, value: Any) -> list[Any]:
        return [getattr(value, self._attribute)]

    def made(self, spec: Any, tensors: Sequence[Tensor]) -> Any:
        return spec._value_of(tensors[0])


class _Variable(_Tensor):
    """A variable is its handle."""

    def specs(self, spec: Any) -> list[TensorSpec]:
        return [TensorSpec([], dtypes.resource)]

    def taken(self, value: Any) -> list[Any]:
        return [value.handle]

    def made(self, spec: Any, tensors: Sequence[Tensor]) -> Any:
        tensors[0]._handle_data = HandleData(spec.dtype, spec.shape.tuple)
        return variable_of_handle(tensors[0], spec.trainable)


class _PerReplica(_Tensor):
    """A value for each replica of a distribution strategy."""

    def specs(self, spec: Any) -> list[TensorSpec]:
        return [part for each in spec.value_specs for part in tensor_specs(each)]

    def taken(self, value: Any) -> list[Any]:
        return [tensor for each, spec in zip(value.values, value._type_spec.value_specs)
                for tensor in tensors_of(each, spec)]

    def made(self, spec: Any, tensors: Sequence[Tensor]) -> Any:
        rest = iter(tensors)
        return PerReplica([value_of(each, [next(rest) for _ in tensor_specs(each)]) for each in spec.value_specs])


_TENSOR = _Tensor()
_KINDS: dict[type, _Tensor] = {
    SparseTensorSpec: _Sparse(), RaggedTensorSpec: _Ragged(), IndexedSlicesSpec: _Slices(),
    DatasetSpec: _Held("_variant_tensor", dtypes.variant), TensorArraySpec: _Held("flow", dtypes.variant),
    IteratorSpec: _Held("_resource", dtypes.resource), VariableSpec: _Variable(),
    OptionalStructure: _Held("_variant_tensor", dtypes.variant), PerReplicaSpec: _PerReplica(),
}  # fmt: skip


def tensor_specs(spec: TypeSpec) -> list[TensorSpec]:
    """The specs of the tensors that a value with this spec consists of."""
    return _KINDS.get(type(spec), _TENSOR).specs(spec)


def tensors_of(value: Any, spec: TypeSpec) -> list[Any]:
    """The tensors that a value with this spec consists of."""
    return _KINDS.get(type(spec), _TENSOR).taken(value)


def value_of(spec: TypeSpec, tensors: Sequence[Tensor]) -> Any:
    """The value with this spec that consists of these tensors."""
    return _KINDS.get(type(spec), _TENSOR).made(spec, tensors)


def spec_of(value: Any) -> TypeSpec | None:
    """The spec of a value that consists of tensors; None for a value of Python."""
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype.base_dtype)
    if isinstance(value, TypeSpec):
        return value
    if isinstance(value, ResourceVariable):
        return VariableSpec(value.shape, value.dtype, value.trainable)
    if hasattr(value, "_type_spec") or isinstance(value, (SparseTensor, IndexedSlices)):
        return type_spec_from_value(value)
    return None


def as_leaf(leaf: Any) -> Any:
    """A leaf of the arguments; arrays become tensors."""
    return convert_to_tensor(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf


def shapeless(spec: TypeSpec) -> Any:
    """A key that is equal for specs that differ only in shapes."""
    parts = tuple(None if isinstance(part, TensorShape) else part for part in unnamed(spec)._parts())
    return spec if isinstance(spec, DatasetSpec) else (type(spec), *parts)


def unnamed(spec: TypeSpec) -> TypeSpec:
    """The spec without a name."""
    return TensorSpec(spec.shape, spec.dtype) if type(spec) is TensorSpec and spec.name is not None else spec


def includes(general: TypeSpec, special: TypeSpec) -> bool:
    """Whether every value of one spec is a value of another, which differs at most in shapes and names."""
    pairs = zip(unnamed(general)._parts(), unnamed(special)._parts(), strict=True)
    return all(not isinstance(wide, TensorShape) or _covers(wide, narrow) for wide, narrow in pairs)


def _covers(wide: TensorShape, narrow: TensorShape) -> bool:
    if wide.ndims is None:
        return True
    return wide.ndims == narrow.ndims and all(
        size is None or size == other for size, other in zip(wide.tuple, narrow.tuple, strict=True))  # type: ignore


def unknowns(spec: TypeSpec) -> int:
    """How many sizes of its shapes a spec leaves open; an unknown rank counts as many."""
    shapes = [part for part in spec._parts() if isinstance(part, TensorShape)]
    return sum(1000 if s.tuple is None else s.tuple.count(None) for s in shapes)
