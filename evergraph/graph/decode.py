"""Reads TensorFlow's messages: builds nodes from NodeDefs and functions from FunctionDefs.

NodeDefs come in any order, and NextIteration may lead back to a Merge. Messages are untrusted: one that contradicts
itself or the ops raises ValueError, an unknown op NotFoundError. No node is built before all inputs are resolved.
"""

from __future__ import annotations

import contextlib
import heapq
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evergraph.base import dtypes, errors
from evergraph.formats import tensor_messages
from evergraph.graph import apply, codec, encode, shaping
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph
from evergraph.graph.node import HandleData, Operation, Tensor
from evergraph.graph.primitives import CALL, PLACEHOLDER, STATEFUL_CALL
from evergraph.graph.registry import find, lookup
from evergraph.graph.renaming import functions_in
from evergraph.graph.signature import REQUIRED
from evergraph.graph.traits import ANY, Kind, TypeOf
from evergraph.kernel import calling

if TYPE_CHECKING:
    from evergraph.graph.opdef import OpDef

_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/>]*\Z")
_FUNCTION_NAME = re.compile(r"[A-Za-z0-9_.<][A-Za-z0-9_.\-/<>:]*\Z")  # of "<lambda>", too
_SHALLOW, _DEEPEST, _FRAMES = 10, 500, 60  # functions inside functions; Python's frames for each
_MOST_OUTPUTS = 1 << 20  # a node that claims more outputs comes from a damaged or hostile file


# ---------------------------------------------------------------- nodes in dependency order


@dataclass(slots=True)
class Entry:
    """One NodeDef: the names of its inputs, in order, and of its control inputs."""

    definition: Any
    inputs: list[str]
    controls: list[str]


