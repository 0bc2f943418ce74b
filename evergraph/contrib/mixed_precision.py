"""tf.contrib.mixed_precision: an optimizer with a loss scale, and managers of the scale."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.train.loss_scale import all_finite
from evergraph.train.loss_scale_optimizer import times
from evergraph.train.optimizer import Optimizer


@export("contrib.mixed_precision.LossScaleManager")
class LossScaleManager:
    """Decides by which factor losses are multiplied. A subclass defines both methods."""

    def get_loss_scale(self) -> Tensor:
        """The factor now, a float32 scalar."""
        raise NotImplementedError

    def update_loss_scale(self, finite_grads: Tensor) -> Operation:
        """An operation that changes the factor, given whether the gradients of the step were finite."""
        raise NotImplementedError


@export("contrib.mixed_precision.FixedLossScaleManager")
class FixedLossScaleManager(LossScaleManager):
    """A factor that stays as it is.

    Raises:
        ValueError: the factor is less than 1.
    """

    def __init__(self, loss_scale: float) -> None:
        if loss_scale < 1:
            raise ValueError(f"loss scale must be at least 1, not {loss_scale}")
        self._loss_scale = convert_to_tensor(loss_scale, dtype=dtypes.float32)

    def get_loss_scale(self) -> Tensor:
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Tensor) -> Operation:
        """An operation that does nothing: the factor is fixed, whether the gradients are finite or not."""
        return no_op()


@export("contrib.mixed_precision.ExponentialUpdateLossScaleManager")
class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A factor that grows after some steps with finite gradients, and shrinks after some that were not.

    Args:
        init_loss_scale: the factor to begin with.
        incr_every_n_steps: after how many steps in a row with finite gradients it grows.
        decr_every_n_nan_or_inf: after how many steps with others it shrinks.
        incr_ratio: how much it grows, as long as it stays finite.
        decr_ratio: how much it shrinks, but never below 1.
    """

    def __init__(self, init_loss_scale: float, incr_every_n_steps: int, decr_every_n_nan_or_inf: int = 2,
                 incr_ratio: float = 2, decr_ratio: float = 0.8) -> None:
        variable = lambda name, value, dtype: Variable(value, name=name, dtype=dtype, trainable=False)
        self._incr_every_n_steps, self._decr_every_n_nan_or_inf = incr_every_n_steps, decr_every_n_nan_or_inf
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        self._loss_scale = variable("loss_scale", init_loss_scale, dtypes.float32)
        self._num_good_steps = variable("good_steps", 0, dtypes.int32)
        self._num_bad_steps = variable("bad_steps", 0, dtypes.int32)

    def get_loss_scale(self) -> Tensor:
        return convert_to_tensor(self._loss_scale)

    def update_loss_scale(self, finite_grads: Tensor) -> Operation:
        return group(cond(finite_grads, self._after_good_step, self._after_bad_step))

    def _after_good_step(self) -> Operation:
        return cond(self._num_good_steps + 1 >= self._incr_every_n_steps, self._grown,
                    lambda: group(self._num_good_steps.assign_add(1)))

    def _grown(self) -> Operation:
        larger = self._loss_scale * self._incr_ratio
        kept = cond(elementwise.is_finite(larger), lambda: array.identity(larger),
                    lambda: array.identity(self._loss_scale))
        return group(assign(self._loss_scale, kept), *self._counts_forgotten())

    def _after_bad_step(self) -> Operation:
        return cond(self._num_bad_steps + 1 >= self._decr_every_n_nan_or_inf, self._shrunk,
                    lambda: group(self._num_bad_steps.assign_add(1), assign(self._num_good_steps, 0)))

    def _shrunk(self) -> Operation:
        smaller = elementwise.maximum(1.0, self._loss_scale * self._decr_ratio)
        return group(assign(self._loss_scale, smaller), *self._counts_forgotten())

    def _counts_forgotten(self) -> list[Any]:
        return [assign(self._num_good_steps, 0), assign(self._num_bad_steps, 0)]


@export("contrib.mixed_precision.LossScaleOptimizer")
class LossScaleOptimizer(Optimizer):
    """Multiplies the loss by a factor, divides the gradients by it again, and leaves out steps that are not finite.

    Args:
        opt: the optimizer that applies the gradients.
        loss_scale_manager: decides about the factor.
    """

    def __init__(self, opt: Optimizer, loss_scale_manager: LossScaleManager) -> None:
        super().__init__(opt._use_locking, "LossScaleOptimizer")
        self._opt, self._loss_scale_manager = opt, loss_scale_manager

    def compute_gradients(self, loss: Any, var_list: Any = None, gate_gradients: int = Optimizer.GATE_OP,
                          aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
                          grad_loss: Any = None) -> list[tuple[Any, Any]]:
        """As the optimizer inside computes them, but with the loss multiplied by the factor on the way."""
        scale = self._loss_scale_manager.get_loss_scale()
        scaled = lambda value: value * math.cast(scale, value.dtype.base_dtype)
        loss = (lambda given=loss: scaled(given())) if callable(loss) else scaled(loss)
        pairs = self._opt.compute_gradients(loss, var_list, gate_gradients, aggregation_method,
                                            colocate_gradients_with_ops, grad_loss)
        inverse = elementwise.reciprocal(scale)
        return [(times(g, inverse), v) for g, v in pairs]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """Applies the gradients with the optimizer inside, if all are finite, and updates the factor."""
        pairs = list(grads_and_vars)
        finite = all_finite([g for g, _ in pairs])
        with name_scope(None, "cond") as scope:  # variables cannot be made inside the branch that uses them
            self._opt._create_slots([v for g, v in pairs if g is not None])
        applied = cond(finite, lambda: self._opt.apply_gradients(pairs, global_step, name), no_op, name=scope)
        return group(applied, self._loss_scale_manager.update_loss_scale(finite))

    def get_slot(self, var: Any, name: str) -> Any:
        return self._opt.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        return self._opt.get_slot_names()

    def variables(self) -> list[Any]:
        return self._opt.variables()
