"""Graphs that are functions: the bodies of conditionals, loops and calls."""

from __future__ import annotations

import contextlib
import itertools
import threading
import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.codec import NameAttrList
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Shape, Tensor, share_handle_data
from evergraph.graph.primitives import ASSERT, CONST, FAKE_PARAM, IDENTITY, PLACEHOLDER
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Kind

_names_lock = threading.Lock()
_CONDITIONALS = (Kind.IF, Kind.CASE)
_SMALL = 64  # constants up to this many elements are copied into a function rather than captured


class FuncGraph(Graph):
    """A graph with inputs and outputs, built inside another graph.

    When a node inside uses a tensor of an enclosing graph, the function captures it: it gets a further input for the
    tensor. Collections, seeds and the function library are those of the enclosing graph.

    Attributes:
        name: its name in the library.
        inputs: the argument tensors, captures last.
        outputs: the result tensors.
        control_outputs: the operations of a tf.function that run whenever it is called.
        captures: captured tensor of an enclosing graph -> the input for it, in order.
        arguments: input -> the value that it has in the call for which a tf.function is being traced; empty otherwise.
        outer_waits: operations of enclosing graphs that run before the function.
        owner: the only node that calls the function, so that inputs may be added to both; None when unknown.
        handed_out: tensor -> the output that the node which calls the function has got for it.
        used_outside: tensor of a branch -> the tensor around the conditional that fails unless the branch was taken.
        forward: the function whose gradient this function computes, and whose tensors it may capture; or None.
        origins: the functions that this one is a copy of: gradient functions of the user have tensors of these.
        is_dataflow: stateful nodes run only if an output depends on them, as in TensorFlow 1's conditionals and loops;
            otherwise they run whenever the function is called.
        branch: which branch of a conditional it is, such as "true_fn"; "" for a function that always runs.

    With `is_new` false the function takes `name` unchanged, the name of a function that the library already has.
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
        self.arguments: dict[Tensor, Tensor] = {}
        self.read_variables: list[weakref.ref[Any]] = []
        self.constants: dict[Tensor, Tensor] = {}
        self.outer_waits: list[Operation] = []
        self.owner: Operation | None = None
        self.handed_out: dict[Tensor, Tensor] = {}
        self.used_outside: dict[Tensor, Tensor] = {}
        self.forward: FuncGraph | None = None
        self.origins: weakref.WeakSet[FuncGraph] = weakref.WeakSet()
        self.is_dataflow = False
        self.branch = ""
        self.definition: Any = None  # the FunctionDef that it was read from
        self._collections = self.outer_graph._collections
        self.seed = self.outer_graph.seed
        self.scopes.devices = self.outer_graph.scopes.devices
        self.scopes.gradient_override = self.outer_graph.scopes.gradient_override

    @contextlib.contextmanager
    def own_collections(self, shared: Collection[Any]) -> Iterator[None]:
        """Keeps what is added to collections inside the function, but for the `shared` ones."""
        outer = self.outer_graph._collections
        absent = [name for name in shared if name not in outer]
        self._collections = {name: list(values) for name, values in outer.items()}
        self._collections.update({name: outer.setdefault(name, []) for name in shared})
        try:
            yield
        finally:
            for name in absent:
                if not outer[name]:
                    del outer[name]

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that a tf.function reads, other than its arguments, as far as they are still in use."""
        return tuple(v for v in (each() for each in self.read_variables) if v is not None)

    @property
    def external_captures(self) -> list[Tensor]:
        """The tensors of enclosing graphs that the function uses."""
        return list(self.captures)

    @property
    def internal_captures(self) -> list[Tensor]:
        """The inputs for these."""
        return list(self.captures.values())

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

    @property
    def _last_id(self) -> int:
        return self.root._last_id

    def _count_more(self, count: int) -> None:
        self.root._count_more(count)

    def add_node(self, *args: Any, **kwargs: Any) -> Operation:
        node = super().add_node(*args, **kwargs)
        self.root._inner_nodes += 1
        return node

    def add_input(self, dtype: dtypes.DType, shape: Shape, name: str = "arg") -> Tensor:
        """Adds an argument."""
        with self.scopes.replaced(control=()):
            full_name = self.claim_name(name)
            node = self.add_node(PLACEHOLDER.opdef, full_name, [], {"dtype": dtype.base_dtype, "shape": shape})
        node.outputs[0]._dtype = dtype
        self.inputs.append(node.outputs[0])
        return node.outputs[0]

    def capture(self, tensor: Tensor) -> Tensor:
        """The input for a tensor of an enclosing graph, or a copy of a small constant."""
        known = self.captures[tensor] if tensor in self.captures else self.constants.get(tensor)
        if known is not None:
            return known
        if tensor.graph is self:
            return tensor
        if _is_small_constant(tensor) and not self._is_out_of_reach(tensor):
            return self._own_constant(tensor)
        tensor = self._around(tensor)
        if tensor in self.captures:
            return self.captures[tensor]
        with self.scopes.replaced(name=""):
            inner = self.add_input(tensor._dtype, tensor._shape, tensor.source.name.rpartition("/")[2])
        share_handle_data(tensor, inner)
        if inner._dtype.is_integer and not self.branch and (value := static_value(tensor)) is not None:
            inner._static_value = (self._rewirings, value)  # so that shapes in a loop follow from sizes around it
        self.captures[tensor] = inner
        return inner

    def captured_by(self, inner: Tensor) -> Tensor | None:
        """The tensor of an enclosing graph that an input stands for; None if it stands for none."""
        return next((outer for outer, each in self.captures.items() if each is inner), None)

    def _is_part_of(self, graph: Graph) -> bool:
        """Whether this is a branch of a conditional, or the body of a loop, at any depth in another graph."""
        return self.owner is not None and (self.owner.graph is graph or self.owner.graph._is_part_of(graph))

    def _outside(self, tensor: Tensor) -> Tensor | None:
        """A tensor around a conditional that has the value of a tensor of this branch; it fails if another was taken.

        Raises:
            ValueError: the tensor is in a loop.
        """
        owner = self.owner
        if owner is not None and owner.opdef.kind is Kind.WHILE:
            raise ValueError(f"Cannot use {tensor.op.name!r} outside of the while loop that it is in")
        if owner is None or owner.opdef.kind not in _CONDITIONALS:
            return None
        if tensor not in self.used_outside:
            value, taken = hand_out(owner, functions_of(owner), tensor), _is_taken(owner, self)
            with owner.graph.as_default(), owner.graph.control_dependencies(None):
                message = f"{tensor.name} does not have a value: its branch of {owner.name} was not taken"
                with owner.graph.control_dependencies([ASSERT(taken, [message])]):
                    self.used_outside[tensor] = IDENTITY(value)
        return self.used_outside[tensor]

    def _around(self, tensor: Tensor) -> Tensor:
        """The tensor itself when an enclosing graph has it, or what stands for it in one that does.

        A tensor of a branch of another conditional is an output of that one: it has a value if the branch was taken.

        Raises:
            ValueError: no enclosing graph has it.
        """
        for graph in self.enclosing():
            if graph is tensor.graph:
                return tensor
            if isinstance(graph, FuncGraph) and graph.forward is not None and graph.forward.has(tensor):
                return graph.capture(tensor)
        inside = tensor.graph
        if isinstance(inside, FuncGraph) and inside.owner is not None and inside.owner.opdef.kind in _CONDITIONALS:
            return self._around(hand_out(inside.owner, functions_of(inside.owner), tensor))
        if self.branch and isinstance(inside, FuncGraph) and inside.branch:
            local = tensor.name.rpartition("/")[2]
            raise ValueError(f"Tensor {local} in {inside.branch} is accessed from {self.branch}. Only one of them runs")
        raise ValueError(f"Tensor {tensor.name!r} is not in a graph around function {self.name!r}")

    def _is_out_of_reach(self, tensor: Tensor) -> bool:
        """Whether a tensor belongs to a loop or a function that is not around this one."""
        inside = tensor.graph
        if not isinstance(inside, FuncGraph) or inside.branch:
            return False
        return not any(graph is inside or isinstance(graph, FuncGraph) and graph.forward is not None
                       and graph.forward.has(tensor) for graph in (self, *self.enclosing()))

    def has(self, tensor: Tensor) -> bool:
        """Whether a tensor belongs to this function, or to one that it is a copy of."""
        return tensor.graph is self or tensor.graph in self.origins

    def own(self, tensor: Tensor) -> Tensor:
        """The tensor of this function that stands for a tensor it has."""
        if tensor.graph is self:
            return tensor
        node: Operation = self._by_name[tensor.op.name]
        return node.outputs[tensor.value_index]

    def _own_constant(self, tensor: Tensor) -> Tensor:
        """A copy of a small constant of an enclosing graph, so that its value is static in this function."""
        with self.scopes.replaced(name="", control=()):
            name = self.claim_name(tensor.source.name.rpartition("/")[2])
            node = self.add_node(tensor.source.opdef, name, [], dict(tensor.source.attrs))
        self.constants[tensor] = node.outputs[0]
        tensor.graph.memo(CopiedConstants).add(tensor)
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

    def order(self) -> Order:
        """The order of its effects."""
        return Order(self)

    def enclosing(self) -> list[Graph]:
        """The graphs around this one, innermost first."""
        graphs: list[Graph] = [self.outer_graph]
        while isinstance(graphs[-1], FuncGraph):
            graphs.append(graphs[-1].outer_graph)
        return graphs

    @contextlib.contextmanager
    def control_dependencies(self, control_inputs: Sequence[Any] | None) -> Iterator[None]:
        """As for any graph; operations of enclosing graphs run before the function, even if the block is empty."""
        if control_inputs is not None:
            control_inputs = [each.op if self._is_outside(each) else each for each in control_inputs]
        with super().control_dependencies(control_inputs):
            for scope in self.scopes.control[-1:] if control_inputs is not None else ():
                self._wait_outside(scope.operations)
            yield

    def _is_outside(self, item: Any) -> bool:
        """Whether an item is a tensor of an enclosing graph, whose operation there is no need to capture."""
        return isinstance(item, Tensor) and not item.graph.is_eager and item.graph in self.enclosing()

    def _wait_outside(self, nodes: Sequence[Operation]) -> None:
        """Lets the node that calls the function wait for operations of enclosing graphs."""
        outside = [c for c in nodes if c.graph is not self and not c.graph.is_eager]
        self.outer_waits += [c for c in outside if c not in self.outer_waits]

    def _wait_in_scopes(self, node: Operation) -> None:
        super()._wait_in_scopes(node)
        self._wait_outside(node._control_inputs)
        node._control_inputs = [c for c in node._control_inputs if c.graph is self]

    def __repr__(self) -> str:
        return f"<FuncGraph {self.name!r}>"


