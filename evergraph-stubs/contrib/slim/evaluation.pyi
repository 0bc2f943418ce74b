# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.evaluation."""

from typing import Any

from evergraph.train import checkpoints_iterator as checkpoints_iterator

def evaluate_once(
    master: str, checkpoint_path: str, logdir: str, num_evals: int = 1, initial_op: Any = None,
    initial_op_feed_dict: Any = None, eval_op: Any = None, eval_op_feed_dict: Any = None,
    final_op: Any = None, final_op_feed_dict: Any = None, summary_op: Any = 0,
    summary_op_feed_dict: Any = None, variables_to_restore: Any = None, session_config: Any = None,
    hooks: Any = None,
) -> Any:
    """Evaluates a checkpoint; gives the value of `final_op`."""

def evaluation_loop(
    master: str, checkpoint_dir: str, logdir: str, num_evals: int = 1, initial_op: Any = None,
    initial_op_feed_dict: Any = None, init_fn: Any = None, eval_op: Any = None,
    eval_op_feed_dict: Any = None, final_op: Any = None, final_op_feed_dict: Any = None,
    summary_op: Any = 0, summary_op_feed_dict: Any = None, variables_to_restore: Any = None,
    eval_interval_secs: float = 60, max_number_of_evaluations: int | None = None,
    session_config: Any = None, timeout: float | None = None, timeout_fn: Any = None, hooks: Any = None,
) -> Any:
    """Evaluates each new checkpoint of a directory; gives the last value of `final_op`."""

from evergraph.contrib.training import wait_for_new_checkpoint as wait_for_new_checkpoint
