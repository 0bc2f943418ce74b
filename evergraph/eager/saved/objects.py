"""The objects that a SavedModel holds: what is a part of what, by names."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from evergraph.eager.arguments import Parameters
from evergraph.eager.concrete import ConcreteFunction
from evergraph.eager.function import Function
from evergraph.eager.saved.functions import RestoredFunction
from evergraph.frontend.array import constant
from evergraph.frontend.input.lookup import InitializableLookupTableBase, TableInitializerBase, TextFileInitializer
from evergraph.frontend.input.vocabulary_tables import IdTableWithHashBuckets, StaticVocabularyTable
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Tensor
from evergraph.layers.layer import Layer
from evergraph.save.tracking import Trackable, children_of, is_trackable

_TABLES_OVER_TABLES = (StaticVocabularyTable, IdTableWithHashBuckets)
FUNCTIONS = (Function, RestoredFunction)
_LEAVES = (*FUNCTIONS, ConcreteFunction, InitializableLookupTableBase, *_TABLES_OVER_TABLES)


class SignatureMap(dict[str, Any], Trackable):
    """The signatures of a model by name: functions from tensors by name to tensors by name."""

    def __setitem__(self, name: str, function: Any) -> None:
        raise TypeError("the signatures of a model are given when it is saved, and do not change")

    def __delitem__(self, name: str) -> None:
        raise TypeError("the signatures of a model are given when it is saved, and do not change")


class Asset(Trackable):
    """A file that belongs to a model.

    Attributes:
        asset_path: its path, a tensor.
    """

    def __init__(self, path: Tensor) -> None:
        self.asset_path = path


class Resource(Trackable):
    """Something that functions reach by a handle, such as a table.

    Attributes:
        handle: the handle.
        functions: `_create_resource`, `_initialize` and `_destroy_resource`, by name.
    """

    def __init__(self, handle: Tensor, functions: dict[str, Any]) -> None:
        self.resource_handle, self.functions = handle, functions


class Parts:
    """Finds the parts of objects, and keeps what stands for tables and files, so that each is one object."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Any, Any]] = {}

    def children(self, value: Any) -> dict[str, Any]:
        """The parts of an object that are saved, by name.

        Raises:
            ValueError: a dictionary holds such parts under keys that are not texts.
        """
        found = self._raw_children(value)
        return {name: self._standing_for(child) for name, child in found.items()}

    def _raw_children(self, value: Any) -> dict[str, Any]:
        if isinstance(value, (*FUNCTIONS, ConcreteFunction, ResourceVariable, Asset)):
            return {}
        if isinstance(value, Resource):
            return value.functions
        if isinstance(value, TextFileInitializer):
            return {"_filename": self._asset(value._filename)}
        if isinstance(value, (*_TABLES_OVER_TABLES, TableInitializerBase)):
            table = getattr(value, "_table", None)
            return {} if table is None else {"_table": table}
        if isinstance(value, Mapping):
            return _entries(value)
        if isinstance(value, (list, tuple)):
            return {str(place): item for place, item in enumerate(value) if is_part(item)}
        return {**_attributes(value), **self._once(value, lambda: _methods(value))}

    def _standing_for(self, value: Any) -> Any:
        """What is saved for a part: a table is a resource with functions that make and fill it."""
        if not isinstance(value, InitializableLookupTableBase):
            return value
        return self._once(value, lambda: Resource(value.resource_handle, self._functions(value)))

    def _functions(self, table: InitializableLookupTableBase) -> dict[str, Any]:
        initializer = table._initializer
        return {"_initializer": initializer, "_create_resource": _creator(table.resource_handle),
                "_initialize": _initializer(table.resource_handle, initializer),
                "_destroy_resource": _one("_destroyer")}

    def _asset(self, path: Tensor) -> Asset:
        return self._once(path, lambda: Asset(path))

    def _once(self, value: Any, make: Any) -> Any:
        if id(value) not in self._made:
            self._made[id(value)] = (value, make())
        return self._made[id(value)][1]


def is_part(value: Any) -> bool:
    """Whether a SavedModel can hold a value as an object."""
    if isinstance(value, _LEAVES):
        return True
    if isinstance(value, Mapping):
        return all(map(is_part, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_part, value))
    return is_trackable(value)


def _entries(value: Mapping[Any, Any]) -> dict[str, Any]:
    found = {key: item for key, item in value.items() if is_part(item)}
    for key in found:
        if not isinstance(key, str):
            raise ValueError(f"A SavedModel holds what is in a dictionary by names; the key {key!r} is none")
    return found


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object that are its parts. A layer says itself which variables and layers it has."""
    held = getattr(value, "__dict__", {})
    if isinstance(value, Layer) or hasattr(value, "_checkpoint_children"):
        return {**children_of(value), **{name: item for name, item in held.items() if isinstance(item, _LEAVES)}}
    return {name: item for name, item in held.items() if is_part(item)}


def _methods(value: Any) -> dict[str, Any]:
    """The functions that an object has by its class: those that are methods, and those that properties give."""
    found = {name: _of_class(value, name, item) for kind in reversed(type(value).__mro__)
             for name, item in vars(kind).items()}
    return {name: item for name, item in found.items() if isinstance(item, FUNCTIONS)}


def _of_class(value: Any, name: str, item: Any) -> Any:
    """What an object gives for a method or a property of its class, or None; a property of ours gives no function."""
    if isinstance(item, Function):
        return getattr(value, name)
    if not isinstance(item, property) or getattr(item.fget, "__module__", "").startswith("evergraph."):
        return None
    with contextlib.suppress(Exception):  # a property may fail when it is asked for at another time than its program's
        return getattr(value, name)
    return None


# ---- functions of tables


def _creator(handle: Tensor) -> ConcreteFunction:
    """A function that makes a table like the one of a handle."""
    graph = FuncGraph("__inference__creator")
    with graph.as_default():
        node = graph.add_node(handle.source.opdef, graph.claim_name("table"), [], dict(handle.source.attrs))
        graph.outputs = [node.outputs[0]]
    return _without_arguments(graph)


def _initializer(handle: Tensor, initializer: Any) -> ConcreteFunction:
    """A function that fills the table of a handle."""
    graph = FuncGraph("__inference__initializer")
    with graph.as_default():
        if isinstance(initializer, TextFileInitializer):  # the path differs where the model is loaded
            path = initializer._filename
            graph.captures[path] = graph.add_input(path.dtype, (), "path")
        initializer.fill(handle)
        graph.outputs = [constant(1)]
    return _without_arguments(graph)


def _without_arguments(graph: FuncGraph) -> ConcreteFunction:
    return ConcreteFunction(graph, Parameters.of(lambda: None), ((), {}), graph.outputs[0], [])


def _one(name: str) -> ConcreteFunction:
    """A function that does nothing, and returns 1 as TensorFlow's of that kind do."""
    graph = FuncGraph(f"__inference_{name}")
    with graph.as_default():
        graph.outputs = [constant(1)]
    return _without_arguments(graph)
