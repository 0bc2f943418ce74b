"""Datasets that apply a function to each element: map, filter."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.ops.data.pipeline import (
    TYPES,
    UNKNOWN,
    Captured,
    Element,
    Iterator,
    Transformed,
    as_dataset,
    dataset_op,
    number,
)
from evergraph.ops.data.prefetching import Ahead

_FUNCTION = "Targuments: list(type) >= 0"
_HINTS = "use_inter_op_parallelism: bool = True, {}preserve_cardinality: bool = False"


class Map(Transformed):
    """What a function gives for each element.

    Args:
        keeps_count: whether a function that raises OutOfRangeError is an error; otherwise it ends the dataset.
    """

    def __init__(self, node: Any, source: Any, function: Captured, keeps_count: bool) -> None:
        super().__init__(node, source)
        self.function, self.keeps_count = function, keeps_count

    def iterate(self, scope: Any) -> Iterator:
        return _MapIterator(self.source.iterate(scope), scope.function(self.function), self.keeps_count)


class _MapIterator(Iterator):
    def __init__(self, source: Iterator, function: Any, keeps_count: bool) -> None:
        super().__init__(source)
        self._draw, self._function, self._keeps_count = source.get, function, keeps_count

    def get(self) -> Element | None:
        element = self._draw()
        if element is None:
            return None
        try:
            return self._function(*element)
        except errors.OutOfRangeError as error:
            if not self._keeps_count:
                return None
            raise invalid(f"Function invocation produced OutOfRangeError: {error.message}") from error


class Filter(Transformed):
    """The elements for which a predicate holds."""

    def __init__(self, node: Any, source: Any, predicate: Captured) -> None:
        super().__init__(node, source)
        self.predicate = predicate

    def iterate(self, scope: Any) -> Iterator:
        return _FilterIterator(self.source.iterate(scope), scope.function(self.predicate))

    def cardinality(self) -> int:
        return UNKNOWN


class _FilterIterator(Iterator):
    def __init__(self, source: Iterator, predicate: Any) -> None:
        super().__init__(source)
        self._draw, self._predicate = source.get, predicate

    def get(self) -> Element | None:
        while (element := self._draw()) is not None:
            wanted, = self._predicate(*element)
            if np.ndim(wanted) or wanted.dtype != np.bool_:
                raise invalid("Predicate function `predicate` must return a scalar bool.")
            if wanted:
                return element
        return None


@dataset_op(f"MapDataset(input_dataset: variant, other_arguments: Targuments, *, f: func, {_FUNCTION}, {TYPES}, "
            f"{_HINTS.format('')})")
def map_dataset(node, input_dataset, other_arguments, f, preserve_cardinality):
    """A dataset of the results of a function. The hints have no meaning here."""
    return Map(node, input_dataset, Captured(f, other_arguments), preserve_cardinality)


@dataset_op(f"ParallelMapDataset(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int32, *, "
            f"f: func, {_FUNCTION}, {TYPES}, {_HINTS.format('sloppy: bool = False, ')})")
def parallel_map_dataset(node, input_dataset, other_arguments, num_parallel_calls, f, preserve_cardinality):
    """A dataset of the results of a function, computed ahead by a thread, in order. The hints have no meaning here."""
    calls = number(num_parallel_calls)
    if calls < -1 or calls == 0:
        raise invalid("num_parallel_calls must be greater than zero.")
    return Ahead(node, Map(node, input_dataset, Captured(f, other_arguments), preserve_cardinality), calls)


@dataset_op(f"FilterDataset(input_dataset: variant, other_arguments: Targuments, *, predicate: func, {_FUNCTION}, "
            f"{TYPES})")
def filter_dataset(node, input_dataset, other_arguments, predicate):
    """A dataset of the elements for which a predicate holds."""
    return Filter(node, as_dataset(input_dataset), Captured(predicate, other_arguments))
