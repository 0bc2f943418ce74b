"""A hook that saves where the iterators of a graph stand: `tf.data.experimental.CheckpointInputPipelineHook`."""

from __future__ import annotations

from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.data.experimental.saving import IteratorSaveable
from evergraph.data.iterator import GLOBAL_ITERATORS
from evergraph.frontend.collections import get_collection
from evergraph.save.saver import Saver
from evergraph.save.state import latest_checkpoint
from evergraph.train.hooks import CheckpointSaverHook
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@export("data.experimental.CheckpointInputPipelineHook", "contrib.data.CheckpointInputPipelineHook")
class CheckpointInputPipelineHook(SessionRunHook):
    """Saves where the iterators of the graph stand, and restores that when training goes on.

    It saves as often as the estimator saves the model, to files of its own: `input.ckpt-<step>` in its directory.

    Args:
        estimator: the tf.estimator.Estimator that is trained.

    Raises:
        ValueError: the graph that is trained has no iterator.
    """

    def __init__(self, estimator: Any) -> None:
        config = estimator.config
        name = "input" if config.num_worker_replicas <= 1 else f"input_{config.task_type}_{config.task_id}"
        # The base of hooks that save a model is not this one's: an estimator that finds one adds none.
        self._hook = _IteratorSaverHook(estimator.model_dir, config.save_checkpoints_secs,
                                        config.save_checkpoints_steps, name)

    def begin(self) -> None:
        """Adds what saves the iterators to the graph."""
        self._hook.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Restores the iterators if there is a checkpoint of them; saves them otherwise."""
        self._hook.after_create_session(session, coord)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Asks for the step."""
        return self._hook.before_run(run_context)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Saves the iterators if it is time."""
        self._hook.after_run(run_context, run_values)

    def end(self, session: Any) -> None:
        """Saves the iterators."""
        self._hook.end(session)


class _IteratorSaverHook(CheckpointSaverHook):
    """Saves iterators as its base saves variables.

    Args:
        name: the prefix of the names of files.
    """

    def __init__(self, folder: str, save_secs: float | None, save_steps: int | None, name: str) -> None:
        super().__init__(folder, save_secs, save_steps, checkpoint_basename=f"{name}.ckpt")
        self._latest = f"checkpoint_{name}"

    def begin(self) -> None:
        found = get_collection(GLOBAL_ITERATORS)
        if not found:
            raise ValueError("The graph has no iterators whose state could be saved: make them before the session.")
        self._saver = Saver([IteratorSaveable(resource) for resource in found])
        super().begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        step, latest = session.run(self._step), latest_checkpoint(self._folder, self._latest)
        if latest is None:
            self._save(session, step)
        else:
            self._saver.restore(session, latest)
        self._timer.update_last_triggered_step(step)

    def _save(self, session: Any, step: int) -> bool:
        logging.info("Saving the iterators of step %d to %s.", step, self._path)
        self._saver.save(session, self._path, global_step=step, latest_filename=self._latest, write_meta_graph=False)
        return False
