"""ZeroInitializer and ZeroVarInitializer: variables begin with zeros, without a value in the graph."""
import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op


def _zeros(cell, shape, dtype):
    """Zeros for a variable that has no value yet.

    Raises:
        InvalidArgumentError: it has one, or its shape is not known.
    """
    if cell.is_set:
        raise errors.InvalidArgumentError(None, None, "input is already initialized")
    if shape is None or None in tuple(shape):
        raise errors.InvalidArgumentError(None, None, f"a variable of shape {shape} cannot be set to zeros")
    return np.zeros(tuple(shape), dtype)


@op("ZeroInitializer(ref: Ref(T), *, T: real) -> output_ref: Ref(T)", shape=lambda ref: ref, grad=STOP, on="host")
def zero_initializer(node, ref, T):  # noqa: N803 - the attr's name
    """Sets the variable to zeros."""
    ref.assign(_zeros(ref, node.inputs[0].source.attrs.get("shape"), T))
    return ref


@op("ZeroVarInitializer(var: resource, *, dtype: type, shape: shape) -> output_var: resource", stateful=True,
    shape=lambda: (), grad=STOP, on="host")
def zero_var_initializer(var, dtype, shape):
    """Sets the variable to zeros."""
    var.assign(_zeros(var, shape, dtype))
    return var
