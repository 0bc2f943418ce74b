"""Trains the model that an EstimatorSpec describes: which hooks take part, and the loop over steps."""
from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from evergraph.base import logging
from evergraph.estimator import progress
from evergraph.estimator.spec import EstimatorSpec
from evergraph.estimator.tf_config import TaskType
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.save.saver import Saver
from evergraph.summary import summaries
from evergraph.train.global_step import global_step_read
from evergraph.train.hooks import (
    CheckpointSaverHook,
    CheckpointSaverListener,
    LoggingTensorHook,
    NanTensorHook,
    StepCounterHook,
    StopAtStepHook,
    SummarySaverHook,
)
from evergraph.train.monitored import MonitoredTrainingSession
from evergraph.train.session_run_hook import SessionRunHook


def train_with_spec(spec: EstimatorSpec, config: Any, session_config: Any, hooks: Sequence[SessionRunHook],
                    input_hooks: Sequence[SessionRunHook], global_step: Any,
                    listeners: Sequence[CheckpointSaverListener], batch: Any = None) -> Any:
    """Trains in the default graph until a hook asks to stop or the input ends; gives the last loss.

    Args:
        spec: the model.
        config: the RunConfig.
        session_config: the ConfigProto of the session.
        hooks: those of the caller, which see each run before the loss is tested for NaN.
        input_hooks: those of the input.
        global_step: the tensor by which the loss is logged.
        listeners: hear of each checkpoint.
        batch: the features and labels of a run.
    """
    _summarize_loss(spec.loss)
    worker_hooks = [*input_hooks, *hooks, NanTensorHook(spec.loss)]
    if config.log_step_count_steps is not None:
        worker_hooks.append(LoggingTensorHook({"loss": spec.loss, "step": global_step},
                                              every_n_iter=config.log_step_count_steps))
    worker_hooks.extend(spec.training_hooks)
    _provide_saver(spec, config)
    chief_hooks = [*_saver_hooks(spec, config, worker_hooks, listeners), *spec.training_chief_hooks]
    summary_steps, count_steps = config.save_summary_steps, config.log_step_count_steps
    if _master_leaves_summaries_to_a_worker(config):
        worker_hooks.extend(_summary_hooks(spec, config))
        summary_steps, count_steps = 0, None
    loss = None
    with contextlib.ExitStack() as stack:
        if progress.is_wanted():
            worker_hooks.append(stack.enter_context(_progress_of(spec.loss, hooks, batch)))
        session = stack.enter_context(MonitoredTrainingSession(
            master=config.master, is_chief=config.is_chief, checkpoint_dir=config.model_dir, scaffold=spec.scaffold,
            hooks=worker_hooks, chief_only_hooks=chief_hooks, save_checkpoint_secs=0,
            save_summaries_steps=summary_steps, config=session_config, log_step_count_steps=count_steps,
            max_wait_secs=config.session_creation_timeout_secs))
        fetches = [spec.train_op, spec.loss]
        while not session.should_stop():
            _, loss = session.run(fetches)
    if loss is None:
        logging.warning("training took no step: does the input have any examples?")
    return loss


def _progress_of(loss: Any, hooks: Sequence[SessionRunHook], batch: Any) -> progress.ProgressHook:
    """Shows how far training is, up to the first step at which a hook stops it."""
    stops = [hook for hook in hooks if isinstance(hook, StopAtStepHook)]

    def last_step() -> int | None:
        return min((hook.last_step for hook in stops if hook.last_step is not None), default=None)

    return progress.ProgressHook(global_step_read(), loss, last_step, batch)


def _summarize_loss(loss: Any) -> None:
    """The loss is a summary of every model, unless the model has one of that name."""
    if not any(summary.op.name == "loss" for summary in get_collection(GraphKeys.SUMMARIES)):
        summaries.scalar("loss", loss)
    add_to_collection(GraphKeys.LOSSES, loss)


def _provide_saver(spec: EstimatorSpec, config: Any) -> None:
    """The saver keeps as many checkpoints as the configuration says, unless the model brings one."""
    if spec.scaffold.saver is not None or get_collection(GraphKeys.SAVERS):
        return
    add_to_collection(GraphKeys.SAVERS, Saver(
        sharded=True, max_to_keep=config.keep_checkpoint_max,
        keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours, defer_build=True,
        save_relative_paths=True))


def _saver_hooks(spec: EstimatorSpec, config: Any, worker_hooks: Sequence[SessionRunHook],
                 listeners: Sequence[CheckpointSaverListener]) -> list[CheckpointSaverHook]:
    """The hook that saves checkpoints, unless there is one among the others.

    Raises:
        ValueError: there are listeners, but nothing saves.
    """
    made, found = [], [hook for hook in [*worker_hooks, *spec.training_chief_hooks]
                       if isinstance(hook, CheckpointSaverHook)]
    if not found and (config.save_checkpoints_secs or config.save_checkpoints_steps):
        made = found = [CheckpointSaverHook(
            config.model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
            scaffold=spec.scaffold)]
    if listeners and not found:
        raise ValueError("There should be a CheckpointSaverHook. A RunConfig with save_checkpoints_steps or "
                         "save_checkpoints_secs makes the CheckpointSaverHook to use saving_listeners with")
    for listener in listeners:
        found[0].add_listener(listener)
    return made


def _master_leaves_summaries_to_a_worker(config: Any) -> bool:
    """A master evaluates besides, so its first worker writes summaries where there is one."""
    return {TaskType.MASTER, TaskType.WORKER} <= set(config.cluster_spec.jobs)


def _summary_hooks(spec: EstimatorSpec, config: Any) -> list[SessionRunHook]:
    hooks: list[SessionRunHook] = []
    if (config.task_type, config.task_id) == (TaskType.WORKER, 0):
        if config.save_summary_steps:
            hooks.append(SummarySaverHook(scaffold=spec.scaffold, save_steps=config.save_summary_steps,
                                          output_dir=config.model_dir))
        if config.log_step_count_steps:
            hooks.append(StepCounterHook(every_n_steps=config.log_step_count_steps, output_dir=config.model_dir))
    return hooks
