"""What elements are made of: structures of specs, and how their values become the components that ops take.

A component is one tensor: a dense tensor is one itself; sparse and ragged tensors and datasets are variants.
"""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import Dimension, TensorShape
from evergraph.data import nest
from evergraph.frontend.ragged.tensor import RaggedTensor, RaggedTensorSpec
from evergraph.frontend.specs import SparseTensorSpec, TensorSpec, TypeSpec, type_spec_from_value
from evergraph.frontend.tensor_array import TensorArraySpec
from evergraph.graph.composite import SparseTensor, SparseTensorValue
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.reshape import pack


@export("data.DatasetSpec", "data.experimental.DatasetStructure")
class DatasetSpec(TypeSpec):
    """The spec of a dataset inside the elements of another one.

    Args:
        element_spec: the structure of its elements.
        dataset_shape: () for one dataset; a vector of datasets has [n].
    """

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec, self._dataset_shape = element_spec, TensorShape(dataset_shape)

    @property
    def element_spec(self) -> Any:
        """The structure of the dataset's elements."""
        return self._element_spec

    @property
    def shape(self) -> TensorShape:
        """The shape of the dataset's variant tensor."""
        return self._dataset_shape

    @classmethod
    def from_value(cls, value: Any) -> DatasetSpec:
        """The spec of a dataset."""
        return cls(value.element_spec)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the other is a dataset, or the spec of one, with elements that fit."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return isinstance(other, DatasetSpec) and fits(self._element_spec, other._element_spec)

    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec:
        if not isinstance(other, DatasetSpec):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return DatasetSpec(widened(self._element_spec, other._element_spec))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatasetSpec) and same(self._element_spec, other._element_spec)

    def __hash__(self) -> int:
        return hash((DatasetSpec, *nest.flatten(self._element_spec)))

    def _parts(self) -> tuple[Any, ...]:
        return self._element_spec, self._dataset_shape


# ---- the leaves


class _Dense:
    """How dense tensors become components, and what TensorFlow 1 says of them."""

    def component(self, spec: Any) -> tuple[Any, Any]:
        """The dtype and shape of the component."""
        return spec.dtype, spec.shape

    def packed(self, value: Any, spec: Any) -> Tensor:
        """A value as a component."""
        return value

    def packed_rows(self, value: Any, spec: Any) -> Tensor:
        """A value as a tensor whose rows are components."""
        return value

    def unpacked(self, tensor: Tensor, spec: Any) -> Any:
        """The value of a component."""
        tensor.set_shape(spec.shape)
        return tensor

    def reshaped(self, spec: Any, shape: TensorShape) -> Any:
        """The spec with another shape."""
        return TensorSpec(shape, spec.dtype)

    def legacy(self, spec: Any) -> tuple[Any, Any, Any]:
        """What `output_types`, `output_shapes` and `output_classes` have for it."""
        return spec.dtype, spec.shape, Tensor


class _Sparse(_Dense):
    def component(self, spec: Any) -> tuple[Any, Any]:
        return dtypes.variant, TensorShape(None)

    def packed(self, value: Any, spec: Any) -> Tensor:
        return spec._to_tensor_list(value)[0]

    def packed_rows(self, value: Any, spec: Any) -> Tensor:
        return spec._to_batched_tensor_list(value)[0]

    def unpacked(self, tensor: Tensor, spec: Any) -> Any:
        return spec._from_compatible_tensor_list([tensor])

    def reshaped(self, spec: Any, shape: TensorShape) -> Any:
        return SparseTensorSpec(shape, spec.dtype)

    def legacy(self, spec: Any) -> tuple[Any, Any, Any]:
        return spec.dtype, spec.shape, SparseTensor


class _Ragged(_Sparse):
    """A ragged tensor is a variant; one without ragged axes, a row of one, is a plain tensor."""

    def reshaped(self, spec: Any, shape: TensorShape) -> Any:
        added = 0 if spec._shape.ndims is None or shape.ndims is None else shape.ndims - spec._shape.ndims
        return RaggedTensorSpec(shape, spec._dtype, spec._ragged_rank + added, spec._row_splits_dtype)

    def legacy(self, spec: Any) -> tuple[Any, Any, Any]:
        return spec._dtype, spec._shape, spec


