"""What the ops of TensorFlow's debugger make of arrays, and what its graphs tell by the names of ops.

The ops themselves are never in a graph here: a watched run calls these functions with the values of nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors

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


def debug_function(spec: str) -> Callable[[np.ndarray[Any, Any]], Any]:
    """What a debug op makes of an array, such as `DebugNumericSummary(mute_if_healthy=true)`; None for no dump.

    Raises:
        InvalidArgumentError: there is no such op, or it has no such attribute.
    """
    found = _SPEC.fullmatch(spec)
    name = found["name"] if found else spec
    parts = [part.split("=", 1) for part in ((found and found["options"]) or "").split(";") if "=" in part]
    options = {key.strip(): value.strip() for key, value in parts}
    options.pop("gated_grpc", None)  # servers may refuse tensors; files get all of them
    if name == DEBUG_IDENTITY and not options:
        return lambda array: array
    if name == "DebugNanCount" and not options:
        return _nan_count
    if name == "DebugNumericSummary" and set(options) <= {"lower_bound", "upper_bound", "mute_if_healthy"}:
        lower, upper = float(options.get("lower_bound", "-inf")), float(options.get("upper_bound", "inf"))
        mutes = options.get("mute_if_healthy", "false").lower() in ("true", "1")
        return lambda array: _numeric_summary(array, lower, upper, mutes)
    raise errors.InvalidArgumentError(None, None, f"there is no debug op {spec!r}; there are DebugIdentity, "
                                      "DebugNanCount and DebugNumericSummary")


def _nan_count(array: np.ndarray[Any, Any]) -> Any:
    return np.array([np.isnan(array).sum()] if array.dtype.kind in "fc" else [0], np.int64)


def _numeric_summary(array: np.ndarray[Any, Any], lower: float, upper: float, mutes: bool) -> Any:
    """Counts and moments: whether there is a value, elements, NaN, -inf, <0, 0, >0, inf, min, max, mean, variance."""
    if array.dtype.kind not in "biuf":
        return None
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
    number = proto.types_pb2.DataType.Value(f"DT_{_NAMES.get(array.dtype.name, array.dtype.name.upper())}")
    return np.array([1, values.size, *counts, *moments, number, array.ndim, *array.shape], np.float64)


_NAMES = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}
