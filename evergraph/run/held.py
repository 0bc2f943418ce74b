"""The values of eager variables, each in a cell that its handle holds, and the store by which functions use them."""

from __future__ import annotations

import inspect
import itertools
import weakref
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from evergraph.compile.executable import Pending
from evergraph.compile.packs import Form, Pack
from evergraph.kernel.cells import Cell
from evergraph.kernel.values import is_traced
from evergraph.run.store import Block, Store

_numbers = itertools.count()
_layouts = itertools.count()
_NOTHING: frozenset[str] = frozenset()
_put: Callable[[Cell, Any], None] = inspect.getattr_static(Cell, "_value").__set__  # a function of C


class HeldCell(Cell):
    """The value of a variable, which lives as long as the variable's handle.

    Kernels get it as a NumPy array, compiled programs as it is.
    """

    __slots__ = ("_store", "__weakref__")

    def __init__(self, key: str, label: str, store: HeldStore) -> None:
        super().__init__(key, None, label)
        self._store = store

    @property
    def value(self) -> Any:
        return super().value if self._value is None else self.peek()

    def peek(self) -> Any:
        value = self.held()
        while is_traced(value):
            try:
                return np.asarray(value)
            except RuntimeError:
                if not value.is_deleted():
                    raise
                with self._store.using(frozenset([self.key]), _NOTHING):  # a function of another thread replaces it
                    value = self.held()
        return value

    def assign(self, value: Any) -> None:
        if _form(value) != _form(self._value):
            self._store.relayout()
        super().assign(value)


class HeldStore(Store):
    """What eager execution keeps: cells of variables, for as long as their handles live, and objects that have names.

    Its layout grows whenever a variable gets its first value, or one of another shape or dtype.

    Attributes:
        tier: "numpy" or "xla" forces how functions run that are called for the first time, as for a session.
    """

    tier: str | None = None

    def __init__(self) -> None:
        super().__init__()
        self._cells: weakref.WeakValueDictionary[str, HeldCell] = weakref.WeakValueDictionary()

    def new(self, label: str) -> HeldCell:
        """The cell of a new variable."""
        cell = HeldCell(f"{label}//{next(_numbers)}", label, self)
        self._cells[cell.key] = cell
        return cell

    def find(self, key: str) -> HeldCell | None:
        """The cell of a variable."""
        return self._cells.get(key)

    def read(self, key: str) -> Any:
        cell = self.find(key)
        return super().read(key) if cell is None else cell.peek()

    def put(self, key: str, value: Any) -> None:
        cell = self.find(key)
        if cell is None:
            super().put(key, value)
        else:
            cell.assign(value)


