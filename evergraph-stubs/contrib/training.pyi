# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.training."""

from collections.abc import Callable, Mapping, Sequence
from evergraph import Operation, Tensor
from evergraph.estimator import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from evergraph.train import Scaffold
from typing import Any, Self

import sys
if sys.platform == "":
    del (
        buckets, loops, placement, resampling, sampling, sequences,
    )

class GreedyLoadBalancingStrategy:
    """Chooses the task that has the least load so far."""
    def __call__(self, op: Any) -> int: ...
    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None: ...

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
    def get_model_structure(self) -> Any:
        """What `set_model_structure` was given."""
    def set_model_structure(self, model_structure: Any) -> None:
        """Keeps a message that describes a model."""
    def to_proto(self) -> Any:
        """The values as a HParamDef message, from which `HParams(hparam_def=...)` makes the same ones."""
    def __contains__(self, key: Any) -> bool: ...
    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None: ...

class NextQueuedSequenceBatch:
    """A batch of segments."""
    def state(self, state_name: str) -> Tensor:
        """The state of each segment: the initial one, or what was saved for it."""
    def save_state(self, state_name: str, value: Any, name: str | None = None) -> Operation:
        """An operation that saves a state for the next segments; it must run with each batch."""
    def __init__(self, state_saver: SequenceQueueingStateSaver) -> None: ...
    batch_size: Any
    sequences: Any
    context: Any
    insertion_index: Any
    key: Any

class RandomStrategy:
    """Chooses a task by a hash of the name of the operation, so that each run of a program chooses
    alike."""
    def __call__(self, op: Any) -> int: ...
    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None: ...

class SequenceQueueingStateSaver:
    """Cuts sequences into segments of `num_unroll` steps, and makes batches of segments of different
    sequences."""
    @property
    def name(self) -> Any: ...
    @property
    def barrier(self) -> Any: ...
    @property
    def batch_size(self) -> Any: ...
    @property
    def num_unroll(self) -> Any: ...
    @property
    def prefetch_op(self) -> Operation:
        """The operation that adds one sequence, and waits while there is no room for it."""
    @property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """The next batch of segments: a NextQueuedSequenceBatch."""
    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """An operation that ends the input; segments of sequences that are there are still given out."""
    def __init__(
        self, batch_size: Any, num_unroll: int, input_length: Any, input_key: Any,
        input_sequences: Mapping[str, Any], input_context: Mapping[str, Any], initial_states: Mapping[str, Any],
        capacity: int | None = None, allow_small_batch: bool = False, name: str | None = None,
    ) -> None: ...

class StopAfterNEvalsHook(SessionRunHook):
    """Stops an evaluation after a number of runs."""
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None: ...

class SummaryAtEndHook(SessionRunHook):
    """Writes summaries when a session ends, such as after an evaluation."""
    def begin(self) -> None: ...
    def after_create_session(self, session: Any, coord: Any) -> None: ...
    def end(self, session: Any) -> None: ...
    def __init__(
        self, log_dir: str | None = None, summary_writer: Any = None, summary_op: Any = None,
        feed_dict: Any = None,
    ) -> None: ...

def add_gradients_summaries(grads_and_vars: list[Any]) -> list[Any]:
    """Summaries of gradients: a histogram and the norm of each."""

def batch_sequences_with_states(
    input_key: Any, input_sequences: Mapping[str, Any], input_context: Mapping[str, Any], input_length: Any,
    initial_states: Mapping[str, Any], num_unroll: int, batch_size: Any, num_threads: int = 3,
    capacity: int | None = 1000, allow_small_batch: bool = True, pad: bool = True,
    make_keys_unique: bool = False, make_keys_unique_seed: int | None = None, name: str | None = None,
) -> NextQueuedSequenceBatch:
    """Batches of segments of sequences, which a queue runner reads; see `SequenceQueueingStateSaver`."""

def bucket(
    tensors: Any, which_bucket: Any, batch_size: Any, num_buckets: int, num_threads: int = 1,
    capacity: int = 32, bucket_capacities: Sequence[int] | None = None, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, keep_input: Any = True,
    shared_name: str | None = None, name: str | None = None,
) -> tuple[Any, Any]:
    """Batches of elements that are in the same bucket."""

def bucket_by_sequence_length(
    input_length: Any, tensors: Any, batch_size: Any, bucket_boundaries: Sequence[int],
    num_threads: int = 1, capacity: int = 32, bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    keep_input: Any = True, shared_name: str | None = None, name: str | None = None,
) -> tuple[Any, Any]:
    """Batches of sequences of similar length; see `tf.contrib.training.bucket`."""

def byte_size_load_fn(op: Any) -> int:
    """The number of bytes of the one output of an operation."""

from evergraph.train import checkpoints_iterator as checkpoints_iterator

def clip_gradient_norms(gradients_to_variables: list[Any], max_norm: float) -> list[Any]:
    """(gradient, variable) pairs, each gradient scaled down to `max_norm` where it is longer."""

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

def evaluate_repeatedly(
    checkpoint_dir: str, master: str = '', scaffold: Scaffold | None = None, eval_ops: Any = None,
    feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60, hooks: Sequence[SessionRunHook] | None = None, config: Any = None,
    max_number_of_evaluations: int | None = None, timeout: float | None = None,
    timeout_fn: Callable[[], Any] | None = None,
) -> Any:
    """Evaluates each new checkpoint of a directory; see `tf.contrib.training.evaluate_once`."""

def get_or_create_eval_step() -> Any:
    """The int64 variable that counts the runs of an evaluation; created if the graph has none."""

def multiply_gradients(grads_and_vars: list[Any], gradient_multipliers: dict[Any, Any]) -> list[Any]:
    """(gradient, variable) pairs, some gradients multiplied."""

def rejection_sample(
    tensors: Sequence[Any], accept_prob_fn: Callable[[list[Tensor]], Any], batch_size: int,
    queue_threads: int = 1, enqueue_many: bool = False, prebatch_capacity: int = 16,
    prebatch_threads: int = 1, runtime_checks: bool = False, name: str | None = None,
) -> list[Tensor]:
    """Batches of examples, each kept with the probability that a function of it says."""

def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None,
    back_prop: bool = False,
) -> list[Tensor]:
    """Repeats or leaves out rows at random, so that each appears as often on average as its rate says."""

def stratified_sample(
    tensors: Sequence[Any], labels: Any, target_probs: Any, batch_size: int, init_probs: Any = None,
    enqueue_many: bool = False, queue_capacity: int = 16, threads_per_queue: int = 1,
    name: str | None = None,
) -> tuple[list[Tensor], Tensor]:
    """Batches in which classes have given probabilities: examples of frequent classes are left out by
    chance."""

def train(
    train_op: Any, logdir: str | None, master: str = '', is_chief: bool = True,
    scaffold: Scaffold | None = None, hooks: Sequence[SessionRunHook] | None = None,
    chief_only_hooks: Sequence[SessionRunHook] | None = None, save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100, config: Any = None, max_wait_secs: float = 7200,
    run_metadata: Any = None,
) -> Any:
    """Runs a training operation until a hook asks to stop or the input ends."""

def wait_for_new_checkpoint(
    checkpoint_dir: Any, last_checkpoint: str | None = None, seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """Waits for a directory to have a new latest checkpoint."""

def weighted_resample(
    inputs: Sequence[Any], weights: Any, overall_rate: Any, scope: str | None = None,
    mean_decay: float = 0.999, seed: int | None = None,
) -> tuple[list[Tensor], Tensor]:
    """Takes rows at random in proportion to their weights."""
