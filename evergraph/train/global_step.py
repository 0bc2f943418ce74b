"""The global step: one int64 variable a graph that counts updates."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.base import VariableAggregation
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor

_READ_ONCE = "global_step_read_op_cache"
"""The collection that keeps the tensor which all hooks read the global step by."""


@export("train.global_step")
def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The value of the global step in a session, as a Python int.

    >>> step = tf.train.create_global_step()
    >>> with tf.Session() as sess:
    ...     sess.run(tf.global_variables_initializer())
    ...     tf.train.global_step(sess, step)
    0
    """
    if global_step_tensor.graph.is_eager:
        return int(global_step_tensor.numpy())
    return int(np.asarray(sess.run(global_step_tensor)).item())  # programs also count in vectors of one element


@export("train.get_global_step", "contrib.framework.get_global_step", "contrib.slim.get_global_step")
def get_global_step(graph: Graph | None = None) -> Any:
    """The global step variable of a graph, or None if it has none.

    Args:
        graph: the graph; by default the default graph.

    Raises:
        TypeError: the graph's variable of that name is not an integer scalar.
    """
    graph = graph or default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors in global_step collection.")
    if found:
        step = found[0]
    elif graph.is_eager:
        return None
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(step)
    return step


@export("train.create_global_step", "contrib.framework.create_global_step", "contrib.slim.create_global_step")
def create_global_step(graph: Graph | None = None) -> Any:
    """Creates the global step of a graph: an int64 variable with initial value 0 that counts training steps.

    Args:
        graph: the graph; by default the default graph.

    Raises:
        ValueError: the graph has a global step already.
    """
    graph = graph or default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default(), graph.name_scope(None):
        return get_variable(GraphKeys.GLOBAL_STEP, shape=[], dtype=dtypes.int64, initializer=zeros_initializer(),
                            trainable=False, aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
                            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP])


@export("train.get_or_create_global_step", "contrib.framework.get_or_create_global_step",
        "contrib.slim.get_or_create_global_step")
def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """The global step variable of a graph, by default the default graph; created if it has none."""
    graph = graph or default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


@export("train.assert_global_step", "contrib.framework.assert_global_step")
def assert_global_step(global_step_tensor: Any) -> None:
    """Checks that a tensor or variable is an integer scalar, as a global step must be.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(global_step_tensor, (Variable, Tensor)):
        raise TypeError(f"the global_step must be a variable or a tensor, got {global_step_tensor}")
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(f"the global_step does not have integer type, got {global_step_tensor.dtype}")
    shape = global_step_tensor.get_shape()
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f"the global_step is not scalar, got shape {shape}")


@export("contrib.framework.assert_or_get_global_step", "contrib.slim.assert_or_get_global_step")
def assert_or_get_global_step(graph: Graph | None = None, global_step_tensor: Any = None) -> Any:
    """The global step of a graph, or the one that is given, once it is found to be one.

    Args:
        graph: the graph; the default graph by default.
        global_step_tensor: the global step; None for that of the graph.

    Raises:
        TypeError: what is given is no integer scalar.
    """
    if global_step_tensor is None:
        return get_global_step(graph or default_graph())
    assert_global_step(global_step_tensor)
    return global_step_tensor


def global_step_read(graph: Graph | None = None) -> Any:
    """A tensor with the global step from before the run, in which it may be counted up; None without a global step.

    There is one for each graph, so that all hooks fetch the same tensor.
    """
    graph = graph or default_graph()
    found = graph.get_collection(_READ_ONCE)
    if found:
        return found[0]
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default(), control_dependencies(None), name_scope(f"{step.op.name}/"):
        value = step + 0
    graph.add_to_collection(_READ_ONCE, value)
    return value
