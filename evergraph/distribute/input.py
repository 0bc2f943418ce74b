"""The input of replicas: batches that are divided among them, or an element for each."""
from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.autograph.operators.forms import form, form_for
from evergraph.base import errors, nest
from evergraph.base.export import export
from evergraph.data.dataset import DatasetV1, DatasetV2, make_initializable_iterator, make_one_shot_iterator
from evergraph.distribute.reductions import placed
from evergraph.distribute.values import PerReplica, regrouped
from evergraph.frontend import array
from evergraph.frontend.sparse.shape import sparse_slice
from evergraph.graph.composite import SparseTensor
from evergraph.graph.graph import default_graph
from evergraph.ops.data.sharding import auto_shard_dataset
from evergraph.ops.math import elementwise


@export("distribute.InputContext")
class InputContext:
    """What an input function is told: which part of the input it makes, and for how many replicas.

    Args:
        num_input_pipelines: how many parts there are.
        input_pipeline_id: the number of this one.
        num_replicas_in_sync: how many replicas share a batch.
    """

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.num_input_pipelines, self.input_pipeline_id = num_input_pipelines, input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The part of a batch that one replica gets.

        Raises:
            ValueError: the batch cannot be divided evenly.
        """
        size, rest = divmod(global_batch_size, self.num_replicas_in_sync)
        if rest:
            raise ValueError(f"{global_batch_size} examples cannot be shared by {self.num_replicas_in_sync} replicas: "
                             "the batch size must be a multiple of their number")
        return size


@export("distribute.InputReplicationMode")
class InputReplicationMode(enum.Enum):
    """How often an input function is called: once for each worker."""

    PER_WORKER = "PER_WORKER"


def of_arrays(arrays: Any) -> Any:
    """A dataset of the rows of arrays, of which a list is several components."""
    return DatasetV1.from_tensor_slices(tuple(arrays) if isinstance(arrays, list) else arrays)


def set_to_array(variable: Any, array: Any, session: Any) -> None:
    """Gives a variable the value of an array: at once with eager execution, else in a session."""
    if default_graph().is_eager:
        variable.assign(array)
    else:
        session.run(variable.initializer)
        variable.load(array, session)


# ---- elements for replicas

def divided(element: Any, devices: Sequence[str], share: tuple[int, int] | None = None) -> Any:
    """A batch as one for each replica: its rows in order, as evenly as can be, on the devices of the replicas.

    Args:
        element: the batch.
        devices: those of the replicas.
        share: (the number of the first replica here, how many there are), where other processes have more.

    Raises:
        ValueError: a component is known to have no rows.
    """
    first, count = share or (0, len(devices))
    if count == 1:
        return _placed([element], devices)
    parts = [_part(element, number + first, count, device) for number, device in enumerate(devices)]
    return regrouped(parts, PerReplica) if len(devices) > 1 else parts[0]


def _part(element: Any, number: int, count: int, device: str) -> Any:
    """The rows of one replica of so many, on its device."""
    with placed(device):
        return nest.map_structure(lambda tensor: _rows(tensor, number, count), element)


def _rows(tensor: Any, number: int, count: int) -> Any:
    """The rows of one replica."""
    if isinstance(tensor, SparseTensor):
        return _sparse_rows(tensor, number, count)
    if tensor.shape.rank == 0:
        raise ValueError(f"elements are divided among {count} replicas by their first axis, and {tensor} has none: "
                         "batch the dataset")
    size = tensor.shape.tuple[0] if tensor.shape.rank else None
    if size is not None:
        each = -(-size // count)
        return tensor[min(number * each, size):min((number + 1) * each, size)]
    size = array.shape(tensor)[0]
    each = (size + (count - 1)) // count
    return tensor[elementwise.minimum(each * number, size):elementwise.minimum(each * (number + 1), size)]


def _sparse_rows(tensor: SparseTensor, number: int, count: int) -> SparseTensor:
    size = tensor.dense_shape[0]
    each = (size + (count - 1)) // count
    first, last = elementwise.minimum(each * number, size), elementwise.minimum(each * (number + 1), size)
    rest = tensor.dense_shape[1:]
    return sparse_slice(tensor, array.concat([[first], array.zeros_like(rest)], 0),
                        array.concat([[last - first], rest], 0))


def _placed(elements: Sequence[Any], devices: Sequence[str]) -> Any:
    """The elements of the replicas as one, each on the device of its replica."""
    found = []
    for name, element in zip(devices, elements):
        with placed(name):
            found.append(nest.map_structure(lambda tensor: array.identity(tensor) if len(devices) > 1 else tensor,
                                            element))
    return regrouped(found, PerReplica)


class Elements:
    """The elements of a dataset for replicas, one after another.

    Args:
        source: an iterator over the dataset, or a function that returns tensors.
        devices: those of the replicas.
        divides: whether a batch is divided among the replicas; else each of them gets an element of its own.
        share: see `divided`.
    """

    def __init__(self, source: Any, devices: Sequence[str], divides: bool, share: tuple[int, int] | None = None
                 ) -> None:
        self._source, self._devices, self._divides, self._share = source, tuple(devices), divides, share

    def initialize(self) -> Any:
        """The operation that begins with the first element; nothing works before. With eager execution a list of none.
        """
        return getattr(self._source, "initializer", None) or []

    initializer = property(initialize)

    def get_next(self, name: str | None = None) -> Any:
        """The next elements, with a value for each replica.

        Args:
            name: the name of the operation that draws them.
        """
        if self._divides:
            return divided(self._drawn(name), self._devices, self._share)
        return _placed([self._drawn(name) for _ in self._devices], self._devices)

    def _drawn(self, name: str | None) -> Any:
        if not hasattr(self._source, "get_next"):
            return self._source()
        return self._source.get_next() if name is None else self._source.get_next(name)

    output_types = property(lambda self: self._source.output_types)
    output_shapes = property(lambda self: self._source.output_shapes)
    output_classes = property(lambda self: self._source.output_classes)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._divides or not default_graph().is_eager:
            return divided(next(self._source), self._devices, self._share)
        return self._one_each()

    def _one_each(self) -> Any:
        """The next element for each replica; those that come too late for one get no rows.

        Raises:
            StopIteration: there is none for the first.
        """
        found = [next(self._source)]
        for _ in self._devices[1:]:
            found.append(next(self._source, None))
        empty = lambda tensor: tensor[:0] if tensor.shape.rank else tensor
        return _placed([nest.map_structure(empty, found[0]) if element is None else element for element in found],
                       self._devices)


def iterator(source: Any, devices: Sequence[str], divides: bool, share: tuple[int, int] | None = None) -> Elements:
    """The elements of a dataset, or of a function that returns tensors, for replicas.

    Raises:
        ValueError: the source is neither.
    """
    if isinstance(source, DatasetV2):
        begun = iter(source) if default_graph().is_eager else make_initializable_iterator(source)
        return Elements(begun, devices, divides, share)
    if not callable(source):
        raise ValueError(f"an input function returns a dataset, or a function that makes tensors: got {source!r}")
    return Elements(source, devices, divides=False)


class DistributedDataset:
    """A dataset for replicas: an element has a value for each of them.

    Args:
        dataset: the dataset.
        devices: those of the replicas.
        divides: whether a batch is divided among the replicas; else each of them gets an element of its own.
        share: see `divided`.
    """

    def __init__(self, dataset: Any, devices: Sequence[str], divides: bool = True,
                 share: tuple[int, int] | None = None) -> None:
        self._dataset, self._devices, self._divides, self._share = dataset, tuple(devices), divides, share

    @property
    def element_spec(self) -> Any:
        """The form of the elements of the dataset itself."""
        return self._dataset.element_spec

    def make_initializable_iterator(self) -> Elements:
        """The elements in a graph, once `initialize()` of the result has run."""
        return Elements(make_initializable_iterator(self._dataset), self._devices, self._divides, self._share)

    def make_one_shot_iterator(self) -> Elements:
        """The elements in a graph, without an initializer."""
        return Elements(make_one_shot_iterator(self._dataset), self._devices, self._divides, self._share)

    def __iter__(self) -> Elements:
        """The elements with eager execution.

        Raises:
            RuntimeError: there is a graph.
        """
        return Elements(iter(self._dataset), self._devices, self._divides, self._share)


@form("for", Elements)
@form("for", DistributedDataset)
def _for(items: Any, body: Any, variables: Any, test: Any, options: Any) -> None:
    """A loop of AutoGraph over batches that are divided among replicas: a loop over the batches.

    Raises:
        UnimplementedError: each replica gets an element of its own.
    """
    source = items._dataset if isinstance(items, DistributedDataset) else items._source
    if not items._divides:
        raise errors.UnimplementedError(None, None, "a loop of a function over the dataset of an input function for "
                                        "several replicas: loop outside of the function")
    staged = form_for("for", source)
    assert staged is not None, source
    staged(source, lambda element: body(divided(element, items._devices, items._share)), variables, test, options)


def shard_automatically(dataset: Any, num_shards: int, index: int) -> Any:
    """The part of a dataset that one of several workers reads: some of its files, or else some of its elements."""
    return dataset._then(auto_shard_dataset, np.int64(num_shards), np.int64(index))
