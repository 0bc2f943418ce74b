"""tf.keras.utils.Progbar: a line that shows how far a loop has come."""
from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from evergraph.base.export import export


@export("keras.utils.Progbar")
class Progbar:
    """A progress bar with the averages of values.

    A terminal shows it anew while the loop goes on; elsewhere, only the first and the last state are written.

    Args:
        target: the number of steps, None if it is unknown.
        width: the width of the bar in characters.
        verbose: 1 for a bar, 2 for a line at the end, 0 for nothing.
        interval: the least number of seconds between two states.
        stateful_metrics: the names of values that are shown as they are; others are averaged over the steps.
        unit_name: the word for a step.
    """

    def __init__(self, target: int | None, width: int = 30, verbose: int = 1, interval: float = 0.05,
                 stateful_metrics: Any = None, unit_name: str = "step") -> None:
        self.target, self.width, self.verbose, self.interval = target, width, verbose, interval
        self.unit_name, self.stateful_metrics = unit_name, set(stateful_metrics or ())
        self._totals: dict[str, tuple[Any, Any]] = {}  # (sum, weight) of each value
        self._seen, self._shown_width = 0, 0
        self._start, self._last_shown = time.time(), 0.0

    def update(self, current: int, values: Any = None) -> None:
        """Moves the bar.

        Args:
            current: the number of steps made.
            values: pairs of a name and its value in the last steps.
        """
        gained = current - self._seen
        for name, value in values or ():
            if name in self.stateful_metrics:
                self._totals[name] = value, 1
            else:
                total, weight = self._totals.get(name, (0.0, 0))
                self._totals[name] = total + value * gained, weight + gained
        self._seen = current
        now = time.time()
        is_last = self.target is not None and current >= self.target
        if self.verbose == 1 and (is_last or self._is_due(now)):
            self._show(current, now, is_last)
        elif self.verbose == 2 and is_last:
            _write(f"{self._count(current)} - {now - self._start:.0f}s{self._averages()}\n")

    def add(self, n: int, values: Any = None) -> None:
        """Moves the bar by `n` steps."""
        self.update(self._seen + n, values)

    def _is_due(self, now: float) -> bool:
        if self._last_shown and not sys.stdout.isatty() and "ipykernel" not in sys.modules:
            return False
        return self.target is None or now - self._last_shown >= self.interval

    def _show(self, current: int, now: float, is_last: bool) -> None:
        text = self._bar(current) + self._time(current, now, is_last) + self._averages()
        before, self._shown_width = self._shown_width, len(text)
        self._last_shown = now
        _write("\b" * before + "\r" + text.ljust(before) + ("\n" if is_last else ""))

    def _count(self, current: int) -> str:
        return f"{current:{len(str(self.target))}d}/{self.target}"

    def _bar(self, current: int) -> str:
        if self.target is None:
            return f"{current:7d}/Unknown"
        done = int(self.width * current / self.target)
        bar = "=" * (done - 1) + (">" if current < self.target else "=") if done > 0 else ""
        return f"{self._count(current)} [{bar}{'.' * (self.width - done)}]"

    def _time(self, current: int, now: float, is_last: bool) -> str:
        """What is left, or how long a step takes."""
        passed = now - self._start
        each = passed / current if current else 0.0
        if self.target is not None and not is_last:
            return f" - ETA: {_clock(each * (self.target - current))}"
        return f" - {passed:.0f}s {_duration(each)}/{self.unit_name}"

    def _averages(self) -> str:
        text = ""
        for name, (total, weight) in self._totals.items():
            average = np.mean(total / max(1, weight))
            text += f" - {name}: {average:.4f}" if abs(average) > 1e-3 else f" - {name}: {average:.4e}"
        return text


def _clock(seconds: float) -> str:
    if seconds > 3600:
        return f"{int(seconds // 3600)}:{int(seconds % 3600 // 60):02d}:{int(seconds % 60):02d}"
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}" if seconds > 60 else f"{int(seconds)}s"


def _duration(seconds: float) -> str:
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
