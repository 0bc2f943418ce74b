# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.monitors."""

from collections.abc import Sequence
from evergraph.estimator import SessionRunHook
from typing import Any

def replace_monitors_with_hooks(
    monitors_or_hooks: Sequence[Any] | None, estimator: Any,
) -> list[SessionRunHook]:
    """The hooks of a list, as `Estimator.train` takes them."""
