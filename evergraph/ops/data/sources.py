"""Datasets of tensors that are given: a whole structure as one element, its slices, the slices of a sparse tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.errors import invalid
from evergraph.formats.plain_values import add_kind
from evergraph.graph.traits import ANY
from evergraph.ops.data.blocks import Block, block_of
from evergraph.ops.data.pipeline import LATER, TYPES, Dataset, Element, Iterator, dataset_op, number, shape_text
from evergraph.ops.sparse.serial import parts_of_slices

_COMPONENTS = "components: Toutput_types, *, Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1"


class Rows(Dataset):
    """The elements of a list."""

    def __init__(self, types: Any, shapes: Any, elements: list[Element]) -> None:
        super().__init__(types, shapes)
        self.elements = elements

    def iterate(self, scope: Any) -> Iterator:
        return _RowsIterator(self.elements)

    def cardinality(self) -> int:
        return len(self.elements)


add_kind(Rows, lambda rows: ([t.name for t in rows.types], list(rows.shapes), rows.elements),
         lambda parts: Rows([dtypes.as_dtype(name) for name in parts[0]], *parts[1:]))


class _RowsIterator(Iterator):
    kept = ("at",)

    def __init__(self, elements: list[Element]) -> None:
        super().__init__()
        self._elements, self.at = elements, 0

    def get(self) -> Element | None:
        if self.at == len(self._elements):
            return None
        self.at += 1
        return self._elements[self.at - 1]

    def block(self, count: int) -> Block:
        rows = self._elements[self.at:self.at + count]
        self.at += len(rows)
        return block_of(rows, is_over=len(rows) < count)


class Slices(Dataset):
    """The slices of tensors along their first axis."""

    def __init__(self, types: Any, shapes: Any, components: list[Any]) -> None:
        super().__init__(types, shapes)
        self.components, self.count = components, len(components[0])

    def iterate(self, scope: Any) -> Iterator:
        return _SlicesIterator(self.components, self.count)

    def cardinality(self) -> int:
        return self.count


class _SlicesIterator(Iterator):
    kept = ("at",)

    def __init__(self, components: list[Any], count: int) -> None:
        super().__init__()
        self._components, self._count, self.at = components, count, 0

    def get(self) -> Element | None:
        at = self.at
        if at == self._count:
            return None
        self.at = at + 1
        return [component[at, ...] for component in self._components]

    def block(self, count: int) -> Block:
        start, self.at = self.at, min(self._count, self.at + count)
        columns = [component[start:self.at].copy() for component in self._components]
        return Block(columns, self.at - start, is_over=self.at - start < count)


class Range(Dataset):
    """The numbers from `start` to below `stop`, or down to above it, in steps."""

    def __init__(self, types: Any, shapes: Any, numbers: range) -> None:
        super().__init__(types, shapes)
        self.numbers = numbers

    def iterate(self, scope: Any) -> Iterator:
        return _RangeIterator(self.numbers, self.types[0].np)

    def cardinality(self) -> int:
        return len(self.numbers)


class _RangeIterator(Iterator):
    kept = ("at",)

    def __init__(self, numbers: range, dtype: Any) -> None:
        super().__init__()
        self._numbers, self._dtype, self.at = numbers, dtype, 0

    def get(self) -> Element | None:
        if self.at == len(self._numbers):
            return None
        self.at += 1
        return [np.array(self._numbers[self.at - 1], self._dtype)]

    def block(self, count: int) -> Block:
        numbers = self._numbers[self.at:self.at + count]
        self.at += len(numbers)
        return Block([np.array(numbers, self._dtype)], len(numbers), is_over=len(numbers) < count)


@dataset_op(f"TensorDataset({_COMPONENTS})", stateful=True)
def tensor_dataset(node, components):
    """A dataset with one element."""
    return Rows(node.attrs["Toutput_types"], node.attrs["output_shapes"], [list(components)])


@dataset_op(f"TensorSliceDataset({_COMPONENTS})", stateful=True,
            later={**LATER, "is_files": ANY, "replicate_on_split": ANY})
def tensor_slice_dataset(node, components):
    """A dataset of the slices of tensors along their first axis."""
    for position, component in enumerate(components):
        if not np.ndim(component):
            raise invalid("from_tensor_slices cannot slice a scalar component")
        if len(component) != len(components[0]):
            raise invalid(f"from_tensor_slices cannot slice components of different lengths: component 0 has "
                          f"{len(components[0])} and component {position} has {len(component)}")
    return Slices(node.attrs["Toutput_types"], node.attrs["output_shapes"], list(components))


@dataset_op(f"RangeDataset(start: int64, stop: int64, step: int64, *, {TYPES})", stateful=True,
            later={**LATER, "replicate_on_split": ANY})
def range_dataset(node, start, stop, step):
    """A dataset of numbers at equal distances."""
    if number(step) == 0:
        raise invalid("step must not be 0")
    numbers = range(number(start), number(stop), number(step))
    return Range(node.attrs["output_types"], node.attrs["output_shapes"], numbers)


@dataset_op("SparseTensorSliceDataset(indices: int64, values: Tvalues, dense_shape: int64, *, Tvalues: type)",
            stateful=True, later={})
def sparse_tensor_slice_dataset(node, indices, values, dense_shape):
    """A dataset of the slices of a sparse tensor along its first axis, each as indices, values and shape."""
    if np.ndim(indices) != 2 or np.ndim(values) != 1 or np.ndim(dense_shape) != 1:
        raise invalid(f"Input indices, values and shape should be a matrix and two vectors, but have shapes "
                      f"{', '.join(shape_text(np.shape(part)) for part in (indices, values, dense_shape))}")
    if (np.diff(indices[:, 0]) < 0).any():
        raise errors.UnimplementedError(None, None, "from_sparse_tensor_slices needs the indices of the first axis in "
                                        "ascending order; tf.sparse.reorder sorts them")
    types = (dtypes.int64, node.attrs["Tvalues"], dtypes.int64)
    rank = len(dense_shape) - 1
    elements = [list(parts) for parts in parts_of_slices(indices, values, dense_shape)]
    return Rows(types, ((None, rank), (None,), (rank,)), elements)


