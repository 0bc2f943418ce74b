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
    """Lets several threads stop when one of them wants to, and hands on the exception of the one that failed.

    >>> coord = tf.train.Coordinator()
    >>> def work():
    ...     with coord.stop_on_exception():
    ...         while not coord.should_stop():
    ...             step()
    >>> threads = [threading.Thread(target=work) for _ in range(4)]
    >>> for t in threads: t.start()
    >>> coord.join(threads)

    Args:
        clean_stop_exception_types: exceptions that ask to stop without being an error: by default OutOfRangeError, with
            which an input ends.
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
        """Whether `join` has ended."""
        return self._joined

    def request_stop(self, ex: Any = None) -> None:
        """Asks all threads to stop.

        Args:
            ex: why: an exception, or what sys.exc_info() gives. The first one is raised by `join`. After `join` has
                ended, it is raised at once.
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
        """Makes the coordinator as new, so that it can be used again after a join."""
        with self._lock:
            self._joined, self._error = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether someone asked to stop."""
        return self._stop.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """A block that asks to stop with the exception that is raised inside it."""
        try:
            yield
        except BaseException as error:  # noqa: BLE001 - whoever joins gets it
            self.request_stop(error)

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until someone asks to stop, at most `timeout` seconds; gives whether someone did."""
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Has `join` wait for this thread too."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(self, threads: Iterable[threading.Thread] | None = None, stop_grace_period_secs: float = 120,
             ignore_live_threads: bool = False) -> None:
        """Waits for the threads to end, and then raises what one of them may have reported.

        Args:
            threads: threads to wait for besides the registered ones.
            stop_grace_period_secs: how long they may go on after someone asked to stop.
            ignore_live_threads: whether threads that go on even longer are left alone.

        Raises:
            RuntimeError: threads go on after the grace period.
        """
        with self._lock:
            waited = self._registered_threads.union(threads or ())
        alive = lambda: [t for t in waited if t.is_alive()]
        while alive() and not self.wait_for_stop(_POLL_SECONDS):
            pass
        self._stop.set()
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
        """Raises what was given to `request_stop`, if anything."""
        with self._lock:
            if self._error is not None:
                raise self._error


@export("train.LooperThread")
class LooperThread(threading.Thread):
    """A thread that does something again and again until its coordinator stops.

    Subclasses may define `run_loop`, `start_loop` and `stop_loop` instead of giving a `target`.

    Args:
        coord: the coordinator.
        timer_interval_secs: how often to do it; None does it again at once.
        target: what to do.
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
        """A started thread."""
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
        """Called once, before the first time."""

    def stop_loop(self) -> None:
        """Called once, after the last time."""

    def run_loop(self) -> None:
        """Called each time."""
        if self._work is not None:
            self._work(*self._work_args, **self._work_kwargs)
