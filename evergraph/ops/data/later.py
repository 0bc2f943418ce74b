"""Dataset ops newer than TensorFlow 1.15, so that graphs of TensorFlow 2 load. They are the older ones with more attrs.

Attrs that allow another order (`deterministic`) have no meaning here: the order is that of the source.
"""

from __future__ import annotations

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.kernel.values import boxed
from evergraph.ops.data.batching import Batch
from evergraph.ops.data.caching import Cache
from evergraph.ops.data.flattening import parallel_interleave_dataset_v2
from evergraph.ops.data.iterators import anonymous_iterator
from evergraph.ops.data.mapping import Filter, parallel_map_dataset
from evergraph.ops.data.pipeline import LATER, TYPES, Captured, dataset_op, number, text
from evergraph.ops.data.random_numbers import random_dataset
from evergraph.ops.data.reading import tf_record_dataset
from evergraph.ops.data.shuffling import Shuffle, seeds_of

_MORE = "deterministic: string = 'default'"
_NAME = "metadata: string = ''"
_ARGUMENTS = "Targuments: list(type) >= 0"
_INTERLEAVE = ("input_dataset: variant, other_arguments: Targuments, cycle_length: int64, block_length: int64, {}"
               f"num_parallel_calls: int64, *, f: func, {_MORE}, {_ARGUMENTS}, {TYPES}, {_NAME}")
_BUFFERS = "buffer_output_elements: int64, prefetch_input_elements: int64, "

parallel_map_dataset_v2 = dataset_op(
    "ParallelMapDatasetV2(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int64, *, f: func, "
    f"{_ARGUMENTS}, {TYPES}, use_inter_op_parallelism: bool = True, {_MORE}, preserve_cardinality: bool = False, "
    f"{_NAME})", {})(parallel_map_dataset.kernel)
parallel_interleave_dataset_v3 = dataset_op(f"ParallelInterleaveDatasetV3({_INTERLEAVE.format('')})",
                                            {})(parallel_interleave_dataset_v2.kernel)
parallel_interleave_dataset_v4 = dataset_op(f"ParallelInterleaveDatasetV4({_INTERLEAVE.format(_BUFFERS)})",
                                            {})(parallel_interleave_dataset_v2.kernel)
anonymous_iterator_v3 = op(f"AnonymousIteratorV3(*, {TYPES}) -> handle: resource", stateful=True, on="host",
                           shape=scalar, grad=STOP)(anonymous_iterator.kernel)


@dataset_op("ParallelBatchDataset(input_dataset: variant, batch_size: int64, num_parallel_calls: int64, "
            f"drop_remainder: bool, *, parallel_copy: bool = False, {TYPES}, {_MORE}, {_NAME})", {})
def parallel_batch_dataset(node, input_dataset, batch_size, drop_remainder):
    """A dataset of consecutive elements, stacked by one thread."""
    return Batch(node, input_dataset, number(batch_size), bool(drop_remainder))


@dataset_op("ParallelFilterDataset(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int64, *, "
            f"predicate: func, {_MORE}, {_ARGUMENTS}, {TYPES}, {_NAME})", {})
def parallel_filter_dataset(node, input_dataset, other_arguments, predicate):
    """A dataset of the elements for which a predicate holds, which one thread calls."""
    return Filter(node, input_dataset, Captured(predicate, other_arguments))


# ---- what TensorFlow 2 keeps beside a dataset


@op("DummySeedGenerator() -> handle: resource", stateful=True, on="host", shape=scalar, grad=STOP)
def dummy_seed_generator():
    """Nothing: the seeds of epochs belong to iterators."""
    return boxed(None)


@op("DummyMemoryCache() -> handle: resource", stateful=True, on="host", shape=scalar, grad=STOP)
def dummy_memory_cache():
    """Nothing: what a dataset caches belongs to its iterator."""
    return boxed(None)


_SHUFFLE = ("input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, {}seed_generator: resource, *, "
            f"reshuffle_each_iteration: bool = True, {TYPES}, {_NAME}")


@dataset_op(f"ShuffleDatasetV3({_SHUFFLE.format('')})", {}, stateful=True)
def shuffle_dataset_v3(node, input_dataset, buffer_size, seed, seed2, reshuffle_each_iteration):
    """A dataset of the same elements in random order."""
    return Shuffle(node, input_dataset, number(buffer_size), seeds_of(seed, seed2), reshuffle_each_iteration)


@dataset_op(f"ShuffleAndRepeatDatasetV2({_SHUFFLE.format('count: int64, ')})", {}, stateful=True)
def shuffle_and_repeat_dataset_v2(node, input_dataset, buffer_size, seed, seed2, count, reshuffle_each_iteration):
    """A dataset of the same elements several times, each time in another random order."""
    return Shuffle(node, input_dataset, number(buffer_size), seeds_of(seed, seed2), False, number(count))


@dataset_op(f"CacheDatasetV2(input_dataset: variant, filename: string, cache: resource, *, {TYPES})", LATER,
            stateful=True)
def cache_dataset_v2(node, input_dataset, filename):
    """A dataset of the same elements, which are computed once."""
    return Cache(node, input_dataset, text(filename))


@dataset_op("TFRecordDatasetV2(filenames: string, compression_type: string, buffer_size: int64, byte_offsets: int64, "
            f"*, {_NAME})", {}, stateful=True)
def tf_record_dataset_v2(filenames, compression_type, buffer_size, byte_offsets):
    """A dataset of the records of TFRecord files, from their start."""
    if byte_offsets.any():
        raise errors.UnimplementedError(None, None, "TFRecordDatasetV2: byte_offsets other than zero are not supported")
    return tf_record_dataset.kernel(filenames, compression_type, buffer_size)


@dataset_op("RandomDatasetV2(seed: int64, seed2: int64, seed_generator: resource, *, "
            f"rerandomize_each_iteration: bool = False, {TYPES}, {_NAME})", {}, stateful=True)
def random_dataset_v2(node, seed, seed2, rerandomize_each_iteration):
    """A dataset of random numbers."""
    if rerandomize_each_iteration:
        raise errors.UnimplementedError(None, None, "RandomDatasetV2: rerandomize_each_iteration is not supported")
    return random_dataset.kernel(node, seed, seed2)
