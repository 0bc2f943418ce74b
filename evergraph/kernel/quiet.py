"""Computes with NumPy as TensorFlow's kernels do: without warnings, and with subnormal numbers taken for zero."""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from evergraph import native


def quietly(function: Callable[..., Any], *args: Any) -> Any:
    """Calls a function. NumPy warns of no overflow, no division by zero and no invalid value meanwhile.

    Subnormal numbers are zero meanwhile, as in TensorFlow's kernels and in XLA's programs: processors need a hundred
    times as long for them, and what decays, such as an optimizer's moments, ends there. Without the C code they stay.
    """
    flush, before = _flush(), False
    try:
        before = flush(True)
        return _without_warnings(function, *args)
    finally:
        flush(before)


def outside(function: Callable[..., Any], *args: Any) -> Any:
    """Calls a function of the program from within a kernel: subnormal numbers are what they are elsewhere in Python."""
    flush, before = _flush(), True
    try:
        before = flush(False)
        return function(*args)
    finally:
        flush(before)


@functools.cache
def _flush() -> Callable[[bool], bool]:
    if native.steps is None:
        return _stays
    for dtype in (np.float16, np.float32, np.float64, np.longdouble):
        for limits in (np.finfo, ml_dtypes.finfo):
            limits(dtype)  # which warns if it is made, once for each, where subnormal numbers are zero
    return native.steps.flush


def _stays(_: bool) -> bool:
    return False


def _without_warnings(function: Callable[..., Any], *args: Any) -> Any:
    """`np.errstate` does the same, and takes seven times as long as a call of this."""
    if _SETTING is None:
        with np.errstate(all="ignore"):
            return function(*args)
    variable, ignoring = _SETTING
    token = variable.set(ignoring)
    try:
        return function(*args)
    finally:
        variable.reset(token)


def _setting() -> tuple[contextvars.ContextVar[Any], Any] | None:
    """The variable that `np.errstate` sets, with its value for no warnings; None where NumPy has no such variable."""
    with np.errstate(all="ignore"):
        found = [(variable, value) for variable, value in contextvars.copy_context().items()
                 if variable.name == "numpy.ufunc.extobj"]
    return found[0] if found else None


_SETTING = _setting()
