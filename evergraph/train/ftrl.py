"""Follow the regularized leader."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import colocate_with
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.nn import updates
from evergraph.train.adagrad import full_of
from evergraph.train.optimizer import Optimizer


@export("train.FtrlOptimizer")
class FtrlOptimizer(Optimizer):
    """The FTRL-Proximal optimizer (McMahan et al., 2013), follow the regularized leader; for wide sparse linear models.

    With l1 regularization it sets small weights to exactly zero. With p = -learning_rate_power, each step computes

        sigma = ((accum + gradient ** 2) ** p - accum ** p) / learning_rate
        linear += gradient - sigma * var
        accum += gradient ** 2
        var = (l1 * sign(linear) - linear) / (accum ** p / learning_rate + 2 * l2) where |linear| > l1, else 0

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        learning_rate_power: not positive; 0 gives a fixed learning rate.
        initial_accumulator_value: the initial value of accum; not negative.
        l1_regularization_strength: l1 in the formula; not negative.
        l2_regularization_strength: l2 in the formula; not negative.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
        accum_name: the name of the accum slots; by default `name`.
        linear_name: the name of the linear slots; by default `name`.
        l2_shrinkage_regularization_strength: s, not negative: the update of linear uses gradient + 2 * s * var. In
            contrast to l2, it acts on a sparse variable only in rows with a gradient.

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
