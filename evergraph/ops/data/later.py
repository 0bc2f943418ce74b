"""Dataset ops newer than TensorFlow 1.15, so that graphs of TensorFlow 2 load. They are the older ones with more attrs.

Attrs that allow another order (`deterministic`) have no meaning here: the order is that of the source. What TensorFlow
2 keeps beside a dataset (seeds of epochs, caches) belongs to iterators here.
"""

from __future__ import annotations

import types

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.kernel.values import boxed
from evergraph.ops.data.batching import batch_dataset_v2
from evergraph.ops.data.caching import cache_dataset, names_a_file
from evergraph.ops.data.csv_files import COLUMNS, csv_dataset, csv_shape
from evergraph.ops.data.example_parsing import FEATURES, parse_example_dataset
from evergraph.ops.data.flattening import parallel_interleave_dataset_v2
from evergraph.ops.data.iterators import anonymous_iterator
from evergraph.ops.data.mapping import filter_dataset, parallel_map_dataset
from evergraph.ops.data.pipeline import LATER, TYPES, dataset_op
from evergraph.ops.data.random_numbers import random_dataset
from evergraph.ops.data.reading import tf_record_dataset
from evergraph.ops.data.shuffling import shuffle_and_repeat_dataset, shuffle_dataset


def _kernel_of(older):
    """The kernel of an older op as one of this file, where its namesake is declared."""
    kernel = older.kernel
    copy = types.FunctionType(kernel.__code__, kernel.__globals__, kernel.__name__, kernel.__defaults__,
                              kernel.__closure__)
    copy.__doc__, copy.__module__ = kernel.__doc__, __name__
    return copy


_MORE = "deterministic: string = 'default'"
_NAME = "metadata: string = ''"
_ARGUMENTS = "Targuments: list(type) >= 0"
_INTERLEAVE = ("input_dataset: variant, other_arguments: Targuments, cycle_length: int64, block_length: int64, {}"
               f"num_parallel_calls: int64, *, f: func, {_MORE}, {_ARGUMENTS}, {TYPES}, {_NAME}")
_BUFFERS = "buffer_output_elements: int64, prefetch_input_elements: int64, "
_SHUFFLE = ("input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, {}seed_generator: resource, *, "
            f"reshuffle_each_iteration: bool = True, {TYPES}, {_NAME}")

parallel_map_dataset_v2 = dataset_op(
    "ParallelMapDatasetV2(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int64, *, f: func, "
    f"{_ARGUMENTS}, {TYPES}, use_inter_op_parallelism: bool = True, {_MORE}, preserve_cardinality: bool = False, "
    f"{_NAME})", {})(_kernel_of(parallel_map_dataset))
parallel_filter_dataset = dataset_op(
    "ParallelFilterDataset(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int64, *, "
    f"predicate: func, {_MORE}, {_ARGUMENTS}, {TYPES}, {_NAME})", {})(_kernel_of(filter_dataset))
parallel_batch_dataset = dataset_op(
    "ParallelBatchDataset(input_dataset: variant, batch_size: int64, num_parallel_calls: int64, drop_remainder: bool, "
    f"*, parallel_copy: bool = False, {TYPES}, {_MORE}, {_NAME})", {})(_kernel_of(batch_dataset_v2))
parallel_interleave_dataset_v3 = dataset_op(f"ParallelInterleaveDatasetV3({_INTERLEAVE.format('')})",
                                            {})(_kernel_of(parallel_interleave_dataset_v2))
parallel_interleave_dataset_v4 = dataset_op(f"ParallelInterleaveDatasetV4({_INTERLEAVE.format(_BUFFERS)})",
                                            {})(_kernel_of(parallel_interleave_dataset_v2))
shuffle_dataset_v3 = dataset_op(f"ShuffleDatasetV3({_SHUFFLE.format('')})", {},
                                stateful=True)(_kernel_of(shuffle_dataset))
shuffle_and_repeat_dataset_v2 = dataset_op(f"ShuffleAndRepeatDatasetV2({_SHUFFLE.format('count: int64, ')})", {},
                                           stateful=True)(_kernel_of(shuffle_and_repeat_dataset))
cache_dataset_v2 = dataset_op(f"CacheDatasetV2(input_dataset: variant, filename: string, cache: resource, *, {TYPES})",
                              LATER, stateful=True, outside=names_a_file)(_kernel_of(cache_dataset))
parse_example_dataset_v2 = dataset_op(
    f"ParseExampleDatasetV2({FEATURES}, {_MORE}, ragged_keys: list(string) >= 0 = [], "
    "ragged_value_types: list({float, int64, string}) >= 0 = [], ragged_split_types: list({int32, int64}) >= 0 = [])",
    {})(_kernel_of(parse_example_dataset))
anonymous_iterator_v3 = op(f"AnonymousIteratorV3(*, {TYPES}) -> handle: resource", stateful=True, on="host",
                           shape=scalar, grad=STOP)(_kernel_of(anonymous_iterator))


def _nothing():
    """Nothing: seeds and caches belong to iterators."""
    return boxed(None)


dummy_seed_generator, dummy_memory_cache = (
    op(f"{name}() -> handle: resource", stateful=True, on="host", shape=scalar, grad=STOP)(_nothing)
    for name in ("DummySeedGenerator", "DummyMemoryCache"))


@dataset_op("TFRecordDatasetV2(filenames: string, compression_type: string, buffer_size: int64, byte_offsets: int64, "
            f"*, {_NAME})", {}, stateful=True, outside=True)
def tf_record_dataset_v2(filenames, compression_type, buffer_size, byte_offsets):
    """A dataset of the records of TFRecord files, from their start."""
    if np.any(byte_offsets):
        raise errors.UnimplementedError(None, None, "TFRecordDatasetV2: byte_offsets other than zero are not supported")
    return tf_record_dataset.kernel(filenames, compression_type, buffer_size)


@dataset_op("RandomDatasetV2(seed: int64, seed2: int64, seed_generator: resource, *, "
            f"rerandomize_each_iteration: bool = False, {TYPES}, {_NAME})", {}, stateful=True)
def random_dataset_v2(node, seed, seed2, rerandomize_each_iteration):
    """A dataset of random numbers, the same in each epoch."""
    if rerandomize_each_iteration:
        raise errors.UnimplementedError(None, None, "RandomDatasetV2: rerandomize_each_iteration is not supported")
    return random_dataset.kernel(node, seed, seed2)


@dataset_op(f"CSVDatasetV2({COLUMNS.format(', exclude_cols: int64')})", {}, shape=csv_shape, stateful=True,
             outside=True)
def csv_dataset_v2(node, filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value,
                   select_cols, record_defaults, exclude_cols):
    """A dataset of the rows of CSV files."""
    if np.size(exclude_cols):
        raise errors.UnimplementedError(None, None, "CSVDatasetV2: exclude_cols is not supported")
    return csv_dataset.kernel(node, filenames, compression_type, buffer_size, header, field_delim, use_quote_delim,
                              na_value, select_cols, record_defaults)
