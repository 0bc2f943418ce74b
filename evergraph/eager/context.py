"""The context of eager execution: kernels run at once, and what they keep lives as long as a handle refers to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.compile.contexts import NumpyContext
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import Shared
from evergraph.run.held import CellStore, HeldCell, HeldStore


class EagerContext(NumpyContext):
    """Kernels run at once on NumPy arrays; a variable is a cell that its handle holds.

    A random op continues the stream that an op of the same type and attrs has begun, as TensorFlow's kernels do, which
    are kept by these. So does any other op with state of its own.

    Attributes:
        held: the variables, and the objects that have names.
    """

    def __init__(self) -> None:
        self.held = HeldStore()
        storage = CellStore(self.held, {}, {})
        super().__init__(lambda key: storage.snapshot((key,))[0], self.held.shared, storage)
        self._kernels: dict[Any, Cell] = {}  # by type and attrs of an op: what its kernel keeps between calls

    def forget_kernels(self) -> None:
        """Lets all random streams begin anew."""
        self._kernels.clear()

    def cell(self, node: Operation) -> Cell:
        if not node.graph.is_eager:
            return super().cell(node)
        if node.opdef.kind is Kind.VARIABLE:
            return self.held.new(node.name)
        key = (node.type, *((name, _hashable(value)) for name, value in node.attrs.items()))
        return self._kernels.setdefault(key, Cell(node.name, None))

    def _new_cell(self, key: str, label: str) -> Cell:
        return HeldCell(key, label, self.held)

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


def _makes_handle(node: Operation) -> bool:
    """Whether every call of the op makes something new, which its output refers to."""
    return any(t._dtype.base_dtype in (dtypes.resource, dtypes.variant) for t in node.outputs)


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
