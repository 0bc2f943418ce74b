"""Functions given to transformations, as functions of the graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from evergraph.autograph.runtime import converted
from evergraph.base import dtypes
from evergraph.data import nest, specs
from evergraph.frontend.collections import USED_OUTSIDE
from evergraph.graph.function import FuncGraph, has_effect
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor

_SYMBOLS = str.maketrans("", "", "<>\\' ")


class Function:
    """A function of elements, traced.

    Args:
        call: the Python function.
        name: the transformation it is given to, for errors and for the name in the graph's library.
        spec: the structure of what it is called with; a tuple is spread over its parameters, () is no argument.

    Attributes:
        graph: the function of the graph.
        spec: the structure of what it returns.
    """

    def __init__(self, call: Callable[..., Any], name: str, spec: Any) -> None:
        called = getattr(call, "__name__", type(call).__name__)
        self.graph = FuncGraph(f"{name.replace('.', '_').removesuffix('()')}_{called}".translate(_SYMBOLS))
        with self.graph.as_default(), self.graph.own_collections(USED_OUTSIDE):
            argument = self._argument(spec)
            traced = converted(call)
            result = traced(*argument) if type(argument) is tuple else traced(argument)
            # A list is more likely several results, as tf.py_func gives them, than one tensor.
            result = self._normalized(tuple(result) if isinstance(result, list) else result, name)
            self.spec = specs.spec_of(result)
            self.graph.outputs = [self.graph.capture(t) for t in specs.packed(result, self.spec)]
        self.graph.control_outputs = [node for node in self.graph.get_operations() if has_effect(node)]
        self._warn_of_seed(called)

    def _warn_of_seed(self, called: str) -> None:
        """Warns that random ops without seeds of their own use the seed of the graph around the function."""
        if self.graph.seeds_given:
            seed = default_graph().seed
            warnings.warn(f"Random ops without a seed of their own in the function {called} use {seed}, the seed of "
                          "the graph around it. Explicitly set the seed in the function if this is not the intended "
                          "behavior.", stacklevel=4)

    def _argument(self, spec: Any) -> Any:
        types, shapes = specs.components(spec)
        pairs = zip(types, shapes, strict=True)
        tensors = [self.graph.add_input(dtype, shape.tuple, "arg") for dtype, shape in pairs]
        return specs.unpacked(tensors, spec)

    @staticmethod
    def _normalized(result: Any, name: str) -> Any:
        try:
            if any(leaf is None for leaf in nest.flatten(result)):
                raise TypeError("None is no tensor")
            return specs.normalized(result)
        except (ValueError, TypeError) as error:
            raise TypeError(f"Unsupported return value from function passed to {name}: {result}.") from error

    @property
    def captured(self) -> list[Tensor]:
        """The tensors of enclosing graphs that it uses."""
        return list(self.graph.captures)


def check_scalar(spec: Any, dtype: dtypes.DType, message: str) -> None:
    """Raises TypeError unless a function returns one scalar of this dtype."""
    if nest.is_nested(spec) or spec.dtype != dtype or not spec.shape.is_compatible_with([]):
        raise TypeError(message)


def check_state(spec: Any, returned: Any) -> None:
    """Raises TypeError unless a function returns the next state of one of this structure."""
    wanted, found = specs.legacy(spec), specs.legacy(returned)
    for place, word in ((2, "classes"), (0, "types")):
        try:
            nest.assert_same_structure(wanted[place], found[place])
            alike = nest.flatten(wanted[place]) == nest.flatten(found[place])
        except (TypeError, ValueError):
            alike = False
        if not alike:
            raise TypeError(f"The element {word} for the new state must match those it began with. It began with "
                            f"{wanted[place]}, the function returns {found[place]}")
