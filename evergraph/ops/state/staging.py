"""Ops on staging areas. They run on the host: a waiting step holds no lock."""

from __future__ import annotations

import numpy as np

from evergraph.graph.opdef import op
from evergraph.graph.shaping import scalar, with_rank
from evergraph.ops.state.staging_area import KeyedArea, LineArea

_LIMITS = "capacity: int >= 0 = 0, memory_limit: int >= 0 = 0"
_NAMES = "container: string = '', shared_name: string = ''"
_ATTRS = f"{_LIMITS}, dtypes: list(type) >= 1, {_NAMES}"
_ANY_ATTRS = f"{_LIMITS}, dtypes: list(type), {_NAMES}"
_KIND = {"stateful": True, "on": "host"}


def _line(shared, node):
    """The area that an op works on. All ops of one area have its shared name, and make it when it is not there."""
    attrs = node.attrs
    name = attrs["shared_name"] or node.name
    return shared(lambda: LineArea(name, attrs["capacity"], attrs["memory_limit"]), f"staging/{name}")


def _unknown(dtypes):
    return [None] * len(dtypes)


@op(f"Stage(values: dtypes, *, {_ATTRS}) -> ()", **_KIND)
def stage(shared, node, values):
    """Appends an element to a staging area, waiting for room."""
    _line(shared, node).put(values)


@op(f"Unstage(*, {_ATTRS}) -> values: dtypes", shape=_unknown, **_KIND)
def unstage(shared, node):
    """Removes the oldest element of a staging area, waiting for one."""
    return _line(shared, node).get()


@op(f"StagePeek(index: int32, *, {_ATTRS}) -> values: dtypes", shape=lambda index, dtypes: _unknown(dtypes), **_KIND)
def stage_peek(shared, node, index):
    """The element at a position of a staging area, waiting until there are as many."""
    return _line(shared, node).peek(int(index))


@op(f"StageSize(*, {_ANY_ATTRS}) -> size: int32", shape=scalar, **_KIND)
def stage_size(shared, node):
    """The number of elements in a staging area."""
    return np.int32(_line(shared, node).size())


@op(f"StageClear(*, {_ANY_ATTRS}) -> ()", **_KIND)
def stage_clear(shared, node):
    """Removes all elements of a staging area."""
    _line(shared, node).clear()


def _keyed_shapes(key, indices, dtypes):
    with_rank(key, 0, "key")
    return _unknown(dtypes)


def _keyed_ops(prefix, ordered):
    """The ops on areas by key, once for each order in which elements leave without a key."""

    def area(shared, node):
        attrs = node.attrs
        name = attrs["shared_name"] or node.name
        return shared(lambda: KeyedArea(name, attrs["capacity"], attrs["memory_limit"], ordered), f"staging/{name}")

    def stage(shared, node, key, indices, values):
        """Adds components to the element of a key, waiting for room."""
        area(shared, node).put(int(key), indices, values, len(node.attrs["dtypes"]))

    def unstage(shared, node, key, indices):
        """Removes components of the element of a key, waiting until it is complete."""
        return area(shared, node).take(int(key), indices)

    def unstage_no_key(shared, node, indices):
        """Removes components of an element, waiting for a complete one; returns its key too."""
        key, values = area(shared, node).take_any(indices)
        return np.int64(key), values

    def peek(shared, node, key, indices):
        """Components of the element of a key, waiting until it is complete."""
        return area(shared, node).peek(int(key), indices)

    def size(shared, node):
        """The number of complete elements."""
        return np.int32(area(shared, node).size())

    def incomplete_size(shared, node):
        """The number of elements of which components are missing."""
        return np.int32(area(shared, node).incomplete_size())

    def clear(shared, node):
        """Removes all elements, complete or not."""
        area(shared, node).clear()

    staged = f"{_LIMITS}, dtypes: list(type), fake_dtypes: list(type) >= 1, {_NAMES}"
    return (
        op(f"{prefix}Stage(key: int64, indices: int32, values: fake_dtypes, *, {staged}) -> ()", **_KIND)(stage),
        op(f"{prefix}Unstage(key: int64, indices: int32, *, {_ATTRS}) -> values: dtypes", shape=_keyed_shapes,
           **_KIND)(unstage),
        op(f"{prefix}UnstageNoKey(indices: int32, *, {_ATTRS}) -> key: int64, values: dtypes",
           shape=lambda indices, dtypes: [(), *_unknown(dtypes)], **_KIND)(unstage_no_key),
        op(f"{prefix}Peek(key: int64, indices: int32, *, {_ATTRS}) -> values: dtypes", shape=_keyed_shapes,
           **_KIND)(peek),
        op(f"{prefix}Size(*, {_ANY_ATTRS}) -> size: int32", shape=scalar, **_KIND)(size),
        op(f"{prefix}IncompleteSize(*, {_ANY_ATTRS}) -> size: int32", shape=scalar, **_KIND)(incomplete_size),
        op(f"{prefix}Clear(*, {_ANY_ATTRS}) -> ()", **_KIND)(clear),
    )


UNORDERED = _keyed_ops("Map", False)
ORDERED = _keyed_ops("OrderedMap", True)
