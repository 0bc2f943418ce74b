"""The context of eager execution: kernels run at once, and what they keep lives as long as a handle refers to it."""

from __future__ import annotations

import contextlib
import itertools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.compile.contexts import NumpyContext
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import Shared
from evergraph.kernel.values import is_traced

_numbers = itertools.count()


class HeldCell(Cell):
    """The value of a variable, which lives as long as the variable's handle.

    Kernels get it as a NumPy array, compiled programs as it is.
    """

    __slots__ = ("__weakref__",)

    @property
    def value(self) -> Any:
        return super().value if self._value is None else self.peek()

    def peek(self) -> Any:
        value = super().peek()
        if is_traced(value):
            self._value = value = np.asarray(value)
        return value


class HeldCells:
    """The values of all variables, as functions that iterators call reach them: by key."""

    def __init__(self) -> None:
        self._cells: weakref.WeakValueDictionary[str, HeldCell] = weakref.WeakValueDictionary()

    def new(self, label: str) -> HeldCell:
        """The cell of a new variable."""
        cell = HeldCell(f"{label}//{next(_numbers)}", None, label)
        self._cells[cell.key] = cell
        return cell

    def read(self, key: str) -> Any:
        cell = self._cells.get(key)
        return None if cell is None else cell.peek()

    def put(self, key: str, value: Any) -> None:
        cell = self._cells.get(key)
        if cell is not None:
            cell.assign(value)

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Any:
        return contextlib.nullcontext()


class EagerContext(NumpyContext):
    """Kernels run at once on NumPy arrays; a variable is a cell that its handle holds.

    A random op continues the stream that an op of the same type and attrs has begun, as TensorFlow's kernels do, which
    are kept by these. So does any other op with state of its own.
    """

    def __init__(self) -> None:
        self._variables = HeldCells()
        self._named: dict[str, Any] = {}
        super().__init__(self._variables.read, self._named_object, self._variables)
        self._kernels: dict[Any, Cell] = {}  # by type and attrs of an op: what its kernel keeps between calls

    def forget_kernels(self) -> None:
        """Lets all random streams begin anew."""
        self._kernels.clear()

    def cell(self, node: Operation) -> Cell:
        if not node.graph.is_eager:
            return super().cell(node)
        if node.opdef.kind is Kind.VARIABLE:
            return self._variables.new(node.name)
        key = (node.type, *((name, _hashable(value)) for name, value in node.attrs.items()))
        return self._kernels.setdefault(key, Cell(node.name, None))

    def _new_cell(self, key: str, label: str) -> Cell:
        return HeldCell(key, None, label)

    def shared(self, node: Operation) -> Shared:
        named = super().shared(node)
        if not node.graph.is_eager or node.attrs.get("shared_name"):
            return named

        def shared(make: Callable[[], Any], key: str | None = None) -> Any:
            if key is not None:
                return named(make, key)
            return make() if _makes_handle(node) else self._of_kernel(node, make)

        return shared

    def _of_kernel(self, node: Operation, make: Callable[[], Any]) -> Any:
        """What the kernel of an op with these attrs keeps between calls."""
        cell = self.cell(node)
        if not cell.is_set:
            cell.assign(make())
        return cell.value

    def _named_object(self, key: str, make: Callable[[], Any]) -> Any:
        if key not in self._named:
            self._named[key] = make()
        return self._named[key]


def _makes_handle(node: Operation) -> bool:
    """Whether every call of the op makes something new, which its output refers to."""
    return any(t._dtype.base_dtype in (dtypes.resource, dtypes.variant) for t in node.outputs)


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
