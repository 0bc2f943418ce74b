"""Rewrites a dataset before it runs: to one with the same elements in the same order, the same errors and states.

Each rewrite has the name of TensorFlow's option. `tf.data.Options` chooses among them, which the graph says by an
OptimizeDataset around the dataset that an iterator goes through.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base.text import as_bytes
from evergraph.ops.data.batching import Batch, PaddedBatch, Stacks
from evergraph.ops.data.caching import Cache
from evergraph.ops.data.choosing import Directed
from evergraph.ops.data.combining import Several
from evergraph.ops.data.counting import Repeat, Skip, Take
from evergraph.ops.data.grouping import Windowed
from evergraph.ops.data.mapped_batches import MapAndBatch
from evergraph.ops.data.mapping import Filter, Map, ParallelMap
from evergraph.ops.data.pipeline import TYPES, Captured, Dataset, Iterator, Transformed, as_dataset, dataset_op
from evergraph.ops.data.prefetching import Ahead, ahead_of
from evergraph.ops.data.shuffling import Shuffle
from evergraph.ops.data.statistics import Collected
from evergraph.proto.wire import from_bytes

VECTORIZE, SKIP_NOTHING, PREFETCH = "map_vectorization", "noop_elimination", "inject_prefetch"
ANY_ORDER = "make_sloppy"
DEFAULT = frozenset({VECTORIZE, SKIP_NOTHING, PREFETCH})
"""The rewrites of a dataset whose options say nothing."""

_DEFAULT_ELSEWHERE = frozenset({"map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion"})
"""What TensorFlow 1.15 writes into a graph when options say nothing."""

Rule = Callable[[Any], Dataset]
_BATCHES_AHEAD = 2


class Chosen(Transformed):
    """The same elements, and the names of the rewrites that a program has chosen."""

    def __init__(self, node: Any, source: Any, names: frozenset[str]) -> None:
        super().__init__(node, source)
        self.names = names

    def iterate(self, scope: Any) -> Iterator:
        return self.source.iterate(scope)


def rewritten(dataset: Dataset, is_quiet: Callable[[Captured], bool]) -> Dataset:
    """The dataset that runs in place of one.

    Args:
        dataset: what an iterator goes through.
        is_quiet: whether nobody can tell when a function is called.
    """
    names = dataset.names if isinstance(dataset, Chosen) else DEFAULT
    if SKIP_NOTHING in names:
        dataset = without_nothing(dataset)
    if ANY_ORDER in names:
        dataset = in_any_order(dataset)
    if VECTORIZE in names:
        dataset = vectorized(dataset, is_quiet)
    if names:
        dataset = in_places(dataset)
    return prefetched(dataset, is_quiet) if PREFETCH in names else dataset


def _replaced(dataset: Dataset, rule: Rule, done: dict[Dataset, Dataset]) -> Dataset:
    """The dataset with what `rule` gives in place of each below it, from the sources up."""
    if dataset in done:
        return done[dataset]
    result = dataset
    if isinstance(dataset, Transformed):
        result = replaced(dataset, source=_replaced(dataset.source, rule, done))
    elif isinstance(dataset, Several):
        sources = [_replaced(source, rule, done) for source in dataset.sources]
        if any(new is not old for new, old in zip(sources, dataset.sources, strict=True)):
            result = replaced(dataset, sources=sources)
    done[dataset] = rule(result)
    return done[dataset]


def replaced(dataset: Any, **changes: Any) -> Any:
    """A copy with other attributes; the dataset itself if it has them."""
    if all(getattr(dataset, name) is value for name, value in changes.items()):
        return dataset
    changed = copy.copy(dataset)
    vars(changed).update(changes)
    return changed


def in_places(dataset: Dataset) -> Dataset:
    """Makes a dataset that is used in several places several: shuffles have their own seeds, caches their own memory.

    TensorFlow copies the datasets below an iterator in this way to rewrite them, so that a dataset without rewrites
    stays as it is. What a function captured is never copied.
    """
    if not any(isinstance(part, (Shuffle, Cache)) for part in _parts(dataset, set())):
        return dataset
    return _in_place(dataset, set())


def _in_place(value: Any, seen: set[Dataset]) -> Any:
    """The dataset, or a copy of it where it has been seen, with what it is made of in places of their own."""
    if isinstance(value, list):
        return [_in_place(each, seen) for each in value]
    if not isinstance(value, Dataset):
        return value
    changes = {name: _in_place(each, seen) for name, each in vars(value).items() if isinstance(each, (Dataset, list))}
    if value in seen:
        value = copy.copy(value)
    seen.add(value)
    return replaced(value, **changes)


def without_nothing(dataset: Dataset) -> Dataset:
    """Leaves out transformations that change nothing: of zero elements skipped, of one epoch, of a prefetch of none."""
    return _replaced(dataset, lambda each: each.source if _does_nothing(each) else each, {})


def _does_nothing(dataset: Dataset) -> bool:
    return (type(dataset) is Take and dataset.count < 0 or type(dataset) is Skip and dataset.count == 0
            or type(dataset) is Repeat and dataset.count == 1 or type(dataset) is Ahead and dataset.room == 0)


def in_any_order(dataset: Dataset) -> Dataset:
    """Lets parallel maps hand out first what they compute first; the only rewrite that changes an order."""
    return _replaced(dataset, lambda each: replaced(each, in_order=False) if type(each) is ParallelMap else each, {})


def vectorized(dataset: Dataset, is_quiet: Callable[[Captured], bool]) -> Dataset:
    """Lets the functions below a batch be called once for the whole batch.

    Groups draw many elements at a time too. They cannot know how many a window needs, so that elements are drawn early:
    they do it where nobody can tell.
    """
    done: dict[Dataset, Dataset] = {}

    def fed(each: Any) -> Dataset:
        if type(each) in (Stacks, PaddedBatch):
            return replaced(each, source=_in_batches(each.source, done))
        if type(each) is MapAndBatch or type(each) is Windowed and _is_quiet(each, is_quiet):
            return replaced(each, source=_in_batches(each.source, done), in_batches=True)
        return each

    return _replaced(dataset, fed, {})


def _is_quiet(dataset: Dataset, is_quiet: Callable[[Captured], bool]) -> bool:
    return all(is_quiet(part) for part in _parts(dataset, set()) if isinstance(part, Captured))


def _in_batches(dataset: Any, done: dict[Dataset, Dataset]) -> Dataset:
    """The dataset that hands out many elements at a time, down to what makes them one by one."""
    if type(dataset) is Directed and dataset not in done:
        done[dataset] = replaced(dataset, selector=_in_batches(dataset.selector, done),
                              sources=[_in_batches(each, done) for each in dataset.sources])
    if type(dataset) not in (Map, ParallelMap, Filter, Shuffle, Repeat, Take, Skip) or dataset in done:
        return done.get(dataset, dataset)
    changes = {"source": _in_batches(dataset.source, done)}
    if type(dataset) in (Map, ParallelMap, Filter):
        changes["in_batches"] = True
    done[dataset] = replaced(dataset, **changes)
    return done[dataset]


def prefetched(dataset: Dataset, is_quiet: Callable[[Captured], bool]) -> Dataset:
    """Computes batches ahead of the steps that draw them, where that takes work and nobody can tell."""
    parts = list(_parts(dataset, set()))
    has_work = any(isinstance(part, Captured) for part in parts)
    has_batches = any(isinstance(part, (Batch, Windowed)) for part in parts)
    if isinstance(dataset, Ahead) or not has_batches or not has_work or not _is_quiet(dataset, is_quiet):
        return dataset
    return ahead_of(dataset, _BATCHES_AHEAD)


def may_be_early(dataset: Dataset, is_quiet: Callable[[Captured], bool]) -> bool:
    """Whether nobody can tell that elements were drawn earlier than a program asks for them."""
    return _is_quiet(dataset, is_quiet) and not any(
        isinstance(part, Collected) or isinstance(part, Cache) and part.filename for part in _parts(dataset, set()))


def _parts(value: Any, seen: set[int]) -> Iterable[Dataset | Captured]:
    """A dataset, those that it is made of, and the functions that they apply."""
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _parts(each, seen)
    elif isinstance(value, (Dataset, Captured)) and id(value) not in seen:
        seen.add(id(value))
        yield value
        for each in vars(value).values():
            yield from _parts(each, seen)


@dataset_op("OptimizeDataset(input_dataset: variant, optimizations: string, *, "
            f"{TYPES}, optimization_configs: list(string) = [])", {})
def optimize_dataset(node, input_dataset, optimizations):
    """The same dataset, rewritten in these ways alone when it runs; names that are not known here have no meaning."""
    names = frozenset(bytes(name).decode() for name in np.ravel(optimizations).tolist())
    return Chosen(node, input_dataset, names | DEFAULT if names >= _DEFAULT_ELSEWHERE else names)


@dataset_op(f"OptionsDataset(input_dataset: variant, *, serialized_options: string, {TYPES}, "
            "metadata: string = '')", {})
def options_dataset(node, input_dataset, serialized_options):
    """The same dataset, as written if the options turn the usual rewrites off. Other options have no meaning here."""
    options = from_bytes(as_bytes(serialized_options), proto.dataset_options_parts_pb2.Options()).optimization_options
    if options.HasField("apply_default_optimizations") and not options.apply_default_optimizations:
        return Chosen(node, input_dataset, frozenset())
    return as_dataset(input_dataset)
