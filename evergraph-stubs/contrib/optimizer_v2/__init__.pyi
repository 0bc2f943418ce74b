# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.optimizer_v2."""

from evergraph.train import Optimizer
from typing import Any
from evergraph.contrib.optimizer_v2 import (
    adadelta as adadelta, adagrad as adagrad, adam as adam, gradient_descent as gradient_descent,
    momentum as momentum, optimizer_v2 as optimizer_v2, optimizer_v2_symbols as optimizer_v2_symbols,
    rmsprop as rmsprop,
)

class AdadeltaOptimizer(OptimizerV2):
    """Adadelta (Zeiler, 2012), as `tf.train.AdadeltaOptimizer`."""
    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-08, use_locking: bool = False,
        name: str = 'Adadelta',
    ) -> None: ...

class AdagradOptimizer(OptimizerV2):
    """Adagrad (Duchi et al., 2011), as `tf.train.AdagradOptimizer`."""
    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = 'Adagrad',
    ) -> None: ...

class AdamOptimizer(OptimizerV2):
    """Adam (Kingma and Ba, 2014), as `tf.train.AdamOptimizer`."""
    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-08,
        use_locking: bool = False, name: str = 'Adam',
    ) -> None: ...

class GradientDescentOptimizer(OptimizerV2):
    """Gradient descent, as `tf.train.GradientDescentOptimizer`."""
    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = 'GradientDescent',
    ) -> None: ...

class MomentumOptimizer(OptimizerV2):
    """Gradient descent with momentum, as `tf.train.MomentumOptimizer`."""
    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = 'Momentum',
        use_nesterov: bool = False,
    ) -> None: ...

class OptimizerV2(Optimizer):
    """The base of optimizers whose state is an object of its own."""
    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: int = 1,
        aggregation_method: Any = None, name: str | None = None, grad_loss: Any = None,
        stop_gradients: Any = None, scale_loss_by_num_replicas: bool | None = None,
    ) -> Any:
        """Computes the gradients of `loss` and applies them."""
    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: int = 1, aggregation_method: Any = None,
        grad_loss: Any = None, stop_gradients: Any = None, scale_loss_by_num_replicas: bool | None = None,
    ) -> list[tuple[Any, Any]]:
        """The gradients of `loss`; the first half of `minimize`, with the same arguments."""
    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Applies gradients to variables; the second half of `minimize`."""
    def get_slot(self, var: Any, name: str) -> Any:
        """The slot variable called `name` of variable `var`; None if there is none."""
    def get_slot_names(self) -> list[str]:
        """The names of the slot variables that this optimizer has created, sorted."""
    def variables(self) -> list[Any]:
        """The variables of the optimizer's own state in the default graph."""
    def __init__(self, use_locking: bool, name: str) -> None: ...

class RMSPropOptimizer(OptimizerV2):
    """RMSProp (Tieleman and Hinton, 2012), whose running mean of squares starts at epsilon."""
    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: float = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = 'RMSProp',
    ) -> None: ...
