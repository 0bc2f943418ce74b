"""tf.train.CheckpointManager: numbers the checkpoints of a directory and removes old ones."""

from __future__ import annotations

import os
import time
from typing import Any

from evergraph.base import errors, logging
from evergraph.base.export import export
from evergraph.base.text import as_text, path_to_str
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.run.own_session import session_to_use
from evergraph.save import state


@export("train.CheckpointManager")
class CheckpointManager:
    """Manages the checkpoints of a directory: keeps the last ones, and optionally one every few hours.

    >>> w = tf.get_variable("w", initializer=1.0)
    >>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(w=w), "/tmp/evergraph_managed", max_to_keep=2)
    >>> with tf.Session() as sess:
    ...     sess.run(w.initializer)
    ...     path = manager.save()
    >>> manager.latest_checkpoint == path
    True

    A manager takes over the checkpoints of an earlier manager in the directory.

    Args:
        checkpoint: the tf.train.Checkpoint to save.
        directory: the directory to save in.
        max_to_keep: the number of checkpoints to keep; None keeps all.
        keep_checkpoint_every_n_hours: the interval in hours after which one checkpoint is kept permanently.
        checkpoint_name: the prefix of the file names.

    Raises:
        ValueError: `max_to_keep` is neither None nor positive.
    """

    def __init__(
        self,
        checkpoint: Any,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"max_to_keep is a positive number, or None to keep all; got {max_to_keep}")
        self._checkpoint, self._max_to_keep = checkpoint, max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._directory = as_text(path_to_str(directory))
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._times: dict[str, float] = {}  # of the removable ones, oldest first
        self._latest: str | None = None
        self._preserved = time.time()
        self._recover()

    def _recover(self) -> None:
        """Takes over existing checkpoints."""
        found = state.get_checkpoint_state(self._directory)
        if found is None:
            return
        now, preserved = time.time(), found.last_preserved_timestamp
        self._latest = found.model_checkpoint_path
        if preserved > now:
            logging.warning(f"The clock ({now}) is behind the last preserved checkpoint timestamp ({preserved}): the "
                            "checkpoints that are there stay")  # fmt: skip
            return
        # A checkpoint without a timestamp was not written by a manager, and must not be removed.
        self._preserved = preserved or now
        times = zip(found.all_model_checkpoint_paths, found.all_model_checkpoint_timestamps)
        self._times = {path: written for path, written in times if written > self._preserved}

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint; None if there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the managed checkpoints, oldest first; without those kept permanently."""
        return list(self._times)

    def save(self, checkpoint_number: Any = None) -> str:
        """Writes a checkpoint, and removes old ones.

        The `checkpoint` file lists the new one before anything is removed.

        Args:
            checkpoint_number: a number, or a variable or tensor with it, to use instead of the checkpoint's counter.

        Returns:
            The path of the checkpoint.
        """
        session = session_to_use(None, default_graph(), "save")
        count = self._checkpoint._count(session)
        if checkpoint_number is None:
            checkpoint_number = count
        elif not isinstance(checkpoint_number, int):
            checkpoint_number = int(convert_to_tensor(checkpoint_number).numpy() if default_graph().is_eager
                                    else session.run(checkpoint_number))
        path = self._checkpoint.write(f"{self._prefix}-{checkpoint_number}", session)
        self._latest = path
        self._times.pop(path, None)
        self._times[path] = time.time()
        self._record()
        if self._sweep():
            self._record()
        return path

    def _record(self) -> None:
        state.write_state(self._directory, str(self._latest), self.checkpoints, relative=True,
                          times=list(self._times.values()), preserved=self._preserved)  # fmt: skip

    def _sweep(self) -> bool:
        """Removes the oldest checkpoints beyond `max_to_keep`; returns whether the list changed."""
        changed = False
        while self._max_to_keep is not None and len(self._times) > self._max_to_keep:
            path = next(iter(self._times))
            written, changed = self._times.pop(path), True
            if self._hours and written - self._hours * 3600 >= self._preserved:
                self._preserved = written
                continue
            try:
                state.remove_checkpoint(path)
            except (OSError, errors.OpError) as error:  # the new checkpoint is written; leftovers only take space
                logging.warning(f"{path} cannot be removed: {error}")
        return changed
