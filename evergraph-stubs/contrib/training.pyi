# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.training."""

from collections.abc import Callable, Sequence
from evergraph.estimator import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from evergraph.train import Scaffold
from typing import Any, Self

class HParams:
    """Hyperparameters, each an attribute of the type of its first value."""
    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a hyperparameter; a list has elements of one type."""
    def set_hparam(self, name: str, value: Any) -> None:
        """Gives a hyperparameter another value of its type."""
    def del_hparam(self, name: str) -> None:
        """Takes a hyperparameter away."""
    def parse(self, values: Any) -> Self:
        """Sets what a text like "a=1,b=[1,2],c[0]=3" says; returns the object itself."""
    def override_from_dict(self, values_dict: Any) -> Self:
        """Sets each named hyperparameter; returns the object itself."""
    def parse_json(self, values_json: Any) -> Any:
        """Sets what a JSON object says; returns the object itself."""
    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: Any = False) -> Any:
        """The values as a JSON object; functions are left out."""
    def values(self) -> Any:
        """Name -> value."""
    def get(self, key: Any, default: Any = None) -> Any:
        """The value, or `default` when there is no such hyperparameter."""
    def get_model_structure(self) -> Any: ...
    def set_model_structure(self, model_structure: Any) -> None: ...
    def __contains__(self, key: Any) -> bool: ...
    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None: ...

class StopAfterNEvalsHook(SessionRunHook):
    """Stops an evaluation after a number of runs."""
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None: ...

def add_gradients_summaries(grads_and_vars: list[Any]) -> list[Any]:
    """Summaries of gradients: a histogram and the norm of each."""

from evergraph.train import checkpoints_iterator as checkpoints_iterator

def clip_gradient_norms(gradients_to_variables: list[Any], max_norm: float) -> list[Any]:
    """(gradient, variable) pairs, each gradient scaled down to a norm where it is longer."""

def clip_gradient_norms_fn(max_norm: float) -> Callable[[list[Any]], list[Any]]:
    """`clip_gradient_norms` with this norm as a function of pairs."""

def create_train_op(
    total_loss: Any, optimizer: Any, global_step: Any = 0, update_ops: Any = None,
    variables_to_train: Any = None, transform_grads_fn: Any = None, summarize_gradients: bool = False,
    gate_gradients: int = 1, aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Any:
    """A tensor of the loss that, when it is computed, makes one step of training."""

def evaluate_once(
    checkpoint_path: str | None, master: str = '', scaffold: Scaffold | None = None, eval_ops: Any = None,
    feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    hooks: Sequence[SessionRunHook] | None = None, config: Any = None,
) -> Any:
    """Evaluates the graph at a checkpoint."""

def get_or_create_eval_step() -> Any:
    """The int64 variable that counts the runs of an evaluation; created if the graph has none."""

def multiply_gradients(grads_and_vars: list[Any], gradient_multipliers: dict[Any, Any]) -> list[Any]:
    """(gradient, variable) pairs, some gradients multiplied."""

def wait_for_new_checkpoint(
    checkpoint_dir: Any, last_checkpoint: str | None = None, seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """Waits for a directory to have a new latest checkpoint."""
