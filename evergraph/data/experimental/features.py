"""Serialized Examples: parse_example_dataset, make_batched_features_dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.data import specs
from evergraph.data.arguments import number
from evergraph.data.dataset import AUTOTUNE, DatasetV1, DatasetV2
from evergraph.data.experimental.csv import shuffled_and_repeated
from evergraph.data.experimental.interleaving import parallel_interleave
from evergraph.data.readers import TFRecordDataset
from evergraph.frontend.input.features import SparseFeature
from evergraph.frontend.input.parsing import requested_features, with_merged_features
from evergraph.frontend.input.readers import ReaderBase
from evergraph.ops.data import example_parsing


@export("data.experimental.parse_example_dataset", "contrib.data.parse_example_dataset")
def parse_example_dataset(features: Mapping[str, Any], num_parallel_calls: Any = 1) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the features of vectors of serialized Examples, as dicts of tensors.

    >>> features = {"age": tf.io.FixedLenFeature([], tf.int64, -1), "tags": tf.io.VarLenFeature(tf.string)}
    >>> examples = tf.data.TFRecordDataset("examples.tfrecord").batch(32).apply(
    ...     tf.data.experimental.parse_example_dataset(features))

    Args:
        features: a dict from a feature's name to its spec, as for `tf.parse_example`.
        num_parallel_calls: how many elements are computed ahead; none if it is 1.

    Raises:
        ValueError: a feature's spec is invalid.
        TypeError: the elements are no vectors of strings.
    """
    if not features:
        raise ValueError("Missing: `features` was `None`." if features is None else "Missing: features is empty.")

    def apply(dataset: Any) -> Any:
        spec = dataset.element_spec
        if not specs.fits(specs.TensorSpec([None], dtypes.string), spec):
            raise TypeError(f"parse_example_dataset takes a dataset of vectors of strings, got elements of {spec}")
        given, request, defaults = requested_features(features)
        parsed = _parsed_spec(request, spec.shape)
        result = dataset._then(
            example_parsing.parse_example_dataset, number(num_parallel_calls, "num_parallel_calls"), defaults,
            spec=parsed, sparse_keys=list(request.sparse), dense_keys=list(request.dense),
            sparse_types=list(request.sparse.values()), dense_shapes=list(request.shapes.values()))
        if any(isinstance(feature, SparseFeature) for feature in features.values()):
            result = result.map(lambda parts: with_merged_features(given, parts), num_parallel_calls=num_parallel_calls)
        return result

    return apply


def _parsed_spec(request: Any, batch: TensorShape) -> dict[str, Any]:
    """The specs of the features of a batch."""
    rows = TensorShape([None if batch.ndims is None else batch[0]])
    found: dict[str, Any] = {
        key: specs.SparseTensorSpec(rows.concatenate([None]), kind) for key, kind in request.sparse.items()}
    for key, kind in request.dense.items():
        found[key] = specs.TensorSpec(rows.concatenate(request.shapes[key]), kind)
    return found


@export("data.experimental.make_batched_features_dataset", "contrib.data.make_batched_features_dataset")
def make_batched_features_dataset(file_pattern: Any, batch_size: Any, features: Mapping[str, Any],
                                  reader: Any = TFRecordDataset, label_key: str | None = None, reader_args: Any = None,
                                  num_epochs: Any = None, shuffle: bool = True, shuffle_buffer_size: Any = 10000,
                                  shuffle_seed: Any = None, prefetch_buffer_size: Any = None,
                                  reader_num_threads: Any = None, parser_num_threads: Any = None,
                                  sloppy_ordering: bool = False, drop_final_batch: bool = False) -> Any:
    """A dataset of batches of the features of serialized Examples in files: dicts of tensors.

    >>> features = {"age": tf.io.FixedLenFeature([], tf.int64), "score": tf.io.FixedLenFeature([], tf.float32)}
    >>> batches = tf.data.experimental.make_batched_features_dataset("*.tfrecord", 32, features, label_key="score")

    Args:
        file_pattern: patterns of the names of files.
        batch_size: how many Examples make a batch.
        features: a dict from a feature's name to its spec, as for `tf.parse_example`.
        reader: makes a dataset of serialized Examples of the name of a file.
        label_key: the feature with labels: with it, an element is a pair of the dict of the others and the labels.
        reader_args: more arguments of `reader`.
        num_epochs: how often the Examples come; for ever if it is None.
        shuffle: whether files and Examples come in random order.
        shuffle_buffer_size, shuffle_seed: how they are shuffled.
        prefetch_buffer_size: how many batches are computed ahead.
        reader_num_threads: how many files are read at a time.
        parser_num_threads: how many batches are parsed ahead.
        sloppy_ordering: allows another order, which is not made use of.
        drop_final_batch: whether a last batch of fewer Examples is left out.

    Raises:
        TypeError: `reader` does not make a dataset.
        ValueError: there is no feature with labels.
    """
    def read(name: Any) -> Any:
        is_old = isinstance(reader, type) and issubclass(reader, ReaderBase)
        found = None if is_old else reader(name, *(reader_args or ()))
        if not isinstance(found, DatasetV2):
            raise TypeError("The `reader` must make a `Dataset`, such as tf.data.TFRecordDataset. Readers of queues "
                            "(tf.ReaderBase) belong to tf.train.batch.")
        return found

    if label_key is not None and label_key not in features:
        raise ValueError(f"`label_key` {label_key!r} is no key of `features`, which are {list(features)}")
    dataset = DatasetV1.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    dataset = dataset.apply(parallel_interleave(read, reader_num_threads or 1, sloppy=sloppy_ordering))
    if specs.legacy(dataset.element_spec)[0] == (dtypes.string, dtypes.string):
        dataset = dataset.map(lambda _, value: value)
    dataset = shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    # Without an end every batch is full, and its size is known.
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(features, parser_num_threads or 2))
    if label_key is not None:
        dataset = dataset.map(lambda parts: ({key: parts[key] for key in parts if key != label_key}, parts[label_key]))
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)
