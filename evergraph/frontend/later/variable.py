"""tf.compat.v2.Variable."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.variable import Variable as AnyVariable


class _Face(type):
    """Makes resource variables when called, and counts every variable among its instances."""

    def __call__(cls, initial_value: Any = None, trainable: bool | None = None, validate_shape: bool = True,
                 caching_device: Any = None, name: str | None = None, variable_def: Any = None, dtype: Any = None,
                 import_scope: str | None = None, constraint: Any = None,
                 synchronization: VariableSynchronization = VariableSynchronization.AUTO,
                 aggregation: VariableAggregation = VariableAggregation.NONE, shape: Any = None) -> Any:
        return AnyVariable(initial_value, trainable, validate_shape=validate_shape, caching_device=caching_device,
                           name=name, variable_def=variable_def, dtype=dtype, import_scope=import_scope,
                           constraint=constraint, use_resource=True, synchronization=synchronization,
                           aggregation=aggregation, shape=shape)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, AnyVariable)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, AnyVariable) or super().__subclasscheck__(other)

    def __getattr__(cls, name: str) -> Any:
        """What every variable has, such as `SaveSliceInfo`."""
        return getattr(AnyVariable, name)


@export("compat.v2.Variable")
class Variable(metaclass=_Face):
    """A variable that is reached through a handle, with TensorFlow 2's parameters: there are no collections to name."""
