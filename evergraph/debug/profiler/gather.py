"""Gathers what tf.profiler knows of a graph's nodes into one ProfileProto: ops, shapes, lines, times, memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evergraph import proto
from evergraph.debug.profiler.statistics import get_stats_for_node_def
from evergraph.frontend.collections import GraphKeys
from evergraph.graph.graph import Graph

TRAINABLE = "_trainable_variables"
_DEVICE = re.compile(r"/job:.*/replica:\d+/task:\d+/device:[a-z_]+:\d+")
_STREAMS = "stream:all"  # where the times of an accelerator's kernels are, beside those of the host that starts them
_OF_NO_OP = ("_SOURCE", "_SINK")  # what TensorFlow's executor adds


# ---- the graph


def update(profile: Any, graph: Graph | None, op_log: Any) -> None:
    """Brings a ProfileProto up to date with a graph, which may have grown, and with an OpLogProto about its nodes.

    Args:
        profile: the ProfileProto; it keeps the steps that it has.
        graph: the graph; None for none, where the nodes are those of the steps.
        op_log: the OpLogProto, as `merged_log` makes it.
    """
    if graph is not None:
        _add_nodes(profile, graph.as_graph_def(add_shapes=True).node)
    _add_log(profile, op_log)


def _add_nodes(profile: Any, node_defs: Sequence[Any]) -> None:
    numbers = {node.name: node.id for node in profile.nodes.values()}
    for node_def in node_defs:
        numbers.setdefault(node_def.name, len(numbers))
    for node_def in node_defs:
        node = profile.nodes[numbers[node_def.name]]
        node.name, node.op, node.id = node_def.name, node_def.op, numbers[node_def.name]
        _add_types(node, [node_def.op])
        if node_def.device and not node.canonical_device:
            _place(node, node_def.device.lower())
        for at, word in enumerate(node_def.input):
            source = numbers[word.lstrip("^").partition(":")[0]]
            node.inputs[at] = source
            node.src_output_index[source] = 0  # TensorFlow's profiler takes all inputs for first outputs
        for name, value in node_def.attr.items():
            node.attrs[name].CopyFrom(value)
        if node_def.attr["shape"].HasField("shape"):
            node.shape[:] = _sizes(node_def.attr["shape"].shape)
        for at, shape in enumerate(node_def.attr["_output_shapes"].list.shape):
            if not shape.unknown_rank:
                node.output_shapes[at].int64_values[:] = _sizes(shape)


def _sizes(shape: Any) -> list[int]:
    """The sizes; a scalar has one of 1."""
    return [dim.size for dim in shape.dim] or ([] if shape.unknown_rank else [1])


def _add_log(profile: Any, op_log: Any) -> None:
    by_name = {node.name: node for node in profile.nodes.values()}
    profile.id_to_string.update(op_log.id_to_string)
    for entry in op_log.log_entries:
        node = by_name.get(entry.name)
        if node is None:
            continue
        _add_types(node, entry.types)
        node.float_ops = max(node.float_ops, entry.float_ops)
        if entry.HasField("code_def"):
            node.trace.CopyFrom(entry.code_def)
            profile.has_trace = True


def _add_types(node: Any, types: Iterable[str]) -> None:
    node.op_types[:] = sorted({*node.op_types, *types})


# ---- what the log of an op says


def logged_ops(graph: Graph, run_meta: Any = None, add_trace: bool = True,
               add_trainable_var: bool = True) -> tuple[dict[str, Any], dict[str, int]]:
    """({name: OpLogEntry}, {word: number}): what `merged_log` says of a graph's nodes, and the numbers of its words.

    Args:
        graph: the graph.
        run_meta, add_trace: see `merged_log`.
        add_trainable_var: whether trainable variables are marked.
    """
    log = merged_log(graph, None, run_meta, add_trace)
    entries = {entry.name: entry for entry in log.log_entries}
    if not add_trainable_var:
        for entry in entries.values():
            entry.types[:] = [each for each in entry.types if each != TRAINABLE]
        entries = {name: entry for name, entry in entries.items() if entry.float_ops or entry.HasField("code_def")}
    return entries, {word: number for number, word in log.id_to_string.items()}


def merged_log(graph: Graph | None, op_log: Any = None, run_meta: Any = None, add_trace: bool = True) -> Any:
    """An OpLogProto with the floating point operations, marks and lines of a graph's nodes.

    Args:
        graph: the graph; None for none.
        op_log: what a program knows better: its entries win.
        run_meta: the RunMetadata of a step. Tensors whose static shapes are not known get those that they had then.
        add_trace: whether each node has the lines of the program that made it.
    """
    log = proto.tfprof_log_pb2.OpLogProto()
    if op_log is not None:
        log.CopyFrom(op_log)
    if graph is None:
        return log
    if run_meta is not None:
        _set_shapes(graph, run_meta)
    entries = {entry.name: entry for entry in log.log_entries}
    numbers = {word: number for number, word in log.id_to_string.items()} or {"none": 0}
    trainable = {variable.op.name for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)}
    for operation in graph.get_operations():
        flops = get_stats_for_node_def(graph, operation.node_def, "flops").value
        is_trainable = operation.name in trainable
        if not (flops or is_trainable or add_trace):
            continue
        entry = entries.get(operation.name) or log.log_entries.add(name=operation.name)
        entry.float_ops = entry.float_ops or int(flops or 0)
        if is_trainable and TRAINABLE not in entry.types:
            entry.types.append(TRAINABLE)
        if add_trace and not entry.HasField("code_def"):
            entry.code_def.traces.extend(_traces(operation, numbers))
    log.id_to_string.update((number, word) for word, number in numbers.items())
    return log


def _traces(operation: Any, numbers: dict[str, int]) -> Iterator[Any]:
    """The lines that made a node. A log holds each string once, by a number."""
    for file, line, function, code, *_ in operation.traceback or ():
        known = [numbers.setdefault(word or "none", len(numbers)) for word in (file, function, code)]
        yield proto.tfprof_log_pb2.CodeDef.Trace(file_id=known[0], lineno=line or 0, function_id=known[1],
                                                 line_id=known[2], func_start_line=-1)


def _set_shapes(graph: Graph, run_meta: Any) -> None:
    for device in run_meta.step_stats.dev_stats:
        for stats in device.node_stats:
            for output in stats.output:
                tensor = _tensor(graph, stats.node_name, output.slot)
                if tensor is not None and not tensor.shape.is_fully_defined():
                    found = [dim.size for dim in output.tensor_description.shape.dim]
                    if tensor.shape.is_compatible_with(found):
                        tensor.set_shape(found)


def _tensor(graph: Graph, name: str, slot: int) -> Any:
    try:
        return graph.get_tensor_by_name(f"{name}:{slot}")
    except (KeyError, ValueError):
        return None  # a name that the executor made up


# ---- steps


def add_step(profile: Any, step: int, run_meta: Any) -> None:
    """Adds the times and the memory of a step's RunMetadata."""
    by_name = {node.name: node for node in profile.nodes.values()}
    devices = [device for device in run_meta.step_stats.dev_stats]
    for device in devices:
        for stats in device.node_stats:
            name = stats.node_name.partition(":")[0]
            if name in _OF_NO_OP:
                continue
            if name not in by_name:
                by_name[name] = node = profile.nodes[len(profile.nodes)]
                node.name, node.op, node.id = name, name, len(profile.nodes) - 1
                node.op_types.append(name)
            _add_stats(by_name[name], step, device.device.lower(), stats)
    if step not in profile.steps:
        profile.steps.append(step)
    accelerators = [device.device for device in devices if "gpu" in device.device.lower()]
    profile.miss_accelerator_stream |= bool(accelerators) and not any(_STREAMS in name for name in accelerators)


