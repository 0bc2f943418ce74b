"""An Example with zeros for all features that a model requires, for runs that nobody has asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes
from evergraph.graph.node import Operation
from evergraph.graph.shaping import static_value
from evergraph.ops.strings.parsing import parse_example, parse_single_example
from evergraph.ops.strings.parsing_later import parse_example_v2

_LISTS: dict[Any, tuple[str, Any]] = {
    dtypes.float32: ("float_list", 0.0),
    dtypes.int64: ("int64_list", 0),
    dtypes.string: ("bytes_list", b""),
}


def blank_example(nodes: Iterable[Operation]) -> bytes:
    """An Example with zeros and empty strings for the dense features that these nodes parse; b"" if there are none."""
    example = proto.example_pb2.Example()
    for node in nodes:
        for name, dtype, shape in _dense_features(node):
            field, zero = _LISTS[dtype]
            count = math.prod(1 if size is None else size for size in shape)
            getattr(example.features.feature[name], field).value[:] = [zero] * count
    return example.SerializeToString()


def _dense_features(node: Operation) -> Iterable[tuple[str, Any, Any]]:
    """(name, dtype, shape) of the dense features that a node parses, if it does and their names are known."""
    keys = _dense_keys(node)
    if not keys or any(key is None for key in keys):
        return ()
    names = [key.decode() if isinstance(key, bytes) else key for each in keys for key in np.ravel(each).tolist()]
    return zip(names, node.attrs["Tdense"], node.attrs["dense_shapes"])


def _dense_keys(node: Operation) -> list[Any]:
    """The keys of dense features, one by one or several in an array; None for what is not known."""
    if node.opdef is parse_single_example:
        return list(node.attrs["dense_keys"])
    if node.opdef is parse_example_v2:
        return [static_value(node.inputs[3])]
    if node.opdef is parse_example:
        start = 2 + len(node.attrs["sparse_types"])
        return [static_value(key) for key in node.inputs[start : start + len(node.attrs["Tdense"])]]
    return []