class NodeImport:
    """Builds nodes from NodeDefs. Graphs and functions, which name inputs differently, have a subclass each."""

    def __init__(self, graph: Graph, definitions: Iterable[Any], defaults: Mapping[tuple[str, str], Any]) -> None:
        self.graph, self.defaults = graph, defaults
        self.entries: dict[str, Entry] = {}
        for definition in definitions:
            _check_name(definition.name)
            if definition.name in self.entries:
                raise ValueError(f"Node '{definition.name}' is not unique")
            data, controls = _split_inputs(definition)
            self.entries[definition.name] = Entry(definition, data, controls)
        self.built: dict[str, Operation] = {}

    def source(self, entry: Entry, text: str) -> str | None:
        """The name of the NodeDef that computes an input; None if the tensor exists already."""
        raise NotImplementedError

    def tensor(self, entry: Entry, text: str) -> Tensor:
        """The tensor that an input names."""
        raise NotImplementedError

    def full_name(self, name: str) -> str:
        """The name of a node in the graph."""
        return name

    def control(self, entry: Entry, name: str) -> Operation | None:
        """The operation that a control input names; None if there is no such dependency."""
        return self.built[name]

    def build(self) -> None:
        """Adds all nodes in topological order; among nodes that are ready, the order is that of the message."""
        for name in self._ordered():
            self.built[name] = self._add(self.entries[name])
        for entry in self.entries.values():
            if self._loops(entry):
                self._close_loop(entry)

    def _ordered(self) -> list[str]:
        """The names of all nodes, each behind its sources.

        Raises:
            ValueError: some nodes wait for each other.
        """
        waiting: dict[str, int] = {}
        users: dict[str, list[str]] = {}
        for name, entry in self.entries.items():
            sources = {s for s in (self.source(entry, text) for text in entry.inputs) if s is not None}
            if self._kind(entry) is Kind.MERGE:
                sources = {s for s in sources if self._kind(self.entries[s]) is not Kind.BACK_EDGE}
            sources |= self._control_sources(entry)
            waiting[name] = len(sources)
            for source in sources:
                users.setdefault(source, []).append(name)
        names = list(self.entries)
        numbers = {name: number for number, name in enumerate(names)}
        ready = [number for number, name in enumerate(names) if not waiting[name]]  # in order, as a heap is
        order: list[str] = []
        while ready:
            order.append(names[heapq.heappop(ready)])
            for user in users.get(order[-1], ()):
                waiting[user] -= 1
                if not waiting[user]:
                    heapq.heappush(ready, numbers[user])
        if len(order) < len(names):
            raise ValueError(f"{len(names) - len(order)} nodes in a cycle")
        return order

    def _control_sources(self, entry: Entry) -> set[str]:
        for name in entry.controls:
            if name not in self.entries and not self.is_known_control(name):
                raise ValueError(f"Node '{entry.definition.name}': Unknown input node '^{name}'")
        return {name for name in entry.controls if name in self.entries and not self.is_known_control(name)}

    def is_known_control(self, name: str) -> bool:
        """Whether a control input depends on no node of the message."""
        return False

    def _kind(self, entry: Entry) -> Kind | None:
        """The trait `kind` of a NodeDef's op; None for function calls and unknown ops too."""
        name = entry.definition.op
        opdef = None if name in self.graph.library else find(name)
        return None if opdef is None else opdef.kind

    def _loops(self, entry: Entry) -> bool:
        """Whether a NodeDef starts a loop: a Merge with a back edge among its inputs."""
        return self._kind(entry) is Kind.MERGE and any(self._is_back_edge(entry, text) for text in entry.inputs)

    def _is_back_edge(self, entry: Entry, text: str) -> bool:
        source = self.source(entry, text)
        return source is not None and self._kind(self.entries[source]) is Kind.BACK_EDGE

    # ---- one node

    def _add(self, entry: Entry) -> Operation:
        definition = entry.definition
        name = self.full_name(definition.name)
        opdef, attrs, extra = self._op_and_attrs(definition, name)
        expected = _widened(opdef, extra, _expected_inputs(opdef, attrs, len(entry.inputs), name))
        loops = self._loops(entry)
        inputs = [self.tensor(entry, text) for text in entry.inputs if not (loops and self._is_back_edge(entry, text))]
        if not loops:
            _check_types(name, inputs, expected)
        _check_outputs(opdef, attrs, name)
        try:
            node = self.graph.add_node(opdef, name, inputs, attrs, infer_shapes=not loops)
        except (TypeError, LookupError, ArithmeticError, errors.InvalidArgumentError) as error:
            raise ValueError(f"Node '{name}' ({definition.op}): {error}") from error
        if loops:
            node.outputs[1]._shape = ()
        node.extra.update(extra)
        node._set_device(definition.device)
        waits = (self.control(entry, text) for text in entry.controls)
        for other in dict.fromkeys(w for w in waits if w is not None):
            node._control_inputs.append(other)
            other._control_outputs.append(node)
        _set_shapes(node, definition)
        return node

    def _close_loop(self, entry: Entry) -> None:
        """Adds the back edges to the inputs of a Merge."""
        node = self.built[entry.definition.name]
        inputs = [self.tensor(entry, text) for text in entry.inputs]
        _check_types(node.name, inputs, [node.outputs[0]._dtype] * len(inputs))
        for tensor in inputs:
            if node not in tensor._consumers:
                tensor._consumers.append(node)
        node._inputs[:] = inputs

    def _op_and_attrs(self, definition: Any, name: str) -> tuple[OpDef, dict[str, Any], dict[str, Any]]:
        called = self.graph.library.get(definition.op)
        if called is not None:
            return _call_of(called, definition)
        opdef = lookup(definition.op)
        return opdef, *_read_attrs(opdef, definition, name, self.defaults)


def _check_name(name: str) -> None:
    if not _NAME.match(name):
        raise ValueError(f"Node '{name}': Node name contains invalid characters")


def _split_inputs(definition: Any) -> tuple[list[str], list[str]]:
    """(data inputs, names of control inputs) of a NodeDef."""
    data: list[str] = []
    controls: list[str] = []
    for text in definition.input:
        if text.startswith("^"):
            controls.append(text[1:])
        elif controls:
            raise ValueError(f"Node '{definition.name}': Control dependencies must come after regular dependencies")
        else:
            data.append(text)
    return data, controls


def _expected_inputs(opdef: OpDef, attrs: dict[str, Any], given: int, name: str) -> list[dtypes.DType]:
    """The dtype of each input of a node with these attrs."""
    counts = [calling.count_of(arg, attrs) for arg in opdef.plan.inputs]
    if any(count < 0 for count in counts) or sum(counts) != given:
        raise ValueError(f"NodeDef expected {sum(counts)} inputs, but has {given}; Op {opdef!r}; NodeDef: {name}")
    return apply.dtypes_of(opdef.plan.inputs, attrs)


def _widened(opdef: OpDef, extra: Mapping[str, Any], expected: list[dtypes.DType]) -> list[dtypes.DType]:
    """The dtypes of the inputs, adjusted for attrs that are newer than TensorFlow 1.15."""
    names = [arg.name for arg in opdef.plan.inputs]
    for key, meaning in opdef.later.items():
        if isinstance(meaning, TypeOf) and key in extra and len(names) == len(expected):
            expected[names.index(meaning.input)] = dtypes.as_dtype(extra[key].type)
    return expected


