# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.logging."""

from typing import Any

DEBUG: int
ERROR: int
FATAL: int
INFO: int

def TaskLevelStatusMessage(msg: Any) -> None:
    """Logs a message about the whole task at the level ERROR."""

WARN: int

def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level DEBUG."""

def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level ERROR."""

def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level FATAL; does not end the program."""

def flush() -> None:
    """Flushes the handlers' buffers."""

def get_verbosity() -> int:
    """The lowest level that is logged; WARN by default."""

def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level INFO."""

def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level."""

def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` on every `n`-th call from the same line, starting with the first."""

def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` on the first `n` calls from the same line."""

def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs `msg % args` if a condition is true."""

def set_verbosity(v: int | str) -> None:
    """Sets the lowest level that is logged: a number such as `tf.logging.INFO`, or its name."""

def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level."""

warn = warning

def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level WARN."""
