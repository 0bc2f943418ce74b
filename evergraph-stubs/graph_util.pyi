# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.graph_util."""

from collections.abc import Iterable
from evergraph import Graph, GraphDef, TensorShape
from typing import Any

def convert_variables_to_constants(
    sess: Any, input_graph_def: Any, output_node_names: Iterable[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> GraphDef:
    """A GraphDef in which variables are constants that hold the values they have in a session: a frozen
    graph."""

def extract_sub_graph(graph_def: Any, dest_nodes: Iterable[str]) -> GraphDef:
    """The part of a GraphDef that some nodes depend on, in the order of the message, with all its
    functions."""

from evergraph import import_graph_def as import_graph_def

def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether TensorFlow has no other than a CPU kernel for a node (an Operation or NodeDef)."""

def remove_training_nodes(input_graph: Any, protected_nodes: Iterable[str] | None = None) -> GraphDef:
    """A GraphDef without the nodes that only training needs: CheckNumerics, and Identity that orders
    nothing."""

def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> TensorShape:
    """The static shape of a tensor that a NodeDef of `graph` names: "a" is "a:0"."""
