"""Datasets that leave elements out: those that raise an error, those that came before, those that are marked."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.graph.traits import ANY
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, UNKNOWN, Element, Iterator, Transformed

_ENDS = errors.CancelledError, errors.DeadlineExceededError


class WithoutErrors(Transformed):
    """The elements that can be computed."""

    def iterate(self, scope: Any) -> Iterator:
        return _WithoutErrorsIterator(self.source.iterate(scope))

    def cardinality(self) -> int:
        return UNKNOWN


class _WithoutErrorsIterator(Iterator):
    def get(self) -> Element | None:
        while True:
            try:
                return self.source.get()
            except _ENDS:  # the session was closed, or the time of the step is over
                raise
            except Exception:
                continue


class Distinct(Transformed):
    """Each element once: where it comes first."""

    def iterate(self, scope: Any) -> Iterator:
        return _DistinctIterator(self.source.iterate(scope))

    def cardinality(self) -> int:
        return UNKNOWN


class _DistinctIterator(Iterator):
    kept = ("_seen",)

    def __init__(self, source: Iterator) -> None:
        super().__init__(source)
        self._seen: set[Any] = set()

    def get(self) -> Element | None:
        while (element := self.source.get()) is not None:
            value = element[0]
            key = value.shape, tuple(value.ravel().tolist()) if value.dtype.hasobject else value.tobytes()
            if key not in self._seen:
                self._seen.add(key)
                return element
        return None


class Marked(Transformed):
    """The elements whose last component is True, without that component."""

    def iterate(self, scope: Any) -> Iterator:
        return _MarkedIterator(self.source.iterate(scope))

    def cardinality(self) -> int:
        return UNKNOWN


class _MarkedIterator(Iterator):
    def get(self) -> Element | None:
        while (element := self.source.get()) is not None:
            if bool(element[-1]):
                return element[:-1]
        return None


@two_names(f"IgnoreErrorsDataset(input_dataset: variant, *, {TYPES})", {"log_warning": ANY}, {"log_warning": ANY})
def ignore_errors_dataset(node, input_dataset):
    """A dataset without the elements that cannot be computed. It writes no warnings."""
    return WithoutErrors(node, input_dataset)


@two_names(f"UniqueDataset(input_dataset: variant, *, {TYPES})")
def unique_dataset(node, input_dataset):
    """A dataset with each element once."""
    types = node.attrs["output_types"]
    if len(types) != 1:
        raise invalid(f"UniqueDataset takes elements of one component, got {len(types)}")
    if types[0].name not in ("int32", "int64", "string"):
        raise invalid(f"UniqueDataset takes elements of tf.int32, tf.int64 or tf.string, got {types[0].name}")
    return Distinct(node, input_dataset)


@op(f"FilterByLastComponentDataset(input_dataset: variant, *, {TYPES}) -> output: variant", on="host", shape=scalar,
    grad=STOP)
def filter_by_last_component_dataset(node, input_dataset):
    """A dataset of the elements whose last component is True, without that component."""
    return Marked(node, input_dataset)
