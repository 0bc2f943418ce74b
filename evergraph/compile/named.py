"""Names the operations of a program after the nodes that they come from, which costs nothing when it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.compile import backend


class Named:
    """A kernel whose operations XLA knows by the name of its node.

    Args:
        name: the name of the node.
        kernel: the kernel.
    """

    __slots__ = ("_name", "_kernel")

    def __init__(self, name: str, kernel: Callable[..., Any]) -> None:
        self._name, self._kernel = name, kernel

    def __call__(self, *arguments: Any) -> Any:
        if not backend.jax.has_begun:  # nothing is traced yet
            return self._kernel(*arguments)
        with backend.jax().named_scope(self._name):
            return self._kernel(*arguments)
