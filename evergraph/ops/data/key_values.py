"""Datasets of the keys and values in LMDB files."""

from __future__ import annotations

import itertools
import os
from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.formats import lmdb
from evergraph.kernel.values import boxed
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Dataset, Element, Iterator


class KeyValues(Dataset):
    """Pairs of a key and a value, one file after another."""

    def __init__(self, node: Any, names: Any) -> None:
        super().__init__(node.attrs["output_types"], node.attrs["output_shapes"])
        if np.ndim(names) > 1:
            raise invalid("`filenames` must be a scalar or vector.")
        self.names = [os.fsdecode(name) for name in np.ravel(names).tolist()]

    def iterate(self, scope: Any) -> Iterator:
        return _KeyValuesIterator(self)


class _KeyValuesIterator(Iterator):
    """Reads a file when the first of its pairs is asked for."""

    def __init__(self, dataset: KeyValues) -> None:
        super().__init__()
        self._dataset, self._drawn = dataset, 0
        self._pairs = self._all()

    def _all(self) -> Any:
        return itertools.chain.from_iterable(map(lmdb.records, self._dataset.names))

    def get(self) -> Element | None:
        pair = next(self._pairs, None)
        if pair is None:
            return None
        self._drawn += 1
        return [boxed(each) for each in pair]

    def state(self) -> Any:
        return self._drawn

    def restore(self, state: Any) -> None:
        self._drawn, self._pairs = state, itertools.islice(self._all(), state, None)


@two_names(f"LMDBDataset(filenames: string, *, {TYPES})", {}, stateful=True, outside=True)
def lmdb_dataset(node, filenames):
    """A dataset of the keys and values in LMDB files."""
    return KeyValues(node, filenames)