class _Array(_Dense):
    """A tensor array is the list that holds its elements."""

    def component(self, spec: Any) -> tuple[Any, Any]:
        return dtypes.variant, TensorShape([])

    def packed(self, value: Any, spec: Any) -> Tensor:
        return value.flow

    def packed_rows(self, value: Any, spec: Any) -> Tensor:
        raise NotImplementedError("A tensor array has no slices.")

    def unpacked(self, tensor: Tensor, spec: Any) -> Any:
        return spec._value_of(tensor)

    def reshaped(self, spec: Any, shape: TensorShape) -> Any:
        raise NotImplementedError("Tensor arrays cannot be stacked.")

    def legacy(self, spec: Any) -> tuple[Any, Any, Any]:
        return spec, spec, spec


class _Whole(_Dense):
    """Values that are one variant: datasets."""

    def component(self, spec: Any) -> tuple[Any, Any]:
        return dtypes.variant, spec.shape

    def packed(self, value: Any, spec: Any) -> Tensor:
        return value._variant_tensor

    def packed_rows(self, value: Any, spec: Any) -> Tensor:
        return value._variant_tensor

    def unpacked(self, tensor: Tensor, spec: Any) -> Any:
        return spec._value_of(tensor)

    def reshaped(self, spec: Any, shape: TensorShape) -> Any:
        return type(spec)(spec._parts()[0], shape)

    def legacy(self, spec: Any) -> tuple[Any, Any, Any]:
        return spec, spec, spec


_DENSE = _Dense()
_PACKINGS = {SparseTensorSpec: _Sparse(), RaggedTensorSpec: _Ragged(), TensorArraySpec: _Array(),
             DatasetSpec: _Whole()}


def register_whole(kind: type) -> None:
    """Says that values of this kind of spec are one variant."""
    _PACKINGS[kind] = _Whole()


def _packing(spec: Any) -> Any:
    return _PACKINGS.get(type(spec), _DENSE)


# ---- structures


def normalized(value: Any) -> Any:
    """The structure with tensors, sparse tensors, ragged tensors and datasets as leaves."""
    return nest.map_structure(_normal, value)


def _normal(leaf: Any) -> Any:
    if isinstance(leaf, SparseTensorValue):
        return SparseTensor.from_value(leaf)
    if isinstance(leaf, SparseTensor) or hasattr(leaf, "_type_spec"):
        return leaf
    if isinstance(leaf, list) and leaf and all(isinstance(_spec_in(each), DatasetSpec) for each in leaf):
        variants = pack([each._variant_tensor for each in leaf], axis=0)
        return DatasetSpec(leaf[0].element_spec, [len(leaf)])._value_of(variants)
    if type(leaf).__name__ == "RaggedTensorValue":
        return RaggedTensor.from_nested_row_splits(leaf.flat_values, leaf.nested_row_splits, validate=False)
    return convert_to_tensor(leaf, name="component")


def _spec_in(value: Any) -> Any:
    return getattr(value, "_type_spec", None)


def spec_of(value: Any) -> Any:
    """The structure of the specs of a normalized value."""
    return nest.map_structure(type_spec_from_value, value)


def packed(value: Any, spec: Any) -> list[Tensor]:
    """The components of a normalized value."""
    pairs = zip(nest.flatten_up_to(spec, value), nest.flatten(spec), strict=True)
    return [_packing(leaf).packed(part, leaf) for part, leaf in pairs]


def packed_rows(value: Any, spec: Any) -> list[Tensor]:
    """Tensors whose rows are the components of the value's rows."""
    pairs = zip(nest.flatten_up_to(spec, value), nest.flatten(spec), strict=True)
    return [_packing(leaf).packed_rows(part, leaf) for part, leaf in pairs]


def unpacked(tensors: list[Tensor], spec: Any) -> Any:
    """The value that components hold."""
    if len(tensors) == 1 and not nest.is_nested(spec):
        return _packing(spec).unpacked(tensors[0], spec)
    pairs = zip(tensors, nest.flatten(spec), strict=True)
    return nest.pack_sequence_as(spec, [_packing(leaf).unpacked(tensor, leaf) for tensor, leaf in pairs])


def components(spec: Any) -> tuple[list[Any], list[Any]]:
    """The dtypes and the shapes of the components."""
    pairs = [_packing(leaf).component(leaf) for leaf in nest.flatten(spec)]
    return [dtype for dtype, _ in pairs], [shape for _, shape in pairs]


