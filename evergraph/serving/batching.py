"""Runs what waits together: the rows of several requests to one signature become one run of the model.

A signature has a Queue. Whoever adds a call to it sees to it that someone drains it: the event loop for light
signatures, and a pool of threads for the others. While a run is under way, other calls wait, and the next run takes all
of them.
"""

from __future__ import annotations

import bisect
import functools
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.serving.signature import Arrays, Signature

MOST_WAITING = 1000  # calls of a signature that is not batched


@dataclass(frozen=True)
class Batching:
    """How rows of requests are put together; the names are those of TensorFlow Serving's parameters file.

    Attributes:
        max_batch_size: the most rows of a request, and of a run.
        batch_timeout_micros: how long a run waits for more rows.
        max_enqueued_batches: how many runs' rows may wait; what comes then is refused.
        num_batch_threads: how many runs of a signature may be under way.
        allowed_batch_sizes: the sizes that runs are padded to, in rising order; the last is the maximum.
        pad_variable_length_inputs: whether requests with different sizes behind the first dimension are padded.
        enable_large_batch_splitting: whether a request may have more rows than a run.
        max_execution_batch_size: the most rows of a run then.
    """

    max_batch_size: int = 1000
    batch_timeout_micros: int = 0
    max_enqueued_batches: int = 10
    num_batch_threads: int = 1
    allowed_batch_sizes: tuple[int, ...] = ()
    pad_variable_length_inputs: bool = False
    enable_large_batch_splitting: bool = False
    max_execution_batch_size: int = 0

    @functools.cached_property
    def most_rows(self) -> int:
        """Of a run."""
        return self.max_execution_batch_size or self.max_batch_size

    @functools.cached_property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of rows that the model runs with: those allowed, or else powers of two, so that they are few."""
        if self.allowed_batch_sizes:
            return self.allowed_batch_sizes
        powers = [1 << power for power in range(self.most_rows.bit_length()) if 1 << power < self.most_rows]
        return (*powers, self.most_rows)

    def padded_size(self, rows: int) -> int:
        place = bisect.bisect_left(self.sizes, rows)
        return self.sizes[place] if place < len(self.sizes) else rows


class Call:
    """One request to a signature, and what comes of it.

    Args:
        values: the inputs in the signature's order.
        outputs: the outputs that it wants.
        deadline: when it is no longer of use, by `time.monotonic`; None for never.
        done: called with the call as soon as it has `results` or an `error`, in whichever thread that happens.
        model: what may not be unloaded before.
    """

    __slots__ = ("values", "outputs", "deadline", "_done", "_model", "rows", "form", "results", "error", "is_over",
                 "began")  # fmt: skip

    def __init__(
        self, values: Sequence[Any], outputs: tuple[str, ...], deadline: float | None, done: Callable[[Call], None],
        model: Any = None,
    ) -> None:  # fmt: skip
        self.values, self.outputs, self.deadline = values, outputs, deadline
        self._done, self._model = [done], model
        self.rows = 0  # none: the call runs alone
        self.form: Any = None  # equal for calls whose rows can be put together
        self.results: Arrays | None = None
        self.error: Exception | None = None
        self.is_over = False
        self.began = 0.0

    def finish(self, results: Arrays | None, error: Exception | None = None) -> None:
        """Ends the call; only the first time counts, also when two threads do so at once."""
        try:
            done = self._done.pop()
        except IndexError:
            return
        self.results, self.error, self.is_over = results, error, True
        done(self)


class Queue:
    """The calls of one signature that wait, and the runs of it.

    Args:
        signature: the signature.
        batching: how calls are put together; None to run each alone.
        threads: how many runs may be under way if each call runs alone.
        longest: seconds that a run may take if the model has loops or queues.
        ran: called with (rows that were asked for, rows that the model ran with, seconds) after each run.

    Attributes:
        waits: seconds that a run waits for more rows.
    """

    def __init__(
        self, signature: Signature, batching: Batching | None, threads: int, longest: float,
        ran: Callable[[int, int, float], None],
    ) -> None:  # fmt: skip
        self.signature, self._longest, self._ran = signature, longest, ran
        self.batching = batching if signature.has_rows and not signature.changes_state else None
        self.waits = self.batching.batch_timeout_micros / 1e6 if self.batching is not None else 0.0
        self._most_runs = self.batching.num_batch_threads if self.batching is not None else threads
        self._waiting: deque[Call] = deque()
        self._rows = 0
        self._running = 0
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)

    @property
    def is_full(self) -> bool:
        """Whether the rows of a whole run wait, or each call runs alone."""
        return self.batching is None or self._rows >= self.batching.most_rows

    def add(self, call: Call) -> bool:
        """Adds a call that waits; returns whether it is the only one.

        Raises:
            ResourceExhaustedError: too many wait already.
            InvalidArgumentError: it has more rows than are allowed, or its inputs do not have the same number.
        """
        if self.batching is not None:
            self._measure(call, self.batching)
        with self._lock:
            if self._is_full(call):
                raise errors.ResourceExhaustedError(None, None, "The batch scheduling queue is full: try again later")
            self._waiting.append(call)
            self._rows += call.rows
            if self.waits:
                call.began = time.monotonic()
                if self.is_full:  # else who waits for more rows has no reason to wake up
                    self._changed.notify_all()
            return len(self._waiting) == 1

    def _is_full(self, call: Call) -> bool:
        if self.batching is None:
            return len(self._waiting) >= MOST_WAITING
        return self._rows + call.rows > self.batching.max_enqueued_batches * self.batching.max_batch_size

    def _measure(self, call: Call, batching: Batching) -> None:
        """Finds the rows of a call, and what others have to look like to be run with it."""
        shapes = [value.shape for value in call.values]
        if () in shapes:
            return  # it runs alone, whatever the model makes of it
        rows = shapes[0][0]
        if len(shapes) > 1 and any(shape[0] != rows for shape in shapes):
            raise invalid(f"The inputs of a batch must have the same number of rows, and have {shapes}")
        if rows > batching.max_batch_size and not batching.enable_large_batch_splitting:
            raise invalid(f"A request may have {batching.max_batch_size} rows, and this one has {rows}")
        inner = list(map(len, shapes)) if batching.pad_variable_length_inputs else [shape[1:] for shape in shapes]
        call.rows, call.form = rows, (call.outputs, inner)

    def drain(self, at_once: bool = False) -> None:
        """Runs what waits, until nothing does, unless enough runs are under way.

        Args:
            at_once: whether to run what is there without waiting for more rows.
        """
        with self._lock:
            if self._running >= self._most_runs:
                return
            self._running += 1
        while calls := self._next(at_once):
            self._run(calls)

    @property
    def is_running(self) -> bool:
        return self._running > 0

    def _next(self, at_once: bool) -> list[Call]:
        """The calls of the next run, as soon as it is full or has waited long enough; none if the runs end here."""
        with self._lock:
            while self._waiting:
                if at_once or not self.waits or self.is_full:
                    return self._taken()
                left = self._waiting[0].began + self.waits - time.monotonic()
                if left <= 0:
                    return self._taken()
                self._changed.wait(left)
            self._running -= 1  # under the lock, so that a call is either taken here or drained by who adds it
            return []

    def _taken(self) -> list[Call]:
        """Takes calls of one form from the queue, up to the most rows of a run; at least one."""
        first = self._waiting.popleft()
        calls, others, rows = [first], [], first.rows
        most = self.batching.most_rows if self.batching is not None and rows else 0
        while rows < most and self._waiting:
            call = self._waiting.popleft()
            if call.form == first.form and rows + call.rows <= most:
                calls.append(call)
                rows += call.rows
            else:
                others.append(call)
        self._waiting.extendleft(reversed(others))
        self._rows -= rows
        return calls

    def _run(self, calls: list[Call]) -> None:
        now = time.monotonic()
        for call in calls:
            if call.deadline is not None and call.deadline < now:
                call.finish(None, errors.DeadlineExceededError(None, None, "The request waited beyond its deadline"))
        calls = [call for call in calls if not call.is_over]
        if not calls:
            return
        try:
            results = self._results(calls)
        except Exception as error:
            if len(calls) > 1:  # one of them is to blame: each on its own tells which
                for call in calls:
                    self._run([call])
                return
            calls[0].finish(None, error)
            return
        for call, result in zip(calls, results):
            call.finish(result)

    def _results(self, calls: list[Call]) -> list[Arrays]:
        """What the model says to each call."""
        rows, outputs = sum(call.rows for call in calls), calls[0].outputs
        if self.batching is None or not rows:
            return [self._timed(calls[0].values, outputs, 0)]
        results = self._of_rows(joined(calls), rows, self.batching.most_rows, outputs)
        if len(calls) == 1:
            return [results]
        if any(not value.ndim or len(value) != rows for value in results):
            self.signature.has_rows, self.batching = False, None  # it turns out that its outputs have no rows
            return [self._timed(call.values, outputs, 0) for call in calls]
        return divided(results, [call.rows for call in calls])

    def _of_rows(self, values: Arrays, rows: int, most: int, outputs: tuple[str, ...]) -> Arrays:
        """The results of rows, in several runs if there are more than `most`."""
        if rows <= most:
            return self._of_some(values, outputs)
        parts = [self._of_some([value[start : start + most] for value in values], outputs)
                 for start in range(0, rows, most)]  # fmt: skip
        return [np.concatenate(each) for each in zip(*parts)]

    def _of_some(self, values: Arrays, outputs: tuple[str, ...]) -> Arrays:
        """The results of rows that fit into one run, which are padded to a size that is allowed."""
        rows = len(values[0])
        size = self.batching.padded_size(rows) if self.batching is not None else rows
        if size == rows:
            return self._timed(values, outputs, rows)
        padding = [np.repeat(value[:1], size - rows, axis=0) for value in values]
        results = self._timed([np.concatenate(each) for each in zip(values, padding)], outputs, rows)
        return [value[:rows] if value.ndim and len(value) == size else value for value in results]

    def _timed(self, values: Sequence[Any], outputs: tuple[str, ...], rows: int) -> Arrays:
        start = time.monotonic()
        results = self.signature.run(values, outputs, self._longest)
        self._ran(rows, len(values[0]) if rows else 0, time.monotonic() - start)
        return results


def joined(calls: Sequence[Call]) -> Arrays:
    """The rows of all calls as one array for each input; shorter ones are padded with their first element."""
    if len(calls) == 1:
        return list(calls[0].values)
    return [np.concatenate(_alike(values)) for values in zip(*[call.values for call in calls])]


def _alike(values: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    sizes = [value.shape[1:] for value in values]
    if len(set(sizes)) == 1:
        return values
    largest = [max(each) for each in zip(*sizes)]
    return [_padded(value, largest) for value in values]


def _padded(value: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    if value.shape[1:] == tuple(sizes):
        return value
    filler = value.reshape(-1)[:1] if value.size else np.zeros(1, value.dtype)
    full = np.full((len(value), *sizes), filler, value.dtype)
    full[tuple(slice(size) for size in value.shape)] = value
    return full


def divided(results: Arrays, rows: Sequence[int]) -> list[Arrays]:
    """The results of several calls from those of one run: views of its rows."""
    parts, start = [], 0
    for count in rows:
        parts.append([value[start : start + count] for value in results])
        start += count
    return parts