class CellStore:
    """The store of calls of one function: keys that the function has for its variables stand for cells.

    It refers weakly to the cells of variables, which the inputs of a call hold.

    Args:
        held: where these variables are.
        cells: key -> the cell of a variable.
        own: key -> the cell of what the function itself keeps, such as the states of random streams; it may grow.
    """

    packs = False
    returns_early: bool | None = False
    pending: Pending | None = None

    def __init__(self, held: HeldStore, cells: Mapping[str, HeldCell], own: dict[str, Cell]) -> None:
        self._held, self._own, self._lost = held, own, []  # type: tuple[HeldStore, dict[str, Cell], list[Any]]
        self._cells = {key: weakref.ref(cell, self._lost.append) for key, cell in cells.items()}
        self._groups: dict[tuple[str, ...], list[Callable[[], Any]]] = {}
        self._seen, self._layout = -1, 0
        self.lock, self.shared = held.lock, held.shared

    @property
    def is_whole(self) -> bool:
        """Whether all of its variables live."""
        return not self._lost

    # ---- blocks

    @property
    def mark(self) -> int:
        return self._held.mark

    def abandon(self, mark: int) -> None:
        self._held.abandon(mark)

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Block:
        return Block(self._held, _Named(self, keys), _Named(self, changed))

    def names(self, keys: Collection[str]) -> frozenset[str]:
        """The keys that variables have outside of the function."""
        return frozenset([self.cell(key).key for key in keys])

    # ---- values

    def cell(self, key: str) -> Cell:
        """The cell behind a key, or behind a key that a variable has outside of the function."""
        found = self._cells.get(key)
        if found is not None:
            return found()  # type: ignore[return-value]
        return self._own.get(key) or self._held.find(key) or self._own.setdefault(key, Cell(key, None))

    def _all(self, keys: Sequence[str]) -> list[Cell]:
        group = self._groups.get(keys) if type(keys) is tuple else None
        if group is not None:
            return [refer() for refer in group]
        cells = [self.cell(key) for key in keys]
        if type(keys) is tuple:
            self._groups[keys] = [self._cells[key] if key in self._cells else partial(_same, cell)
                                  for key, cell in zip(keys, cells)]
        return cells

    def get(self, key: str) -> Any:
        return self.cell(key).held()

    def get_all(self, keys: Sequence[str]) -> list[Any]:
        return list(map(Cell.peek, self._all(keys)))

    def alike(self, keys: tuple[str, ...], kind: type) -> list[Any] | None:
        values = list(map(Cell.peek, self._all(keys)))
        is_one_kind = {kind}.issuperset(map(type, values))
        return values if is_one_kind and len(set(map(id, values))) == len(values) else None

    def form(self, key: str) -> Form | None:
        return _form(self.get(key))

    def snapshot(self, keys: frozenset[str]) -> dict[str, Any]:
        with self.using(keys, _NOTHING):
            return {key: _on_host(self.get(key)) for key in keys}

    def read(self, key: str) -> Any:
        value = self.get(key)
        return self.snapshot(frozenset([key]))[key] if is_traced(value) else value

    def put(self, key: str, value: Any) -> None:
        cell = self.cell(key)
        if _form(value) != _form(cell.held()):
            self.relayout()
        cell.assign(value)

    def swap(self, key: str, value: Any) -> None:
        _put(self.cell(key), value)

    def commit(self, keys: Sequence[str], program: Iterator[Sequence[Any]], ran: dict[str, Any]) -> None:
        """As `Store.commit`: no Python code runs between the program and the last of its results in a cell."""
        results = map(partial(ran.setdefault, "found"), program)
        deque(itertools.starmap(_put, itertools.chain.from_iterable(map(partial(zip, self._all(keys)), results))), 0)

    def restore(self, replaced: Mapping[str, Any]) -> None:
        keys = frozenset(replaced)
        with self.using(keys, keys):
            self.relayout()
            self.commit(tuple(replaced), iter((list(replaced.values()),)), {})

    @property
    def layout(self) -> int:
        if self._seen != self._held.layout:
            self._seen, self._layout = self._held.layout, next(_layouts)
        return self._layout

    def relayout(self) -> None:
        self._held.relayout()

    # ---- what only stores of sessions do

    def pack(self, pack: Pack) -> None:
        raise NotImplementedError

    def begin_in_place(self, keys: Iterable[str]) -> None:
        """Needs no note: who reads an array of the host counts as one who has it."""

    def end_in_place(self, keys: Iterable[str]) -> None:
        """See `begin_in_place`."""

    def settle(self) -> None:
        """No step returns early."""

    def settle_before(self, pending: Pending) -> None:
        raise NotImplementedError

    def defer(self, pending: Pending) -> None:
        raise NotImplementedError


class _Named:
    """Keys of a function's store, as blocks of other stores know them; found when there are such blocks."""

    __slots__ = ("_store", "_keys")

    def __init__(self, store: CellStore, keys: frozenset[str]) -> None:
        self._store, self._keys = store, keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.names(self._keys))

    def isdisjoint(self, others: Iterable[str]) -> bool:
        return self._store.names(self._keys).isdisjoint(others)


def _same(cell: Cell) -> Cell:
    return cell


def _form(value: Any) -> Form | None:
    return (value.shape, value.dtype) if hasattr(value, "shape") and hasattr(value, "dtype") else None


def _on_host(value: Any) -> Any:
    return np.asarray(value) if is_traced(value) else value
