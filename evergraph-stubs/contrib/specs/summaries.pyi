# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.specs.summaries."""

from typing import Any

def tf_spec_print(
    spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = ...,
) -> None:
    """Prints a line for each operation of the network: its type, its name, and the shape of its output."""

def tf_spec_structure(
    spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = ...,
) -> str:
    """The types of the network's operations in the order of their computation, in one line."""

def tf_spec_summary(
    spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = ...,
) -> None:
    """Prints a line for each layer: the number of its parameters, its name, and the shape of its output."""
