"""tf.contrib.opt: optimizers by sign agreement (PowerSign, AddSign), and LARS."""
from __future__ import annotations

import math as numbers
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.opt.rows import ByRows, scattered
from evergraph.frontend import indexing, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.nn.norm import norm
from evergraph.frontend.variables.assign import assign
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math.elementwise import cos, exp, floor_mod, minimum, sign
from evergraph.ops.nn import updates
from evergraph.train.momentum import MomentumOptimizer

Decay = Callable[[Any], Tensor]


class _SignOptimizer(ByRows):
    """The base of both: a slot for the moving average of gradients, and a sign factor that may decay."""

    slot_names = ("m",)
    strength: str  # the rule's input with the weight of the sign

    def __init__(self, learning_rate: Any, strength: Any, beta: Any, sign_decay_fn: Decay | None, use_locking: bool,
                 name: str) -> None:
        super().__init__(use_locking, name)
        self._lr, self._strength, self._beta, self._sign_decay_fn = learning_rate, strength, beta, sign_decay_fn
        self._sign_decay: Any = None

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """Applies gradients; the global step determines the decay of the sign."""
        self._sign_decay = 1.0 if self._sign_decay_fn is None else self._sign_decay_fn(global_step)
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "m", self._name)

    def _prepare(self) -> None:
        self._lr_t = convert_to_tensor(self._call_if_callable(self._lr), name="learning_rate")
        self._beta_t = convert_to_tensor(self._call_if_callable(self._beta), name="beta")
        self._strength_t = convert_to_tensor(self._strength, name=self.strength)

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"lr": self._lr_t, self.strength: self._strength_t, "sign_decay": self._sign_decay,
                "beta": self._beta_t}

    def _factor(self, strength: Tensor, agreement: Tensor) -> Tensor:
        """The ratio of a step to the gradient."""
        raise NotImplementedError

    def _apply_rows(self, grad: Tensor, var: Any, indices: Tensor) -> Operation:
        """Decays all moving averages, but updates only the rows with a gradient."""
        rates = self._rates(var)
        m, beta = self.get_slot(var, "m"), rates["beta"]
        with control_dependencies([assign(m, m * beta)]):
            added = scattered("add", m, indices, grad * (1 - beta))
        with control_dependencies([added]):
            mean = indexing.gather(m.read_value(), indices)
        factor = self._factor(rates[self.strength], rates["sign_decay"] * sign(grad) * sign(mean))
        return group(scattered("add", var, indices, -rates["lr"] * factor * grad))


@export("contrib.opt.PowerSignOptimizer")
class PowerSignOptimizer(_SignOptimizer):
    """PowerSign (Bello et al., 2017): steps of gradient * base ** (sign(gradient) * sign(m)), m the moving average.

    Args:
        learning_rate: a number, a tensor, or a function without arguments.
        base: the base of the power.
        beta: the decay rate of the moving average.
        sign_decay_fn: a function from the global step to the sign's weight: see `get_linear_decay_fn`.
        use_locking: has no effect: updates are atomic.
        name: the name of the operations and slots.
    """

    rule = updates.power_sign
    strength = "logbase"

    def __init__(self, learning_rate: Any = 0.1, base: float = numbers.e, beta: Any = 0.9,
                 sign_decay_fn: Decay | None = None, use_locking: bool = False,
                 name: str = "PowerSignOptimizer") -> None:
        super().__init__(learning_rate, numbers.log(base), beta, sign_decay_fn, use_locking, name)

    def _factor(self, strength: Tensor, agreement: Tensor) -> Tensor:
        return exp(strength * agreement)


@export("contrib.opt.AddSignOptimizer")
class AddSignOptimizer(_SignOptimizer):
    """AddSign (Bello et al., 2017): steps of gradient * (alpha + sign(gradient) * sign(m)), m the moving average.

    Args:
        learning_rate: a number, a tensor, or a function without arguments.
        alpha: added to the product of signs.
        beta: the decay rate of the moving average.
        sign_decay_fn: a function from the global step to the sign's weight: see `get_linear_decay_fn`.
        use_locking: has no effect: updates are atomic.
        name: the name of the operations and slots.
    """

    rule = updates.add_sign
    strength = "alpha"

    def __init__(self, learning_rate: Any = 0.1, alpha: float = 1.0, beta: Any = 0.9,
                 sign_decay_fn: Decay | None = None, use_locking: bool = False,
                 name: str = "AddSignOptimizer") -> None:
        super().__init__(learning_rate, alpha, beta, sign_decay_fn, use_locking, name)

    def _factor(self, strength: Tensor, agreement: Tensor) -> Tensor:
        return strength + agreement


