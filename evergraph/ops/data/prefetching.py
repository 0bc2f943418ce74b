"""Datasets whose elements are computed ahead, by a thread of their own."""

from __future__ import annotations

import collections
import math
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.kernel.patience import patience
from evergraph.ops.data.blocks import Block
from evergraph.ops.data.own_time import own_seconds, usage
from evergraph.ops.data.pipeline import LATER, TYPES, Dataset, Element, Iterator, Transformed, dataset_op, number

T = TypeVar("T")
AUTOTUNE = -1
DEFAULT_ROOM = 8  # how many elements are computed ahead where TensorFlow would tune that
QUICK = 100e-6  # seconds, about as long as it takes to hand an element from one thread to another
FIRST_TRIALS, MOST_TRIALS = 16, 1024  # elements that threads draw before it is decided who draws the next
CLOSE_LOOKS = 256  # elements after a slow one whose time is told from that of other processes
_FIRST_CREDIT, _MOST_CREDIT = 0.01, 1.0  # seconds by which elements may be slower before threads go on


class Ahead(Transformed):
    """The same elements, some of them computed before they are asked for.

    Args:
        room: how many; 0 for none, and AUTOTUNE leaves it to the dataset.
    """

    def __init__(self, node: Any, source: Any, room: int) -> None:
        super().__init__(node, source)
        self.room = DEFAULT_ROOM if room == AUTOTUNE else room

    def iterate(self, scope: Any) -> Iterator:
        source = self.source.iterate(scope)
        return AheadIterator(source, self.room) if self.room else source


def ahead_of(dataset: Dataset, room: int) -> Ahead:
    """The same dataset with so many elements computed ahead."""
    result: Ahead = object.__new__(Ahead)
    Dataset.__init__(result, dataset.types, dataset.shapes)
    result.source, result.room = dataset, room
    return result


class AheadIterator(Iterator):
    """Hands out what threads have drawn, in the order in which they drew it.

    The threads start with the first `get` and end with `close`. They reach the iterator through a weak reference: one
    that nobody holds any more ends its threads. They rest while elements are drawn so quickly that handing them over
    would take longer (`Pace`); then `get` draws.

    Args:
        source: what they draw from, one at a time.
        room: how many elements may be on their way.
        work: what each thread makes of an element that it drew, at the same time as others; None for nothing.
        threads: how many.
        in_order: False to hand out first what is there first.
    """

    def __init__(self, source: Iterator, room: int, work: Callable[[Element], Element | None] | None = None,
                 threads: int = 1, in_order: bool = True) -> None:
        super().__init__(source)
        self._room, self._work, self._count = room, work, threads
        self._ready = _Channel(in_order)
        self._drawing = threading.Lock()  # held while a thread draws; `state` takes it
        self._threads: list[threading.Thread] = []
        self._close_looks = 0  # elements left
        self._is_new = True
        weakref.finalize(self, self._ready.stop).atexit = False

    def get(self) -> Element | None:
        if self._ready.is_resting:
            if patience(None) is None:
                return self._drawn_here(self._next, 1)
            self._ready.go_on()  # a step with a deadline waits for threads, which nothing interrupts
        if not self._threads:
            self._start()
        return self._ready.take()

    def block(self, count: int) -> Block:
        """Many elements at once may be quick where one is not, so that the first ones are drawn without threads."""
        if self._work is not None or patience(None) is not None:
            return super().block(count)
        if self._is_new:
            self._is_new = False
            self._ready.rest()
        if not self._ready.is_resting:
            return super().block(count)
        return self._drawn_here(lambda: self._next_block(count), count)

    def _start(self) -> None:
        self._is_new = False
        self._threads = [threading.Thread(target=_draw_ahead, args=(weakref.ref(self), self._ready, self._room),
                                          name="evergraph_prefetch", daemon=True) for _ in range(self._count)]
        for thread in self._threads:
            thread.start()

    def _next(self) -> Element | None:
        element = self.source.get()
        if element is None:
            self._ready.end()
            return None
        return element if self._work is None else self._work(element)

    def _next_block(self, count: int) -> Block:
        block = self.source.block(count)
        if block.is_over:
            self._ready.end()
        return block

    def _drawn_here(self, draw: Callable[[], T], count: int) -> T:
        """What a function draws in the thread that asks for it, so many elements.

        On a busy machine any element may look slow, because another process ran meanwhile, and threads would take even
        longer there. So a slow element only has the next ones looked at closely, which takes a microsecond each.
        """
        before, start = usage() if self._close_looks else None, time.perf_counter()
        with self._drawing:
            found = draw()
        seconds = time.perf_counter() - start
        if self._close_looks:
            self._close_looks -= 1
            if seconds > count * QUICK:
                seconds = own_seconds(seconds, before, usage())
        elif seconds > count * QUICK:
            self._close_looks, seconds = CLOSE_LOOKS, count * QUICK
        self._ready.note(seconds, count)
        return found

    def draw(self) -> None:
        """Draws one element and does the work on it: what the threads do."""
        with self._drawing:
            slot, start = self._ready.reserve(self._room), time.perf_counter()
            if slot is None:  # another thread was faster
                return
            try:
                slot.element, slot.error = self.source.get(), None
            except Exception as error:  # whoever asks for the element gets it
                slot.error = error
            is_last = slot.element is None
            if is_last or self._work is None:
                self._ready.finish(slot, time.perf_counter() - start, is_over=is_last and slot.error is None)
                return
        try:
            slot.element = self._work(slot.element)
        except Exception as error:
            slot.element, slot.error = None, error
        self._ready.finish(slot, time.perf_counter() - start)

    def state(self) -> Any:
        with self._drawing:
            return self._ready.contents(), self.source.state()

    def restore(self, state: Any) -> None:
        contents, inner = state
        self._ready.fill(contents)
        self.source.restore(inner)

    def stop(self) -> None:
        self._ready.stop()
        super().stop()

    def close(self) -> None:
        self.stop()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        super().close()