def _is_small_constant(tensor: Tensor) -> bool:
    """Whether a copy of a tensor may stand for it: not of a handle, nor of floats, which may get a gradient."""
    dtype, node = tensor._dtype.base_dtype, tensor.source
    if dtype in (dtypes.resource, dtypes.variant) or dtype.is_floating or dtype.is_complex:
        return False
    return node.opdef.kind is Kind.CONSTANT and bool(node.attrs["value"].size <= _SMALL)


def trace(
    name: str, function: Callable[..., Any], arguments: Sequence[tuple[dtypes.DType, Shape, str]],
    outer: Graph | None = None,
) -> tuple[FuncGraph, Any]:
    """Builds a FuncGraph by calling `function` with new argument tensors; returns the graph and the result."""
    graph = FuncGraph(name, outer)
    with graph.as_default():
        tensors = [graph.add_input(*argument) for argument in arguments]
        result = function(*tensors)
    return graph, result


def has_effect(node: Operation) -> bool:
    """Whether a function runs the node even when none of its outputs is needed."""
    if node.opdef.kind in (Kind.PLACEHOLDER, Kind.VARIABLE):
        return False
    return bool(node.opdef.stateful or any(t._dtype.is_ref for t in node.outputs) and node._inputs)


class Order:
    """The order that the effects of a function have by its text, as TensorFlow needs it said: by control inputs.

    Attributes:
        waits: operation -> the operations that have to run before it.
        ends: the operations that run whenever the function is called.
    """

    def __init__(self, function: FuncGraph) -> None:
        self.waits: dict[Operation, list[Operation]] = {}
        self.ends: list[Operation] = []
        self._writer: dict[Tensor | None, Operation] = {}
        self._readers: dict[Tensor | None, list[Operation]] = {}
        self._sources: dict[Tensor, Tensor] = {}
        for node in () if function.is_dataflow else function._nodes:
            self._add(node)

    def _add(self, node: Operation) -> None:
        handles = [(i, t) for i, t in enumerate(node._inputs) if t._dtype is dtypes.resource]
        if handles and node.opdef.aliases:
            self._sources.update(dict.fromkeys(node.outputs, self._source(handles[0][1])))
        elif handles:
            for i, tensor in handles:
                self._touch(node, self._source(tensor), writes(node, i))
        elif has_effect(node):
            self._touch(node, None, True)
        if has_effect(node) and node.opdef.kind is not Kind.READ:
            self.ends.append(node)

    def _source(self, tensor: Tensor) -> Tensor:
        return self._sources.get(tensor, tensor)

    def _touch(self, node: Operation, what: Tensor | None, changes: bool) -> None:
        """Notes that a node reads or changes something: the variable behind a handle, or the world outside (None)."""
        before = [self._writer[what]] if what in self._writer else []
        if changes:
            before += self._readers.pop(what, [])
            self._writer[what] = node
        else:
            self._readers.setdefault(what, []).append(node)
        self.waits.setdefault(node, []).extend(each for each in before if each is not node)


