"""tf.compat.v2.summary: summaries in TensorFlow 2's way, which name their step and are tensors for a plugin.

    writer = tf.compat.v2.summary.create_file_writer("logs")
    with writer.as_default():
        tf.compat.v2.summary.scalar("loss", loss, step=step)

In a graph, a session runs the writer's `init` first, and later what `tf.summary.all_v2_summary_ops()` gives.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.summary import recorded_if, true_after, write_if
from evergraph.frontend import math, reduce
from evergraph.frontend.array import concat, fill, shape, size, stack, zeros
from evergraph.frontend.blocks import name_scope, root_graph
from evergraph.frontend.control_flow import cond
from evergraph.frontend.functional import map_fn
from evergraph.frontend.image.files import encode_png
from evergraph.frontend.image.pixels import convert_image_dtype
from evergraph.frontend.math import cast
from evergraph.frontend.strings import as_string
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.image.audio import encode_wav
from evergraph.ops.math.elementwise import floor, minimum
from evergraph.ops.state import summary_writers as ops
from evergraph.summary import session_writer

_WAV = b"\x10\x0b"  # the message AudioPluginData(encoding=WAV)
NO_SCOPE_CHARACTERS = re.compile(r"[^-_/.A-Za-z0-9]")


class _Step(threading.local):
    """The step of summaries of this thread that name none."""

    step: Any = None


_default = _Step()


# ---- where, when, and at which step


@export("compat.v2.summary.create_file_writer")
def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> session_writer.SummaryWriter:
    """A writer to an event file of its own, which is closed when it is dropped with eager execution.

    Args:
        logdir: the directory.
        max_queue: how many summaries may wait before they are written; 10 by default.
        flush_millis: how many milliseconds they may wait; two minutes by default.
        filename_suffix: what the file's name ends with; ".v2" by default.
        name: a name for its ops.

    Raises:
        ValueError: there is no directory.
    """
    if logdir is None:
        raise ValueError("create_file_writer needs a directory; create_noop_writer() makes a writer without one")
    with name_scope(name, "create_file_writer") as scope:
        shared_name = "" if root_graph().is_eager else scope
        return session_writer.file_writer(shared_name, logdir, max_queue, flush_millis, filename_suffix, True)


@export("compat.v2.summary.create_noop_writer")
def create_noop_writer() -> session_writer.SummaryWriter:
    """A writer that writes nothing."""
    return session_writer.SummaryWriter(None)


@export("compat.v2.summary.record_if")
def record_if(condition: bool | Tensor | Callable[[], bool | Tensor]) -> Any:
    """A with-block whose summaries are written under a condition.

    Args:
        condition: a bool, a tensor of one, or a function that gives either when a summary is made.
    """
    return recorded_if(condition)


@export("compat.v2.summary.experimental.get_step")
def get_step() -> Any:
    """The step of summaries that name none; None if `set_step` has not given one."""
    return _default.step


@export("compat.v2.summary.experimental.set_step")
def set_step(step: Any) -> None:
    """Gives summaries of this thread that name no step this one: a number, a variable, or None."""
    _default.step = step


@export("compat.v2.summary.experimental.summary_scope")
@contextlib.contextmanager
def summary_scope(name: str | None, default_name: str = "summary", values: Any = None) -> Iterator[tuple[str, str]]:
    """A with-block for the ops of a summary; gives (the tag, the name scope).

    The tag is the name as it stands, below the scopes around; the scope leaves out what no name may contain.

    Args:
        name: the summary's name.
        default_name: the name where there is none.
        values: tensors of the summary.
    """
    name = name or default_name
    around = default_graph().get_name_scope()
    with name_scope(NO_SCOPE_CHARACTERS.sub("", name) or None, default_name, values) as scope:
        yield f"{around}/{name}" if around else name, scope


# ---- what


@export("compat.v2.summary.write")
def write(tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None) -> Tensor:
    """Writes a tensor.

    Args:
        tag: the name in TensorBoard.
        tensor: the tensor, or a function that makes it where it is written.
        step: the step; that of `set_step` by default.
        metadata: a SummaryMetadata message, or one serialized, that says which plugin shows it.
        name: a name for the op.

    Returns:
        A bool tensor: whether it was written.

    Raises:
        ValueError: there is a writer, and no step.
    """
    about = b"" if metadata is None else getattr(metadata, "SerializeToString", lambda: metadata)()
    with name_scope(name, "write_summary") as scope:
        number = _checked(step)
        value = lambda: convert_to_tensor(tensor() if callable(tensor) else tensor)
        return write_if(lambda writer: true_after(ops.write_summary(
            writer, cast(number, dtypes.int64), value(), tag, about, name=scope)), True)


@export("compat.v2.summary.experimental.write_raw_pb")
def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Tensor:
    """Writes a serialized Summary message as it is.

    Args:
        tensor: a scalar string tensor.
        step: the step; that of `set_step` by default.
        name: a name for the op.

    Returns:
        A bool tensor: whether it was written.

    Raises:
        ValueError: there is a writer, and no step.
    """
    with name_scope(name, "write_raw_pb") as scope:
        number = _checked(step)
        return write_if(lambda writer: true_after(ops.write_raw_proto_summary(
            writer, cast(number, dtypes.int64), tensor, name=scope)), True)


def _checked(step: Any) -> Any:
    """The step of a summary; a variable is read when the summary is written, after its condition."""
    step = _default.step if step is None else step
    if step is None and session_writer.default_writer() is not None:
        raise ValueError("No step set for a summary: pass `step`, or call tf.compat.v2.summary.experimental.set_step()")
    return step


def _about(plugin: str, description: str | None, content: bytes = b"") -> Any:
    """The metadata of a summary that a plugin of TensorBoard shows."""
    data = proto.summary_pb2.SummaryMetadata.PluginData(plugin_name=plugin, content=content)
    return proto.summary_pb2.SummaryMetadata(plugin_data=data, summary_description=description or "")


@export("compat.v2.summary.scalar")
def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Writes a number.

    Args:
        name: the name in TensorBoard, below the name scopes around.
        data: a scalar, which is written as float32.
        step: the step; that of `tf.compat.v2.summary.experimental.set_step` by default.
        description: Markdown that TensorBoard shows beside it.

    Returns:
        A bool tensor: whether it was written.

    Raises:
        ValueError: there is a writer, and no step.
    """
    with summary_scope(name, "scalar_summary", [data, step]) as (tag, _):
        return write(tag, cast(data, dtypes.float32), step, _about("scalars", description))


