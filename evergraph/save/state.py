"""The `checkpoint` file of a directory, which lists its checkpoints and the latest."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

from evergraph import proto
from evergraph.base import errors, files, logging
from evergraph.base.export import export
from evergraph.formats.bundle import index_file
from evergraph.formats.replace import remove_if_there, replace_file
from evergraph.proto.text import from_text, to_text

STATE_FILE = "checkpoint"
V1 = 1
V2 = 2


def state_path(folder: str, latest_filename: str | None) -> str:
    return os.path.join(folder, STATE_FILE if latest_filename is None else latest_filename)


# ---- writing


@export("train.generate_checkpoint_state_proto")
def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """A CheckpointState message for a directory.

    Args:
        save_dir: the directory.
        model_checkpoint_path: the latest checkpoint.
        all_model_checkpoint_paths: all existing checkpoints, the latest last; it is added if missing.
        all_model_checkpoint_timestamps: the time of each, in seconds since the epoch.
        last_preserved_timestamp: the time of the last checkpoint that is kept permanently.

    Raises:
        ValueError: the numbers of timestamps and paths differ.
    """
    paths = list(all_model_checkpoint_paths or [])
    if not paths or paths[-1] != model_checkpoint_path:
        logging.info(f"{model_checkpoint_path} was not last in all_model_checkpoint_paths: added it")
        paths.append(model_checkpoint_path)
    times = all_model_checkpoint_timestamps
    if times and len(times) != len(paths):
        raise ValueError(f"there must be a time for each checkpoint, got {times} for {paths}")  # fmt: skip
    # Relative paths in a state file are relative to its own directory.
    seen = (lambda path: path) if is_absolute(save_dir) else (lambda path: _relative(path, save_dir))
    return proto.checkpoint_state_pb2.CheckpointState(
        model_checkpoint_path=seen(model_checkpoint_path), all_model_checkpoint_paths=[seen(path) for path in paths],
        all_model_checkpoint_timestamps=times, last_preserved_timestamp=last_preserved_timestamp)  # fmt: skip


def is_absolute(path: str) -> bool:
    """Whether a path is absolute, or belongs to another file system."""
    return "://" in path or os.path.isabs(path)


def joined(folder: str, path: str) -> str:
    return path if is_absolute(path) else os.path.join(folder, path)


def _relative(path: str, folder: str) -> str:
    return path if is_absolute(path) else os.path.relpath(path, folder)


@export("train.update_checkpoint_state")
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Writes the `checkpoint` file of a directory; see `tf.train.generate_checkpoint_state_proto`.

    Args:
        save_dir: the directory.
        model_checkpoint_path: the latest checkpoint.
        all_model_checkpoint_paths: all existing checkpoints, the latest last.
        latest_filename: the name of the file, "checkpoint" by default.
        all_model_checkpoint_timestamps: the time of each.
        last_preserved_timestamp: the time of the last checkpoint that is kept permanently.

    Raises:
        RuntimeError: the file would overwrite the checkpoint.
    """
    write_state(save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename, False,
                all_model_checkpoint_timestamps, last_preserved_timestamp)  # fmt: skip


def write_state(
    folder: str,
    latest: str,
    paths: Sequence[str] | None = None,
    filename: str | None = None,
    relative: bool = False,
    times: Sequence[float] | None = None,
    preserved: float | None = None,
) -> None:
    """Replaces the state file; with `relative` its paths are relative to its directory."""
    if relative:
        latest, paths = _as_seen_from(folder, latest), [_as_seen_from(folder, path) for path in paths or []]
    state = generate_checkpoint_state_proto(folder, latest, paths, times, preserved)
    target = state_path(folder, filename)
    if target == state.model_checkpoint_path:
        raise RuntimeError(f"'{latest}' is where the state of the checkpoints is kept: save under another name")
    replace_file(target, to_text(state).encode())


def _as_seen_from(folder: str, path: str) -> str:
    if "://" in path:
        return path.removeprefix(f"{folder.rstrip('/')}/")
    return os.path.relpath(path, folder) if os.path.isabs(path) else path