def functions_of(node: Operation) -> list[FuncGraph]:
    """The functions that the node's attrs name."""
    names = node.opdef.plan.functions
    if not names:
        return []
    values = [node.attrs.get(name) for name in names]
    return [
        node.graph.function(v.name)
        for value in values
        for v in (value if isinstance(value, list) else (value,))
        if isinstance(v, NameAttrList)
    ]


def hand_out(node: Operation, functions: Sequence[FuncGraph], tensor: Tensor) -> Tensor:
    """The output of a node for a tensor of one of the functions it calls; it has no value when another is called."""
    function = tensor.graph
    assert isinstance(function, FuncGraph)
    if tensor not in function.handed_out:
        dtype, shape = tensor.dtype.base_dtype, tensor._shape
        for other in functions:
            inner = tensor
            if other is not function:
                with other.as_default():
                    inner = FAKE_PARAM(dtype=dtype, shape=shape)
            other.outputs = [*other.outputs, inner]
        function.handed_out[tensor] = more_output(node, "Tout", dtype, shape)
    return function.handed_out[tensor]


def _is_taken(node: Operation, function: FuncGraph) -> Tensor:
    """A new output of a conditional that tells whether a function is the branch which was taken."""
    for other in functions_of(node):
        with other.as_default(), other.control_dependencies(None):
            flag = CONST(value=np.array(other is function), dtype=dtypes.bool)
        other.outputs = [*other.outputs, flag]
    return more_output(node, "Tout", dtypes.bool, ())


