"""The files of TensorFlow's debugger: where the dump of a tensor is, and the events that these files hold.

    ROOT/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/layer/MatMul_0_DebugIdentity_1794929006064073

is output 0 of layer/MatMul, with the time in microseconds. A file is one bare Event. Beside the devices are files about
the run: its number, feeds and fetches, and in each device the graph.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from evergraph import proto

METADATA_FILE_PREFIX = "_tfdbg_"
CORE_METADATA_TAG, GRAPH_FILE_TAG, DEVICE_TAG, HASH_TAG = "core_metadata_", "graph_", "device_", "hash"
FETCHES_INFO_FILE_TAG, FEED_KEYS_INFO_FILE_TAG = "fetches_info_", "feed_keys_info_"
_DUMP = re.compile(r"(?P<node>.+)_(?P<slot>\d+)_(?P<op>[A-Za-z]+[A-Za-z0-9]*)_(?P<time>\d+)(?P<again>-\d+)?")


def device_name_to_device_path(device_name: str) -> str:
    """The folder of a device: that of "/job:a/task:0" is "_tfdbg_device_,job_a,task_0"."""
    return METADATA_FILE_PREFIX + DEVICE_TAG + device_name.replace(":", "_").replace("/", ",")


def device_path_to_device_name(device_dir: str) -> str:
    """The device of a folder."""
    path = os.path.basename(device_dir).removeprefix(METADATA_FILE_PREFIX + DEVICE_TAG)
    return path.replace(",", "/").replace("_", ":")


def device_folder(root: str, device_name: str) -> str:
    """The folder of a device's tensors."""
    return os.path.join(root, device_name_to_device_path(device_name))


def parsed_dump(name: str) -> tuple[str, int, str, int]:
    """(node, output, debug op, time in microseconds) of a file, whose name is relative to the folder of its device.

    Raises:
        ValueError: it is not the name of a dump.
    """
    found = _DUMP.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} does not conform to the naming pattern of dumped tensors")
    return found["node"], int(found["slot"]), found["op"], int(found["time"])


def dump_path(folder: str, node: str, slot: int, debug_op: str, micros: int) -> str:
    """A path for a dump that is not taken; the directory is made."""
    path = os.path.join(folder, f"{node}_{slot}_{debug_op}_{micros}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    number, free = 1, path
    while os.path.exists(free):
        free, number = f"{path}-{number}", number + 1
    return free


def dump_event(tensor: Any, node: str, slot: int, debug_op: str, device: str, micros: int) -> Any:
    """The Event of a dumped tensor, which is given as a TensorProto."""
    event = proto.event_pb2.Event(wall_time=micros)
    value = event.summary.value.add(tag=node, node_name=f"{node}:{slot}:{debug_op}", tensor=tensor)
    value.metadata.plugin_data.plugin_name = "debugger"
    about = {"device": device, "outputSlot": slot, "numChunks": 1, "chunkIndex": 0}
    value.metadata.plugin_data.content = json.dumps(about, separators=(",", ":")).encode()
    return event


def log_event(message: str, micros: int = 0) -> Any:
    """An Event with a text."""
    event = proto.event_pb2.Event(wall_time=micros)
    event.log_message.message = message
    return event
