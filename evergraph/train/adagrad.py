"""Adagrad, and its dual averaging form."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import colocate_with
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.nn import updates
from evergraph.train.optimizer import Optimizer


def full_of(var: Any, value: float) -> Tensor:
    """A tensor in the shape of the variable that holds `value` everywhere."""
    dtype, shape = var.dtype.base_dtype, var.get_shape()
    if shape.is_fully_defined():
        return array.constant(value, dtype, shape)
    return basic.fill(array.shape(var), convert_to_tensor(value, dtype))


@export("train.AdagradOptimizer")
class AdagradOptimizer(Optimizer):
    """The Adagrad optimizer (Duchi et al., 2011): a learning rate for each element, which falls with its gradients.

    Each step computes

        accumulator += gradient ** 2
        var -= learning_rate * gradient / sqrt(accumulator)

    so that rare features, whose gradients are mostly zero, move further than frequent ones.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        initial_accumulator_value: the initial value of the accumulators; positive.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.

    Raises:
        ValueError: `initial_accumulator_value` is not positive.
    """

    rule = updates.adagrad
    slot_names = ("accumulator",)

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
                 name: str = "Adagrad") -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            dtype, shape, value = v.dtype.base_dtype, v.get_shape(), self._initial_accumulator_value
            if shape.is_fully_defined():
                self._get_or_make_slot_with_initializer(v, constant_initializer(value, dtype=dtype), shape, dtype,
                                                        "accumulator", self._name)
            else:
                self._get_or_make_slot(v, full_of(v, value), "accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(self._call_if_callable(self._learning_rate),
                                                       name="learning_rate")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"lr": self._learning_rate_tensor}


@export("train.AdagradDAOptimizer")
class AdagradDAOptimizer(Optimizer):
    """Adagrad by dual averaging (Duchi et al., 2011), with l1 and l2 regularization; for large sparse linear models.

    In contrast to `tf.train.AdagradOptimizer`, a variable is recomputed from the sums of all its gradients, and with l1
    regularization most elements stay exactly zero. Step number t computes

        total += gradient
        squares += gradient ** 2
        var = -learning_rate * sign(total) * max(|total| - l1 * t, 0) / (l2 * t * learning_rate + sqrt(squares))

    Args:
        learning_rate: a number or a tensor.
        global_step: an integer variable that counts the steps; t is its value plus one.
        initial_gradient_squared_accumulator_value: the initial value of `squares`; positive.
        l1_regularization_strength: l1 in the formula; not negative.
        l2_regularization_strength: l2 in the formula; not negative.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.

    Raises:
        ValueError: the initial value is not positive.
    """

    rule = updates.adagrad_da
    slot_names = ("gradient_accumulator", "gradient_squared_accumulator")

    def __init__(self, learning_rate: Any, global_step: Any, initial_gradient_squared_accumulator_value: float = 0.1,
                 l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
                 use_locking: bool = False, name: str = "AdagradDA") -> None:
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(f"initial_gradient_squared_accumulator_value must be positive: "
                             f"{initial_gradient_squared_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._global_step = learning_rate, global_step
        self._initial = initial_gradient_squared_accumulator_value
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            with colocate_with(v.op):
                sums, squares = full_of(v, 0.0), full_of(v, self._initial)
            self._get_or_make_slot(v, sums, "gradient_accumulator", self._name)
            self._get_or_make_slot(v, squares, "gradient_squared_accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(self._learning_rate, name="learning_rate")
        # The sums hold this step's gradient too when they are used, so it counts as one more.
        with colocate_with(self._learning_rate_tensor):
            self._step = basic.identity(self._global_step) + 1

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"global_step": basic.identity(self._step), "lr": self._learning_rate_tensor, "l1": self._l1,
                "l2": self._l2}
