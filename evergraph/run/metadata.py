"""Fills a RunMetadata with what a watched run showed: times of nodes, the graphs that ran, costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.formats.tensor_messages import shape_to_proto
from evergraph.graph.encode import function_def, node_def
from evergraph.graph.function import functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.run.watch import StageTime


def fill_step_stats(step_stats: Any, stages: Sequence[StageTime]) -> None:
    """Adds what is known of each node, by device.

    A stage that ran as Python has the time of each node. A compiled one is a single program, in which XLA fuses nodes:
    it has an entry of its own, named `compiled_N`, and all its nodes have the time of the program, in which each ran at
    some point. TensorBoard, which takes the time of a scope from its first start to its last end, shows that time for
    scopes too. The name of a stage's thread is the decision about its tier.
    """
    devices: dict[str, Any] = {}
    for stage in stages:
        name = stage.place.name
        if name not in devices:
            devices[name] = step_stats.dev_stats.add(device=name)
        devices[name].thread_names[stage.number] = stage.why
        (_fill_compiled if stage.times is None else _fill_python)(devices[name], stage)


def _fill_python(device: Any, stage: StageTime) -> None:
    for entry in stage.times or ():
        stats = _add(device, entry.node.name, _label(entry.node), entry.start, entry.stop, stage)
        _fill_outputs(stats, entry.node, stage.outputs)


def _fill_compiled(device: Any, stage: StageTime) -> None:
    program = f"compiled_{stage.number}"
    note = " and compiling it" if stage.was_compiled else ""
    _add(device, program, f"{program} = XLA({len(stage.nodes)} nodes{note})", stage.start, stage.stop, stage)
    for node in stage.nodes:
        label = f"{node.name} = {node.type}(in {program})"
        stats = _add(device, node.name, label, stage.start, stage.stop, stage)
        _fill_outputs(stats, node, stage.outputs)


def _label(node: Operation) -> str:
    """As TensorFlow labels nodes, and its timeline takes the label apart."""
    return f"{node.name} = {node.type}({', '.join(t.op.name for t in node._inputs)})"


def _add(device: Any, name: str, label: str, start: int, stop: int, stage: StageTime) -> Any:
    length, scheduled = stop - start, stage.start
    micros = -(-length // 1000)
    return device.node_stats.add(
        node_name=name, timeline_label=label, scheduled_micros=scheduled // 1000, scheduled_nanos=scheduled,
        all_start_micros=start // 1000, all_start_nanos=start, op_end_rel_micros=micros, op_end_rel_nanos=length,
        all_end_rel_micros=micros, all_end_rel_nanos=length, thread_id=stage.number)  # fmt: skip


def _fill_outputs(stats: Any, node: Operation, outputs: Iterable[tuple[Tensor, Any]]) -> None:
    for tensor, value in outputs:
        if tensor.op is node and hasattr(value, "shape") and hasattr(value, "dtype"):
            described = stats.output.add(slot=tensor.value_index).tensor_description
            described.dtype = tensor.dtype.base_dtype.enum
            described.shape.CopyFrom(shape_to_proto(tuple(value.shape)))
            if np.dtype(value.dtype) != object:
                described.allocation_description.requested_bytes = value.nbytes
                described.allocation_description.allocator_name = "cpu" if isinstance(value, np.ndarray) else "xla"


# ---- graphs


def partition_graphs(stages: Sequence[StageTime], feeds: Iterable[Tensor]) -> Iterator[Any]:
    """A GraphDef for each device: the nodes that ran there, and those that were fed in their place."""
    by_device: dict[str, dict[Operation, None]] = {}
    for stage in stages:
        by_device.setdefault(stage.place.name, {}).update(dict.fromkeys(stage.nodes))
    for device, nodes in by_device.items():
        fed = {t.op: None for t in feeds if t.op not in nodes and any(t in n._inputs for n in nodes)}
        message = proto.graph_pb2.GraphDef()
        for node in (*fed, *nodes):
            added = message.node.add()
            added.CopyFrom(node_def(node))
            added.device = device
        functions = {f.name: f for node in nodes for f in functions_of(node)}
        message.library.function.extend(function_def(function) for function in functions.values())
        yield message


def fill_cost_graph(cost_graph: Any, stages: Sequence[StageTime]) -> None:
    """Adds each node with its measured time, in microseconds; nodes of compiled programs have none."""
    numbers = {node: i for i, node in enumerate(dict.fromkeys(n for stage in stages for n in stage.nodes))}
    for stage in stages:
        spent = {entry.node: entry.stop - entry.start for entry in stage.times or ()}
        for node in stage.nodes:
            entry = cost_graph.node.add(
                name=node.name, device=stage.place.name, id=numbers[node],
                compute_cost=-(-spent.get(node, 0) // 1000), inaccurate=node not in spent)  # fmt: skip
            for tensor in node._inputs:
                if tensor.op in numbers:
                    entry.input_info.add(preceding_node=numbers[tensor.op], preceding_port=tensor.value_index)
            entry.control_input.extend(numbers[c] for c in node._control_inputs if c in numbers)
            for tensor, value in stage.outputs:
                if tensor.op is node and hasattr(value, "nbytes"):
                    entry.output_info.add(size=value.nbytes, dtype=tensor.dtype.base_dtype.enum)
