"""Freezing: variables become constants that hold the values they have in a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors, logging
from evergraph.base.export import export
from evergraph.formats import tensor_messages
from evergraph.frontend.graph_util import extract_sub_graph, source_of
from evergraph.graph.graph import Graph
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.gather import gather_v2
from evergraph.ops.control import functional
from evergraph.ops.state import variables
from evergraph.ops.state.variable_rows import resource_gather

_STORAGE = {op.name for op in (variables.variable, variables.variable_v2, variables.var_handle_op)}
_HANDLE, _READ, _GATHER = variables.var_handle_op.name, variables.read_variable_op.name, resource_gather.name
_CONST, _IDENTITY = basic.const.name, basic.identity.name
_READS = {_READ: _IDENTITY, _GATHER: gather_v2.name}  # of a handle -> of the constant in its place

# Ops that hand their inputs on to functions: the attr that lists the types of the inputs, and how many inputs stand
# before those.
_CALLS = {
    **{op.name: ("Tin", 1) for op in (functional.if_, functional.stateless_if, functional.case)},
    **{op.name: ("T", 0) for op in (functional.while_, functional.stateless_while)},
    **{op.name: ("Tin", 0) for op in (functional.partitioned_call, functional.stateful_partitioned_call)},
}


@export("graph_util.convert_variables_to_constants")
def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Iterable[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:
    """A GraphDef in which variables are constants that hold the values they have in a session: a frozen graph.

    Args:
        sess: the session.
        input_graph_def: the GraphDef of the session's graph, or a part of it.
        output_node_names: only what these nodes need is kept.
        variable_names_whitelist: the variables to convert; all by default.
        variable_names_blacklist: variables to leave as they are.

    Raises:
        AssertionError: an output is not in the message.
        FailedPreconditionError: a variable has no value.
        UnimplementedError: something other than a read uses the handle of a variable.
    """
    part = extract_sub_graph(input_graph_def, output_node_names)
    asked = None if variable_names_whitelist is None else set(variable_names_whitelist)
    left = set(variable_names_blacklist or ())
    chosen = [node for node in part.node if node.op in _STORAGE
              and node.name not in left and (asked is None or node.name in asked)]  # fmt: skip
    values = dict(zip([n.name for n in chosen], sess.run([_readable(sess.graph, n) for n in chosen]) if chosen else ()))
    handles = {n.name: n.attr["dtype"].type for n in chosen if n.op == _HANDLE}
    result = proto.graph_pb2.GraphDef(library=part.library, versions=part.versions)
    body = _Body(result.library, handles, part.node)
    for node in part.node:
        if node.name in values:
            dtype = dtypes.as_dtype(node.attr["dtype"].type)
            _fill_const(result.node.add(), node.name, np.asarray(values[node.name]), dtype)
        else:
            body.convert(node, result.node)
    logging.info(f"Converted {len(chosen)} variables to const ops.")
    return result


def _readable(graph: Graph, node: Any) -> Any:
    """The tensor to fetch for a variable's value."""
    variable = graph.get_operation_by_name(node.name).outputs[0]
    if node.op != _HANDLE:
        return variable
    for reader in variable.consumers():
        if reader.opdef is variables.read_variable_op:
            return reader.outputs[0]
    with graph.as_default():  # only functions read it
        dtype = dtypes.as_dtype(node.attr["dtype"].type)
        return variables.read_variable_op(variable, dtype, name=f"{node.name}/Read/freeze")


