# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.data.experimental."""

from collections.abc import Callable, Mapping, Sequence
from evergraph import (
    Operation, OptionalSpec, RaggedTensorSpec, SparseTensorSpec, Tensor, TensorArraySpec, TensorSpec,
    TypeSpec,
)
from evergraph.data import Dataset, DatasetSpec
from evergraph.estimator import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from typing import Any

import sys
if sys.platform == "":
    del (
        batching, counting, csv, devices, features, grouping, interleaving, optionals, resampling, saving,
        sources, stats, structures, transforming, writing,
    )

AUTOTUNE: int

class CheckpointInputPipelineHook(SessionRunHook):
    """Saves where the iterators of the graph stand, and restores that when training goes on."""
    def begin(self) -> None:
        """Adds what saves the iterators to the graph."""
    def after_create_session(self, session: Any, coord: Any) -> None:
        """Restores the iterators if there is a checkpoint of them; saves them otherwise."""
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Asks for the step."""
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Saves the iterators if it is time."""
    def end(self, session: Any) -> None:
        """Saves the iterators."""
    def __init__(self, estimator: Any) -> None: ...

def Counter(start: Any = 0, step: Any = 1, dtype: Any = ...) -> Any:
    """A dataset of numbers without an end."""

class CsvDataset(Dataset):
    """A dataset of the rows of CSV files: tuples of scalars, one for each column."""
    def __init__(
        self, filenames: Any, record_defaults: Sequence[Any], compression_type: Any = None,
        buffer_size: Any = None, header: Any = False, field_delim: Any = ',', use_quote_delim: Any = True,
        na_value: Any = '', select_cols: Any = None,
    ) -> None: ...

DatasetStructure = DatasetSpec

class DistributeOptions:
    """How a dataset is divided among workers."""
    auto_shard: Any
    num_devices: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

INFINITE_CARDINALITY: int

class MapVectorizationOptions:
    """When functions are applied to batches in place of elements."""
    enabled: Any
    use_choose_fastest: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

class OptimizationOptions:
    """How datasets are rewritten before they run, which changes no element."""
    apply_default_optimizations: Any
    autotune: Any
    autotune_algorithm: Any
    autotune_buffers: Any
    autotune_cpu_budget: Any
    filter_fusion: Any
    filter_with_random_uniform_fusion: Any
    hoist_random_uniform: Any
    map_and_batch_fusion: Any
    map_and_filter_fusion: Any
    map_fusion: Any
    map_parallelization: Any
    map_vectorization: Any
    noop_elimination: Any
    parallel_batch: Any
    shuffle_and_repeat_fusion: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

class Optional:
    """A structure of tensors that may be absent, which shows when it runs."""
    def has_value(self, name: str | None = None) -> Tensor:
        """A scalar tf.bool: whether there is a value."""
    def get_value(self, name: str | None = None) -> Any:
        """The value."""
    @property
    def value_structure(self) -> Any:
        """The structure of the value."""
    @staticmethod
    def from_value(value: Any) -> Optional:
        """An optional with a value."""
    @staticmethod
    def none_from_structure(value_structure: Any) -> Optional:
        """An optional without a value."""
    def __init__(self, variant_tensor: Tensor, value_structure: Any) -> None: ...

OptionalStructure = OptionalSpec

def RaggedTensorStructure(dtype: Any, shape: Any, ragged_rank: int) -> RaggedTensorSpec:
    """The same as `tf.RaggedTensorSpec(shape, dtype, ragged_rank)`."""

class RandomDataset(Dataset):
    """A dataset of random numbers without an end: those from 0 to below 2**32, as tf.int64."""
    def __init__(self, seed: Any = None) -> None: ...

class Reducer:
    """How `group_by_reducer` reduces the elements with one key."""
    @property
    def init_func(self) -> Callable[..., Any]:
        """Makes the first state."""
    @property
    def reduce_func(self) -> Callable[..., Any]:
        """Makes the next state."""
    @property
    def finalize_func(self) -> Callable[..., Any]:
        """Makes an element of the last state."""
    def __init__(
        self, init_func: Callable[..., Any], reduce_func: Callable[..., Any], finalize_func: Callable[..., Any],
    ) -> None: ...

def SparseTensorStructure(dtype: Any, shape: Any) -> SparseTensorSpec:
    """The same as `tf.SparseTensorSpec(shape, dtype)`."""

class SqlDataset(Dataset):
    """A dataset of the rows that a database gives for a query."""
    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None: ...

class StatsAggregator:
    """Collects what a dataset measures when it runs."""
    def get_summary(self) -> Tensor:
        """A scalar string: a Summary with the histogram of each tag, for a tf.summary.FileWriter."""
    def __init__(self) -> None: ...

class StatsOptions:
    """Where the measurements of a dataset go: those of `latency_stats` and `bytes_produced_stats` in it."""
    aggregator: Any
    prefix: Any
    counter_prefix: Any
    latency_all_edges: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

Structure = TypeSpec

class TFRecordWriter:
    """Writes a dataset of strings to a TFRecord file."""
    def write(self, dataset: Any) -> Operation:
        """An operation that writes all elements of a dataset."""
    def __init__(self, filename: Any, compression_type: Any = None) -> None: ...

def TensorArrayStructure(
    dtype: Any, element_shape: Any, dynamic_size: Any, infer_shape: Any,
) -> TensorArraySpec:
    """The same as `tf.TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)`."""

