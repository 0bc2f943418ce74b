"""What a row of the table from TensorFlow's ops to TensorFlow Lite's operators sees of the model around a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.node import Operation
from evergraph.graph.opdef import OpDef
from evergraph.lite.model import Shape, Step, Subgraph, Value


class Unmapped(Exception):
    """A node that has no counterpart in TensorFlow Lite; says why."""


@dataclass(frozen=True)
class Row:
    """How an op is converted.

    Attributes:
        codes: the builtin operators that it becomes.
        convert: adds them to the model.
    """

    codes: tuple[str, ...]
    convert: Callable[[Site], None]


TABLE: dict[OpDef, Row] = {}
"""Op -> its row. The modules named `rows_*` fill it."""


def row(op: OpDef, *codes: str) -> Callable[[Callable[[Site], None]], Callable[[Site], None]]:
    """Declares that a function converts an op, to these operators."""

    def declare(function: Callable[[Site], None]) -> Callable[[Site], None]:
        TABLE[op] = Row(codes, function)
        return function

    return declare


class Names:
    """Gives each value of a subgraph a name of its own."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, name: str) -> str:
        found, number = name, 0
        while found in self._taken:
            number += 1
            found = f"{name}_{number}"
        self._taken.add(found)
        return found


@dataclass(eq=False)
class Site:
    """A node and what it may add to the model.

    Attributes:
        node: the node.
        inputs: the values of its inputs.
        outputs: the values to compute; a row may put other values in their place.
        subgraph: where steps are added.
        names: the names of the subgraph.
        lowered: lowers a function to a subgraph, or into this one; see lowering.py.
    """

    node: Operation
    inputs: list[Value]
    outputs: list[Value]
    subgraph: Subgraph
    names: Names
    lowered: Any

    def attr(self, name: str) -> Any:
        return self.node.attrs[name]

    def known(self, place: int) -> np.ndarray[Any, Any]:
        """The value of an input that has to be constant."""
        data = self.inputs[place].data
        if data is None:
            raise Unmapped(f"its input {place} must be constant")
        return data

    def shape(self, place: int) -> Shape:
        """The shape of an input, whose rank has to be known."""
        found = self.inputs[place].shape
        if found is None:
            raise Unmapped(f"the rank of its input {place} is unknown")
        return found

    def constant(self, data: Any, suffix: str = "const", dtype: Any = None) -> Value:
        array = np.asarray(data, dtype)
        return Value(self.names.unique(f"{self.node.name}/{suffix}"), dtypes.as_dtype(array.dtype), array.shape, array)

    def integers(self, numbers: Sequence[int], suffix: str = "shape") -> Value:
        return self.constant(np.array(numbers, np.int32), suffix)

    def scalar(self, number: float, like: Value) -> Value:
        return self.constant(np.array(number, like.dtype.as_numpy_dtype), "const")

    def make(self, code: str, inputs: Sequence[Value | None], shape: Shape | None, dtype: dtypes.DType | None = None,
             **options: Any) -> Value:  # fmt: skip
        """Adds a step with one result, which further steps of this node take."""
        first = next(value for value in inputs if value is not None)
        result = Value(self.names.unique(f"{self.node.name}/{code.lower()}"), dtype or first.dtype, shape)
        self._add(code, inputs, [result], options)
        return result

    def give(self, code: str, inputs: Sequence[Value | None], **options: Any) -> None:
        """Adds the step that computes the node's outputs."""
        self._add(code, inputs, self.outputs, options)

    def forward(self, value: Value, place: int = 0) -> None:
        """Lets an output be a value that exists."""
        self.outputs[place] = value

    def _add(self, code: str, inputs: Sequence[Value | None], outputs: Sequence[Value],
             options: dict[str, Any]) -> None:
        origin = f"{self.node.type} '{self.node.name}'"
        self.subgraph.steps.append(Step(code, list(inputs), list(outputs), options, origin=origin))

    # ---- what several rows need

    def as_int32(self, place: int) -> Value:
        """An input with indices or sizes, in the type that all kernels take."""
        value = self.inputs[place]
        if value.dtype is dtypes.int32:
            return value
        if value.data is not None:
            return self.constant(value.data.astype(np.int32), "int32")
        return self.make("CAST", [value], value.shape, dtypes.int32)

    def reshaped(self, value: Value, sizes: Sequence[int | None]) -> Value:
        """A value in another shape, in which one size at most is unknown."""
        if list(sizes).count(None) > 1:
            raise Unmapped(f"more than one size of {tuple(sizes)} is unknown")
        target = self.integers([-1 if size is None else size for size in sizes])
        return self.make("RESHAPE", [value, target], tuple(sizes), newShape=target.data.tolist())  # type: ignore[union-attr]

    def transposed(self, value: Value, order: Sequence[int]) -> Value:
        if value.data is not None:
            found = self.constant(np.transpose(value.data, order), "transposed")
            found.quantization = value.quantization
            return found
        shape = None if value.shape is None else tuple(value.shape[axis] for axis in order)
        return self.make("TRANSPOSE", [value, self.integers(order, "perm")], shape)
