"""Datasets that draw from several others, as another dataset says: choose_from_datasets, sample_from_datasets."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.traits import ANY
from evergraph.ops.data.blocks import Block, drawn
from evergraph.ops.data.combining import Several
from evergraph.ops.data.lanes import Lane, calls_functions, interleaved
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, UNKNOWN, Element, Iterator, as_dataset


class Directed(Several):
    """Draws each element from the dataset whose number the selector gives.

    Args:
        stops: whether it ends with the first dataset that ends; otherwise choices of one that is over are left out.
    """

    def __init__(self, node: Any, selector: Any, sources: list[Any], stops: bool) -> None:
        super().__init__(node, sources)
        self.selector, self.stops = as_dataset(selector), stops

    def iterate(self, scope: Any) -> Iterator:
        return _DirectedIterator(self, scope)

    def cardinality(self) -> int:
        return UNKNOWN


class _DirectedIterator(Iterator):
    """The first of its sources is the selector; `_open` has the numbers of the others that have not ended.

    Where nobody can tell in which order datasets are drawn from, a block draws all of its choices, then from each
    dataset what they say. Choices that were drawn for nothing, because a dataset ended, go back to the selector.
    """

    kept = ("_open",)

    def __init__(self, dataset: Directed, scope: Any) -> None:
        super().__init__(*(Lane(each.iterate(scope)) for each in (dataset.selector, *dataset.sources)))
        self._stops, self._open = dataset.stops, set(range(len(dataset.sources)))
        self._at_once = not any(map(calls_functions, dataset.sources))

    def block(self, count: int) -> Block:
        if not self._at_once or not self._open:
            return super().block(count)
        choices = drawn(self.source, count)
        if not choices.count:
            return choices
        order = np.asarray(choices.columns[0])
        if not set(np.unique(order).tolist()) <= self._open:
            self.source.give_back(choices)
            return super().block(count)
        block, ended = interleaved(self.sources[1:], order)
        if ended is None:
            return dataclasses.replace(block, error=choices.error, is_over=choices.is_over)
        self.source.give_back(choices.part(block.count + 1, choices.count))
        if block.error is None:
            self._open = set() if self._stops else self._open - {ended}
        return block

    def get(self) -> Element | None:
        while self._open:
            choice = self._choice()
            if choice is None:
                return None
            if choice not in self._open:
                continue
            element = self.sources[choice + 1].get()
            if element is not None:
                return element
            self._open = set() if self._stops else self._open - {choice}
        return None

    def _choice(self) -> int | None:
        chosen = self.source.get()
        if chosen is None:
            return None
        choice, count = int(chosen[0]), len(self.sources) - 1
        if not 0 <= choice < count:
            raise invalid(f"Selector index out of range: {choice} >= {count}")
        return choice


@two_names("DirectedInterleaveDataset(selector_input_dataset: variant, data_input_datasets: N * variant, *, "
           f"{TYPES}, N: int >= 1)", {"stop_on_empty_dataset": ANY})
def directed_interleave_dataset(node, selector_input_dataset, data_input_datasets):
    """A dataset that draws each element from the dataset whose number another dataset gives."""
    selector = as_dataset(selector_input_dataset)
    if [t.np for t in selector.types] != [np.dtype(np.int64)]:
        raise invalid("the selector must be a dataset of int64 scalars")
    stops = node.extra.get("stop_on_empty_dataset")
    return Directed(node, selector, list(data_input_datasets), stops is not None and stops.b)


@two_names(f"ChooseFastestDataset(input_datasets: N * variant, *, N: int >= 2, num_experiments: int, {TYPES})", {})
def choose_fastest_dataset(input_datasets):
    """One of several datasets that have the same elements: the first. Experiments have no meaning here."""
    return as_dataset(input_datasets[0])
