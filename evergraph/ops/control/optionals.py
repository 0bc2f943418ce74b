"""Optionals: values that may be absent. TensorFlow's functional conditionals pass intermediate results in them.

An optional of one tensor is represented by the tensor, an absent one by a hole, so that compiled branches can pass
them; an optional of several tensors is a list, on the host.
"""

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.kernel.values import Hole


@op("OptionalFromValue(components: Toutput_types, *, Toutput_types: list(type) >= 1) -> optional: variant",
    shape=lambda: (), grad=lambda op, dy: [*optional_get_value(dy, **_kinds(op.inputs))])
def optional_from_value(components):
    """An optional that holds tensors."""
    if len(components) > 1:
        return list(components)
    return _Held(components[0]) if isinstance(components[0], Hole) else components[0]


class _Held(Hole):
    """An optional that holds an absent optional."""

    def __init__(self, inner):
        super().__init__(inner.dtype)
        self.inner = inner


def _kinds(tensors):
    return {"output_types": [t.dtype.base_dtype for t in tensors], "output_shapes": [t.shape for t in tensors]}


@op("OptionalNone() -> optional: variant", shape=lambda: (), grad=STOP)
def optional_none():
    """An absent optional."""
    return Hole(np.dtype(object))


@op("OptionalHasValue(optional: variant) -> has_value: bool", shape=lambda: (), grad=STOP)
def optional_has_value(optional):
    """Whether an optional has a value."""
    return np.bool_(not isinstance(optional, Hole) or isinstance(optional, _Held))


@op("OptionalGetValue(optional: variant, *, output_types: list(type) >= 1, output_shapes: list(shape) >= 1) -> "
    "components: output_types", shape=lambda output_shapes: list(output_shapes),
    grad=lambda op, *dys: optional_from_value(list(dys)))
def optional_get_value(optional, output_types):
    """The tensors in an optional."""
    if isinstance(optional, _Held):
        return [optional.inner]
    if isinstance(optional, Hole):
        raise errors.InvalidArgumentError(None, None, "the optional is empty.")
    return [optional] if len(output_types) == 1 else list(optional)
