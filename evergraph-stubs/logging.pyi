# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.logging."""

from typing import Any

DEBUG: int
ERROR: int
FATAL: int
INFO: int

def TaskLevelStatusMessage(msg: Any) -> None:
    """Logs a message about the task as a whole, as an error."""

WARN: int

def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level DEBUG."""

def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level ERROR."""

def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level FATAL; the program goes on."""

def flush() -> None:
    """Has messages that wait in buffers written."""

def get_verbosity() -> int:
    """The level from which on messages are written; WARN unless something set another."""

def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level INFO."""

def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level."""

def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` at the first of every `n` times that the calling line gets here."""

def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` the first `n` times that the calling line gets here."""

def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs `msg % args` if a condition holds."""

def set_verbosity(v: int | str) -> None:
    """Sets the level from which on messages are written: a number such as `tf.logging.INFO`, or its
    name."""

def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level."""

warn = warning

def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level WARN."""
