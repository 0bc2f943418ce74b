"""Staging areas: tensors put by one step and taken by a later one (`tf.contrib.staging.StagingArea`)."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.ops.state import staging as ops


class BaseStagingArea:
    """What both kinds of staging areas share: dtypes, shapes and names of the components, and limits.

    Args:
        dtypes: the dtype of each component of an element.
        shapes: their static shapes, or None.
        names: their names, so that elements are given and returned as dicts; or None.
        shared_name: the name under which areas of a session are the same one.
        capacity: the largest number of elements, beyond which a put waits; 0 for no limit.
        memory_limit: the largest number of bytes, beyond which a put waits; 0 for no limit.
    """

    def __init__(self, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None,
                 capacity: int = 0, memory_limit: int = 0) -> None:
        if shapes is not None and len(shapes) != len(dtypes):
            raise ValueError(f"there must be as many shapes as dtypes, got {len(shapes)} and {len(dtypes)}")
        if names is not None and len(names) != len(dtypes):
            raise ValueError(f"there must be as many names as dtypes, got {len(names)} and {len(dtypes)}")
        if capacity < 0 or memory_limit < 0:
            raise ValueError(f"the limits of a staging area must not be negative: {capacity} elements, "
                             f"{memory_limit} bytes")
        self._dtypes = [_as_dtype(each) for each in dtypes]
        self._shapes = [TensorShape(s) for s in (shapes if shapes is not None else [None] * len(dtypes))]
        self._names = names
        self._capacity, self._memory_limit = capacity, memory_limit
        own = default_graph().unique_name(type(self).__name__, mark_as_used=shared_name is None)
        self._name = shared_name or own

    name = property(lambda self: self._name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)
    capacity = property(lambda self: self._capacity)
    memory_limit = property(lambda self: self._memory_limit)

    def _attrs(self, name: str | None, action: str) -> dict[str, Any]:
        return {"shared_name": self._name, "capacity": self._capacity, "memory_limit": self._memory_limit,
                "name": name or f"{self._name}_{action}"}

    def _components(self, vals: Any, indices: Any) -> tuple[list[Any], list[int]]:
        """(tensors, their positions) of what a program puts."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("a staging area without names takes lists, not dictionaries")
            unknown = set(vals) - set(self._names)
            if unknown:
                raise ValueError(f"the staging area has no components {sorted(unknown)}, it has {self._names}")
            indices = [at for at, name in enumerate(self._names) if name in vals]
            vals = [vals[self._names[at]] for at in indices]
        else:
            if self._names:
                raise ValueError("a staging area with names takes dictionaries")
            vals = list(vals) if isinstance(vals, (list, tuple)) else [vals]
            indices = list(range(len(vals))) if indices is None else list(indices)
        if len(vals) != len(indices) or len(vals) > len(self._dtypes):
            raise ValueError(f"the staging area has {len(self._dtypes)} components, got {len(vals)} values for the "
                             f"positions {indices}")
        return [self._component(value, at) for value, at in zip(vals, indices)], indices

    def _component(self, value: Any, at: int) -> Any:
        tensor = convert_to_tensor(value, dtype=self._dtypes[at], name=f"component_{at}")
        tensor.get_shape().assert_is_compatible_with(self._shapes[at])
        return tensor

    def _result(self, tensors: Any, indices: Any) -> Any:
        """What a program gets: a dict by names, or a list."""
        for tensor, at in zip(tensors, indices):
            tensor.set_shape(self._shapes[at])
        if self._names:
            return {self._names[at]: tensor for tensor, at in zip(tensors, indices)}
        return list(tensors)


