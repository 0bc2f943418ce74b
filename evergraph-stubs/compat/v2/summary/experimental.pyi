# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.summary.experimental."""

from contextlib import AbstractContextManager
from evergraph import Tensor
from typing import Any

def get_step() -> Any:
    """The step of summaries that name none; None if `set_step` has not given one."""

def set_step(step: Any) -> None:
    """Gives summaries of this thread that name no step this one: a number, a variable, or None."""

def summary_scope(
    name: str | None, default_name: str = 'summary', values: Any = None,
) -> AbstractContextManager[tuple[str, str]]:
    """A with-block for the ops of a summary; gives (the tag, the name scope)."""

def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Tensor:
    """Writes a serialized Summary message as it is."""
