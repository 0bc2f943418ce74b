# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.experimental."""

from contextlib import AbstractContextManager
from typing import Any

def function_executor_type(executor_type: Any) -> AbstractContextManager[Any]:
    """A context in which TensorFlow runs functions by another executor."""

def output_all_intermediates(state: Any) -> None:
    """Whether functional conditionals and loops of TensorFlow output all intermediate tensors, for
    gradients."""