# ---- decay functions; tf.contrib.opt does not export these, programs import them from the module


def get_linear_decay_fn(decay_steps: int) -> Decay:
    """A linear decay from 1 to 0, as a function of the step."""
    def decay(global_step: Any) -> Tensor:
        step = math.cast(minimum(math.cast(global_step, dtypes.int64), decay_steps), dtypes.float32)
        return (decay_steps - step) / decay_steps
    return decay


def get_cosine_decay_fn(decay_steps: int, num_periods: float = 0.5, zero_after: float | None = None) -> Decay:
    """A cosine decay between 1 and 0, as a function of the step; 0 after `zero_after` periods."""
    def decay(global_step: Any) -> Tensor:
        step = math.cast(minimum(math.cast(global_step, dtypes.int64), decay_steps), dtypes.float32)
        turns = 2.0 * num_periods * step / decay_steps
        wave = 0.5 * (1.0 + cos(numbers.pi * turns))
        return wave if zero_after is None else indexing.where(turns >= 2 * zero_after, constant(0.0), wave)
    return decay


def get_restart_decay_fn(decay_steps: int, num_periods: float = 1, zero_after: float | None = None) -> Decay:
    """A cosine decay with restarts, as a function of the step; 0 after `zero_after` periods."""
    def decay(global_step: Any) -> Tensor:
        step = math.cast(minimum(math.cast(global_step, dtypes.int64), decay_steps), dtypes.float32)
        passed = num_periods * step / decay_steps
        within = floor_mod(num_periods * step, float(decay_steps)) / decay_steps
        wave = 0.5 * (1.0 + cos(numbers.pi * within))
        return wave if zero_after is None else indexing.where(passed >= zero_after, constant(0.0), wave)
    return decay


# ---- LARS


@export("contrib.opt.LARSOptimizer")
class LARSOptimizer(MomentumOptimizer):
    """LARS, layer-wise adaptive rate scaling (You et al., 2017): momentum with a rate ~ |variable| / |gradient|.

    Args:
        learning_rate: a number or a tensor.
        momentum: the momentum.
        weight_decay: the fraction of the variable to add to its gradient.
        eeta: the factor of the ratio of norms (trust coefficient).
        epsilon: added to the denominator for numerical stability.
        name: the name of the operations.
        skip_list: parts of names of variables that are not adapted or decayed, such as "bias".
        use_nesterov: whether to use Nesterov momentum.

    Raises:
        ValueError: `momentum` is negative.
    """

    def __init__(self, learning_rate: Any, momentum: Any = 0.9, weight_decay: float = 0.0001, eeta: float = 0.001,
                 epsilon: float = 0.0, name: str = "LARSOptimizer", skip_list: Sequence[str] | None = None,
                 use_nesterov: bool = False) -> None:
        if momentum < 0.0:
            raise ValueError(f"momentum must not be negative, but is {momentum}")
        super().__init__(learning_rate, momentum, use_locking=False, name=name, use_nesterov=use_nesterov)
        self._weight_decay, self._eeta, self._epsilon, self._skip_list = weight_decay, eeta, epsilon, skip_list

    def compute_lr(self, grad: Tensor, var: Any) -> tuple[Any, Tensor]:
        """(the rate, the gradient with weight decay) of a variable."""
        if self._skip_list is not None and any(part in var.name for part in self._skip_list):
            return self._learning_rate, grad
        size, slope = norm(var, ord=2), norm(grad, ord=2)
        ratio = self._eeta * size / (slope + self._weight_decay * size + self._epsilon)
        one = constant(1.0, ratio.dtype)
        trust = indexing.where(size > 0, indexing.where(slope > 0, ratio, one), one)
        return math.cast(self._learning_rate, ratio.dtype) * trust, grad + self._weight_decay * var

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._applied(updates.momentum.dense, grad, var, var, self.get_slot(var, "momentum"))

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Any:
        slot = self.get_slot(var, "momentum")
        return self._applied(updates.momentum.resource_dense, grad, var, var.handle, slot.handle)

    def _applied(self, operation: Any, grad: Tensor, var: Any, *cells: Any) -> Any:
        """A momentum step with the rate folded into the gradient, so that the momentum keeps its old rate."""
        rate, grad = self.compute_lr(grad, var)
        dtype = var.dtype.base_dtype
        return operation(*cells, lr=constant(1.0, dtype), grad=grad * math.cast(rate, dtype),
                         momentum=math.cast(self._momentum_tensor, dtype), use_locking=False,
                         use_nesterov=self._use_nesterov)
