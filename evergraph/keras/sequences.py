"""tf.keras.utils.Sequence, and the enqueuers that prepare batches in other threads or processes."""
from __future__ import annotations

import abc
import multiprocessing
import queue
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export


@export("keras.utils.Sequence")
class Sequence(abc.ABC):
    """The base of data that is known batch by batch: a subclass has `__getitem__`, a batch, and `__len__`.

    >>> class Squares(tf.keras.utils.Sequence):
    ...     def __len__(self):
    ...         return 3
    ...     def __getitem__(self, index):
    ...         x = np.arange(4.0) + 4 * index
    ...         return x, x * x
    """

    @abc.abstractmethod
    def __getitem__(self, index: int) -> Any:
        """The batch of this number."""

    @abc.abstractmethod
    def __len__(self) -> int:
        """The number of batches."""

    def on_epoch_end(self) -> None:  # noqa: B027 - subclasses may leave it
        """Called at the end of every epoch."""

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self)):
            yield self[index]


@export("keras.utils.SequenceEnqueuer")
class SequenceEnqueuer(abc.ABC):
    """The base of enqueuers: workers prepare batches while the program uses others.

    Args:
        sequence: the source of batches.
        use_multiprocessing: whether the workers are processes, not threads.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False) -> None:
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        self.queue: queue.Queue[Future[Any]] | None = None
        self.run_thread: threading.Thread | None = None
        self.stop_signal: threading.Event | None = None
        self.workers = 0

    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
        return self.stop_signal is not None and not self.stop_signal.is_set()

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Starts the workers.

        Args:
            workers: the number of workers.
            max_queue_size: the number of batches that may wait.
        """
        self.workers, self.queue, self.stop_signal = workers, queue.Queue(max_queue_size), threading.Event()
        self.run_thread = threading.Thread(target=self._run, name="keras_enqueuer", daemon=True)
        self.run_thread.start()

    def stop(self, timeout: float | None = None) -> None:
        """Stops the workers; waits for them for at most `timeout` seconds."""
        if self.stop_signal is None or self.queue is None:
            return
        self.stop_signal.set()
        while not self.queue.empty():
            self.queue.get_nowait().cancel()
        if self.run_thread is not None:
            self.run_thread.join(timeout)

    def _put(self, future: Future[Any]) -> bool:
        """Appends a batch to the queue; False if the enqueuer was stopped meanwhile."""
        while self.is_running():
            try:
                self.queue.put(future, timeout=0.1)  # type: ignore[union-attr]
                return True
            except queue.Full:
                continue
        future.cancel()
        return False

    def _executor(self) -> Executor:
        if self.use_multiprocessing:
            pool = ProcessPoolExecutor(self.workers, mp_context=multiprocessing.get_context("fork"))
            _pools.add(pool)
            with warnings.catch_warnings():
                # JAX warns of forks, since its threads do not exist in a child; the children only make batches.
                warnings.simplefilter("ignore")
                pool.submit(int)  # the first task forks all children
            return pool
        return ThreadPoolExecutor(self.workers, thread_name_prefix="keras_worker")

    @abc.abstractmethod
    def _run(self) -> None:
        """Fills the queue; a cancelled batch ends it."""

    def get(self) -> Iterator[Any]:
        """The batches, in order.

        Raises:
            Exception: what the source raised.
        """
        try:
            while self.is_running():
                made = self.queue.get()  # type: ignore[union-attr]
                if made.cancelled():
                    return
                yield made.result()
        finally:
            self.stop()


_pools: weakref.WeakSet[ProcessPoolExecutor] = weakref.WeakSet()


@export("keras.experimental.terminate_keras_multiprocessing_pools")
def terminate_keras_multiprocessing_pools(grace_period: float = 0.1, use_sigkill: bool = False) -> None:
    """Ends the worker processes of all enqueuers of this process.

    Args:
        grace_period: how many seconds a process has to end.
        use_sigkill: whether to kill a process that has not ended by then.
    """
    for pool in list(_pools):
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
            process.join(grace_period)
            if use_sigkill and process.is_alive():
                process.kill()
        _pools.discard(pool)


