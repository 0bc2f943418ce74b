"""Arithmetic with the dtypes of NumPy 1: those of scalars count beside Python's numbers, and not beside arrays.

`np.uint8(200) + 100` was 300 and `np.float32(x) * 2.0` a float64; `float32_array * np.sqrt(2.0)` was an array of
float32, and `uint8_array + 300` one of uint16. NumPy 2 wraps or refuses the first and the last, and swaps the others.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.cli.legacy.ledger import lend

_NUMPY = (np.generic, np.ndarray)
_CATEGORIES = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}
"""Kinds of dtypes; a scalar of a higher category than an array's counts in full."""

Operation = Callable[[Any, Any], Any]


def _promoting(operate: Operation, in_place: bool = False) -> Operation:
    def operation(left: Any, right: Any) -> Any:
        if isinstance(left, _NUMPY) or isinstance(right, _NUMPY):
            if not (in_place and isinstance(left, np.ndarray)):
                left, right = _promoted(left, right)
        return operate(left, right)

    return operation


_NAMES = "add sub mul truediv floordiv mod pow lshift rshift and_ or_ xor".split()
OPERATIONS = {name: _promoting(getattr(operator, name)) for name in _NAMES}
"""Function of the module `operator` -> the same with the dtypes of NumPy 1."""
IN_PLACE = {name: _promoting(getattr(operator, f"i{name.rstrip('_')}"), in_place=True) for name in _NAMES}
"""The same of `x += y`, where an array keeps its dtype."""


def _promoted(left: Any, right: Any) -> tuple[Any, Any]:
    """The operands as NumPy 1 converted them; as they are where NumPy 2 comes to the same dtype."""
    old = old_dtype(left, right)
    if old is None or old == np.result_type(left, right):
        return left, right
    lend("the dtypes that scalars had in arithmetic")
    return _converted(left, old), _converted(right, old)


def _converted(operand: Any, dtype: np.dtype[Any]) -> Any:
    return operand.astype(dtype) if isinstance(operand, _NUMPY) else dtype.type(operand)


def old_dtype(left: Any, right: Any) -> np.dtype[Any] | None:
    """The dtype that NumPy 1 gave two operands; None where one of them is not a number or an array of numbers."""
    dtypes = _dtype(left), _dtype(right)
    if dtypes[0] is None or dtypes[1] is None:
        return None
    whole = np.promote_types(*dtypes)
    if (np.ndim(left) == 0) == (np.ndim(right) == 0):
        return whole
    array, scalar = dtypes if np.ndim(right) == 0 else dtypes[::-1]
    if _CATEGORIES[scalar.kind] > _CATEGORIES[array.kind]:
        return whole
    return np.promote_types(array, _smallest(right if np.ndim(right) == 0 else left, scalar, array))


def _dtype(operand: Any) -> np.dtype[Any] | None:
    if type(operand) not in (bool, int, float, complex) and not isinstance(operand, _NUMPY):
        return None
    dtype = np.asarray(operand).dtype
    return dtype if dtype.kind in _CATEGORIES else None


def _smallest(value: Any, dtype: np.dtype[Any], beside: np.dtype[Any]) -> np.dtype[Any]:
    """The smallest dtype that holds a scalar; among the signed ones beside a signed array."""
    if dtype.kind in "iu" and beside.kind == "i" and 0 <= int(value) < 2**63:
        return np.min_scalar_type(~int(value))  # a negative number one further from zero
    return np.min_scalar_type(value)


def _divided(operations: dict[str, Callable[[Any, Any], Any]]) -> Callable[[Any, Any], Any]:
    """Python 2's `/`: of whole numbers a whole number."""
    whole, other = operations["floordiv"], operations["truediv"]
    return lambda left, right: (whole if _is_whole(left) and _is_whole(right) else other)(left, right)


def _is_whole(value: Any) -> bool:
    """Whether a number, an array or a tensor is of whole numbers."""
    if isinstance(value, (int, np.integer)):
        return True
    dtype = getattr(value, "dtype", None)
    return bool(getattr(dtype, "is_integer", False)) or getattr(dtype, "kind", "") in ("i", "u")


OPERATIONS["div"] = _divided(OPERATIONS)
IN_PLACE["div"] = _divided(IN_PLACE)