def _check_types(name: str, inputs: Sequence[Tensor], expected: Sequence[dtypes.DType]) -> None:
    for position, (tensor, dtype) in enumerate(zip(inputs, expected, strict=True)):
        have = tensor._dtype
        if have.base_dtype is not dtype.base_dtype or dtype.is_ref and not have.is_ref:
            raise ValueError(
                f"Input {position} of node {name} was passed {dtypes.short_name(have)} from {tensor.label} "
                f"incompatible with expected {dtypes.short_name(dtype)}.")


def _check_outputs(opdef: OpDef, attrs: dict[str, Any], name: str) -> None:
    counts = [calling.count_of(arg, attrs) for arg in opdef.plan.outputs]
    if any(count < 0 for count in counts) or sum(counts) > _MOST_OUTPUTS:
        raise ValueError(f"Node '{name}' ({opdef.name}) cannot have {sum(counts)} outputs")


def _set_shapes(node: Operation, definition: Any) -> None:
    """Merges the shapes of the outputs in the message into the static shapes.

    Raises:
        ValueError: a shape in the message contradicts the one that was inferred.
    """
    for position, (tensor, given) in enumerate(zip(node.outputs, definition.attr["_output_shapes"].list.shape)
                                               if "_output_shapes" in definition.attr else ()):
        try:
            tensor._shape = shaping.merge(tensor._shape, tensor_messages.proto_to_shape(given))
        except ValueError as error:
            raise ValueError(
                f"Node '{node.name}' has an _output_shapes attribute inconsistent with the GraphDef for output "
                f"#{position}: {error}") from None


# ---------------------------------------------------------------- attrs


def _read_attrs(
    opdef: OpDef, definition: Any, name: str, defaults: Mapping[tuple[str, str], Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A NodeDef's attrs: (those that the op declares, with defaults; the AttrValues of all others)."""
    declared = opdef.signature.attr
    extra = {}
    for key in definition.attr:
        if key in declared or key == "_output_shapes":
            continue
        if defaults.get((definition.op, key)) == definition.attr[key] and not key.startswith("_"):
            continue
        _check_unknown(opdef, name, key, definition.attr[key])
        extra[key] = definition.attr[key]
    return {key: _read_attr(opdef, definition, name, attr) for key, attr in declared.items()}, extra


def _read_attr(opdef: OpDef, definition: Any, name: str, attr: Any) -> Any:
    if attr.name not in definition.attr:
        if attr.default is REQUIRED:
            raise ValueError(f"NodeDef missing attr '{attr.name}' from Op {opdef!r}; NodeDef: {name}")
        return list(attr.default) if attr.kind.startswith("list(") else attr.default
    message = definition.attr[attr.name]
    if message.WhichOneof("value") == "placeholder":
        raise errors.UnimplementedError(
            None, None, f"Node '{name}': attr '{attr.name}' is a parameter of its function, which evergraph cannot call"
        )
    try:
        value = codec.decode_attr(attr.kind, message)
        typed = attr.kind == "tensor" and "dtype" in opdef.signature.attr
        if typed and message.tensor.dtype != definition.attr["dtype"].type:
            raise ValueError(f"the tensor is of type {message.tensor.dtype}, attr 'dtype' another")
        apply.check_attr(opdef, name, attr, value, from_input=None)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{error} for attr '{attr.name}'; NodeDef: {name}; Op {opdef!r}") from error
    return value


def _check_unknown(opdef: OpDef, name: str, key: str, message: Any) -> None:
    """Raises ValueError for an attr that the op does not declare, unless its value leaves the op's meaning intact."""
    if not key.startswith("_") and not _is_neutral(opdef.later.get(key, REQUIRED), message):
        raise ValueError(f"NodeDef mentions attr '{key}' not in Op {opdef!r}; NodeDef: {name}")


def _is_neutral(meaning: Any, message: Any) -> bool:
    """Whether an attr has a value with which the op behaves as in TensorFlow 1.15."""
    if meaning is REQUIRED:
        return False
    if isinstance(meaning, TypeOf):
        return message.type in (dtypes.int32.enum, dtypes.int64.enum)
    return meaning is ANY or codec.decode_attr(codec.kind_in(message), message) == meaning


def no_scopes(graph: Graph) -> contextlib.AbstractContextManager[None]:
    """Context manager that suspends all scopes: names, devices and control inputs come from the message alone."""
    return graph.scopes.replaced(name="", devices=(), control=(), colocate=(), gradient_override={}, kernel_labels={},
                                 attrs={})


# ---------------------------------------------------------------- functions


class Definition:
    """A function of an imported library, built at its first call.

    Attributes:
        name: its name in the library.
        definition: the FunctionDef.
        graph: the outermost graph that the library belongs to.
    """

    def __init__(self, message: Any, graph: Graph) -> None:
        self.name, self.definition, self.graph = message.signature.name, message, graph

    def build(self) -> FuncGraph:
        """The function as a graph.

        Raises:
            ValueError: the message contradicts itself.
        """
        return _FunctionImport(self).run()


def new_functions(graph: Graph, library: Any) -> dict[str, Definition]:
    """The functions of a message that the graph does not have yet.

    Raises:
        ValueError: the graph has a different function of the same name.
        UnimplementedError: a function is recursive, or calls are nested too deeply.
    """
    root = graph.root if isinstance(graph, FuncGraph) else graph
    new: dict[str, Definition] = {}
    for message in library.function:
        name = message.signature.name
        if not _FUNCTION_NAME.match(name):
            raise ValueError(f"Function '{name}': the name contains invalid characters")
        known = new.get(name) or graph.library.get(name)
        if known is None:
            new[name] = Definition(message, root)
        elif encode.function_def(known) != message:
            raise ValueError(f"Cannot add function '{name}' because a different function with the same name already "
                             "exists.")
    _allow_depth(_depth_of_calls(new))
    return new


def _depth_of_calls(new: Mapping[str, Definition]) -> int:
    """How many functions the longest chain of calls has.

    Raises:
        UnimplementedError: a function is recursive.
    """
    calls = {name: [c for c in _called(f.definition) if c in new] for name, f in new.items()}
    depths: dict[str, int] = {}
    for start in calls:
        path: dict[str, Iterator[str]] = {} if start in depths else {start: iter(calls[start])}
        while path:
            name, rest = next(reversed(path.items()))
            callee = next((c for c in rest if c not in depths), None)
            if callee is None:
                depths[name] = 1 + max((depths[c] for c in calls[name]), default=0)
                del path[name]
            elif callee in path:
                raise errors.UnimplementedError(None, None, f"Function '{callee}' calls itself")
            else:
                path[callee] = iter(calls[callee])
    return max(depths.values(), default=0)


def _allow_depth(depth: int) -> None:
    """Lets Python recurse as deeply as functions that call each other need: they are built, planned and traced so.

    Raises:
        UnimplementedError: they are nested too deeply for the stack of a thread.
    """
    if depth > _DEEPEST:
        raise errors.UnimplementedError(
            None, None, f"functions that call each other are {depth} deep; evergraph runs {_DEEPEST} of them")
    if depth > _SHALLOW:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + _FRAMES * depth))


