"""The dtypes of a NodeDef's inputs."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.graph.registry import lookup
from evergraph.kernel.calling import count_of


def input_dtypes(node_def: Any) -> list[Any]:
    """The dtypes of an operation's inputs."""
    attrs: dict[str, Any] = {}
    for name, value in node_def.attr.items():
        kind = value.WhichOneof("value")
        attrs[name] = dtypes.as_dtype(value.type) if kind == "type" else value.i if kind == "i" else \
            [dtypes.as_dtype(each) for each in value.list.type]
    found: list[Any] = []
    for arg in lookup(node_def.op).plan.inputs:
        found += attrs[arg.list_attr] if arg.list_attr is not None else \
            [arg.type if arg.type is not None else attrs[arg.type_attr]] * count_of(arg, attrs)
    return found
