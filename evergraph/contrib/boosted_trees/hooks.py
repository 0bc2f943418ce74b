"""Hooks of boosted trees: they end training, change what is trained, and write how much each feature gained."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.graph.graph import get_default_graph
from evergraph.proto import summary_pb2
from evergraph.summary.writer import FileWriterCache
from evergraph.train.global_step import get_global_step, get_or_create_global_step
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunHook

_HOOKS = "contrib.boosted_trees.estimator_batch.trainer_hooks"


@export(f"{_HOOKS}.StopAfterNTrees")
class StopAfterNTrees(SessionRunHook):
    """Ends training when there are enough trees, or when twice as many were begun.

    Args:
        n: how many trees are enough.
        num_attempted_trees_tensor: how many trees were begun.
        num_finalized_trees_tensor: how many have stopped to grow.
        override_global_step_value: what the global step becomes at the end.
    """

    def __init__(self, n: int, num_attempted_trees_tensor: Any, num_finalized_trees_tensor: Any,
                 override_global_step_value: int | None = None) -> None:
        self._enough, self._numbers = n, [num_finalized_trees_tensor, num_attempted_trees_tensor]
        self._override = override_global_step_value

    def begin(self) -> None:
        self._last = None if self._override is None else get_or_create_global_step().assign(self._override).op

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._numbers)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        finalized, attempted = run_values.results
        if finalized < self._enough and attempted < 2 * self._enough:
            return
        if self._last is not None:
            run_context.session.run(self._last)
        run_context.request_stop()


@export(f"{_HOOKS}.SwitchTrainOp")
class SwitchTrainOp(SessionRunHook):
    """Runs one train op for some steps and another one after them.

    Args:
        first_train_op: the first.
        train_steps: for how many global steps.
        second_train_op: the other one.
    """

    def __init__(self, first_train_op: Any, train_steps: int, second_train_op: Any) -> None:
        self._ops, self._steps = (first_train_op, second_train_op), train_steps

    def begin(self) -> None:
        self._step = get_global_step()
        self._now = None

    def after_create_session(self, session: Any, coord: Any) -> None:
        self._now = int(session.run(self._step))

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs({"step": self._step, "train_op": self._ops[self._now >= self._steps]})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._now = int(run_context.session.run(self._step))


@export(f"{_HOOKS}.FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Feeds what a function gives.

    Args:
        feed_fn: a function without arguments that returns a feed_dict.
    """

    def __init__(self, feed_fn: Any) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


@export(f"{_HOOKS}.FeatureImportanceSummarySaver")
class FeatureImportanceSummarySaver(SessionRunHook):
    """Writes how often each feature is used in splits and what these gained, in a folder for each feature.

    The graph has the tensors gbdt/feature_names, gbdt/feature_usage_counts and gbdt/feature_gains.

    Args:
        model_dir: where the folders are.
        every_n_steps: how many steps lie between two summaries.

    Raises:
        ValueError: there is no directory.
    """

    def __init__(self, model_dir: str | None, every_n_steps: int = 1) -> None:
        if model_dir is None:
            raise ValueError("the summaries of features need a model_dir")
        self._model_dir, self._every = model_dir, every_n_steps
        self._last: int | None = None

    def begin(self) -> None:
        graph = get_default_graph()
        self._tensors = {name: graph.get_tensor_by_name(f"gbdt/{name}:0")
                         for name in ("feature_names", "feature_usage_counts", "feature_gains")}
        self._tensors["step"] = get_global_step()

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._tensors)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        found = run_values.results
        step = int(found["step"])
        if self._last is not None and step - self._last < self._every:
            return
        self._last = step
        counts, gains = found["feature_usage_counts"], found["feature_gains"]
        numbers = {"feature_importance/usage_counts": counts,
                   "feature_importance/usage_fraction": counts / max(np.sum(counts), 1),
                   "feature_importance/gains": gains}
        for at, name in enumerate(found["feature_names"].tolist()):
            summary = summary_pb2.Summary()
            for tag, values in numbers.items():
                summary.value.add(tag=tag, simple_value=float(values[at]))
            FileWriterCache.get(os.path.join(self._model_dir, name.decode())).add_summary(summary, step)

    def end(self, session: Any) -> None:
        for name in session.run(self._tensors["feature_names"]).tolist():
            FileWriterCache.get(os.path.join(self._model_dir, name.decode())).flush()
