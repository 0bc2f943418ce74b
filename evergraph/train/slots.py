"""Slots: the variables that an optimizer keeps beside each variable it changes, named after both."""
from __future__ import annotations

from typing import Any

from evergraph.frontend import array
from evergraph.frontend.blocks import colocate_with
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.frontend.variables.slices import SaveSliceInfo
from evergraph.frontend.variables.variable import RefVariable, ResourceVariable, Variable


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Any:
    """A slot called `primary/name` that starts with the tensor `val`."""
    return _create(primary, name, colocate_with_primary, initializer=val, shape=None, dtype=None,
                   validate_shape=val.get_shape().is_fully_defined())


def create_slot_with_initializer(primary: Any, initializer: Any, shape: Any, dtype: Any, name: str,
                                 colocate_with_primary: bool = True) -> Any:
    """A slot called `primary/name` of this shape and dtype."""
    return _create(primary, name, colocate_with_primary, initializer=initializer, shape=shape, dtype=dtype,
                   validate_shape=shape.is_fully_defined())


def create_zeros_slot(primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True) -> Any:
    """A slot called `primary/name`, in the shape of `primary`, that starts with zeros."""
    dtype = primary.dtype.base_dtype if dtype is None else dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        return create_slot_with_initializer(primary, zeros_initializer(), shape, dtype, name, colocate_with_primary)
    now = primary.initialized_value() if isinstance(primary, Variable) else primary
    return create_slot(primary, array.zeros(array.shape(now), dtype), name, colocate_with_primary)


def _create(primary: Any, name: str, colocate_with_primary: bool, **options: Any) -> Any:
    with variable_scope(None, f"{primary.op.name}/{name}"):
        if not colocate_with_primary:
            return _slot_variable(primary, **options)
        with colocate_with(primary.op):
            return _slot_variable(primary, **options)


def _slot_variable(primary: Any, **options: Any) -> Any:
    """The variable of the scope in force itself: one without a name of its own."""
    scope = get_variable_scope()
    partitioner = scope.partitioner
    scope.set_partitioner(None)  # a slot follows the parts of its variable, not those of the scope
    kind = True if isinstance(primary, ResourceVariable) else False if isinstance(primary, RefVariable) else None
    slot = get_variable("", trainable=False, use_resource=kind, **options)
    scope.set_partitioner(partitioner)
    if isinstance(primary, Variable) and primary._save_slice_info is not None:
        _share_slice(primary, slot)
    return slot


def _share_slice(primary: Any, slot: Any) -> None:
    """Says that the slot of a part is a part of the slot of the whole."""
    part, rank = primary._save_slice_info, slot.shape.ndims
    own_name = slot.op.name[len(primary.op.name) + 1:]
    slot._set_save_slice_info(SaveSliceInfo(f"{part.full_name}/{own_name}", part.full_shape[:rank],
                                            part.var_offset[:rank], part.var_shape[:rank]))
