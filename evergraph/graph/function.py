"""Graphs that are functions: the bodies of conditionals, loops and calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Shape, Tensor
from evergraph.graph.registry import lookup

_names_lock = threading.Lock()
_SMALL = 64  # constants up to this many elements are copied into a function rather than captured


class FuncGraph(Graph):
    """A graph with inputs and outputs, built inside another graph.

    A tensor of an enclosing graph that a node inside uses becomes a further input (a capture). Collections, seeds and
    the function library are those of the enclosing graph.

    Attributes:
        name: its name in the library.
        inputs: the argument tensors, captures last.
        outputs: the result tensors.
        captures: outer tensor -> the input that stands for it, in order.
        outer_waits: operations of enclosing graphs that run before the function.

    With `is_new` false the name is taken as it stands: that of a function which the library has already.
    """

    is_function = True

    def __init__(self, name: str, outer: Graph | None = None, is_new: bool = True) -> None:
        super().__init__()
        self.outer_graph = outer or default_graph()
        self.name = unique_function_name(self.outer_graph, name) if is_new else name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.control_outputs: list[Operation] = []
        self.captures: dict[Tensor, Tensor] = {}
        self.constants: dict[Tensor, Tensor] = {}
        self.outer_waits: list[Operation] = []
        self.definition: Any = None  # the FunctionDef that it was read from
        self._collections = self.outer_graph._collections
        self.seed = self.outer_graph.seed
        self.scopes.devices = self.outer_graph.scopes.devices
        self.scopes.gradient_override = self.outer_graph.scopes.gradient_override

    @property
    def library(self) -> dict[str, Any]:
        return self.outer_graph.library

    @property
    def root(self) -> Graph:
        """The outermost graph, which sessions run."""
        graph = self.outer_graph
        while isinstance(graph, FuncGraph):
            graph = graph.outer_graph
        return graph

    def add_input(self, dtype: dtypes.DType, shape: Shape, name: str = "arg") -> Tensor:
        """A new argument."""
        before, self.scopes.control = self.scopes.control, ()
        try:
            full_name = self.claim_name(name)
            node = self.add_node(lookup("Placeholder"), full_name, [], {"dtype": dtype.base_dtype, "shape": shape})
        finally:
            self.scopes.control = before
        node.outputs[0]._dtype = dtype
        self.inputs.append(node.outputs[0])
        return node.outputs[0]

    def capture(self, tensor: Tensor) -> Tensor:
        """The input that stands for a tensor of an enclosing graph."""
        known = self.captures[tensor] if tensor in self.captures else self.constants.get(tensor)
        if known is not None:
            return known
        if tensor.graph is self:
            return tensor
        if tensor.op.type == "Const" and tensor.op.attrs["value"].size <= _SMALL:
            return self._own_constant(tensor)
        graph: Graph = self.outer_graph
        while graph is not tensor.graph:
            if not isinstance(graph, FuncGraph):
                raise ValueError(f"Tensor {tensor.name!r} is not in a graph around function {self.name!r}")
            graph = graph.outer_graph
        before, self.scopes.name = self.scopes.name, ""
        try:
            inner = self.add_input(tensor._dtype, tensor._shape, tensor.op.name.rpartition("/")[2])
        finally:
            self.scopes.name = before
        inner.__dict__.update({k: v for k, v in tensor.__dict__.items() if k.startswith("_handle")})
        self.captures[tensor] = inner
        return inner

    def _own_constant(self, tensor: Tensor) -> Tensor:
        """A copy of a small outer constant: its value stays known while the body is built and compiled."""
        before, self.scopes.name = self.scopes.name, ""
        control, self.scopes.control = self.scopes.control, ()
        try:
            name = self.claim_name(tensor.op.name.rpartition("/")[2])
            node = self.add_node(tensor.op.opdef, name, [], dict(tensor.op.attrs))
        finally:
            self.scopes.name, self.scopes.control = before, control
        self.constants[tensor] = node.outputs[0]
        return node.outputs[0]

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """As for any graph; a tensor of an enclosing graph is captured, an operation of one has run already."""
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if isinstance(obj, Tensor) and allow_tensor and obj.graph is not self and obj.graph in self.enclosing():
            return self.capture(obj)
        if isinstance(obj, Operation) and obj.graph is not self and obj.graph in self.enclosing():
            return obj
        return super().as_graph_element(obj, allow_tensor, allow_operation)

    def enclosing(self) -> list[Graph]:
        """The graphs around this one, innermost first."""
        graphs: list[Graph] = [self.outer_graph]
        while isinstance(graphs[-1], FuncGraph):
            graphs.append(graphs[-1].outer_graph)
        return graphs

    def _wait_in_scopes(self, node: Operation) -> None:
        super()._wait_in_scopes(node)
        # The function as a whole runs after outer operations: whoever calls it waits for them.
        self.outer_waits += [c for c in node._control_inputs if c.graph is not self and c not in self.outer_waits]
        node._control_inputs = [c for c in node._control_inputs if c.graph is self]

    def __repr__(self) -> str:
        return f"<FuncGraph {self.name!r}>"


def trace(
    name: str,
    function: Callable[..., Any],
    arguments: Sequence[tuple[dtypes.DType, Shape, str]],
    outer: Graph | None = None,
) -> tuple[FuncGraph, Any]:
    """Builds a FuncGraph by calling `function` with new argument tensors; also gives back what it returned."""
    graph = FuncGraph(name, outer)
    with graph.as_default():
        tensors = [graph.add_input(*argument) for argument in arguments]
        result = function(*tensors)
    return graph, result


def has_effect(node: Operation) -> bool:
    """Whether a function runs the node even when none of its outputs is asked for."""
    return bool(
        node.opdef.stateful or any(t._dtype.is_ref for t in node.outputs) and node._inputs
    ) and node.type not in ("Placeholder", "VariableV2", "VarHandleOp")


def share_captures(graphs: Sequence[FuncGraph]) -> list[Tensor]:
    """Gives functions that are called with the same arguments the same captures; lists the captured tensors."""
    captured = list(dict.fromkeys(t for graph in graphs for t in graph.captures))
    for graph in graphs:
        own = set(graph.captures.values())
        arguments = [t for t in graph.inputs if t not in own]
        graph.inputs = [*arguments, *(graph.capture(t) for t in captured)]
        graph.captures = {t: graph.captures[t] for t in captured}
    return captured


def unique_function_name(graph: Graph, name: str) -> str:
    """A name no function of the library has, even one still being built."""
    root = graph.root if isinstance(graph, FuncGraph) else graph
    with _names_lock:
        taken = root.__dict__.setdefault("_function_names", set(root._functions))
        plain = name.replace("/", "_")
        candidate, count = plain, 0
        while candidate in taken or candidate in root._functions:
            count += 1
            candidate = f"{plain}_{count}"
        taken.add(candidate)
    return candidate
