"""The store of a session as the steps of its graph use it: a few verbs over keys, in two phases.

A step enters a block with the keys that it uses, takes their values and computes. Then it prepares the store for what
it will replace, and commits what replaces it. A step of several stages does so for each; when a later one fails, what
`prepare` has given is restored. No verb tells where the values are: in this process, in another thread, on a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

Form = tuple[tuple[int, ...], "np.dtype[Any]"]


class Storage(Protocol):
    """Values by key, which the steps of several threads use. A key without a value has the value None."""

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> AbstractContextManager[Any]:
        """A with-block that uses the values of `keys` and may replace those of `changed`, which are among them.

        It waits for blocks of other threads that conflict with it. Inside, no other thread replaces these values.
        """

    def forms(self, keys: Sequence[str]) -> list[Form | None]:
        """The shape and dtype of each value; None where there is none. What is no array counts as a scalar."""

    def get_all(self, keys: Sequence[str]) -> list[Any]:
        """The values as they are stored, on the host or on a device, for a block that uses them."""

    def snapshot(self, keys: Sequence[str]) -> list[Any]:
        """The values at one moment as arrays of the host, which no later step changes, for callers in no block."""

    def shared(self, key: str, make: Callable[[], Any]) -> Any:
        """The object kept under a key, such as a queue; the first to ask makes it. No step replaces it."""

    def prepare(self, keys: Sequence[str], changes_layout: bool = False, donated: bool = False) -> list[Any]:
        """Says that the values of some keys will be replaced, in the block that may do so.

        Args:
            keys: the keys.
            changes_layout: whether shapes or dtypes change, or values are set for the first time.
            donated: whether a program gets the buffers of the values, so that these have to be kept elsewhere.

        Returns:
            What `restore` takes to undo it, for each key. Nothing else may be done with it.
        """

    def commit(self, keys: Sequence[str], program: Iterator[Sequence[Any]], ran: dict[str, Any]) -> None:
        """Runs a program and stores its first results under `keys`: all of them, or none if it raises.

        Args:
            keys: for the first results.
            program: an iterator that runs the program when it is asked for its only item.
            ran: gets all results, as "found", before the first of them is stored.
        """

    def restore(self, replaced: Mapping[str, Any], mark: int) -> None:
        """Leaves the blocks that this thread has entered since a mark, and undoes what was committed in them.

        Args:
            replaced: by key, what `prepare` has given. None removes the value.
            mark: the `mark` of the store from before.
        """

    def forget(self) -> None:
        """Removes what is the session's own, and cancels what waits in its queues."""


def forms_of(values: Iterable[Any]) -> list[Form | None]:
    """The shape and dtype of each value; None for None. An object that is no array counts as a scalar."""
    return [(value.shape, value.dtype) if type(value) is np.ndarray else _form_of(value) for value in values]


def _form_of(value: Any) -> Form | None:
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return value.shape, value.dtype
    return None if value is None else _OBJECT


_OBJECT: Form = ((), np.dtype(object))


def put(storage: Storage, values: Mapping[str, Any]) -> None:
    """Stores values outside of a step, in a block that may replace them."""
    keys = list(values)
    storage.prepare(keys, storage.forms(keys) != forms_of(values.values()))
    storage.commit(keys, iter((list(values.values()),)), {})
