"""Small arrays that the host looks at, pads and joins before a compiled program gets them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph import native

_UNSIGNED = {np.dtype(np.int32): np.uint32, np.dtype(np.int64): np.uint64}


def are_below(arrays: Sequence[Any], limits: list[int]) -> bool:
    """Whether all ids of each array are in [0, limit)."""
    given = [np.ascontiguousarray(ids) for ids in arrays]
    if native.sparse is not None:
        return native.sparse.are_below(given, limits)
    return all(_is_below(ids, limit) for ids, limit in zip(given, limits, strict=True))


def _is_below(ids: Any, limit: int) -> bool:
    most = min(limit, np.iinfo(ids.dtype).max + 1)
    return bool((ids.view(_UNSIGNED[ids.dtype]) < most).all())  # as unsigned numbers, negative ones are large


def segments(arrays: Sequence[Any]) -> tuple[int, ...]:
    """How many segments each array has, by the last of its ids; -1 if these do not ascend from 0 on."""
    given = [np.ascontiguousarray(ids) for ids in arrays]
    if native.sparse is not None:
        return native.sparse.segments(given)
    return tuple([_segments(ids) for ids in given])


def _segments(ids: Any) -> int:
    if not len(ids):
        return 0
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


def joined(arrays: Sequence[Any], size: int) -> np.ndarray[Any, Any]:
    """The elements of arrays of one dtype, `size` of them, one after another."""
    result: np.ndarray[Any, Any] = np.empty(size, arrays[0].dtype)
    if native.sparse is None or not native.sparse.join(arrays, result):
        np.concatenate(arrays, axis=None, out=result)
    return result
