"""Dumps of a step: the value of each tensor, in files laid out as TensorFlow's debugger lays them out."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.frontend.array import make_ndarray, make_tensor_proto
from evergraph.ops.arrays.basic import identity

DEBUG_OP = f"Debug{identity.name}"  # TensorFlow's op that copies a tensor for its debugger
_DEVICE = "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
_FILE = re.compile(rf"(?P<node>.*)_(?P<slot>\d+)_{DEBUG_OP}_(?P<time>\d+)$")


class DebugTensorDatum:
    """A tensor of a dump.

    Args:
        dump_root: the directory of the dump.
        path: the file of the tensor.
    """

    def __init__(self, dump_root: str, path: str) -> None:
        self.file_path = path
        found = _FILE.match(os.path.relpath(path, os.path.join(dump_root, _DEVICE)))
        if found is None:
            raise ValueError(f"{path} is no file of a dump")
        self.node_name, self.output_slot = found["node"], int(found["slot"])
        self.timestamp, self.debug_op = int(found["time"]), DEBUG_OP
        self.device_name = "/job:localhost/replica:0/task:0/device:CPU:0"

    tensor_name = property(lambda self: f"{self.node_name}:{self.output_slot}")
    watch_key = property(lambda self: f"{self.tensor_name}:{self.debug_op}")
    dump_size_bytes = property(lambda self: os.path.getsize(self.file_path))

    def get_tensor(self) -> np.ndarray:
        """The value."""
        with open(self.file_path, "rb") as file:
            event = proto.event_pb2.Event.FromString(file.read())
        return make_ndarray(event.summary.value[0].tensor)

    def __repr__(self) -> str:
        return f"{{DebugTensorDatum {self.watch_key} @ {self.timestamp}}}"


class DebugDumpDir:
    """The tensors of a dump, in the order in which they were written.

    Args:
        dump_root: the directory.
        partition_graphs: TensorFlow's graphs of devices. Has no meaning here, where a session has one device.
        validate: whether the directory must hold a dump.

    Raises:
        OSError: there is no such directory.
        ValueError: it holds no dump, and `validate` is on.
    """

    def __init__(self, dump_root: str, partition_graphs: Any = None, validate: bool = True) -> None:
        if not os.path.isdir(dump_root):
            raise OSError(f"there is no directory {dump_root}")
        if validate and not os.path.isdir(os.path.join(dump_root, _DEVICE)):
            raise ValueError(f"{dump_root} holds no dump of a step")
        self._root = dump_root
        paths = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(dump_root, _DEVICE))
                 for name in names if _FILE.match(name)]
        self.dumped_tensor_data = sorted((DebugTensorDatum(dump_root, path) for path in paths),
                                         key=lambda datum: (datum.timestamp, datum.tensor_name))

    size = property(lambda self: len(self.dumped_tensor_data))
    t0 = property(lambda self: min((datum.timestamp for datum in self.dumped_tensor_data), default=None))
    dump_size_bytes = property(lambda self: sum(datum.dump_size_bytes for datum in self.dumped_tensor_data))

    def nodes(self) -> list[str]:
        """The names of the nodes."""
        return list(dict.fromkeys(datum.node_name for datum in self.dumped_tensor_data))

    def get_tensors(self, node_name: str, output_slot: int, debug_op: str = DEBUG_OP,
                    device_name: str | None = None) -> list[np.ndarray]:
        """The values of an output of a node. A dump is of one device, so `device_name` has no meaning.

        Raises:
            KeyError: the dump does not have it.
        """
        found = [datum for datum in self.dumped_tensor_data
                 if (datum.node_name, datum.output_slot, datum.debug_op) == (node_name, output_slot, debug_op)]
        if not found:
            raise KeyError(f"the dump has no {node_name}:{output_slot}:{debug_op}")
        return [datum.get_tensor() for datum in found]

    def find(self, predicate: Callable[[DebugTensorDatum, np.ndarray], Any], first_n: int = 0,
             device_name: str | None = None, exclude_node_names: str | None = None) -> list[DebugTensorDatum]:
        """The tensors for which a function of datum and value holds.

        Args:
            predicate: the function.
            first_n: how many to find; 0 for all.
            device_name: has no meaning: a dump is of one device.
            exclude_node_names: a pattern of nodes to leave out.
        """
        excluded = re.compile(exclude_node_names) if exclude_node_names else None
        found: list[DebugTensorDatum] = []
        for datum in self.dumped_tensor_data:
            if excluded and excluded.match(datum.node_name):
                continue
            if predicate(datum, datum.get_tensor()):
                found.append(datum)
                if first_n and len(found) == first_n:
                    break
        return found


def has_inf_or_nan(datum: Any, tensor: Any) -> bool:
    """Whether a tensor has a number that is not finite; False for what are no floats."""
    array = np.asarray(tensor)
    return array.dtype.kind in "fc" and not bool(np.all(np.isfinite(array)))


def write(dump_root: str, values: Iterator[tuple[str, int, np.ndarray]]) -> None:
    """Writes a dump: (node, output, value) of each tensor, in order."""
    start = int(time.time() * 1e6)
    for number, (node, slot, value) in enumerate(values):
        path = os.path.join(dump_root, _DEVICE, f"{node}_{slot}_{DEBUG_OP}_{start + number}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        event = proto.event_pb2.Event(wall_time=start / 1e6)
        event.summary.value.add(tag=node, node_name=f"{node}:{slot}:{DEBUG_OP}",
                                tensor=make_tensor_proto(value))
        with open(path, "wb") as file:
            file.write(event.SerializeToString())
