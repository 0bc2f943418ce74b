# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.learning."""

from collections.abc import Callable
from typing import Any
from evergraph.contrib.slim.learning import supervisor as supervisor, tf_saver as tf_saver

from evergraph.contrib.training import add_gradients_summaries as add_gradients_summaries
from evergraph.contrib.training import clip_gradient_norms as clip_gradient_norms

def create_train_op(
    total_loss: Any, optimizer: Any, global_step: Any = 0, update_ops: Any = None,
    variables_to_train: Any = None, clip_gradient_norm: float = 0, summarize_gradients: bool = False,
    gate_gradients: int = 1, aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Any = None, check_numerics: bool = True,
) -> Any:
    """`tf.contrib.training.create_train_op` with factors and a limit for gradients."""

from evergraph.contrib.training import multiply_gradients as multiply_gradients

def train(
    train_op: Any, logdir: str | None, train_step_fn: Callable[..., Any] = ..., train_step_kwargs: Any = 0,
    log_every_n_steps: int = 1, graph: Any = None, master: str = '', is_chief: bool = True,
    global_step: Any = None, number_of_steps: int | None = None, init_op: Any = 0,
    init_feed_dict: Any = None, local_init_op: Any = 0, init_fn: Any = None, ready_op: Any = 0,
    summary_op: Any = 0, save_summaries_secs: float = 600, summary_writer: Any = 0,
    startup_delay_steps: int = 0, saver: Any = None, save_interval_secs: float = 600,
    sync_optimizer: Any = None, session_config: Any = None, session_wrapper: Any = None,
    trace_every_n_steps: Any = None, ignore_live_threads: bool = False,
) -> Any:
    """Trains until the number of steps is reached or the input ends; begins where the last checkpoint in
    `logdir` is."""

def train_step(
    sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any],
) -> tuple[Any, bool]:
    """Makes a step of training; (the loss, whether training is over)."""
