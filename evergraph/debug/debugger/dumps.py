"""Reads dumps of runs, TensorFlow's and ours: tensorflow.python.debug.lib.debug_data."""

from __future__ import annotations

import collections
import glob
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.debug.debugger.graphs import DebugGraph, get_node_name, parse_node_or_tensor_name
from evergraph.formats.debug_files import (
    CORE_METADATA_TAG,
    DEVICE_TAG,
    FEED_KEYS_INFO_FILE_TAG,
    FETCHES_INFO_FILE_TAG,
    GRAPH_FILE_TAG,
    METADATA_FILE_PREFIX,
    device_name_to_device_path,
    device_path_to_device_name,
    parsed_dump,
)
from evergraph.frontend.array import make_ndarray
from evergraph.ops import debugging
from evergraph.passes.state import with_inner

CoreMetadata = collections.namedtuple("CoreMetadata", [
    "global_step", "session_run_index", "executor_step_index", "input_names", "output_names", "target_nodes"])


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    """A dump has no tensor of that name and debug op."""


class InconvertibleTensorProto:
    """A tensor that is no array: a resource, or a variable without a value.

    Args:
        tensor_proto: the TensorProto.
        initialized: whether it has a value.
    """

    def __init__(self, tensor_proto: Any, initialized: bool = True) -> None:
        self._tensor_proto, self._initialized = tensor_proto, initialized

    initialized = property(lambda self: self._initialized)

    def __str__(self) -> str:
        return str(self._tensor_proto)


def load_tensor_from_event(event: Any) -> Any:
    """The array of a dumped Event; an InconvertibleTensorProto for what is none."""
    tensor = event.summary.value[0].tensor
    if tensor.dtype in (proto.types_pb2.DT_RESOURCE, proto.types_pb2.DT_VARIANT):
        return InconvertibleTensorProto(tensor)
    is_empty = any(dim.size == 0 for dim in tensor.tensor_shape.dim)
    if not is_empty and not any(field.name not in ("dtype", "tensor_shape", "version_number")
                                for field, _ in tensor.ListFields()):
        return InconvertibleTensorProto(tensor, False)
    return make_ndarray(tensor)


def load_tensor_from_event_file(event_file_path: str) -> Any:
    """The array of a dump's file."""
    return load_tensor_from_event(_event(event_file_path))


def _event(path: str) -> Any:
    with open(path, "rb") as file:
        return proto.event_pb2.Event.FromString(file.read())


def extract_core_metadata_from_event_proto(event: Any) -> Any:
    """The CoreMetadata of a run, which its Event holds as JSON."""
    about = json.loads(event.log_message.message)
    return CoreMetadata(**{name: about[name] for name in CoreMetadata._fields})


def has_inf_or_nan(datum: Any, tensor: Any) -> bool:
    """Whether a tensor has a number that is not finite; False for what are no floats."""
    if isinstance(tensor, InconvertibleTensorProto):
        return False
    array = np.asarray(tensor)
    return array.dtype.kind in "fc" and not bool(np.all(np.isfinite(array)))


