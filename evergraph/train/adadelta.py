"""Adadelta."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.nn import updates
from evergraph.train.optimizer import Optimizer


@export("train.AdadeltaOptimizer")
class AdadeltaOptimizer(Optimizer):
    """The Adadelta optimizer (Zeiler, 2012): scales gradients by the running sizes of updates over those of gradients.

    Each step computes

        accum = rho * accum + (1 - rho) * gradient ** 2
        update = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * gradient
        accum_update = rho * accum_update + (1 - rho) * update ** 2
        var -= learning_rate * update

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one; so are the next two. The
            paper has none, which is a learning rate of 1.
        rho: the decay rate of the running means.
        epsilon: added under both roots; it also determines the size of the first updates.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
    """

    rule = updates.adadelta
    slot_names = ("accum", "accum_update")

    def __init__(self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8, use_locking: bool = False,
                 name: str = "Adadelta") -> None:
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "accum", self._name)
            self._zeros_slot(v, "accum_update", self._name)

    def _prepare(self) -> None:
        tensor = lambda value, name: convert_to_tensor(self._call_if_callable(value), name=name)
        self._lr_t, self._rho_t = tensor(self._lr, "lr"), tensor(self._rho, "rho")
        self._epsilon_t = tensor(self._epsilon, "epsilon")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"lr": self._lr_t, "rho": self._rho_t, "epsilon": self._epsilon_t}
