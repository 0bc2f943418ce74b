# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.util."""

from evergraph import Graph
from typing import Any

from evergraph.contrib.graph_editor import ControlOutputs as ControlOutputs

def check_graphs(*args: Any) -> None:
    """Checks that all things are of one graph."""

def find_corresponding(targets: Any, dst_graph: Graph, dst_scope: str = '', src_scope: str = '') -> Any:
    """Finds the counterpart of each operation or tensor of a structure; see `find_corresponding_elem`."""

def find_corresponding_elem(
    target: Any, dst_graph: Graph, dst_scope: str = '', src_scope: str = '',
) -> Any:
    """The operation or tensor of the same name in another graph, where scopes may differ; None if there is
    none."""

def flatten_tree(tree: Any, leaves: list[Any] | None = None) -> list[Any]:
    """The leaves of a structure, behind those that are given."""

from evergraph.contrib.graph_editor import get_consuming_ops as get_consuming_ops
from evergraph.contrib.graph_editor import get_generating_ops as get_generating_ops
from evergraph.contrib.graph_editor import get_tensors as get_tensors

def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Graph | None:
    """The one graph of operations and tensors."""

def is_iterable(obj: Any) -> bool:
    """Whether something can be iterated over; a tensor counts as one thing."""

from evergraph.contrib.graph_editor import make_list_of_op as make_list_of_op
from evergraph.contrib.graph_editor import make_list_of_t as make_list_of_t

from evergraph.contrib.graph_editor import (
    make_placeholder_from_dtype_and_shape as make_placeholder_from_dtype_and_shape,
)

from evergraph.contrib.graph_editor import make_placeholder_from_tensor as make_placeholder_from_tensor
from evergraph.contrib.graph_editor import placeholder_name as placeholder_name

def scope_basename(scope: str) -> str:
    """A name without its name scope."""

def scope_dirname(scope: str) -> str:
    """The name scope that a name is in, with a slash at its end."""

def scope_finalize(scope: str) -> str:
    """A name scope with a slash at its end."""

def transform_tree(tree: Any, fn: Any, iterable_type: type = ...) -> Any:
    """A structure of what a function makes of the leaves of another; `iterable_type` is not asked for."""
