"""A queue of rows, filled from arrays by threads of the program."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from evergraph.base import dtypes, errors, logging
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.queues import FIFOQueue, RandomShuffleQueue
from evergraph.ops.math import elementwise
from evergraph.summary.summaries import scalar
from evergraph.train.queue_runner import QueueRunner, add_queue_runner


class Rows(NamedTuple):
    """The rows to be fed.

    Attributes:
        index: a number for each row.
        columns: arrays with as many rows.
    """

    index: np.ndarray
    columns: list[np.ndarray]


def queue_of(rows: Rows, capacity: int, shuffle: bool, num_threads: int, batch_size: int,
             num_epochs: int | None) -> Any:
    """A queue of (index, *columns), and a queue runner that fills it.

    Args:
        rows: what is fed.
        capacity: how many rows fit.
        shuffle: whether rows leave in random order.
        num_threads: how many threads fill the queue, each with all rows.
        batch_size: how many rows a thread enqueues at a time.
        num_epochs: how often a thread feeds the rows; None for without end.
    """
    _warn(shuffle, num_threads, num_epochs)
    kinds = [dtypes.int64, *(_dtype(column) for column in rows.columns)]
    shapes = [(), *(column.shape[1:] for column in rows.columns)]
    with name_scope("enqueue_input"):
        least = capacity // 4 if shuffle else 0  # rows that stay behind for mixing
        queue = (RandomShuffleQueue(capacity, dtypes=kinds, shapes=shapes, min_after_dequeue=least) if shuffle
                 else FIFOQueue(capacity, dtypes=kinds, shapes=shapes))
        operations, feeds = [], []
        for _ in range(num_threads):
            holes = [array.placeholder(kind) for kind in kinds]
            operations.append(queue.enqueue_many(holes))
            feeds.append(_feed(holes, rows, shuffle, batch_size, num_epochs))
        add_queue_runner(FeedingQueueRunner(queue, operations, feeds))
        above, room = math.cast(elementwise.maximum(0, queue.size() - least), dtypes.float32), capacity - least
        scalar(f"queue/{queue.name}fraction_over_{least}_of_{room}_full", above * (1.0 / room))
    return queue


def _dtype(column: np.ndarray) -> Any:
    return dtypes.string if column.dtype.kind in "OSU" else dtypes.as_dtype(column.dtype)


def _warn(shuffle: bool, num_threads: int, num_epochs: int | None) -> None:
    if num_threads > 1 and num_epochs is not None:
        logging.warning("num_epochs counts for each of %d threads: rows are fed %d times", num_threads,
                        num_threads * num_epochs)
    if num_threads > 1 and not shuffle:
        logging.warning("%d threads feed rows in no certain order", num_threads)


def _feed(holes: list[Any], rows: Rows, shuffle: bool, batch_size: int, num_epochs: int | None
          ) -> Callable[[], Iterator[dict[Any, Any]]]:
    """A function that begins to feed: gives an iterator over batches."""
    count = len(rows.index)

    def batches() -> Iterator[dict[Any, Any]]:
        begin = random.randrange(count) if shuffle else 0
        end = None if num_epochs is None else begin + count * num_epochs
        while end is None or begin < end:
            size = batch_size if end is None else min(batch_size, end - begin)
            picked = np.arange(begin, begin + size) % count
            yield dict(zip(holes, [rows.index[picked], *(column[picked] for column in rows.columns)]))
            begin += size

    return batches


class FeedingQueueRunner(QueueRunner):
    """A queue runner whose enqueue operations are fed by functions of the program.

    Args:
        queue: the queue.
        enqueue_ops: the enqueue operations.
        feeds: as many functions, called when a thread starts, that give iterators over feed dictionaries; the input
            ends where they end.
    """

    def __init__(self, queue: Any, enqueue_ops: Sequence[Any],
                 feeds: Sequence[Callable[[], Iterator[dict[Any, Any]]]]) -> None:
        super().__init__(queue, enqueue_ops)
        self._feeds = dict(zip(enqueue_ops, feeds))

    def _enqueuer(self, sess: Any, enqueue_op: Any) -> Callable[[], Any]:
        batches = self._feeds[enqueue_op]()

        def enqueue() -> None:
            batch = next(batches, None)
            if batch is None:
                raise errors.OutOfRangeError(None, enqueue_op, "all epochs have been fed")
            sess.run(enqueue_op, feed_dict=batch)

        return enqueue

    def to_proto(self, export_scope: str | None = None) -> Any:
        """None: functions of a program are not part of an exported graph."""
        return None