# ---- reading


@export("train.get_checkpoint_state")
def get_checkpoint_state(checkpoint_dir: Any, latest_filename: str | None = None) -> Any:
    """The CheckpointState message of a directory, with full paths; None if there is no readable one.

    Args:
        checkpoint_dir: the directory.
        latest_filename: the name of the file, "checkpoint" by default.

    Raises:
        ValueError: the file names no checkpoint.
    """
    folder = _as_text(checkpoint_dir)
    path = state_path(folder, latest_filename)
    if not files.exists(path):
        return None
    try:
        state = from_text(files.read_file(path).decode(), proto.checkpoint_state_pb2.CheckpointState())
    except (OSError, ValueError, errors.OpError) as error:
        logging.warning(f"{path}: Checkpoint ignored: {error}")
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {folder}")
    state.model_checkpoint_path = joined(folder, state.model_checkpoint_path)
    state.all_model_checkpoint_paths[:] = [joined(folder, each) for each in state.all_model_checkpoint_paths]
    return state


def _as_text(path: Any) -> str:
    path = os.fspath(path)
    return path.decode() if isinstance(path, bytes) else path


@export("train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The path of a directory's latest checkpoint, or None if it has none.

    >>> tf.train.latest_checkpoint("/tmp/a_directory_without_checkpoints")

    Args:
        checkpoint_dir: the directory.
        latest_filename: the name of the state file, "checkpoint" by default.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    if not checkpoint_exists(state.model_checkpoint_path):
        logging.error(f"Couldn't match files for checkpoint {state.model_checkpoint_path}")
        return None
    return state.model_checkpoint_path


@export("train.checkpoint_exists")
def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    """Whether a checkpoint exists: its index, or files of the V1 format that match the path.

    Args:
        checkpoint_prefix: the path that `Saver.save` returned, or a pattern.
    """
    return bool(_file_of(_as_text(checkpoint_prefix)))


def _file_of(prefix: str) -> str | None:
    """The file whose existence marks a checkpoint."""
    for path in (index_file(prefix), prefix):
        there = [path] if files.exists(path) else files.glob(path)
        found = next((each for each in there if not files.isdir(each)), None)
        if found:
            return found
    return None


@export("train.get_checkpoint_mtimes")
def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[Any]) -> list[float]:
    """The modification times of checkpoints, in seconds since the epoch; missing ones are skipped."""
    found = (_file_of(_as_text(prefix)) for prefix in checkpoint_prefixes)
    return [files.stat(path).mtime_nsec / 1e9 for path in found if path is not None]


# ---- removing


@export("train.remove_checkpoint")
def remove_checkpoint(
    checkpoint_prefix: Any, checkpoint_format_version: int = V2, meta_graph_suffix: str = "meta"
) -> None:
    """Deletes the files of a checkpoint.

    Args:
        checkpoint_prefix: the path that `Saver.save` returned.
        checkpoint_format_version: `tf.train.SaverDef.V1` or `V2`.
        meta_graph_suffix: the suffix of the MetaGraphDef file.
    """
    prefix = _as_text(checkpoint_prefix)
    _remove(meta_graph_filename(prefix, meta_graph_suffix))
    if checkpoint_format_version == V2:
        _remove(index_file(prefix))
        _remove(f"{_WILD.sub(_escaped, prefix)}.data-?????-of-?????", pattern=True)
    else:
        _remove(prefix, pattern=True)


_WILD = re.compile(r"[*?\[\\]")


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def _remove(path: str, pattern: bool = False) -> None:
    for each in files.glob(path) if pattern else [path]:
        remove_if_there(each)


def meta_graph_filename(checkpoint: str, suffix: str = "meta") -> str:
    """The MetaGraphDef file of a checkpoint; its shards share one."""
    return f"{re.sub(r'-[0-9?]+-of-[0-9]+$', '', checkpoint)}.{suffix}"