def _called(message: Any) -> list[str]:
    """The functions that a FunctionDef calls."""
    names = [node.op for node in message.node_def]
    names += [function.name for node in message.node_def for function in functions_in(node)]
    return list(dict.fromkeys(names))


def _call_of(function: Any, definition: Any) -> tuple[OpDef, dict[str, Any], dict[str, Any]]:
    """The call op and attrs for a NodeDef whose op is a function of the library."""
    if definition.attr and any(not key.startswith("_") for key in definition.attr):
        raise errors.UnimplementedError(
            None, None, f"Node '{definition.name}' gives attrs to function '{definition.op}'")
    message = encode.function_def(function)
    opdef = (STATEFUL_CALL if message.signature.is_stateful else CALL).opdef
    attrs = {a.name: a.default for a in opdef.signature.attrs}
    attrs |= {
        "Tin": [_dtype_of(message, arg) for arg in message.signature.input_arg],
        "Tout": [_dtype_of(message, arg) for arg in message.signature.output_arg],
        "f": NameAttrList(message.signature.name, {}),
    }
    return opdef, attrs, {key: value for key, value in definition.attr.items() if key != "_output_shapes"}


def _dtype_of(message: Any, arg: Any) -> dtypes.DType:
    """The dtype of an argument of a function.

    Raises:
        UnimplementedError: the function is generic in this dtype.
        ValueError: the dtype is unknown.
    """
    where = f"Function '{message.signature.name}': the type of its argument '{arg.name}'"
    if arg.type_attr or arg.number_attr or arg.type_list_attr:
        raise errors.UnimplementedError(None, None, f"{where} is a parameter")
    try:
        return dtypes.as_dtype(arg.type)
    except TypeError:
        raise ValueError(f"{where} is {arg.type}, which is none") from None


