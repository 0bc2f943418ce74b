"""What tf.profiler knows of each node of a graph: parameters, floating point operations, times, memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evergraph.debug.profiler.statistics import get_stats_for_node_def
from evergraph.frontend.collections import GraphKeys
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind

TRAINABLE = "_trainable_variables"
CHECKPOINTED = "_checkpoint_variables"
COSTS = ("micros", "accelerator_micros", "cpu_micros", "bytes", "peak_bytes", "residual_bytes", "output_bytes",
         "params", "float_ops", "occurrence")


@dataclass
class Node:
    """A node of the graph, or a name scope, with what it costs itself."""

    name: str
    types: set[str] = field(default_factory=set)
    op: str = ""
    device: str = ""
    shape: list[int] = field(default_factory=list)
    input_shapes: dict[int, list[int]] = field(default_factory=dict)
    costs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COSTS, 0))
    runs: int = 0


def described(graph: Graph, run_meta: Any = None, op_log: Any = None) -> list[Node]:
    """The nodes of a graph with what they cost, in the order of the graph.

    Args:
        graph: the graph.
        run_meta: the RunMetadata of a step with times and memory, or None.
        op_log: an OpLogProto with types and floating point operations of nodes, or None.
    """
    marks = _marks(graph)
    times = _times(run_meta)
    logged = {entry.name: entry for entry in op_log.log_entries} if op_log is not None else {}
    return [_node(graph, each, marks.get(each.name, set()), times.get(each.name, []), logged.get(each.name))
            for each in graph.get_operations()]


def _node(graph: Graph, operation: Operation, marks: set[str], times: list[Any], logged: Any) -> Node:
    node = Node(operation.name, {operation.type, *marks}, operation.type, operation.device)
    if operation.device:
        node.types.add(operation.device)
    node.input_shapes = {at: _sizes(tensor) for at, tensor in enumerate(operation.inputs)}
    if operation.opdef.kind is Kind.VARIABLE:
        shape = operation.attrs.get("shape")
        if shape is not None and None not in shape:
            node.shape = list(shape)
            node.costs["params"] = _product(node.shape)
    flops = get_stats_for_node_def(graph, operation.node_def, "flops").value
    node.costs["float_ops"] = int(flops or 0)
    if logged is not None:
        node.types |= set(logged.types)
        node.costs["float_ops"] = logged.float_ops or node.costs["float_ops"]
    node.costs["occurrence"] = 1
    for each in times:
        _add_times(node, each)
    return node


def _add_times(node: Node, found: Any) -> None:
    device, times = found
    node.device = node.device or device
    node.runs += 1
    micros = max(times.op_end_rel_micros, times.all_end_rel_micros)
    node.costs["micros"] += micros
    node.costs["accelerator_micros" if "gpu" in device.lower() else "cpu_micros"] += micros
    for memory in times.memory:
        node.costs["bytes"] += memory.total_bytes
        node.costs["peak_bytes"] += memory.peak_bytes
        node.costs["residual_bytes"] += memory.live_bytes
    node.costs["output_bytes"] += sum(o.tensor_description.allocation_description.requested_bytes
                                      for o in times.output)


def _times(run_meta: Any) -> Mapping[str, list[Any]]:
    """Node -> (device, its times) of each time it ran."""
    found: dict[str, list[Any]] = {}
    for device in run_meta.step_stats.dev_stats if run_meta is not None else ():
        for times in device.node_stats:
            found.setdefault(times.node_name, []).append((device.device, times))
    return found


def _marks(graph: Graph) -> Mapping[str, set[str]]:
    """The marks of the nodes of variables."""
    marks: dict[str, set[str]] = {}
    for mark, key in ((TRAINABLE, GraphKeys.TRAINABLE_VARIABLES), (CHECKPOINTED, GraphKeys.GLOBAL_VARIABLES)):
        for variable in graph.get_collection(key):
            marks.setdefault(variable.op.name, set()).add(mark)
    return marks


def _sizes(tensor: Any) -> list[int]:
    """A shape, with -1 for sizes that are not known; [] for one of which nothing is known."""
    return [] if tensor.shape.ndims is None else [-1 if size is None else size for size in tensor.shape.as_list()]


def _product(sizes: list[int]) -> int:
    found = 1
    for size in sizes:
        found *= size
    return found
