# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.data."""

from collections.abc import Callable
from evergraph.data.experimental import StatsAggregator as _StatsAggregator
from typing import Any

from evergraph.data.experimental import Counter as Counter
from evergraph.data.experimental import CsvDataset as CsvDataset
from evergraph.data.experimental import Optional as Optional
from evergraph.data.experimental import RandomDataset as RandomDataset
from evergraph.data.experimental import Reducer as Reducer
from evergraph.data.experimental import SqlDataset as SqlDataset
from evergraph.data.experimental import StatsAggregator as StatsAggregator
from evergraph.data.experimental import TFRecordWriter as TFRecordWriter
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
from evergraph.data.experimental import map_and_batch as map_and_batch
from evergraph.data.experimental import parallel_interleave as parallel_interleave
from evergraph.data.experimental import parse_example_dataset as parse_example_dataset
from evergraph.data.experimental import prefetch_to_device as prefetch_to_device
from evergraph.data.experimental import rejection_resample as rejection_resample
from evergraph.data.experimental import sample_from_datasets as sample_from_datasets
from evergraph.data.experimental import scan as scan

def set_stats_aggregator(
    stats_aggregator: _StatsAggregator, prefix: Any = '', counter_prefix: Any = '',
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: lets an aggregator collect what the dataset measures."""

from evergraph.data.experimental import shuffle_and_repeat as shuffle_and_repeat
from evergraph.data.experimental import unbatch as unbatch
from evergraph.data.experimental import unique as unique
