"""tf.contrib.slim: datasets of files that are read in parallel, and items that are fetched ahead."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes as kinds
from evergraph.base import files
from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.queues import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from evergraph.frontend.input.readers import ReaderBase
from evergraph.frontend.math import add_n, cast
from evergraph.summary import summaries
from evergraph.train.producers import string_input_producer
from evergraph.train.queue_runner import QueueRunner, add_queue_runner


def _name(name: str, module: str) -> str:
    return f"contrib.slim.{module}.{name}"


# ---- datasets

@export(_name("Dataset", "dataset"))
class Dataset:
    """What there is to know about a dataset of files.

    Args:
        data_sources: the files: a list of names, or a pattern.
        reader: the class that reads them, such as `tf.TFRecordReader`.
        decoder: makes items of records: see `tf.contrib.slim.tfexample_decoder`.
        num_samples: how many there are.
        items_to_descriptions: what the items are, in words.
        **kwargs: further attributes.
    """

    def __init__(self, data_sources: Any, reader: Any, decoder: Any, num_samples: Any, items_to_descriptions: Any,
                 **kwargs: Any) -> None:
        kwargs |= {"data_sources": data_sources, "reader": reader, "decoder": decoder, "num_samples": num_samples,
                   "items_to_descriptions": items_to_descriptions}
        self.__dict__.update(kwargs)


@export(_name("DataProvider", "data_provider"))
class DataProvider:
    """Gives items by name.

    Args:
        items_to_tensors: the items.
        num_samples: how many samples there are.
    """

    def __init__(self, items_to_tensors: dict[str, Any], num_samples: Any) -> None:
        self._items_to_tensors, self._num_samples = items_to_tensors, num_samples

    def get(self, items: Sequence[str]) -> list[Any]:
        """The items with these names.

        Raises:
            ValueError: there is none of a name.
        """
        for item in items:
            if item not in self._items_to_tensors:
                raise ValueError(f"there is no item {item!r}, only {self.list_items()}")
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> list[str]:
        """The names of all items."""
        return list(self._items_to_tensors)

    def num_samples(self) -> Any:
        """How many samples there are."""
        return self._num_samples


@export(_name("DatasetDataProvider", "dataset_data_provider"))
class DatasetDataProvider(DataProvider):
    """Gives the items of a dataset, read from its files in the background by queue runners.

    Args:
        dataset: a `Dataset`.
        num_readers: how many read at once.
        reader_kwargs: keyword arguments of the readers.
        shuffle: whether the order of files and records is random.
        num_epochs: how often all is read; None for ever.
        common_queue_capacity: how many records wait at most.
        common_queue_min: how many wait at least, where they are shuffled.
        record_key: the name of the item that says where a record comes from.
        seed: of the random order.
        scope: a name prefix for the operations.

    Raises:
        ValueError: an item is called as `record_key` says.
    """

    def __init__(self, dataset: Any, num_readers: int = 1, reader_kwargs: Any = None, shuffle: bool = True,
                 num_epochs: int | None = None, common_queue_capacity: int = 256, common_queue_min: int = 128,
                 record_key: str = "record_key", seed: int | None = None, scope: str | None = None) -> None:
        key, data = parallel_read(
            dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs, num_readers=num_readers,
            reader_kwargs=reader_kwargs, shuffle=shuffle, capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min, seed=seed, scope=scope)
        items = dataset.decoder.list_items()
        if record_key in items:
            raise ValueError(f"{record_key!r} is the name of an item: choose another record_key")
        found = dict(zip(items, dataset.decoder.decode(data, items)))
        super().__init__({**found, record_key: key}, num_samples=dataset.num_samples)


# ---- reading

@export(_name("get_data_files", "parallel_reader"))
def get_data_files(data_sources: Any) -> list[str]:
    """The files that are meant: by a name, a pattern, or a list of these.

    Raises:
        ValueError: there are none.
    """
    if isinstance(data_sources, (list, tuple)):
        found = [name for source in data_sources for name in get_data_files(source)]
    else:
        text = str(data_sources)
        found = files.glob(text) if any(sign in text for sign in "*?[") else [text]
    if not found:
        raise ValueError(f"there are no files {data_sources}")
    return found


@export(_name("ParallelReader", "parallel_reader"))
class ParallelReader(ReaderBase):
    """Several readers that fill one queue.

    Args:
        reader_class: the class of the readers.
        common_queue: the queue, of keys and values.
        num_readers: how many.
        reader_kwargs: their keyword arguments.

    Raises:
        TypeError: the queue is not one of two strings.
    """

    def __init__(self, reader_class: Any, common_queue: Any, num_readers: int = 4, reader_kwargs: Any = None) -> None:
        if len(common_queue.dtypes) != 2 or any(kind.base_dtype is not kinds.string for kind in common_queue.dtypes):
            raise TypeError("The queue must have two components of strings, the keys and the values")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    num_readers = property(lambda self: len(self._readers), doc="How many readers there are.")
    common_queue = property(lambda self: self._common_queue, doc="The queue that they fill.")

    def read(self, queue: Any, name: str | None = None) -> Any:
        """(key, value) of a record; readers take the names of files from the queue."""
        self._configure(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> Any:
        """(keys, values) of so many records, or of fewer at the end."""
        self._configure(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _configure(self, queue: Any) -> None:
        operations = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        add_queue_runner(QueueRunner(self._common_queue, operations))

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records were read."""
        return self._sum([reader.num_records_produced() for reader in self._readers], name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files were read."""
        return self._sum([reader.num_work_units_completed() for reader in self._readers], name)

    @staticmethod
    def _sum(counts: list[Any], name: str | None) -> Any:
        return add_n(counts, name=name)


@export(_name("parallel_read", "parallel_reader"))
def parallel_read(data_sources: Any, reader_class: Any, num_epochs: int | None = None, num_readers: int = 4,
                  reader_kwargs: Any = None, shuffle: bool = True, dtypes: Any = None, capacity: int = 256,
                  min_after_dequeue: int = 128, seed: int | None = None, scope: str | None = None) -> Any:
    """(key, value) of the records of files, read by several readers at once.

    Args:
        data_sources: the files: a name, a pattern, or a list of these.
        reader_class: the class of the readers.
        num_epochs: how often all is read; None for ever.
        num_readers: how many read at once.
        reader_kwargs: their keyword arguments.
        shuffle: whether the order of files and records is random.
        dtypes: of keys and values; by default strings.
        capacity: how many records wait at most.
        min_after_dequeue: how many wait at least, where they are shuffled.
        seed: of the random order.
        scope: a name prefix for the operations.
    """
    names = get_data_files(data_sources)
    with name_scope(scope, "parallel_read"):
        queue = string_input_producer(names, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames")
        dtypes = dtypes or [kinds.string, kinds.string]
        if shuffle:
            common = RandomShuffleQueue(capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=dtypes,
                                        seed=seed, name="common_queue")
        else:
            common = FIFOQueue(capacity=capacity, dtypes=dtypes, name="common_queue")
        summaries.scalar(f"fraction_of_{capacity}_full", cast(common.size(), kinds.float32) * (1.0 / capacity))
        return ParallelReader(reader_class, common, num_readers=num_readers, reader_kwargs=reader_kwargs).read(queue)


@export(_name("single_pass_read", "parallel_reader"))
def single_pass_read(data_sources: Any, reader_class: Any, reader_kwargs: Any = None, scope: str | None = None) -> Any:
    """(key, value) of the records of files, once and in order.

    Args:
        data_sources: the files: a name, a pattern, or a list of these.
        reader_class: the class of the reader.
        reader_kwargs: its keyword arguments.
        scope: a name prefix for the operations.
    """
    with name_scope(scope, "single_pass_read"):
        queue = string_input_producer(get_data_files(data_sources), num_epochs=1, shuffle=False, capacity=1,
                                      name="filenames")
        return reader_class(**(reader_kwargs or {})).read(queue)


# ---- fetching ahead

@export(_name("prefetch_queue", "prefetch_queue"))
def prefetch_queue(tensors: Any, capacity: int = 8, num_threads: int = 1, dynamic_pad: bool = False,
                   shared_name: str | None = None, name: str | None = None) -> Any:
    """A queue that threads fill with the tensors, ahead of their use; `dequeue` gives them in their structure.

    Args:
        tensors: a list or a dictionary of tensors.
        capacity: how many wait at most.
        num_threads: how many threads fill it.
        dynamic_pad: whether sizes may differ from one to the next, and are padded when several are taken.
        shared_name: the queue's name among sessions.
        name: a name prefix for the operations.
    """
    keys = sorted(tensors) if isinstance(tensors, dict) else None
    listed = [tensors[key] for key in keys] if keys is not None else list(tensors)
    with name_scope(name, "prefetch_queue", listed):
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = kind(capacity=capacity, dtypes=[each.dtype.base_dtype for each in listed],
                     shapes=[each.shape for each in listed], names=keys, shared_name=shared_name)
        operation = queue.enqueue(tensors if keys is not None else listed)
        add_queue_runner(QueueRunner(queue, [operation] * num_threads))
        summaries.scalar(f"fraction_of_{capacity}_full", cast(queue.size(), kinds.float32) * (1.0 / capacity))
        return queue