def _place(node: Any, device: str) -> None:
    node.canonical_device = device
    node.host_device = re.sub(r"device:[a-z_]+:\d+$", "device:cpu:0", device)
    _add_types(node, [device])


def _add_stats(node: Any, step: int, device: str, stats: Any) -> None:
    if not node.host_device and _DEVICE.fullmatch(device):
        if node.canonical_device:
            node.op_types.remove(node.canonical_device)
        _place(node, device)
    run = node.execs[step]
    run.devices[:] = sorted({*run.devices, device})
    if not stats.all_start_micros:
        return
    micros = max(stats.op_end_rel_micros, 1)  # what is quicker counts as one
    run.all_start_micros = min(run.all_start_micros or stats.all_start_micros, stats.all_start_micros)
    run.latest_end_micros = max(run.latest_end_micros, stats.all_start_micros + micros)
    if _STREAMS in device:
        run.accelerator_execs[device].times.add(int64_values=[stats.all_start_micros, micros])
    elif _DEVICE.fullmatch(device):
        run.cpu_execs[device].times.add(int64_values=[stats.all_start_micros, micros])
        run.run_count += 1
        _add_memory(run.memory_execs.add(), "cpu" in device, stats)


def _add_memory(memory: Any, is_host: bool, stats: Any) -> None:
    memory.memory_micros = stats.all_start_micros + stats.op_end_rel_micros
    temporary, persistent = stats.memory_stats.temp_memory_size, stats.memory_stats.persistent_memory_size
    where = "host" if is_host else "accelerator"
    setattr(memory, f"{where}_temp_bytes", temporary)
    setattr(memory, f"{where}_persistent_bytes", persistent)
    for used in stats.memory:
        memory.requested_bytes += used.total_bytes
        memory.peak_bytes += used.peak_bytes
        memory.residual_bytes += used.live_bytes
        memory.allocator_bytes_in_use = max(memory.allocator_bytes_in_use, used.allocator_bytes_in_use)
    memory.requested_bytes += temporary + persistent
    memory.peak_bytes += temporary + persistent
    memory.residual_bytes += persistent
    for output in stats.output:
        held = output.tensor_description.allocation_description
        memory.output_memory[output.slot].bytes = held.requested_bytes
        memory.output_memory[output.slot].ptr = held.ptr
        memory.output_bytes += held.requested_bytes
