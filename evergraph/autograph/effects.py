"""Lets the results of a function wait for what it does besides: the feature AUTO_CONTROL_DEPS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.frontend.control_flow import with_dependencies
from evergraph.graph.function import has_effect
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor


def with_effects(function: Callable[[], Any]) -> Any:
    """Calls a function; the tensors that it gives wait for the operations with effects that it has added.

    Those run in the order of the program. In a function of the graph, and with eager execution, they do so anyway.
    """
    graph = default_graph()
    if graph.is_eager or graph.is_function:
        return function()
    known = len(graph.get_operations())
    result = function()
    effects = [node for node in graph.get_operations()[known:] if has_effect(node)]
    for earlier, later in zip(effects, effects[1:]):
        later._add_control_input(earlier)
    if not effects:
        return result
    return nest.map_structure(
        lambda leaf: with_dependencies([effects[-1]], leaf) if isinstance(leaf, Tensor) else leaf, result)
