# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.data."""

from collections.abc import Callable, Mapping
from evergraph.data import Dataset
from evergraph.data.experimental import Reducer as _Reducer, StatsAggregator as _StatsAggregator
from typing import Any

import sys
if sys.platform == "":
    del (
        batches, lmdb, readers,
    )

AUTOTUNE: int
from evergraph.data.experimental import CheckpointInputPipelineHook as CheckpointInputPipelineHook
from evergraph.data.experimental import Counter as Counter
from evergraph.data.experimental import CsvDataset as CsvDataset

class LMDBDataset(Dataset):
    """A dataset of the keys and values in LMDB files, as pairs of strings in the order of keys."""
    def __init__(self, filenames: Any) -> None: ...

from evergraph.data.experimental import Optional as Optional
from evergraph.data.experimental import RandomDataset as RandomDataset
from evergraph.data.experimental import Reducer as Reducer
from evergraph.data.experimental import SqlDataset as SqlDataset
from evergraph.data.experimental import StatsAggregator as StatsAggregator
from evergraph.data.experimental import TFRecordWriter as TFRecordWriter

def assert_element_shape(expected_shapes: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same elements, which must have these shapes."""

def batch_and_drop_remainder(batch_size: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.batch(batch_size, drop_remainder=True)`."""

from evergraph.data.experimental import bucket_by_sequence_length as bucket_by_sequence_length
from evergraph.data.experimental import choose_from_datasets as choose_from_datasets
from evergraph.data.experimental import copy_to_device as copy_to_device
from evergraph.data.experimental import dense_to_sparse_batch as dense_to_sparse_batch
from evergraph.data.experimental import enumerate_dataset as enumerate_dataset
from evergraph.data.experimental import get_next_as_optional as get_next_as_optional
from evergraph.data.experimental import get_single_element as get_single_element
from evergraph.data.experimental import group_by_reducer as group_by_reducer
from evergraph.data.experimental import group_by_window as group_by_window
from evergraph.data.experimental import ignore_errors as ignore_errors
from evergraph.data.experimental import latency_stats as latency_stats
from evergraph.data.experimental import make_batched_features_dataset as make_batched_features_dataset
from evergraph.data.experimental import make_csv_dataset as make_csv_dataset
from evergraph.data.experimental import make_saveable_from_iterator as make_saveable_from_iterator
from evergraph.data.experimental import map_and_batch as map_and_batch

def padded_batch_and_drop_remainder(
    batch_size: Any, padded_shapes: Any, padding_values: Any = None,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.padded_batch` with `drop_remainder=True`."""

from evergraph.data.experimental import parallel_interleave as parallel_interleave
from evergraph.data.experimental import parse_example_dataset as parse_example_dataset
from evergraph.data.experimental import prefetch_to_device as prefetch_to_device

def read_batch_features(
    file_pattern: Any, batch_size: Any, features: Mapping[str, Any], reader: Any = ...,
    reader_args: Any = None, randomize_input: bool = True, num_epochs: Any = None, capacity: Any = 10000,
) -> Any:
    """The features of the next batch of serialized Examples in files: a dict of tensors."""

def reduce_dataset(dataset: Any, reducer: _Reducer) -> Any:
    """Reduces a dataset to one element, in one run; the functions of the reducer get 0 as the key."""

from evergraph.data.experimental import rejection_resample as rejection_resample
from evergraph.data.experimental import sample_from_datasets as sample_from_datasets
from evergraph.data.experimental import scan as scan

def set_stats_aggregator(
    stats_aggregator: _StatsAggregator, prefix: Any = '', counter_prefix: Any = '',
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: lets an aggregator collect what the dataset measures."""

from evergraph.data.experimental import shuffle_and_repeat as shuffle_and_repeat

def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None, window_stride: Any = 1,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: windows of consecutive elements, stacked."""

def sloppy_interleave(
    map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: interleaves as `tf.data.experimental.parallel_interleave` with `sloppy=True`
    does."""

from evergraph.data.experimental import unbatch as unbatch
from evergraph.data.experimental import unique as unique
