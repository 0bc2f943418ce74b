"""Hooks that programs for several hosts of accelerators bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.train.session_run_hook import SessionRunHook


class MultiHostDatasetInitializerHook(SessionRunHook):
    """Initializes the iterators of all hosts when a session is made.

    Args:
        dataset_initializers: the operations that initialize them.
    """

    def __init__(self, dataset_initializers: Sequence[Any]) -> None:
        self._initializers = list(dataset_initializers)

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._initializers)
