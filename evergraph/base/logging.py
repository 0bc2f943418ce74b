"""tf.logging: messages to the logger named "tensorflow", written as INFO:tensorflow:... on standard error."""

from __future__ import annotations

import collections
import logging
import sys
import threading
from typing import Any

import absl.logging

from evergraph.base.export import export

NOTSET = logging.NOTSET
DEBUG = export("logging.DEBUG")(logging.DEBUG)
INFO = export("logging.INFO")(logging.INFO)
WARN = export("logging.WARN")(logging.WARNING)
ERROR = export("logging.ERROR")(logging.ERROR)
FATAL = export("logging.FATAL")(logging.CRITICAL)

_log_counts: collections.Counter[tuple[str, str, int]] = collections.Counter()
_configured: list[logging.Logger] = []
_configuring = threading.Lock()


@export("get_logger")
def get_logger() -> logging.Logger:
    """The logger that tf.logging writes to.

    It prints by itself unless the root logger has handlers at the first use, which means that the program has set up
    logging. In interactive sessions it starts at INFO and prints to standard output.
    """
    if not _configured:
        with _configuring:
            if not _configured:
                _configured.append(_configure(logging.getLogger("tensorflow")))
    return _configured[0]


def _configure(logger: logging.Logger) -> logging.Logger:
    root_handlers = [each for each in logging.getLogger().handlers if each is not absl.logging.get_absl_handler()]
    if logger.handlers or root_handlers:
        return logger
    interactive = hasattr(sys, "ps1") or bool(sys.flags.interactive)
    if interactive:
        logger.setLevel(INFO)
    handler = logging.StreamHandler(sys.stdout if interactive else sys.stderr)
    handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
    logger.addHandler(handler)
    absl.logging.get_absl_handler().addFilter(_not_printed_twice)
    return logger


def _not_printed_twice(record: logging.LogRecord) -> bool:
    """Filter that keeps absl's handler, which tf.app.run adds to the root logger, from printing messages twice."""
    stream = getattr(absl.logging.get_absl_handler().python_handler, "stream", None)
    return record.name != "tensorflow" or stream not in (sys.stderr, sys.stdout)


@export("logging.log")
def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level."""
    get_logger().log(level, msg, *args, **_for_caller(kwargs))


@export("logging.debug")
def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level DEBUG."""
    get_logger().log(DEBUG, msg, *args, **_for_caller(kwargs))


@export("logging.info")
def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level INFO."""
    get_logger().log(INFO, msg, *args, **_for_caller(kwargs))


@export("logging.warn", "logging.warning")
def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level WARN."""
    get_logger().log(WARN, msg, *args, **_for_caller(kwargs))


warn = warning


@export("logging.error")
def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level ERROR."""
    get_logger().log(ERROR, msg, *args, **_for_caller(kwargs))


@export("logging.fatal")
def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at the level FATAL; does not end the program."""
    get_logger().log(FATAL, msg, *args, **_for_caller(kwargs))


@export("logging.vlog")
def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level."""
    get_logger().log(level, msg, *args, **_for_caller(kwargs))


def _for_caller(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Makes the logger report the line that called this module."""
    return {"stacklevel": 2, **kwargs}


@export("logging.TaskLevelStatusMessage")
def TaskLevelStatusMessage(msg: Any) -> None:  # noqa: N802 (TensorFlow's name)
    """Logs a message about the whole task at the level ERROR."""
    get_logger().log(ERROR, msg, stacklevel=2)


@export("logging.log_if")
def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs `msg % args` if a condition is true."""
    if condition:
        get_logger().log(level, msg, *args, stacklevel=2)


@export("logging.log_every_n")
def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` on every `n`-th call from the same line, starting with the first."""
    if _count_of_caller("every") % n == 0:
        get_logger().log(level, msg, *args, stacklevel=2)


@export("logging.log_first_n")
def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` on the first `n` calls from the same line."""
    if _count_of_caller("first") < n:
        get_logger().log(level, msg, *args, stacklevel=2)


def _count_of_caller(purpose: str) -> int:
    """The number of earlier calls from the line that called this module's function, counted per purpose."""
    frame = sys._getframe(2)
    key = purpose, frame.f_code.co_filename, frame.f_lineno
    _log_counts[key] += 1
    return _log_counts[key] - 1


@export("logging.get_verbosity")
def get_verbosity() -> int:
    """The lowest level that is logged; WARN by default."""
    return get_logger().getEffectiveLevel()


@export("logging.set_verbosity")
def set_verbosity(v: int | str) -> None:
    """Sets the lowest level that is logged: a number such as `tf.logging.INFO`, or its name."""
    get_logger().setLevel(v)


@export("logging.flush")
def flush() -> None:
    """Flushes the handlers' buffers."""
    for handler in get_logger().handlers:
        handler.flush()