def flat_types(spec: Any) -> list[Any]:
    """The dtypes of the components."""
    return components(spec)[0]


def flat_shapes(spec: Any) -> list[Any]:
    """The shapes of the components."""
    return components(spec)[1]


def attrs_of(spec: Any) -> dict[str, Any]:
    """The attrs of an op whose dataset has such elements."""
    types, shapes = components(spec)
    return {"output_types": types, "output_shapes": shapes}


def batched(spec: Any, size: int | None) -> Any:
    """The spec of batches."""
    front = TensorShape([size])
    return nest.map_structure(lambda leaf: _packing(leaf).reshaped(leaf, front.concatenate(shape_of(leaf))), spec)


def unbatched(spec: Any) -> Any:
    """The spec of the rows of elements.

    Raises:
        ValueError: a component is a scalar.
    """
    return nest.map_structure(_row_spec, spec)


def _row_spec(leaf: Any) -> Any:
    shape = shape_of(leaf)
    if shape.ndims == 0:
        raise ValueError("unbatch takes elements apart along their first axis; this component is a scalar")
    if isinstance(leaf, RaggedTensorSpec) and leaf._ragged_rank == 1 and shape.ndims is not None:
        # A row of a ragged tensor with one ragged axis is dense, but still comes in a variant.
        return RaggedTensorSpec(shape[1:], leaf._dtype, 0, leaf._row_splits_dtype)
    return _packing(leaf).reshaped(leaf, TensorShape(None) if shape.ndims is None else shape[1:])


def check_rows(spec: Any) -> None:
    """Raises ValueError if parts of elements are known to have different numbers of rows."""
    rows = Dimension(None)
    for leaf in nest.flatten(spec):
        shape = shape_of(leaf)
        rows = rows.merge_with(None if shape.ndims is None else shape[0])


def shape_of(leaf: Any) -> TensorShape:
    if isinstance(leaf, TensorArraySpec):
        return TensorShape([])
    return leaf._shape if isinstance(leaf, RaggedTensorSpec) else leaf.shape


def legacy(spec: Any) -> tuple[Any, Any, Any]:
    """The structures `output_types`, `output_shapes` and `output_classes`."""
    found = [_packing(leaf).legacy(leaf) for leaf in nest.flatten(spec)]
    columns = zip(*found, strict=True) if found else [()] * 3
    types, shapes, classes = (nest.pack_sequence_as(spec, list(column)) for column in columns)
    return types, shapes, classes


def from_legacy(types: Any, shapes: Any = None, classes: Any = None) -> Any:
    """The structure of specs that TensorFlow 1's three structures denote; shapes are unknown unless given."""
    flat = nest.flatten(types)
    flat_shapes = [None] * len(flat) if shapes is None else nest.flatten_up_to(types, shapes)
    flat_classes = [Tensor] * len(flat) if classes is None else nest.flatten_up_to(types, classes)
    columns = zip(flat, flat_shapes, flat_classes, strict=True)
    return nest.pack_sequence_as(types, [_from_legacy(*each) for each in columns])


def _from_legacy(kind: Any, shape: Any, cls: Any) -> Any:
    if isinstance(cls, TypeSpec) or isinstance(kind, TypeSpec):
        return cls if isinstance(cls, TypeSpec) else kind
    if isinstance(cls, type) and issubclass(cls, SparseTensor):
        return SparseTensorSpec(shape, kind)
    if isinstance(cls, type) and issubclass(cls, Tensor):
        return TensorSpec(shape, kind)
    raise TypeError(f"The output class {cls!r} is neither tf.Tensor, tf.SparseTensor nor a spec")


def same(one: Any, other: Any) -> bool:
    """Whether two structures of specs are equal."""
    try:
        nest.assert_same_structure(one, other)
    except (TypeError, ValueError):
        return False
    return nest.flatten(one) == nest.flatten(other)


def fits(one: Any, other: Any) -> bool:
    """Whether values of `other` are values of `one`."""
    try:
        nest.assert_same_structure(one, other)
    except (TypeError, ValueError):
        return False
    pairs = zip(nest.flatten(one), nest.flatten(other), strict=True)
    return all(mine.is_compatible_with(theirs) for mine, theirs in pairs)


def widened(one: Any, other: Any) -> Any:
    """The narrowest structure of specs that covers both."""
    return nest.map_structure(lambda mine, theirs: mine.most_specific_compatible_type(theirs), one, other)
