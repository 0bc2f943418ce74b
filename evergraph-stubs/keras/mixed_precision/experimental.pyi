# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.mixed_precision.experimental."""

from evergraph.keras.optimizers import Optimizer
from typing import Any

class LossScaleOptimizer(Optimizer):
    """Loss scaling around an optimizer: scales the loss, unscales the gradients, leaves out steps that
    overflow."""
    @property
    def loss_scale(self) -> Any:
        """The loss scale."""
    @property
    def weights(self) -> Any:
        """The variables of the optimizer."""
    def get_weights(self) -> list[Any]:
        """The values of the variables, in the session of `tf.keras.backend.get_session`."""
    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables, in the session of `tf.keras.backend.get_session`."""
    def variables(self) -> list[Any]:
        """The variables of the optimizer."""
    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
    def get_slot(self, var: Any, slot_name: str) -> Any:
        """The variable that was created beside a variable; None if there is none."""
    def add_slot(self, var: Any, slot_name: str, initializer: Any = 'zeros') -> Any:
        """Creates a variable beside a variable, once."""
    @property
    def iterations(self) -> Any:
        """The number of steps made."""
    @iterations.setter
    def iterations(self, value: Any) -> None: ...
    def get_scaled_loss(self, loss: Any) -> Any:
        """The loss, or a function that gives it, times the loss scale."""
    def get_unscaled_gradients(self, grads: Any) -> list[Any]:
        """Gradients divided by the loss scale; None remains."""
    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss by variables, not scaled."""
    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Any:
        """The operation that applies gradients if they are finite, and changes the loss scale."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """An optimizer with these arguments."""
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self, opt: Any, loss_scale: Any) -> None: ...

class Policy:
    """The dtype that a layer computes in, and that of its variables."""
    @property
    def name(self) -> Any:
        """The name."""
    @property
    def compute_dtype(self) -> Any:
        """The dtype to compute in; None for the input's."""
    @property
    def variable_dtype(self) -> Any:
        """The dtype of variables; None for the input's."""
    @property
    def should_cast_variables(self) -> Any:
        """Whether variables are cast when they are used."""
    @property
    def loss_scale(self) -> Any:
        """The loss scale, or None."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Policy:
        """A policy with these arguments."""
    def __init__(self, name: str, loss_scale: Any = 'USE_DEFAULT') -> None: ...

def global_policy() -> Policy:
    """The policy of layers that are not given a dtype: "infer" unless it is set."""

def set_policy(policy: Any) -> None:
    """Sets the policy of layers that are made from now on and are not given a dtype."""
