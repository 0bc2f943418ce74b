"""What a process is in the cluster that trains with it, as far as sessions and hooks ask."""
from __future__ import annotations

from typing import Any

from evergraph.frontend import replicas
from evergraph.graph.scopes import DefaultStack

contexts = DefaultStack()
"""The contexts of workers that are open in this thread; see `distribute/coordinator.py`."""


def get_current_worker_context() -> Any:
    """The context of the worker that this thread is, or of the strategy whose scope is open; None without a cluster."""
    if contexts.items:
        return contexts.items[-1]
    inside = replicas.current()
    return None if inside is None else getattr(inside.strategy.extended, "_worker_context", None)