class DebugTensorDatum:
    """A tensor of a dump.

    Args:
        dump_root: the directory of the dump.
        debug_dump_rel_path: its file below that.
    """

    def __init__(self, dump_root: str, debug_dump_rel_path: str) -> None:
        folder, _, name = debug_dump_rel_path.partition("/")
        if not folder.startswith(METADATA_FILE_PREFIX + DEVICE_TAG):
            folder, name = "", debug_dump_rel_path
        self._device_name = device_path_to_device_name(folder) if folder else None
        self._node_name, self._output_slot, self._debug_op, self._timestamp = parsed_dump(name)
        self._file_path = os.path.join(dump_root, debug_dump_rel_path)
        self._dump_size_bytes = os.path.getsize(self._file_path) if os.path.exists(self._file_path) else None
        self._extended_timestamp = (self._timestamp, self._file_path)

    node_name = property(lambda self: self._node_name)
    output_slot = property(lambda self: self._output_slot)
    debug_op = property(lambda self: self._debug_op)
    timestamp = property(lambda self: self._timestamp)
    extended_timestamp = property(lambda self: self._extended_timestamp)
    device_name = property(lambda self: self._device_name)
    file_path = property(lambda self: self._file_path)
    dump_size_bytes = property(lambda self: self._dump_size_bytes)
    tensor_name = property(lambda self: f"{self._node_name}:{self._output_slot}")
    watch_key = property(lambda self: f"{self.tensor_name}:{self._debug_op}")

    def get_tensor(self) -> Any:
        """The array; an InconvertibleTensorProto for what is none."""
        return load_tensor_from_event_file(self._file_path)

    def __str__(self) -> str:
        return f"{{DebugTensorDatum ({self._device_name}) {self.watch_key} @ {self._timestamp}}}"

    __repr__ = __str__