def more_output(node: Operation, list_attr: str, dtype: dtypes.DType, shape: Shape) -> Tensor:
    """A new output of a node whose functions have one more output."""
    node.attrs[list_attr] = [*node.attrs[list_attr], dtype]
    if node.attrs.get("output_shapes"):
        node.attrs["output_shapes"] = [*node.attrs["output_shapes"], shape]
    return node._append_output(dtype, shape)


def writes(node: Operation, position: int) -> bool:
    """Whether a node may change the variable that it takes as the input at `position`."""
    if functions := functions_of(node):
        # The arguments of a function are the last inputs of the node that calls it.
        places = [(f, position - len(node._inputs) + len(f.inputs)) for f in functions]
        return any(0 <= place < len(f.inputs) and writes_argument(f, f.inputs[place]) for f, place in places)
    if node._inputs[position]._dtype.is_ref:
        return node.opdef.plan.takes_ref(node.attrs, position) and not node.opdef.reads_only
    return not node.opdef.reads_only


class _Writes(dict[Tensor, bool]):
    """Whether a function may write the variable that each of its tensors refers to."""


def writes_argument(function: FuncGraph, argument: Tensor) -> bool:
    """Whether a function may change the variable that it gets as `argument`."""
    known = function.cache(_Writes)
    if argument not in known:
        users = [(node, i) for node in argument.consumers() for i, t in enumerate(node._inputs) if t is argument]
        aliases = [t for node, _ in users if node.opdef.aliases for t in node.outputs
                   if t._dtype.is_ref or t._dtype is dtypes.resource]
        known[argument] = any(writes(node, i) for node, i in users) \
            or any(writes_argument(function, t) for t in aliases)
    return known[argument]


