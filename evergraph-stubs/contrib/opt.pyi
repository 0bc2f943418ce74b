# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.opt."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from evergraph import Operation, Tensor
from evergraph.estimator import SessionRunHook
from evergraph.train import AdagradOptimizer, AdamOptimizer, MomentumOptimizer, Optimizer, Saver
from typing import Any

import sys
if sys.platform == "":
    del (
        accumulated, adam, centers, elastic, external, ggt, model_average, rows, shampoo, signs, steps,
        wrap,
    )

class AGNCustomGetter:
    """Gives each trainable variable of a worker a copy that all workers share,
    "global_center_variable/<name>"."""
    def center_of(self, variable: Any) -> Any:
        """The shared copy of a worker's variable."""
    def pairs(self) -> list[tuple[Any, Any]]:
        """(a worker's variable, its copy) of all variables."""
    def __call__(
        self, getter: Callable[..., Any], name: str, trainable: bool, collections: Any, *args: Any,
        **kwargs: Any,
    ) -> Any: ...
    def __init__(self, worker_device: str) -> None: ...

class AGNOptimizer(Optimizer):
    """Steps on the worker's own variables; after a period, the mean gradient makes one step on the shared
    ones."""
    def make_session_run_hook(self, is_chief: bool, task_index: int) -> SessionRunHook:
        """A hook that begins with variables equal to the shared ones; give it to the session of every
        worker."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Makes a step; the global step counts communications."""
    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, optimizer: Optimizer, num_worker: int, custom_getter: Any, communication_period: int = 10,
        use_locking: bool = True, name: str = 'AGNOptimizer',
    ) -> None: ...

class AdaMaxOptimizer(AdamOptimizer):
    """AdaMax (Kingma and Ba, 2014): Adam with the infinity norm of the gradients in place of the second
    moment."""
    rule: tuple
    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-08,
        use_locking: bool = False, name: str = 'AdaMax',
    ) -> None: ...

class AdamGSOptimizer(AdamOptimizer):
    """Adam with bias correction by the global step, which other optimizers may share."""
    def __init__(
        self, global_step: Any = 0, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = 'Adam',
    ) -> None: ...

class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """AdamW (Loshchilov and Hutter, 2017): tf.train.AdamOptimizer with decoupled weight decay."""
    def __init__(
        self, weight_decay: Any, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = 'AdamW',
    ) -> None: ...

class AddSignOptimizer(Optimizer):
    """AddSign (Bello et al., 2017): steps of gradient * (alpha + sign(gradient) * sign(m)), m the moving
    average."""
    rule: tuple
    strength: str
    slot_names: tuple[str, ...]
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies gradients; the global step determines the decay of the sign."""
    def __init__(
        self, learning_rate: Any = 0.1, alpha: float = 1.0, beta: Any = 0.9,
        sign_decay_fn: Callable[[Any], Tensor] | None = None, use_locking: bool = False,
        name: str = 'AddSignOptimizer',
    ) -> None: ...

class DecoupledWeightDecayExtension:
    """Decoupled weight decay (Loshchilov and Hutter, 2017), a mixin that precedes an optimizer class"""
    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: int = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None, decay_var_list: Iterable[Any] | None = None,
    ) -> Operation:
        """As the optimizer, and decays `decay_var_list`; by default all variables that it updates."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
        decay_var_list: Iterable[Any] | None = None,
    ) -> Operation:
        """As the optimizer, and decays `decay_var_list`; by default all variables that it updates."""
    def __init__(self, weight_decay: Any, **kwargs: Any) -> None: ...

class DropStaleGradientOptimizer(Optimizer):
    """Drops stale gradients, which are older than `staleness` steps, and counts them in the variable
    `stale_counter`."""
    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes gradients with the wrapped optimizer, after recording the global step."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies the gradients unless they are stale."""
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, staleness: int, use_locking: bool = False, name: str = 'DropStaleGradient',
    ) -> None: ...

