"""Says when something that happens every few steps, or seconds, is due: tf.train.SecondOrStepTimer."""
from __future__ import annotations

import time

import numpy as np

from evergraph.base.export import export


@export("train.SecondOrStepTimer", "estimator.SecondOrStepTimer")
class SecondOrStepTimer:
    """A timer that triggers at most once in a number of seconds or steps, and always at the first step.

    Args:
        every_secs: the number of seconds.
        every_steps: the number of steps. Exactly one of the two must be given.

    Raises:
        ValueError: both or neither are given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if (every_secs is None) == (every_steps is None):
            raise ValueError("give one of every_secs and every_steps")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Forgets when it last triggered."""
        self._last_step: int | None = None
        self._last_time: float | None = None
        self._due: float | None = None  # the time or the step, as a number of Python's, which are quick to compare

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is due at this step. A step never triggers twice."""
        if self._due is None:
            return True
        return (step if self._every_secs is None else time.time()) >= self._due and step != self._last_step

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Takes note that it triggered; gives the seconds and steps since the last time, or (None, None)."""
        now = time.time()
        passed = (None, None) if self._last_time is None else (now - self._last_time, step - self._last_step)
        self._last_time, self._last_step = now, step
        due = step + self._every_steps if self._every_secs is None else now + self._every_secs
        self._due = due.item() if isinstance(due, np.generic) else due
        return passed

    def last_triggered_step(self) -> int | None:
        """The step at which it last triggered, or None."""
        return self._last_step
