"""tf.contrib.summary: summaries that are written by the ops themselves, when a condition says so.

    writer = tf.contrib.summary.create_file_writer("logs")
    with writer.as_default(), tf.contrib.summary.record_summaries_every_n_global_steps(100):
        tf.contrib.summary.scalar("loss", loss)
    with tf.Session() as session:
        ...
        tf.contrib.summary.initialize(graph=tf.get_default_graph())
        session.run([train_op, tf.contrib.summary.all_summary_ops()])
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.frontend.control_flow import cond
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import identity, no_op
from evergraph.ops.math.elementwise import equal, floor_mod
from evergraph.ops.state import summary_writers as ops
from evergraph.summary.session_writer import CPU, SUMMARIES, create_file_writer, default_writer, write_graph
from evergraph.summary.summaries import summary_scope
from evergraph.train.global_step import get_or_create_global_step


class _Recording(threading.local):
    """Whether summaries of this thread are written: a bool, a tensor that says so when they run, or a function of one.

    Where nothing has been said, those of `tf.compat.v2.summary` are, and those of `tf.contrib.summary` are not.
    """

    condition: bool | Tensor | Callable[[], bool | Tensor] | None = None

    def now(self, otherwise: bool) -> bool | Tensor:
        condition = self.condition() if callable(self.condition) else self.condition
        return otherwise if condition is None else condition


_recording = _Recording()


@contextlib.contextmanager
def recorded_if(condition: bool | Tensor | Callable[[], bool | Tensor]) -> Iterator[None]:
    """A with-block whose summaries are written under a condition."""
    before = _recording.condition
    _recording.condition = condition
    try:
        yield
    finally:
        _recording.condition = before


@export("contrib.summary.should_record_summaries")
def should_record_summaries() -> bool | Tensor:
    """Whether summaries are written here: a bool, or a tensor that says so when they run."""
    return _recording.now(otherwise=False)


@export("contrib.summary.always_record_summaries")
def always_record_summaries() -> Any:
    """A with-block whose summaries are written whenever they run."""
    return recorded_if(True)


@export("contrib.summary.never_record_summaries")
def never_record_summaries() -> Any:
    """A with-block whose summaries are not written."""
    return recorded_if(False)


@export("contrib.summary.record_summaries_every_n_global_steps")
def record_summaries_every_n_global_steps(n: Any, global_step: Any = None) -> Any:
    """A with-block whose summaries are written when n divides the global step.

    Args:
        n: an integer or a tensor of one.
        global_step: the step; the graph's own when not given.
    """
    step = get_or_create_global_step() if global_step is None else global_step
    with default_graph().device(CPU):
        value = convert_to_tensor(step)
        due = equal(floor_mod(value, convert_to_tensor(n, value.dtype.base_dtype, name="mod/y"), name="mod"), 0)
    return recorded_if(due)


# ---- summaries


def _written(name: str, tensor: Any, family: str | None, write: Callable[[Any, str, Any, str], Operation]) -> Any:
    """A bool tensor: whether `write(resource, tag, tensor, scope)` ran. Without a writer, an op that does nothing."""
    around = default_graph().get_name_scope()

    def record(resource: Tensor) -> Tensor:
        with default_graph().name_scope(f"{around}/" if around else None), summary_scope(name, family) as (tag, scope):
            value = identity(convert_to_tensor(tensor, name="Identity/input"), name="Identity")
            return true_after(write(resource, tag, value, scope))

    return no_op() if default_writer() is None else write_if(record, otherwise=False)


def true_after(op: Operation) -> Tensor:
    """True, once an operation has run."""
    with default_graph().control_dependencies([op]):
        return convert_to_tensor(True, name="Const")


def write_if(record: Callable[[Any], Tensor], otherwise: bool) -> Tensor:
    """A bool tensor: whether `record(resource)` ran, which needs a default writer and a condition that holds.

    Args:
        record: makes the op that writes; returns True after it.
        otherwise: the condition where the program has said none.
    """
    writer, graph = default_writer(), default_graph()
    resource = None if writer is None else writer._resource
    condition = False if writer is None else _recording.now(otherwise)
    skip = lambda: convert_to_tensor(False)
    with graph.device(CPU):
        if isinstance(condition, Tensor):
            made = cond(condition, lambda: record(resource), skip)
        else:
            made = record(resource) if condition else skip()
    if not isinstance(graph, FuncGraph):  # what is inside a branch or loop runs with it, and cannot be run alone
        graph.add_to_collection(SUMMARIES, made)
    return made


def _step(step: Any) -> Tensor:
    return convert_to_tensor(get_or_create_global_step() if step is None else step, dtypes.int64)


@export("contrib.summary.scalar")
def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a number.

    Args:
        name: the name in TensorBoard, below the name scopes around.
        tensor: a tensor with one element.
        family: what TensorBoard groups it under.
        step: an int64 scalar; the global step when not given.

    Returns:
        A bool tensor, in what `tf.contrib.summary.all_summary_ops` gives: whether it was written.
    """
    step = _step(step)
    return _written(name, tensor, family, lambda writer, tag, value, scope: ops.write_scalar_summary(
        writer, step, tag, value, name=scope))  # fmt: skip