@export("contrib.staging.StagingArea")
class StagingArea(BaseStagingArea):
    """A buffer between steps: a step puts an element, a later one gets it, in the same order.

    It needs no runner and is never closed. Programs stage the batch of the next step while one computes.

    Args:
        dtypes: the dtype of each component of an element.
        shapes: the static shape of each component.
        names: of the components, if elements are dicts.
        shared_name: by which other areas of the session are the same one.
        capacity: how many elements there may be; 0 is any number.
        memory_limit: how many bytes they may take; 0 is any number.
    """

    def put(self, values: Any, name: str | None = None) -> Any:
        """An operation that appends an element, waiting for room."""
        with default_graph().name_scope(name or f"{self._name}_put") as scope:
            tensors, indices = self._components(values, None)
            if len(indices) != len(self._dtypes):
                raise ValueError(f"the staging area has {len(self._dtypes)} components, got {len(indices)}")
            return ops.stage(tensors, **self._attrs(scope, "put"))

    def get(self, name: str | None = None) -> Any:
        """The oldest element, which leaves the area; the step waits for one."""
        found = ops.unstage(dtypes=self._dtypes, **self._attrs(name, "get"))
        return self._result(found, range(len(self._dtypes)))

    def peek(self, index: Any, name: str | None = None) -> Any:
        """The element at a position, which stays."""
        found = ops.stage_peek(index, dtypes=self._dtypes, **self._attrs(name, "peek"))
        return self._result(found, range(len(self._dtypes)))

    def size(self, name: str | None = None) -> Any:
        """The number of elements."""
        return ops.stage_size(dtypes=self._dtypes, **self._attrs(name, "size"))

    def clear(self, name: str | None = None) -> Any:
        """An operation that removes all elements."""
        return ops.stage_clear(dtypes=self._dtypes, **self._attrs(name, "clear"))


class MapStagingArea(BaseStagingArea):
    """A staging area of elements by key, whose components may be put by several steps.

    Args:
        ordered: whether an element taken without a key is the one with the smallest key.
    """

    def __init__(self, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None,
                 ordered: bool = False, capacity: int = 0, memory_limit: int = 0) -> None:
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        (self._put, self._take, self._take_any, self._peek, self._size, self._incomplete,
         self._clear) = ops.ORDERED if ordered else ops.UNORDERED

    def put(self, key: Any, vals: Any, indices: Any = None, name: str | None = None) -> Any:
        """An operation that adds components to the element of a key, waiting for room.

        Args:
            key: an int64 scalar.
            vals: a dict by names, or a list.
            indices: the positions of the values of a list; all without it.
            name: a name for the operation.
        """
        with default_graph().name_scope(name or f"{self._name}_put") as scope:
            tensors, positions = self._components(vals, indices)
            return self._put(_key(key), positions, tensors, dtypes=self._dtypes, **self._attrs(scope, "put"))

    def get(self, key: Any = None, indices: Any = None, name: str | None = None) -> Any:
        """(key, components) of the element of a key, or of any; they leave the area. The step waits for it."""
        positions = self._positions(indices)
        types = [self._dtypes[at] for at in positions]
        if key is None:
            found_key, found = self._take_any(positions, dtypes=types, **self._attrs(name, "get"))
            return found_key, self._result(found, positions)
        key = _key(key)
        found = self._take(key, positions, dtypes=types, **self._attrs(name, "get"))
        return key, self._result(found, positions)

    def peek(self, key: Any, indices: Any = None, name: str | None = None) -> Any:
        """Components of the element of a key, which stay."""
        positions = self._positions(indices)
        types = [self._dtypes[at] for at in positions]
        return self._result(self._peek(_key(key), positions, dtypes=types, **self._attrs(name, "peek")), positions)

    def size(self, name: str | None = None) -> Any:
        """The number of complete elements."""
        return self._size(dtypes=self._dtypes, **self._attrs(name, "size"))

    def incomplete_size(self, name: str | None = None) -> Any:
        """The number of elements of which components are missing."""
        return self._incomplete(dtypes=self._dtypes, **self._attrs(name, "incomplete_size"))

    def clear(self, name: str | None = None) -> Any:
        """An operation that removes all elements."""
        return self._clear(dtypes=self._dtypes, **self._attrs(name, "clear"))

    def _positions(self, indices: Any) -> list[int]:
        if indices is None:
            return list(range(len(self._dtypes)))
        return [self._names.index(at) if isinstance(at, str) else at for at in indices]


def _as_dtype(each: Any) -> dtypes.DType:
    return dtypes.as_dtype(each)


def _key(key: Any) -> Any:
    return convert_to_tensor(key, dtype=dtypes.int64, name="key")