class _Slot:
    """The place of an element on its way: the element, or an error; neither is the end."""

    __slots__ = ("element", "error", "is_done")

    def __init__(self, element: Element | None = None, error: Exception | None = None, is_done: bool = False) -> None:
        self.element, self.error, self.is_done = element, error, is_done

    @property
    def is_end(self) -> bool:
        return self.is_done and self.element is None and self.error is None


class Pace:
    """Decides who draws elements: threads, or whoever asks for them.

    To hand an element over, a thread is woken and then gives the interpreter's lock back, which takes about `QUICK`.
    Threads draw at first. If one of their elements was quicker than that, those who ask draw the next ones, for as long
    as these take no longer than `QUICK` on average: a slow one among many quick ones does not count. Each time that
    threads have to go on, they do so for twice as many elements as the last time, up to `MOST_TRIALS`.

    Attributes:
        is_quick: whether whoever asks for an element draws it.
    """

    def __init__(self) -> None:
        self._trials, self._credit = FIRST_TRIALS, 0.0
        self.try_threads()

    def try_threads(self) -> None:
        """Has threads draw the next elements."""
        self.is_quick, self._left, self._quickest = False, self._trials, math.inf

    def try_here(self) -> None:
        """Has whoever asks for elements draw them, at first."""
        self.is_quick, self._credit = True, _FIRST_CREDIT

    def note(self, seconds: float, count: int = 1) -> None:
        """Takes note of how long an element took, or how long several took that were asked for at once."""
        if self.is_quick:
            self._credit = min(self._credit + count * QUICK - seconds, _MOST_CREDIT)
            if self._credit < 0:
                self._trials = min(2 * self._trials, MOST_TRIALS)
                self.try_threads()
            return
        self._left, self._quickest = self._left - 1, min(self._quickest, seconds)
        if self._left == 0:
            is_quick = self._quickest < QUICK
            self.try_threads()
            if is_quick:
                self.try_here()


