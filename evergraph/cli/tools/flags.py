"""Flags as TensorFlow's tools take them: `--flag=value`, and booleans with or without a value."""

from __future__ import annotations

import argparse
from typing import Any

_TRUE, _FALSE = ("true", "t", "1", "yes"), ("false", "f", "0", "no", "")


def flags(tool: str, description: str) -> argparse.ArgumentParser:
    """The parser of a tool's flags."""
    return argparse.ArgumentParser(prog=f"evergraph tool {tool}", description=description, allow_abbrev=False)


def text(parser: argparse.ArgumentParser, name: str, help: str, default: str = "", required: bool = False) -> None:
    parser.add_argument(f"--{name}", default=default, required=required, help=help)


def switch(parser: argparse.ArgumentParser, name: str, help: str, default: bool = False) -> None:
    """A flag that is true without a value."""
    parser.add_argument(f"--{name}", type=_boolean, nargs="?", const=True, default=default, help=help)


def listed(value: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in value.split(",") if word.strip()]


def _boolean(value: str) -> bool:
    if value.lower() not in (*_TRUE, *_FALSE):
        raise argparse.ArgumentTypeError(f"true or false, not {value!r}")
    return value.lower() in _TRUE


def unless(given: Any, *pairs: tuple[str, Any]) -> None:
    """Refuses flags that have another value than the one without which nothing can be done here.

    Raises:
        UnimplementedError: one has another value.
    """
    from evergraph.base import errors

    for name, only in pairs:
        if getattr(given, name) != only:
            raise errors.UnimplementedError(None, None, f"--{name}={getattr(given, name)} is not supported")
