"""Gradient descent and Adagrad followed by the proximal operator of l1 and l2 penalties."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import colocate_with
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.nn import updates
from evergraph.train.adagrad import full_of
from evergraph.train.optimizer import Optimizer


def _tensors(learning_rate: Any, l1: float, l2: float) -> tuple[Tensor, Tensor, Tensor]:
    """The learning rate and both penalties as tensors."""
    return (convert_to_tensor(learning_rate, name="learning_rate"),
            convert_to_tensor(l1, name="l1_regularization_strength"),
            convert_to_tensor(l2, name="l2_regularization_strength"))


@export("train.ProximalGradientDescentOptimizer")
class ProximalGradientDescentOptimizer(Optimizer):
    """Proximal gradient descent, or forward-backward splitting (Duchi and Singer, 2009), with l1 and l2 penalties.

    Each step computes

        prox = var - learning_rate * gradient
        var = sign(prox) * max(|prox| - learning_rate * l1, 0) / (1 + learning_rate * l2)

    Args:
        learning_rate: a number or a tensor.
        l1_regularization_strength: l1 in the formula; not negative.
        l2_regularization_strength: l2 in the formula; not negative.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations.
    """

    rule = updates.proximal_gradient_descent

    def __init__(self, learning_rate: Any, l1_regularization_strength: float = 0.0,
                 l2_regularization_strength: float = 0.0, use_locking: bool = False,
                 name: str = "ProximalGradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _prepare(self) -> None:
        self._learning_rate_tensor, self._l1_tensor, self._l2_tensor = _tensors(
            self._learning_rate, self._l1_regularization_strength, self._l2_regularization_strength)

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"alpha": self._learning_rate_tensor, "l1": self._l1_tensor, "l2": self._l2_tensor}


@export("train.ProximalAdagradOptimizer")
class ProximalAdagradOptimizer(Optimizer):
    """Proximal Adagrad: Adagrad with forward-backward splitting (Duchi and Singer, 2009), with l1 and l2 penalties.

    Each step computes

        accumulator += gradient ** 2
        rate = learning_rate / sqrt(accumulator)
        prox = var - rate * gradient
        var = sign(prox) * max(|prox| - rate * l1, 0) / (1 + rate * l2)

    Args:
        learning_rate: a number or a tensor.
        initial_accumulator_value: the initial value of the accumulators; positive.
        l1_regularization_strength: l1 in the formula; not negative.
        l2_regularization_strength: l2 in the formula; not negative.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.

    Raises:
        ValueError: `initial_accumulator_value` is not positive.
    """

    rule = updates.proximal_adagrad
    slot_names = ("accumulator",)

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1,
                 l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
                 use_locking: bool = False, name: str = "ProximalAdagrad") -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            with colocate_with(v.op):
                squares = full_of(v, self._initial_accumulator_value)
            self._get_or_make_slot(v, squares, "accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor, self._l1_tensor, self._l2_tensor = _tensors(
            self._learning_rate, self._l1_regularization_strength, self._l2_regularization_strength)

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"lr": self._learning_rate_tensor, "l1": self._l1_tensor, "l2": self._l2_tensor}
