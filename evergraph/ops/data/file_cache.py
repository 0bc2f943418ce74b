"""Caches of datasets in files: TensorFlow's, a bundle with a tensor for each component of each element."""

from __future__ import annotations

import os
import time
from typing import Any

from evergraph.base import errors, files
from evergraph.formats.bundle import BundleReader, BundleWriter, Part, index_file
from evergraph.ops.data.blocks import END, Block, column_of
from evergraph.ops.data.pipeline import Element, Iterator


def cached_in_file(dataset: Any, scope: Any) -> Iterator:
    """An iterator over the elements in the dataset's file, or one that writes the file."""
    if files.exists(index_file(dataset.filename)):
        return _FileReader(dataset)
    return _FileWriter(dataset, scope)


def _key(dataset: Any, element: int, component: int) -> str:
    width = len(str(len(dataset.types) - 1))
    return f"{element:7d}_{component:{width}d}"


class _FileReader(Iterator):
    kept = ("_at",)

    def __init__(self, dataset: Any) -> None:
        super().__init__()
        self._dataset, self._reader, self._at = dataset, BundleReader(dataset.filename), 0

    def get(self) -> Element | None:
        if _key(self._dataset, self._at, 0) not in self._reader:
            return None
        self._at += 1
        return [self._reader.read(key) for key in self._keys(self._at - 1)]

    def block(self, count: int) -> Block:
        keys = [key for at in range(self._at, self._at + count) for key in self._keys(at)]
        width = len(self._dataset.types)
        found = next((place for place in range(0, len(keys), width) if keys[place] not in self._reader), len(keys))
        if not found:
            return END
        try:
            values = self._reader.read_run(keys[:found])
        except errors.OpError:  # the elements before the damaged one count
            return super().block(count)
        self._at += found // width
        columns = [column_of(values[place::width]) for place in range(width)]
        return Block(columns, found // width, is_over=found < len(keys))

    def _keys(self, element: int) -> list[str]:
        return [_key(self._dataset, element, i) for i in range(len(self._dataset.types))]


class _FileWriter(Iterator):
    """Goes through the source and writes it down. A lock file keeps others from writing the same cache.

    A restored iterator begins anew and leaves out what was drawn: a cache is written as a whole or not at all.
    """

    def __init__(self, dataset: Any, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._dataset, self._drawn, self._is_over = dataset, 0, False
        self._writer: BundleWriter | None = None
        self._lock = f"{dataset.filename}_0.lockfile"

    def get(self) -> Element | None:
        if self._is_over:
            return None
        if self._writer is None:
            self._begin()
        element = self.source.get()
        if element is None:
            self._finish()
            return None
        for place, (value, dtype) in enumerate(zip(element, self._dataset.types, strict=True)):
            self._writer.add(Part(_key(self._dataset, self._drawn, place), value, dtype))
        self._drawn += 1
        return element

    def _begin(self) -> None:
        if files.exists(self._lock):
            raise errors.AlreadyExistsError(
                None, None, f"another iterator is writing this cache: its lock file '{self._lock}' exists. If no "
                "program uses the cache any more, remove the file and initialize the iterator again. The file says: "
                f"{os.fsdecode(files.read_file(self._lock))}")
        writer = BundleWriter(self._dataset.filename)
        files.write_file(self._lock, f"Created at: {int(time.time())}")
        self._writer = writer

    def _finish(self) -> None:
        writer, self._writer, self._is_over = self._writer, None, True
        writer.finish()
        files.remove(self._lock)

    def state(self) -> Any:
        return self._drawn, self._is_over

    def restore(self, state: Any) -> None:
        drawn, is_over = state
        while not is_over and self._drawn < drawn and self.get() is not None:
            pass
        self._is_over = is_over

    def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.abandon()
            files.remove(self._lock)
        super().close()
