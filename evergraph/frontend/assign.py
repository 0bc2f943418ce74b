"""Functions that change variables, initialize them, and ask whether they are initialized."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.collections import global_variables, local_variables
from evergraph.frontend.control_flow import group
from evergraph.graph.node import Operation, Tensor
from evergraph.ops import variable_rows as rows
from evergraph.ops import variables as ops


def _is_ref(ref: Any) -> bool:
    return ref.dtype.is_ref


@export("assign")
def assign(ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None,
           name: str | None = None) -> Any:
    """Makes `value` the value of the variable `ref`.

    Args:
        ref: a variable, or a reference tensor.
        value: the new value.
        validate_shape: False lets the value have another shape than the variable.
        use_locking: has no meaning here: updates never tear.
        name: of the new operation.

    Returns:
        The variable after the update.
    """
    if _is_ref(ref):
        return ops.assign(ref, value, validate_shape=validate_shape, use_locking=use_locking, name=name)
    return ref.assign(value, name=name)


@export("assign_add")
def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds `value` to the variable `ref`; see `tf.assign`."""
    if _is_ref(ref):
        return ops.assign_add(ref, value, use_locking=use_locking, name=name)
    return ref.assign_add(value)


@export("assign_sub")
def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts `value` from the variable `ref`; see `tf.assign`."""
    if _is_ref(ref):
        return ops.assign_sub(ref, value, use_locking=use_locking, name=name)
    return ref.assign_sub(value)


@export("count_up_to")
def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """Adds one to the variable and gives its value before; at `limit` the run ends with an OutOfRangeError."""
    if _is_ref(ref):
        return ops.count_up_to(ref, limit=limit, name=name)
    return ops.resource_count_up_to(ref.handle, limit=limit, T=ref.dtype, name=name)


# ---- initializing

@export("variables_initializer", "initializers.variables", "initialize_variables")
def variables_initializer(var_list: Sequence[Any], name: str = "init") -> Operation:
    """An operation that gives these variables their initial values."""
    return group(*(v.initializer for v in var_list), name=name)


@export("global_variables_initializer", "initializers.global_variables", "initialize_all_variables")
def global_variables_initializer() -> Operation:
    """An operation that initializes the global variables that exist now."""
    return variables_initializer(global_variables())


@export("local_variables_initializer", "initializers.local_variables", "initialize_local_variables")
def local_variables_initializer() -> Operation:
    """An operation that initializes the local variables that exist now."""
    return variables_initializer(local_variables())


@export("is_variable_initialized")
def is_variable_initialized(variable: Any) -> Tensor:
    """Whether the variable has a value."""
    if _is_ref(variable):
        return ops.is_variable_initialized(variable)
    return variable.is_initialized()
