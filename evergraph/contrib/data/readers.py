"""Functions over whole datasets and files: reduce_dataset, sloppy_interleave, read_batch_features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.data.dataset import DatasetV2
from evergraph.data.experimental.features import make_batched_features_dataset
from evergraph.data.experimental.grouping import Reducer
from evergraph.data.experimental.interleaving import parallel_interleave
from evergraph.data.readers import TFRecordDataset
from evergraph.graph.convert import convert_to_tensor


@export("contrib.data.reduce_dataset")
def reduce_dataset(dataset: Any, reducer: Reducer) -> Any:
    """Reduces a dataset to one element, in one run; the functions of the reducer get 0 as the key.

    Raises:
        TypeError: `dataset` is no dataset.
    """
    if not isinstance(dataset, DatasetV2):
        raise TypeError(f"`dataset` is a {type(dataset).__name__}, expected a tf.data.Dataset")
    state = dataset.reduce(reducer.init_func(convert_to_tensor(np.int64(0))), reducer.reduce_func)
    return reducer.finalize_func(*state) if type(state) is tuple else reducer.finalize_func(state)


@export("contrib.data.sloppy_interleave")
def sloppy_interleave(map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1) -> Callable[[Any], Any]:
    """For `Dataset.apply`: interleaves as `tf.data.experimental.parallel_interleave` with `sloppy=True` does."""
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


@export("contrib.data.read_batch_features")
def read_batch_features(file_pattern: Any, batch_size: Any, features: Mapping[str, Any], reader: Any = TFRecordDataset,
                        reader_args: Any = None, randomize_input: bool = True, num_epochs: Any = None,
                        capacity: Any = 10000) -> Any:
    """The features of the next batch of serialized Examples in files: a dict of tensors.

    Args:
        file_pattern, batch_size, features, reader, reader_args, num_epochs: as for
            `tf.data.experimental.make_batched_features_dataset`.
        randomize_input: whether files and Examples come in random order.
        capacity: the size of the buffer that they are drawn from.
    """
    dataset = make_batched_features_dataset(file_pattern, batch_size, features, reader, reader_args=reader_args,
                                            shuffle=randomize_input, num_epochs=num_epochs,
                                            shuffle_buffer_size=capacity)
    return dataset.make_one_shot_iterator().get_next()
