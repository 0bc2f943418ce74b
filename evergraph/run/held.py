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

from evergraph.kernel.cells import Cell
from evergraph.kernel.storage import Form, forms_of
from evergraph.kernel.values import is_traced
from evergraph.run.store import Block, Store, kept

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
        before, after = forms_of((self._value, value))
        if before != after:
            self._store.prepare((), True)
        super().assign(value)


class HeldStore(Store):
    """What eager execution keeps: cells of variables, for as long as their handles live, and objects that have names.

    Its layout grows whenever a variable gets its first value, or one of another shape or dtype.

    Attributes:
        tier: "numpy" or "xla" forces how functions run that are called for the first time, as for a session.
    """

    tier: str | None = None

    def __init__(self) -> None:
        super().__init__(returns_early=False)
        self._cells: weakref.WeakValueDictionary[str, HeldCell] = weakref.WeakValueDictionary()

    def new(self, label: str) -> HeldCell:
        """The cell of a new variable."""
        cell = HeldCell(f"{label}//{next(_numbers)}", label, self)
        self._cells[cell.key] = cell
        return cell

    def find(self, key: str) -> HeldCell | None:
        """The cell of a variable."""
        return self._cells.get(key)


class CellStore:
    """A store whose values are in cells; see `Storage` for its verbs.

    It is that of the calls of one function, which has keys of its own for its variables, or one without a function. It
    refers weakly to the cells of variables, which the inputs of a call hold.

    Args:
        held: where variables are, which are also found by the keys that they have there.
        cells: key that the function has -> the cell of a variable.
        own: key -> the cell of what the function itself keeps, such as the states of random streams; it may grow.
        objects: key -> what nodes of the function have made, such as iterators; it may grow.
        name: of the function.
    """

    packs = False

    def __init__(self, held: HeldStore, cells: Mapping[str, HeldCell], own: dict[str, Cell],
                 objects: dict[str, Any] | None = None, name: str = "") -> None:
        self._held, self._own, self._objects, self._prefix = held, own, objects, f"{name}//"
        self._lost: list[Any] = []
        self._cells = {key: weakref.ref(cell, self._lost.append) for key, cell in cells.items()}
        self._groups: dict[tuple[str, ...], list[Callable[[], Any]]] = {}
        self._seen, self._layout = -1, 0
        self.early = held.early

    @property
    def is_whole(self) -> bool:
        """Whether all variables of the function live."""
        return not self._lost

    @property
    def mark(self) -> int:
        return self._held.mark

    @property
    def layout(self) -> int:
        if self._seen != self._held.layout:
            self._seen, self._layout = self._held.layout, next(_layouts)
        return self._layout

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Block:
        return Block(self._held, _Named(self, keys), _Named(self, changed))

    def names(self, keys: Collection[str]) -> frozenset[str]:
        """The keys that variables have outside of the function."""
        return frozenset([self.cell(key).key for key in keys])

    def cell(self, key: str) -> Cell:
        """The cell behind a key."""
        found = self._cells.get(key)
        if found is not None:
            return found()  # type: ignore[return-value]
        return self._own.get(key) or self._held.find(key) or self._own.setdefault(key, Cell(key, None))

    def _all(self, keys: Sequence[str]) -> list[Cell]:
        group = self._groups.get(keys := tuple(keys))
        if group is None:
            group = self._groups[keys] = [self._cells.get(key) or partial(self.cell, key) for key in keys]
        return [refer() for refer in group]

    def shared(self, key: str, make: Callable[[], Any]) -> Any:
        return self._held.shared(key, make, self._objects if key.startswith(self._prefix) else None)

    def get_all(self, keys: Sequence[str]) -> list[Any]:
        return list(map(Cell.peek, self._all(keys)))

    def forms(self, keys: Sequence[str]) -> list[Form | None]:
        return forms_of(self.get_all(keys))

    def snapshot(self, keys: Sequence[str]) -> list[Any]:
        with self.using(frozenset(keys), _NOTHING):
            return [np.asarray(value) if is_traced(value) else value for value in self.get_all(keys)]

    def prepare(self, keys: Sequence[str], changes_layout: bool = False, donated: bool = False) -> list[Any]:
        if changes_layout:
            self._held.prepare((), True)
        values = self.get_all(keys)
        return list(map(kept, values)) if donated else values

    def commit(self, keys: Sequence[str], program: Iterator[Sequence[Any]], ran: dict[str, Any]) -> None:
        """As `Store.commit`: no Python code runs between the program and the last of its results in a cell."""
        results = map(partial(ran.setdefault, "found"), program)
        deque(itertools.starmap(_put, itertools.chain.from_iterable(map(partial(zip, self._all(keys)), results))), 0)

    def restore(self, replaced: Mapping[str, Any], mark: int) -> None:
        self._held.restore({}, mark)
        if replaced:
            keys = frozenset(replaced)
            with self.using(keys, keys):
                self.prepare((), True)
                self.commit(tuple(replaced), iter((list(replaced.values()),)), {})

    def forget(self) -> None:
        self._own.clear()


class _Named:
    """Keys of a function's store, as blocks of other stores know them; found when there are such blocks."""

    __slots__ = ("_store", "_keys")

    def __init__(self, store: CellStore, keys: frozenset[str]) -> None:
        self._store, self._keys = store, keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.names(self._keys))

    def isdisjoint(self, others: Iterable[str]) -> bool:
        return self._store.names(self._keys).isdisjoint(others)
