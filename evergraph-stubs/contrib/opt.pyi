# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.opt."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from evergraph import Operation, Tensor
from evergraph.train import AdagradOptimizer, AdamOptimizer, MomentumOptimizer, Optimizer, Saver
from typing import Any

import sys
if sys.platform == "":
    del (
        adam, external, ggt, rows, signs, steps, wrap,
    )

class AdaMaxOptimizer(AdamOptimizer):
    """Adam with the largest gradient of late, decaying, where Adam has the root of the mean of squares."""
    rule: tuple
    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-08,
        use_locking: bool = False, name: str = 'AdaMax',
    ) -> None: ...

class AdamGSOptimizer(AdamOptimizer):
    """Adam that counts by the global step, which may be shared with other optimizers."""
    def __init__(
        self, global_step: Any = 0, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = 'Adam',
    ) -> None: ...

class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """tf.train.AdamOptimizer with weight decay."""
    def __init__(
        self, weight_decay: Any, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = 'AdamW',
    ) -> None: ...

class AddSignOptimizer(Optimizer):
    """Steps of the gradient times alpha + sign(gradient) * sign(mean gradient)."""
    rule: tuple
    strength: str
    slot_names: tuple[str, ...]
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """As all optimizers do; the global step says how far the sign has decayed."""
    def __init__(
        self, learning_rate: Any = 0.1, alpha: float = 1.0, beta: Any = 0.9,
        sign_decay_fn: Callable[[Any], Tensor] | None = None, use_locking: bool = False,
        name: str = 'AddSignOptimizer',
    ) -> None: ...

class DecoupledWeightDecayExtension:
    """Shrinks variables by a part of themselves in each step, apart from the gradient."""
    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: int = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None, decay_var_list: Iterable[Any] | None = None,
    ) -> Operation:
        """As the optimizer does, and shrinks `decay_var_list`; by default all variables that it changes."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
        decay_var_list: Iterable[Any] | None = None,
    ) -> Operation:
        """As the optimizer does, and shrinks `decay_var_list`; by default all variables that it changes."""
    def __init__(self, weight_decay: Any, **kwargs: Any) -> None: ...

class DropStaleGradientOptimizer(Optimizer):
    """Leaves out gradients that were computed too many steps ago, and counts them in the variable
    `stale_counter`."""
    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """As the optimizer inside computes them, after the global step was looked at."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies the gradients if they are fresh enough."""
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, staleness: int, use_locking: bool = False, name: str = 'DropStaleGradient',
    ) -> None: ...

class ExternalOptimizerInterface:
    """Has a program outside the graph minimize a loss: all variables are one vector to it."""
    def minimize(
        self, session: Any = None, feed_dict: Mapping[Any, Any] | None = None,
        fetches: Sequence[Any] | None = None, step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None, **run_kwargs: Any,
    ) -> None:
        """Minimizes, and then puts the result into the variables."""
    def __init__(
        self, loss: Tensor, var_list: Sequence[Any] | None = None, equalities: Sequence[Tensor] | None = None,
        inequalities: Sequence[Tensor] | None = None, var_to_bounds: Mapping[Any, Any] | None = None,
        **optimizer_kwargs: Any,
    ) -> None: ...
    optimizer_kwargs: Any

class GGTOptimizer(Optimizer):
    """Adagrad with full matrices, of which a window of gradients is the root: they fit in memory."""
    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, use_locking: bool = False, name: str = 'GGT',
        window: int = 10, eps: float = 0.0001, svd_eps: float = 1e-06, sigma_eps: float = 0.01,
    ) -> None: ...

class LARSOptimizer(MomentumOptimizer):
    """Momentum whose rate is, for each variable, in proportion to the norm of the variable over that of its
    gradient."""
    def compute_lr(self, grad: Tensor, var: Any) -> tuple[Any, Tensor]:
        """(the rate, the gradient with weight decay) of a variable."""
    def __init__(
        self, learning_rate: Any, momentum: Any = 0.9, weight_decay: float = 0.0001, eeta: float = 0.001,
        epsilon: float = 0.0, name: str = 'LARSOptimizer', skip_list: Sequence[str] | None = None,
        use_nesterov: bool = False,
    ) -> None: ...

class LazyAdamGSOptimizer(LazyAdamOptimizer):
    """LazyAdam that counts by the global step."""
    def __init__(
        self, global_step: Any = 0, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = 'Adam',
    ) -> None: ...

class LazyAdamOptimizer(AdamOptimizer):
    """Adam that leaves rows of a table alone, moments included, while they have no gradient."""

class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """tf.train.MomentumOptimizer with weight decay."""
    def __init__(
        self, weight_decay: Any, learning_rate: Any, momentum: Any, use_locking: bool = False,
        name: str = 'MomentumW', use_nesterov: bool = False,
    ) -> None: ...

class MovingAverageOptimizer(Optimizer):
    """Also keeps moving averages of the variables, and saves those in their place."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies the gradients, then brings the averages up to date."""
    def swapping_saver(self, var_list: Any = None, name: str = 'swapping_saver', **kwargs: Any) -> Saver:
        """A saver that writes each average under the name of its variable, and the other way round."""
    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, average_decay: Any = 0.9999, num_updates: Any = None,
        sequential_update: bool = True,
    ) -> None: ...

class MultitaskOptimizerWrapper:
    """Leaves a variable and its slots alone in steps where its gradient is all zero."""
    def __getattr__(self, name: str) -> Any: ...
    def __init__(self, opt: Optimizer) -> None: ...

class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov's momentum: a step looks one gradient ahead."""

class PowerSignOptimizer(Optimizer):
    """Steps of the gradient times base ** (sign(gradient) * sign(mean gradient))."""
    rule: tuple
    strength: str
    slot_names: tuple[str, ...]
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """As all optimizers do; the global step says how far the sign has decayed."""
    def __init__(
        self, learning_rate: Any = 0.1, base: float = 2.718281828459045, beta: Any = 0.9,
        sign_decay_fn: Callable[[Any], Tensor] | None = None, use_locking: bool = False,
        name: str = 'PowerSignOptimizer',
    ) -> None: ...

class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad whose sums of squares some updates leave as they are, such as those of a regularization."""
    def avoid_updating_slots(self) -> AbstractContextManager[None]:
        """A block in which updates are made that use the sums but do not change them."""
    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = 'RegAdagrad',
    ) -> None: ...

class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes with scipy.optimize.minimize, by default with L-BFGS-B, or SLSQP where there are
    constraints."""

class VariableClippingOptimizer(Optimizer):
    """Clips the norms of variables after each step."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies the gradients, then clips."""
    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, vars_to_clip_dims: Mapping[Any, Sequence[int]], max_norm: float,
        use_locking: bool = False, colocate_clip_ops_with_vars: bool = False, name: str = 'VariableClipping',
    ) -> None: ...

def clip_gradients_by_global_norm(
    gradients_variables: Any, clip_norm: float = 20.0,
) -> tuple[list[Any], Tensor]:
    """(gradient, variable) pairs with the gradients scaled so that their norm is at most `clip_norm`; and
    that norm."""

def extend_with_decoupled_weight_decay(base_optimizer: type[Optimizer]) -> type:
    """The class of an optimizer with weight decay, whose first argument is `weight_decay`."""
