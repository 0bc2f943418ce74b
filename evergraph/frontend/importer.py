"""Adds the nodes and functions of a GraphDef to a graph.

Imported nodes keep the names, devices, order of inputs and attrs of the message, loops of Enter, Merge, Switch,
NextIteration and Exit included: exporting the graph again gives the same message. A failed import leaves the graph
unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from evergraph import proto
from evergraph.base.devices import merge_names
from evergraph.base.export import export
from evergraph.base.version import GRAPH_DEF_VERSION
from evergraph.graph import apply, encode
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.decode import Entry, NodeImport, new_functions, no_scopes
from evergraph.graph.function import FuncGraph, unique_function_name
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.opdef import OpDef
from evergraph.graph.primitives import PLACEHOLDER
from evergraph.graph.renaming import rename_calls, rename_functions


@export("import_graph_def", "graph_util.import_graph_def")
def import_graph_def(
    graph_def: Any, input_map: Mapping[str, Any] | None = None, return_elements: Iterable[str] | None = None,
    name: str | None = None, op_dict: Any = None, producer_op_list: Any = None,
) -> list[Any] | None:
    """Adds the nodes of a GraphDef to the default graph.

    >>> with tf.Graph().as_default() as graph:
    ...     c = tf.constant(3.0, name="c")
    >>> (again,) = tf.import_graph_def(graph.as_graph_def(), return_elements=["c:0"])
    >>> again.name
    'import/c:0'

    Args:
        graph_def: the GraphDef.
        input_map: name in `graph_def` ("a", "a:1", "^a") -> the tensor of this graph that replaces it.
        return_elements: names of operations ("a") and tensors ("a:0") of `graph_def` to return.
        name: the prefix of all names; "import" by default, "" for none.
        op_dict: ignored, as in TensorFlow: the ops are evergraph's.
        producer_op_list: an OpList, the ops of the program that wrote the message. Attrs that evergraph does not know
            are dropped if they have that program's default.

    Returns:
        The operations and tensors that `return_elements` names, or None.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the message contradicts itself, or does not contain a given name.
        NotFoundError: the message uses an op that evergraph does not have.
    """
    if not isinstance(graph_def, proto.graph_pb2.GraphDef):
        raise TypeError(f"graph_def must be a GraphDef proto, not {type(graph_def).__name__}.")
    wanted = _checked_names(return_elements)
    given = _checked_map(input_map)
    graph = apply.graph_of([v for v in given.values() if isinstance(v, Tensor)], default_graph())
    graph._check_not_finalized()
    _check_versions(graph_def.versions)
    with graph.as_default_if_needed(), graph.name_scope("import" if name is None else name) as scope:
        replaced = _mapped_tensors(graph, given, scope)
    message = _with_parts_apart(graph, graph_def)
    job = _GraphImport(graph, message, replaced, scope, _producer_defaults(producer_op_list))
    return job.run(wanted)


def _with_parts_apart(graph: Graph, graph_def: Any) -> Any:
    """The message, with other names for the parts of loops and conditionals that are parts of some in the graph, too.

    It may be an older version of this very graph. A gradient changes the parts of the loop that it is of.
    """
    taken = [each.signature.name for each in graph_def.library.function if _is_part(graph.library, each.signature.name)]
    if not taken:
        return graph_def
    message, names = proto.graph_pb2.GraphDef(), {name: unique_function_name(graph, name) for name in taken}
    message.CopyFrom(graph_def)
    rename_functions(message.library, names)
    rename_calls(message.node, names)
    return message


def _is_part(library: Mapping[str, Any], name: str) -> bool:
    found = library.get(name)
    return isinstance(found, FuncGraph) and (found.is_dataflow or found.owner is not None)


def _checked_names(return_elements: Iterable[str] | None) -> list[str] | None:
    if return_elements is None:
        return None
    wanted = list(return_elements)
    if not all(isinstance(item, (str, bytes)) for item in wanted):
        raise TypeError(f"return_elements must be a list of strings, not {wanted}.")
    return [item.decode() if isinstance(item, bytes) else item for item in wanted]


def _checked_map(input_map: Mapping[str, Any] | None) -> dict[str, Any]:
    if input_map is None:
        return {}
    if not isinstance(input_map, Mapping) or not all(isinstance(key, (str, bytes)) for key in input_map):
        raise TypeError("input_map must be a dictionary from names of inputs to tensors")
    return {key.decode() if isinstance(key, bytes) else key: value for key, value in input_map.items()}


def _mapped_tensors(graph: Graph, given: dict[str, Any], scope: str) -> dict[str, Tensor]:
    """The values of an input map as tensors; other values become constants."""
    if all(isinstance(value, Tensor) for value in given.values()):
        return given
    if not scope:
        raise ValueError(
            "values in input_map that are no tensors become constants, which need a non-empty `name` to stand under")
    with graph.name_scope("_inputs"):
        return {key: convert_to_tensor(value) for key, value in given.items()}


def _check_versions(versions: Any) -> None:
    if versions.min_consumer > GRAPH_DEF_VERSION:
        raise ValueError(
            f"GraphDef min consumer version {versions.min_consumer} above current version {GRAPH_DEF_VERSION}.")
    if versions.producer < 0:
        raise ValueError(f"GraphDef producer version {versions.producer} below min producer 0: write the graph anew.")
    if GRAPH_DEF_VERSION in versions.bad_consumers:
        raise ValueError(f"GraphDef disallows consumer version {GRAPH_DEF_VERSION}.")


def _producer_defaults(producer_op_list: Any) -> dict[tuple[str, str], Any]:
    """(op, attr) -> its default in the program that wrote the message."""
    if producer_op_list is None:
        return {}
    if not isinstance(producer_op_list, proto.op_def_pb2.OpList):
        raise TypeError(f"producer_op_list must be an OpList proto, not {type(producer_op_list).__name__}.")
    attrs = [(op.name, attr) for op in producer_op_list.op for attr in op.attr if attr.HasField("default_value")]
    return {(name, attr.name): attr.default_value for name, attr in attrs}


# ---------------------------------------------------------------- graphs


_NO_UNKNOWN_RANK = 21
"""Graphs up to this version could not say "any shape" of a Placeholder: they left its shape empty."""


class _GraphImport(NodeImport):
    """One call of `import_graph_def`."""

    def __init__(
        self, graph: Graph, graph_def: Any, input_map: dict[str, Tensor], scope: str,
        defaults: Mapping[tuple[str, str], Any],
    ) -> None:
        super().__init__(graph, graph_def.node, defaults)
        self.message, self.scope = graph_def, scope
        self.mapped = {_split_name(key) if not key.startswith("^") else key: value for key, value in input_map.items()}
        self.labels = {_split_name(key) if not key.startswith("^") else key: key for key in input_map}
        self.used: set[Any] = set()
        self.claimed: list[str] = []
        self.groups: dict[str, list[str]] = {}  # name in the message -> the nodes of it to colocate it with
        self.names = self._unique_names()

    def run(self, wanted: list[str] | None) -> list[Any] | None:
        """Builds all nodes; returns the requested elements."""
        self._check_return_names(wanted or ())
        functions = new_functions(self.graph, self.message.library)
        before = len(self.graph._nodes)
        self.graph.library.update(functions)
        producer = self.graph._producer
        self.graph._producer = min(producer, self.message.versions.producer)
        try:
            with no_scopes(self.graph):
                self.build()
            self._check_map_used()
            self._place()
            found = None if wanted is None else [self._element(text) for text in wanted]
        except BaseException:
            self._take_back(before, functions)
            self.graph._producer = producer
            raise
        self._wait_in_scopes()
        return found

    def _op_and_attrs(self, definition: Any, name: str) -> tuple[OpDef, dict[str, Any], dict[str, Any]]:
        opdef, attrs, extra = super()._op_and_attrs(definition, name)
        is_old = self.message.versions.producer <= _NO_UNKNOWN_RANK
        if is_old and opdef is PLACEHOLDER.opdef and attrs["shape"] == ():
            attrs = {**attrs, "shape": None}
        if "_class" in extra:  # before the node is in the graph, which another thread may export
            extra = {**extra, "_class": self._renamed_groups(definition.name, extra["_class"])}
        return opdef, attrs, extra

    def _take_back(self, before: int, functions: Iterable[str]) -> None:
        """Removes everything that a failed import has added."""
        for name in functions:
            self.graph.library.pop(name, None)
        mine = set(self.names.values())
        gone = [node for node in self.graph._nodes[before:] if node.name in mine]
        for node in reversed(gone):
            self.graph._nodes.remove(node)
            del self.graph._by_name[node.name]
            for tensor in node._inputs:
                if node in tensor._consumers:
                    tensor._consumers.remove(node)
            for other in node._control_inputs:
                other._control_outputs.remove(node)
        for name in self.claimed:
            self.graph._names_in_use.pop(name, None)

    # ---- names

    def _unique_names(self) -> dict[str, str]:
        """Name in the message -> name in the graph: with the prefix, and a suffix if the name is in use."""
        taken = self.graph._by_name
        inside = {name for name in list(taken) if name.startswith(self.scope)}  # other threads may add nodes meanwhile
        scopes = {name[: m.start()] for name in inside for m in re.finditer("/", name)}
        planned = {f"{self.scope}{name}" for name in self.entries}
        result = {}
        for name in self.entries:
            full, count = f"{self.scope}{name}", 0
            while full in taken or full in scopes or count and full in planned:
                count += 1
                full = f"{self.scope}{name}_{count}"
            if count:
                planned.add(full)
            result[name] = full
        return result

    def full_name(self, name: str) -> str:
        full = self.names[name]
        if full.lower() not in self.graph._names_in_use:
            self.graph._names_in_use[full.lower()] = 1
            self.claimed.append(full.lower())
        return full

    # ---- inputs

    def source(self, entry: Entry, text: str) -> str | None:
        name, index = _split_name(text)
        if (name, index) in self.mapped:
            self.used.add((name, index))
            return None
        if name not in self.entries:
            raise ValueError(f"Node '{entry.definition.name}': Unknown input node '{text}'")
        return name

    def tensor(self, entry: Entry, text: str) -> Tensor:
        name, index = _split_name(text)
        if (name, index) in self.mapped:
            return self.mapped[name, index]
        outputs = self.built[name].outputs
        if index >= len(outputs):
            raise ValueError(
                f"Node '{entry.definition.name}': Connecting to invalid output {index} of source node {name} which has "
                f"{len(outputs)} outputs.")
        return outputs[index]

    def is_known_control(self, name: str) -> bool:
        if f"^{name}" in self.mapped:
            self.used.add(f"^{name}")
            return True
        return False

    def control(self, entry: Entry, name: str) -> Operation | None:
        mapped = self.mapped.get(f"^{name}")
        return mapped.op if mapped is not None else self.built[name]

    def _check_map_used(self) -> None:
        """Raises ValueError if the input map has a name that is not in the message."""
        missing = []
        for key in self.mapped.keys() - self.used:
            name, index = (key[1:], 0) if isinstance(key, str) else key
            node = self.built.get(name)
            if node is None or not isinstance(key, str) and index >= len(node.outputs):
                missing.append(self.labels[key])
        if missing:
            listed = ", ".join(sorted(missing))
            raise ValueError(f"input_map names inputs that were not found in graph_def: [{listed}]")

    # ---- results

    def _check_return_names(self, wanted: Iterable[str]) -> None:
        for text in wanted:
            name, colon, index = text.partition(":")
            if colon and not index.isdigit():
                raise ValueError(f"Cannot convert {text!r} to a tensor name.")
            if name not in self.entries and (name, int(index or 0)) not in self.mapped:
                what = "return_element" if colon else "return node"
                raise ValueError(f"Requested {what} {text!r} not found in graph def")

    def _element(self, text: str) -> Any:
        name, colon, index = text.partition(":")
        if not colon:
            return self.built[name]
        if (name, int(index)) in self.mapped:
            return self.mapped[name, int(index)]
        outputs = self.built[name].outputs
        if int(index) >= len(outputs):
            raise ValueError(f"Requested return_element {text!r} not found: '{name}' has {len(outputs)} output(s)")
        return outputs[int(index)]

    # ---- the scopes around the call

    def _wait_in_scopes(self) -> None:
        waits = [w for scope in self.graph.scopes.control for w in scope.operations if w.graph is self.graph]
        for node in self.built.values() if waits else ():
            node._add_control_inputs(waits)

    def _place(self) -> None:
        """Sets the nodes' devices: that of the nodes to colocate with, or that of the current scopes."""
        for name, node in self.built.items():
            others = self.groups.get(name, [name])
            if others == [name] * len(others):
                if self.graph.scopes.devices:
                    self.graph._place(node)
                continue
            devices = [self.built[other]._device for other in others if other != name]
            node._set_device(merge_names(next(filter(None, devices), ""), ""))

    def _renamed_groups(self, name: str, message: Any) -> Any:
        """A node's colocation groups by the names of nodes in the graph. Notes which nodes of the message they name."""
        names, renamed = [], []
        for group in message.list.s:
            other = group[5:].decode("utf-8", "replace") if group.startswith(b"loc:@") else None
            if other is None:
                renamed.append(group)
            elif other in self.entries:
                names.append(other)
                renamed.append(f"loc:@{self.names[other]}".encode())
            else:
                raise ValueError(f"Node '{name}' expects to be colocated with unknown node '{other}'")
        if not message.list.s:
            return message
        self.groups[name] = names
        return encode.list_of_bytes(renamed)


