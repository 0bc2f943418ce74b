"""Datasets of some of the elements, by their number, or of all of them several times: take, skip, shard, repeat."""

from __future__ import annotations

import dataclasses
from typing import Any

from evergraph.base.errors import invalid
from evergraph.ops.data.blocks import END, Block
from evergraph.ops.data.pipeline import (
    INFINITE,
    TYPES,
    UNKNOWN,
    Element,
    Empty,
    Iterator,
    Transformed,
    dataset_op,
    number,
)


class _Counted(Transformed):
    """A dataset that depends on a count."""

    def __init__(self, node: Any, source: Any, count: int) -> None:
        super().__init__(node, source)
        self.count = count


class Take(_Counted):
    """The first elements; all of them if the count is negative."""

    def iterate(self, scope: Any) -> Iterator:
        return _TakeIterator(self.source.iterate(scope), self.count)

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if self.count < 0 or self.count == 0:
            return count if self.count else 0
        return self.count if count == INFINITE else count if count == UNKNOWN else min(count, self.count)


class _TakeIterator(Iterator):
    kept = ("_left",)

    def __init__(self, source: Iterator, count: int) -> None:
        super().__init__(source)
        self._left = count

    def get(self) -> Element | None:
        if self._left == 0:
            self.close()
            return None
        element = self.source.get()
        self._left -= element is not None
        return element

    def block(self, count: int) -> Block:
        if self._left == 0:
            self.close()
            return END
        block = self.source.block(count if self._left < 0 else min(count, self._left))
        self._left -= block.count
        return block


class Skip(_Counted):
    """All elements but the first; none if the count is negative."""

    def iterate(self, scope: Any) -> Iterator:
        return Empty() if self.count < 0 else _SkipIterator(self.source.iterate(scope), self.count)

    def cardinality(self) -> int:
        count = self.source.cardinality()
        return 0 if self.count < 0 else count if count in (INFINITE, UNKNOWN) else max(0, count - self.count)


class _SkipIterator(Iterator):
    kept = ("_left",)

    def __init__(self, source: Iterator, count: int) -> None:
        super().__init__(source)
        self._left = count

    def get(self) -> Element | None:
        return self.source.get() if self._has_skipped() else None

    def block(self, count: int) -> Block:
        if not self._left:
            return self.source.block(count)
        try:
            return self.source.block(count) if self._has_skipped() else END
        except Exception as error:
            return Block((), 0, error)

    def _has_skipped(self) -> bool:
        """Leaves out what is to be left out; False if the source ends before."""
        while self._left:
            if self.source.get() is None:
                return False
            self._left -= 1
        return True


class Shard(Transformed):
    """Every so many elements one."""

    def __init__(self, node: Any, source: Any, shards: int, index: int, needs_one: bool) -> None:
        super().__init__(node, source)
        if shards <= 0:
            raise invalid(f"num_shards must be at least 1, got {shards}")
        if not 0 <= index < shards:
            raise invalid(f"index must lie between 0 and {shards - 1}, got {index}")
        self.shards, self.index, self.needs_one = shards, index, needs_one

    def iterate(self, scope: Any) -> Iterator:
        return _ShardIterator(self, self.source.iterate(scope))

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if count in (INFINITE, UNKNOWN):
            return count
        return len(range(self.index, count, self.shards))


class _ShardIterator(Iterator):
    kept = ("_seen",)

    def __init__(self, dataset: Shard, source: Iterator) -> None:
        super().__init__(source)
        self._dataset, self._seen = dataset, 0

    def get(self) -> Element | None:
        dataset = self._dataset
        while (element := self.source.get()) is not None:
            self._seen += 1
            if (self._seen - 1) % dataset.shards == dataset.index:
                return element
        if dataset.needs_one and self._seen < dataset.shards:
            raise invalid(f"Could not apply FILE based sharding: there are {self._seen} elements for {dataset.shards} "
                          "shards, and every shard needs one")
        return None


class Repeat(_Counted):
    """All elements so many times; for ever if the count is negative."""

    def iterate(self, scope: Any) -> Iterator:
        if self.count == 0:
            return Empty()
        return _ForeverIterator(self, scope) if self.count < 0 else _RepeatIterator(self, scope)

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if count == 0 or self.count == 0:
            return 0
        if self.count < 0:
            return INFINITE
        return count if count in (INFINITE, UNKNOWN) else count * self.count


class _RepeatIterator(Iterator):
    kept = ("_epoch",)

    def __init__(self, dataset: Repeat, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._dataset, self._scope, self._epoch = dataset, scope, 0

    def get(self) -> Element | None:
        while self._epoch < self._dataset.count:
            element = self.source.get()
            if element is not None:
                return element
            self._next_epoch()
        return None

    def block(self, count: int) -> Block:
        while self._epoch < self._dataset.count:
            block = self.source.block(count)
            if not block.is_end:
                return dataclasses.replace(block, is_over=False)
            self._next_epoch()
        return END

    def _next_epoch(self) -> None:
        self._epoch += 1
        self.source.close()
        self.sources = [self._dataset.source.iterate(self._scope)]


class _ForeverIterator(Iterator):
    """Has no source between two epochs: the next one begins when an element is asked for."""

    def __init__(self, dataset: Repeat, scope: Any) -> None:
        super().__init__()
        self._dataset, self._scope = dataset, scope

    def get(self) -> Element | None:
        while True:
            is_first = not self.sources
            if is_first:
                self.sources = [self._dataset.source.iterate(self._scope)]
            element = self.source.get()
            if element is not None:
                return element
            self.source.close()
            self.sources = []
            if is_first:
                return None

    def block(self, count: int) -> Block:
        while True:
            is_first = not self.sources
            if is_first:
                self.sources = [self._dataset.source.iterate(self._scope)]
            block = self.sources[0].block(count)
            if not block.is_over:
                return block
            if block.count:
                return dataclasses.replace(block, is_over=False)
            self.source.close()
            self.sources = []
            if is_first:
                return END

    def state(self) -> Any:
        return [source.state() for source in self.sources]

    def restore(self, state: Any) -> None:
        self.sources = [self._dataset.source.iterate(self._scope) for _ in state]
        for source, each in zip(self.sources, state, strict=True):
            source.restore(each)


@dataset_op(f"TakeDataset(input_dataset: variant, count: int64, *, {TYPES})")
def take_dataset(node, input_dataset, count):
    """A dataset of the first `count` elements, of all of them if that is -1."""
    return Take(node, input_dataset, number(count))


@dataset_op(f"SkipDataset(input_dataset: variant, count: int64, *, {TYPES})")
def skip_dataset(node, input_dataset, count):
    """A dataset of all but the first `count` elements, of none if that is -1."""
    return Skip(node, input_dataset, number(count))


@dataset_op("ShardDataset(input_dataset: variant, num_shards: int64, index: int64, *, "
            f"require_non_empty: bool = False, {TYPES})")
def shard_dataset(node, input_dataset, num_shards, index, require_non_empty):
    """A dataset of each element whose number, modulo `num_shards`, is `index`."""
    return Shard(node, input_dataset, number(num_shards), number(index), require_non_empty)


@dataset_op(f"RepeatDataset(input_dataset: variant, count: int64, *, {TYPES})")
def repeat_dataset(node, input_dataset, count):
    """A dataset of the elements `count` times, for ever if that is -1."""
    return Repeat(node, input_dataset, number(count))
