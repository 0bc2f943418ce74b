"""tf.contrib.learn.monitors: the bridge from monitors, which watched training before hooks did, to hooks."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.train.session_run_hook import SessionRunHook


@export("contrib.learn.monitors.replace_monitors_with_hooks")
def replace_monitors_with_hooks(monitors_or_hooks: Sequence[Any] | None, estimator: Any) -> list[SessionRunHook]:
    """The hooks of a list, as `Estimator.train` takes them.

    Args:
        monitors_or_hooks: SessionRunHooks.
        estimator: the Estimator that monitors would be bound to; hooks need none.

    Raises:
        UnimplementedError: something in the list is no hook.
    """
    found = list(monitors_or_hooks or ())
    for each in found:
        if not isinstance(each, SessionRunHook):
            raise errors.UnimplementedError(
                None, None, f"{each} is no SessionRunHook, and evergraph has no monitors: write it as a hook")
    return found
