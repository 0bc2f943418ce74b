"""Takes the fetches of a run apart, and puts their values back into the same structure."""

from __future__ import annotations

import collections.abc
import operator
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor

Build = Callable[[Sequence[Any]], Any]

_TOO_DEEP = "fetches are nested too deeply: flatten them, or raise sys.setrecursionlimit"

_expansions: list[tuple[type, Callable[[Any], tuple[list[Any], Callable[[list[Any]], Any]]], Any, Any]] = []


def register_session_run_conversion_functions(
    tensor_type: type,
    fetch_function: Callable[[Any], Any],
    feed_function: Callable[[Any, Any], Any] | None = None,
    feed_function_for_partial_run: Any = None,
) -> None:
    """Says how a session fetches and feeds values of `tensor_type`.

    Args:
        tensor_type: the class.
        fetch_function: gives (list of tensors, function from their values to the result).
        feed_function: given (the fed object, its value), gives [(tensor, value), ...].
        feed_function_for_partial_run: gives the tensors that feeding the object feeds.

    Raises:
        ValueError: the type is registered already.
    """
    if any(known is tensor_type for known, *_ in _expansions):
        raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    _expansions.insert(0, (tensor_type, fetch_function, feed_function, feed_function_for_partial_run))


def feed_expansion(key: Any, value: Any) -> list[tuple[Any, Any]] | None:
    """The tensors and values that feeding a registered type stands for; None for anything else."""
    for kind, _, feed_function, _ in _expansions:
        if isinstance(key, kind) and feed_function is not None:
            return list(feed_function(key, value))
    return None


class Fetches:
    """The structure of a fetch.

    Attributes:
        elements: its distinct tensors and operations.
        build: restores the structure.
        has_values: whether there are tensors among the elements.
    """

    def __init__(self, graph: Graph, fetches: Any) -> None:
        self.graph = graph
        self.elements: list[Tensor | Operation] = []
        self._place: dict[Tensor | Operation, int] = {}
        try:
            self.build: Build = self._take(fetches)
        except RecursionError:
            raise ValueError(_TOO_DEEP) from None
        self.has_values = any(isinstance(element, Tensor) for element in self.elements)

    def _take(self, fetch: Any) -> Build:
        if fetch is None:
            raise TypeError("Fetch argument None has invalid type <class 'NoneType'>")
        if isinstance(fetch, (list, tuple)) and not isinstance(fetch, str):
            return self._take_sequence(fetch)
        if isinstance(fetch, collections.abc.Mapping):
            keys, parts, kind = tuple(fetch), [self._take(value) for value in fetch.values()], type(fetch)
            if kind is dict:
                return lambda values: dict(zip(keys, [part(values) for part in parts]))
            return lambda values: _mapping(kind, dict(zip(keys, [part(values) for part in parts])))
        if hasattr(type(fetch), "__attrs_attrs__"):
            names = [a.name for a in type(fetch).__attrs_attrs__]
            fields = [self._take(getattr(fetch, n)) for n in names]
            return lambda values: type(fetch)(*(f(values) for f in fields))
        for kind, expand, *_ in _expansions:
            if isinstance(fetch, kind):
                tensors, contract = expand(fetch)
                inner = [self._take(t) for t in tensors]
                return lambda values: contract([part(values) for part in inner])
        if hasattr(fetch, "_components"):
            places = [self._element(t) for t in fetch._components()]
            return lambda values: fetch._fetched([values[i] for i in places])
        return operator.itemgetter(self._element(fetch))

    def _take_sequence(self, fetch: Any) -> Build:
        parts = [self._take(item) for item in fetch]
        if hasattr(fetch, "_fields"):
            kind = type(fetch)
            return lambda values: kind(*[part(values) for part in parts])
        if isinstance(fetch, list):
            return lambda values: [part(values) for part in parts]
        return lambda values: tuple([part(values) for part in parts])

    def _element(self, fetch: Any) -> int:
        try:
            element = self.graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            raise TypeError(
                f"fetch {fetch!r} has invalid type {type(fetch)}: name a tensor or operation, or give one. ({error})"
            ) from None
        except ValueError as error:
            raise ValueError(f"fetch {fetch!r} cannot be interpreted as a Tensor. ({error})") from None
        except KeyError as error:
            raise ValueError(f"fetch {fetch!r} cannot be interpreted as a Tensor. ({error})") from None
        if not self.graph.is_fetchable(element):
            raise ValueError(f"Tensor/operation {element.name!r} may not be fetched.")
        place = self._place.setdefault(element, len(self.elements))
        if place == len(self.elements):
            self.elements.append(element)
        return place


def _mapping(kind: type, values: dict[Any, Any]) -> Any:
    try:
        return kind(values)
    except TypeError:
        return values
