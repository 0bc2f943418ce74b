"""Takes the frames out of an error's traceback that are not the program's: the launcher's, evergraph's, those below."""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
import traceback
from types import TracebackType
from typing import Any

OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_LAUNCHER = OURS + os.path.join("cli", "")
_RUN = os.path.join(_LAUNCHER, "run.py")
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_HELPERS = frozenset(["absl", "jax", "jaxlib", "numpy", "google", "fsspec", "tensorboard", "ml_dtypes", "grpc"])
"""Packages through which evergraph computes: below a frame of evergraph, a frame of theirs is evergraph's."""


def install(advice: str) -> None:
    """Has errors that end the program, or a thread of it, shown in short, for the rest of the process.

    Args:
        advice: says how to see the frames that were hidden.
    """
    whole, of_thread = sys.excepthook, threading.excepthook

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        hidden = shorten(error)
        if whole is sys.__excepthook__ and sys.version_info < (3, 13):
            traceback.print_exception(error)  # which finds lines of a notebook's cells; from 3.13 on the hook does
        else:
            whole(kind, error, error.__traceback__)
        _tell(hidden, advice)

    def show_of_thread(args: Any) -> None:
        hidden = shorten(args.exc_value) if args.exc_value is not None else 0
        trace = getattr(args.exc_value, "__traceback__", None)
        of_thread(type(args)([args.exc_type, args.exc_value, trace, args.thread]))
        _tell(hidden, advice)

    sys.excepthook, threading.excepthook = show, show_of_thread


def _tell(hidden: int, advice: str) -> None:
    if hidden and sys.stderr is not None:
        print(f"({hidden} frames of evergraph and the packages below it are hidden; {advice})", file=sys.stderr)


def shorten(error: BaseException) -> int:
    """Relinks the tracebacks of an error and of those behind it without the frames that are not the program's.

    An error behind it that evergraph alone knows of, such as one of JAX that it raised as one of TensorFlow, goes.

    Returns:
        How many frames were hidden, those of the launcher aside.
    """
    seen: set[int] = set()
    hidden = _shorten(error, seen)
    while (behind := error.__cause__ or (None if error.__suppress_context__ else error.__context__)) is not None:
        if id(behind) in seen:
            break
        hidden += _shorten(behind, seen)
        if behind.__traceback__ is None:
            error.__cause__, error.__suppress_context__ = None, True
            break
        error = behind
    return hidden


def _shorten(error: BaseException, seen: set[int]) -> int:
    seen.add(id(error))
    steps = []
    trace = error.__traceback__
    while trace is not None:
        steps.append(trace)
        trace = trace.tb_next
    begun = _after_launcher([_file(step) for step in steps])
    kept, ours = [], False
    for step in steps[begun:]:
        file = _file(step)
        ours = is_ours(file) or ours and _is_helper(file)
        if not ours:
            kept.append(step)
    shown: TracebackType | None = None
    for step in reversed(kept):
        shown = TracebackType(shown, step.tb_frame, step.tb_lasti, step.tb_lineno)
    error.__traceback__ = shown
    return len(steps) - begun - len(kept)


def _after_launcher(files: list[str]) -> int:
    """The number of frames between Python and the program: those of the command, and of `runpy` below it."""
    if _RUN not in files:
        return 0
    place = files.index(_RUN)
    while place < len(files) and (files[place].startswith(_LAUNCHER) or "runpy" in files[place]):
        place += 1
    return place


def is_ours(file: str) -> bool:
    """Whether a source is evergraph's own; what it generates has no file."""
    return file.startswith((OURS, "<stage ", "<op ")) or not file


def _is_helper(file: str) -> bool:
    if file.startswith("<frozen"):
        return True
    _, _, package = file.rpartition(f"site-packages{os.sep}")
    if package != file:
        return package.partition(os.sep)[0] in _HELPERS
    return file.startswith(_STANDARD)


def _file(step: TracebackType) -> str:
    return step.tb_frame.f_code.co_filename