def copied(function: FuncGraph) -> FuncGraph:
    """A copy of a function, under a name of its own."""
    copy = FuncGraph(function.name, function.outer_graph)
    copy.is_dataflow = function.is_dataflow
    copy.origins.update([function, *function.origins])
    made: dict[Operation, Operation] = {}

    def node_like(node: Operation) -> Operation:
        if node not in made:
            inputs = [node_like(t.op).outputs[t.value_index] for t in node._inputs]
            waits = [node_like(c) for c in node._control_inputs]
            made[node] = copy.add_copy(node, inputs)
            made[node]._add_control_inputs(waits)
        return made[node]

    for node in function._nodes:
        node_like(node)
    at = lambda tensor: made[tensor.op].outputs[tensor.value_index]
    copy.inputs, copy.outputs = [at(t) for t in function.inputs], [at(t) for t in function.outputs]
    copy.captures = {outer: at(inner) for outer, inner in function.captures.items()}
    copy.constants = {outer: at(inner) for outer, inner in function.constants.items()}
    copy.control_outputs = [made[n] for n in function.control_outputs]
    return copy


def variable_read(tensor: Tensor) -> Tensor | None:
    """The ref tensor that a tensor is the plain read of, through any number of Identity; None for other tensors.

    A read that waits for other operations is not plain: it has the value that the variable has then.
    """
    while not tensor._dtype.is_ref:
        node = tensor.op
        if node.opdef.kind is not Kind.IDENTITY or node._control_inputs:
            return None
        tensor = node._inputs[0]
    return tensor


def _read_inside(graphs: Sequence[FuncGraph]) -> None:
    """Lets functions read the ref variables that one of them writes, where they took a read from outside.

    Such a read has the value from before the loop or the conditional. In TensorFlow it shares the variable's memory.
    """
    written = {outer for graph in graphs for outer, inner in graph.captures.items()
               if inner._dtype.is_ref and writes_argument(graph, inner)}
    for graph in graphs if written else ():
        for outer, inner in [*graph.captures.items()]:
            variable = None if inner._dtype.is_ref else variable_read(outer)
            if variable in written:
                _replace_by_reads(graph, inner, graph.capture(variable))


def _replace_by_reads(graph: FuncGraph, value: Tensor, variable: Tensor) -> None:
    """Replaces an input by reads of a variable; what the function returns is read behind all writes."""
    writers = [n for n in variable.consumers() for i, t in enumerate(n._inputs) if t is variable and writes(n, i)]
    with graph.as_default(), graph.control_dependencies(None):
        read = IDENTITY(variable)
        for node in [*value.consumers()]:
            for i in [i for i, t in enumerate(node._inputs) if t is value]:
                node._update_input(i, read)
        if any(value is t for t in graph.outputs):
            with graph.control_dependencies(writers):
                last = IDENTITY(variable)
            graph.outputs = [last if t is value else t for t in graph.outputs]


def share_captures(graphs: Sequence[FuncGraph]) -> list[Tensor]:
    """Gives all `graphs` the same captures in the same order, so that one list of inputs fits them; returns it."""
    _read_inside(graphs)
    captured = list(dict.fromkeys(t for graph in graphs for t in graph.captures))
    for graph in graphs:
        own = set(graph.captures.values())
        arguments = [t for t in graph.inputs if t not in own]
        graph.inputs = [*arguments, *(graph.capture(t) for t in captured)]
        graph.captures = {t: graph.captures[t] for t in captured}
    return captured


class CopiedConstants(set[Tensor]):
    """The constants of which functions of a graph have copies."""


class _FunctionNames(dict[str, int]):
    """The names given to functions of a graph so far -> the next number to try as a suffix."""


class _FunctionNumbers:
    """Numbers for the functions of a graph that lives as long as the process: a table of their names would grow."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)


def unique_function_name(graph: Graph, name: str) -> str:
    """A name that no function of the library has, nor any function under construction."""
    root = graph.root if isinstance(graph, FuncGraph) else graph
    plain = name.replace("/", "_")
    if root.is_eager:
        names = (f"{plain}_{number}" for number in root.memo(_FunctionNumbers).numbers)
        return next(each for each in names if each not in root._functions)
    with _names_lock:
        taken = root.memo(_FunctionNames)
        candidate, count = plain, taken.get(plain, 0)
        while candidate in taken or candidate in root._functions:
            count += 1
            candidate = f"{plain}_{count}"
        taken[plain], taken[candidate] = count, taken.get(candidate, 0)
    return candidate
