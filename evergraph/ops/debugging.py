"""What the ops of TensorFlow's debugger make of arrays, and what its graphs tell by the names of ops.

The ops themselves are never in a graph here: a watched run calls these functions with the values of nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors

DEBUG_IDENTITY = "DebugIdentity"
FETCHED = "_Retval"  # what TensorFlow's runtime adds for fetches
_SPEC = re.compile(r"(?P<name>\w+)(?:\((?P<options>.*)\))?")


def is_copy(op_type: str) -> bool:
    """Whether TensorFlow's debugger adds such nodes, to copy a tensor."""
    return op_type in ("Copy", "CopyHost")


def may_run_early(op_type: str) -> bool:
    """Whether such nodes run before all of their inputs have."""
    return op_type in ("Merge", "NextIteration")


def is_reference(op_type: str) -> bool:
    """Whether such nodes are variables that others take by reference."""
    return op_type in ("Variable", "VariableV2")


def assigns(op_type: str) -> bool:
    """Whether such nodes assign to variables that they take by reference."""
    return op_type.startswith("Assign")


def debug_op_name(spec: str) -> str:
    """The debug op of a text such as `DebugNumericSummary(mute_if_healthy=true)`.

    Raises:
        InvalidArgumentError: there is no such op.
    """
    found = _SPEC.fullmatch(spec)
    name = found["name"] if found else spec
    if name not in _ATTRS:
        raise errors.InvalidArgumentError(None, None, f"there is no debug op {spec!r}; there are {', '.join(_ATTRS)}")
    return name


def debug_function(spec: str, tensor: str = "") -> Callable[[np.ndarray[Any, Any]], Any]:
    """What a debug op makes of an array; None for no dump.

    Args:
        spec: such as `DebugNumericSummary(mute_if_healthy=true)`.
        tensor: the name of the tensor that it looks at.

    Raises:
        InvalidArgumentError: there is no such op.
        FailedPreconditionError: it has no such attribute.
    """
    name, found = debug_op_name(spec), _SPEC.fullmatch(spec)
    parts = [part.split("=", 1) for part in ((found and found["options"]) or "").split(";") if "=" in part]
    options = {key.strip(): value.strip() for key, value in parts}
    options.pop("gated_grpc", None)  # servers may refuse tensors; here they get all of them
    wrong = sorted(set(options) - _ATTRS[name])
    if wrong:
        raise errors.FailedPreconditionError(None, None, f"{len(wrong)} attribute key(s) were not valid for debug node "
                                             f"__dbg_{tensor}_0_{name}: {', '.join(wrong)}")
    if name == DEBUG_IDENTITY:
        return lambda array: array
    if name == "DebugNanCount":
        return _nan_count
    lower, upper = float(options.get("lower_bound", "-inf")), float(options.get("upper_bound", "inf"))
    mutes = options.get("mute_if_healthy", "false").lower() in ("true", "1")
    return lambda array: _numeric_summary(array, lower, upper, mutes)


_ATTRS = {DEBUG_IDENTITY: set[str](), "DebugNanCount": set[str](),
          "DebugNumericSummary": {"lower_bound", "upper_bound", "mute_if_healthy"}}


def _nan_count(array: np.ndarray[Any, Any]) -> Any:
    return np.array([np.isnan(array).sum()] if array.dtype.kind in "fc" else [0], np.int64)


def _numeric_summary(array: np.ndarray[Any, Any], lower: float, upper: float, mutes: bool) -> Any:
    """Counts and moments: whether there is a value, elements, NaN, -inf, <0, 0, >0, inf, min, max, mean, variance.

    Raises:
        FailedPreconditionError: these are no numbers.
    """
    if array.dtype.kind not in "biuf":
        raise errors.FailedPreconditionError(None, None, f"DebugNumericSummary needs numbers, not {array.dtype}")
    values = array.astype(np.float64).ravel()
    finite = values[np.isfinite(values)]
    low = (values == -np.inf) | (values < lower)
    high = (values == np.inf) | (values > upper)
    inside = ~(low | high | np.isnan(values))
    counts = [np.isnan(values).sum(), low.sum(), (inside & (values < 0)).sum(), (inside & (values == 0)).sum(),
              (inside & (values > 0)).sum(), high.sum()]
    if mutes and not (counts[0] or counts[1] or counts[5]):
        return None
    moments = [finite.min(), finite.max(), finite.mean(), finite.var()] if finite.size else \
        [np.inf, -np.inf, np.nan, np.nan]
    return np.array([1, values.size, *counts, *moments, *_form(array.dtype, array.shape)], np.float64)


def unset_summary(dtype: Any, shape: Sequence[int]) -> Any:
    """The numeric summary of a variable without a value."""
    return np.array([0] * 8 + [np.inf, -np.inf, np.nan, np.nan, *_form(np.dtype(dtype), shape)], np.float64)


def _form(dtype: np.dtype[Any], shape: Sequence[int]) -> list[int]:
    return [dtypes.as_dtype(dtype).enum, len(shape), *shape]
