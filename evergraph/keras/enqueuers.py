"""tf.keras.utils.Sequence and the enqueuers: batches made by threads or processes, ahead of their use."""
from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import multiprocessing.pool
import queue
import random
import threading
import weakref
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from evergraph.base.export import export

_POLL = 0.05  # seconds until a thread that waits for a place in a queue looks whether it is to stop


@export("keras.utils.Sequence")
class Sequence:
    """A sequence of batches: a subclass has `__getitem__`, the batch of an index, and `__len__`, their number.

    >>> class Numbers(tf.keras.utils.Sequence):
    ...     def __len__(self):
    ...         return 3
    ...     def __getitem__(self, index):
    ...         return np.full([2, 1], index)
    >>> len(list(Numbers()))
    3

    Threads and processes may make its batches at the same time, each batch once in an epoch.
    """

    @abstractmethod
    def __getitem__(self, index: int) -> Any:
        """The batch of an index."""
        raise NotImplementedError

    @abstractmethod
    def __len__(self) -> int:
        """The number of batches."""
        raise NotImplementedError

    def on_epoch_end(self) -> None:
        """Is called after each epoch; a subclass may shuffle its data."""

    def __iter__(self) -> Iterator[Any]:
        """The batches of one epoch."""
        return (self[index] for index in range(len(self)))


# ---- workers

_numbers = itertools.count()
_SOURCES: dict[int, Any] = {}
"""The sequence or generator of each enqueuer, by number. A process that is forked has what was in it then."""

_pools: weakref.WeakSet[Any] = weakref.WeakSet()


def _item(number: int, index: int) -> Any:
    return _SOURCES[number][index]


def _next(number: int) -> Any:
    return next(_SOURCES[number])


def _begin_process(sources: dict[int, Any], seed: int | None) -> None:
    """Gives a new process its sources, and random numbers of its own."""
    _SOURCES.update(sources)
    identity = multiprocessing.current_process()._identity
    np.random.seed(None if seed is None else seed + (identity[0] if identity else 0))


def _processes(workers: int, seed: int | None) -> Any:
    """A pool of forked processes: generators cannot be sent to a process, only be inherited."""
    try:
        context = multiprocessing.get_context("fork")
    except ValueError as error:
        raise ValueError("use_multiprocessing=True forks processes, which this system cannot do") from error
    pool = context.Pool(workers, _begin_process, (dict(_SOURCES), seed))
    _pools.add(pool)
    return pool


@export("keras.experimental.terminate_keras_multiprocessing_pools")
def terminate_keras_multiprocessing_pools(grace_period: float = 0.1, use_sigkill: bool = False) -> None:
    """Ends the processes of all enqueuers of this process.

    Args:
        grace_period: how many seconds a process has to end, before it is killed.
        use_sigkill: whether to kill processes that do not end.
    """
    for pool in list(_pools):
        members = list(pool._pool)
        pool.terminate()
        for process in members:
            process.join(grace_period)
            if use_sigkill and process.is_alive():
                process.kill()
        _pools.discard(pool)


# ---- enqueuers

