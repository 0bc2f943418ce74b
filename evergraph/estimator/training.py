"""tf.estimator.train_and_evaluate: trains and evaluates in turns, or as the task that TF_CONFIG names."""
from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.cluster.server import Server
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.evaluator import EvalListener, EvalResult, EvaluateNewCheckpoints, Evaluator
from evergraph.estimator.replicated import works_in_step
from evergraph.estimator.tf_config import TaskType
from evergraph.estimator.train_specs import EvalSpec, TrainSpec, checked_hooks
from evergraph.train.session_run_hook import SessionRunHook

SECONDS_PER_WORKER, MOST_SECONDS = 5, 60
"""By how much each worker starts after the one before, and after the chief at most."""


@export("estimator.train_and_evaluate")
def train_and_evaluate(estimator: Any, train_spec: TrainSpec, eval_spec: EvalSpec) -> Any:
    """Trains an estimator, evaluates each new checkpoint, and exports models.

    Without a cluster in TF_CONFIG training pauses for evaluations: after every checkpoint, but not more often than
    `eval_spec.throttle_secs` says. How often there are checkpoints, RunConfig says. An evaluator beside a cluster
    evaluates checkpoints as they appear.

    >>> train_spec = tf.estimator.TrainSpec(lambda: batches().repeat(), max_steps=1000)
    >>> eval_spec = tf.estimator.EvalSpec(batches, steps=None, throttle_secs=0)
    >>> metrics, exports = tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)

    Args:
        estimator: a tf.estimator.Estimator.
        train_spec: a TrainSpec.
        eval_spec: an EvalSpec.

    Returns:
        (the metrics of the last evaluation, what the exporters gave) where one process does both.

    Raises:
        ValueError: the task is not one that there is.
        UnknownError: the address of the task's server is in use.
    """
    _check_type("estimator", estimator, Estimator)
    _check_type("eval_spec", eval_spec, EvalSpec)
    executor = TrainingExecutor(estimator=estimator, train_spec=train_spec, eval_spec=eval_spec)
    config = estimator.config
    if config.task_type == TaskType.EVALUATOR and config.task_id > 0:
        raise ValueError("there can only be one `evaluator` task at a time, that with task id 0; this one has "
                         f"task id {config.task_id}")
    return executor.run()


def _check_type(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"`{name}` must have type `tf.estimator.{kind.__name__}`, not {type(value)}")


