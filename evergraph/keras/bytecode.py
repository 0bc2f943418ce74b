"""Python functions as text and back, by their bytecode: it runs in the same version of Python alone."""
from __future__ import annotations

import base64
import marshal
import types
from collections.abc import Callable
from typing import Any


def func_dump(func: Callable[..., Any]) -> tuple[str, Any, Any]:
    """(the function's code in base64, its defaults, the values that it captured): what `func_load` takes."""
    captured = tuple(cell.cell_contents for cell in func.__closure__) if func.__closure__ else None
    return base64.b64encode(marshal.dumps(func.__code__)).decode("ascii"), func.__defaults__, captured


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
