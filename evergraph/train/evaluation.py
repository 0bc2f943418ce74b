"""Evaluates a checkpoint: runs some operations until the input ends or often enough, then fetches the results."""
from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, logging, nest
from evergraph.base.export import export
from evergraph.frontend.array import identity
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.graph.graph import default_graph
from evergraph.train.hooks import FinalOpsHook
from evergraph.train.monitored import ChiefSessionCreator, MonitoredSession
from evergraph.train.scaffold import Scaffold
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@export("contrib.training.get_or_create_eval_step")
def get_or_create_eval_step() -> Any:
    """The int64 variable that counts the runs of an evaluation; created if the graph has none.

    Raises:
        ValueError: the graph has several.
    """
    found = get_collection(GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError(f"the collection tf.GraphKeys.EVAL_STEP must hold one step, got {found}")
    if found:
        return found[0]
    with default_graph().name_scope(None):
        return get_variable("eval_step", shape=[], dtype=dtypes.int64, initializer=zeros_initializer(), trainable=False,
                            collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP])


@export("contrib.training.StopAfterNEvalsHook")
class StopAfterNEvalsHook(SessionRunHook):
    """Stops an evaluation after a number of runs.

    Args:
        num_evals: the number; None does not stop.
        log_progress: whether to log how far the evaluation is, about ten times.
    """

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals, self._log_progress = num_evals, log_progress
        self._log_frequency = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10)

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._asks = SessionRunArgs({"evals_completed": updated_eval_step})

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return self._asks

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        done, wanted = int(run_values.results["evals_completed"]), self._num_evals
        if self._log_progress:
            if wanted is None:
                logging.info("Evaluation [%d]", done)
            elif done % self._log_frequency == 0 or done == wanted:
                logging.info("Evaluation [%d/%d]", done, wanted)
        if wanted is not None and done >= wanted:
            run_context.request_stop()


@export("contrib.training.evaluate_once")
def evaluate_once(checkpoint_path: str | None, master: str = "", scaffold: Scaffold | None = None,
                  eval_ops: Any = None, feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
                  hooks: Sequence[SessionRunHook] | None = None, config: Any = None) -> Any:
    """Evaluates the graph at a checkpoint.

    Args:
        checkpoint_path: the checkpoint; None initializes the variables.
        master: the target of the session.
        scaffold: the Scaffold with the saver and initializers; by default a new one.
        eval_ops: what to run until the input ends or a hook asks to stop: an operation, a tensor, or a list or dict of
            them. Without any the session runs nothing but `final_ops`.
        feed_dict: the feeds of `eval_ops`.
        final_ops: what to fetch at the end.
        final_ops_feed_dict: the feeds of `final_ops`.
        hooks: SessionRunHooks.
        config: a ConfigProto.

    Returns:
        The values of `final_ops`; None without any.
    """
    hooks = list(hooks or ())
    counted = counting(eval_ops, hooks)
    return run_evaluation(checkpoint_path, counted, master, scaffold, feed_dict, final_ops, final_ops_feed_dict, hooks,
                          config)


def counting(eval_ops: Any, hooks: Sequence[SessionRunHook]) -> Any:
    """The operations of an evaluation as one that also counts its runs, which hooks may stop by; None without any."""
    step = get_or_create_eval_step()
    if eval_ops is None:
        counted, completed = None, identity(step)
    else:
        parts = nest.flatten(eval_ops)
        with control_dependencies(parts):
            completed = step.assign_add(np.int64(1), read_value=True)
        counted = group(*parts, completed)
    for hook in hooks:
        if isinstance(hook, StopAfterNEvalsHook):
            hook._set_evals_completed_tensor(completed)
    return counted


def run_evaluation(checkpoint_path: str | None, counted: Any, master: str, scaffold: Scaffold | None, feed_dict: Any,
                   final_ops: Any, final_ops_feed_dict: Any, hooks: Sequence[SessionRunHook], config: Any) -> Any:
    """Runs what `counting` made until it is time to stop; gives the values of `final_ops`."""
    logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_filename_with_path=checkpoint_path)
    with MonitoredSession(creator, [*hooks, final]) as session:
        while counted is not None and not session.should_stop():
            session.run(counted, feed_dict)
    logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return final.final_ops_values
