"""Reads checkpoints without a graph."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors, files, logging
from evergraph.base.export import export
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.save.state import latest_checkpoint


class CheckpointReader:
    """Reads the tensors of a checkpoint.

    Args:
        prefix: its path.

    Raises:
        NotFoundError: the checkpoint does not exist.
        DataLossError: the checkpoint is corrupt.
    """

    def __init__(self, prefix: str) -> None:
        self._tensors = open_checkpoint(prefix)

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether the checkpoint has a tensor of this name."""
        return _text(tensor_str) in self._tensors

    def get_tensor(self, tensor_str: str) -> Any:
        """The value of a tensor; a partitioned one is assembled.

        Raises:
            NotFoundError: there is no tensor of this name.
        """
        name = _text(tensor_str)
        if name not in self._tensors:
            raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")
        value = self._tensors.read(name)
        return value if value.shape else _scalar(value)

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shapes of all tensors by name."""
        return {name: list(self._tensors.shape(name)) for name in self._tensors.names()}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """The dtypes of all tensors by name."""
        return {name: self._tensors.dtype(name) for name in self._tensors.names()}

    def debug_string(self) -> bytes:
        """A line for each tensor: its name, dtype and shape."""
        return b"".join(_line(self._tensors, name) for name in self._tensors.names())


def _line(tensors: Any, name: str) -> bytes:
    kind = proto.types_pb2.DataType.Name(tensors.dtype(name).enum)
    return f"{name} ({kind}) [{','.join(str(size) for size in tensors.shape(name))}]\n".encode()


def _scalar(value: np.ndarray[Any, Any]) -> Any:
    return value.item() if value.dtype == object else value[()]


def _text(value: Any) -> str:
    value = os.fspath(value)
    return value.decode() if isinstance(value, bytes) else value


@export("train.NewCheckpointReader")
def NewCheckpointReader(filepattern: Any) -> CheckpointReader:  # noqa: N802 - TensorFlow's own spelling
    """Opens a checkpoint for reading.

    Args:
        filepattern: its path, as returned by `Saver.save`.
    """
    return CheckpointReader(_text(filepattern))


def checkpoint_path(path_or_directory: Any) -> str:
    """The path of a checkpoint, or of the latest one in a directory."""
    path = _text(path_or_directory)
    return (latest_checkpoint(path) if files.isdir(path) else None) or path


@export("train.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """Opens a checkpoint, or the latest one of a directory, for reading.

    Raises:
        ValueError: the directory has no checkpoint.
    """
    path = checkpoint_path(ckpt_dir_or_file)
    if files.isdir(path):
        raise ValueError(f"there is no checkpoint in {path}")
    return NewCheckpointReader(path)


@export("train.load_variable")
def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value of a variable in a checkpoint, or in the latest one of a directory.

    Args:
        ckpt_dir_or_file: the path of either.
        name: the variable's name; a ":0" at its end is ignored.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


@export("train.list_variables")
def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """(name, shape) of all variables in a checkpoint, or in the latest one of a directory, by name."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


@export("contrib.training.wait_for_new_checkpoint")
def wait_for_new_checkpoint(
    checkpoint_dir: Any, last_checkpoint: str | None = None, seconds_to_sleep: float = 1, timeout: float | None = None
) -> str | None:
    """Waits for a directory to have a new latest checkpoint.

    Args:
        checkpoint_dir: the directory.
        last_checkpoint: the last checkpoint already seen.
        seconds_to_sleep: the polling interval.
        timeout: the longest time to wait in seconds; no limit by default.

    Returns:
        Its path; None after the timeout.
    """
    logging.info(f"Waiting for a new checkpoint in {checkpoint_dir}")
    stop = None if timeout is None else time.time() + timeout
    while True:
        found = latest_checkpoint(checkpoint_dir)
        if found is not None and found != last_checkpoint:
            logging.info(f"Found new checkpoint at {found}")
            return found
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


@export("train.checkpoints_iterator", "contrib.training.checkpoints_iterator")
def checkpoints_iterator(
    checkpoint_dir: Any, min_interval_secs: float = 0, timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:  # fmt: skip
    """Yields the latest checkpoint of a directory whenever there is a new one.

    Args:
        checkpoint_dir: the directory.
        min_interval_secs: the minimal time between two checkpoints.
        timeout: the longest time to wait for one in seconds; no limit by default.
        timeout_fn: called after a timeout; returns whether to stop. Without it, a timeout ends the iteration.
    """
    last = None
    while True:
        found = wait_for_new_checkpoint(checkpoint_dir, last, timeout=timeout)
        if found is None:
            if timeout_fn is None:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        started, last = time.time(), found
        yield found
        left = started + min_interval_secs - time.time()
        if left > 0:
            time.sleep(left)
