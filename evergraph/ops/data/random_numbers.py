"""Datasets of random numbers: TensorFlow's numbers for the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import INFINITE, TYPES, Dataset, Element, Iterator
from evergraph.ops.data.shuffling import Words, seeds_of


class RandomNumbers(Dataset):
    """Random 32-bit numbers as int64, without an end; each iterator gives the same ones."""

    def __init__(self, node: Any, seeds: tuple[int, int]) -> None:
        super().__init__(node.attrs["output_types"], node.attrs["output_shapes"])
        self.seeds = seeds

    def iterate(self, scope: Any) -> Iterator:
        return _RandomIterator(Words(*self.seeds))

    def cardinality(self) -> int:
        return INFINITE


class _RandomIterator(Iterator):
    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words

    def get(self) -> Element | None:
        return [np.array(self._words.draw(), np.int64)]

    def state(self) -> Any:
        return self._words.state

    def restore(self, state: Any) -> None:
        self._words.state = state


@two_names(f"RandomDataset(seed: int64, seed2: int64, *, {TYPES})", stateful=True)
def random_dataset(node, seed, seed2):
    """A dataset of random numbers."""
    return RandomNumbers(node, seeds_of(seed, seed2))
