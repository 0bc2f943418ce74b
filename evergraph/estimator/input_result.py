"""What input functions give: a Dataset, (features, labels), or features alone."""
from __future__ import annotations

from typing import Any

from evergraph.data.dataset import DatasetV2, make_initializable_iterator
from evergraph.train.session_run_hook import SessionRunHook


class IteratorInitializer(SessionRunHook):
    """Initializes the iterator of an input in every new session."""

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._initializer)


def next_element(result: Any) -> tuple[Any, list[SessionRunHook]]:
    """(what an input function gave, as tensors; the hooks that this needs)."""
    if not isinstance(result, DatasetV2):
        return result, []
    iterator = make_initializable_iterator(result)
    return iterator.get_next(), [IteratorInitializer(iterator)]


def features_and_labels(result: Any) -> tuple[Any, Any, list[SessionRunHook]]:
    """(features, labels or None, hooks) of what an input function gave.

    Raises:
        ValueError: it is a tuple of another length than two.
    """
    element, hooks = next_element(result)
    if not isinstance(element, (list, tuple)):
        return element, None, hooks
    if len(element) != 2:
        raise ValueError(f"input_fn should return (features, labels), a len 2 tuple; got {element}")
    return element[0], element[1], hooks


def features_alone(result: Any) -> tuple[Any, list[SessionRunHook]]:
    """(features, hooks) of what an input function for predictions gave; labels are left out."""
    element, hooks = next_element(result)
    return (element[0] if isinstance(element, (list, tuple)) else element), hooks
