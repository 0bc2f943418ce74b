"""Divides a dataset among workers by the files that it reads, where it reads any, and else by its elements."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from evergraph.base.errors import invalid
from evergraph.graph.traits import ANY
from evergraph.ops.data import reading
from evergraph.ops.data.counting import Repeat, Shard
from evergraph.ops.data.flattening import Interleave
from evergraph.ops.data.pipeline import TYPES, Captured, Dataset, as_dataset, dataset_op, number
from evergraph.ops.data.reading import Files
from evergraph.ops.data.rewriting import replaced
from evergraph.ops.data.shuffling import Shuffle

_READERS = (reading.text_line_dataset, reading.tf_record_dataset, reading.fixed_length_record_dataset,
            reading.fixed_length_record_dataset_v2)


@dataset_op(f"AutoShardDataset(input_dataset: variant, num_workers: int64, index: int64, *, {TYPES})",
            later={"auto_shard_policy": 0, "num_replicas": ANY})
def auto_shard_dataset(input_dataset, num_workers, index):
    """A dataset of the part of one of several workers: its files, or each element whose number is the worker's."""
    count, place = number(num_workers), number(index)
    if not 0 <= place < count:
        raise invalid(f"index must be >= 0 and < num_workers, got {place} of {count}")
    dataset = as_dataset(input_dataset)
    found = _by_files(dataset, count, place)
    return _by_elements(dataset, count, place) if found is None else found


def _by_files(dataset: Any, count: int, place: int) -> Dataset | None:
    """The dataset with a part of its files; None if it reads none."""
    if isinstance(dataset, Files):
        return replaced(dataset, names=dataset.names[place::count])
    if isinstance(dataset, Interleave) and _reads_files(dataset.function):
        return replaced(dataset, source=_by_elements(dataset.source, count, place))
    if hasattr(dataset, "sources"):
        found = [_by_files(source, count, place) for source in dataset.sources]
        return None if any(source is None for source in found) else replaced(dataset, sources=found)
    source = getattr(dataset, "source", None)
    found = None if source is None else _by_files(source, count, place)
    return None if found is None else replaced(dataset, source=found)


def _reads_files(function: Captured) -> bool:
    return any(node.opdef in _READERS for node in function.graph.get_operations())


def _by_elements(dataset: Any, count: int, place: int) -> Dataset:
    """Each element whose number is the worker's, counted before they are shuffled: all workers shuffle on their own."""
    if isinstance(dataset, (Shuffle, Repeat)):
        return replaced(dataset, source=_by_elements(dataset.source, count, place))
    node = SimpleNamespace(attrs={"output_types": dataset.types, "output_shapes": dataset.shapes})
    return Shard(node, dataset, count, place, False)
