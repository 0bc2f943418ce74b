# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.optimizers.schedules."""

from evergraph import Tensor
from typing import Any

class ExponentialDecay(LearningRateSchedule):
    """Exponential decay: initial_learning_rate * decay_rate ** (step / decay_steps)."""
    @staticmethod
    def formula(
        learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """Exponential decay: learning_rate * decay_rate ** (global_step / decay_steps)."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> None: ...

class InverseTimeDecay(LearningRateSchedule):
    """Inverse time decay: initial_learning_rate / (1 + decay_rate * step / decay_steps)."""
    @staticmethod
    def formula(
        learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """Inverse time decay: learning_rate / (1 + decay_rate * global_step / decay_steps)."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> None: ...

class LearningRateSchedule:
    """The base of learning rate schedules: a subclass computes the rate of a step when it is called with
    its number."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A schedule with these arguments."""
    def __call__(self, step: Any) -> None: ...

class PiecewiseConstantDecay(LearningRateSchedule):
    """A rate that is constant between boundaries."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(self, boundaries: Any, values: Any, name: str | None = None) -> None: ...

class PolynomialDecay(LearningRateSchedule):
    """Polynomial decay from one rate to another within a number of steps."""
    @staticmethod
    def formula(
        learning_rate: Any, global_step: Any, decay_steps: Any, end_learning_rate: Any = 0.0001,
        power: Any = 1.0, cycle: bool = False, name: str | None = None,
    ) -> Tensor:
        """Polynomial decay from `learning_rate` to `end_learning_rate` within `decay_steps`; linear decay with
        power 1."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, end_learning_rate: Any = 0.0001, power: Any = 1.0,
        cycle: bool = False, name: str | None = None,
    ) -> None: ...

def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> LearningRateSchedule:
    """The schedule of a serialized configuration."""

def serialize(learning_rate_schedule: LearningRateSchedule) -> dict[str, Any]:
    """The name of a schedule's class and its configuration."""
