"""Python functions as text and back, by their bytecode: it runs in the same version of Python alone.

Whoever wrote a file could make a program run any code in this way. Code that this process did not write itself is taken
from files only after `enable_unsafe_deserialization`.
"""
from __future__ import annotations

import base64
import hashlib
import marshal
import types
from collections.abc import Callable
from typing import Any

from evergraph.base.export import export


class _Trust:
    """Whose code runs."""

    everyone = False
    own: set[bytes] = set()  # hashes of what this process wrote


@export("keras.config.enable_unsafe_deserialization")
def enable_unsafe_deserialization() -> None:
    """Lets files of models bring Python code along: that of Lambda layers whose function has no name.

    Such code can do all that the program can: enable this for files of people you trust. It has to be written by the
    same version of Python.
    """
    _Trust.everyone = True


def func_dump(func: Callable[..., Any]) -> tuple[str, Any, Any]:
    """(the function's code in base64, its defaults, the values that it captured): what `func_load` takes."""
    captured = tuple(cell.cell_contents for cell in func.__closure__) if func.__closure__ else None
    code = marshal.dumps(func.__code__)
    _Trust.own.add(_hash(code))
    return base64.b64encode(code).decode("ascii"), func.__defaults__, captured


def _hash(code: bytes) -> bytes:
    return hashlib.sha256(code).digest()


def is_trusted(code: str) -> bool:
    """Whether the code of a configuration may run: this process wrote it, or everyone's may."""
    return _Trust.everyone or _hash(base64.b64decode(code)) in _Trust.own


def func_load(code: Any, defaults: Any = None, closure: Any = None, globs: Any = None) -> Callable[..., Any]:
    """The function that `func_dump` wrote.

    Args:
        code: the text, or all that `func_dump` returned.
        defaults: the values of its last parameters.
        closure: the values that it captured.
        globs: its global names; by default those of this module.
    """
    if isinstance(code, (list, tuple)):
        code, defaults, closure = code
        defaults = tuple(defaults) if isinstance(defaults, list) else defaults
    cells = None if closure is None else tuple(types.CellType(value) for value in closure)
    decoded = marshal.loads(base64.b64decode(code))
    return types.FunctionType(decoded, globals() if globs is None else globs, decoded.co_name, defaults, cells)
