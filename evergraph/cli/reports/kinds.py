"""Finds out what a path holds, by its content, and has the right module report on it."""

from __future__ import annotations

import glob
import os
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evergraph import proto
from evergraph.cli.reports import checkpoint, events, graph, keras_file, lite_model, records, saved_model
from evergraph.cli.reports.report import Report
from evergraph.formats.checksum import masked_crc32c
from evergraph.formats.records import RecordReader
from evergraph.formats.table import MAGIC
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.proto.text import from_text
from evergraph.proto.wire import from_bytes

_COMPRESSIONS = {"": 0, "GZIP": zlib.MAX_WBITS + 16, "ZLIB": zlib.MAX_WBITS}
EVENTS = "brain.Event:"


class Unknown(Exception):
    """The path holds nothing that can be inspected."""


@dataclass(frozen=True)
class Options:
    """What else was asked for.

    Attributes:
        tensor: of a checkpoint, the tensor to show in full.
        records: how many records of a file to take apart; 0 for all.
        verify: whether to read every tensor of a checkpoint.
    """

    tensor: str | None = None
    records: int = 1000
    verify: bool = False


def report_on(path: str, options: Options) -> Report:
    """Says what a path holds.

    Raises:
        Unknown: nothing that evergraph knows, or nothing at all.
        OpError, OSError, ValueError: it is damaged.
    """
    path = path.rstrip("/") or path
    if os.path.isdir(path):
        return _directory(path, options)
    prefix = checkpoint.prefix_of(path)
    if prefix is not None:
        return checkpoint.checkpoint_report(prefix, options.tensor, options.verify)
    if not os.path.exists(path):
        raise Unknown("there is no such file, directory or checkpoint")
    return _file(path, options)


@dataclass(frozen=True)
class Parts:
    """What of a path can be compared with that of another: each None where it has none.

    Attributes:
        kind: "checkpoint", "graph", "meta_graph" or "saved_model".
        tensors: a reader of the checkpoint's tensors.
        graph: the GraphDef.
        signatures: the signatures by name.
    """

    kind: str
    tensors: Any = None
    graph: Any = None
    signatures: Any = None


def parts_of(path: str) -> Parts:
    """Opens a checkpoint, graph or SavedModel.

    Raises:
        Unknown: it is none of them.
        OpError, OSError, ValueError: it is damaged.
    """
    path = path.rstrip("/") or path
    models = (os.path.join(path, name) for name in saved_model.NAMES)
    model = next((each for each in models if os.path.isfile(each)), path)
    prefix = checkpoint.latest_of(path) if os.path.isdir(path) and model == path else checkpoint.prefix_of(path)
    if prefix is not None:
        return Parts("checkpoint", open_checkpoint(prefix))
    if not os.path.isfile(model):
        raise Unknown("there is no checkpoint, graph or SavedModel")
    data = _content(model)
    if message := _message(data, proto.saved_model_pb2.SavedModel, _is_model):
        variables = os.path.join(os.path.dirname(model), "variables", "variables")
        meta = message.meta_graphs[0]
        return Parts("saved_model", open_checkpoint(variables) if os.path.isfile(f"{variables}.index") else None,
                     meta.graph_def, meta.signature_def)  # fmt: skip
    if message := _message(data, proto.meta_graph_pb2.MetaGraphDef, _is_meta_graph):
        return Parts("meta_graph", None, message.graph_def, message.signature_def)
    if message := _message(data, proto.graph_pb2.GraphDef, _is_graph):
        return Parts("graph", None, message)
    raise Unknown("no checkpoint, graph or SavedModel, or a damaged one")


# ---- directories


def _directory(path: str, options: Options) -> Report:
    for name in saved_model.NAMES:
        file = os.path.join(path, name)
        if os.path.isfile(file):
            model = _message(_content(file), proto.saved_model_pb2.SavedModel, _is_model)
            if model is None:
                raise Unknown(f"{name} is damaged: it is no SavedModel")
            return saved_model.saved_model_report(path, model, options.verify)
    found = [checkpoint.directory_report(path, options.tensor, options.verify)]
    logs = event_files(path)
    found.append(events.events_report(path, logs) if logs else None)
    parts = [part for part in found if part is not None]
    if not parts:
        raise Unknown("the directory holds no checkpoint, SavedModel or event file")
    return parts[0] if len(parts) == 1 else Report("directory", path, parts=parts)


