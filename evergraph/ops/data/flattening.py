"""Datasets of the elements of datasets that a function makes: flat_map, interleave."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.ops.data.blocks import END, Block
from evergraph.ops.data.lanes import Lane, calls_functions, interleaved
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
from evergraph.ops.data.prefetching import AUTOTUNE, Ahead

_TURNS = 3  # from so many on it pays to draw all of them at once, and to sort the elements
_FUNCTION = "f: func, Targuments: list(type) >= 0"


class Interleave(Transformed):
    """The elements of the datasets that a function makes, some datasets at a time, some elements of each.

    Args:
        function: makes a dataset of an element.
        cycle: how many datasets are open at a time; 1 gives their elements one dataset after another.
        block: how many elements of a dataset come in a row.
    """

    def __init__(self, node: Any, source: Any, function: Captured, cycle: int = 1, block: int = 1) -> None:
        super().__init__(node, source)
        self.function, self.cycle, self.block = function, cycle, block

    def iterate(self, scope: Any) -> Iterator:
        return InterleaveIterator(self, scope)

    def cardinality(self) -> int:
        return UNKNOWN


class InterleaveIterator(Iterator):
    """Keeps, for each open dataset, the element that it was made of: `restore` makes it of that again."""

    kept = ("_turn", "_in_block", "_is_over", "_arguments")

    def __init__(self, dataset: Interleave, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._scope, self._function = scope, scope.function(dataset.function)
        self._block = dataset.block
        self._open: list[Any] = [None] * dataset.cycle  # iterators; lanes where there are several
        self._arguments: list[Element | None] = [None] * dataset.cycle
        self._turn = self._in_block = 0
        self._is_over = False

    def get(self) -> Element | None:
        while not self._is_over or any(self._open):
            current = self._open[self._turn]
            if current is None and not self._is_over:
                self._open_next()
                continue
            element = None if current is None else current.get()
            if element is None:
                self._leave()
                continue
            self._in_block += 1
            if self._in_block == self._block:
                self._pass_on()
            return element
        return None

    def block(self, count: int) -> Block:
        if self._may_draw_at_once(count):
            return self._drawn_at_once(count)
        while not self._is_over or any(self._open):
            current = self._open[self._turn]
            if current is None and not self._is_over:
                try:
                    self._open_next()
                except Exception as error:
                    return Block((), 0, error)
                continue
            wanted = count if len(self._open) == 1 else min(count, self._block - self._in_block)
            block = END if current is None else current.block(wanted)
            if not block.is_end:
                self._in_block += block.count
                if self._in_block == self._block or len(self._open) == 1:
                    self._pass_on()
                return dataclasses.replace(block, is_over=False) if block.is_over else block
            self._leave()
        return END

    def _may_draw_at_once(self, count: int) -> bool:
        """Whether each open dataset has several turns in so many elements, and nobody can tell the order of draws."""
        return len(self._open) > 1 and count >= _TURNS * self._block * len(self._open) and all(
            lane is not None and lane.at_once for lane in self._open)

    def _drawn_at_once(self, count: int) -> Block:
        """The next elements, up to the first dataset that ends; the share of each dataset is drawn at once."""
        turns = (self._turn + (self._in_block + np.arange(count)) // self._block) % len(self._open)
        block, ended = interleaved(self._open, turns)
        passed, self._in_block = divmod(self._in_block + block.count, self._block)
        self._turn = (self._turn + passed) % len(self._open)
        if ended is not None and block.error is None:
            self._leave()
        return block

    def _open_next(self) -> None:
        """Opens the next dataset in the place whose turn it is."""
        arguments = self.source.get()
        if arguments is None:
            self._is_over = True
            return
        self._arguments[self._turn] = arguments
        self._open[self._turn] = self._made(arguments)

    def _made(self, arguments: Element) -> Iterator:
        made, = self._function(*arguments)
        dataset = as_dataset(made)
        iterator = dataset.iterate(self._scope)
        return iterator if len(self._open) == 1 else Lane(iterator, not calls_functions(dataset))

    def _leave(self) -> None:
        """Closes the dataset whose turn it is, if there is one, and goes on to the next."""
        current, self._open[self._turn], self._arguments[self._turn] = self._open[self._turn], None, None
        if current is not None:
            current.close()
        self._pass_on()

    def _pass_on(self) -> None:
        self._turn, self._in_block = (self._turn + 1) % len(self._open), 0

    def state(self) -> Any:
        return super().state(), [None if each is None else each.state() for each in self._open]

    def restore(self, state: Any) -> None:
        own, inner = state
        super().restore(own)
        self._open = [None if a is None else self._made(a) for a in self._arguments]
        for iterator, each in zip(self._open, inner, strict=True):
            if iterator is not None:
                iterator.restore(each)

    def stop(self) -> None:
        for iterator in self._open:
            if iterator is not None:
                iterator.stop()
        super().stop()

    def close(self) -> None:
        for iterator in self._open:
            if iterator is not None:
                iterator.close()
        super().close()


@dataset_op(f"FlatMapDataset(input_dataset: variant, other_arguments: Targuments, *, {_FUNCTION}, {TYPES})")
def flat_map_dataset(node, input_dataset, other_arguments, f):
    """A dataset of the elements of datasets that a function makes, one dataset after another."""
    return Interleave(node, input_dataset, Captured(f, other_arguments))


def _interleaved(node, source, arguments, f, cycle_length, block_length):
    cycle, block = number(cycle_length), number(block_length)
    cycle = (os.cpu_count() or 1) if cycle == AUTOTUNE else cycle
    if cycle <= 0:
        raise invalid("cycle_length must be greater than zero.")
    if block <= 0:
        raise invalid("block_length must be greater than zero.")
    return Interleave(node, source, Captured(f, arguments), cycle, block)


@dataset_op("InterleaveDataset(input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
            f"block_length: int64, *, {_FUNCTION}, {TYPES})")
def interleave_dataset(node, input_dataset, other_arguments, cycle_length, block_length, f):
    """A dataset of the elements of datasets that a function makes, some datasets at a time."""
    return _interleaved(node, input_dataset, other_arguments, f, cycle_length, block_length)


@dataset_op("ParallelInterleaveDatasetV2(input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
            f"block_length: int64, num_parallel_calls: int64, *, {_FUNCTION}, {TYPES}, sloppy: bool = False)")
def parallel_interleave_dataset_v2(node, input_dataset, other_arguments, cycle_length, block_length,
                                   num_parallel_calls, f):
    """The same, computed ahead by a thread, in the same order even if `sloppy` allows others."""
    calls = number(num_parallel_calls)
    if calls == 0 or calls < AUTOTUNE:
        raise invalid("num_parallel_calls must be greater than zero.")
    if calls > number(cycle_length) != AUTOTUNE:
        raise invalid(f"num_parallel_calls is {calls}, but only {number(cycle_length)} datasets are open at a time")
    return Ahead(node, _interleaved(node, input_dataset, other_arguments, f, cycle_length, block_length), calls)
