"""One line in a terminal that shows how far training or an evaluation is."""
from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from evergraph.base import logging, nest
from evergraph.graph.node import Tensor
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

_SECONDS_BETWEEN = 0.2
_MOST_PER_EXAMPLE = 64  # elements of a tensor that is fetched to count examples
_BAR = 10
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def is_wanted() -> bool:
    """Whether someone looks at a terminal and has said nothing about log lines.

    `tf.app.run` lowers the level of all loggers to INFO, which is nobody's wish.
    """
    return (sys.stderr.isatty() and logging.get_logger().level == logging.NOTSET
            and os.environ.get("TF_CPP_MIN_LOG_LEVEL") != "0")


def take_over() -> None:
    """Has the progress line, where it is wanted, stand for the log lines of this package; those of programs stay."""
    logging.get_logger().addFilter(_is_shown)


def _is_shown(record: Any) -> bool:
    return record.levelno > logging.INFO or not record.pathname.startswith(_PACKAGE) or not is_wanted()


class ProgressHook(SessionRunHook):
    """Shows the step, of how many, the loss, steps and examples per second, and the time left.

    It fetches what the other hooks of a training fetch already, so that no run has other fetches than the next. As a
    context manager it takes the line off the terminal's hands when training fails.

    Args:
        step: a tensor with the global step from before the run.
        loss: the loss.
        last_step: tells the step at which training ends, or None while that is not known.
        batch: the features and labels, of which a small tensor tells how many examples a run has.
    """

    def __init__(self, step: Tensor, loss: Tensor, last_step: Callable[[], int | None], batch: Any) -> None:
        self._fetches = {"step": step, "loss": loss, **_countable(batch)}
        self._last_step = last_step
        self._live: Any = None
        self._first: int | None = None
        self._start = self._shown = 0.0
        self._examples = 0
        self._values: dict[str, Any] = {}

    def __enter__(self) -> ProgressHook:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def after_create_session(self, session: Any, coord: Any) -> None:
        self._first, self._examples, self._start = None, 0, time.perf_counter()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._fetches)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._values = run_values.results
        if self._first is None:  # the rate is that of the runs after the first one, which compiles
            self._first, self._start = int(self._values["step"]) + 1, time.perf_counter()
        elif "batch" in self._values:
            self._examples += len(self._values["batch"])
        now = time.perf_counter()
        if now - self._shown >= _SECONDS_BETWEEN:
            self._shown = now
            self._show(now)

    def end(self, session: Any) -> None:
        """Leaves a last line that says where training ended."""
        if self._live is not None:
            self._show(time.perf_counter(), has_ended=True)

    def _show(self, now: float, has_ended: bool = False) -> None:
        if self._live is None:
            self._live = _opened()
        step, seconds = int(self._values["step"]) + 1, now - self._start
        text = line(step, self._last_step(), self._values["loss"], steps=step - (self._first or 0),
                    examples=self._examples, seconds=seconds, has_ended=has_ended)
        self._live.update(_plain(text), refresh=True)


def line(step: int, last: int | None, loss: Any, steps: int, examples: int, seconds: float,
         has_ended: bool = False) -> str:
    """The line after `steps` steps with so many examples, which took some seconds.

    >>> line(600, 1000, 0.25, steps=300, examples=9600, seconds=3.0)
    'training  ━━━━━━────  step 600 of 1,000  loss 0.25  100 steps/s  4 s left  3,200 examples/s'
    """
    parts = ["trained" if has_ended else "training"]
    if last is not None and not has_ended:
        done = min(_BAR * step // max(last, 1), _BAR)
        parts.append("━" * done + "─" * (_BAR - done))
    parts.append(f"step {step:,}" + (f" of {last:,}" if last is not None and not has_ended else ""))
    parts.append(f"loss {float(np.mean(loss)):.4g}")
    if steps and seconds > 0:
        parts.append(f"{_rate(steps / seconds)} steps/s")
        if has_ended:
            parts.append(f"in {_duration(seconds)}")
        elif last is not None:
            parts.append(f"{_duration((last - step) * seconds / steps)} left")
        if examples:
            parts.append(f"{_rate(examples / seconds)} examples/s")
    return "  ".join(parts)


def show_evaluation(metrics: Mapping[str, Any], seconds: float) -> None:
    """Prints the results of an evaluation on one line."""
    numbers = [f"{key} {float(value):.4g}" for key, value in sorted(metrics.items())
               if key != "global_step" and np.ndim(value) == 0 and not isinstance(value, bytes)]
    parts = [f"evaluated  step {int(metrics['global_step']):,}", *numbers, f"in {_duration(seconds)}"]
    _console().print(_plain("  ".join(parts)))


def _countable(batch: Any) -> dict[str, Tensor]:
    """The tensor with the fewest elements for each example, if some tensor has few."""
    small = []
    for tensor in nest.flatten(batch):
        shape = tensor._shape if isinstance(tensor, Tensor) else None
        if shape and None not in shape[1:] and np.prod(shape[1:], dtype=np.int64) <= _MOST_PER_EXAMPLE:
            small.append(tensor)
    return {"batch": min(small, key=lambda tensor: np.prod(tensor._shape[1:], dtype=np.int64))} if small else {}


def _opened() -> Any:
    """A line at the bottom of the terminal, above which the program's own output appears."""
    from rich.live import Live

    live = Live("", console=_console(), auto_refresh=False)
    live.start()
    return live


def _plain(text: str) -> Any:
    """Text that stays on one line and in one color."""
    from rich.text import Text

    return Text(text, no_wrap=True, overflow="ellipsis")


def _console() -> Any:
    from rich.console import Console

    return Console(stderr=True)


def _rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _duration(seconds: float) -> str:
    """Seconds as people say them: "4 s", "3:05", "1:02:03"."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 9.95 and seconds != whole else f"{whole} s"
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
