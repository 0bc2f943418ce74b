# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.data.experimental."""

from collections.abc import Callable
from typing import Any

AUTOTUNE: int
from evergraph.data.experimental import CheckpointInputPipelineHook as CheckpointInputPipelineHook
from evergraph.data.experimental import Counter as Counter
from evergraph.data.experimental import CsvDataset as CsvDataset
from evergraph.data.experimental import DistributeOptions as DistributeOptions
INFINITE_CARDINALITY: int
from evergraph.data.experimental import OptimizationOptions as OptimizationOptions
from evergraph.data.experimental import Optional as Optional
from evergraph.data.experimental import RandomDataset as RandomDataset
from evergraph.data.experimental import Reducer as Reducer
from evergraph.data.experimental import SqlDataset as SqlDataset
from evergraph.data.experimental import TFRecordWriter as TFRecordWriter
from evergraph.data.experimental import ThreadingOptions as ThreadingOptions
UNKNOWN_CARDINALITY: int
from evergraph.data.experimental import bucket_by_sequence_length as bucket_by_sequence_length
from evergraph.data.experimental import cardinality as cardinality
from evergraph.data.experimental import choose_from_datasets as choose_from_datasets
from evergraph.data.experimental import copy_to_device as copy_to_device

def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: Any = False, row_splits_dtype: Any = ...,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: consecutive elements; where their sizes are not known, as the rows of a
    tf.RaggedTensor."""

from evergraph.data.experimental import dense_to_sparse_batch as dense_to_sparse_batch
from evergraph.data.experimental import enumerate_dataset as enumerate_dataset
from evergraph.data.experimental import from_variant as from_variant
from evergraph.data.experimental import get_next_as_optional as get_next_as_optional
from evergraph.data.experimental import get_single_element as get_single_element
from evergraph.data.experimental import get_structure as get_structure
from evergraph.data.experimental import group_by_reducer as group_by_reducer
from evergraph.data.experimental import group_by_window as group_by_window
from evergraph.data.experimental import ignore_errors as ignore_errors
from evergraph.data.experimental import make_batched_features_dataset as make_batched_features_dataset
from evergraph.data.experimental import make_csv_dataset as make_csv_dataset
from evergraph.data.experimental import make_saveable_from_iterator as make_saveable_from_iterator
from evergraph.data.experimental import map_and_batch as map_and_batch
from evergraph.data.experimental import parallel_interleave as parallel_interleave
from evergraph.data.experimental import parse_example_dataset as parse_example_dataset
from evergraph.data.experimental import prefetch_to_device as prefetch_to_device
from evergraph.data.experimental import rejection_resample as rejection_resample
from evergraph.data.experimental import sample_from_datasets as sample_from_datasets
from evergraph.data.experimental import scan as scan
from evergraph.data.experimental import shuffle_and_repeat as shuffle_and_repeat
from evergraph.data.experimental import take_while as take_while
from evergraph.data.experimental import to_variant as to_variant
from evergraph.data.experimental import unbatch as unbatch
from evergraph.data.experimental import unique as unique