class TrainingExecutor:
    """Does what a task of a cluster does, or everything where there is none.

    Args:
        estimator: an Estimator.
        train_spec: a TrainSpec.
        eval_spec: an EvalSpec; None where the task does not evaluate.
        train_hooks: hooks of training besides those of `train_spec`.
        continuous_eval_listener: an EvalListener.

    Raises:
        TypeError: one of them is something else.
    """

    def __init__(self, estimator: Any, train_spec: TrainSpec, eval_spec: EvalSpec | None,
                 train_hooks: Sequence[SessionRunHook] | None = None,
                 continuous_eval_listener: EvalListener | None = None) -> None:
        _check_type("estimator", estimator, Estimator)
        _check_type("train_spec", train_spec, TrainSpec)
        if eval_spec is not None and not isinstance(eval_spec, EvalSpec):
            raise TypeError(f"`eval_spec` must be either `None` or have type `tf.estimator.EvalSpec`, not {eval_spec}")
        if continuous_eval_listener is not None and not isinstance(continuous_eval_listener, EvalListener):
            raise TypeError("continuous_eval_listener must have type `_ContinuousEvalListener`, not "
                            f"{type(continuous_eval_listener)}")
        self._estimator, self._train_spec, self._eval_spec = estimator, train_spec, eval_spec
        self._train_hooks = checked_hooks(train_hooks)
        self._listener = continuous_eval_listener or EvalListener()

    estimator = property(lambda self: self._estimator)

    def run(self) -> Any:
        """Does what this process's task does.

        Raises:
            ValueError: there is no such task.
        """
        config = self._estimator.config
        if not config.cluster_spec and config.task_type != TaskType.EVALUATOR:
            logging.info("Training and evaluating in this process.")
            return self.run_local()
        if not config.task_type:
            raise ValueError("`estimator.config` must have task_type set. RunConfig takes it from the task in the "
                             "environment variable TF_CONFIG")
        if config.task_type == "local":
            raise ValueError("`task.type` in TF_CONFIG cannot be `local`: to train and evaluate in one process, leave "
                             "out its cluster and its task")
        runs = sorted(name[4:] for name in dir(self) if name.startswith("run_") and name != "run_local"
                      and callable(getattr(self, name)))
        if config.task_type not in runs:
            raise ValueError(f"Task type {config.task_type} of TF_CONFIG is not supported. Supported task types are "
                             f"{runs}")
        return getattr(self, f"run_{config.task_type}")()

    # ---- tasks that train

    def run_local(self) -> tuple[Any, list[Any]]:
        """Trains, pausing for evaluations; gives the last metrics and what the exporters gave."""
        _check_type("eval_spec", self._eval_spec, EvalSpec)
        config = self._estimator.config
        logging.info("Evaluating after every checkpoint, which the RunConfig has saved every %s steps or %s seconds.",
                     config.save_checkpoints_steps, config.save_checkpoints_secs)
        evaluations = self._evaluations()
        self._train([evaluations])
        result = evaluations.result
        return (None if result is None else result.metrics), evaluations.exported

    def run_chief(self) -> None:
        """Trains as the chief of a cluster."""
        self._join_cluster()
        self._train([])

    def run_worker(self) -> None:
        """Trains as a worker, which begins a little later than the one before it."""
        config = self._estimator.config
        if config.experimental_max_worker_delay_secs is None:
            most = MOST_SECONDS
        else:
            most = int(config.experimental_max_worker_delay_secs)
        self._join_cluster()
        delay = 0 if works_in_step(config.train_distribute) else min(most, (config.task_id + 1) * SECONDS_PER_WORKER)
        if delay > 0:
            logging.info("Waiting %d secs before starting training.", delay)
            time.sleep(delay)
        self._train([])

    def run_master(self) -> None:
        """Trains as the chief of a cluster, pausing for evaluations."""
        _check_type("eval_spec", self._eval_spec, EvalSpec)
        self._join_cluster()
        self._train([self._evaluations()])

    def run_ps(self) -> None:
        """Serves variables to a cluster, until the process ends."""
        self._join_cluster()
        self._server.join()

    def _evaluations(self) -> EvaluateNewCheckpoints:
        evaluator = Evaluator(self._estimator, self._eval_spec, self._train_spec.max_steps)
        return EvaluateNewCheckpoints(evaluator, self._eval_spec.throttle_secs, self._listener)

    def _train(self, listeners: Sequence[Any]) -> None:
        spec = self._train_spec
        self._estimator.train(input_fn=spec.input_fn, max_steps=spec.max_steps, hooks=[*spec.hooks, *self._train_hooks],
                              saving_listeners=[*spec.saving_listeners, *listeners])

    def _join_cluster(self) -> None:
        """Starts this task's server, unless it is alone.

        Raises:
            RuntimeError: TF_CONFIG does not say which task this is.
        """
        config = self._estimator.config
        if not config.cluster_spec or not config.task_type or config.task_id is None:
            raise RuntimeError("Could not start server; the RunConfig has no cluster_spec, task_type or task_id, which "
                               "TF_CONFIG gives")
        if works_in_step(config.train_distribute):
            return
        is_alone = sum(map(config.cluster_spec.num_tasks, config.cluster_spec.jobs)) == 1
        if is_alone and not config.master and config.task_type != TaskType.PS:
            logging.info("The cluster has one task: it needs no server.")
            return
        if not config.master:
            raise RuntimeError("Could not start server; the RunConfig has no master, which TF_CONFIG gives")
        self._server = Server(config.cluster_spec, config.task_type, config.task_id, protocol=config.protocol,
                              config=config.session_config)

    # ---- the task that evaluates

    def run_evaluator(self) -> None:
        """Evaluates checkpoints as they appear, until the last step is reached."""
        _check_type("eval_spec", self._eval_spec, EvalSpec)
        spec, max_steps = self._eval_spec, self._train_spec.max_steps
        if spec.start_delay_secs:
            logging.info("The first evaluation begins in %f seconds.", spec.start_delay_secs)
            time.sleep(spec.start_delay_secs)
        evaluator = Evaluator(self._estimator, spec, max_steps)
        while True:
            result = self._evaluated_once(evaluator, spec.throttle_secs)
            if result is None:
                return
            step = (result.metrics or {}).get("global_step", 0)
            if max_steps and step >= max_steps:
                logging.info("Evaluated the last step: global_step %s of %s.", step, max_steps)
                return

    def _evaluated_once(self, evaluator: Evaluator, throttle_secs: float) -> EvalResult | None:
        """Evaluates, then waits until the next evaluation may begin; None when a listener wants to end."""
        if not self._listener.before_eval():
            logging.info("Exiting evaluation, as requested by before_eval.")
            return None
        started = time.time()
        result, _ = evaluator.evaluate_and_export()
        if not self._listener.after_eval(result):
            logging.info("Exiting evaluation, as requested by after_eval.")
            return None
        elapsed = time.time() - started
        if evaluator.has_exported_last:
            return result
        if throttle_secs == 0 and result.metrics is None:
            logging.warning("EvalSpec.throttle_secs is set as 0, so the evaluator looks for checkpoints without pause. "
                            "Please consider to increase it")
        if elapsed < throttle_secs:
            logging.info("The next evaluation begins in %f seconds.", throttle_secs - elapsed)
            time.sleep(throttle_secs - elapsed)
        return result
