"""What a stage needs to know of a session's store, beside its verbs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from evergraph.kernel.storage import Form, Storage

if TYPE_CHECKING:
    from evergraph.compile.early import Early


class Values(Storage, Protocol):
    """The store of a session.

    Attributes:
        packs: whether `get_all` takes a Pack as a key, and then gives the array of its values.
        early: the steps that have returned before they are known to have succeeded.
    """

    packs: bool
    early: Early

    @property
    def layout(self) -> int:
        """A number that is another one whenever the set of keys, or a shape or dtype, has changed."""

    @property
    def mark(self) -> int:
        """The number of the block that came last, for `restore`."""


def elements(store: Values, keys: Sequence[str], args: Sequence[Any]) -> int:
    """How many elements the inputs of a stage and its variables have."""
    return sum(arg.size for arg in args) + sum(map(size, store.forms(keys)))


def size(form: Form | None) -> int:
    """How many elements a stored value has; none if it is not set."""
    return 0 if form is None else math.prod(form[0])
