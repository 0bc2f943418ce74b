"""Datasets that apply a function to each element: map, filter."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.ops.data.blocks import Block, drawn, joined
from evergraph.ops.data.pipeline import (
    TYPES,
    UNKNOWN,
    Captured,
    Element,
    Empty,
    Iterator,
    Transformed,
    as_dataset,
    dataset_op,
    number,
    processors,
)
from evergraph.ops.data.prefetching import AUTOTUNE, DEFAULT_ROOM, AheadIterator

_MOST_BYTES = 1 << 19  # of the elements of one call, whose results on the way stay in the processor's cache
_FUNCTION = "Targuments: list(type) >= 0"
_HINTS = "use_inter_op_parallelism: bool = True, {}preserve_cardinality: bool = False"


class _Applied(Iterator):
    """Applies a function to elements, one by one or many at a time.

    A call for many elements that fails is repeated one by one, so that the element fails that fails by itself. The
    elements after that one are already drawn: they are held until they are asked for.

    Args:
        function: for one element.
        make: gives the function for many, or None if there is none; or None itself.
    """

    kept = ("_held",)

    def __init__(self, source: Iterator, function: Any, make: Any) -> None:
        super().__init__(source)
        self._function, self._make, self._batched = function, make, None
        self._held: list[Element | Exception] = []
        self._bytes = 0  # of an element

    def _draw(self) -> Element | None:
        if not self._held:
            return self.source.get()
        held = self._held.pop(0)
        if isinstance(held, Exception):
            raise held
        return held

    def block(self, count: int) -> Block:
        if self._make is not None:
            self._batched, self._make = self._make(), None
        if self._batched is None or self._held:
            return super().block(count)
        drawn = self._drawn(count)
        if not drawn.count:
            return drawn
        try:
            return self._applied(drawn, self._batched(drawn.count, drawn.columns))
        except Exception:  # whatever it is, the element that is to blame raises it again
            self._hold(drawn)
        block = super().block(drawn.count)
        if block.error is None:  # only together the elements fail
            self._batched = None
        return block

    def _drawn(self, count: int) -> Block:
        """So many elements, or fewer large ones; a source of short blocks, such as short epochs, is asked again."""
        block = drawn(self.source, max(1, min(count, _MOST_BYTES // (self._bytes or 1))))
        if block.count:
            self._bytes = block.bytes() // block.count
        return block

    def _hold(self, drawn: Block) -> None:
        """Keeps drawn elements until they are asked for one by one."""
        self._held += [*drawn.rows(), *([drawn.error] if drawn.error else [])]

    def _applied(self, drawn: Block, results: Sequence[Any]) -> Block:
        """The block that follows from what the function gave for the drawn one."""
        raise NotImplementedError


class Map(Transformed):
    """What a function gives for each element.

    Args:
        keeps_count: whether a function that raises OutOfRangeError is an error; otherwise it ends the dataset.

    Attributes:
        in_batches: whether the function is called once for many elements where a batch asks for them.
    """

    in_batches = False

    def __init__(self, node: Any, source: Any, function: Captured, keeps_count: bool) -> None:
        super().__init__(node, source)
        self.function, self.keeps_count = function, keeps_count

    def iterate(self, scope: Any) -> Iterator:
        batched = functools.partial(scope.batched, self.function) if self.in_batches else None
        return _MapIterator(self.source.iterate(scope), scope.function(self.function), batched, self.keeps_count)


class _MapIterator(_Applied):
    def __init__(self, source: Iterator, function: Any, make: Any, keeps_count: bool) -> None:
        super().__init__(source, function, make)
        self._keeps_count = keeps_count

    def _applied(self, drawn: Block, results: Sequence[Any]) -> Block:
        return dataclasses.replace(drawn, columns=results)

    def get(self) -> Element | None:
        element = self._draw()
        return None if element is None else self.apply(element)

    def apply(self, element: Element) -> Element | None:
        """What the function gives for an element; None if it ends the dataset."""
        try:
            return self._function(*element)
        except errors.OutOfRangeError as error:
            if not self._keeps_count:
                return None
            raise invalid(f"Function invocation produced OutOfRangeError: {error.message}") from error


@dataclasses.dataclass(frozen=True)
class _Begun:
    """A block that threads work on: the drawn elements, and the calls for parts of them."""

    drawn: Block
    parts: Sequence[Block]
    calls: Sequence[concurrent.futures.Future[Any]]


class _DividedMapIterator(_MapIterator):
    """Divides the calls for many elements among threads, which end with `close` or when nobody holds the iterator.

    Where one block is asked for after another, the threads draw the next and begin with it before it is asked for.
    """

    def __init__(self, source: Iterator, function: Any, batched: Any, keeps_count: bool, threads: int) -> None:
        super().__init__(source, function, lambda: self._divided, keeps_count)
        self._whole, self._parts = batched, threads
        self._threads = concurrent.futures.ThreadPoolExecutor(threads, "evergraph_map")
        self._current: _Begun | None = None
        self._next: concurrent.futures.Future[_Begun] | None = None
        self._size = 0  # of the block that was asked for last

    def block(self, count: int) -> Block:
        if self._next is not None and self._next.exception() is None and self._next.result().drawn.count > count:
            self._hold_next()
        return super().block(count)

    def _draw(self) -> Element | None:
        if not self._held:
            self._hold_next()
        return super()._draw()

    def _drawn(self, count: int) -> Block:
        begun, self._next = self._next, None
        self._current = self._begin(count) if begun is None else begun.result()
        drawn = self._current.drawn
        if self._size == drawn.count == count and drawn.error is None and not drawn.is_over:
            self._next = self._threads.submit(self._begin, count)
        self._size = count
        return drawn

    def _begin(self, count: int) -> _Begun:
        """Draws a block, and gives parts of it to the threads."""
        block = drawn(self.source, count)
        size = -(-block.count // self._parts) or 1
        parts = [block.part(start, start + size) for start in range(0, block.count, size)]
        return _Begun(block, parts, [self._threads.submit(self._whole, part.count, part.columns) for part in parts])

    def _divided(self, count: int, columns: Sequence[Any]) -> Sequence[Any]:
        """What the threads have made of the block that was drawn last."""
        begun, self._current = self._current, None
        assert begun is not None and begun.drawn.count == count
        concurrent.futures.wait(begun.calls)
        results = [call.result() for call in begun.calls]
        return joined([Block(result, part.count) for part, result in zip(begun.parts, results, strict=True)]).columns

    def _hold_next(self) -> None:
        """Has the elements of a block that threads have begun with drawn one by one."""
        if self._next is not None:
            begun, self._next = self._next, None
            self._hold(begun.result().drawn)

    def state(self) -> Any:
        self._hold_next()
        return super().state()

    def close(self) -> None:
        self.stop()
        self._threads.shutdown()
        super().close()


class ParallelMap(Map):
    """The same, computed ahead by threads.

    Where a function changes variables or draws random numbers, the threads are one: effects and numbers come in the
    order of the elements, whatever the time that each takes.

    Args:
        calls: how many elements are computed at a time; AUTOTUNE for as many as there are processors.

    Attributes:
        in_order: False to hand out first what is computed first.
    """

    in_order = True

    def __init__(self, node: Any, source: Any, function: Captured, keeps_count: bool, calls: int) -> None:
        super().__init__(node, source, function, keeps_count)
        self.calls = calls

    def iterate(self, scope: Any) -> Iterator:
        threads = processors() if self.calls == AUTOTUNE else self.calls
        room = DEFAULT_ROOM if self.calls == AUTOTUNE else self.calls
        at_once = threads > 1 and scope.may_run_at_once(self.function)
        if self.in_batches and (batched := scope.batched(self.function)) is not None:
            source, function = self.source.iterate(scope), scope.function(self.function)
            if at_once and scope.is_worth_threads(self.function):
                return _DividedMapIterator(source, function, batched, self.keeps_count, min(threads, processors()))
            return _MapIterator(source, function, lambda: batched, self.keeps_count)
        if not at_once:
            return AheadIterator(super().iterate(scope), room)
        work = _MapIterator(Empty(), scope.function(self.function), None, self.keeps_count).apply
        return AheadIterator(self.source.iterate(scope), room, work, min(threads, room), self.in_order)


class Filter(Transformed):
    """The elements for which a predicate holds; `in_batches` as for a map."""

    in_batches = False

    def __init__(self, node: Any, source: Any, predicate: Captured) -> None:
        super().__init__(node, source)
        self.predicate = predicate

    def iterate(self, scope: Any) -> Iterator:
        batched = functools.partial(scope.batched, self.predicate) if self.in_batches else None
        return _FilterIterator(self.source.iterate(scope), scope.function(self.predicate), batched)

    def cardinality(self) -> int:
        return UNKNOWN


class _FilterIterator(_Applied):
    def _applied(self, drawn: Block, results: Sequence[Any]) -> Block:
        wanted, = results
        if wanted.dtype != np.bool_ or wanted.ndim != 1:
            raise invalid("`predicate` must give a bool scalar")
        if wanted.all():
            return drawn
        places = np.flatnonzero(wanted)
        columns = [c[places] if isinstance(c, np.ndarray) else [c[place] for place in places.tolist()]
                   for c in drawn.columns]
        return dataclasses.replace(drawn, columns=columns, count=len(places))

    def get(self) -> Element | None:
        while (element := self._draw()) is not None:
            wanted, = self._function(*element)
            if np.ndim(wanted) or wanted.dtype != np.bool_:
                raise invalid("`predicate` must give a bool scalar")
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
    """A dataset of the results of a function, computed ahead by threads, in order unless `sloppy`."""
    calls = number(num_parallel_calls)
    if calls < -1 or calls == 0:
        raise invalid("num_parallel_calls must be greater than zero.")
    mapped = ParallelMap(node, input_dataset, Captured(f, other_arguments), preserve_cardinality, calls)
    mapped.in_order = not node.attrs.get("sloppy", False)  # later forms of the op have another attr for it
    return mapped


@dataset_op(f"FilterDataset(input_dataset: variant, other_arguments: Targuments, *, predicate: func, {_FUNCTION}, "
            f"{TYPES})")
def filter_dataset(node, input_dataset, other_arguments, predicate):
    """A dataset of the elements for which a predicate holds."""
    return Filter(node, as_dataset(input_dataset), Captured(predicate, other_arguments))
