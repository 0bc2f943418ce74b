"""Datasets that depend on the elements before: scan, take_while."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.traits import ANY
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import LATER, TYPES, UNKNOWN, Captured, Element, Iterator, Transformed

_ARGUMENTS = "other_arguments: Targuments"
_FUNCTION = "Targuments: list(type) >= 0"


class Scan(Transformed):
    """What a function of a state and an element gives beside the next state.

    Args:
        state: the first state.
        keeps_count: whether a function that raises OutOfRangeError is an error; otherwise it ends the dataset.
    """

    def __init__(self, node: Any, source: Any, state: list[Any], function: Captured, keeps_count: bool) -> None:
        super().__init__(node, source)
        self.state, self.function, self.keeps_count = state, function, keeps_count

    def iterate(self, scope: Any) -> Iterator:
        return _ScanIterator(self, self.source.iterate(scope), scope.function(self.function))


class _ScanIterator(Iterator):
    kept = ("_state", "_is_over")

    def __init__(self, dataset: Scan, source: Iterator, function: Any) -> None:
        super().__init__(source)
        self._function, self._keeps_count = function, dataset.keeps_count
        self._state, self._is_over = list(dataset.state), False

    def get(self) -> Element | None:
        element = None if self._is_over else self.source.get()
        if element is None:
            return None
        try:
            found = self._function(*self._state, *element)
        except errors.OutOfRangeError as error:
            if self._keeps_count:
                raise invalid(f"Function invocation produced OutOfRangeError: {error.message}") from error
            self._is_over = True
            return None
        size = len(self._state)
        self._state = found[:size]
        return found[size:]


class TakeWhile(Transformed):
    """The elements before the first for which a predicate does not hold."""

    def __init__(self, node: Any, source: Any, predicate: Captured) -> None:
        super().__init__(node, source)
        self.predicate = predicate

    def iterate(self, scope: Any) -> Iterator:
        return _TakeWhileIterator(self.source.iterate(scope), scope.function(self.predicate))

    def cardinality(self) -> int:
        return UNKNOWN


class _TakeWhileIterator(Iterator):
    kept = ("_is_over",)

    def __init__(self, source: Iterator, predicate: Any) -> None:
        super().__init__(source)
        self._predicate, self._is_over = predicate, False

    def get(self) -> Element | None:
        element = None if self._is_over else self.source.get()
        if element is None:
            return None
        wanted, = self._predicate(*element)
        if np.ndim(wanted) or wanted.dtype != np.bool_:
            raise invalid("`predicate` must give a bool scalar")
        self._is_over = not wanted
        return element if wanted else None


@two_names(f"ScanDataset(input_dataset: variant, initial_state: Tstate, {_ARGUMENTS}, *, f: func, "
           f"Tstate: list(type) >= 1, {_FUNCTION}, {TYPES}, preserve_cardinality: bool = False)",
           {**LATER, "use_default_device": ANY})
def scan_dataset(node, input_dataset, initial_state, other_arguments, f, preserve_cardinality):
    """A dataset of what a function gives of a state and each element."""
    return Scan(node, input_dataset, list(initial_state), Captured(f, other_arguments), preserve_cardinality)


@two_names(f"TakeWhileDataset(input_dataset: variant, {_ARGUMENTS}, *, predicate: func, {_FUNCTION}, {TYPES})")
def take_while_dataset(node, input_dataset, other_arguments, predicate):
    """A dataset of the elements before the first for which a predicate does not hold."""
    return TakeWhile(node, input_dataset, Captured(predicate, other_arguments))
