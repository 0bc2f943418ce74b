# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lite.experimental."""

from typing import Any
from evergraph.lite.experimental import nn as nn

def convert_op_hints_to_stubs(
    session: Any = None, graph_def: Any = None, write_callback: Any = ...,
) -> Any:
    """Replaces hinted parts of a graph by single nodes."""

def get_potentially_supported_ops() -> list[Any]:
    """The ops that have a counterpart in TensorFlow Lite, sorted by name: objects with an attribute
    `op`."""

def load_delegate(library: str, options: dict[str, Any] | None = None) -> Any:
    """Loads a delegate, which computes parts of models in its own way, for `tf.lite.Interpreter`."""
