"""The inside of TensorFlow's AutoGraph, which libraries import and seldom use: it loads, and using it is refused.

Its passes work on syntax trees that evergraph's AutoGraph, another program, does not make.
"""

from __future__ import annotations

from typing import Any, NoReturn

from evergraph.base import errors


def refuse(name: str) -> NoReturn:
    """Says that a name inside TensorFlow's AutoGraph is missing: the `__getattr__` of its modules."""
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"TensorFlow's AutoGraph has {name}, evergraph's does not: it works on other syntax trees")


class Base:
    """A class to derive rewriters of syntax trees from. A library that does so loads, but cannot make one.

    Raises:
        UnimplementedError: always.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise errors.UnimplementedError(
            None, None, f"{type(self).__name__} rewrites the syntax trees of TensorFlow's AutoGraph, which evergraph's "
            "does not make")
