"""What a checkpoint holds: its tensors, in which files they are, and on request their values."""

from __future__ import annotations

import glob
import math
import os
import re
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.cli.reports.report import Report, Table
from evergraph.formats.bundle import BundleReader
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.save.state import checkpoint_exists, get_checkpoint_state

_DATA = re.compile(r"\.data-\d{5}-of-\d{5}$")
_SHARD = re.compile(r"-(\d{5})-of-(\d{5})$")


def prefix_of(path: str) -> str | None:
    """The checkpoint that a path means: a prefix, one of its files, or a pattern; None when it means none."""
    if os.path.isfile(f"{path}.index"):
        return path
    for prefix in (path.removesuffix(".index"), _DATA.sub("", path)):
        if prefix != path and os.path.isfile(f"{prefix}.index"):
            return prefix
    # Of the first format only files exist: one, or shards that a pattern of question marks stands for.
    pattern = path if "?" in path else f"{glob.escape(path)}-?????-of-?????"
    shards = glob.glob(pattern)
    return _SHARD.sub(r"-?????-of-\2", shards[0]) if shards and not os.path.exists(path) else None


def checkpoint_report(prefix: str, tensor: str | None = None, verify: bool = False) -> Report:
    """Lists the tensors of a checkpoint.

    Args:
        prefix: its path, as `Saver.save` gave it back.
        tensor: the name of one to show in full.
        verify: whether to read every tensor, which compares all checksums.

    Raises:
        OpError: it is damaged or incomplete.
    """
    reader = open_checkpoint(prefix)
    names = reader.names()
    rows = [_row(reader, name) for name in names]
    if isinstance(reader, BundleReader):
        _check_files(reader)
    for name in names if verify else ():
        reader.read(name)
    facts = {
        "format": "V2" if isinstance(reader, BundleReader) else "V1",
        "files": [os.path.basename(path) for path in _files(reader)],
        "file_bytes": sum(os.path.getsize(path) for path in _files(reader)),
        "tensor_count": len(rows),
        "elements": sum(row[3] for row in rows),
        "tensor_bytes": sum(row[4] or 0 for row in rows),
        **({"verified": True} if verify else {}),
        **({"value": _value(reader, tensor)} if tensor is not None else {}),
    }
    return Report("checkpoint", prefix, facts, [
        Table("tensors", ["name", "dtype", "shape", "elements", "bytes", "slices"], rows)])  # fmt: skip


def _row(reader: Any, name: str) -> list[Any]:
    dtype, shape = reader.dtype(name), reader.shape(name)
    elements = math.prod(shape)
    size = None if dtype is dtypes.string else elements * dtype.np.itemsize
    return [name, dtype.name, list(shape), elements, size, max(1, len(reader.slices(name)))]


def _files(reader: Any) -> list[str]:
    if isinstance(reader, BundleReader):
        return [f"{reader.prefix}.index", *reader.files()]
    return [reader.prefix] if os.path.isfile(reader.prefix) else sorted(glob.glob(reader.prefix))


def _check_files(reader: BundleReader) -> None:
    """Raises unless every data file is there and long enough for what the index says is in it."""
    files = reader.files()
    for path in files:
        if not os.path.isfile(path):
            raise errors.NotFoundError(None, None, f"the data file {path} is missing")
    for key, entry in reader.entries():
        if not entry.slices and entry.offset + entry.size > os.path.getsize(files[entry.shard_id]):
            name = key.decode("utf-8", "replace").lstrip("\0")
            raise errors.DataLossError(None, None, f"{files[entry.shard_id]} is too short: {name} is cut off")


def _value(reader: Any, name: str) -> dict[str, Any]:
    """A tensor's values, and what sums up numbers."""
    if name not in reader:
        raise errors.NotFoundError(None, None, f"{reader.prefix} has no tensor {name}")
    value = reader.read(name)
    if value.dtype == object:
        return {"tensor": name, "values": _texts(value)}
    found: dict[str, Any] = {"tensor": name}
    if value.size and value.dtype.kind in "fiub":
        wide = value.astype(np.float64)
        found |= {"min": float(wide.min()), "max": float(wide.max()), "mean": float(wide.mean()),
                  "std": float(wide.std())}  # fmt: skip
    plain = value if value.dtype.kind in "fiub" else value.astype(np.complex128 if value.dtype.kind == "c" else float)
    return {**found, "values": _texts(plain) if plain.dtype.kind == "c" else plain.tolist()}


def _texts(value: Any) -> Any:
    """Nested lists of text."""
    if isinstance(value, np.ndarray):
        return _texts(value.tolist())
    if isinstance(value, list):
        return [_texts(each) for each in value]
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def directory_report(folder: str, tensor: str | None = None, verify: bool = False) -> Report | None:
    """The latest checkpoint of a directory, and which others are there; None when it has none.

    Raises:
        OpError: the latest is damaged or gone.
    """
    state = get_checkpoint_state(folder)
    indices = sorted(glob.glob(os.path.join(glob.escape(folder), "*.index")), key=os.path.getmtime)
    found = [path.removesuffix(".index") for path in indices]
    named = [_here(folder, path) for path in state.all_model_checkpoint_paths] if state else []
    kept = list(dict.fromkeys([*named, *found]))
    if not kept:
        return None
    latest = _here(folder, state.model_checkpoint_path) if state else found[-1]
    report = checkpoint_report(latest, tensor, verify)
    rows = [[os.path.basename(prefix), prefix == latest, checkpoint_exists(prefix)] for prefix in kept]
    return Report(report.kind, folder, {"latest": os.path.basename(latest), **report.facts}, [
        Table("checkpoints", ["prefix", "latest", "exists"], rows), *report.tables])  # fmt: skip


def latest_of(folder: str) -> str | None:
    """The latest checkpoint of a directory; None when it has none."""
    state = get_checkpoint_state(folder)
    if state is not None:
        return _here(folder, state.model_checkpoint_path)
    indices = sorted(glob.glob(os.path.join(glob.escape(folder), "*.index")), key=os.path.getmtime)
    return indices[-1].removesuffix(".index") if indices else None


def _here(folder: str, path: str) -> str:
    """A state file in a directory that was moved or copied still names the old place."""
    local = os.path.join(folder, os.path.basename(path))
    return local if checkpoint_exists(local) else path
