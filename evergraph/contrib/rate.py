"""tf.contrib.rate: how fast one value changes with another, from call to call."""

from __future__ import annotations

import re
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, init_scope, name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.indexing import where
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


@export("contrib.rate.Rate", "contrib.rate.rate.Rate")
class Rate:
    """The change of values since the last call, divided by that of a denominator; 0 where this did not grow.

    >>> steps_per_second = tf.contrib.rate.Rate()
    >>> rate = steps_per_second(tf.train.get_global_step(), tf.timestamp())

    Args:
        name: the name of the scope.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name, self._is_built = name or type(self).__name__, False
        self._scope = re.sub(r"[^\w.\-/]", "_", self._name)
        self._variables: list[Any] = []

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables: differences, and what they were taken from."""
        return list(self._variables)

    def build(self, values: Tensor, denominator: Tensor) -> None:
        """Makes the variables.

        Args:
            values: of the shape that all values have.
            denominator: likewise.
        """
        with init_scope(), name_scope(None), name_scope(self._scope):
            self.numer = self._variable("numer", values)
            self.denom = self._variable("denom", denominator)
            self.prev_values = self._variable("prev_values", values)
            self.prev_denominator = self._variable("prev_denominator", denominator)
        self._is_built = True

    def _variable(self, name: str, like: Tensor) -> Any:
        shape = like.shape.as_list()
        variable = ResourceVariable(lambda: array.zeros(shape, dtypes.float64), trainable=False, name=name,
                                    dtype=dtypes.float64,
                                    collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES])
        self._variables.append(variable)
        return variable

    def __call__(self, values: Any, denominator: Any) -> Tensor:
        """The rate since the last call, as float64.

        Args:
            values: what changes.
            denominator: what it changes with, of a shape that fits.
        """
        values, denominator = convert_to_tensor(values), convert_to_tensor(denominator)
        with name_scope(self._scope):
            if not self._is_built:
                self.build(values, denominator)
            return self.call(values, denominator)

    def call(self, values: Any, denominator: Any) -> Tensor:
        """Takes in values; see `__call__`."""
        values, denominator = math.cast(values, dtypes.float64), math.cast(denominator, dtypes.float64)
        differences = [values - self.prev_values, denominator - self.prev_denominator]
        with control_dependencies(differences):
            kept = [array.identity(variable.assign(value)) for variable, value in zip(
                self._variables, [*differences, values, denominator])]
        with control_dependencies(kept):
            above, below = (array.identity(each) for each in differences)
            grew = elementwise.greater(below, 0.0)
            return where(grew, above / where(grew, below, array.ones_like(below)), array.zeros_like(above))
