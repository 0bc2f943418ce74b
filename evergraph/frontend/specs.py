"""Type specs, which describe values by type, dtype and shape: tf.TensorSpec, tf.SparseTensorSpec, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.graph.composite import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from evergraph.graph.convert import as_array, convert_to_tensor, is_tensor_like
from evergraph.graph.node import Tensor
from evergraph.ops.sparse import serial


@export("TypeSpec")
class TypeSpec:
    """The base of specs, which describe values without holding one.

    Subclasses say by `_parts`, or as TensorFlow's do by `_serialize`, what they are made of; the rest follows.
    """

    value_type: Any = None
    """The Python type of the values."""

    def _parts(self) -> tuple[Any, ...]:
        if type(self)._serialize is TypeSpec._serialize:
            raise NotImplementedError(f"{type(self).__name__} does not say what it is made of")
        return tuple(self._serialize())

    def _serialize(self) -> tuple[Any, ...]:
        """What the spec is made of, for `_deserialize`."""
        return self._parts()

    @classmethod
    def _deserialize(cls, serialization: Any) -> TypeSpec:
        """The spec that is made of what `_serialize` returned."""
        return cls(*serialization)

    @property
    def _component_specs(self) -> Any:
        """The specs of the tensors that a value consists of."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its values consist of")

    def _to_components(self, value: Any) -> Any:
        """The tensors that a value consists of."""
        raise NotImplementedError(f"{type(self).__name__} does not take values apart")

    def _from_components(self, components: Any) -> Any:
        """The value that consists of these tensors; of arrays, what a session would return."""
        raise NotImplementedError(f"{type(self).__name__} does not put values together")

    # ---- values as lists of tensors, as datasets pass them

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        """The specs of the tensors of `_to_tensor_list`."""
        return [each for spec in nest.flatten(self._component_specs)
                for each in ([spec] if isinstance(spec, TensorSpec) else spec._flat_tensor_specs)]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        """The tensors that a value is passed as."""
        pairs = zip(nest.flatten(self._to_components(value)), nest.flatten(self._component_specs), strict=True)
        return [each for part, spec in pairs
                for each in ([part] if isinstance(spec, TensorSpec) else spec._to_tensor_list(part))]

    def _from_tensor_list(self, tensor_list: list[Any]) -> Any:
        """The value that is passed as these tensors.

        Raises:
            ValueError: they do not fit the spec.
        """
        wanted = self._flat_tensor_specs
        if len(wanted) != len(tensor_list) or not all(map(TensorSpec.is_compatible_with, wanted, tensor_list)):
            raise ValueError(f"{self} has values of {wanted}, which {tensor_list} do not fit")
        return self._from_compatible_tensor_list(tensor_list)

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        """The value that is passed as these tensors, which fit the spec."""
        rest = iter(tensor_list)
        parts = []
        for spec in nest.flatten(self._component_specs):
            own = [next(rest) for _ in range(len(spec._flat_tensor_specs))]
            parts.append(own[0] if isinstance(spec, TensorSpec) else spec._from_compatible_tensor_list(own))
        return self._from_components(nest.pack_sequence_as(self._component_specs, parts))

    # ---- comparison

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value matches the spec, or every value of another spec does; unknown parts match anything."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(self) is type(other) and all(map(_fits, self._parts(), other._parts()))

    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec:
        """The most specific spec that both are compatible with.

        Raises:
            ValueError: the specs are of different classes.
        """
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return type(self)(*(_widened(a, b, self, other) for a, b in zip(self._parts(), other._parts(), strict=True)))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _comparable(self) == _comparable(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), _comparable(self)))

    def __reduce__(self) -> Any:
        return type(self), self._parts()

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._parts()!r}"


class BatchableTypeSpec(TypeSpec):
    """The base of specs whose values can be stacked and taken apart again; those with a `shape` follow it."""

    shape: Any

    def _batch(self, batch_size: int | None) -> TypeSpec:
        """The spec of a batch of such values."""
        return self._reshaped(TensorShape([batch_size]).concatenate(self.shape))

    def _unbatch(self) -> TypeSpec:
        """The spec of an element of such a batch.

        Raises:
            ValueError: a scalar is no batch.
        """
        if self.shape.ndims == 0:
            raise ValueError(f"{self} has no axis of batches")
        return self._reshaped(self.shape[1:])

    def _reshaped(self, shape: TensorShape) -> TypeSpec:
        raise NotImplementedError(f"{type(self).__name__} does not say what a batch of its values is")

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        """The tensors that a batch is passed as; their rows are what its elements are passed as.

        Raises:
            ValueError: a scalar has no rows.
        """
        found = self._to_tensor_list(value)
        if any(each.shape.ndims == 0 for each in found):
            raise ValueError(f"{self} has a scalar, which is no batch")
        return found


