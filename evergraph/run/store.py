"""The values a session keeps between steps: variables, random streams, tables, queues."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from types import NoneType
from typing import Any, Protocol

import numpy as np

from evergraph import native
from evergraph.compile import backend
from evergraph.compile.early import Early
from evergraph.compile.packs import Pack
from evergraph.kernel.storage import Form, forms_of
from evergraph.run.shutdown import shutdown

_NOT_PLAIN = frozenset((Pack, NoneType))  # types of what stands for values that are packed, or are to be packed
_PACKS = frozenset((Pack,))
_HOST_ARRAYS = frozenset((np.ndarray,))
_FLOAT32 = np.dtype(np.float32)


class Store:
    """The store of a session in its own process; `Storage` and `Values` tell its verbs.

    Small values may be packed: one array has them all, whose key is a Pack, which also stands under each of their keys.
    Asking for the array packs them. Asking for one of them makes all of them arrays of their own again.

    Args:
        timeout: how many seconds steps wait for the queues in it; None for any time.
        returns_early: whether a step that fetches operations alone may return while the device still computes it; None
            for steps on accelerators.

    Attributes:
        layout: grows whenever the set of keys, or a shape or dtype, changes.
        mark: the number of the block that came last.
        blocks: those that run and those that wait, in the order they came.
    """

    packs = True

    def __init__(self, timeout: float | None = None, returns_early: bool | None = None) -> None:
        self.early, self._timeout = Early(returns_early), timeout
        self.lock = threading.RLock()
        self.layout, self.mark = 0, 0
        self._values: dict[str, Any] = {}
        self.blocks: list[Block] = []
        shutdown.stores.add(self)

    # ---- blocks

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Block:
        """See `Storage.using`."""
        return Block(self, keys, changed)

    def wake(self) -> None:
        """Lets those go on that wait for no block any more. Doing it twice does no harm."""
        for block in self.blocks:
            if block.ahead and block.ahead.isdisjoint(self.blocks):
                block.gate.put(None)
                block.ahead = frozenset()

    def _abandon(self, mark: int) -> None:
        """Leaves the blocks that this thread has entered since a mark, and not left because it was interrupted."""
        thread = threading.get_ident()
        with self.lock:
            self.blocks[:] = [b for b in self.blocks if b.thread != thread or b.number <= mark]
            self.wake()

    # ---- values

    def keys(self) -> list[str]:
        return list(self._values)

    def forms(self, keys: Sequence[str]) -> list[Form | None]:
        """See `Storage.forms`. Packed values stay packed."""
        values = list(map(self._values.get, keys))
        forms = forms_of(values)
        if _PACKS.isdisjoint(map(type, values)):
            return forms
        return [(value.shapes[key], _FLOAT32) if type(value) is Pack else form
                for key, value, form in zip(keys, values, forms)]

    def get_all(self, keys: Sequence[str]) -> list[Any]:
        """See `Storage.get_all`; the value of a Pack is the array of its values."""
        if native.steps is not None:
            values = native.steps.values(self._values, keys, Pack)
        else:
            values = list(map(self._values.get, keys))
            values = values if _NOT_PLAIN.isdisjoint(map(type, values)) else None
        return list(map(self._get, keys)) if values is None else values

    def _get(self, key: str) -> Any:
        value = self._values.get(key)
        if value is None and type(key) is Pack:
            value = key.joined(self.get_all(tuple(key.shapes)))
            self._put_pack(key, value)
        while type(value) is Pack:  # again if a step of another thread has packed it meanwhile
            self._unpack(value)
            value = self._values.get(key)
        return value

    def _put_pack(self, pack: Pack, array: Any) -> None:
        self._values.update({**dict.fromkeys(pack.shapes, pack), pack: array})  # at once, for interrupts

    def _unpack(self, pack: Pack) -> None:
        with self.lock:
            array = self._values.get(pack)
            if array is not None:
                own = {key: np.array(value) for key, value in pack.parts(_on_host(array))}
                self._values.update({**own, pack: None})

    def snapshot(self, keys: Sequence[str]) -> list[Any]:
        """See `Storage.snapshot`.

        Arrays of the host need no block if none may change them now. Who has got hold of an array before a block looks
        is counted by `references`, so that the block makes a copy. A program that gets a buffer donated while an array
        shows it leaves the buffer alone.
        """
        mark = self.mark
        if not any(block.may_change(keys) for block in tuple(self.blocks)):
            values = list(map(self._values.get, keys))
            if self.mark == mark and _HOST_ARRAYS.issuperset(map(type, values)):  # no block has come meanwhile
                return values
        with self.using(frozenset(keys), frozenset()):
            return list(map(_on_host, self.get_all(keys)))

    def shared(self, key: str, make: Callable[[], Any], among: dict[str, Any] | None = None) -> Any:
        """See `Storage.shared`; `among` keeps the object instead of the store."""
        values = self._values if among is None else among
        known = values.get(key)
        if known is not None:
            return known
        with self.lock:
            found = values.get(key)
            if found is None:
                found = values[key] = make()
                if hasattr(found, "timeout"):
                    found.timeout = self._timeout
            return found

    def prepare(self, keys: Sequence[str], changes_layout: bool = False, donated: bool = False) -> list[Any]:
        """See `Storage.prepare`."""
        if changes_layout:
            self._relayout()
        values = self.get_all(keys)
        return list(map(kept, values)) if donated else values

    def commit(self, keys: Sequence[str], program: Iterator[Sequence[Any]], ran: dict[str, Any]) -> None:
        """See `Storage.commit`: runs a program and stores its results without any Python code between the two.

        Donated buffers are gone as soon as the program has run. Python raises what signal handlers and other threads
        ask for between two bytecodes; here there are none: a function in C, or else `dict.update` through iterators of
        the C library, pulls the results, and so either all successors are stored or the program did not run. For that
        `program` is an iterator written in C.
        """
        if native.steps is not None:
            native.steps.commit(self._values, keys, program, ran)
            return
        results = map(partial(ran.setdefault, "found"), program)
        self._values.update(chain.from_iterable(map(partial(zip, keys), results)))

    def restore(self, replaced: Mapping[str, Any], mark: int) -> None:
        """See `Storage.restore`. Doing it twice does no harm."""
        self._abandon(mark)
        if not replaced:
            return
        keys = frozenset(replaced)
        with self.using(keys, keys):
            self._relayout()
            own = dict(replaced)
            for pack in [key for key in replaced if type(key) is Pack]:
                self._put_pack(pack, own.pop(pack))
            self.get_all(list(own))
            self._values.update(own)

    def _relayout(self) -> None:
        """Has stages look at the layout of their values again."""
        with self.lock:
            self.layout += 1

    def forget(self, keys: Sequence[str] | None = None) -> None:
        """Removes the values of some keys, or of all, and cancels what waits in queues among them."""
        with self.lock:
            if keys is not None:
                self.get_all(keys)  # those packed with them stay
            removed = [self._values.pop(key, None) for key in (self.keys() if keys is None else keys)]
            self.layout += 1
        _cancel(removed)

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

    def may_change(self, keys: Iterable[str]) -> bool:
        return not self._changed.isdisjoint(keys)

    def __enter__(self) -> None:
        """Waits for the blocks that came before and collide with this one, so that each has its turn."""
        store = self._store
        with store.lock:
            self.number = store.mark + 1
            if store.blocks:
                nested = any(other.thread == self.thread for other in store.blocks)
                # Waiting for a block that waits for this thread would deadlock.
                self.ahead = {other for other in store.blocks if self.collides(other) and not (nested and other.ahead)}
            store.blocks.append(self)
            store.mark = self.number  # after that: who finds the same mark twice has seen all blocks in between
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


def kept(value: Any) -> Any:
    """A stored value that stays when its buffer is donated: XLA leaves a buffer alone that NumPy has a view of."""
    if value is None:
        return None
    is_elsewhere = hasattr(value, "devices") and any(device.platform != "cpu" for device in value.devices())
    return backend.jax().device_put(value, may_alias=False) if is_elsewhere else np.asarray(value)