class DebugDumpDir:
    """The tensors of a run and its graph, in the order in which they were written.

    Args:
        dump_root: the directory.
        partition_graphs: the GraphDefs of the devices; by default those in the directory.
        validate: whether tensors and graphs have to agree.

    Raises:
        IOError: there is no such directory.
        ValueError: files are not named as dumps are, or do not agree with the graphs.
    """

    def __init__(self, dump_root: str, partition_graphs: Sequence[Any] | None = None, validate: bool = True) -> None:
        if not os.path.isdir(dump_root):
            raise OSError(f"Dump root directory {dump_root} does not exist")
        self._dump_root = dump_root
        self._core_metadata = self._loaded(CORE_METADATA_TAG, extract_core_metadata_from_event_proto)
        if isinstance(self._core_metadata, list) and len(self._core_metadata) == 1:
            (self._core_metadata,) = self._core_metadata
        self._fetches_info = self._text(FETCHES_INFO_FILE_TAG)
        self._feed_keys_info = self._text(FEED_KEYS_INFO_FILE_TAG)
        self._data = self._found_data()
        self._graphs = self._found_graphs(partition_graphs)
        self._python_graph: Any = None
        if validate and self._graphs:
            self._validate()

    def _loaded(self, tag: str, read: Callable[[Any], Any]) -> list[Any]:
        paths = sorted(glob.glob(os.path.join(self._dump_root, f"{METADATA_FILE_PREFIX}{tag}*")))
        return [read(_event(path)) for path in paths]

    def _text(self, tag: str) -> str | None:
        return next(iter(self._loaded(tag, lambda event: event.log_message.message)), None)

    def _found_data(self) -> dict[str, list[DebugTensorDatum]]:
        """Device -> its tensors, by time."""
        found: dict[str, list[DebugTensorDatum]] = {}
        for folder in sorted(glob.glob(os.path.join(self._dump_root, f"{METADATA_FILE_PREFIX}{DEVICE_TAG}*"))):
            data = []
            for below, _, names in os.walk(folder):
                paths = [os.path.relpath(os.path.join(below, name), self._dump_root) for name in names
                         if not name.startswith(METADATA_FILE_PREFIX)]
                data += [DebugTensorDatum(self._dump_root, path) for path in paths]
            found[device_path_to_device_name(folder)] = sorted(data, key=lambda datum: datum.extended_timestamp)
        return found

    def _found_graphs(self, given: Sequence[Any] | None) -> dict[str, DebugGraph]:
        if given is None:
            files = [(device, path) for device in self._data for path in sorted(glob.glob(os.path.join(
                self._dump_root, device_name_to_device_path(device), f"{METADATA_FILE_PREFIX}{GRAPH_FILE_TAG}*")))]
            graphs = [(device, proto.graph_pb2.GraphDef.FromString(_event(path).graph_def)) for device, path in files]
        else:
            graphs = [(None, graph) for graph in given]
        found = {}
        for device, graph in graphs:
            read = DebugGraph(graph, device)
            found[read.device_name or next(iter(self._data), "")] = read
        return found

    def _validate(self) -> None:
        """Raises ValueError where a tensor's node is not in the graph, or ran before what it takes."""
        for device, data in self._data.items():
            graph = self._graphs.get(device)
            if graph is None:
                continue
            pending = {name: set(words) for name, words in graph.inputs.items()}
            watched = {datum.tensor_name for datum in data}
            for datum in data:
                if datum.node_name not in graph.nodes:
                    raise ValueError(f"{datum.node_name!r} was dumped, but is not in the graph of {device}")
                late = {word for word in pending[datum.node_name] if _tensor_name(word) in watched}
                if late and not debugging.may_run_early(graph.nodes[datum.node_name].op):
                    raise ValueError(f"Causality violated: {datum.node_name} was dumped at {datum.timestamp}, before "
                                     f"its inputs {sorted(late)}")
                word = datum.node_name if not datum.output_slot else datum.tensor_name
                for user in graph.recipients.get(datum.node_name, ()):
                    pending[user].discard(word)

    # ---- the run

    core_metadata = property(lambda self: self._core_metadata)
    run_fetches_info = property(lambda self: self._fetches_info)
    run_feed_keys_info = property(lambda self: self._feed_keys_info)

    @property
    def dumped_tensor_data(self) -> list[DebugTensorDatum]:
        """All tensors, by time."""
        return sorted((datum for data in self._data.values() for datum in data), key=lambda d: d.extended_timestamp)

    @property
    def size(self) -> int:
        return sum(map(len, self._data.values()))

    @property
    def t0(self) -> int | None:
        """The time of the first tensor."""
        return min((datum.timestamp for datum in self.dumped_tensor_data), default=None)

    @property
    def dump_size_bytes(self) -> int:
        return sum(datum.dump_size_bytes or 0 for datum in self.dumped_tensor_data)

    @property
    def python_graph(self) -> Any:
        """The tf.Graph that was set, which knows the lines that made nodes."""
        return self._python_graph

    def set_python_graph(self, python_graph: Any) -> None:
        """Sets the tf.Graph of the run."""
        self._python_graph = python_graph

    # ---- graphs

    def loaded_partition_graphs(self) -> bool:
        """Whether the graphs of the devices are known."""
        return bool(self._graphs)

    def partition_graphs(self) -> list[Any]:
        """The GraphDefs of the devices."""
        return [graph.debug_graph_def for graph in self._required().values()]

    def reconstructed_non_debug_partition_graphs(self) -> dict[str, Any]:
        """Device -> its GraphDef without what TensorFlow's debugger has added."""
        return {device: graph.non_debug_graph_def for device, graph in self._required().items()}

    def devices(self) -> list[str]:
        """The names of the devices."""
        return list(self._data)

    def nodes(self, device_name: str | None = None) -> list[str]:
        """The names of the nodes, of all devices or of one."""
        graphs = self._required()
        if device_name is None:
            return [name for graph in graphs.values() for name in graph.nodes]
        if device_name not in graphs:
            raise ValueError(f"Invalid device name: {device_name}")
        return list(graphs[device_name].nodes)

    def node_exists(self, node_name: str, device_name: str | None = None) -> bool:
        """Whether there is such a node."""
        self._known_device(device_name)
        return any(node_name in graph.nodes for device, graph in self._required().items()
                   if device_name in (None, device))

    def node_attributes(self, node_name: str, device_name: str | None = None) -> Any:
        """Attr -> AttrValue of a node."""
        return self._graph(node_name, device_name).nodes[node_name].attr

    def node_inputs(self, node_name: str, is_control: bool = False, device_name: str | None = None) -> list[str]:
        """The nodes and tensors that a node takes, or the nodes that it waits for."""
        graph = self._graph(node_name, device_name)
        return (graph.control_inputs if is_control else graph.inputs)[node_name]

    def node_recipients(self, node_name: str, is_control: bool = False, device_name: str | None = None) -> list[str]:
        """The nodes that take from a node, or that wait for it."""
        graph = self._graph(node_name, device_name)
        return (graph.control_recipients if is_control else graph.recipients)[node_name]

    def node_op_type(self, node_name: str, device_name: str | None = None) -> str:
        """The type of a node."""
        return self._graph(node_name, device_name).nodes[node_name].op

    def node_device(self, node_name: str) -> Any:
        """The device of a node; a list if it is on several."""
        found = [device for device, graph in self._required().items() if node_name in graph.nodes]
        if not found:
            raise ValueError(f"Node {node_name!r} does not exist in partition graphs")
        return found[0] if len(found) == 1 else found

    def transitive_inputs(self, node_name: str, include_control: bool = True, include_reversed_ref: bool = False,
                          device_name: str | None = None) -> list[str]:
        """All nodes that a node depends on.

        Args:
            node_name: the node.
            include_control: whether through control dependencies, too.
            include_reversed_ref: whether a variable depends on the nodes that assign to it.
            device_name: the device, where several have the node.
        """
        graph = self._graph(node_name, device_name)
        found: dict[str, None] = {}
        for name in self._before(graph, node_name, include_control, include_reversed_ref):
            found.setdefault(name)
        found.pop(node_name, None)
        return list(found)

    def _before(self, graph: DebugGraph, name: str, control: bool, references: bool) -> Iterator[str]:
        seen, waiting = {name}, [name]
        while waiting:
            now = waiting.pop()
            yield now
            for word in self._sources(graph, now, control, references):
                if word not in seen:
                    seen.add(word)
                    waiting.append(word)

    def _sources(self, graph: DebugGraph, name: str, control: bool, references: bool) -> list[str]:
        words = [*graph.inputs.get(name, ()), *(graph.control_inputs.get(name, ()) if control else ())]
        if references and name in graph.ref_args:
            words += [user for user in graph.recipients.get(name, ()) if debugging.assigns(graph.nodes[user].op)]
        return [get_node_name(word) for word in words]

    def find_some_path(self, src_node_name: str, dst_node_name: str, include_control: bool = True,
                       include_reversed_ref: bool = False, device_name: str | None = None) -> list[str] | None:
        """Nodes that lead from one node to another, or None."""
        graph = self._graph(dst_node_name, device_name)
        self._graph(src_node_name, device_name)
        came_from: dict[str, str | None] = {dst_node_name: None}
        waiting = collections.deque([dst_node_name])
        while waiting:
            now = waiting.popleft()
            if now == src_node_name:
                path: list[str] = []
                at: str | None = now
                while at is not None:
                    path.append(at)
                    at = came_from[at]
                return path
            for word in self._sources(graph, now, include_control, include_reversed_ref):
                if word not in came_from:
                    came_from[word] = now
                    waiting.append(word)
        return None

    def node_traceback(self, element_name: str) -> Any:
        """The lines of the program that made a node.

        Raises:
            LookupError: no tf.Graph was set.
            KeyError: it has no such node.
        """
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        name = get_node_name(element_name)
        operations = self._python_graph.get_operations()
        known = {operation.name: operation for operation in (*with_inner(operations), *operations)}
        if name not in known:
            raise KeyError(f'Cannot find node "{name}" in Python graph')
        return known[name].traceback

    def _required(self) -> dict[str, DebugGraph]:
        if not self._graphs:
            raise LookupError("No partition graphs have been loaded.")
        return self._graphs

    def _known_device(self, device_name: str | None) -> None:
        if device_name is not None and device_name not in self._required():
            raise ValueError(f"There are {len(self._graphs)} devices ({list(self._graphs)}) but the specified device "
                             f"{device_name!r} is not among them")

    def _graph(self, node_name: str, device_name: str | None) -> DebugGraph:
        self._known_device(device_name)
        found = [graph for device, graph in self._required().items()
                 if node_name in graph.nodes and device_name in (None, device)]
        if not found:
            missing = f"None of the {len(self._graphs)} device(s) has a node named {node_name!r}"
            raise ValueError(missing if device_name is None
                             else f"The device {device_name} has no node named {node_name!r}")
        if len(found) > 1:
            raise ValueError(f"{len(found)} devices have a node {node_name!r}: say which device_name is meant")
        return found[0]

    # ---- tensors

    def debug_watch_keys(self, node_name: str, device_name: str | None = None) -> list[str]:
        """The watch keys of the tensors of a node."""
        graph = self._graphs.get(device_name or next(iter(self._graphs), ""))
        watched = [f"{node}:{slot}:{op}" for node, slot, op in (graph.debug_watches() if graph else ())
                   if node == node_name]
        dumped = [datum.watch_key for datum in self._of(device_name) if datum.node_name == node_name]
        return list(dict.fromkeys([*watched, *dumped]))

    def watch_key_to_data(self, debug_watch_key: str, device_name: str | None = None) -> list[DebugTensorDatum]:
        """The tensors of a watch key, one for each time that it was dumped."""
        return [datum for datum in self._of(device_name) if datum.watch_key == debug_watch_key]

    def find(self, predicate: Callable[[DebugTensorDatum, Any], Any], first_n: int = 0,
             device_name: str | None = None, exclude_node_names: str | None = None) -> list[DebugTensorDatum]:
        """The tensors for which a function of datum and value holds.

        Args:
            predicate: the function.
            first_n: how many to find; 0 for all.
            device_name: whose; by default of all devices.
            exclude_node_names: a pattern of nodes to leave out.
        """
        excluded = re.compile(exclude_node_names) if exclude_node_names else None
        found: list[DebugTensorDatum] = []
        for datum in self._of(device_name):
            if excluded and excluded.match(datum.node_name):
                continue
            if predicate(datum, datum.get_tensor()):
                found.append(datum)
                if first_n > 0 and len(found) == first_n:
                    break
        return found

    def get_tensor_file_paths(self, node_name: str, output_slot: int, debug_op: str,
                              device_name: str | None = None) -> list[str]:
        """The files of an output of a node."""
        return [datum.file_path for datum in self._dumped(node_name, output_slot, debug_op, device_name)]

    def get_tensors(self, node_name: str, output_slot: int, debug_op: str,
                    device_name: str | None = None) -> list[Any]:
        """The values of an output of a node."""
        return [datum.get_tensor() for datum in self._dumped(node_name, output_slot, debug_op, device_name)]

    def get_rel_timestamps(self, node_name: str, output_slot: int, debug_op: str,
                           device_name: str | None = None) -> list[int]:
        """When an output of a node was dumped, in microseconds after the first tensor."""
        start = self.t0 or 0
        return [datum.timestamp - start for datum in self._dumped(node_name, output_slot, debug_op, device_name)]

    def get_dump_sizes_bytes(self, node_name: str, output_slot: int, debug_op: str,
                             device_name: str | None = None) -> list[int | None]:
        """The sizes of the files of an output of a node."""
        return [datum.dump_size_bytes for datum in self._dumped(node_name, output_slot, debug_op, device_name)]

    def _of(self, device_name: str | None) -> Iterable[DebugTensorDatum]:
        return self.dumped_tensor_data if device_name is None else self._data.get(device_name, [])

    def _dumped(self, node_name: str, slot: int, debug_op: str, device_name: str | None) -> list[DebugTensorDatum]:
        key = f"{node_name}:{slot}:{debug_op}"
        found = self.watch_key_to_data(key, device_name)
        if not found:
            raise WatchKeyDoesNotExistInDebugDumpDirError(f'Watch key "{key}" is not among those of the dump')
        return found


def _tensor_name(word: str) -> str:
    name, slot = parse_node_or_tensor_name(word)
    return f"{name}:{slot or 0}"
