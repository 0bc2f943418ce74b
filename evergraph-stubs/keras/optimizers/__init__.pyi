# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.optimizers."""

from evergraph import Operation
from typing import Any
from evergraph.keras.optimizers import schedules as schedules

class Adadelta(Optimizer):
    """The Adadelta optimizer (Zeiler, 2012): steps are scaled by the RMS of earlier ones over that of the
    gradients."""
    rule: tuple
    slot_names: tuple[str, ...]
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: float = 1e-07, name: str = 'Adadelta',
        **kwargs: Any,
    ) -> None: ...
    epsilon: Any

class Adagrad(Optimizer):
    """The Adagrad optimizer (Duchi et al., 2011): a learning rate for each element, which falls with its
    gradients."""
    rule: tuple
    slot_names: tuple[str, ...]
    options: tuple[str, ...]
    @property
    def initial_accumulator_value(self) -> Any:
        """What sums begin with."""
    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = 1e-07,
        name: str = 'Adagrad', **kwargs: Any,
    ) -> None: ...
    epsilon: Any

class Adam(Optimizer):
    """The Adam optimizer (Kingma and Ba, 2014)."""
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables; an older form, which also had the largest means without AMSGrad, is
        understood."""
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = 1e-07,
        amsgrad: bool = False, name: str = 'Adam', **kwargs: Any,
    ) -> None: ...
    epsilon: Any
    amsgrad: Any

class Adamax(Optimizer):
    """The Adamax optimizer (Kingma and Ba, 2014): Adam with the infinity norm of the gradients."""
    rule: tuple
    slot_names: tuple[str, ...]
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = 1e-07,
        name: str = 'Adamax', **kwargs: Any,
    ) -> None: ...
    epsilon: Any

class Ftrl(Optimizer):
    """The FTRL-Proximal optimizer (McMahan et al., 2013), follow the regularized leader; for wide sparse
    linear models."""
    slot_names: tuple[str, ...]
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    @property
    def initial_accumulator_value(self) -> Any:
        """What sums begin with."""
    @property
    def l2_shrinkage_regularization_strength(self) -> Any:
        """The penalty on large weights."""
    def __init__(
        self, learning_rate: Any = 0.001, learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, name: str = 'Ftrl',
        l2_shrinkage_regularization_strength: float = 0.0, **kwargs: Any,
    ) -> None: ...

class Nadam(Optimizer):
    """The Nadam optimizer (Dozat, 2015): Adam with Nesterov momentum."""
    slot_names: tuple[str, ...]
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = 1e-07,
        name: str = 'Nadam', **kwargs: Any,
    ) -> None: ...
    epsilon: Any

class Optimizer:
    """The base of Keras's optimizers: hyperparameters that are variables, slots for each variable, and a
    step count."""
    rule: tuple | None
    slot_names: tuple[str, ...]
    @property
    def iterations(self) -> Any:
        """The number of steps made, a variable; it can be set to one, such as the global step, before the
        first."""
    @iterations.setter
    def iterations(self, value: Any) -> None: ...
    def add_weight(
        self, name: str, shape: Any, dtype: Any = None, initializer: Any = 'zeros',
        trainable: bool | None = None, synchronization: Any = ..., aggregation: Any = ...,
        use_resource: bool = True,
    ) -> Any:
        """Creates a variable of the optimizer, float32 by default, that is not trainable by default."""
    def add_slot(self, var: Any, slot_name: str, initializer: Any = 'zeros') -> Any:
        """Creates a variable beside a variable, once."""
    def get_slot(self, var: Any, slot_name: str) -> Any:
        """The variable that was created beside a variable; None if there is none."""
    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
    @property
    def weights(self) -> list[Any]:
        """The variables of the optimizer: the number of steps, then the slots."""
    def variables(self) -> list[Any]:
        """The variables of the optimizer."""
    def get_weights(self) -> list[Any]:
        """The values of the variables, in the session of `tf.keras.backend.get_session`."""
    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables, in the session of `tf.keras.backend.get_session`."""
    def minimize(
        self, loss: Any, var_list: Any, grad_loss: Any = None, name: str | None = None,
    ) -> Operation:
        """The operation that makes a step: the gradients of a loss, applied to variables."""
    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss by variables, clipped."""
    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The operations that make a step."""
    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Operation:
        """The operation that applies gradients to variables and counts the step."""
    def create_weights(self, var_list: list[Any]) -> None:
        """Creates the number of steps, the hyperparameters and the slots of variables, unless they exist."""
    @property
    def cell_names(self) -> tuple[str, ...]:
        """The slots in the order of the rule."""
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one, with the current values of its
        hyperparameters."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """An optimizer from what `get_config` returned."""
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self, name: str, **kwargs: Any) -> None: ...
    clipnorm: Any
    clipvalue: Any

class RMSprop(Optimizer):
    """The RMSprop optimizer (Tieleman and Hinton, 2012): gradients divided by the root of their mean
    square."""
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    @property
    def cell_names(self) -> tuple[str, ...]:
        """The slots in the order of the rule."""
    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.9, momentum: Any = 0.0, epsilon: float = 1e-07,
        centered: bool = False, name: str = 'RMSprop', **kwargs: Any,
    ) -> None: ...
    epsilon: Any
    centered: Any

class SGD(Optimizer):
    """Stochastic gradient descent, with momentum if wanted."""
    hypers: tuple[str, ...]
    options: tuple[str, ...]
    def __init__(
        self, learning_rate: Any = 0.01, momentum: Any = 0.0, nesterov: bool = False, name: str = 'SGD',
        **kwargs: Any,
    ) -> None: ...
    nesterov: Any

def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The optimizer of a serialized configuration."""

def get(identifier: Any) -> Any:
    """An optimizer from itself, its name, or what `tf.keras.optimizers.serialize` returned; one of tf.train
    is wrapped."""

def serialize(optimizer: Any) -> dict[str, Any]:
    """The name of an optimizer's class and its configuration."""