def event_files(folder: str) -> list[str]:
    """The event files below a directory, by name and content."""
    named = glob.glob(os.path.join(glob.escape(folder), "**", "*tfevents*"), recursive=True)
    return [path for path in sorted(named) if os.path.isfile(path) and _is_event_file(path)]


def _is_event_file(path: str) -> bool:
    with open(path, "rb") as file:
        if not _begins_a_record(file.read(12)):
            return False
    try:
        first = next(RecordReader(path), b"")
        return proto.event_pb2.Event.FromString(first).file_version.startswith(EVENTS)
    except Exception:  # no record, or one that holds no event: whichever way it fails
        return False


# ---- files


def _file(path: str, options: Options) -> Report:
    if os.path.getsize(path) == 0:
        raise Unknown("the file is empty")
    with open(path, "rb") as file:
        start = file.read(1 << 16)
        file.seek(max(0, os.path.getsize(path) - 8))
        end = file.read(8)
    if start[:8] == keras_file.SIGNATURE:
        return keras_file.keras_file_report(path)
    if start[4:8] == lite_model.IDENTIFIER:
        return lite_model.lite_model_report(path)
    compression = _compression(start)
    if compression is not None:
        is_events = not compression and _is_event_file(path)
        return events.events_report(path, [path]) if is_events else records.records_report(
            path, compression, options.records)  # fmt: skip
    if len(end) == 8 and struct.unpack("<Q", end)[0] == MAGIC:
        return checkpoint.checkpoint_report(path, options.tensor, options.verify)
    return _graph_file(path, options)


def _begins_a_record(start: bytes) -> bool:
    return len(start) >= 12 and struct.unpack("<I", start[8:12])[0] == masked_crc32c(start[:8])


def _compression(start: bytes) -> str | None:
    """How the records of a file are compressed; None when it has no records."""
    for name, bits in _COMPRESSIONS.items():
        try:
            plain = zlib.decompressobj(bits).decompress(start, 12) if bits else start[:12]
        except zlib.error:
            continue
        if _begins_a_record(plain):
            return name
    return None


def _graph_file(path: str, options: Options) -> Report:
    data = _content(path)
    rows: list[tuple[Any, Callable[[Any], bool], Callable[[Any], Report]]] = [
        (proto.saved_model_pb2.SavedModel, _is_model,
         lambda m: saved_model.saved_model_report(os.path.dirname(path) or ".", m, options.verify)),
        (proto.meta_graph_pb2.MetaGraphDef, _is_meta_graph, lambda m: graph.meta_graph_report(path, m)),
        (proto.graph_pb2.GraphDef, _is_graph, lambda m: graph.graph_report(path, m)),
        (proto.checkpoint_state_pb2.CheckpointState, lambda m: bool(m.model_checkpoint_path),
         lambda m: _state(path, options)),
    ]  # fmt: skip
    for kind, fits, report in rows:
        message = _message(data, kind, fits)
        if message is not None:
            return report(message)
    raise Unknown("no checkpoint, graph, SavedModel, TFRecord, event, HDF5 or TensorFlow Lite file, or a damaged one")


def _state(path: str, options: Options) -> Report:
    found = checkpoint.directory_report(os.path.dirname(path) or ".", options.tensor, options.verify)
    if found is None:
        raise Unknown("the checkpoint state names no checkpoint")
    return found


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _message(data: bytes, kind: Any, fits: Callable[[Any], bool]) -> Any:
    """The message that fits, from its serialized or text form; None when the data is neither."""
    for read in (lambda: from_bytes(data, kind()), lambda: from_text(data.decode(), kind())):
        try:
            message = read()
        except (ValueError, RecursionError):
            continue
        if fits(message):
            return message
    return None


# Many bytes parse as many messages: these look at whether the result makes sense.


def _is_graph(message: Any) -> bool:
    return bool(message.node) and all(node.op and node.name for node in message.node)


def _is_meta_graph(message: Any) -> bool:
    return _is_graph(message.graph_def) or bool(message.meta_info_def.tensorflow_version)


def _is_model(message: Any) -> bool:
    return bool(message.meta_graphs) and all(_is_meta_graph(meta) for meta in message.meta_graphs)