def _item(sequence: Any, index: int) -> Any:
    return sequence[index]


@export("keras.utils.OrderedEnqueuer")
class OrderedEnqueuer(SequenceEnqueuer):
    """Prepares the batches of a `Sequence`, epoch after epoch, in order.

    Args:
        sequence: the Sequence.
        use_multiprocessing: whether the workers are processes, not threads.
        shuffle: whether each epoch has an order of its own.
    """

    def __init__(self, sequence: Sequence, use_multiprocessing: bool = False, shuffle: bool = False) -> None:
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _run(self) -> None:
        failed: Future[Any] = Future()
        try:
            with self._executor() as executor:
                while self.is_running() and self._epoch(executor):
                    self.sequence.on_epoch_end()
            failed.cancel()
        except BaseException as error:
            failed.set_exception(error)
        self._put(failed)

    def _epoch(self, executor: Executor) -> bool:
        """Has an epoch made; False if it is empty, or the enqueuer was stopped meanwhile."""
        futures = []
        for index in _order(self.sequence, self.shuffle):
            futures.append(executor.submit(_item, self.sequence, index))
            if not self._put(futures[-1]):
                return False
        for future in futures:  # the next epoch may differ, and begins when all of this one is made
            while self.is_running() and not _is_done(future):
                pass
        return bool(futures)


def _is_done(future: Future[Any]) -> bool:
    """Whether a batch is made, or will not be; waits for it a while."""
    return bool(wait([future], timeout=0.1).done)


@export("keras.utils.GeneratorEnqueuer")
class GeneratorEnqueuer(SequenceEnqueuer):
    """Takes batches from a generator ahead of time.

    Args:
        sequence: the generator.
        use_multiprocessing: has no effect but a warning: processes would repeat its batches, so that a thread runs it.
        random_seed: has no effect: a single worker draws all numbers.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, random_seed: int | None = None) -> None:
        super().__init__(sequence, use_multiprocessing)
        if use_multiprocessing:
            logging.warning("A generator cannot be divided among processes: a thread runs it. Use a "
                            "`tf.keras.utils.Sequence` for several processes.")

    def _run(self) -> None:
        for made in _outcomes(self.sequence):
            if not self._put(made):
                return


def _outcomes(generator: Any) -> Iterator[Future[Any]]:
    """Each batch of a generator, or what it raised; at last, a cancelled one."""
    advance: Callable[[], Any] = iter(generator).__next__
    while True:
        made: Future[Any] = Future()
        try:
            made.set_result(advance())
        except StopIteration:
            made.cancel()
            yield made
            return
        except BaseException as error:
            made.set_exception(error)
            yield made
            return
        yield made


def queued(source: Any, shuffle: bool = False, max_queue_size: int = 10, workers: int = 1,
           use_multiprocessing: bool = False) -> Iterator[Any]:
    """The batches of a generator or Sequence, prepared by workers; by none if `workers` is 0.

    A Sequence begins again when it is over.
    """
    is_sequence = isinstance(source, Sequence)
    if workers <= 0:
        return _repeated(source, shuffle) if is_sequence else iter(source)
    enqueuer: SequenceEnqueuer = OrderedEnqueuer(source, use_multiprocessing, shuffle) if is_sequence else \
        GeneratorEnqueuer(source, use_multiprocessing)
    enqueuer.start(workers, max_queue_size)
    return enqueuer.get()


def _repeated(sequence: Sequence, shuffle: bool) -> Iterator[Any]:
    while len(sequence):
        for index in _order(sequence, shuffle):
            yield sequence[index]
        sequence.on_epoch_end()


def _order(sequence: Sequence, shuffle: bool) -> list[int]:
    order = np.arange(len(sequence))
    if shuffle:
        np.random.shuffle(order)
    return order.tolist()