class _Channel:
    """Elements on their way from threads to whoever takes them, in order or not. The end, once there, stays."""

    def __init__(self, in_order: bool) -> None:
        self._in_order = in_order
        self._slots: collections.deque[_Slot] = collections.deque()
        self._changed = threading.Condition()
        self._stopped = self._is_over = False
        self._pace = Pace()

    @property
    def is_resting(self) -> bool:
        """Whether no element is on its way, and none will be until `note` says so."""
        return self._pace.is_quick and not self._slots and not self._stopped

    def rest(self) -> None:
        """Has whoever asks for elements draw them, at first, if nothing is on its way."""
        with self._changed:
            if not self._slots:
                self._pace.try_here()

    def note(self, seconds: float, count: int = 1) -> None:
        """Takes note of how long elements took that did not come through the channel; threads may have to go on."""
        self._pace.note(seconds, count)
        if not self._pace.is_quick:
            self.go_on()

    def go_on(self) -> None:
        """Has threads draw the next elements."""
        with self._changed:
            self._pace.try_threads()
            self._changed.notify_all()

    def _is_full(self, room: int) -> bool:
        return len(self._slots) >= room or self._pace.is_quick

    def reserve(self, room: int) -> _Slot | None:
        """A place for the next element; None if there is no room, or nothing more is wanted."""
        with self._changed:
            if self._stopped or self._is_over or self._is_full(room):
                return None
            self._slots.append(_Slot())
            return self._slots[-1]

    def finish(self, slot: _Slot, seconds: float, is_over: bool = False) -> None:
        """Tells that the element of a place is there, and how long it took; `is_over`, that none will follow."""
        with self._changed:
            slot.is_done = True
            self._is_over = self._is_over or is_over
            if not self._pace.is_quick:
                self._pace.note(seconds)
            self._changed.notify_all()

    def end(self) -> None:
        """Tells that no element will follow."""
        with self._changed:
            self._slots.append(_Slot(is_done=True))
            self._is_over = True

    def take(self) -> Element | None:
        """The next element, once it is there; None at the end.

        Raises:
            CancelledError: the channel was stopped.
            DeadlineExceededError: the time of the step is over.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._stopped or self._next() is not None, patience(None)):
                raise errors.DeadlineExceededError(None, None, "the next element was not there in time")
            slot = self._next()
            if self._stopped or slot is None:
                raise errors.CancelledError(None, None, "the iterator was closed")
            if not slot.is_end:
                self._slots.remove(slot)
                self._changed.notify_all()
        if slot.error is not None:
            raise slot.error
        return slot.element

    def _next(self) -> _Slot | None:
        """The place whose element is handed out next, if it is there."""
        if self._in_order or len(self._slots) < 2:
            return self._slots[0] if self._slots and self._slots[0].is_done else None
        return next((slot for slot in self._slots if slot.is_done and not slot.is_end), None)

    def wait_for_room(self, room: int) -> bool:
        """Waits until fewer than `room` elements are on their way; False when no more are wanted."""
        with self._changed:
            while not self._stopped and not self._is_over and self._is_full(room):
                self._changed.wait()
            return not self._stopped and not self._is_over

    def contents(self) -> list[Any]:
        """The elements on their way, once they are there, and errors."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or all(slot.is_done for slot in self._slots))
            return [(slot.element, slot.error) for slot in self._slots]

    def fill(self, contents: list[Any]) -> None:
        with self._changed:
            self._slots = collections.deque(_Slot(element, error, is_done=True) for element, error in contents)
            self._is_over = any(slot.is_end for slot in self._slots)

    def stop(self) -> None:
        """Wakes who waits, and lets go of elements, since the frames of an error among them hold iterators."""
        with self._changed:
            self._stopped = True
            self._slots.clear()
            self._changed.notify_all()


def _draw_ahead(iterator: weakref.ref[AheadIterator], ready: _Channel, room: int) -> None:
    """Draws until the end, until the channel is stopped, or until nobody holds the iterator any more."""
    while ready.wait_for_room(room):
        owner = iterator()
        if owner is None:
            return
        owner.draw()
        del owner


@dataset_op(f"PrefetchDataset(input_dataset: variant, buffer_size: int64, *, {TYPES}, slack_period: int = 0, "
            "legacy_autotune: bool = True)", later={**LATER, "buffer_size_min": 0})
def prefetch_dataset(node, input_dataset, buffer_size):
    """A dataset whose elements are computed ahead. How long the first waits (`slack_period`) has no meaning here."""
    room = number(buffer_size)
    if room < AUTOTUNE:
        raise invalid("buffer_size must be at least 0, or -1 to leave it to the runtime")
    return Ahead(node, input_dataset, room)
