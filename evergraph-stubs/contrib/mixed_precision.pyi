# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.mixed_precision."""

from evergraph import Operation, Tensor
from evergraph.train import Optimizer
from typing import Any

class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A factor that grows after some steps with finite gradients, and shrinks after some that were not."""
    def get_loss_scale(self) -> Tensor: ...
    def update_loss_scale(self, finite_grads: Tensor) -> Operation: ...
    def __init__(
        self, init_loss_scale: float, incr_every_n_steps: int, decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2, decr_ratio: float = 0.8,
    ) -> None: ...

class FixedLossScaleManager(LossScaleManager):
    """A factor that stays as it is."""
    def get_loss_scale(self) -> Tensor: ...
    def update_loss_scale(self, finite_grads: Tensor) -> Operation:
        """An operation that does nothing: the factor is fixed, whether the gradients are finite or not."""
    def __init__(self, loss_scale: float) -> None: ...

class LossScaleManager:
    """Decides by which factor losses are multiplied."""
    def get_loss_scale(self) -> Tensor:
        """The factor now, a float32 scalar."""
    def update_loss_scale(self, finite_grads: Tensor) -> Operation:
        """An operation that changes the factor, given whether the gradients of the step were finite."""

class LossScaleOptimizer(Optimizer):
    """Multiplies the loss by a factor, divides the gradients by it again, and leaves out steps that are not
    finite."""
    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: int = 1, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """As the optimizer inside computes them, but with the loss multiplied by the factor on the way."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies the gradients with the optimizer inside, if all are finite, and updates the factor."""
    def get_slot(self, var: Any, name: str) -> Any: ...
    def get_slot_names(self) -> list[str]: ...
    def variables(self) -> list[Any]: ...
    def __init__(self, opt: Optimizer, loss_scale_manager: LossScaleManager) -> None: ...
