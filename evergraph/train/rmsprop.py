"""RMSProp, plain and centered."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.variables.initializers import ones_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.nn import updates
from evergraph.train.optimizer import Optimizer


@export("train.RMSPropOptimizer")
class RMSPropOptimizer(Optimizer):
    """The RMSProp optimizer (Tieleman and Hinton, 2012): divides gradients by their running root mean square.

    Each step computes

        mean_square = decay * mean_square + (1 - decay) * gradient ** 2
        mom = momentum * mom + learning_rate * gradient / sqrt(mean_square + epsilon)
        var -= mom

    and with `centered` divides by `sqrt(mean_square - mean_gradient ** 2 + epsilon)`, where mean_gradient is the
    running mean of the gradient (Graves, 2013). mean_square starts at 1.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one; so are the next three.
        decay: the decay rate of the running means.
        momentum: the decay factor of earlier steps.
        epsilon: added under the root, which keeps the denominator away from zero.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        centered: whether to divide by the running standard deviation of the gradient; takes one more slot variable.
        name: the name scope of the update operations and the name of the slot variables.
    """

    def __init__(self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: Any = 1e-10,
                 use_locking: bool = False, centered: bool = False, name: str = "RMSProp") -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum, self._epsilon = learning_rate, decay, momentum, epsilon
        self._centered = centered
        self.rule = updates.centered_rms_prop if centered else updates.rms_prop
        self.slot_names = ("mg", "rms", "momentum") if centered else ("rms", "momentum")

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            shape, dtype = v.get_shape(), v.dtype.base_dtype
            if shape.is_fully_defined():
                ones = ones_initializer(dtype=dtype)
                self._get_or_make_slot_with_initializer(v, ones, shape, dtype, "rms", self._name)
            else:
                self._get_or_make_slot(v, array.ones_like(v), "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        tensor = lambda value, name: convert_to_tensor(self._call_if_callable(value), name=name)
        self._learning_rate_tensor = tensor(self._learning_rate, "learning_rate")
        self._decay_tensor, self._momentum_tensor = tensor(self._decay, "decay"), tensor(self._momentum, "momentum")
        self._epsilon_tensor = tensor(self._epsilon, "epsilon")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"lr": self._learning_rate_tensor, "rho": self._decay_tensor, "momentum": self._momentum_tensor,
                "epsilon": self._epsilon_tensor}
