"""Dumps the tensors of a run that RunOptions.debug_options ask for, as TensorFlow's debugger does."""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors
from evergraph.base.devices import Place
from evergraph.formats.debug_files import (
    CORE_METADATA_TAG,
    GRAPH_FILE_TAG,
    HASH_TAG,
    METADATA_FILE_PREFIX,
    device_folder,
    dump_event,
    dump_path,
    log_event,
)
from evergraph.formats.tensor_messages import shape_to_proto, tensor_to_proto
from evergraph.graph.encode import node_def
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.cells import Cell
from evergraph.ops.debugging import DEBUG_IDENTITY, debug_function, debug_op_name, unset_summary
from evergraph.passes.state import with_inner
from evergraph.run.debug_streams import SCHEME, EventStream, split_graph
from evergraph.run.plan import Plan

_ANY = "*"  # in the place of a node's name: nodes that the runtime adds, which are those of the feeds
_FILES = "file://"


class Dumper:
    """Writes what a run computes.

    Args:
        watches: the DebugTensorWatch messages.
        global_step: the global step, -1 if nobody knows it.
        run_index: how many runs of the session there were.
        step_index: how many of them had these fetches and feeds.

    Raises:
        UnimplementedError: a URL is neither a file nor a gRPC server.
        InvalidArgumentError: there is no such debug op.
    """

    def __init__(self, watches: Iterable[Any], global_step: int, run_index: int, step_index: int) -> None:
        self._global_step, self._run_index, self._step_index = global_step, run_index, step_index
        self._watches: dict[tuple[str, int], list[tuple[list[str], list[str], Any]]] = {}
        for watch in watches:
            ops, urls = list(watch.debug_ops) or [DEBUG_IDENTITY], list(watch.debug_urls)
            for op in ops:
                debug_op_name(op)
            if any(not url.startswith((_FILES, SCHEME)) for url in urls):
                raise errors.UnimplementedError(None, None, f"tensors go to {_FILES} and {SCHEME}, not to {urls}")
            self._watches.setdefault((watch.node_name, watch.output_slot), []).append((ops, urls, watch))
        self._urls = sorted({url for found in self._watches.values() for _, urls, _ in found for url in urls})
        self._streams = {url: EventStream(url) for url in self._urls if url.startswith(SCHEME)}
        self._devices: dict[Operation, Place] = {}
        self._last = 0

    @contextlib.contextmanager
    def over(self, plan: Plan, feed_values: Sequence[Any]) -> Iterator[None]:
        """A with-block around the run."""
        self._begin(plan, feed_values)
        try:
            yield
        finally:
            for stream in self._streams.values():
                stream.close()

    def _begin(self, plan: Plan, feed_values: Sequence[Any]) -> None:
        """Writes what is known before the run: its number, its graph and its feeds."""
        self._devices = {node: home.host for node, home in plan.homes.items()}
        targets = [fetch.name for fetch in plan.fetches if isinstance(fetch, Operation)]
        outputs = sorted(fetch.name for fetch in plan.fetches if isinstance(fetch, Tensor))
        about = {"global_step": self._global_step, "session_run_index": self._run_index,
                 "executor_step_index": self._step_index,
                 "input_names": sorted(feed.name for feed in plan.feeds), "output_names": outputs,
                 "target_nodes": targets}
        now = self._now()
        name = f"{METADATA_FILE_PREFIX}{CORE_METADATA_TAG}sessionrun{self._run_index:014d}_{now}"
        for url in self._urls:
            where = {"grpc_path": self._streams[url].folder} if url in self._streams else {}
            event = log_event(json.dumps(about | where, separators=(",", ":")), now)
            self._put(url, event, lambda root: os.path.join(root, name))
        for device, graph in watched_graphs(plan).items():
            self._write_graph(device, graph.SerializeToString())
        for at, (feed, value) in enumerate(zip(plan.feeds, feed_values, strict=True)):
            self._dump(_arg_name(feed, at), 0, value, feed, self._device(feed.op), _ANY)

    def __call__(self, node: Operation, outputs: Sequence[Any]) -> None:
        """Writes the outputs of a node that are watched."""
        for slot, value in enumerate(outputs):
            self._dump(node.name, slot, value, node.outputs[slot], self._device(node), node.name)

    def _device(self, node: Operation) -> str:
        place = self._devices.get(node)
        return (place or next(iter(self._devices.values()))).name if self._devices else _DEFAULT_DEVICE

    def _dump(self, node: str, slot: int, value: Any, tensor: Tensor, device: str, watched: str) -> None:
        for key in ((watched, slot), (watched, -1)):
            for ops, urls, watch in self._watches.get(key, ()):
                for op in ops:
                    try:
                        made = _made(op, value, tensor)
                    except errors.FailedPreconditionError:
                        if not watch.tolerate_debug_op_creation_failures:
                            raise
                        continue
                    if made is not None:
                        self._write(made, node, slot, debug_op_name(op), device, urls)

    def _write(self, tensor: Any, node: str, slot: int, op: str, device: str, urls: Sequence[str]) -> None:
        now = self._now()
        event = dump_event(tensor, node, slot, op, device, now)
        for url in urls:
            self._put(url, event, lambda root: dump_path(device_folder(root, device), node, slot, op, now))

    def _write_graph(self, device: str, content: bytes) -> None:
        now = self._now()
        number = zlib.crc32(content)
        event = proto.event_pb2.Event(wall_time=now, graph_def=content)
        name = f"{METADATA_FILE_PREFIX}{GRAPH_FILE_TAG}{HASH_TAG}{number}_{now}"
        for url in self._urls:
            sent = split_graph(content, device, now, number) if url in self._streams else event
            self._put(url, sent, lambda root: os.path.join(device_folder(root, device), name))

    def _put(self, url: str, event: Any, path_in: Callable[[str], str]) -> None:
        if url in self._streams:
            self._streams[url].send(event)
            return
        path = path_in(url.removeprefix(_FILES))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(event.SerializeToString())

    def _now(self) -> int:
        """The time in microseconds, another one each time, so that dumps have an order."""
        self._last = max(self._last + 1, time.time_ns() // 1000)
        return self._last


_DEFAULT_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def _arg_name(feed: Tensor, number: int) -> str:
    """What TensorFlow's runtime calls the node that hands a feed on."""
    return f"_arg_{feed.op.name}_{feed.value_index}_{number}"


def watched_graphs(plan: Plan) -> dict[str, Any]:
    """Device -> the GraphDef of its nodes, with those of loops and functions, and with nodes for feeds."""
    found: dict[str, Any] = {}
    feeds = {feed.name: _arg_name(feed, at) for at, feed in enumerate(plan.feeds)}
    seen = set(feeds.values())

    def add(device: str, **fields: Any) -> Any:
        node = found.setdefault(device, proto.graph_pb2.GraphDef()).node.add(device=device)
        for name, value in fields.items():
            setattr(node, name, value)
        return node

    default = next((place.host.name for place in plan.homes.values()), _DEFAULT_DEVICE)
    for feed in plan.feeds:
        place = plan.homes.get(feed.op)
        add(place.host.name if place else default, name=feeds[feed.name], op="_Arg")
    for operation in with_inner(plan.nodes):
        if operation.name in seen or any(feed.op.name == operation.name for feed in plan.feeds):
            continue
        seen.add(operation.name)
        place = plan.homes.get(operation)
        device = place.host.name if place else default
        node = add(device)
        node.CopyFrom(node_def(operation))
        node.device = device
        node.input[:] = [feeds.get(word if ":" in word else f"{word}:0", word) for word in node.input]
    return found


def _made(op: str, value: Any, tensor: Tensor) -> Any:
    """The TensorProto of what a debug op makes of a value; None where there is nothing to dump.

    A variable without a value, and what is no array, have a dtype and a shape alone.
    """
    dtype, sizes = tensor.dtype.base_dtype, [size for size in tensor._shape or () if size is not None]
    if isinstance(value, Cell):
        value = value.peek()
    if value is None and debug_op_name(op) != DEBUG_IDENTITY:
        found = unset_summary(dtype.np, sizes)
    elif value is None or dtype in (dtypes.resource, dtypes.variant):
        return proto.tensor_pb2.TensorProto(dtype=dtype.enum, tensor_shape=shape_to_proto(tuple(sizes)))
    else:
        found = debug_function(op, tensor.name)(np.asarray(value))
    if found is None:
        return None
    if found.dtype == object:
        return tensor_to_proto(found, dtypes.string)
    kind = dtypes.as_dtype(found.dtype).enum
    return proto.tensor_pb2.TensorProto(dtype=kind, tensor_shape=shape_to_proto(found.shape),
                                        tensor_content=found.tobytes())
