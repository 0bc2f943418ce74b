"""Which replica of which distribution strategy new operations are for: what optimizers, metrics and variables ask.

The strategies themselves are in `distribute/`, which stands above the rooms that ask.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from evergraph.frontend.blocks import root_graph
from evergraph.graph.scopes import DefaultStack


@dataclass(frozen=True)
class Entered:
    """The innermost block of a strategy.

    Attributes:
        strategy: the tf.distribute.Strategy.
        replica: the ReplicaContext; None where operations are for all replicas together.
        copy: inside of `StrategyExtended.update`, the number of the copy that is updated.
        graph: the graph of its variables: code that builds another one inside of the block knows no strategy.
    """

    strategy: Any
    replica: Any = None
    copy: int | None = None
    graph: Any = field(default_factory=root_graph)


entered = DefaultStack()
"""The blocks of strategies that are open in this thread, as `Entered`."""


def current() -> Entered | None:
    """The innermost block of a strategy around this graph, if there is one."""
    if not entered.items:
        return None
    graph = root_graph()
    return next((block for block in reversed(entered.items) if block.graph is graph), None)


def distributed() -> bool:
    """Whether the scope of a strategy is open, and operations are not those of the update of one copy."""
    inside = current()
    return inside is not None and inside.copy is None


def together() -> bool:
    """Whether operations are for several replicas together."""
    inside = current()
    return inside is not None and inside.replica is inside.copy is None and inside.strategy.num_replicas_in_sync > 1


def merged(function: Callable[..., Any], *args: Any) -> Any:
    """The result of `function(strategy, *args)`, called once for all replicas with the arguments of each.

    Where operations are for all replicas already, the function is called with the arguments as they are.
    """
    inside = current()
    assert inside is not None
    if inside.replica is None:
        return function(inside.strategy, *args)
    return inside.replica.merge_call(function, args)


def whole(variable: Any) -> Any:
    """The distributed variable that a copy belongs to; any other variable is whole by itself."""
    container = getattr(variable, "_distributed_container", None)
    return variable if container is None else container()


# ---- losses


@dataclass
class LastLoss:
    """How the newest loss of `tf.losses` in a graph sums up its elements: a tf.losses.Reduction; see `Graph.memo`."""

    reduction: Any = None


def scales_loss() -> bool:
    """Whether optimizers divide the loss by the number of replicas: in an Estimator, unless the loss was a sum."""
    inside = current()
    return bool(inside is not None and inside.strategy._scale_loss_for_estimator
                and root_graph().memo(LastLoss).reduction not in ("sum", "weighted_sum"))
