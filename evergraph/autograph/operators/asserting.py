"""`assert_`: assertions, checked by the graph if they are about tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.autograph.operators.staging import is_staged
from evergraph.base import nest
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.control import effects


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """An assert statement.

    Args:
        test: what must be true.
        message: gives what the error says.
    """
    if is_staged(test):
        said = [] if message is None else nest.flatten(message())
        effects.assert_(convert_to_tensor(test), [convert_to_tensor(each) for each in said or ["assertion failed"]])
    elif not test:
        raise AssertionError(*[] if message is None else [message()])
