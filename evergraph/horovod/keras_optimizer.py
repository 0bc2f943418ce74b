"""Optimizers of Keras, ours or the package's, whose gradients are the means over all processes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.graph.graph import default_graph
from evergraph.horovod.processes import here


def distributed(optimizer: Any, name: str | None, reduce: Callable[[list[Any]], list[Any]]) -> Any:
    """An optimizer of the same class name and settings, so that files that name it load without Horovod.

    Args:
        optimizer: a Keras optimizer.
        name: a name for it; by default that of the optimizer.
        reduce: makes the gradients of all processes of those of one.
    """
    kind = type(optimizer)

    class Distributed(kind):  # type: ignore[misc, valid-type]
        def get_gradients(self, loss: Any, params: Any) -> list[Any]:
            found = super().get_gradients(loss, params)
            return reduce(found) if here().size > 1 else found

    if hasattr(kind, "apply_gradients"):
        def apply_gradients(self: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            pairs = list(grads_and_vars)
            if default_graph().is_eager and here().size > 1:  # in graphs they come from get_gradients
                pairs = list(zip(reduce([gradient for gradient, _ in pairs]), [variable for _, variable in pairs]))
            return kind.apply_gradients(self, pairs, *args, **kwargs)

        Distributed.apply_gradients = apply_gradients  # type: ignore[attr-defined]
    Distributed.__name__ = Distributed.__qualname__ = kind.__name__
    config = optimizer.get_config()
    if name is not None and "name" in config:
        config["name"] = name
    return Distributed.from_config(config)
