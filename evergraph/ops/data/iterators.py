"""The ops on iterators. An iterator is an object of the session, so these run on the host."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.aside import aside
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.graph.traits import ANY
from evergraph.kernel.values import Hole, boxed
from evergraph.ops.data.depth import make_room
from evergraph.ops.data.drawing import Draws
from evergraph.ops.data.pipeline import TYPES, Dataset, Element, Scope, as_dataset, shape_text
from evergraph.ops.data.rewriting import may_be_early, rewritten

_numbers = itertools.count()
_HANDLES: weakref.WeakValueDictionary[bytes, IteratorHandle] = weakref.WeakValueDictionary()
_NAMED = f"shared_name: string, container: string, {TYPES}"
_KNOWN = "output_types: list(type) >= 0 = [], output_shapes: list(shape) >= 0 = []"


class IteratorHandle:
    """What an iterator op holds: an iterator over the dataset that it was last given. Threads may draw at once.

    Args:
        name: what errors call it.
        types, shapes: those that datasets must have; none for any.
    """

    def __init__(self, name: str, types: Sequence[Any], shapes: Sequence[Any]) -> None:
        self.name, self.types, self.shapes = name, types, shapes
        self._current: _Current | None = None
        self._is_closed = False
        self.string = f"evergraph-iterator-{next(_numbers)}".encode()
        _HANDLES[self.string] = self

    def start(self, dataset: Dataset, calls: Any) -> None:
        """Begins to go through a dataset. The one before, if there was one, is left."""
        self._check_types(dataset)
        scope = Scope(calls)
        make = lambda: _Current(rewritten(dataset, scope.is_quiet), scope)
        self._replace(aside(make) if make_room(dataset) else make())

    def _replace(self, current: _Current) -> None:
        """One assignment, so that an interrupt leaves the iterator before or the new one."""
        before, self._current = self._current, current
        if before is not None:
            before.draws.close()

    def _check_types(self, dataset: Dataset) -> None:
        types, shapes = dataset.types, dataset.shapes
        if not self.types:
            return
        if len(types) != len(self.types):
            raise invalid(f"the iterator takes elements of {len(self.types)} components, the dataset's have "
                          f"{len(types)}")
        for place, (mine, other) in enumerate(zip(self.types, types, strict=True)):
            if mine != other:
                raise invalid(f"component {place} of the iterator is of {mine.name}, the dataset's is of {other.name}")
        for place, (mine, other) in enumerate(zip(self.shapes, shapes)):
            if not _fit(mine, other):
                raise invalid(f"component {place} of the iterator has shape {shape_text(mine)}, the dataset's has "
                              f"{shape_text(other)}")

    def get(self) -> Element | None:
        """The next element; None at the end.

        Raises:
            FailedPreconditionError: no dataset was given yet.
        """
        if self._current is None:
            raise errors.FailedPreconditionError(
                None, None, "the iterator has not been initialized: run its initializer before its get_next")
        try:
            return self._current.draws.get()
        except Exception as error:
            if self._is_closed and not isinstance(error, errors.CancelledError):
                raise errors.CancelledError(None, None, "the session was closed") from error
            raise

    def state(self) -> Any:
        """Where the iterator stands, for `restore` of one over such a dataset."""
        if self._current is None:
            raise errors.FailedPreconditionError(None, None, "an iterator without a dataset has no state")
        scope, draws = self._current.scope, self._current.draws
        with draws.lock:
            while True:
                streams, state = dict(scope.streams), draws.state()
                # A thread that draws ahead may have drawn random numbers in between; it stops when it has no room.
                if _same_values(streams, scope.streams):
                    return streams, state

    def restore(self, state: Any) -> None:
        """Goes on where the state says, with a new iterator: the one before may have ended its threads and sources."""
        if self._current is None:
            raise errors.FailedPreconditionError(None, None, "the iterator must be initialized to be restored")
        streams, inner = state
        current = _Current(self._current.dataset, self._current.scope.anew())
        try:
            current.draws.restore(inner)
        except BaseException:
            current.draws.close()
            raise
        current.scope.streams.update(streams)
        self._replace(current)

    def cancel(self) -> None:
        """Ends threads and closes files: what the session does when it is closed."""
        self._is_closed = True
        if self._current is not None:
            self._current.draws.close()


class _Current:
    """An iterator over a dataset, which nobody has drawn from.

    Args:
        dataset: where its elements come from.
        scope: what the iterators below it share.
    """

    def __init__(self, dataset: Dataset, scope: Scope) -> None:
        self.dataset, self.scope = dataset, scope
        self.draws = Draws(dataset.iterate(scope), may_be_early(dataset, scope.is_quiet))


def _same_values(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return len(one) == len(other) and all(other.get(key) is value for key, value in one.items())


def _fit(one: Sequence[int | None] | None, other: Sequence[int | None] | None) -> bool:
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(a is None or b is None or a == b for a, b in zip(one, other))


def _new_handle(node):
    types, shapes = node.attrs["output_types"], node.attrs["output_shapes"]
    return IteratorHandle(node.attrs.get("shared_name") or node.name, types, shapes)


# ---- ops that make an iterator


def _iterator(shared, node):
    """An iterator that `MakeIterator` gives a dataset."""
    return shared(lambda: _new_handle(node))


iterator, iterator_v2 = (op(f"{name}(*, {_NAMED}) -> handle: resource", stateful=True, on="host", shape=scalar,
                            grad=STOP)(_iterator) for name in ("Iterator", "IteratorV2"))


@op(f"OneShotIterator(*, dataset_factory: func, {TYPES}, container: string = '', shared_name: string = '') -> "
    "handle: resource", stateful=True, on="host", shape=scalar, grad=STOP)
def one_shot_iterator(shared, context, node, dataset_factory):
    """An iterator over the dataset that a function gives, once."""
    def make():
        handle = _new_handle(node)
        dataset, = dataset_factory()
        handle.start(as_dataset(dataset), context.detached())
        return handle
    return shared(make)


@op(f"AnonymousIterator(*, {TYPES}) -> handle: resource", stateful=True, on="host", shape=scalar, grad=STOP)
def anonymous_iterator(node):
    """A new iterator in each run."""
    return _new_handle(node)


@op(f"AnonymousIteratorV2(*, {TYPES}) -> handle: resource, deleter: variant", stateful=True, on="host",
    shape=lambda: [(), ()], grad=STOP)
def anonymous_iterator_v2(node):
    """A new iterator in each run, and what `DeleteIterator` takes."""
    handle = _new_handle(node)
    return handle, boxed(handle)


@op("DeleteIterator(handle: resource, deleter: variant) -> ()", stateful=True, on="host")
def delete_iterator(handle, deleter):
    """Ends an iterator."""
    handle.cancel()


@op("MakeIterator(dataset: variant, iterator: resource) -> ()", stateful=True, on="host")
def make_iterator(context, dataset, iterator):
    """Lets an iterator begin to go through a dataset."""
    iterator.start(as_dataset(dataset), context.detached())


# ---- ops that draw from one


def _declared(output_shapes):
    return list(output_shapes)


def _get_next(iterator):
    """The next element of an iterator."""
    element = iterator.get()
    if element is None:
        raise errors.OutOfRangeError(None, None, "End of sequence")
    return element


iterator_get_next, iterator_get_next_sync = (
    op(f"{name}(iterator: resource, *, {TYPES}) -> components: output_types", stateful=True, on="host",
       shape=_declared, grad=STOP)(_get_next) for name in ("IteratorGetNext", "IteratorGetNextSync"))


@op(f"IteratorGetNextAsOptional(iterator: resource, *, {TYPES}) -> optional: variant", stateful=True, on="host",
    shape=scalar, grad=STOP)
def iterator_get_next_as_optional(iterator):
    """The next element of an iterator as an optional, which holds nothing at the end."""
    element = iterator.get()
    if element is None:
        return Hole(boxed(None).dtype)
    return element[0] if len(element) == 1 else element


# ---- handles as text


@op("IteratorToStringHandle(resource_handle: resource) -> string_handle: string", stateful=True, on="host",
    shape=scalar, grad=STOP)
def iterator_to_string_handle(resource_handle):
    """A string for an iterator, valid in this process."""
    return boxed(resource_handle.string)


def _from_string_handle(node, string_handle):
    """The iterator that a string stands for."""
    if string_handle.ndim:
        raise invalid("string_handle must be a scalar")
    found = _HANDLES.get(string_handle.item())
    if found is None:
        raise invalid(f"there is no iterator for the string handle {string_handle.item()!r}")
    if node.attrs["output_types"]:
        IteratorHandle("", node.attrs["output_types"], node.attrs["output_shapes"])._check_types(found)
    return found


iterator_from_string_handle, iterator_from_string_handle_v2 = (
    op(f"{name}(string_handle: string, *, {_KNOWN}) -> resource_handle: resource", stateful=True, on="host",
       shape=scalar, grad=STOP)(_from_string_handle)
    for name in ("IteratorFromStringHandle", "IteratorFromStringHandleV2"))


# ---- their state


@op("SerializeIterator(resource_handle: resource) -> serialized: variant", stateful=True, on="host", shape=scalar,
    later={"external_state_policy": ANY})
def serialize_iterator(resource_handle):
    """Where an iterator stands."""
    return boxed(resource_handle.state())


@op("DeserializeIterator(resource_handle: resource, serialized: variant) -> ()", stateful=True, on="host")
def deserialize_iterator(resource_handle, serialized):
    """Lets an iterator go on where another one stood."""
    resource_handle.restore(serialized.item())
