"""Where the batches of a loop come from: arrays, tensors, datasets, or generators."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import errors, nest
from evergraph.data.dataset import DatasetV2
from evergraph.frontend.variables.base import Variable
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.keras import session


@dataclass
class Batch:
    """A batch: the arrays to feed, flat and in order, and the number of examples.

    Attributes:
        inputs, targets, weights: arrays; None for an output without weights.
        size: the number of examples.
    """

    inputs: list[Any]
    targets: list[Any]
    weights: list[Any]
    size: int

    @property
    def weighted(self) -> tuple[bool, ...]:
        """Which of the outputs have weights."""
        return tuple(weight is not None for weight in self.weights)

    @property
    def fed(self) -> list[Any]:
        """The arrays of a training step."""
        return self.inputs + self.targets + [weight for weight in self.weights if weight is not None]


class ArrayBatches:
    """Slices of arrays.

    Args:
        inputs, targets, weights: arrays, and None for an output without weights.
        batch_size: the size of slices; the last one may be smaller.
        shuffle: whether each epoch has an order of its own; "batch" shuffles batches, for files that are slow to read
            elsewhere.
        agree: what several workers make of their orders.
    """

    counts_steps = False
    told_size: int | None = None

    def __init__(self, inputs: list[Any], targets: list[Any], weights: list[Any], batch_size: int,
                 shuffle: Any = False, agree: Callable[[Any], Any] = lambda order: order) -> None:
        self._agree = agree
        self._arrays, self._split = [*inputs, *targets, *weights], (len(inputs), len(inputs) + len(targets))
        self.batch_size, self._shuffle = batch_size, shuffle
        self.samples = next((len_of(each) for each in self._arrays if each is not None), 0)
        self.steps = -(-self.samples // batch_size)

    @property
    def weighted(self) -> tuple[bool, ...]:
        """Which of the outputs have weights."""
        return tuple(each is not None for each in self._arrays[self._split[1]:])

    def epoch(self) -> Iterator[Batch]:
        """The batches of an epoch."""
        order = self._order()
        for start in range(0, self.samples, self.batch_size):
            end = min(start + self.batch_size, self.samples)
            rows = slice(start, end) if order is None else order[start:end]
            found = [None if each is None else _rows(each, rows) for each in self._arrays]
            first, second = self._split
            yield Batch(found[:first], found[first:second], found[second:], end - start)

    def _order(self) -> Any:
        if not self._shuffle:
            return None
        order = np.arange(self.samples)
        if self._shuffle == "batch":
            whole = self.samples // self.batch_size * self.batch_size
            blocks = order[:whole].reshape(-1, self.batch_size)
            np.random.shuffle(blocks)
            return self._agree(np.append(blocks.ravel(), order[whole:]))
        np.random.shuffle(order)
        return self._agree(order)


def len_of(array: Any) -> int:
    return int(array.shape[0]) if hasattr(array, "shape") else len(array)


def _rows(array: Any, rows: Any) -> Any:
    found = array[rows]
    return found.toarray() if hasattr(found, "toarray") else found


class StreamBatches:
    """Batches that come one after the other: of tensors, a dataset, or a generator.

    Args:
        source: makes an iterator of elements.
        settled: makes a `Batch` of an element.
        steps: the number of batches of an epoch; None for as many as there are.
        restarts: whether each epoch begins with a new iterator.
    """

    counts_steps, samples = True, None
    told_size: int | None = None  # what callbacks hear of the size of each batch; None for what it is

    def __init__(self, source: Callable[[], Iterator[Any]], settled: Callable[[Any], Batch], steps: int | None,
                 restarts: bool) -> None:
        self._source, self._settled, self._restarts = source, settled, restarts
        self._iterator: Iterator[Any] | None = None
        self.steps, self.batch_size = steps, None
        self._first: Batch | None = None
        self.is_over = False

    def epoch(self) -> Iterator[Batch]:
        """The batches of an epoch; sets `is_over` when there are fewer than `steps`."""
        if self._first is None and (self._iterator is None or self._restarts):
            self._iterator = self._source()
        made = 0
        while self.steps is None or made < self.steps:
            batch, self._first = self._first or self._next(), None
            if batch is None:
                self.is_over = self.steps is not None
                return
            yield batch
            made += 1

    def _next(self) -> Batch | None:
        try:
            element = next(self._iterator)  # type: ignore[arg-type]
        except (StopIteration, errors.OutOfRangeError):
            return None
        return self._settled(element)

    def look_ahead(self) -> None:
        """Takes the first batch, from which a model learns the shapes of its inputs."""
        self._iterator = self._source()
        self._first = self._next()

    def close(self) -> None:
        """Ends the iterator."""
        if hasattr(self._iterator, "close"):
            self._iterator.close()


# ---- sources

def tensors_forever(tensors: Any) -> Iterator[Any]:
    """The values of tensors of the graph, one step after the other."""
    run = session.get_session().make_callable(nest.flatten(tensors))
    while True:
        yield nest.pack_sequence_as(tensors, run())


class Elements:
    """The elements of a dataset, or of an iterator that the program made: tensors with eager execution, else arrays.

    In a graph, the iterator is made once; each call of this object starts it anew.
    """

    def __init__(self, dataset: Any) -> None:
        self._dataset, self._iterator, self._next = dataset, None, None

    def __call__(self) -> Iterator[Any]:
        if default_graph().is_eager:
            return iter(self._dataset)
        if self._next is None:
            self._iterator = self._dataset.make_initializable_iterator() if isinstance(self._dataset, DatasetV2) \
                else self._dataset
            self._next = self._iterator.get_next()
        return self._values()

    def _values(self) -> Iterator[Any]:
        current = session.get_session()
        if isinstance(self._dataset, DatasetV2):
            current.run(self._iterator.initializer)
        run = current.make_callable(nest.flatten(self._next))
        while True:
            yield nest.pack_sequence_as(self._next, run())


def has_tensors(structure: Any) -> bool:
    """Whether a structure has tensors of a graph."""
    return any(isinstance(each, (Tensor, Variable)) and not each.graph.is_eager for each in nest.flatten(structure))
