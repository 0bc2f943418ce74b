"""Datasets whose elements are computed ahead, by a thread of their own."""

from __future__ import annotations

import collections
import threading
import weakref
from typing import Any

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.ops.data.pipeline import LATER, TYPES, Element, Iterator, Transformed, dataset_op, number
from evergraph.ops.state.patience import patience

AUTOTUNE = -1
_DEFAULT_ROOM = 8  # how many elements are computed ahead where TensorFlow would tune that


class Ahead(Transformed):
    """The same elements, some of them computed before they are asked for.

    Args:
        room: how many; 0 for none, and AUTOTUNE leaves it to the dataset.
    """

    def __init__(self, node: Any, source: Any, room: int) -> None:
        super().__init__(node, source)
        self.room = _DEFAULT_ROOM if room == AUTOTUNE else room

    def iterate(self, scope: Any) -> Iterator:
        source = self.source.iterate(scope)
        return _AheadIterator(source, self.room) if self.room else source


class _AheadIterator(Iterator):
    """Hands out what a thread has drawn. The thread starts with the first `get` and ends with `close`.

    The thread reaches the iterator through a weak reference: one that nobody holds any more ends the thread.
    """

    def __init__(self, source: Iterator, room: int) -> None:
        super().__init__(source)
        self._room, self._ready = room, _Channel()
        self._drawing = threading.Lock()  # held while the thread draws; `state` takes it
        self._thread: threading.Thread | None = None
        weakref.finalize(self, self._ready.stop).atexit = False

    def get(self) -> Element | None:
        if self._thread is None:
            self._start()
        return self._ready.take()

    def _start(self) -> None:
        self._thread = threading.Thread(target=_draw_ahead, args=(weakref.ref(self), self._ready, self._room),
                                        name="evergraph_prefetch", daemon=True)
        self._thread.start()

    def draw(self) -> None:
        """Draws one element for the channel: what the thread does."""
        with self._drawing:
            try:
                self._ready.put(self.source.get(), None)
            except Exception as error:  # whoever asks for the element gets it
                self._ready.put(None, error)

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
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        super().close()


class _Channel:
    """Elements on their way from a thread to whoever takes them. The end, once put, stays."""

    def __init__(self) -> None:
        self._items: collections.deque[tuple[Element | None, Exception | None]] = collections.deque()
        self._changed = threading.Condition()
        self._stopped = False

    def put(self, element: Element | None, error: Exception | None) -> None:
        with self._changed:
            self._items.append((element, error))
            self._changed.notify_all()

    def take(self) -> Element | None:
        """The next element, once it is there; None at the end.

        Raises:
            CancelledError: the channel was stopped.
            DeadlineExceededError: the time of the step is over.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._items or self._stopped, patience(None)):
                raise errors.DeadlineExceededError(None, None, "the next element was not there in time")
            if self._stopped:
                raise errors.CancelledError(None, None, "the iterator was closed")
            element, error = self._items[0]
            if element is not None or error is not None:
                self._items.popleft()
                self._changed.notify_all()
        if error is not None:
            raise error
        return element

    def wait_for_room(self, room: int) -> bool:
        """Waits until fewer than `room` elements are on their way; False when no more are wanted."""
        with self._changed:
            while not self._stopped and not self._is_over and len(self._items) >= room:
                self._changed.wait()
            return not self._stopped and not self._is_over

    @property
    def _is_over(self) -> bool:
        return bool(self._items) and self._items[-1][0] is None and self._items[-1][1] is None

    def contents(self) -> list[Any]:
        with self._changed:
            return list(self._items)

    def fill(self, contents: list[Any]) -> None:
        with self._changed:
            self._items = collections.deque(contents)

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()


def _draw_ahead(iterator: weakref.ref[_AheadIterator], ready: _Channel, room: int) -> None:
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
        raise invalid("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning")
    return Ahead(node, input_dataset, room)