def _comparable(spec: Any) -> tuple[Any, ...]:
    return tuple(p.tuple if isinstance(p, TensorShape) else p.tobytes() if isinstance(p, np.ndarray) else p
                 for p in spec._parts())


def _fits(mine: Any, other: Any) -> bool:
    return mine.is_compatible_with(other) if isinstance(mine, (TensorShape, TypeSpec)) else mine == other


def _widened(a: Any, b: Any, one: TypeSpec, two: TypeSpec) -> Any:
    if isinstance(a, TensorShape):
        return a.most_specific_compatible_shape(b)
    if a != b:
        raise ValueError(f"No TypeSpec is compatible with both {one} and {two}")
    return a


@export("TensorSpec", "contrib.eager.TensorSpec")
class TensorSpec(BatchableTypeSpec):
    """The shape, dtype and optional name of a tensor.

    >>> tf.TensorSpec([None, 3], tf.float32).is_compatible_with(tf.zeros([2, 3]))
    True
    """

    value_type = Tensor

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape, self._dtype, self._name = TensorShape(shape), dtypes.as_dtype(dtype), name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    def _reshaped(self, shape: TensorShape) -> TensorSpec:
        return TensorSpec(shape, self.dtype)

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """A TensorSpec of the shape, dtype and name of another one."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor; the name defaults to that of its operation, which a tensor with a value has not."""
        if not is_tensor_like(tensor):
            raise ValueError(f"`tensor` should be a tf.Tensor, not {tensor!r}")
        return cls(tensor.shape, tensor.dtype, name or (None if tensor.graph.is_eager else tensor.op.name))

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether dtype and shape are compatible; names are ignored."""
        other = spec_or_tensor
        if not isinstance(other, TensorSpec) and not is_tensor_like(other):
            other = type_spec_from_value(other)
        return self.dtype.is_compatible_with(other.dtype) and self.shape.is_compatible_with(other.shape)

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        if not isinstance(other, TensorSpec) or self.dtype != other.dtype:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype)

    @property
    def _component_specs(self) -> TensorSpec:
        return self

    def _to_components(self, value: Any) -> Tensor:
        return convert_to_tensor(value, self.dtype)

    def _from_components(self, components: Any) -> Any:
        return components

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        tensor, = tensor_list
        tensor.set_shape(self.shape)
        return tensor

    def _parts(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


ANY_VARIANT = TensorSpec(None, dtypes.variant)


class BoundedTensorSpec(TensorSpec):
    """A TensorSpec with bounds `minimum` and `maximum` on the elements, which broadcast to the shape."""

    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None) -> None:
        super().__init__(shape, dtype, name)
        self.minimum, self.maximum = (self._bound(what, v) for what, v in (("minimum", minimum), ("maximum", maximum)))

    def _bound(self, what: str, value: Any) -> np.ndarray[Any, Any]:
        if value is None:
            raise ValueError(f"{what} can not be None")
        bound = np.array(value, self.dtype.np)
        sizes = self.shape.as_list() if self.shape.ndims is not None else []
        try:
            np.broadcast_shapes(bound.shape, tuple(1 if s is None else s for s in sizes))
        except ValueError:
            raise ValueError(f"{what} of shape {bound.shape} is not compatible with shape {self.shape}") from None
        bound.setflags(write=False)
        return bound

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> BoundedTensorSpec:
        return cls(spec.shape, spec.dtype, getattr(spec, "minimum", spec.dtype.min),
                   getattr(spec, "maximum", spec.dtype.max), name or spec.name)

    def _parts(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.minimum, self.maximum, self.name

    def __repr__(self) -> str:
        return (f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
                f"minimum={self.minimum!r}, maximum={self.maximum!r})")


@export("SparseTensorSpec")
class SparseTensorSpec(BatchableTypeSpec):
    """The dense shape and dtype of a sparse tensor."""

    value_type = SparseTensor

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)

    def _reshaped(self, shape: TensorShape) -> SparseTensorSpec:
        return SparseTensorSpec(shape, self.dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a SparseTensor or SparseTensorValue."""
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        if isinstance(value, SparseTensorValue):
            _, values, dense_shape = value
            return cls(np.asarray(dense_shape).tolist(), as_array(values, None).dtype)
        raise TypeError(f"Expected SparseTensor or SparseTensorValue, got {type(value)}")

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank, index = self.shape.ndims, dtypes.int64
        return [TensorSpec([None, rank], index), TensorSpec([None], self.dtype), TensorSpec([rank], index)]

    def _to_components(self, value: Any) -> list[Any]:
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components: Any) -> Any:
        return (SparseTensorValue if are_arrays(components) else SparseTensor)(*components)

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        return [ANY_VARIANT]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return [serial.serialize_sparse(*self._to_components(value), out_type=dtypes.variant)]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        return [serial.serialize_many_sparse(*self._to_components(value), out_type=dtypes.variant)]

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> SparseTensor:
        indices, values, dense_shape = serial.deserialize_sparse(tensor_list[0], self.dtype)
        indices.set_shape([None, self.shape.ndims])
        dense_shape.set_shape([self.shape.ndims])
        return SparseTensor(indices, values, dense_shape)

    def _parts(self) -> tuple[Any, ...]:
        return self.shape, self.dtype


