"""The declarations of all ops as OpDef messages."""
from __future__ import annotations

import functools
from typing import Any

from evergraph.graph import encode, registry


@functools.cache
def get_registered_ops() -> dict[str, Any]:
    """Name of an op -> its OpDef, for all ops that are declared or were registered by `register_op_list`."""
    registry.fill()
    return {name: encode.op_def(registry.REGISTRY[name]) for name in sorted(registry.REGISTRY)}


def register_op_list(op_list: Any) -> None:
    """Adds OpDefs to those that `get_registered_ops` tells; an op without a kernel cannot be run.

    Args:
        op_list: an OpList.

    Raises:
        TypeError: it is something else.
        ValueError: an op is registered already, with another declaration.
    """
    if type(op_list).__name__ != "OpList":
        raise TypeError(f"{op_list!r} is {type(op_list).__name__}, not an OpList")
    known = get_registered_ops()
    for op_def in type(op_list).FromString(op_list.SerializeToString()).op:
        if known.setdefault(op_def.name, op_def) != op_def:
            raise ValueError(f"Registered op_def for {op_def.name} ({known[op_def.name]}) is not equal to ({op_def})")