@export("contrib.summary.histogram")
def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes the distribution of the values of a tensor; see `scalar`."""
    step = _step(step)
    return _written(name, tensor, family, lambda writer, tag, value, scope: ops.write_histogram_summary(
        writer, step, tag, value, name=scope))  # fmt: skip


@export("contrib.summary.image")
def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> Any:
    """Writes the first images of a batch, [batch, height, width, channels]; see `scalar`.

    Args:
        name: the name in TensorBoard.
        tensor: uint8, half or float images.
        bad_color: the color, four uint8 numbers, of pixels that are no numbers; red by default.
        max_images: how many to write.
        family: what TensorBoard groups it under.
        step: an int64 scalar; the global step when not given.
    """
    step = _step(step)

    def write(writer: Any, tag: str, value: Any, scope: str) -> Operation:
        color = convert_to_tensor([255, 0, 0, 255] if bad_color is None else bad_color, dtypes.uint8, name="Const")
        return ops.write_image_summary(writer, step, tag, value, color, max_images=max_images, name=scope)

    return _written(name, tensor, family, write)


@export("contrib.summary.audio")
def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Any:
    """Writes the first clips of a batch, [batch, frames] or [batch, frames, channels]; see `scalar`.

    Args:
        name: the name in TensorBoard.
        tensor: float32 samples in [-1, 1].
        sample_rate: samples per second.
        max_outputs: how many to write.
        family: what TensorBoard groups it under.
        step: an int64 scalar; the global step when not given.
    """
    step = _step(step)
    return _written(name, tensor, family, lambda writer, tag, value, scope: ops.write_audio_summary(
        writer, step, tag, value, convert_to_tensor(sample_rate, dtypes.float32, name="sample_rate"),
        max_outputs=max_outputs, name=scope))  # fmt: skip


@export("contrib.summary.generic")
def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Writes a whole tensor; see `scalar`.

    Args:
        name: the name in TensorBoard.
        tensor: any tensor.
        metadata: a SummaryMetadata message, or one serialized, that says which plugin shows it.
        family: what TensorBoard groups it under.
        step: an int64 scalar; the global step when not given.
    """
    step = _step(step)
    data = b"" if metadata is None else getattr(metadata, "SerializeToString", lambda: metadata)()

    def write(writer: Any, tag: str, value: Any, scope: str) -> Operation:
        about = convert_to_tensor(data, dtypes.string, name="Const")
        return ops.write_summary(writer, step, value, tag, about, name=scope)

    return _written(name, tensor, family, write)


@export("contrib.summary.graph")
def graph(param: Any, step: Any = None, name: str | None = None) -> Operation:
    """An op that writes a graph, whatever is recorded.

    Args:
        param: a string tensor with a serialized GraphDef.
        step: an int64 scalar; the global step when not given.
        name: the op's name.

    Raises:
        TypeError: `param` is no tensor. A graph cannot contain itself: feed it.
    """
    if not isinstance(param, Tensor):
        raise TypeError(f"graph takes a tensor that holds a serialized GraphDef, such as a placeholder, not {param!r}")
    return write_graph(param, _step(step), name)


# ---- where


@export("contrib.summary.eval_dir")
def eval_dir(model_dir: Any, name: str | None = None) -> str:
    """The directory where evaluations of a model write their events: "eval", or "eval_NAME", below the model's."""
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")


@export("contrib.summary.create_summary_file_writer")
def create_summary_file_writer(*args: Any, **kwargs: Any) -> Any:
    """The older name of `tf.contrib.summary.create_file_writer`."""
    logging.warning("Deprecation Warning: create_summary_file_writer was renamed to create_file_writer")
    return create_file_writer(*args, **kwargs)