def _split_name(text: str) -> tuple[str, int]:
    """Splits the name of an input into (node, output); "a" is "a:0"."""
    name, colon, index = text.rpartition(":")
    return (name, int(index)) if colon and index.isdigit() and len(index) < 10 and name else (text, 0)


# ---------------------------------------------------------------- graphs that grow


def extend_graph(graph: Graph, graph_def: Any) -> None:
    """Adds the nodes of a GraphDef under their names; inputs may name nodes that the graph has already.

    Raises:
        ValueError: the message contradicts itself, or has the name of a node of the graph.
        NotFoundError: the message uses an op that evergraph does not have.
    """
    known = next((node.name for node in graph_def.node if node.name in graph._by_name), None)
    if known is not None:
        raise ValueError(f"GraphDef argument to Extend includes node '{known}', which the graph has already")
    _check_versions(graph_def.versions)
    with graph.as_default_if_needed():
        _Extension(graph, graph_def, {}, "", {}).run(None)


class _Extension(_GraphImport):
    """One call of `extend_graph`."""

    def source(self, entry: Entry, text: str) -> str | None:
        name, _ = _split_name(text)
        return None if self._has(name) else super().source(entry, text)

    def tensor(self, entry: Entry, text: str) -> Tensor:
        name, index = _split_name(text)
        if not self._has(name):
            return super().tensor(entry, text)
        outputs = self.graph._by_name[name].outputs
        if index >= len(outputs):
            raise ValueError(f"Node '{entry.definition.name}': the node {name} has no output {index}")
        return outputs[index]

    def is_known_control(self, name: str) -> bool:
        return self._has(name)

    def control(self, entry: Entry, name: str) -> Operation | None:
        return self.graph._by_name[name] if self._has(name) else super().control(entry, name)

    def _has(self, name: str) -> bool:
        return name not in self.entries and name in self.graph._by_name

    def _renamed_groups(self, name: str, message: Any) -> Any:
        return message if self._beside(message) else super()._renamed_groups(name, message)

    def _place(self) -> None:
        super()._place()
        for node in self.built.values():
            others = self._beside(node.extra["_class"]) if "_class" in node.extra and not node._device else ()
            if device := next(filter(None, [other._device for other in others]), ""):
                node._set_device(device)

    def _beside(self, message: Any) -> list[Operation]:
        """The nodes that the graph had among those to colocate with."""
        names = [group.decode("utf-8", "replace").removeprefix("loc:@") for group in message.list.s]
        return [self.graph._by_name[name] for name in names if self._has(name)]