class ElasticAverageCustomGetter:
    """Gives each trainable variable of a worker a copy that all workers share,
    "global_center_variable/<name>"."""
    def center_of(self, variable: Any) -> Any:
        """The shared copy of a worker's variable."""
    def pairs(self) -> list[tuple[Any, Any]]:
        """(a worker's variable, its copy) of all variables."""
    def __call__(
        self, getter: Callable[..., Any], name: str, trainable: bool, collections: Any, *args: Any,
        **kwargs: Any,
    ) -> Any: ...
    def __init__(self, worker_device: str) -> None: ...

class ElasticAverageOptimizer(Optimizer):
    """Steps on the worker's own variables, and now and then moves them and the shared ones towards each
    other."""
    def compute_gradients(self, loss: Any, var_list: Any = None, **kwargs: Any) -> Any:
        """Gradients of the loss with `rho` times half the squared differences from the shared variables."""
    def make_session_run_hook(self, is_chief: bool, task_index: int) -> SessionRunHook:
        """A hook that begins with variables equal to the shared ones; give it to the session of every
        worker."""
    def swapping_saver(self, var_list: Any = None, name: str = 'swapping_saver', **kwargs: Any) -> Saver:
        """A saver that saves the shared variables under the names of the workers'."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Makes a step; the global step counts communications."""
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, num_worker: int, ea_custom_getter: Any, communication_period: int = 10,
        moving_rate: Any = None, rho: Any = None, use_locking: bool = True, synchronous: bool = False,
        name: str = 'ElasticAverageOptimizer',
    ) -> None: ...

class ExternalOptimizerInterface:
    """The base of interfaces to external optimizers, which see all variables as one vector."""
    def minimize(
        self, session: Any = None, feed_dict: Mapping[Any, Any] | None = None,
        fetches: Sequence[Any] | None = None, step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None, **run_kwargs: Any,
    ) -> None:
        """Minimizes the loss and assigns the result to the variables."""
    def __init__(
        self, loss: Tensor, var_list: Sequence[Any] | None = None, equalities: Sequence[Tensor] | None = None,
        inequalities: Sequence[Tensor] | None = None, var_to_bounds: Mapping[Any, Any] | None = None,
        **optimizer_kwargs: Any,
    ) -> None: ...
    optimizer_kwargs: Any

class GGTOptimizer(Optimizer):
    """GGT (Agarwal et al., 2018): full-matrix Adagrad with a low-rank preconditioner from a window of
    gradients."""
    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, use_locking: bool = False, name: str = 'GGT',
        window: int = 10, eps: float = 0.0001, svd_eps: float = 1e-06, sigma_eps: float = 0.01,
    ) -> None: ...

class LARSOptimizer(MomentumOptimizer):
    """LARS, layer-wise adaptive rate scaling (You et al., 2017): momentum with a rate ~ |variable| /
    |gradient|."""
    def compute_lr(self, grad: Tensor, var: Any) -> tuple[Any, Tensor]:
        """(the rate, the gradient with weight decay) of a variable."""
    def __init__(
        self, learning_rate: Any, momentum: Any = 0.9, weight_decay: float = 0.0001, eeta: float = 0.001,
        epsilon: float = 0.0, name: str = 'LARSOptimizer', skip_list: Sequence[str] | None = None,
        use_nesterov: bool = False,
    ) -> None: ...

class LazyAdamGSOptimizer(LazyAdamOptimizer):
    """Lazy Adam with bias correction by the global step."""
    def __init__(
        self, global_step: Any = 0, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = 'Adam',
    ) -> None: ...

class LazyAdamOptimizer(AdamOptimizer):
    """Lazy Adam: updates only the rows of a variable that have a gradient, including their moments."""

class ModelAverageCustomGetter:
    """Gives each trainable variable of a worker a copy that all workers share,
    "global_center_variable/<name>"."""
    def center_of(self, variable: Any) -> Any:
        """The shared copy of a worker's variable."""
    def pairs(self) -> list[tuple[Any, Any]]:
        """(a worker's variable, its copy) of all variables."""
    def __call__(
        self, getter: Callable[..., Any], name: str, trainable: bool, collections: Any, *args: Any,
        **kwargs: Any,
    ) -> Any: ...
    def __init__(self, worker_device: str) -> None: ...

