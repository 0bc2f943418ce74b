"""Adagrad, and its dual averaging form."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.initializers import constant_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops import updates
from evergraph.train.optimizer import RuleOptimizer


def full_slot(optimizer: RuleOptimizer, var: Any, value: float, slot_name: str, op_name: str) -> Any:
    """A slot in the shape of the variable that starts with `value` everywhere."""
    dtype = var.dtype.base_dtype
    if var.get_shape().is_fully_defined():
        return optimizer._get_or_make_slot_with_initializer(var, constant_initializer(value, dtype=dtype), var.get_shape(),
                                                            dtype, slot_name, op_name)
    return optimizer._get_or_make_slot(var, array.fill(array.shape(var), convert_to_tensor(value, dtype)), slot_name, op_name)


@export("train.AdagradOptimizer")
class AdagradOptimizer(RuleOptimizer):
    """Steps over the root of the sum of all squared gradients: rarely seen rows move more.

    Args:
        learning_rate: a number, a tensor, or a function without arguments.
        initial_accumulator_value: what the sums start with; positive.
        use_locking: has no meaning here: updates never tear.
        name: of the operations and slots.

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
            full_slot(self, v, self._initial_accumulator_value, "accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(self._call_if_callable(self._learning_rate), name="learning_rate")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"lr": self._learning_rate_tensor}


@export("train.AdagradDAOptimizer")
class AdagradDAOptimizer(RuleOptimizer):
    """Adagrad by dual averaging, with l1 and l2 penalties: good for very sparse linear models.

    Args:
        learning_rate: a number or a tensor.
        global_step: a variable that counts the steps.
        initial_gradient_squared_accumulator_value: what the sums of squares start with; positive.
        l1_regularization_strength: not negative.
        l2_regularization_strength: not negative.
        use_locking: has no meaning here: updates never tear.
        name: of the operations and slots.

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
            self._zeros_slot(v, "gradient_accumulator", f"{self._name}/gradient_accumulator")
            full_slot(self, v, self._initial, "gradient_squared_accumulator", f"{self._name}/gradient_squared_accumulator")

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(self._learning_rate, name="learning_rate")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        step = math.cast(self._global_step, "int64")
        return {"lr": self._learning_rate_tensor, "l1": self._l1, "l2": self._l2, "global_step": step}
