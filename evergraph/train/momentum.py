"""Momentum, plain and Nesterov's."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.nn import updates
from evergraph.train.optimizer import Optimizer


@export("train.MomentumOptimizer")
class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum, optionally Nesterov's accelerated gradient.

    Each step computes

        accum = momentum * accum + gradient
        var -= learning_rate * accum

    and with `use_nesterov`, in place of the second line, `var -= learning_rate * (gradient + momentum * accum)`
    (Sutskever et al., 2013).

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        momentum: the decay factor of the accumulated gradients, commonly 0.9; of the same types.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
        use_nesterov: whether to use Nesterov's accelerated gradient.
    """

    rule = updates.momentum
    slot_names = ("momentum",)

    def __init__(self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "Momentum",
                 use_nesterov: bool = False) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(self._call_if_callable(self._learning_rate),
                                                       name="learning_rate")
        self._momentum_tensor = convert_to_tensor(self._call_if_callable(self._momentum), name="momentum")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"lr": self._learning_rate_tensor, "momentum": self._momentum_tensor}

    def _flags(self) -> dict[str, bool]:
        return {"use_nesterov": self._use_nesterov}
