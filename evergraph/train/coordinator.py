"""Threads that work together and stop together: tf.train.Coordinator, tf.train.LooperThread."""
from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from evergraph.base import errors, logging
from evergraph.base.export import export

_POLL_SECONDS = 0.05  # how often a join looks whether threads have ended


@export("train.Coordinator")
class Coordinator:
    """Coordinates the shutdown of threads: any of them can request a stop, and `join` raises the first exception.

    >>> coord = tf.train.Coordinator()
    >>> def work():
    ...     with coord.stop_on_exception():
    ...         while not coord.should_stop():
    ...             step()
    >>> threads = [threading.Thread(target=work) for _ in range(4)]
    >>> for t in threads: t.start()
    >>> coord.join(threads)

    Args:
        clean_stop_exception_types: exceptions that request a stop without being an error; by default OutOfRangeError,
            which marks the end of an input.
    """

    def __init__(self, clean_stop_exception_types: Sequence[type[BaseException]] | None = None) -> None:
        self._clean = tuple(clean_stop_exception_types) if clean_stop_exception_types is not None \
            else (errors.OutOfRangeError,)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._joined = False
        self._error: BaseException | None = None
        self._registered_threads: set[threading.Thread] = set()

    @property
    def joined(self) -> bool:
        """Whether `join` has returned or raised."""
        return self._joined

    def request_stop(self, ex: Any = None) -> None:
        """Requests that all threads stop.

        Args:
            ex: the reason: an exception, or the result of sys.exc_info(). `join` raises the first one; after `join`, it
                is raised immediately.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        with self._lock:
            if isinstance(error, self._clean):
                logging.info("Stopping because of %s: %s", type(error).__name__, error)
                error = None
            if self._joined and error is not None:
                raise error
            if self._stop.is_set():
                return
            if error is not None:
                logging.info("Stopping because of an error: %s: %s", type(error).__name__, error)
                self._error = error
            self._stop.set()

    def clear_stop(self) -> None:
        """Resets the coordinator after a `join`, so that it can be used again."""
        with self._lock:
            self._joined, self._error = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether a stop was requested."""
        return self._stop.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """A context manager that catches any exception and requests a stop with it."""
        try:
            yield
        except BaseException as error:  # noqa: BLE001 - whoever joins gets it
            self.request_stop(error)

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until a stop is requested, at most `timeout` seconds; returns whether it was."""
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Adds a thread to those that `join` waits for."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(self, threads: Iterable[threading.Thread] | None = None, stop_grace_period_secs: float = 120,
             ignore_live_threads: bool = False) -> None:
        """Waits until all threads have ended, and raises the exception that was given to `request_stop`, if any.

        Args:
            threads: threads to wait for in addition to the registered ones.
            stop_grace_period_secs: the time in which threads must end after a stop was requested.
            ignore_live_threads: whether to return, rather than raise, when threads are alive after that time.

        Raises:
            RuntimeError: threads are alive after the grace period.
        """
        with self._lock:
            waited = self._registered_threads.union(threads or ())
        alive = lambda: [t for t in waited if t.is_alive()]
        while alive() and not self.wait_for_stop(_POLL_SECONDS):
            pass
        deadline = time.monotonic() + stop_grace_period_secs
        for thread in alive():
            thread.join(max(0.0, deadline - time.monotonic()))
        left = " ".join(t.name for t in alive())
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._error is not None:
                raise self._error
        if left and not ignore_live_threads:
            raise RuntimeError(f"threads still running {stop_grace_period_secs} seconds after the stop: {left}")
        if left:
            logging.info("The coordinator stopped while threads were still running: %s", left)

    def raise_requested_exception(self) -> None:
        """Raises the exception that was given to `request_stop`, if any."""
        with self._lock:
            if self._error is not None:
                raise self._error


@export("train.LooperThread")
class LooperThread(threading.Thread):
    """A thread that calls a function repeatedly until its coordinator requests a stop.

    A subclass may override `run_loop`, `start_loop` and `stop_loop` in place of giving a `target`.

    Args:
        coord: the Coordinator.
        timer_interval_secs: the number of seconds between the starts of calls; None calls without a pause.
        target: the function.
        args: its arguments.
        kwargs: its keyword arguments.

    Raises:
        ValueError: `coord` is no Coordinator.
    """

    def __init__(self, coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any] | None = None,
                 args: Sequence[Any] | None = None, kwargs: Mapping[str, Any] | None = None) -> None:
        if not isinstance(coord, Coordinator):
            raise ValueError(f"coord must be a tf.train.Coordinator, not {coord!r}")
        if target is None and (args or kwargs):
            raise ValueError("args and kwargs are for target, which is not given")
        super().__init__(daemon=True)
        self._coord, self._interval = coord, timer_interval_secs
        self._work, self._work_args, self._work_kwargs = target, tuple(args or ()), dict(kwargs or {})
        coord.register_thread(self)

    isAlive = threading.Thread.is_alive  # its name until Python 3.9, which programs of TensorFlow 1's time call

    @staticmethod
    def loop(coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any],
             args: Sequence[Any] | None = None, kwargs: Mapping[str, Any] | None = None) -> LooperThread:
        """Creates and starts a LooperThread."""
        thread = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        with self._coord.stop_on_exception():
            self.start_loop()
            due = time.monotonic()
            while not self._coord.wait_for_stop(max(0.0, due - time.monotonic())):
                due += self._interval or 0.0
                self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called once, before the first call of `run_loop`."""

    def stop_loop(self) -> None:
        """Called once, after the last call of `run_loop`."""

    def run_loop(self) -> None:
        """One iteration: calls the target."""
        if self._work is not None:
            self._work(*self._work_args, **self._work_kwargs)
