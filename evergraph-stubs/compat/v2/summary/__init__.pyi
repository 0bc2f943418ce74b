# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.summary."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from evergraph import Tensor
from evergraph.contrib.summary import SummaryWriter as _SummaryWriter
from typing import Any
from evergraph.compat.v2.summary import experimental as experimental

from evergraph.contrib.summary import SummaryWriter as SummaryWriter

def audio(
    name: str, data: Any, sample_rate: Any, step: Any = None, max_outputs: Any = 3,
    encoding: str | None = None, description: str | None = None,
) -> Tensor:
    """Writes the first clips of a batch; see `scalar`."""

def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None,
    name: str | None = None,
) -> _SummaryWriter:
    """A writer to an event file of its own, which is closed when it is dropped with eager execution."""

def create_noop_writer() -> _SummaryWriter:
    """A writer that writes nothing."""

from evergraph.contrib.summary import flush as flush

def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None,
) -> Tensor:
    """Writes the distribution of the values of a tensor; see `scalar`."""

def image(
    name: str, data: Any, step: Any = None, max_outputs: Any = 3, description: str | None = None,
) -> Tensor:
    """Writes the first images of a batch; see `scalar`."""

def record_if(condition: bool | Tensor | Callable[[], bool | Tensor]) -> AbstractContextManager[None]:
    """A with-block whose summaries are written under a condition."""

def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Writes a number."""

def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Writes strings, which TensorBoard shows as Markdown; see `scalar`."""

def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None,
) -> Tensor:
    """Writes a tensor."""
