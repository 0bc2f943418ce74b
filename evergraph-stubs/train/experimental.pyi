# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.train.experimental."""

from evergraph import Operation, Tensor
from evergraph.keras.mixed_precision.experimental import LossScaleOptimizer
from evergraph.train import Optimizer
from typing import Any

class DynamicLossScale(LossScale):
    """A loss scale that is raised while gradients are finite and lowered when they overflow."""
    @property
    def initial_loss_scale(self) -> Any: ...
    @property
    def increment_period(self) -> Any: ...
    @property
    def multiplier(self) -> Any: ...
    def update(self, grads: Any) -> tuple[Any, Tensor]: ...
    def get_config(self) -> dict[str, Any]: ...
    def __call__(self) -> Tensor: ...
    def __init__(
        self, initial_loss_scale: float = 32768, increment_period: int = 2000, multiplier: float = 2.0,
    ) -> None: ...

class FixedLossScale(LossScale):
    """A constant loss scale."""
    def update(self, grads: Any) -> tuple[Any, bool]: ...
    def get_config(self) -> dict[str, Any]: ...
    def __call__(self) -> Tensor: ...
    def __init__(self, loss_scale_value: float) -> None: ...

class LossScale:
    """The base class of loss scales: factors that keep small gradients of half precision training from
    underflowing."""
    def update(self, grads: Any) -> tuple[Any, Any]:
        """Updates the loss scale after a step."""
    def get_config(self) -> dict[str, Any]:
        """The constructor arguments, as a dict for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LossScale:
        """A loss scale of what `get_config` returned."""
    def __call__(self) -> Tensor: ...
    def __init__(self) -> None: ...

class MixedPrecisionLossScaleOptimizer(Optimizer):
    """Loss scaling for mixed precision training: scales the loss, unscales the gradients, skips steps that
    overflow."""
    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: int = 1, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Computes the gradients of the scaled loss and divides them by the loss scale; see
        `tf.train.Optimizer`."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies the gradients if all of them are finite, and updates the loss scale; see
        `tf.train.Optimizer`."""
    def get_slot(self, var: Any, name: str) -> Any: ...
    def get_slot_names(self) -> list[str]: ...
    def variables(self) -> list[Any]:
        """The variables of the wrapped optimizer and of the loss scale."""
    def __init__(self, opt: Optimizer, loss_scale: Any) -> None: ...

class PythonState:
    """Something in Python that tf.train.Checkpoint saves and restores."""
    def serialize(self) -> str | bytes:
        """The state as a string; called whenever it is saved."""
    def deserialize(self, string_value: bytes) -> None:
        """Takes over a state that `serialize` gave."""

def disable_mixed_precision_graph_rewrite() -> None:
    """Lets new sessions compute in float32 again; sessions that exist go on as they are."""

def enable_mixed_precision_graph_rewrite(
    opt: Any, loss_scale: Any = 'dynamic',
) -> MixedPrecisionLossScaleOptimizer | LossScaleOptimizer:
    """Automatic mixed precision: returns the optimizer with a loss scale, and turns the rewrite on for new
    sessions."""
