# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.tests.match."""

from evergraph import Operation
from typing import Any

class OpMatcher:
    """A condition for an operation and its neighbours."""
    def input_ops(self, *args: Any) -> OpMatcher:
        """Also asks for the operations that compute the inputs, one after another."""
    def control_input_ops(self, *args: Any) -> OpMatcher:
        """Also asks for operations that it waits for: each condition has to hold for one."""
    def output_ops(self, *args: Any) -> OpMatcher:
        """Also asks for the operations that use each output: a condition for each, that holds for all its
        users."""
    def __call__(self, op: Any) -> bool: ...
    def __init__(self, positive_filter: Any) -> None: ...

def op_type(op_types: Any, op: Operation | None = None) -> Any:
    """Whether an operation is of one of some types; without one, the condition itself."""