class _Body:
    """The nodes of a graph or function in which some names stood for handles and now stand for values.

    Attributes:
        library: the functions, to which frozen copies are added.
        handles: name -> the type of the variable; also names of nodes that only hand a handle on.
        output_of: goes behind the name of a constant where a node takes it.
    """

    def __init__(self, library: Any, handles: Mapping[str, int], nodes: Iterable[Any], output_of: str = "") -> None:
        self.library, self.handles, self.output_of = library, dict(handles), output_of
        aliases = {node.name: source_of(node.input[0]) for node in nodes if node.op == _IDENTITY and node.input}
        while new := {n: self.handles[s] for n, s in aliases.items() if s in self.handles and n not in self.handles}:
            self.handles.update(new)

    def convert(self, node: Any, nodes: Any) -> None:
        """Adds what stands for one node of the unfrozen graph."""
        data = [text for text in node.input if not text.startswith("^")]
        sources = {place: source_of(text) for place, text in enumerate(data)}
        uses = {place: self.handles[name] for place, name in sources.items() if name in self.handles}
        if uses and node.op == _GATHER:
            batch_dims = node.attr["batch_dims"].i if "batch_dims" in node.attr else 0
            _fill_const(nodes.add(), f"{node.name}/axis", np.array(batch_dims, np.int32), dtypes.int32)
        copy = nodes.add()
        copy.CopyFrom(node)
        if not uses:
            return
        if node.op == _IDENTITY:
            copy.attr["T"].type = uses[0]
        elif node.op in _READS:
            _fill_read(copy, node, data, self.output_of)
        elif node.op in _CALLS:
            self._fill_call(copy, uses)
        else:
            variable = sources[next(iter(uses))]
            raise errors.UnimplementedError(
                None, None, f"Node '{node.name}' ({node.op}) uses the handle of '{variable}': only reads can be frozen"
            )

    def _fill_call(self, copy: Any, uses: Mapping[int, int]) -> None:
        """Makes a node call functions that take values where they took handles."""
        types, first = _CALLS[copy.op]
        places = {place - first: dtype for place, dtype in uses.items()}
        for place, dtype in places.items():
            copy.attr[types].list.type[place] = dtype
        for attr in copy.attr.values():
            for function in (attr.func,) if attr.WhichOneof("value") == "func" else attr.list.func:
                function.name = self._frozen_function(function.name, places)

    def _frozen_function(self, name: str, places: Mapping[int, int]) -> str:
        """The name of a copy of a function whose arguments at some places are values."""
        frozen = f"{name}_frozen_{'_'.join(map(str, sorted(places)))}"
        known = {function.signature.name: function for function in self.library.function}
        if frozen in known:
            return frozen
        original, copy = known[name], self.library.function.add()
        copy.CopyFrom(original)
        copy.signature.name = frozen
        del copy.node_def[:]
        arguments = {copy.signature.input_arg[place].name: dtype for place, dtype in places.items()}
        for place, dtype in places.items():
            copy.signature.input_arg[place].type = dtype
        body = _Body(self.library, arguments, original.node_def, ":output:0")
        for node in original.node_def:
            body.convert(node, copy.node_def)
        _rename_outputs(copy, original)
        for output in copy.signature.output_arg:  # a loop hands its handles on from iteration to iteration
            source = source_of(copy.ret[output.name])
            output.type = body.handles.get(source, output.type)
        return frozen


def _rename_outputs(copy: Any, original: Any) -> None:
    """Inside a function an output is called by its name in the op, which a read's replacement has another of."""
    reads = {node.name: node.op for node in original.node_def}
    changed = {node.name for node in copy.node_def if reads.get(node.name) in _READS and node.op != reads[node.name]}

    def renamed(text: str) -> str:
        name, _, rest = text.partition(":")
        return f"{name}:output:0" if rest and name in changed else text

    for node in copy.node_def:
        node.input[:] = [renamed(text) for text in node.input]
    for key in list(copy.ret):
        copy.ret[key] = renamed(copy.ret[key])


def _fill_const(node: Any, name: str, value: np.ndarray[Any, Any], dtype: dtypes.DType) -> None:
    node.name, node.op = name, _CONST
    node.attr["dtype"].type = dtype.enum
    node.attr["value"].tensor.CopyFrom(tensor_messages.tensor_to_proto(value, dtype))


def _fill_read(copy: Any, node: Any, data: list[str], output_of: str) -> None:
    """Makes a node that read a variable read the value in its place."""
    copy.op = _READS[node.op]
    copy.attr.clear()
    if node.op == _READ:
        copy.attr["T"].CopyFrom(node.attr["dtype"])
        return
    copy.input[:] = [*data, f"{node.name}/axis{output_of}", *(text for text in node.input if text.startswith("^"))]
    copy.attr["Tparams"].CopyFrom(node.attr["dtype"])
    copy.attr["Tindices"].CopyFrom(node.attr["Tindices"])
    copy.attr["Taxis"].type = dtypes.int32.enum
    if "batch_dims" in node.attr:
        copy.attr["batch_dims"].CopyFrom(node.attr["batch_dims"])
