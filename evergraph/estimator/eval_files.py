"""Writes the results of evaluations to event files, where TensorBoard shows them beside the training."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import logging
from evergraph.frontend.array import make_tensor_proto
from evergraph.summary.writer import FileWriterCache

GLOBAL_STEP = "global_step"


def write_metrics(folder: str, metrics: Mapping[str, Any], step: int) -> None:
    """Writes metrics as a summary: numbers, arrays, and serialized summaries of their own."""
    logging.info("Saving dict for global step %d: %s", step, _as_words(metrics))
    message = proto.summary_pb2.Summary()
    for name, value in sorted(metrics.items()):
        if name != GLOBAL_STEP:
            _add(message, name, value)
    writer = FileWriterCache.get(folder)
    writer.add_summary(message, step)
    writer.flush()


def write_checkpoint_path(folder: str, path: str, step: int) -> None:
    """Writes which checkpoint was evaluated."""
    logging.info("Saving 'checkpoint_path' summary for global step %d: %s", step, path)
    message = proto.summary_pb2.Summary()
    message.value.add(tag="checkpoint_path").tensor.CopyFrom(make_tensor_proto(path))
    writer = FileWriterCache.get(folder)
    writer.add_summary(message, step)
    writer.flush()


def _as_words(metrics: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value!s}" for name, value in sorted(metrics.items()) if not isinstance(value, bytes))


def _add(message: Any, name: str, value: Any) -> None:
    if isinstance(value, (float, int, np.floating, np.integer)):
        message.value.add(tag=name, simple_value=float(value))
    elif isinstance(value, (bytes, str)):
        _add_summary(message, name, value.encode() if isinstance(value, str) else value)
    elif isinstance(value, np.ndarray):
        message.value.add(tag=name).tensor.CopyFrom(make_tensor_proto(value))
    else:
        logging.warning("%s gets no summary: its value is no number, array or serialized Summary", name)


def _add_summary(message: Any, name: str, serialized: bytes) -> None:
    try:
        summary = proto.summary_pb2.Summary.FromString(serialized)
    except Exception:  # protobuf's DecodeError has another class in each of its implementations
        logging.warning("%s gets no summary: its bytes are no serialized Summary", name)
        return
    for number, value in enumerate(summary.value):
        value.tag = f"{name}/{number}"
    message.value.extend(summary.value)
