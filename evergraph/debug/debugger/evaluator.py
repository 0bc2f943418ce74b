"""Evaluates expressions of NumPy in which dumped tensors stand between backticks."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from evergraph.debug.debugger.dumps import WatchKeyDoesNotExistInDebugDumpDirError
from evergraph.ops.debugging import DEBUG_IDENTITY

_TENSOR = re.compile(r"`([^`]+)`")
_DUMPED = re.compile(r"(?P<name>[^:\[]+)(?::(?P<slot>\d+))?(?::(?P<op>[A-Za-z]\w*))?(?:\[(?P<number>\d+)\])?")


def _parse_debug_tensor_name(debug_tensor_name: str) -> tuple[str | None, str, int, str, int]:
    """(device, node, output, debug op, number) of "/job:a/...:node:0:DebugIdentity[1]"; the device may be left out."""
    device, name = None, debug_tensor_name.strip()
    if name.startswith("/job:"):
        at = [found.end() for found in re.finditer(r"/(?:device:)?[A-Za-z]+:\d+(?=:)", name)]
        if not at:
            raise ValueError(f"Invalid debug tensor name: {debug_tensor_name}")
        device, name = name[:at[-1]], name[at[-1] + 1:]
    found = _DUMPED.fullmatch(name)
    if found is None:
        raise ValueError(f"Invalid debug tensor name: {debug_tensor_name}")
    return (device, found["name"], int(found["slot"] or 0), found["op"] or DEBUG_IDENTITY, int(found["number"] or 0))


class ExpressionEvaluator:
    """Evaluates expressions such as "np.sum(`layer/MatMul:0`)".

    Args:
        dump: the DebugDumpDir.
    """

    def __init__(self, dump: Any) -> None:
        self._dump, self._known = dump, dict[str, Any]()

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, which is Python with `np`, and is trusted as the program is.

        Raises:
            ValueError: a tensor is not in the dump.
        """
        names = list(dict.fromkeys(_TENSOR.findall(expression)))
        for name in names:
            self._known.setdefault(name, self._tensor(name))
        places = {name: f"tensor_{at}" for at, name in enumerate(names)}
        source = _TENSOR.sub(lambda found: places[found.group(1)], expression)
        return eval(source, {"np": np, "numpy": np, **{places[name]: self._known[name] for name in names}})

    def _tensor(self, name: str) -> Any:
        device, node, slot, op, number = _parse_debug_tensor_name(name)
        try:
            found = self._dump.get_tensors(node, slot, op, device_name=device)
        except WatchKeyDoesNotExistInDebugDumpDirError as error:
            raise ValueError(f"Eval failed due to the value of {node}:{slot}:{op} being unavailable") from error
        if number >= len(found):
            raise ValueError(f"Specified number {number} exceeds the {len(found)} dumps of {name}")
        return found[number]

