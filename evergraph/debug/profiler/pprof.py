"""tensorflow.python.profiler.pprof_profiler: the times of a step's nodes as profiles for pprof, one for each device."""

from __future__ import annotations

import gzip
import os
import time
from typing import Any

from evergraph import proto
from evergraph.base import whole_files


def get_profiles(graph: Any, run_metadata: Any) -> dict[str, Any]:
    """A pprof Profile for each device of a step.

    Args:
        graph: the graph.
        run_metadata: the RunMetadata of a step that ran with RunOptions.FULL_TRACE.

    Returns:
        Device -> Profile. A node has one sample: how often it ran, and the nanoseconds of all and of the op alone.
    """
    operations = {operation.name: operation for operation in graph.get_operations()}
    devices = [device for device in run_metadata.step_stats.dev_stats if device.node_stats]
    return {device.device: _profile(operations, device, f"Device {at} of {len(devices)}: {device.device}")
            for at, device in enumerate(devices, 1)}


def profile(graph: Any, run_metadata: Any, output_dir: str | None = None) -> list[str]:
    """Writes the profiles of a step, one file for each device, or prints them where there is no directory.

    Returns:
        The paths of the files.
    """
    paths = []
    for at, (device, message) in enumerate(get_profiles(graph, run_metadata).items()):
        if output_dir is None:
            print(device, message, sep="\n")
            continue
        name = "".join(letter if letter.isalnum() else "_" for letter in device).strip("_")
        paths.append(os.path.join(output_dir, f"{name}_{at}_{time.strftime('%Y%m%d%H%M%S')}.pb.gz"))
        os.makedirs(output_dir, exist_ok=True)
        whole_files.write_string_to_file(paths[-1], gzip.compress(message.SerializeToString()))
    return paths


def _profile(operations: dict[str, Any], device: Any, title: str) -> Any:
    message = proto.profile_pb2.Profile()
    words: dict[str, int] = {"": 0}
    functions: dict[tuple[str, str], int] = {}
    locations: dict[tuple[int, int], int] = {}

    def word(text: str) -> int:
        return words.setdefault(text, len(words))

    def location(file: str, line: int, function: str) -> int:
        if (file, function) not in functions:
            functions[file, function] = len(functions) + 1
            message.function.add(id=len(functions), name=word(function), filename=word(file))
        key = functions[file, function], line
        if key not in locations:
            locations[key] = len(locations) + 1
            message.location.add(id=len(locations)).line.add(function_id=key[0], line=line)
        return locations[key]

    for name, stats in _by_node(device).items():
        operation = operations.get(name)
        if operation is None:
            continue
        sample = message.sample.add(value=[
            len(stats), sum(each.all_end_rel_micros for each in stats),
            sum(each.op_end_rel_micros - each.op_start_rel_micros for each in stats)])
        for key, text in (("node_name", name), ("op_type", operation.type)):
            sample.label.add(key=word(key), str=word(text))
        lines = list(operation.traceback or ())
        made = next((at for at, line in enumerate(lines) if line[2] == "apply_op"), len(lines))
        sample.location_id.extend(location(file, line or 0, function)
                                  for file, line, function, *_ in reversed(lines[:made]))
    for kind, unit in (("count", "count"), ("all_time", "nanoseconds"), ("op_time", "nanoseconds")):
        message.sample_type.add(type=word(kind), unit=word(unit))
    message.comment.append(word(title))
    message.string_table.extend(words)
    return message


def _by_node(device: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for stats in device.node_stats:
        found.setdefault(stats.node_name, []).append(stats)
    return found
