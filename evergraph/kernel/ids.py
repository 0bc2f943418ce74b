"""Ids that the host looks at and pads before a compiled program gets them."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph import native

_UNSIGNED = {np.dtype(np.int32): np.uint32, np.dtype(np.int64): np.uint64}


def are_below(ids: Any, limit: int) -> bool:
    """Whether all ids are in [0, limit)."""
    ids = np.ascontiguousarray(ids)
    if native.sparse is not None:
        return native.sparse.are_below(ids, ids.itemsize == 8, limit)
    most = min(limit, np.iinfo(ids.dtype).max + 1)
    return bool((ids.view(_UNSIGNED[ids.dtype]) < most).all())  # as unsigned numbers, negative ones are large


def segments(ids: Any) -> int:
    """How many segments there are, by the last of their ids; -1 if these do not ascend from 0 on."""
    if not len(ids):
        return 0
    ids = np.ascontiguousarray(ids)
    if native.sparse is not None:
        return native.sparse.segments(ids, ids.itemsize == 8)
    return int(ids[-1]) + 1 if ids[0] >= 0 and (ids[1:] >= ids[:-1]).all() else -1


def filled(ids: Any, room: int) -> Any:
    """The ids and as much padding, the largest integer, as there is room."""
    ids = np.ascontiguousarray(ids)
    if len(ids) == room:
        return ids
    result = np.empty(room, ids.dtype)
    if native.sparse is not None:
        native.sparse.fill(ids, ids.itemsize == 8, result)
    else:
        result[: len(ids)], result[len(ids) :] = ids, np.iinfo(ids.dtype).max
    return result
