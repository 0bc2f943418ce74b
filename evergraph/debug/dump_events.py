"""tf.debugging.experimental: files for TensorFlow 2's debugger, which TensorBoard's plugin `debugger_v2` shows."""

from __future__ import annotations

import atexit
import itertools
import os
import re
import socket
import time
import traceback
import uuid
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.version import VERSION
from evergraph.debug.debugger.source import guess_is_tensorflow_py_library
from evergraph.eager.tensor import CPU
from evergraph.formats.records import TFRecordWriter
from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.run.looks import looks

MODES = ("NO_TENSOR", "CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "SHAPE", "FULL_TENSOR")
_FILE_VERSION = "debug.Event:1"
_MOST_SIZES = 6  # of a shape that the mode SHAPE tells: the last ones
_DEVICE_ID = 1  # all that is seen was computed on the host


@export("debugging.experimental.enable_dump_debug_info")
def enable_dump_debug_info(dump_root: str, tensor_debug_mode: str = "NO_TENSOR", circular_buffer_size: int = 1000,
                           op_regex: str | None = None, tensor_dtypes: Any = None) -> DebugEventsWriter:
    """From now on, writes what this thread builds and runs to files that TensorBoard's plugin `debugger_v2` shows.

    Runs of sessions and functions compute each node alone, on NumPy.

    Args:
        dump_root: the directory of the files; another one than before ends that dump.
        tensor_debug_mode: what is told of a tensor that was computed: "NO_TENSOR", nothing; "CURT_HEALTH", whether an
            infinity or a NaN is in it; "CONCISE_HEALTH", how many; "FULL_HEALTH", also how many negative, zero and
            positive numbers; "SHAPE", dtype and shape; "FULL_TENSOR", all of it. Of what has no floating point numbers,
            the modes of health tell nothing.
        circular_buffer_size: so many of the latest things that ran are kept until the files are flushed; 0 or less
            writes them all, at once.
        op_regex: a pattern of the types of operations to tell of, from the beginning of their names.
        tensor_dtypes: the dtypes to tell of, or a function of a dtype that says whether to.

    Returns:
        What writes the files: it has `FlushNonExecutionFiles()` and `FlushExecutionFiles()`.

    Raises:
        ValueError: there is no such mode; or a dump of this directory has another mode or buffer.
        TypeError: `op_regex` is no string.
    """
    if tensor_debug_mode not in MODES:
        raise ValueError(f"tensor_debug_mode must be one of {', '.join(MODES)}, but got {tensor_debug_mode!r}")
    if op_regex is not None and not isinstance(op_regex, str):
        raise TypeError(f"op_regex must be a str, but got {op_regex!r}")
    root = os.path.expanduser(dump_root)
    current = _dumps[-1] if _dumps else None
    if current is not None and current.dump_root == root:
        asked = tensor_debug_mode, circular_buffer_size
        if asked != (current.mode, current.buffer_size):
            raise ValueError(f"{root} is dumped to already, with mode {current.mode!r} and a buffer of "
                             f"{current.buffer_size}, not {asked[0]!r} and {asked[1]}")
        return current
    disable_dump_debug_info()
    writer = DebugEventsWriter(root, tensor_debug_mode, circular_buffer_size, op_regex, _accepts(tensor_dtypes))
    _dumps.append(writer)
    looks.add(writer.see, writer.see_call)
    return writer


@export("debugging.experimental.disable_dump_debug_info")
def disable_dump_debug_info() -> None:
    """Ends the dump that `enable_dump_debug_info` has begun, and writes what it keeps."""
    while _dumps:
        writer = _dumps.pop()
        looks.remove(writer.see)
        writer.close()


_dumps: list[DebugEventsWriter] = []
atexit.register(disable_dump_debug_info)


def _accepts(tensor_dtypes: Any) -> Callable[[dtypes.DType], bool]:
    if tensor_dtypes is None:
        return lambda dtype: True
    if callable(tensor_dtypes):
        return tensor_dtypes
    known = {dtypes.as_dtype(each) for each in tensor_dtypes}
    return lambda dtype: dtype in known


class DebugEventsWriter:
    """Writes the files of a dump: graphs and lines of the program once, and what runs, each time.

    Args:
        dump_root: the directory.
        mode: what to tell of tensors.
        buffer_size: how many of the things that ran to keep until they are flushed; 0 or less for none.
        op_regex: a pattern of the types of operations to tell of.
        accepts: whether to tell of tensors of a dtype.
    """

    def __init__(self, dump_root: str, mode: str, buffer_size: int, op_regex: str | None,
                 accepts: Callable[[dtypes.DType], bool]) -> None:
        self.dump_root, self.mode, self.buffer_size = dump_root, mode, buffer_size
        self._tells_of, self._accepts, self._host = re.compile(op_regex or "").match, accepts, socket.gethostname()
        os.makedirs(dump_root, exist_ok=True)
        prefix = os.path.join(dump_root, f"tfdbg_events.{int(time.time() * 1e6)}.{self._host}")
        kinds = ("metadata", "source_files", "stack_frames", "graphs", "execution", "graph_execution_traces")
        self._files = {kind: TFRecordWriter(f"{prefix}.{kind}") for kind in kinds}
        most = buffer_size if buffer_size > 0 else None
        self._kept: dict[str, deque[bytes]] = {kind: deque(maxlen=most) for kind in kinds[-2:]}
        self._sources: dict[str, int] = {}
        self._frames: dict[tuple[str, int | None, str], str] = {}
        self._graphs: weakref.WeakKeyDictionary[Graph, _Written] = weakref.WeakKeyDictionary()
        self._numbers = itertools.count(1)
        self._write("metadata", debug_metadata={
            "tensorflow_version": VERSION, "file_version": _FILE_VERSION, "tfdbg_run_id": uuid.uuid4().hex[:8]})
        self._write("graphs", debugged_device={"device_name": CPU, "device_id": _DEVICE_ID})
        self.FlushNonExecutionFiles()

    def see(self, node: Operation, outputs: Sequence[Any]) -> None:
        """Tells of an operation that has run."""
        if node.graph.is_eager:
            if node.opdef.kind is not Kind.CONSTANT and self._tells_of(node.type):
                inputs, numbers = ([tensor._id for tensor in tensors] for tensors in (node._inputs, node.outputs))
                self._add_execution(node.type, node.outputs, outputs, inputs, numbers, "")
            return
        graph = self._graph(node.graph)
        if not self._tells_of(node.type):
            return
        for tensor, value in zip(node.outputs, outputs, strict=True):
            told = self._told(tensor, value, graph.numbers.get(tensor.name, -1), -1)
            if told is not None:
                self._write("graph_execution_traces", graph_execution_trace={
                    "tfdbg_context_id": graph.id, "op_name": node.name, "output_slot": tensor.value_index,
                    "tensor_debug_mode": self.mode, "tensor_proto": told, "device_name": CPU})

    def FlushNonExecutionFiles(self) -> None:
        """Writes what is told of the program: its graphs, files and lines."""
        for kind, file in self._files.items():
            if kind not in self._kept:
                file.flush()

    def FlushExecutionFiles(self) -> None:
        """Writes what is kept of what ran."""
        for kind, kept in self._kept.items():
            while kept:
                self._files[kind].write(kept.popleft())
            self._files[kind].flush()

    def close(self) -> None:
        """Writes everything, and closes the files."""
        self.FlushNonExecutionFiles()
        self.FlushExecutionFiles()
        for file in self._files.values():
            file.close()

    def _write(self, kind: str, **what: Any) -> None:
        event = proto.debug_event_pb2.DebugEvent(wall_time=time.time(), **what).SerializeToString()
        if kind in self._kept and self.buffer_size > 0:
            self._kept[kind].append(event)
        else:
            self._files[kind].write(event)

    # ---- what ran

    def see_call(self, function: FuncGraph, outputs: Sequence[Any]) -> None:
        """Tells of a function that was called eagerly."""
        unknown = [-1] * len(outputs)
        self._add_execution(function.name, function.outputs, outputs, (), unknown, self._graph(function).id)

    def _add_execution(self, kind: str, tensors: Sequence[Tensor], outputs: Sequence[Any], inputs: Iterable[int],
                       numbers: Sequence[int], graph_id: str) -> None:
        told = [self._told(tensor, value, -1, _DEVICE_ID) for tensor, value in zip(tensors, outputs)]
        self._write("execution", execution={
            "op_type": kind, "num_outputs": len(outputs), "graph_id": graph_id, "input_tensor_ids": inputs,
            "output_tensor_ids": numbers, "tensor_debug_mode": self.mode,
            "tensor_protos": [each for each in told if each is not None] if self.mode != "NO_TENSOR" else [],
            "code_location": self._location(traceback.extract_stack()),
            "output_tensor_device_ids": [_DEVICE_ID] * len(outputs)})

    def _told(self, tensor: Tensor, value: Any, number: int, device: int) -> Any:
        """What is told of a tensor; None for nothing."""
        dtype = tensor.dtype.base_dtype
        if not self._accepts(dtype) or not hasattr(value, "nbytes"):
            return None
        if self.mode == "NO_TENSOR":
            return tensor_to_proto(np.zeros([0], np.float32))
        array = np.asarray(value)
        if self.mode == "FULL_TENSOR":
            return tensor_to_proto(array, dtype)
        if self.mode == "SHAPE":
            sizes = [*array.shape[-_MOST_SIZES:], *[0] * (_MOST_SIZES - array.ndim)]
            return tensor_to_proto(np.array([number, dtype.enum, array.ndim, array.size, *sizes], np.float64))
        if not dtype.is_floating:
            return None
        numbers = _health(self.mode, array, number, device, dtype.enum)
        return tensor_to_proto(np.array(numbers, np.float64))

    # ---- the program

    def _graph(self, graph: Graph) -> _Written:
        """What is written of a graph, which may have grown since; a copy of a function is that function."""
        graph = getattr(graph, "home", None) or graph
        written = self._graphs.get(graph)
        if written is None:
            written = self._graphs[graph] = _Written()
            outer = graph.outer_graph if isinstance(graph, FuncGraph) else None
            is_inside = outer is not None and not outer.is_eager
            self._write("graphs", debugged_graph={
                "graph_id": written.id, "graph_name": graph.name if isinstance(graph, FuncGraph) else "",
                "outer_context_id": self._graph(outer).id if is_inside else ""})
        if graph.version > written.version:
            written.version = graph.version
            for node in graph.get_operations():
                if node.name not in written.names:
                    written.names.add(node.name)
                    self._add_node(node, written)
        return written

    def _add_node(self, node: Operation, written: _Written) -> None:
        for tensor in node.outputs:
            written.numbers[tensor.name] = next(self._numbers)
        self._write("graphs", graph_op_creation={
            "op_type": node.type, "op_name": node.name, "graph_id": written.id, "device_name": node.device or "",
            "graph_name": node.graph.name if isinstance(node.graph, FuncGraph) else "",
            "input_names": [tensor.name for tensor in node._inputs], "num_outputs": len(node.outputs),
            "code_location": self._location(node.traceback or ()),
            "output_tensor_ids": [written.numbers[tensor.name] for tensor in node.outputs]})

    def _location(self, stack: Iterable[traceback.FrameSummary]) -> Any:
        """The lines of the program in a stack; those of the library are left out."""
        frames = [self._frame(frame) for frame in stack if not (
            frame.filename.endswith(".py") and guess_is_tensorflow_py_library(frame.filename))]
        return proto.debug_event_pb2.CodeLocation(host_name=self._host, stack_frame_ids=frames)

    def _frame(self, frame: traceback.FrameSummary) -> str:
        key = frame.filename, frame.lineno, frame.name
        if key not in self._frames:
            if frame.filename not in self._sources:
                self._sources[frame.filename] = len(self._sources)
                self._write("source_files", source_file={
                    "file_path": frame.filename, "host_name": self._host, "lines": _lines_of(frame.filename)})
            self._frames[key] = uuid.uuid4().hex
            self._write("stack_frames", stack_frame_with_id={"id": self._frames[key], "file_line_col": {
                "file_index": self._sources[frame.filename], "line": frame.lineno, "func": frame.name}})
        return self._frames[key]


class _Written:
    """What is written of a graph: its number, its nodes, and the numbers of their tensors by name."""

    def __init__(self) -> None:
        self.id, self.version = str(uuid.uuid4()), -1
        self.names: set[str] = set()
        self.numbers: dict[str, int] = {}


def _health(mode: str, array: np.ndarray, number: int, device: int, dtype: int) -> list[float]:
    """The numbers that a mode tells of a tensor with floating point numbers."""
    negative, positive = int(np.sum(array == -np.inf)), int(np.sum(array == np.inf))
    nan = int(np.sum(np.isnan(array)))
    if mode == "CURT_HEALTH":
        return [number, bool(negative + positive + nan)]
    if mode == "CONCISE_HEALTH":
        return [number, array.size, negative, positive, nan]
    return [number, device, dtype, array.ndim, array.size, negative, positive, nan,
            int(np.sum(array < 0)) - negative, int(np.sum(array == 0)), int(np.sum(array > 0)) - positive]


def _lines_of(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().split("\n")
    except OSError:  # of what was typed at a prompt
        return []
