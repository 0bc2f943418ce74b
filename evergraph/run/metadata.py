"""Fills a RunMetadata with what a watched run showed: times of nodes, the graphs that ran, costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.formats.tensor_messages import shape_to_proto
from evergraph.graph.encode import function_def, node_def
from evergraph.graph.function import functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.values import is_traced
from evergraph.run.entries import Entries, head_of
from evergraph.run.watch import Form, Seen, StageTime


def fill_step_stats(step_stats: Any, stages: Sequence[StageTime]) -> None:
    """Adds what is known of each node, by device.

    A stage that ran as Python has the time of each node. A compiled one is a single program, which has an entry of its
    own, named `compiled_N`. Its nodes have their parts of the kernels that XLA made of them: those of an accelerator
    are in the streams of the device, as in TensorFlow. Where nobody looked at the kernels, each node has the time of
    the program, in which it ran at some point. TensorBoard, which takes the time of a scope from its first start to its
    last end, shows that time for scopes too. The name of a stage's thread is the decision about its tier.
    """
    devices: dict[str, Entries] = {}

    def device(name: str) -> Entries:
        if name not in devices:
            devices[name] = Entries(step_stats.dev_stats.add(device=name))
        return devices[name]

    for stage in stages:
        name = stage.place.name
        device(name).device.thread_names[stage.number] = stage.why
        if stage.times is not None:
            _fill_python(device(name), stage)
        elif stage.kernels:
            # A device of its own, so that the time of the program is not added to that of its nodes.
            _add_program(device(f"{name}/programs"), stage)
            _fill_kernels(device, stage)
        else:
            _add_program(device(name), stage)
            describe = _describing(stage)
            for node in stage.nodes:
                device(name).add(describe(node), stage.start, stage.stop, stage.start, stage.number)
    for entries in devices.values():
        entries.encode()


def _fill_python(entries: Entries, stage: StageTime) -> None:
    begun, number = stage.start, stage.number
    for seen, start, stop in stage.times or ():
        if seen.head is None:
            seen.head = _head(seen)
        entries.add(seen.head, start, stop, begun, number)
    ran = {seen.node for seen, _, _ in stage.times or ()}
    for node in stage.nodes:
        if node not in ran:  # its result is known, or that of another node, or nobody needs it
            seen = stage.known.get(node) or stage.known.setdefault(node, Seen(node, _constant(node)))
            seen.head = seen.head or _head(seen)
            entries.add(seen.head, begun, begun, begun, number)


def _constant(node: Operation) -> Sequence[tuple[Tensor, Form]]:
    """The output of a constant; other nodes that do not run have none."""
    if node.opdef.kind is not Kind.CONSTANT:
        return ()
    value = node.attrs["value"]
    return [(node.outputs[0], Form(value.shape, value.dtype, value.nbytes))]


def _head(seen: Seen) -> bytes:
    """What is known of a node that NumPy ran, but for the time."""
    stats = _stats(seen.node.name, _label(seen.node), seen.outputs)
    size = sum(form.nbytes for _, form in seen.outputs)
    if seen.node.opdef.kind in (Kind.CONSTANT, Kind.VARIABLE):
        stats.memory_stats.persistent_memory_size = size
    elif size and seen.node.opdef.memory is not Memory.VIEW:
        stats.memory.add(allocator_name="cpu", total_bytes=size, peak_bytes=size, live_bytes=size)
    return head_of(stats)


def _add_program(entries: Entries, stage: StageTime) -> None:
    note = " and compiling it" if stage.was_compiled else ""
    label = f"{_program(stage)} = XLA({len(stage.nodes)} nodes{note})"
    head = head_of(proto.step_stats_pb2.NodeExecStats(node_name=_program(stage), timeline_label=label))
    entries.add(head, stage.start, stage.stop, stage.start, stage.number)


def _fill_kernels(device: Callable[[str], Entries], stage: StageTime) -> None:
    describe, begun, number = _describing(stage), stage.start, stage.number
    heads: dict[Operation, bytes] = {}
    here, stream = stage.place.name, f"{stage.place.name}/stream:all"
    for node, start, stop, on_accelerator in stage.kernels or ():
        head = heads.get(node) or heads.setdefault(node, describe(node))
        device(stream if on_accelerator else here).add(head, start, stop, begun, number)
    entries = device(here)
    for node in stage.nodes:
        if node not in heads:  # a variable, or a part of a kernel that tells others: it ran in no time of its own
            entries.add(describe(node), begun, begun, begun, number)


def _describing(stage: StageTime) -> Callable[[Operation], bytes]:
    """Tells what is known of a node of a compiled program, but for the time."""
    outputs: dict[Operation, list[tuple[Tensor, Any]]] = {}
    for tensor, value in stage.outputs:
        if hasattr(value, "nbytes"):
            outputs.setdefault(tensor.op, []).append((tensor, value))
    program, known = _program(stage), stage.known

    def describe(node: Operation) -> bytes:
        found = outputs.get(node, ())
        key = (node, program, *[value.shape for _, value in found])
        head = known.get(key)
        if head is None:
            stats = _stats(node.name, f"{node.name} = {node.type}(in {program})", found)
            head = known[key] = head_of(stats)
        return head

    return describe


def _program(stage: StageTime) -> str:
    return f"compiled_{stage.number}"


def _label(node: Operation) -> str:
    """As TensorFlow labels nodes, and its timeline takes the label apart."""
    return f"{node.name} = {node.type}({', '.join(t.op.name for t in node._inputs)})"


def _stats(name: str, label: str, outputs: Iterable[tuple[Tensor, Any]]) -> Any:
    """A node with its outputs that are arrays."""
    stats = proto.step_stats_pb2.NodeExecStats(node_name=name, timeline_label=label)
    for tensor, value in outputs:
        described = stats.output.add(slot=tensor.value_index).tensor_description
        described.dtype = tensor.dtype.base_dtype.enum
        described.shape.CopyFrom(shape_to_proto(tuple(value.shape)))
        if np.dtype(value.dtype) != object:
            described.allocation_description.requested_bytes = value.nbytes
            described.allocation_description.allocator_name = "xla" if is_traced(value) else "cpu"
    return stats


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
    """Adds each node with its measured time, in microseconds."""
    numbers = {node: i for i, node in enumerate(dict.fromkeys(n for stage in stages for n in stage.nodes))}
    for stage in stages:
        spent: dict[Operation, int] = {}
        for seen, start, stop in stage.times or ():
            spent[seen.node] = spent.get(seen.node, 0) + stop - start
        for node, start, stop, _ in stage.kernels or ():
            spent[node] = spent.get(node, 0) + stop - start
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
