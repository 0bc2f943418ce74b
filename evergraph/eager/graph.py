"""The graph of eager execution: it runs operations when they are added, and keeps none of them."""

from __future__ import annotations

import contextlib
import random
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from evergraph.eager.calls import value_outside
from evergraph.eager.context import EagerContext
from evergraph.eager.execute import execute
from evergraph.eager.placing import run_placed
from evergraph.eager.tensor import EagerTensor, Execution
from evergraph.graph import encode, scopes
from evergraph.graph.differentiate import OWN_GRADIENT
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.primitives import CONST
from evergraph.run.looks import looks, show

_MOST_SEED = 2**31 - 1


class Functions(weakref.WeakValueDictionary[str, Any]):
    """A library of functions, which lets go of those that nothing can call any more.

    A traced function lives as long as what calls it: the Python function, a dataset, a tape, the function around it.
    The functions of a loaded model name each other: they stay.
    """

    def __init__(self) -> None:
        self._read: dict[str, Any] = {}
        super().__init__()

    def update(self, functions: Any) -> None:  # type: ignore[override]
        """Adds functions that were read."""
        self._read.update(functions)
        super().update(functions)

    def pop(self, name: str, *default: Any) -> Any:
        """Takes a function out."""
        self._read.pop(name, None)
        return super().pop(name, *default)

    def __setitem__(self, name: str, function: Any) -> None:
        """Puts a function in the place of its definition, when it is first called."""
        if name in self._read:
            self._read[name] = function
        super().__setitem__(name, function)


class EagerGraph(Graph):
    """What the default graph is with eager execution. Functions that are traced in it capture its tensors.

    Attributes:
        context: what kernels run in.
    """

    is_eager = True

    def __init__(self) -> None:
        self._seed: int | None = None
        self._random = random.Random()
        self.context = EagerContext()
        super().__init__()
        self._functions = Functions()
        self.forget_plain()

    # ---- running ops

    def add_node(
        self, opdef: Any, name: str, inputs: list[Tensor], attrs: dict[str, Any], infer_shapes: bool = True
    ) -> Operation:
        """Runs an op; the outputs of the operation have values."""
        node = Execution(self, opdef, name, inputs, attrs)
        current = self.scopes
        if current.devices:
            self._place(node)
        if node._device:
            run_placed(node, partial(execute, self.context, node))
        else:
            execute(self.context, node)
        if current.gradient_override and opdef.name in current.gradient_override:
            node.extra["_gradient_op_type"] = encode.string_value(current.gradient_override[opdef.name])
        if scopes.tapes.items:
            scopes.record(node)
        if looks.functions:
            show(node, [tensor.held if isinstance(tensor, EagerTensor) else None for tensor in node.outputs])
        return node

    def record(
        self, opdef: Any, inputs: Sequence[Tensor], outputs: Sequence[Tensor], rule: Callable[..., Any]
    ) -> None:
        """Puts a computation on the tapes whose gradient is `rule(op, *dys)`."""
        node = Execution(self, opdef, opdef.name, list(inputs), {})
        node.outputs = list(outputs)
        node.extra[OWN_GRADIENT] = rule
        scopes.record(node)

    def capture(self, tensor: Tensor) -> Tensor:
        """The value of a tensor of a function that is being traced, such as the initial value of a variable.

        Raises:
            TypeError: the tensor has no value: it belongs to another graph, or follows from the function's arguments.
        """
        if isinstance(tensor.graph, FuncGraph) and tensor.graph in scopes.graphs.items:
            found = value_outside(tensor)
            if found is not None:
                return found
        raise TypeError(
            f'An op that runs eagerly is being passed a "Graph" tensor, which has no value: {tensor}. Run it in a '
            f"session, or inside the function that made it"
        )

    # ---- names and blocks

    def claim_name(self, name: str) -> str:
        return name if not self.scopes.name and name.isidentifier() else super().claim_name(name)

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` in the current name scope; nothing is ever in use."""
        return f"{self.scopes.name}/{name}" if self.scopes.name else name

    @contextlib.contextmanager
    def control_dependencies(self, control_inputs: Any) -> Iterator[None]:
        """Operations run in the order of the program; functions among the `control_inputs` are called."""
        for item in (control_inputs,) if callable(control_inputs) else control_inputs or ():
            if callable(item):
                item()
        yield

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        yield

    def as_plain(self) -> Graph:
        return self._plain

    def forget_plain(self) -> None:
        self._plain = Graph()
        self._collections = self._plain._collections
        self.scopes.variable_scope_counts = None

    # ---- seeds

    @property
    def seed(self) -> int | None:  # type: ignore[override]
        return self._seed

    @seed.setter
    def seed(self, value: int | None) -> None:
        self._seed, self._random = value, random.Random(value)
        self.context.forget_kernels()

    def _count_more(self, count: int) -> None:
        """Nothing: operations that run at once are not counted."""

    def next_op_seed(self) -> int:
        return self._random.randint(0, _MOST_SEED)

    def __repr__(self) -> str:
        return "<EagerGraph>"


EAGER = EagerGraph()
EagerTensor.graph = EAGER


def tensor_of(value: Any, dtype: Any) -> EagerTensor:
    """A tensor with the value of an array, without a copy."""
    return EAGER.add_node(CONST.opdef, CONST.name, [], {"value": value, "dtype": dtype}).outputs[0]  # type: ignore