def are_arrays(components: Any) -> bool:
    """Whether all components of a value are NumPy arrays."""
    return all(isinstance(each, np.ndarray) for each in components)


@export("IndexedSlicesSpec")
class IndexedSlicesSpec(TypeSpec):
    """The dense shape of IndexedSlices and the dtypes of their components.

    Args:
        shape: the dense shape.
        dtype: of the values.
        indices_dtype: int32 or int64.
        dense_shape_dtype: that of the component with the shape; None where there is none.
        indices_shape: how many rows there are.
    """

    value_type = IndexedSlices

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32, indices_dtype: Any = dtypes.int64,
                 dense_shape_dtype: Any = None, indices_shape: Any = None) -> None:
        self._shape, self._values_dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = TensorShape(indices_shape).with_rank(1)

    @classmethod
    def from_value(cls, value: Any) -> IndexedSlicesSpec:
        """The spec that this value has."""
        if isinstance(value, IndexedSlices):
            whole = None if value.dense_shape is None else value.dense_shape.dtype
            return cls(value.shape, value.dtype, value.indices.dtype, whole, value.indices.shape)
        values, indices = np.asarray(value.values), np.asarray(value.indices)
        whole = None if value.dense_shape is None else np.asarray(value.dense_shape)
        return cls(None if whole is None else whole.tolist(), values.dtype, indices.dtype,
                   None if whole is None else whole.dtype, indices.shape)

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        rows = self._indices_shape.concatenate(self._shape[1:]) if self._shape.ndims is not None else None
        specs = TensorSpec(rows, self._values_dtype), TensorSpec(self._indices_shape, self._indices_dtype)
        if self._dense_shape_dtype is None:
            return specs
        return *specs, TensorSpec([self._shape.ndims], self._dense_shape_dtype)

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        parts = value.values, value.indices
        return parts if value.dense_shape is None else (*parts, value.dense_shape)

    def _from_components(self, components: Any) -> Any:
        values, indices, *rest = components
        whole = rest[0] if rest else None
        return (IndexedSlicesValue if are_arrays(components) else IndexedSlices)(values, indices, whole)

    def _parts(self) -> tuple[Any, ...]:
        return (self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape)


def type_spec_from_value(value: Any) -> TypeSpec:
    """The spec of a value: a tensor, sparse tensor, indexed slices, array or Python value.

    Raises:
        TypeError: no spec describes the value.
    """
    if hasattr(value, "_type_spec"):
        return value._type_spec
    if is_tensor_like(value):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, (SparseTensor, SparseTensorValue)):
        return SparseTensorSpec.from_value(value)
    if isinstance(value, (IndexedSlices, IndexedSlicesValue)):
        return IndexedSlicesSpec.from_value(value)
    try:
        array = as_array(value, None)
    except (TypeError, ValueError) as error:
        raise TypeError(f"no TypeSpec describes {value!r}, a {type(value).__name__}") from error
    return TensorSpec(array.shape, array.dtype)
