"""`==` and `!=` of tensors and variables: whether they are the same object, or, on demand, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import root_graph
from evergraph.frontend.variables.base import Variable
from evergraph.graph.convert import to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import broadcast
from evergraph.ops.math.elementwise import equal, not_equal

_BY_IDENTITY = {kind: kind.__eq__ for kind in (Tensor, Variable)}


@export("enable_tensor_equality")
def enable_tensor_equality() -> None:
    """Makes `==` and `!=` compare tensors and variables element by element, with eager execution and in functions.

    Shapes that do not broadcast compare as a single False. In graphs that sessions run, they tell objects apart as
    before. Tensors and variables stay hashable, by their identity; TensorFlow refuses that.

    >>> tf.enable_eager_execution()
    >>> tf.enable_tensor_equality()
    >>> (tf.constant([1, 2]) == [1, 3]).numpy()
    array([ True, False])
    """
    for kind in _BY_IDENTITY:
        kind.__eq__, kind.__ne__ = _comparison(equal, True), _comparison(not_equal, False)  # type: ignore[assignment]
    Tensor._USE_EQUALITY = True


@export("disable_tensor_equality")
def disable_tensor_equality() -> None:
    """Makes tensors and variables equal to themselves alone, as they are at first."""
    for kind, by_identity in _BY_IDENTITY.items():
        kind.__eq__, kind.__ne__ = by_identity, object.__ne__  # type: ignore[assignment]
    Tensor._USE_EQUALITY = False


def _comparison(compare: Any, wanted: bool) -> Callable[[Any, object], Any]:
    """An operator that gives `wanted` where two elements are equal."""

    def operator(x: Any, other: object) -> Any:
        if other is None:
            return not wanted
        if not _is_by_element(x):
            return (x is other) is wanted
        y = other if isinstance(other, Tensor) else to_tensor(other, x.dtype.base_dtype)
        try:
            broadcast(x.shape.tuple, y.shape.tuple)
        except ValueError:
            return to_tensor(not wanted)
        return compare(x, y)

    return operator


def _is_by_element(x: Any) -> bool:
    """Whether elements count: x has values now, or a function is being traced, which is no work on finished graphs."""
    return root_graph().is_eager and (x.graph.is_eager or not default_graph().is_eager)
