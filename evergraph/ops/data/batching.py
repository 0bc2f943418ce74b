"""Datasets of batches: consecutive elements stacked, or padded and stacked; and of the rows of batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.kernel.values import boxed
from evergraph.ops.data.blocks import Block, block_of, drawn, value_at
from evergraph.ops.data.pipeline import (
    INFINITE,
    TYPES,
    UNKNOWN,
    Dataset,
    Element,
    Iterator,
    Transformed,
    as_dataset,
    dataset_op,
    number,
    shape_text,
)

_PADDING = "padded_shapes: N * int64, padding_values: Toutput_types"
_PADDED_TYPES = "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, N: int >= 1"


def as_array(value: Any) -> np.ndarray:
    """A component as an array; a dataset or another host object is a scalar."""
    return value if isinstance(value, np.ndarray) else boxed(value)


def stacked(rows: Sequence[Element]) -> Element:
    """The components of several elements, stacked.

    Raises:
        InvalidArgumentError: they have different shapes.
    """
    return stacked_block(block_of(rows))


def stacked_block(block: Block) -> Element:
    """The columns of a block as arrays that may be written to.

    Raises:
        InvalidArgumentError: the values of a component have different shapes.
    """
    return [column if type(column) is np.ndarray and column.flags.writeable else _stack(position, column)
            for position, column in enumerate(block.columns)]


def _stack(position: int, column: Any) -> np.ndarray:
    if isinstance(column, np.ndarray):
        return column.copy()
    values = [as_array(value) for value in column]
    first = values[0]
    result = np.empty((len(values), *first.shape), first.dtype)
    for place, value in enumerate(values):
        if value.shape != first.shape:
            raise invalid(f"Cannot batch tensors with different shapes in component {position}. First element had "
                          f"shape {shape_text(first.shape)} and element {place} had shape {shape_text(value.shape)}.")
        result[place] = value if value.ndim else value[()]
    return result


class Batch(Transformed):
    """Consecutive elements, stacked."""

    def __init__(self, node: Any, source: Any, size: int, drops: bool) -> None:
        super().__init__(node, source)
        if size <= 0:
            raise invalid("batch_size must be at least 1")
        self.size, self.drops = size, drops

    def iterate(self, scope: Any) -> Iterator:
        return _BatchIterator(self, self.source.iterate(scope))

    def joined(self, rows: list[Element]) -> Element:
        return stacked(rows)

    def packed(self, block: Block) -> Element:
        """What the elements of a block make together: `joined`, which a class that can take columns replaces."""
        return self.joined(list(block.rows()))

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if count in (INFINITE, UNKNOWN):
            return count
        return count // self.size if self.drops else -(-count // self.size)


class _BatchIterator(Iterator):
    kept = ("_is_over",)

    def __init__(self, dataset: Batch, source: Iterator) -> None:
        super().__init__(source)
        self._dataset, self._is_over = dataset, False

    def get(self) -> Element | None:
        if self._is_over:
            return None
        dataset = self._dataset
        block = drawn(self.sources[0], dataset.size)
        if block.error is not None:
            raise block.error
        if block.count < dataset.size:
            self._is_over = True
            if not block.count or dataset.drops:
                return None
        return dataset.packed(block)


class Stacks(Batch):
    """Consecutive elements, stacked by columns."""

    packed = staticmethod(stacked_block)


class PaddedBatch(Batch):
    """Consecutive elements, padded to one shape and stacked.

    Args:
        shapes: the shape to pad each component to; -1 stands for the largest size in the batch.
        values: what to pad each component with.
    """

    def __init__(self, node: Any, source: Any, size: int, drops: bool, shapes: Sequence[Any], values: Sequence[Any]):
        Dataset.__init__(self, node.attrs["Toutput_types"], node.attrs["output_shapes"])
        self.source = as_dataset(source)
        if size <= 0:
            raise invalid("batch_size must be at least 1")
        self.size, self.drops = size, drops
        self._shapes = [tuple(np.asarray(shape).tolist()) for shape in shapes]
        self._values = list(values)
        if any(size < -1 for shape in self._shapes for size in shape):
            raise invalid(f"Padded shapes must have sizes of at least 0, or -1 for any, but are {self._shapes}")
        for position, value in enumerate(values):
            if np.ndim(value):
                raise invalid(f"All padding values must be scalars, but that of component {position} has shape "
                              f"{shape_text(np.shape(value))}")

    def joined(self, rows: list[Element]) -> Element:
        return self.packed(block_of(rows))

    def packed(self, block: Block) -> Element:
        columns = zip(block.columns, self._shapes, self._values, strict=True)
        return [_padded(position, [value_at(column, place) for place in range(block.count)], shape, value)
                for position, (column, shape, value) in enumerate(columns)]


def _padded(position: int, values: Sequence[np.ndarray], wanted: tuple[int, ...], padding: Any) -> np.ndarray:
    for value in values:
        if value.ndim != len(wanted):
            raise invalid(f"component {position} of an element has rank {value.ndim}, its padded shape has rank "
                          f"{len(wanted)}")
    sizes = [max(found) for found in zip(*(value.shape for value in values))] if wanted else []
    shape = tuple(found if size < 0 else size for size, found in zip(wanted, sizes, strict=True))
    if any(found > size for found, size in zip(sizes, shape, strict=True)):
        raise errors.DataLossError(None, None, f"an element of the batch is larger than its padded shape: sizes "
                                   f"{sizes}, padded to {list(shape)}")
    result = np.empty((len(values), *shape), values[0].dtype)
    result[...] = padding
    for place, value in enumerate(values):
        result[(place, *map(slice, value.shape))] = value if value.ndim else value[()]
    return result


class Unbatch(Transformed):
    """The rows of each element."""

    def iterate(self, scope: Any) -> Iterator:
        return _UnbatchIterator(self.source.iterate(scope))

    def cardinality(self) -> int:
        count, sizes = self.source.cardinality(), {shape[0] for shape in self.source.shapes if shape}
        known = next((size for size in sizes if size is not None), None)
        return count if count in (INFINITE, UNKNOWN) else UNKNOWN if known is None else count * known


class _UnbatchIterator(Iterator):
    kept = ("_current", "_at")

    def __init__(self, source: Iterator) -> None:
        super().__init__(source)
        self._current: Element | None = None
        self._at = 0

    def get(self) -> Element | None:
        while self._current is None or self._at == len(self._current[0]):
            self._current, self._at = self.source.get(), 0
            if self._current is None:
                return None
            self._check(self._current)
        self._at += 1
        return [component[self._at - 1, ...] for component in self._current]

    def _check(self, element: Element) -> None:
        if any(not np.ndim(component) for component in element):
            raise invalid("Cannot unbatch an element that has a scalar component")
        sizes = [len(component) for component in element]
        if any(size != sizes[0] for size in sizes):
            raise invalid(f"cannot unbatch components of different lengths: component 0 has {sizes[0]}, the others "
                          f"{sizes[1:]}")


@dataset_op(f"BatchDataset(input_dataset: variant, batch_size: int64, *, {TYPES})")
def batch_dataset(node, input_dataset, batch_size):
    """A dataset of consecutive elements, stacked."""
    return Stacks(node, input_dataset, number(batch_size), False)


@dataset_op(f"BatchDatasetV2(input_dataset: variant, batch_size: int64, drop_remainder: bool, *, "
            f"parallel_copy: bool = False, {TYPES})")
def batch_dataset_v2(node, input_dataset, batch_size, drop_remainder):
    """A dataset of consecutive elements, stacked. How they are copied has no meaning here."""
    return Stacks(node, input_dataset, number(batch_size), bool(drop_remainder))


@dataset_op(f"PaddedBatchDataset(input_dataset: variant, batch_size: int64, {_PADDING}, *, {_PADDED_TYPES})")
def padded_batch_dataset(node, input_dataset, batch_size, padded_shapes, padding_values):
    """A dataset of consecutive elements, padded and stacked."""
    return PaddedBatch(node, input_dataset, number(batch_size), False, padded_shapes, padding_values)


@dataset_op(f"PaddedBatchDatasetV2(input_dataset: variant, batch_size: int64, {_PADDING}, drop_remainder: bool, *, "
            f"parallel_copy: bool = False, {_PADDED_TYPES})")
def padded_batch_dataset_v2(node, input_dataset, batch_size, padded_shapes, padding_values, drop_remainder):
    """A dataset of consecutive elements, padded and stacked. How they are copied has no meaning here."""
    return PaddedBatch(node, input_dataset, number(batch_size), bool(drop_remainder), padded_shapes, padding_values)


@dataset_op(f"UnbatchDataset(input_dataset: variant, *, {TYPES})")
def unbatch_dataset(node, input_dataset):
    """A dataset of the rows of each element."""
    return Unbatch(node, input_dataset)
