# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.copy_graph."""

from collections.abc import Sequence
from evergraph import Graph
from typing import Any

def copy_op_to_graph(
    org_instance: Any, to_graph: Graph, variables: Sequence[Any], scope: str = '',
) -> Any:
    """A copy of an operation or a tensor in another graph, with all that it is computed from."""

def copy_variable_to_graph(org_instance: Any, to_graph: Graph, scope: str = '') -> Any:
    """A new variable in another graph, which starts with the value that a variable starts with."""

def get_copied_op(org_instance: Any, graph: Graph, scope: str = '') -> Any:
    """The tensor or operation of a graph that is the copy of one."""
