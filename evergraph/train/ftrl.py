"""Follow the regularized leader."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import colocate_with
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.nn import updates
from evergraph.train.adagrad import full_of
from evergraph.train.optimizer import RuleOptimizer


@export("train.FtrlOptimizer")
class FtrlOptimizer(RuleOptimizer):
    """FTRL-Proximal: good for wide sparse models, whose small weights it sets to exactly zero.

    Args:
        learning_rate: a number, a tensor, or a function without arguments.
        learning_rate_power: how the rate falls with the sum of squared gradients; not positive.
        initial_accumulator_value: what these sums start with; not negative.
        l1_regularization_strength: not negative.
        l2_regularization_strength: not negative.
        use_locking: has no meaning here: updates never tear.
        name: of the operations and slots.
        accum_name: of the sums of squares; by default after the optimizer.
        linear_name: of the linear terms; by default after the optimizer.
        l2_shrinkage_regularization_strength: a penalty that only gradients which are not zero see; not negative.

    Raises:
        ValueError: a number has the wrong sign.
    """

    slot_names = ("accum", "linear")

    def __init__(self, learning_rate: Any, learning_rate_power: float = -0.5, initial_accumulator_value: float = 0.1,
                 l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
                 use_locking: bool = False, name: str = "Ftrl", accum_name: str | None = None,
                 linear_name: str | None = None, l2_shrinkage_regularization_strength: float = 0.0) -> None:
        super().__init__(use_locking, name)
        for what, value in (("initial_accumulator_value", initial_accumulator_value),
                            ("l1_regularization_strength", l1_regularization_strength),
                            ("l2_regularization_strength", l2_regularization_strength),
                            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength)):
            if value < 0.0:
                raise ValueError(f"{what} {value} needs to be positive or zero")
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power} needs to be negative or zero")
        self._learning_rate, self._learning_rate_power = learning_rate, learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._accum_name, self._linear_name = accum_name, linear_name
        self.rule = updates.ftrl_v2 if l2_shrinkage_regularization_strength > 0 else updates.ftrl

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            with colocate_with(v.op):
                squares = full_of(v, self._initial_accumulator_value)
                self._get_or_make_slot(v, squares, "accum", self._accum_name or self._name)
                self._zeros_slot(v, "linear", self._linear_name or self._name)

    def _prepare(self) -> None:
        tensor = lambda value, name: convert_to_tensor(self._call_if_callable(value), name=name)
        self._learning_rate_tensor = tensor(self._learning_rate, "learning_rate")
        self._l1_tensor = tensor(self._l1_regularization_strength, "l1_regularization_strength")
        self._l2_tensor = tensor(self._l2_regularization_strength, "l2_regularization_strength")
        self._l2_shrinkage_tensor = tensor(self._l2_shrinkage_regularization_strength,
                                           "l2_shrinkage_regularization_strength")
        self._power_tensor = tensor(self._learning_rate_power, "learning_rate_power")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        shrinkage = {"l2_shrinkage": self._l2_shrinkage_tensor} if self.rule is updates.ftrl_v2 else {}
        return {"lr": self._learning_rate_tensor, "l1": self._l1_tensor, "l2": self._l2_tensor, **shrinkage,
                "lr_power": self._power_tensor}