@export("compat.v2.summary.histogram")
def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> Tensor:
    """Writes the distribution of the values of a tensor; see `scalar`.

    Args:
        name: the name in TensorBoard.
        data: a tensor of any shape.
        step: the step.
        buckets: how many intervals of equal width are counted, between the least and the largest value; 30 by default.
        description: Markdown that TensorBoard shows beside it.
    """
    with summary_scope(name, "histogram_summary", [data, buckets, step]) as (tag, _):
        return write(tag, lambda: _counts(data, 30 if buckets is None else buckets), step,
                     _about("histograms", description))


def _counts(data: Any, buckets: int) -> Tensor:
    """[buckets, 3]: the left end of each interval, its right end, and how many values are in it."""
    values = cast(reshape(convert_to_tensor(data), [-1]), dtypes.float64)
    return cond(size(values) > 0, lambda: _filled(values, buckets), lambda: zeros([buckets, 3], dtypes.float64))


def _filled(values: Tensor, buckets: int) -> Tensor:
    least, largest = reduce.reduce_min(values), reduce.reduce_max(values)

    def apart() -> Tensor:
        width = (largest - least) / buckets
        places = minimum(cast(floor((values - least) / width), dtypes.int32), buckets - 1)
        counts = reduce.bincount(places, minlength=buckets, maxlength=buckets, dtype=dtypes.float64)
        ends = least + width * math.range(buckets, dtype=dtypes.float64)
        return stack([ends, concat([ends[1:], [largest]], 0), counts], 1)

    def equal() -> Tensor:
        """All values are one, which all intervals begin and end with, and the last one has."""
        counts = concat([zeros([buckets - 1], dtypes.float64), [cast(size(values), dtypes.float64)]], 0)
        return stack([fill([buckets], least), fill([buckets], least), counts], 1)

    return cond(largest > least, apart, equal)


@export("compat.v2.summary.image")
def image(name: str, data: Any, step: Any = None, max_outputs: Any = 3, description: str | None = None) -> Tensor:
    """Writes the first images of a batch; see `scalar`.

    Args:
        name: the name in TensorBoard.
        data: [batch, height, width, channels], uint8 or floats in [0, 1].
        step: the step.
        max_outputs: how many to write.
        description: Markdown that TensorBoard shows beside it.
    """
    def pictures() -> Tensor:
        images = convert_image_dtype(data, dtypes.uint8, saturate=True)[:max_outputs]
        sizes = shape(images)
        coded = map_fn(encode_png, images, dtype=dtypes.string)
        return concat([stack([as_string(sizes[2]), as_string(sizes[1])]), reshape(coded, [-1])], 0)

    with summary_scope(name, "image_summary", [data, max_outputs, step]) as (tag, _):
        return write(tag, pictures, step, _about("images", description))


@export("compat.v2.summary.text")
def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Writes strings, which TensorBoard shows as Markdown; see `scalar`.

    Args:
        name: the name in TensorBoard.
        data: a string tensor; one of rank 2 is a table.
        step: the step.
        description: Markdown that TensorBoard shows beside it.
    """
    with summary_scope(name, "text_summary", [data, step]) as (tag, _):
        return write(tag, convert_to_tensor(data, dtypes.string), step, _about("text", description))


@export("compat.v2.summary.audio")
def audio(
    name: str, data: Any, sample_rate: Any, step: Any = None, max_outputs: Any = 3, encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Writes the first clips of a batch; see `scalar`.

    Args:
        name: the name in TensorBoard.
        data: [batch, frames, channels], floats in [-1, 1].
        sample_rate: samples per second.
        step: the step.
        max_outputs: how many to write.
        encoding: "wav", the only one there is.
        description: Markdown that TensorBoard shows beside it.

    Raises:
        ValueError: another encoding.
    """
    if encoding not in (None, "wav"):
        raise ValueError(f"encoding must be 'wav', got {encoding!r}")

    def clips() -> Tensor:
        coded = map_fn(lambda clip: encode_wav(clip, sample_rate), convert_to_tensor(data)[:max_outputs],
                       dtype=dtypes.string)
        return stack([coded, fill(shape(coded), "")], 1)

    with summary_scope(name, "audio_summary", [data, sample_rate, max_outputs, step]) as (tag, _):
        return write(tag, clips, step, _about("audio", description, _WAV))