@export("keras.utils.SequenceEnqueuer")
class SequenceEnqueuer:
    """The base of enqueuers: a thread that has workers make batches, which wait in a queue.

    Args:
        sequence: the sequence or generator.
        use_multiprocessing: whether the workers are processes, not threads.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False) -> None:
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        self.uid = next(_numbers)
        self.queue: Any = None
        self.run_thread: threading.Thread | None = None
        self.stop_signal = threading.Event()
        self.workers = 0
        self.seed: int | None = None

    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
        return self.run_thread is not None and not self.stop_signal.is_set()

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Starts the workers.

        Args:
            workers: their number.
            max_queue_size: how many batches are made ahead.
        """
        self.workers, self.queue = workers, queue.Queue(max_queue_size)
        self.stop_signal = threading.Event()
        self._send_sequence()
        self.run_thread = threading.Thread(target=self._run, daemon=True)
        self.run_thread.start()

    def stop(self, timeout: float | None = None) -> None:
        """Stops the workers. What is in the queue is lost.

        Args:
            timeout: how many seconds to wait for them; by default until they have stopped.
        """
        self.stop_signal.set()
        if self.run_thread is not None and self.run_thread is not threading.current_thread():
            self.run_thread.join(timeout)
        _SOURCES.pop(self.uid, None)

    def get(self) -> Iterator[Any]:
        """The batches."""
        while True:
            result = self._waiting()
            if result is None:
                return
            try:
                made = result.get()
            except StopIteration:  # a generator's end; other workers may be ahead of it
                yield from self._rest()
                return
            except Exception as error:
                self.stop()
                if "generator already executing" in str(error):
                    raise RuntimeError("The generator is used by several threads at once, which generators do not "
                                       "allow: use one worker, use_multiprocessing=True, or a tf.keras.utils.Sequence"
                                       ) from error
                raise
            self.queue.task_done()
            if made is not None:
                yield made

    def _waiting(self) -> Any:
        """The next result, complete or not; None if it was stopped."""
        while self.is_running():
            with contextlib.suppress(queue.Empty):
                return self.queue.get(timeout=_POLL)
        return None

    def _rest(self) -> Iterator[Any]:
        """What workers made before the generator ended."""
        self.stop_signal.set()
        if self.run_thread is not None:
            self.run_thread.join()
        while not self.queue.empty():
            with contextlib.suppress(StopIteration):
                made = self.queue.get().get()
                if made is not None:
                    yield made

    @contextlib.contextmanager
    def _pool(self) -> Iterator[Any]:
        pool = _processes(self.workers, self.seed) if self.use_multiprocessing else \
            multiprocessing.pool.ThreadPool(self.workers)
        try:
            yield pool
            pool.close()
            if not self.use_multiprocessing:
                pool.join()
        finally:
            if self.use_multiprocessing:
                pool.terminate()
                _pools.discard(pool)

    def _put(self, result: Any) -> bool:
        """Waits for a place in the queue; returns False if it is to stop."""
        while not self.stop_signal.is_set():
            with contextlib.suppress(queue.Full):
                self.queue.put(result, timeout=_POLL)
                return True
        return False

    def _send_sequence(self) -> None:
        _SOURCES[self.uid] = self.sequence

    @abstractmethod
    def _run(self) -> None:
        """Has the workers fill the queue, until it is to stop."""
        raise NotImplementedError


@export("keras.utils.OrderedEnqueuer")
class OrderedEnqueuer(SequenceEnqueuer):
    """Makes the batches of a `tf.keras.utils.Sequence` ahead of their use, in their order, epoch after epoch.

    Args:
        sequence: the sequence.
        use_multiprocessing: whether the workers are processes, not threads. They are forked for each epoch.
        shuffle: whether each epoch has another order.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, shuffle: bool = False) -> None:
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _run(self) -> None:
        order = list(range(len(self.sequence)))
        self._send_sequence()
        while not self.stop_signal.is_set():
            if self.shuffle:
                random.shuffle(order)
            with self._pool() as pool:
                if not all(self._put(pool.apply_async(_item, (self.uid, index))) for index in order):
                    return
                while self.queue.unfinished_tasks and not self.stop_signal.wait(_POLL / 10):
                    pass
            if not self.stop_signal.is_set():
                self.sequence.on_epoch_end()
                self._send_sequence()


@export("keras.utils.GeneratorEnqueuer")
class GeneratorEnqueuer(SequenceEnqueuer):
    """Makes the batches of a generator ahead of their use.

    With processes each has a copy of the generator, so that a batch may come as often as there are workers.

    Args:
        sequence: the generator.
        use_multiprocessing: whether the workers are processes, not threads.
        random_seed: the seed of the first process; the others have those that follow.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, random_seed: int | None = None) -> None:
        super().__init__(sequence, use_multiprocessing)
        self.seed = random_seed

    def _run(self) -> None:
        with self._pool() as pool:
            while self._put(pool.apply_async(_next, (self.uid,))):
                pass
