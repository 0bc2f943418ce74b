"""Encodes a graph as a GraphDef.

Conditionals and loops are functional nodes in the GraphDef too, with one exception. TensorFlow's functions take no
references, so that it could not run a branch or body that assigns to a reference variable. Such a node is unfolded into
TensorFlow 1's Switch and Merge, or into a frame of Enter, NextIteration and Exit. When evergraph reads that GraphDef,
passes/imported/functionalize.py makes functional nodes of them again.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from evergraph import proto
from evergraph.base import dtypes
from evergraph.formats.wire import sized
from evergraph.graph import encode, primitives
from evergraph.graph.codec import NameAttrList
from evergraph.graph.primitives import Primitive
from evergraph.graph.traits import Kind

if TYPE_CHECKING:
    from evergraph.graph.graph import Graph
    from evergraph.graph.node import Operation, Tensor


_MOST_KEPT = 1 << 24  # bytes of an encoded graph
_LARGEST = (1 << 31) - 1  # bytes of a protocol message


class _Encodings(dict[Hashable, bytes]):
    """A graph as GraphDefs, by whether they have shapes, and what else they tell: each checkpoint has the graph."""


def graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """Encodes the graph, or its nodes after the first `from_version`, as a GraphDef.

    Raises:
        ValueError: the graph is larger than a message can be.
    """
    content = graph_bytes(graph, add_shapes) if not from_version else _encoded(graph, from_version, add_shapes)
    return proto.graph_pb2.GraphDef.FromString(content)


def graph_bytes(graph: Graph, add_shapes: bool = False) -> bytes:
    """Encodes the graph as the bytes of a GraphDef, which files hold.

    Raises:
        ValueError: the graph is larger than a message can be.
    """
    functions = tuple([(name, getattr(each, "_epoch", 0), len(getattr(each, "_nodes", ())))
                       for name, each in list(graph._functions.items())])
    encodings, form = graph.cache(_Encodings), (add_shapes, graph._producer, functions)
    if form in encodings:
        return encodings[form]
    content = _encoded(graph, 0, add_shapes)
    if len(content) <= _MOST_KEPT:
        encodings[form] = content
    return content


def _encoded(graph: Graph, first: int, add_shapes: bool) -> bytes:
    """The nodes from number `first` on, and the library.

    The encoded nodes are joined: a message for every node would take longer to fill than all the bytes to write.
    """
    nodes = graph._nodes[first:] if first else graph._nodes
    if any(map(_changes_references, nodes)):
        return _unfolded(graph, nodes, add_shapes)
    parts = [sized(1, encode.node_bytes(node, add_shapes)) for node in nodes]
    if graph._functions:
        functions = [encode.function_def(function).SerializeToString() for function in list(graph._functions.values())]
        parts.append(sized(2, b"".join([sized(1, function) for function in functions])))
    parts.append(sized(4, encode.versions(graph._producer).SerializeToString()))
    content = b"".join(parts)
    if len(content) > _LARGEST:
        raise ValueError("GraphDef cannot be larger than 2GB.")
    return content


def _unfolded(graph: Graph, nodes: list[Operation], add_shapes: bool) -> bytes:
    """The nodes, some of which become several, and the functions that are still called."""
    message = proto.graph_pb2.GraphDef(versions=encode.versions(graph._producer))
    unfolding = _Unfolding(message, graph)
    for node in nodes:
        if _changes_references(node):
            unfolding.unfold(node, node.name, unfolding.names)
        else:
            message.node.append(unfolding.names.node_def(node, node.name, add_shapes))
    for name, function in list(graph._functions.items()):
        if name not in unfolding.functions:
            message.library.function.append(encode.function_def(function))
    return message.SerializeToString()


def _changes_references(node: Operation) -> bool:
    """Whether the node is a conditional or loop whose functions assign to a reference variable."""
    if node.opdef.kind not in (Kind.IF, Kind.WHILE):
        return False
    return any(t._dtype.is_ref for t in node._inputs) and any(
        t._dtype.is_ref and any(_takes_reference(user, t) for user in t._consumers)
        for function in _functions(node)
        for t in function.inputs)


def _takes_reference(node: Operation, tensor: Tensor) -> bool:
    if node.opdef.kind in (Kind.IF, Kind.WHILE):
        return _changes_references(node)
    places = [i for i, t in enumerate(node._inputs) if t is tensor]
    return not node.opdef.reads_only and any(node.opdef.plan.takes_ref(node.attrs, place) for place in places)


def _functions(node: Operation) -> list[Any]:
    return [node.graph.function(value.name) for value in node.attrs.values() if isinstance(value, NameAttrList)]


class _Names:
    """The names of inputs in the message, which differ from those in the graph where a node was unfolded.

    Attributes:
        tensors: tensor -> its name in the message, where that is not its own.
        waits: unfolded node -> the nodes of the message that a control dependency on it becomes.
    """

    def __init__(self) -> None:
        self.tensors: dict[Tensor, str] = {}
        self.waits: dict[Operation, list[str]] = {}

    def of(self, tensor: Tensor) -> str:
        return self.tensors[tensor] if tensor in self.tensors else tensor._as_node_def_input()

    def controls(self, nodes: list[Operation]) -> list[str]:
        return sorted({f"^{name}" for node in nodes for name in self.waits.get(node, [node.name])})

    def node_def(self, node: Operation, name: str, add_shapes: bool = False) -> Any:
        """The NodeDef of a node under another name, with the names of its inputs in the message."""
        message = encode.node_def(node, add_shapes)
        message.name = name
        message.input[:] = [*(self.of(t) for t in node._inputs), *self.controls(node._control_inputs)]
        return message


class _Unfolding:
    """Inlines the functions of conditionals and loops, between Switch and Merge or in a frame.

    Attributes:
        message: the GraphDef that nodes are added to.
        names: the names of inputs at the top level of the graph.
        functions: the names of the functions that were inlined, which the library does not need.
    """

    def __init__(self, message: Any, graph: Graph) -> None:
        self.message, self.taken = message, set(graph._by_name)
        self.names, self.functions = _Names(), set[str]()

    def unfold(self, node: Operation, name: str, names: _Names) -> None:
        """Unfolds one conditional or loop, and enters the names of its outputs in `names`."""
        self.functions |= {function.name for function in _functions(node)}
        if node.opdef.kind is Kind.IF:
            self._unfold_branches(node, name, names)
        else:
            self._unfold_loop(node, name, names)

    def _add(self, op: Primitive, name: str, inputs: list[str], **attrs: Any) -> str:
        """Adds a node to the message; returns its name."""
        entry = self.message.node.add(name=self._unused(name), op=op.name, input=inputs)
        for key, value in attrs.items():
            if isinstance(value, dtypes.DType):
                entry.attr[key].type = value.base_dtype.enum
            elif isinstance(value, bool):
                entry.attr[key].b = value
            elif isinstance(value, int):
                entry.attr[key].i = value
            else:
                entry.attr[key].s = value.encode()
        return entry.name

    def _identity(self, name: str, inputs: list[str], dtype: dtypes.DType) -> str:
        return self._add(primitives.IDENTITY, name, inputs, T=dtype)

    def _unused(self, name: str) -> str:
        candidate, count = name, 0
        while candidate in self.taken:
            count += 1
            candidate = f"{name}_{count}"
        self.taken.add(candidate)
        return candidate

    # ---- conditionals

    def _unfold_branches(self, node: Operation, name: str, names: _Names) -> None:
        waits = names.controls(node._control_inputs)
        chosen = self._identity(f"{name}/pred_id", [names.of(node._inputs[0]), *waits], dtypes.bool)
        switch = self._add(primitives.SWITCH, f"{name}/Switch", [chosen, chosen], T=dtypes.bool)
        switched = [self._switch(f"{name}/Switch_{i}", names.of(t), chosen, t) for i, t in enumerate(node._inputs[1:])]
        results = []
        for side, attr in enumerate(("else_branch", "then_branch")):
            function = node.graph.function(node.attrs[attr].name)
            pivot = self._identity(f"{name}/switch_{'ft'[side]}", [_output(switch, side)], dtypes.bool)
            inner = _Names()
            inner.tensors.update(zip(function.inputs, [_output(s, side) for s in switched], strict=True))
            outputs, waits = self._inside(function, inner, pivot)
            results.append([*outputs, self._identity(f"{pivot}/done", [pivot, *waits], dtypes.bool)])
        merges = []
        for output, pair in zip([*node.outputs, None], zip(*results, strict=True), strict=True):
            kind = output._dtype if output is not None else dtypes.bool
            merge = self._add(primitives.MERGE, f"{name}/Merge", list(pair), T=kind, N=2)
            merges.append(merge)
            if output is not None:
                names.tensors[output] = merge
        names.waits[node] = merges

    def _switch(self, name: str, data: str, predicate: str, tensor: Tensor) -> str:
        op = primitives.REF_SWITCH if tensor._dtype.is_ref else primitives.SWITCH
        return self._add(op, name, [data, predicate], T=tensor._dtype)

    def _inside(self, function: Any, names: _Names, pivot: str) -> tuple[list[str], list[str]]:
        """Inlines a function; returns the names of its outputs, and control inputs that wait for its effects.

        A node without inputs gets a control dependency on the pivot, which places it in its branch or frame. Unless
        the function is dataflow, the outputs wait for every node that may have an effect: a call runs all of them.
        """
        arguments, effects = set(function.inputs), []
        for node in function._nodes:
            if node.outputs and node.outputs[0] in arguments:
                continue
            if _changes_references(node):
                self.unfold(node, self._unused(node.name), names)
            else:
                self._add_inner(node, names, pivot)
            if not function.is_dataflow and (node.opdef.stateful or any(t._dtype.is_ref for t in node.outputs)):
                effects += names.waits[node]
        waits = sorted({f"^{name}" for name in effects})
        named = [(names.of(t), t._dtype) for t in function.outputs]
        return [self._identity(f"{pivot}/output", [name, *waits], dtype) for name, dtype in named], waits

    def _add_inner(self, node: Operation, names: _Names, pivot: str) -> None:
        entry = names.node_def(node, self._unused(node.name))
        if not entry.input:
            entry.input.append(f"^{pivot}")
        entry.attr.pop("_class", None)  # names nodes of the function
        self.message.node.append(entry)
        names.waits[node] = [entry.name]
        for tensor in node.outputs:
            names.tensors[tensor] = _output(entry.name, tensor.value_index)

    # ---- loops

    def _unfold_loop(self, node: Operation, name: str, names: _Names) -> None:
        """Makes a frame. A loop variable that the body does not change, such as a captured reference, is constant."""
        cond, body = (node.graph.function(node.attrs[attr].name) for attr in ("cond", "body"))
        frame = {"frame_name": f"{name}/", "parallel_iterations": node.attrs["parallel_iterations"]}
        waits = names.controls(node._control_inputs)
        fixed = [out is arg for out, arg in zip(body.outputs, body.inputs, strict=True)]
        if all(fixed):  # a frame has at least one variable
            fixed[next(i for i, t in enumerate(node._inputs) if not t._dtype.is_ref)] = False
        starts = [self._enter(f"{name}/Enter", [names.of(t), *waits], t, is_constant, frame)
                  for t, is_constant in zip(node._inputs, fixed, strict=True)]  # fmt: skip
        changing = [i for i, is_constant in enumerate(fixed) if not is_constant]
        merges = {i: self._add(primitives.MERGE, f"{name}/Merge", [starts[i], starts[i]], T=node._inputs[i]._dtype, N=2)
                  for i in changing}  # fmt: skip
        places = {merge: len(self.message.node) - len(merges) + n for n, merge in enumerate(merges.values())}
        test = _Names()
        test.tensors.update(zip(cond.inputs, [merges.get(i, start) for i, start in enumerate(starts)], strict=True))
        tested, _ = self._inside(cond, test, next(iter(merges.values())))
        loop = self._add(primitives.LOOP_COND, f"{name}/LoopCond", tested)
        switches = {i: self._add(primitives.SWITCH, f"{name}/Switch", [merges[i], loop], T=node._inputs[i]._dtype)
                    for i in changing}  # fmt: skip
        current = {i: self._identity(f"{name}/Identity", [f"{s}:1"], node._inputs[i]._dtype)
                   for i, s in switches.items()}  # fmt: skip
        inner = _Names()
        inner.tensors.update(zip(body.inputs, [current.get(i, start) for i, start in enumerate(starts)], strict=True))
        after, _ = self._inside(body, inner, next(iter(current.values())))
        for i in changing:
            back = self._add(primitives.NEXT_ITERATION, f"{name}/NextIteration", [after[i]], T=node._inputs[i]._dtype)
            self.message.node[places[merges[i]]].input[1] = back
        for i, tensor in enumerate(node.outputs):
            if i in switches:
                names.tensors[tensor] = self._add(primitives.EXIT, f"{name}/Exit", [switches[i]], T=tensor._dtype)
            else:
                names.tensors[tensor] = names.of(node._inputs[i])
        names.waits[node] = [names.tensors[node.outputs[i]] for i in changing]

    def _enter(self, name: str, inputs: list[str], tensor: Tensor, is_constant: bool, frame: dict[str, Any]) -> str:
        op = primitives.REF_ENTER if tensor._dtype.is_ref and is_constant else primitives.ENTER
        return self._add(op, name, inputs, T=tensor._dtype, is_constant=is_constant, **frame)


def _output(name: str, index: int) -> str:
    return f"{name}:{index}" if index else name