class ModelAverageOptimizer(Optimizer):
    """Steps on the worker's own variables; after a period, these and the shared ones become the mean of all
    workers'."""
    def make_session_run_hook(self) -> SessionRunHook:
        """A hook that begins with variables equal to the shared ones; give it to the session of every
        worker."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Makes a step; the global step counts communications."""
    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, num_worker: int, is_chief: bool, ma_custom_getter: Any, interval_steps: int = 100,
        use_locking: bool = True, name: str = 'ModelAverageOptimizer',
    ) -> None: ...

class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """SGDW with momentum (Loshchilov and Hutter, 2017): tf.train.MomentumOptimizer with decoupled weight
    decay."""
    def __init__(
        self, weight_decay: Any, learning_rate: Any, momentum: Any, use_locking: bool = False,
        name: str = 'MomentumW', use_nesterov: bool = False,
    ) -> None: ...

class MovingAverageOptimizer(Optimizer):
    """Maintains moving averages of the variables (Polyak averaging), and a saver that swaps them in."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies the gradients, then updates the averages."""
    def swapping_saver(self, var_list: Any = None, name: str = 'swapping_saver', **kwargs: Any) -> Saver:
        """A saver that saves each average under its variable's name, and vice versa."""
    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, average_decay: Any = 0.9999, num_updates: Any = None,
        sequential_update: bool = True,
    ) -> None: ...

class MultitaskOptimizerWrapper:
    """Skips variables and slots whose gradient is all zero."""
    def __getattr__(self, name: str) -> Any: ...
    def __init__(self, opt: Optimizer) -> None: ...

class NadamOptimizer(AdamOptimizer):
    """NAdam (Dozat, 2016): Adam with Nesterov momentum."""

class PowerSignOptimizer(Optimizer):
    """PowerSign (Bello et al., 2017): steps of gradient * base ** (sign(gradient) * sign(m)), m the moving
    average."""
    rule: tuple
    strength: str
    slot_names: tuple[str, ...]
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies gradients; the global step determines the decay of the sign."""
    def __init__(
        self, learning_rate: Any = 0.1, base: float = 2.718281828459045, beta: Any = 0.9,
        sign_decay_fn: Callable[[Any], Tensor] | None = None, use_locking: bool = False,
        name: str = 'PowerSignOptimizer',
    ) -> None: ...

class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad with updates that do not change the accumulator, such as those of a regularization loss."""
    def avoid_updating_slots(self) -> AbstractContextManager[None]:
        """Context manager for updates that use the accumulators but do not change them."""
    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = 'RegAdagrad',
    ) -> None: ...

class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes with scipy.optimize.minimize, by default with L-BFGS-B, or SLSQP if there are
    constraints."""

class ShampooOptimizer(Optimizer):
    """Shampoo (Gupta et al., 2018): gradients are preconditioned along each axis by a power of their second
    moments."""
    def __init__(
        self, global_step: Any = 0, max_matrix_size: int = 768, gbar_decay: Any = 0.0, gbar_weight: Any = 1.0,
        mat_gbar_decay: Any = 1.0, mat_gbar_weight: Any = 1.0, learning_rate: Any = 1.0, svd_interval: int = 1,
        precond_update_interval: int = 1, epsilon: float = 0.0001, alpha: float = 0.5,
        use_iterative_root: bool = False, use_locking: bool = False, name: str = 'Shampoo',
    ) -> None: ...

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
    """Clips gradients of (gradient, variable) pairs to the global norm `clip_norm`; returns the pairs and
    the norm."""

def extend_with_decoupled_weight_decay(base_optimizer: type[Optimizer]) -> type:
    """A subclass of an optimizer class with decoupled weight decay; its first argument is
    `weight_decay`."""
