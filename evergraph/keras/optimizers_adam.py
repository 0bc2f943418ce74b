"""tf.keras.optimizers: Adamax and Nadam, relatives of Adam."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.control_flow import group
from evergraph.frontend.indexing import gather
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import settings
from evergraph.keras.optimizer import Optimizer
from evergraph.keras.optimizers import spread_out
from evergraph.ops.math import elementwise
from evergraph.ops.nn import updates

_EPSILON = 1e-7


@export("keras.optimizers.Adamax")
class Adamax(Optimizer):
    """The Adamax optimizer (Kingma and Ba, 2014): Adam with the infinity norm of the gradients.

    Args:
        learning_rate: a number, a tensor, a schedule, or a function without arguments that returns one.
        beta_1: how much of the mean of gradients stays in each step.
        beta_2: how much of the largest gradient stays in each step.
        epsilon: a small number that keeps the quotient finite.
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    rule, slot_names = updates.ada_max, ("m", "v")
    hypers, options = ("learning_rate", "decay", "beta_1", "beta_2"), ("epsilon",)

    def __init__(self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = _EPSILON,
                 name: str = "Adamax", **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon = epsilon or settings.epsilon()

    def _rates(self, dtype: Any) -> dict[str, Any]:
        beta_1 = self._get_hyper("beta_1", dtype)
        return {"beta1_power": elementwise.pow_(beta_1, math.cast(self.iterations + 1, dtype)),
                "lr": self._decayed_lr(dtype), "beta1": beta_1, "beta2": self._get_hyper("beta_2", dtype),
                "epsilon": math.cast(self.epsilon, dtype)}

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        rates, m, v = self._shared_rates(var.dtype.base_dtype), self.get_slot(var, "m"), self.get_slot(var, "v")
        mean = gather(m, indices) * rates["beta1"] + grad * (1 - rates["beta1"])
        largest = elementwise.maximum(gather(v, indices) * rates["beta2"], math.abs(grad))
        step = rates["lr"] / (1 - rates["beta1_power"]) * (mean / (largest + rates["epsilon"]))
        return group(m.scatter_update(IndexedSlices(mean, indices)), v.scatter_update(IndexedSlices(largest, indices)),
                     var.scatter_sub(IndexedSlices(step, indices)))


@export("keras.optimizers.Nadam")
class Nadam(Optimizer):
    """The Nadam optimizer (Dozat, 2015): Adam with Nesterov momentum.

    Args:
        learning_rate: a number; schedules are not supported.
        beta_1: how much of the mean of gradients stays in each step.
        beta_2: how much of the mean of squared gradients stays in each step.
        epsilon: a small number that keeps the quotient finite.
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`; `schedule_decay`, how fast the momentum approaches `beta_1`, is the decay.

    Raises:
        ValueError: the learning rate is a schedule.
    """

    slot_names = ("m", "v")
    hypers, options = ("learning_rate", "decay", "beta_1", "beta_2"), ("epsilon",)

    def __init__(self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = _EPSILON,
                 name: str = "Nadam", **kwargs: Any) -> None:
        kwargs["decay"] = kwargs.pop("schedule_decay", kwargs.get("decay", 0.004))
        learning_rate = kwargs.get("lr", learning_rate)
        if callable(learning_rate):
            raise ValueError(f"the learning rate of Nadam is a number, not a schedule; got {learning_rate}")
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon = epsilon or settings.epsilon()
        self._momentum: dict[Any, tuple[Any, ...]] = {}

    def _create_slots(self, var_list: list[Any]) -> None:
        if "momentum_cache" not in self._state.others:
            self._state.others["momentum_cache"] = self.add_weight(
                "momentum_cache", (), var_list[0].dtype.base_dtype if var_list else None, "ones")
            self._weights.append(self._state.others["momentum_cache"])
        super()._create_slots(var_list)

    def _prepare(self, var_list: list[Any]) -> list[Any]:
        """Computes the momentum of this step and the next, and their products with those before, once per dtype."""
        cache = self._state.others["momentum_cache"]
        product = cache.read_value()
        self._momentum = {dtype: self._schedule(dtype, product) for dtype in {v.dtype.base_dtype for v in var_list}}
        return [cache.assign(so_far) for dtype, (_, _, so_far, _) in self._momentum.items()
                if dtype is cache.dtype.base_dtype]

    def _schedule(self, dtype: Any, product: Any) -> tuple[Any, Any, Any, Any]:
        beta, step = self._get_hyper("beta_1", dtype), math.cast(self.iterations + 1, dtype)
        base = math.cast(0.96, dtype)
        now, next_one = (beta * (1.0 - 0.5 * elementwise.pow_(base, self._initial_decay * each))
                         for each in (step, step + 1))
        so_far = math.cast(product, dtype) * now
        return now, next_one, so_far, so_far * next_one

    def _rates(self, dtype: Any) -> dict[str, Any]:
        beta_1, beta_2 = self._get_hyper("beta_1", dtype), self._get_hyper("beta_2", dtype)
        return {"beta_1": beta_1, "beta_2": beta_2, "lr": self._get_hyper("learning_rate", dtype),
                "beta_2_power": elementwise.pow_(beta_2, math.cast(self.iterations + 1, dtype))}

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        rates, m, v = self._shared_rates(var.dtype.base_dtype), self.get_slot(var, "m"), self.get_slot(var, "v")
        mean = _kept(m, rates["beta_1"], grad)
        return var.assign_sub(self._step(rates, grad, mean, _kept(v, rates["beta_2"], grad * grad)))

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        rates, m, v = self._shared_rates(var.dtype.base_dtype), self.get_slot(var, "m"), self.get_slot(var, "v")
        # The means of rows without a gradient fall too, but these rows stay where they are.
        mean = _kept(m, rates["beta_1"], spread_out(grad, indices, var))
        square = _kept(v, rates["beta_2"], spread_out(grad * grad, indices, var))
        step = self._step(rates, grad, gather(mean, indices), gather(square, indices))
        return var.scatter_sub(IndexedSlices(step, indices))

    def _step(self, rates: dict[str, Any], grad: Any, mean: Any, square: Any) -> Any:
        """The movement of a variable, or of rows of it."""
        now, next_one, so_far, with_next = self._momentum[grad.dtype.base_dtype]
        ahead = (1.0 - now) * grad / (1.0 - so_far) + next_one * mean / (1.0 - with_next)
        return rates["lr"] * ahead / (elementwise.sqrt(square / (1.0 - rates["beta_2_power"])) + self.epsilon)


def _kept(slot: Any, beta: Any, new: Any) -> Any:
    """The running mean in a slot, after this step."""
    return convert_to_tensor(slot.assign(beta * slot.read_value() + (1.0 - beta) * new))
