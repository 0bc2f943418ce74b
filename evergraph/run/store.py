"""The values a session keeps between steps: variables, random streams, tables, queues."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Protocol

import numpy as np

from evergraph import native
from evergraph.compile.executable import Pending
from evergraph.compile.packs import Form, Pack
from evergraph.run.shutdown import shutdown

_PACKS = frozenset((Pack,))


class Store:
    """Stored values by key. `layout` grows whenever the set of keys, or a shape or dtype, changes.

    Threads may run steps at the same time. Each enters a block that names the keys it uses, and waits there for blocks
    of other threads that change some of these; inside, no other thread replaces those values.

    A key whose value is None counts as not set.

    Small values may be packed: one array has them all, under the key of their pack, and the pack itself stands under
    each of their keys. Whoever asks for one of them gets it, and all become arrays of their own again.

    Args:
        timeout: how many seconds steps wait for the queues in it; None for any time.
        returns_early: whether a step that fetches operations alone may return while the device still computes it; None
            for steps on accelerators.

    Attributes:
        pending: the step that has returned early and is not known to have succeeded.
        packs: whether it packs values.
        blocks: those that run and those that wait, in the order they came.
    """

    packs = True

    def __init__(self, timeout: float | None = None, returns_early: bool | None = None) -> None:
        self.timeout, self.returns_early = timeout, returns_early
        self.pending: Pending | None = None
        self.lock = threading.RLock()
        self.layout = 0
        self.mark = 0  # the number of the block that came last
        self._values: dict[str, Any] = {}
        self._packs: dict[str, Pack] = {}  # that it has ever had, by their keys
        self._in_place: set[str] = set()  # keys of values that a block changes in their memory
        self.blocks: list[Block] = []
        shutdown.stores.add(self)

    # ---- blocks

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Block:
        """A with-block that uses the values of `keys` and may replace those of `changed`, which are among them."""
        return Block(self, keys, changed)

    def abandon(self, mark: int) -> None:
        """Leaves the blocks that this thread has entered since a mark, and not left because it was interrupted."""
        thread = threading.get_ident()
        with self.lock:
            self.blocks[:] = [b for b in self.blocks if b.thread != thread or b.number <= mark]
            self.wake()

    def wake(self) -> None:
        """Lets those go on that wait for no block any more. Doing it twice does no harm."""
        for block in self.blocks:
            if block.ahead and block.ahead.isdisjoint(self.blocks):
                block.gate.put(None)
                block.ahead = frozenset()

    # ---- steps that return early

    def settle(self) -> None:
        """Waits for the step that has returned early, if there is one.

        Raises:
            tf.errors.OpError: it has failed.
        """
        pending = self.pending
        if pending is None:
            return
        try:
            pending.check(self)
        except Exception:  # an interrupt leaves the step to the next one who waits for it
            self._forget(pending)
            raise
        self._forget(pending)

    def settle_before(self, pending: Pending) -> None:
        """Waits for the step before one that has returned early, as `settle` does. If it failed, neither has run."""
        try:
            pending.check_before(self)
        except Exception:
            self._forget(pending)
            raise

    def defer(self, pending: Pending) -> None:
        """Notes a step that will return early. The one that has done so last is then the step before it."""
        with self.lock:
            pending.before, self.pending = self.pending, pending

    def _forget(self, pending: Pending) -> None:
        with self.lock:
            if self.pending is pending:
                self.pending = None

    # ---- values

    def keys(self) -> list[str]:
        return list(self._values)

    def is_set(self, key: str) -> bool:
        return self._values.get(key) is not None

    def get(self, key: str) -> Any:
        value = self._values.get(key)
        while type(value) is Pack:  # again if a step of another thread has packed it meanwhile
            self._unpack(value)
            value = self._values.get(key)
        return value

    def get_all(self, keys: Sequence[str]) -> list[Any]:
        values = list(map(self._values.get, keys))
        return values if _PACKS.isdisjoint(map(type, values)) else list(map(self.get, keys))

    def alike(self, keys: tuple[str, ...], kind: type) -> list[Any] | None:
        """The values of some keys if each is of this type and no two are the same object; None otherwise."""
        if native.steps is not None:
            return native.steps.alike(self._values, keys, kind)
        values = list(map(self._values.get, keys))
        is_one_kind = {kind}.issuperset(map(type, values))
        return values if is_one_kind and len(set(map(id, values))) == len(values) else None

    def form(self, key: str) -> Form | None:
        """The shape and dtype of a value; None if there is none, or it is no array."""
        value: Any = self._values.get(key)
        if type(value) is Pack:
            return value.shapes[key], np.dtype(np.float32)
        return (value.shape, value.dtype) if hasattr(value, "shape") and hasattr(value, "dtype") else None

    def pack(self, pack: Pack) -> None:
        """Packs values, unless they are packed in this way. All of them are set."""
        if self._values.get(pack.key) is not None:
            return
        array = pack.joined(self.get_all(pack.keys))
        self._packs[pack.key] = pack
        self._put_pack(pack, array)

    def _put_pack(self, pack: Pack, array: Any) -> None:
        self._values.update({**dict.fromkeys(pack.keys, pack), pack.key: array})  # at once, for interrupts

    def _unpack(self, pack: Pack) -> None:
        with self.lock:
            array = self._values.get(pack.key)
            if array is not None:
                own = {key: np.array(value) for key, value in pack.parts(_on_host(array))}
                self._values.update({**own, pack.key: None})

    def snapshot(self, keys: frozenset[str]) -> dict[str, Any]:
        """The values of some keys at one moment, as arrays of the host, which no later step changes.

        A program that gets a buffer donated while such an array shows it leaves the buffer alone.
        """
        with self.using(keys, frozenset()):
            return {key: _on_host(self.get(key)) for key in keys}

    def read(self, key: str) -> Any:
        """The value of a key, for callers that are in no block.

        An array of the host is whole at any moment, unless a block changes it in its memory. Who has got hold of the
        array before that block looked is counted by `references`, and the block makes a copy.
        """
        value = self._values.get(key)
        is_whole = type(value) is np.ndarray and key not in self._in_place
        return value if is_whole else self.snapshot(frozenset([key]))[key]

    def begin_in_place(self, keys: Iterable[str]) -> None:
        """Notes that the block of this thread looks who has values, to change them in their memory."""
        self._in_place.update(keys)

    def end_in_place(self, keys: Iterable[str]) -> None:
        self._in_place.difference_update(keys)

    def put(self, key: str, value: Any) -> None:
        with self.lock:
            old = self.get(key)
            if (
                old is None
                or getattr(old, "shape", None) != getattr(value, "shape", None)
                or getattr(old, "dtype", None) != getattr(value, "dtype", None)
            ):
                self.layout += 1
            self._values[key] = value

    def swap(self, key: str, value: Any) -> None:
        """Replaces a value by one of the same shape and dtype."""
        self.get(key)
        self._values[key] = value

    def commit(self, keys: Sequence[str], program: Iterator[Sequence[Any]], ran: dict[str, Any]) -> None:
        """Runs a program and stores its first results under `keys`, without any Python code between the two.

        Donated buffers are gone as soon as the program has run. Python raises what signal handlers and other threads
        ask for between two bytecodes; here there are none: a function in C, or else `dict.update` through iterators of
        the C library, pulls the results, and so either all successors are stored or the program did not run.

        Args:
            keys: for the first results.
            program: an iterator written in C that runs the program when it is asked for its only item.
            ran: gets all results, as "found", before the first of them is stored.
        """
        if native.steps is not None:
            native.steps.commit(self._values, keys, program, ran)
            return
        results = map(partial(ran.setdefault, "found"), program)
        self._values.update(chain.from_iterable(map(partial(zip, keys), results)))

    def restore(self, replaced: Mapping[str, Any]) -> None:
        """Stores values from before a step again; None removes a key."""
        keys = frozenset(replaced)
        with self.using(keys, keys):
            self.relayout()
            for key in replaced.keys() & self._packs.keys():
                self._put_pack(self._packs[key], replaced[key])
            own = {key: value for key, value in replaced.items() if key not in self._packs}
            self.get_all(list(own))
            self._values.update(own)

    def relayout(self) -> None:
        """Has stages look at the layout of their values again."""
        with self.lock:
            self.layout += 1

    def shared(self, key: str, make: Callable[[], Any]) -> Any:
        """The object kept under `key`; the first to ask makes it."""
        known = self._values.get(key)
        if known is not None:
            return known
        with self.lock:
            found = self._values.get(key)
            if found is None:
                found = self._values[key] = make()
                if hasattr(found, "timeout"):
                    found.timeout = self.timeout
            return found

    def remove(self, keys: Iterable[str]) -> None:
        with self.lock:
            for key in keys:
                self.get(key)
                if self._values.pop(key, None) is not None:
                    self.layout += 1

    def clear(self) -> None:
        """Removes everything, and cancels what waits in queues."""
        with self.lock:
            kept = list(self._values.values())
            self._values.clear()
            self.layout += 1
        _cancel(kept)

    def cancel(self) -> None:
        """Ends what waits in queues, with CancelledError."""
        _cancel(list(self._values.values()))


class Keys(Protocol):
    """The keys that a block uses."""

    def __iter__(self) -> Iterator[str]: ...
    def isdisjoint(self, others: Any, /) -> bool: ...


class Block:
    """A with-block of one thread that uses some values of a store; see `Store.using`.

    Attributes:
        thread: the thread.
        number: its place in the order in which blocks came.
        ahead: the blocks that it waits for.
        gate: gets an item when it need not wait any more.
    """

    __slots__ = ("_store", "_keys", "_changed", "thread", "number", "ahead", "_gate")

    def __init__(self, store: Store, keys: Keys, changed: Keys) -> None:
        self._store, self._keys, self._changed = store, keys, changed
        self.thread, self.number = threading.get_ident(), 0
        self.ahead: set[Block] | frozenset[Block] = frozenset()
        self._gate: queue.SimpleQueue[None] | None = None

    @property
    def gate(self) -> queue.SimpleQueue[None]:
        """Made on demand, under the store's lock."""
        with self._store.lock:
            if self._gate is None:
                self._gate = queue.SimpleQueue()
            return self._gate

    def collides(self, other: Block) -> bool:
        """Whether one changes what the other uses. Blocks of one thread are nested and never collide."""
        return self.thread != other.thread and not (
            self._changed.isdisjoint(other._keys) and other._changed.isdisjoint(self._keys)
        )

    def __enter__(self) -> None:
        """Waits for the blocks that came before and collide with this one, so that each has its turn."""
        store = self._store
        with store.lock:
            store.mark += 1
            self.number = store.mark
            if store.blocks:
                nested = any(other.thread == self.thread for other in store.blocks)
                # Waiting for a block that waits for this thread would deadlock.
                self.ahead = {other for other in store.blocks if self.collides(other) and not (nested and other.ahead)}
            store.blocks.append(self)
        if self.ahead:
            try:
                self.gate.get()
            except BaseException:
                self.__exit__()
                raise

    def __exit__(self, *error: object) -> None:
        store = self._store
        with store.lock:
            if self in store.blocks:
                store.blocks.remove(self)
            if store.blocks:
                store.wake()


def _cancel(values: Iterable[Any]) -> None:
    for value in values:
        if hasattr(value, "cancel"):
            value.cancel()


def _on_host(value: Any) -> Any:
    return np.asarray(value) if type(value).__module__.startswith("jax") else value
