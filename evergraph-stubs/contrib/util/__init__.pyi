# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.util."""

from evergraph import Tensor, TensorShape, get_static_value
from typing import Any
from evergraph.contrib.util import loader as loader

constant_value = get_static_value

def constant_value_as_shape(tensor: Tensor) -> TensorShape:
    """The shape that the value of a 1-D int tensor stands for, as far as it is known."""

from evergraph import make_ndarray as make_ndarray
from evergraph import make_tensor_proto as make_tensor_proto

def stripped_op_list_for_graph(graph_def: Any) -> Any:
    """The definitions of the ops that a graph and its functions use, by name."""
