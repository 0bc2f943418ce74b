"""The order of axes: the scope that prescribes one, and orders that two tensors share."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from evergraph.base.export import export


@export("contrib.labeled_tensor.AxisOrderError")
class AxisOrderError(ValueError):
    """Axes are not in the order that an operation or a scope asks for."""


_local = threading.local()


@export("contrib.labeled_tensor.get_axis_order")
def get_axis_order() -> list[str] | None:
    """The names in the order of the innermost scope; None without one."""
    return getattr(_local, "order", None)


@export("contrib.labeled_tensor.axis_order_scope")
@contextlib.contextmanager
def axis_order_scope(axis_order: Any = None) -> Iterator[None]:
    """A scope whose operations keep axes in a given order.

    Args:
        axis_order: names of axes; None for no order.
    """
    outer = get_axis_order()
    _local.order = None if axis_order is None else list(axis_order)
    try:
        yield
    finally:
        _local.order = outer


def _order(axis_order: Any) -> list[str]:
    order = get_axis_order() if axis_order is None else list(axis_order)
    if order is None:
        raise AxisOrderError("no axis_order is given, and no axis_order_scope is open")
    return order


def ordered(names: Any, axis_order: Any = None) -> list[str]:
    """The names in the given order, or in that of the scope.

    Raises:
        AxisOrderError: there is no order, or it lacks one of them.
    """
    order = _order(axis_order)
    if missing := [name for name in names if name not in order]:
        raise AxisOrderError(f"the order of axes, {order}, lacks {missing}")
    return [name for name in order if name in names]


@export("contrib.labeled_tensor.check_axis_order")
def check_axis_order(labeled_tensor: Any, axis_order: Any = None) -> None:
    """Checks that a tensor's axes are in the given order, or in that of the scope.

    Args:
        labeled_tensor: the tensor.
        axis_order: names of axes; None for the order of the scope.

    Raises:
        AxisOrderError: they are not, or there is no order for them.
    """
    names = list(labeled_tensor.axes)
    if ordered(names, axis_order) != names:
        raise AxisOrderError(f"the axes {names} are not in the order {_order(axis_order)}")


def merged(first: list[str], second: list[str]) -> list[str] | None:
    """The names of both lists in an order that agrees with each; None if there is none."""
    result, rest = [], list(second)
    for name in first:
        if name in rest:
            place = rest.index(name)
            if any(each in first for each in rest[:place]):
                return None
            result += rest[:place]
            rest = rest[place + 1:]
        elif name in second:
            return None
        result.append(name)
    return result + rest
