"""tf.contrib.learn's readers: batches of records of files, and of their features, by queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import files
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.parsing import parse_example
from evergraph.frontend.input.queues import FIFOQueue
from evergraph.frontend.input.readers import TFRecordReader
from evergraph.frontend.sparse.serial import deserialize_many_sparse, serialize_many_sparse
from evergraph.graph.composite import SparseTensor
from evergraph.train.batches import batch_join, shuffle_batch_join
from evergraph.train.producers import string_input_producer
from evergraph.train.queue_runner import QueueRunner, add_queue_runner


def _public(name: str) -> Callable[[Any], Any]:
    return export(f"contrib.learn.{name}", f"contrib.learn.io.{name}")


_FILES = """
    Args:
        file_pattern: a pattern of names of files, or a list of them.
        batch_size: the number of records in a batch.
        reader: a function that makes a reader: `tf.TFRecordReader`.
        randomize_input: whether files and records come in a random order.
        num_epochs: how often to go through the files; None for no end. The last batch may then be smaller.
        queue_capacity: how many records wait to be put into batches.
        num_threads: how many readers there are.
        read_batch_size: how many records a reader takes at once.
        parse_fn: a function of the records, called before they wait; None for none.
        name: the name scope.
        seed: the op-level seed of the random order.

    Raises:
        ValueError: no file fits the pattern, or a number is not possible.
    """


def _documented(summary: str) -> Callable[[Any], Any]:
    def document(function: Any) -> Any:
        function.__doc__ = f"{summary}\n{_FILES}"
        return function
    return document


def _names_of(pattern: Any, randomize_input: bool) -> list[str]:
    patterns = list(pattern) if isinstance(pattern, (list, tuple)) else [pattern]
    if not patterns:
        raise ValueError("No files given to read")
    found = [name for each in patterns for name in files.Glob(each)]
    if not found:
        raise ValueError(f"No files match {pattern}.")
    return found if randomize_input else sorted(found)


def _checked(batch_size: Any, capacity: Any, threads: Any, read_batch_size: Any, epochs: Any) -> None:
    if capacity is None or capacity <= 0:
        raise ValueError(f"Invalid queue_capacity {capacity}: it is a positive number.")
    if batch_size is None or not 0 < batch_size < capacity:
        raise ValueError(f"Invalid batch_size {batch_size}: it is positive, and less than queue_capacity, {capacity}.")
    if read_batch_size is None or not 0 < read_batch_size:
        raise ValueError(f"Invalid read_batch_size {read_batch_size}: it is a positive number.")
    if threads is None or threads <= 0:
        raise ValueError(f"Invalid num_threads {threads}: it is a positive number.")
    if epochs is not None and epochs <= 0:
        raise ValueError(f"Invalid num_epochs {epochs}: it is a positive number, or None.")


@_public("read_keyed_batch_examples")
@_documented("Batches of records of files with their keys: (keys, records).")
def read_keyed_batch_examples(file_pattern: Any, batch_size: int, reader: Any, randomize_input: bool = True,
                              num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
                              read_batch_size: int = 1, parse_fn: Any = None, name: str | None = None,
                              seed: int | None = None) -> tuple[Any, Any]:
    _checked(batch_size, queue_capacity, num_threads, read_batch_size, num_epochs)
    names = _names_of(file_pattern, randomize_input)
    with name_scope(name, "read_batch_examples", [file_pattern]) as scope:
        waiting = string_input_producer(array.constant(names, name="input"), num_epochs, randomize_input, seed,
                                        name="file_name_queue")
        with name_scope("read"):
            sources = [_read(reader(), waiting, read_batch_size, parse_fn) for _ in range(num_threads)]
        many = read_batch_size > 1
        smaller = num_epochs is not None
        if randomize_input:
            least = max(0, min(batch_size * 4, queue_capacity - batch_size))
            return shuffle_batch_join(sources, batch_size, queue_capacity, least, seed=seed, enqueue_many=many,
                                      allow_smaller_final_batch=smaller, name=scope)
        return batch_join(sources, batch_size, queue_capacity, enqueue_many=many, allow_smaller_final_batch=smaller,
                          name=scope)


def _read(reader: Any, waiting: Any, count: int, parse_fn: Any) -> list[Any]:
    keys, records = reader.read_up_to(waiting, count) if count > 1 else reader.read(waiting)
    return [keys, records if parse_fn is None else parse_fn(records)]


_public("read_keyed_batch_examples_shared_queue")(read_keyed_batch_examples)


@_public("read_batch_examples")
@_documented("Batches of records of files.")
def read_batch_examples(file_pattern: Any, batch_size: int, reader: Any, randomize_input: bool = True,
                        num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
                        read_batch_size: int = 1, parse_fn: Any = None, name: str | None = None,
                        seed: int | None = None) -> Any:
    return read_keyed_batch_examples(file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity,
                                     num_threads, read_batch_size, parse_fn, name, seed)[1]


# ---- features

@_public("queue_parsed_features")
def queue_parsed_features(parsed_features: dict[str, Any], keys: Any = None, feature_queue_capacity: int = 100,
                          num_enqueue_threads: int = 2, name: str | None = None) -> tuple[Any, dict[str, Any]]:
    """Lets batches of features, which are parsed already, wait in a queue.

    Args:
        parsed_features: tensors and sparse tensors by name.
        keys: a tensor that waits with them, or None.
        feature_queue_capacity: the number of batches that wait.
        num_enqueue_threads: the number of threads that fill the queue.
        name: the name scope.

    Returns:
        (the keys, or None, the features).
    """
    tensors = [] if keys is None else [keys]
    names = sorted(parsed_features)
    with name_scope(name, "queue_parsed_features", [*tensors, *parsed_features.values()]):
        given = [*tensors, *(parsed_features[each] for each in names)]
        plain = [serialize_many_sparse(each) if isinstance(each, SparseTensor) else each for each in given]
        queue = FIFOQueue(feature_queue_capacity, [each.dtype.base_dtype for each in plain])
        add_queue_runner(QueueRunner(queue, [queue.enqueue(plain)] * num_enqueue_threads))
        taken = queue.dequeue()
        taken = list(taken) if isinstance(taken, (list, tuple)) else [taken]
        found = [_restored(each, before, form) for each, before, form in zip(taken, given, plain)]
        values = found if keys is None else found[1:]
        return (None if keys is None else found[0]), dict(zip(names, values))


def _restored(tensor: Any, before: Any, form: Any) -> Any:
    """What waited, with the static shape that it had."""
    tensor.set_shape(form.shape)
    if not isinstance(before, SparseTensor):
        return tensor
    return deserialize_many_sparse(tensor, before.dtype, before.dense_shape.shape.as_list()[0])


@_public("read_keyed_batch_features")
def read_keyed_batch_features(file_pattern: Any, batch_size: int, features: dict[str, Any], reader: Any,
                              randomize_input: bool = True, num_epochs: int | None = None, queue_capacity: int = 10000,
                              reader_num_threads: int = 1, feature_queue_capacity: int = 100,
                              num_enqueue_threads: int = 2, parse_fn: Any = None, name: str | None = None,
                              read_batch_size: int | None = None) -> tuple[Any, dict[str, Any]]:
    """Batches of the features of Examples in files, with their keys: (keys, features).

    Args:
        file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, parse_fn, name,
            read_batch_size: as for `read_batch_examples`.
        features: what to parse, as for `tf.parse_example`.
        reader_num_threads: how many readers there are.
        feature_queue_capacity: how many parsed batches wait.
        num_enqueue_threads: how many threads parse.
    """
    with name_scope(name, "read_batch_features", [file_pattern]) as scope:
        keys, examples = read_keyed_batch_examples(
            file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, reader_num_threads,
            min(batch_size, 100) if read_batch_size is None else read_batch_size, parse_fn, scope)
        return queue_parsed_features(parse_example(examples, features), keys, feature_queue_capacity,
                                     num_enqueue_threads, scope)


_public("read_keyed_batch_features_shared_queue")(read_keyed_batch_features)


@_public("read_batch_features")
def read_batch_features(file_pattern: Any, batch_size: int, features: dict[str, Any], reader: Any,
                        randomize_input: bool = True, num_epochs: int | None = None, queue_capacity: int = 10000,
                        feature_queue_capacity: int = 100, reader_num_threads: int = 1, num_enqueue_threads: int = 2,
                        parse_fn: Any = None, name: str | None = None,
                        read_batch_size: int | None = None) -> dict[str, Any]:
    """Batches of the features of Examples in files.

    Args:
        file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity,
            feature_queue_capacity, reader_num_threads, num_enqueue_threads, parse_fn, name, read_batch_size: as for
            `read_keyed_batch_features`.
    """
    return read_keyed_batch_features(file_pattern, batch_size, features, reader, randomize_input, num_epochs,
                                     queue_capacity, reader_num_threads, feature_queue_capacity, num_enqueue_threads,
                                     parse_fn, name, read_batch_size)[1]


@_public("read_batch_record_features")
def read_batch_record_features(file_pattern: Any, batch_size: int, features: dict[str, Any],
                               randomize_input: bool = True, num_epochs: int | None = None,
                               queue_capacity: int = 10000, reader_num_threads: int = 1,
                               name: str | None = "dequeue_record_examples") -> dict[str, Any]:
    """`read_batch_features` of TFRecord files; see there for the arguments."""
    return read_batch_features(file_pattern, batch_size, features, TFRecordReader, randomize_input, num_epochs,
                               queue_capacity, reader_num_threads=reader_num_threads, name=name)
