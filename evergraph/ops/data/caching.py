"""Datasets that keep their elements once they have been gone through."""

from __future__ import annotations

from typing import Any

from evergraph.graph.shaping import static_value
from evergraph.ops.data.file_cache import cached_in_file
from evergraph.ops.data.pipeline import TYPES, Element, Iterator, Transformed, dataset_op, text


class Cache(Transformed):
    """Keeps the elements in memory, or in a file if it has a name."""

    def __init__(self, node: Any, source: Any, filename: str) -> None:
        super().__init__(node, source)
        self.filename = filename

    def iterate(self, scope: Any) -> Iterator:
        if self.filename:
            return cached_in_file(self, scope)
        return _MemoryIterator(self, scope.kept(self, _Memory), scope)


class _Memory:
    """The elements of a dataset, once an iterator has reached the end; None before."""

    def __init__(self) -> None:
        self.elements: list[Element] | None = None


class _MemoryIterator(Iterator):
    """Hands out what is kept; if nothing is, goes through the source and keeps it when that ends."""

    def __init__(self, dataset: Cache, memory: _Memory, scope: Any) -> None:
        super().__init__(*([dataset.source.iterate(scope)] if memory.elements is None else []))
        self._memory, self._at = memory, 0
        self._seen: list[Element] = [] if memory.elements is None else memory.elements

    def get(self) -> Element | None:
        if self._memory.elements is self._seen:
            if self._at == len(self._seen):
                return None
            self._at += 1
            return self._seen[self._at - 1]
        element = self.source.get()
        if element is not None:
            self._seen.append(element)
            return element
        if self._memory.elements is None:
            self._memory.elements = self._seen
        self._seen = self._memory.elements
        self._at = len(self._seen)
        return None

    def state(self) -> Any:
        is_kept = self._memory.elements is self._seen
        return is_kept, list(self._seen), self._at, [] if is_kept else self.source.state()

    def restore(self, state: Any) -> None:
        is_kept, seen, self._at, inner = state
        self._seen = list(seen)
        if is_kept:
            self._memory.elements = self._seen
        else:
            self.source.restore(inner)


def names_a_file(node: Any) -> bool:
    """Whether a node that makes such a dataset may keep the elements in a file."""
    name = static_value(node.inputs[1])
    return name is None or bool(text(name))


@dataset_op(f"CacheDataset(input_dataset: variant, filename: string, *, {TYPES})", outside=names_a_file)
def cache_dataset(node, input_dataset, filename):
    """A dataset of the same elements, which are computed once: kept in memory, or in a file that has a name."""
    return Cache(node, input_dataset, text(filename))
