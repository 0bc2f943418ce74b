# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.io."""

from collections.abc import Callable, Iterator
from evergraph.contrib.learn import (
    read_keyed_batch_examples as _read_keyed_batch_examples,
    read_keyed_batch_features as _read_keyed_batch_features,
)
from typing import Any

from evergraph.contrib.learn import extract_dask_data as extract_dask_data
from evergraph.contrib.learn import extract_dask_labels as extract_dask_labels
from evergraph.contrib.learn import extract_pandas_data as extract_pandas_data
from evergraph.contrib.learn import extract_pandas_labels as extract_pandas_labels
from evergraph.contrib.learn import extract_pandas_matrix as extract_pandas_matrix

def generator_input_fn(
    x: Callable[[], Iterator[dict[str, Any]]], target_key: Any = None, batch_size: int = 128,
    num_epochs: int | None = 1, shuffle: bool = True, queue_capacity: int = 1000, num_threads: int = 1,
    pad_value: Any = None,
) -> Callable[[], Any]:
    """An input of examples that a generator yields."""

def numpy_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool = True,
    queue_capacity: int = 1000, num_threads: int = 1,
) -> Callable[[], Any]:
    """An input of arrays: `tf.estimator.inputs.numpy_input_fn`, which shuffles unless it is told not to."""

def pandas_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool = True,
    queue_capacity: int = 1000, num_threads: int = 1, target_column: str = 'target',
) -> Callable[[], Any]:
    """An input of a pandas table: `tf.estimator.inputs.pandas_input_fn`, which shuffles unless it is told
    not to."""

from evergraph.contrib.learn import queue_parsed_features as queue_parsed_features
from evergraph.contrib.learn import read_batch_examples as read_batch_examples
from evergraph.contrib.learn import read_batch_features as read_batch_features
from evergraph.contrib.learn import read_batch_record_features as read_batch_record_features
from evergraph.contrib.learn import read_keyed_batch_examples as read_keyed_batch_examples
read_keyed_batch_examples_shared_queue = _read_keyed_batch_examples
from evergraph.contrib.learn import read_keyed_batch_features as read_keyed_batch_features
read_keyed_batch_features_shared_queue = _read_keyed_batch_features
