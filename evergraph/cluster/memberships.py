"""The groups that this process is a member of: one for each list of addresses, because it has one port in it."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from evergraph.cluster.ring import Group

_groups: dict[tuple[int, tuple[str, ...]], Group] = {}
_lock = threading.Lock()


def group_at(rank: int, addresses: Sequence[str], names: Sequence[str] | None = None) -> Group:
    """The group of these addresses, of which this process is the member of that number; see `Group`.

    Raises:
        UnknownError: the port of this member is in use.
    """
    key = (rank, tuple(addresses))
    with _lock:
        found = _groups.get(key)
        if found is None:
            found = _groups[key] = Group(rank, addresses, names)
        return found