def TensorStructure(dtype: Any, shape: Any) -> TensorSpec:
    """The same as `tf.TensorSpec(shape, dtype)`."""

class ThreadingOptions:
    """Threads of a dataset."""
    max_intra_op_parallelism: Any
    private_threadpool_size: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

UNKNOWN_CARDINALITY: int

def bucket_by_sequence_length(
    element_length_func: Callable[..., Any], bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int], padded_shapes: Any = None, padding_values: Any = None,
    pad_to_bucket_boundary: bool = False, no_padding: bool = False, drop_remainder: bool = False,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: batches of elements of similar length, so that little padding is needed."""

def bytes_produced_stats(tag: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: measures how many bytes each element has."""

def cardinality(dataset: Any) -> Tensor:
    """How many elements a dataset has, as far as that is known without looking at them: a scalar
    tf.int64."""

def choose_from_datasets(datasets: Sequence[Any], choice_dataset: Any) -> Any:
    """A dataset that draws each element from the dataset whose number another dataset gives."""

def copy_to_device(target_device: Any, source_device: Any = '/cpu:0') -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same elements, for a device."""

def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: consecutive elements of different sizes, as the rows of a tf.SparseTensor."""

def enumerate_dataset(start: Any = 0) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.enumerate`."""

def from_variant(variant: Tensor, structure: Any) -> Any:
    """The dataset in a scalar tf.variant tensor."""

def get_next_as_optional(iterator: Any) -> Optional:
    """The next element of an iterator as an `Optional`, which has no value at the end."""

def get_single_element(dataset: Any) -> Any:
    """The only element of a dataset, as tensors: lets a function made of transformations be called like any
    other."""

def get_structure(dataset_or_iterator: Any) -> Any:
    """The structure of the specs of a dataset's or iterator's elements."""

def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Callable[[Any], Any]:
    """For `Dataset.apply`: one element for each key, in the order of keys: all elements with the key,
    reduced."""

def group_by_window(
    key_func: Callable[..., Any], reduce_func: Callable[..., Any], window_size: Any = None,
    window_size_func: Callable[..., Any] | None = None,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: collects windows of elements with one key, and makes a dataset of each
    window."""

def ignore_errors() -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements that can be computed; those that raise an error are left out."""

def latency_stats(tag: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: measures how many microseconds each element takes."""

def make_batched_features_dataset(
    file_pattern: Any, batch_size: Any, features: Mapping[str, Any], reader: Any = ...,
    label_key: str | None = None, reader_args: Any = None, num_epochs: Any = None, shuffle: bool = True,
    shuffle_buffer_size: Any = 10000, shuffle_seed: Any = None, prefetch_buffer_size: Any = None,
    reader_num_threads: Any = None, parser_num_threads: Any = None, sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Any:
    """A dataset of batches of the features of serialized Examples in files: dicts of tensors."""

def make_csv_dataset(
    file_pattern: Any, batch_size: Any, column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None, label_name: str | None = None,
    select_columns: Sequence[Any] | None = None, field_delim: str = ',', use_quote_delim: bool = True,
    na_value: str = '', header: bool = True, num_epochs: Any = None, shuffle: bool = True,
    shuffle_buffer_size: Any = 10000, shuffle_seed: Any = None, prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None, sloppy: bool = False, num_rows_for_inference: int | None = 100,
    compression_type: str | None = None, ignore_errors: bool = False,
) -> Any:
    """A dataset of batches of the rows of CSV files: dicts from a column's name to its values."""

def make_saveable_from_iterator(iterator: Any) -> Any:
    """What lets a tf.train.Saver save and restore where an iterator stands."""

def map_and_batch(
    map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: Any = None,
    drop_remainder: Any = False, num_parallel_calls: Any = None,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: what a function gives for each element, in batches."""

def map_and_batch_with_legacy_function(
    map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: Any = None,
    drop_remainder: Any = False, num_parallel_calls: Any = None,
) -> Callable[[Any], Any]:
    """The same as `map_and_batch`: there is one kind of functions."""

def parallel_interleave(
    map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1, sloppy: Any = False,
    buffer_output_elements: Any = None, prefetch_input_elements: Any = None,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements of datasets that a function makes, several datasets at a time,
    computed ahead."""

def parse_example_dataset(
    features: Mapping[str, Any], num_parallel_calls: Any = 1,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the features of vectors of serialized Examples, as dicts of tensors."""

def prefetch_to_device(device: Any, buffer_size: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`, as the last transformation: the same elements, computed ahead, for a device."""

def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: Any = None,
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: leaves elements out at random so that classes come as often as wanted."""

def sample_from_datasets(datasets: Sequence[Any], weights: Any = None, seed: Any = None) -> Any:
    """A dataset that draws each element from one of several datasets, chosen at random."""

def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Callable[[Any], Any]:
    """For `Dataset.apply`: what a function gives of a state and each element."""

def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements several times, each time in another random order."""

def take_while(predicate: Callable[..., Any]) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements before the first for which a function returns False."""

def to_variant(dataset: Any) -> Tensor:
    """A scalar tf.variant tensor that holds a dataset."""

def unbatch() -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.unbatch`."""

def unique() -> Callable[[Any], Any]:
    """For `Dataset.apply`: each element once, where it comes first."""
