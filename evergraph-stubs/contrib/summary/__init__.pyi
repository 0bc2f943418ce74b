# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.summary."""

from contextlib import AbstractContextManager
from evergraph import Operation, Tensor
from evergraph.summary import all_v2_summary_ops
from typing import Any
from evergraph.contrib.summary import summary as summary

class SummaryWriter:
    """Where summaries go."""
    def init(self) -> Operation:
        """The op that opens the writer; one that is open stays as it is."""
    def flush(self) -> Operation:
        """An op that hands what waits to the file."""
    def close(self) -> Operation:
        """An op that closes the file; `init` would begin a new one, except for a writer that closes once."""
    def set_as_default(self) -> None:
        """Has summaries go here from now on, in this thread."""
    def as_default(self) -> AbstractContextManager[SummaryWriter]:
        """A with-block whose summaries go here."""
    def __init__(
        self, resource: Tensor | None, opening: Operation | None = None, closes_once: bool = False,
    ) -> None: ...

all_summary_ops = all_v2_summary_ops

def always_record_summaries() -> AbstractContextManager[None]:
    """A with-block whose summaries are written whenever they run."""

def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None,
) -> Any:
    """Writes the first clips of a batch, [batch, frames] or [batch, frames, channels]; see `scalar`."""

def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None,
    name: str | None = None,
) -> SummaryWriter:
    """A writer to an event file, which opens when its `init` runs, as `tf.contrib.summary.initialize` has
    it."""

def create_summary_file_writer(*args: Any, **kwargs: Any) -> SummaryWriter:
    """The older name of `tf.contrib.summary.create_file_writer`."""

def eval_dir(model_dir: Any, name: str | None = None) -> str:
    """The directory where evaluations of a model write their events: "eval", or "eval_NAME", below the
    model's."""

def flush(writer: Any = None, name: str | None = None) -> Operation:
    """An op that hands to the file what waits in a writer."""

def generic(
    name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None,
) -> Any:
    """Writes a whole tensor; see `scalar`."""

def graph(param: Any, step: Any = None, name: str | None = None) -> Operation:
    """An op that writes a graph, whatever is recorded."""

def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes the distribution of the values of a tensor; see `scalar`."""

def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None,
    step: Any = None,
) -> Any:
    """Writes the first images of a batch, [batch, height, width, channels]; see `scalar`."""

def import_event(tensor: Any, name: str | None = None) -> Operation:
    """An op that writes a serialized Event to the default writer, as it is."""

from evergraph.summary import initialize as initialize

def never_record_summaries() -> AbstractContextManager[None]:
    """A with-block whose summaries are not written."""

def record_summaries_every_n_global_steps(
    n: Any, global_step: Any = None,
) -> AbstractContextManager[None]:
    """A with-block whose summaries are written when n divides the global step."""

def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a number."""

def should_record_summaries() -> bool | Tensor:
    """Whether summaries are written here: a bool, or a tensor that says so when they run."""

def summary_writer_initializer_op() -> list[Operation]:
    """The ops that open all writers of the graph."""
