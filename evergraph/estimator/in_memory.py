"""Evaluation while training goes on, without checkpoints: tf.estimator.experimental.InMemoryEvaluatorHook."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.estimator import Estimator
from evergraph.frontend.array import placeholder
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, get_collection, global_variables
from evergraph.frontend.control_flow import group
from evergraph.graph.graph import Graph
from evergraph.train.evaluation import counting
from evergraph.train.scaffold import Scaffold
from evergraph.train.session_run_hook import SessionRunContext, SessionRunHook, SessionRunValues
from evergraph.train.timer import SecondOrStepTimer


@export("estimator.experimental.InMemoryEvaluatorHook", "contrib.estimator.InMemoryEvaluatorHook")
class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates an Estimator during training: before the first step, every few runs, and at the end.

    The variables are copied from the session that trains, so no checkpoint is written. Results go to
    `estimator.eval_dir(name)`.

    Args:
        estimator: the Estimator that trains.
        input_fn: makes the input, as for `Estimator.evaluate`.
        steps: the number of batches; None evaluates until the input ends.
        hooks: SessionRunHooks of the evaluation.
        name: tells this evaluation from others.
        every_n_iter: the number of runs between evaluations.

    Raises:
        ValueError: `every_n_iter` is not positive, or the Estimator trains on several machines.
    """

    def __init__(self, estimator: Estimator, input_fn: Callable[..., Any], steps: int | None = None,
                 hooks: Sequence[SessionRunHook] | None = None, name: str | None = None,
                 every_n_iter: int = 100) -> None:
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if estimator.config.num_ps_replicas > 0 or estimator.config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine training, but the config has "
                             f"{estimator.config.num_worker_replicas} workers and {estimator.config.num_ps_replicas} "
                             "parameter servers")
        self._estimator, self._input_fn, self._name = estimator, input_fn, name
        self._hooks = [*(hooks or ()), *estimator._convert_eval_steps_to_hooks(steps)]
        self._timer = SecondOrStepTimer(every_steps=every_n_iter)
        self._runs = 0

    def begin(self) -> None:
        self._timer.reset()
        self._runs = 0
        self._graph = Graph()
        with self._graph.as_default():
            self._scaffold, update_op, self._metrics, self._all_hooks = self._estimator._evaluate_build_graph(
                self._input_fn, self._hooks, checkpoint_path=None)
            self._check_scaffold()
            self._counted = counting(update_op, self._all_hooks)
            self._copies, self._copy_op = self._placeholders()

    def _check_scaffold(self) -> None:
        if self._scaffold.saver is not None:
            raise ValueError(f"InMemoryEvaluator does not support custom saver: {self._scaffold.saver}")
        if self._scaffold.init_fn is not None:
            raise ValueError("InMemoryEvaluator copies variables and does not support custom init_fn in the Scaffold")

    def _placeholders(self) -> tuple[dict[str, Any], Any]:
        """(placeholders by the names of variables, the operation that assigns them)."""
        with name_scope("in_memory"):
            made = {variable.op.name: placeholder(variable.dtype.base_dtype, variable.shape)
                    for variable in global_variables()}
            return made, group(*(variable.assign(made[variable.op.name]) for variable in global_variables()))

    def after_create_session(self, session: Any, coord: Any) -> None:
        if get_collection(GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError("InMemoryEvaluator does not support saveables: it copies global variables alone")
        trained = {variable.op.name: variable for variable in global_variables()}
        missing = sorted(set(self._copies) - set(trained))
        if missing:
            raise ValueError(f"InMemoryEvaluator: training has no variables {missing}, which evaluation needs")
        self._trained = {name: trained[name] for name in self._copies}
        self._evaluate(session)

    def _evaluate(self, session: Any) -> None:
        values = session.run(self._trained)
        feeds = {self._copies[name]: value for name, value in values.items()}

        def copy(scaffold: Scaffold, evaluating: Any) -> None:
            evaluating.run(self._copy_op, feeds)

        with self._graph.as_default():
            scaffold = Scaffold(init_fn=copy, copy_from_scaffold=self._scaffold)
            self._estimator._evaluate_run(None, scaffold, self._counted, self._metrics, self._all_hooks,
                                          self._estimator.eval_dir(self._name))
        self._timer.update_last_triggered_step(self._runs)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._runs += 1
        if self._timer.should_trigger_for_step(self._runs):
            self._evaluate(run_context.session)

    def end(self, session: Any) -> None:
        if self._runs != self._timer.last_triggered_step():
            self._evaluate(session)
