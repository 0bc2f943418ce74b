"""Moving averages of variables and tensors."""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import colocate_with, init_scope, name_scope
from evergraph.frontend.collections import (
    GraphKeys,
    add_to_collection,
    global_variables,
    moving_average_variables,
    trainable_variables,
)
from evergraph.frontend.control_flow import group
from evergraph.frontend.math import cast, div
from evergraph.frontend.math import truediv as elementwise_truediv
from evergraph.frontend.variables.assign import assign, assign_sub
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.ops.math.elementwise import minimum, pow_
from evergraph.train import slots

_AVERAGED = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


def assign_moving_average(variable: Any, value: Any, decay: Any, zero_debias: bool = True,
                          name: str | None = None) -> Any:
    """Moves a variable towards `value`: variable = variable * decay + value * (1 - decay).

    Args:
        variable: the average so far.
        value: what to average.
        decay: how slowly the average changes.
        zero_debias: makes up for an average that started with zero.
        name: of the operations.

    Returns:
        The variable after the update.
    """
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rate = convert_to_tensor(1.0 - decay, name="decay")
        if rate.dtype.base_dtype is not variable.dtype.base_dtype:
            rate = cast(rate, variable.dtype.base_dtype)
        if zero_debias:
            return assign(variable, _without_bias(variable, value, rate), name=scope)
        return assign_sub(variable, (variable - value) * rate, name=scope)


def weighted_moving_average(value: Any, decay: Any, weight: Any, truediv: bool = True, collections: Any = None,
                            name: str | None = None) -> Tensor:
    """The moving average of weighted values: that of value * weight, divided by that of the weights.

    Args:
        value: a tensor.
        decay: how much of the old average stays.
        weight: a tensor that broadcasts to `value`.
        truediv: whether integers are divided as floats.
        collections: the collections of the variables; by default GLOBAL_VARIABLES.
        name: a name for the operations.

    Returns:
        The average after this value.
    """
    with variable_scope(name, "WeightedMovingAvg", [value, weight, decay]):
        parts = []
        for kind, part in (("value_x_weight", value * weight), ("weight", convert_to_tensor(weight))):
            average = get_variable(kind, shape=part.shape, dtype=part.dtype, initializer=zeros_initializer(),
                                   trainable=False, collections=collections)
            parts.append(assign_moving_average(average, part, decay, zero_debias=False))
        divide = elementwise_truediv if truediv else div
        return divide(parts[0], parts[1], name="average")


def _without_bias(average: Any, value: Any, rate: Tensor) -> Tensor:
    """The average of `value` that a start with zero has not pulled down."""
    with variable_scope(average.op.name, values=[average, value, rate], auxiliary_name_scope=False), \
            colocate_with(average.op):
        dtype = average.dtype.base_dtype
        biased = get_variable(_unused("biased"), initializer=zeros_initializer(dtype=dtype), shape=average.get_shape(),
                              dtype=dtype, trainable=False)
        count = get_variable(_unused("local_step"), shape=[], dtype=dtype, initializer=zeros_initializer(),
                             trainable=False)
    moved = assign_sub(biased, (biased - value) * rate)
    counted = count.assign_add(1)
    # As much as all steps together have seen of the values: 1 - (1 - rate) ** steps.
    return moved / (1 - pow_(1.0 - rate, counted))


def _unused(name: str) -> str:
    """The name, with a number if the current variable scope has it and variables are not reused."""
    scope = get_variable_scope()
    taken = set() if scope.reuse else {variable.op.name for variable in scope.global_variables()}
    names = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(1)))
    return next(each for each in names if f"{scope.name}/{each}" not in taken)


@export("train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Exponential moving averages of variables and tensors: average = decay * average + (1 - decay) * value.

    >>> w = tf.Variable(1.0)
    >>> averages = tf.train.ExponentialMovingAverage(0.99)
    >>> update = averages.apply([w])
    >>> averages.average(w).op.name
    'Variable/ExponentialMovingAverage'

    Args:
        decay: the decay rate, usually just below 1, such as 0.999.
        num_updates: the number of updates so far; the decay rate then is min(decay, (1 + num_updates) / (10 +
            num_updates)), which lets the average follow faster in the beginning.
        zero_debias: divides the average of a tensor, which starts at zero, by 1 - decay ** (number of updates).
        name: the suffix of the names of the average variables, and the name of the operations.
    """

    def __init__(self, decay: Any, num_updates: Any = None, zero_debias: bool = False,
                 name: str = "ExponentialMovingAverage") -> None:
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        """The name of the averages."""
        return self._name

    def apply(self, var_list: Sequence[Any] | None = None) -> Operation:
        """Creates the average variables and returns an operation that updates them.

        Args:
            var_list: the variables and tensors to average; by default the trainable variables. The average of a
                variable starts with its initial value, that of a tensor with zero.

        Raises:
            TypeError: one of them is not of a floating dtype.
        """
        items = trainable_variables() if var_list is None else var_list
        debiased = set()
        for item in items:
            if item.dtype.base_dtype not in _AVERAGED:
                raise TypeError(f"moving averages are kept of half, float, or double variables, not of {item.name}")
            if item not in self._averages:
                self._averages[item] = self._make(item)
                if self._zero_debias and not isinstance(item, Variable):
                    debiased.add(item)
        with name_scope(self._name) as scope:
            decay = self._current_decay()
            updates = [assign_moving_average(self._averages[item], item, decay, zero_debias=item in debiased)
                       for item in items]
            return group(*updates, name=scope)

    def _make(self, item: Any) -> Any:
        with init_scope():
            if isinstance(item, Variable):
                made = slots.create_slot(item, item.initialized_value(), self._name)
                add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, item)
                return made
            is_variable = item.op.opdef.kind is Kind.VARIABLE
            return slots.create_zeros_slot(item, self._name, colocate_with_primary=is_variable)

    def _current_decay(self) -> Tensor:
        decay = convert_to_tensor(self._decay, name="decay")
        if self._num_updates is None:
            return decay
        updates = cast(self._num_updates, dtypes.float32, name="num_updates")
        return minimum(decay, (1.0 + updates) / (10.0 + updates))

    def average(self, var: Any) -> Any:
        """The variable that holds the average of `var`, or None if `apply` was not called with it."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """The name of the average variable of `var`, which is its key in a checkpoint; also before it exists."""
        if var in self._averages:
            return self._averages[var].op.name
        return default_graph().unique_name(f"{var.op.name}/{self._name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Sequence[Any] | None = None) -> dict[str, Any]:
        """Checkpoint name -> variable, so that variables are restored from their averages where they have any.

        Args:
            moving_avg_variables: those that have; by default the trainable and the averaged variables.
        """
        averaged = [*trainable_variables(), *moving_average_variables()] if moving_avg_variables is None \
            else list(moving_avg_variables)
        found = {self.average_name(v): v for v in dict.fromkeys(averaged)}
        names = {v.op.name for v in found.values()}
        return found | {v.op.name: v for v in global_variables() if v.op.name not in names and v.op.name not in found}