class _FunctionImport(NodeImport):
    """Builds the FuncGraph of a FunctionDef."""

    def __init__(self, function: Definition) -> None:
        self.message, self.function = function.definition, FuncGraph(function.name, function.graph, is_new=False)
        super().__init__(self.function, self.message.node_def, {})
        self.arguments: dict[str, Tensor] = {}

    def run(self) -> FuncGraph:
        function, message = self.function, self.message
        with no_scopes(function):
            for position, arg in enumerate(message.signature.input_arg):
                self.arguments[arg.name] = self._add_argument(position, arg)
            self.build()
        for arg in message.signature.output_arg:
            if arg.name not in message.ret:
                raise ValueError(f"Function '{function.name}' has no value for its output '{arg.name}'")
            function.outputs.append(self._result(message.ret[arg.name]))
        for name in message.control_ret.values():
            if name not in self.built:
                raise ValueError(f"Function '{function.name}': control output '{name}' is no node of it")
            function.control_outputs.append(self.built[name])
        function.definition = message
        return function

    def _add_argument(self, position: int, arg: Any) -> Tensor:
        dtype = _dtype_of(self.message, arg)
        if arg.name in self.arguments:
            raise ValueError(f"Function '{self.function.name}' has two arguments '{arg.name}'")
        name = arg.name if _NAME.match(arg.name) and arg.name not in self.entries else f"arg_{position}"
        while name in self.entries or name in self.function._by_name:
            name = f"{name}_"
        self.function._names_in_use.setdefault(name.lower(), 1)
        node = self.function.add_node(
            PLACEHOLDER.opdef, name, [], {"dtype": dtype.base_dtype, "shape": self._argument_shape(position)})
        node.outputs[0]._dtype = dtype.ref if arg.is_ref else dtype
        for held in arg.handle_data[:1]:
            node.outputs[0]._handle_data = HandleData(
                dtypes.as_dtype(held.dtype), tensor_messages.proto_to_shape(held.shape))
        self.function.inputs.append(node.outputs[0])
        return node.outputs[0]

    def _argument_shape(self, position: int) -> Any:
        """The shape of an argument, which a FunctionDef stores in one of two attrs, or None."""
        if position in self.message.arg_attr and "_output_shapes" in self.message.arg_attr[position].attr:
            noted = self.message.arg_attr[position].attr["_output_shapes"].list.shape[:1]
        elif "_input_shapes" in self.message.attr:
            noted = self.message.attr["_input_shapes"].list.shape[position : position + 1]
        else:
            return None
        return tensor_messages.proto_to_shape(noted[0]) if noted else None

    def full_name(self, name: str) -> str:
        self.function._names_in_use.setdefault(name.lower(), 1)
        return name

    def source(self, entry: Entry, text: str) -> str | None:
        name = text.partition(":")[0]
        if name in self.entries:
            return name
        if name in self.arguments:
            return None
        raise ValueError(f"Function '{self.function.name}': node '{entry.definition.name}': Unknown input '{text}'")

    def tensor(self, entry: Entry, text: str) -> Tensor:
        return self._result(text)

    def is_known_control(self, name: str) -> bool:
        return name in self.arguments and name not in self.entries

    def control(self, entry: Entry, name: str) -> Operation | None:
        return self.built.get(name)

    def _result(self, text: str) -> Tensor:
        """The tensor that "argument", "node:output" or "node:output:position" names."""
        name, *rest = text.split(":")
        if name in self.arguments and name not in self.built:
            return self.arguments[name]
        if name not in self.built:
            raise ValueError(f"Function '{self.function.name}': unknown tensor '{text}'")
        start, count = self._range(name, rest[0] if rest else "")
        position = int(rest[1]) if len(rest) > 1 and rest[1].isdigit() else 0
        if position >= count:
            raise ValueError(f"Function '{self.function.name}': node '{name}' has no output '{text}'")
        return self.built[name].outputs[start + position]

    def _range(self, name: str, output: str) -> tuple[int, int]:
        """(index of the first, number) of the tensors of a declared output."""
        node, start = self.built[name], 0
        called = self.graph.library.get(self.entries[name].definition.op)
        if called is not None:  # the called function names the outputs
            counts = [(arg.name, 1) for arg in encode.function_def(called).signature.output_arg]
        else:
            counts = [(arg.name, calling.count_of(arg, node.attrs)) for arg in node.opdef.plan.outputs]
        for declared, count in counts:
            if output in ("", declared):
                return start, count
            start += count
        return 0, 0
