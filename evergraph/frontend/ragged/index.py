"""Indexing of ragged tensors: rows[1], rows[:, :2], rows[..., tf.newaxis]."""
from __future__ import annotations

from typing import Any

from evergraph.frontend.array import concat, stack, zeros
from evergraph.frontend.ragged.tensor import RaggedTensor
from evergraph.graph.convert import to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic, ragged
from evergraph.ops.arrays.gather import gather_v2
from evergraph.ops.math.elementwise import maximum, minimum, select

_ALL = slice(None)


def getitem(rows: RaggedTensor, key: Any) -> Any:
    """What `rows[key]` is.

    A ragged axis takes slices, `...` and `tf.newaxis`; a number selects from the outermost axis, or from one inside of
    the ragged ones.

    Raises:
        ValueError: a number is to select from rows of different lengths, or there are too many keys.
    """
    return _at(rows, _spelled_out(rows, list(key) if isinstance(key, tuple) else [key]))


def _spelled_out(rows: RaggedTensor, keys: list[Any]) -> list[Any]:
    """The keys with full slices in place of an ellipsis."""
    places = [i for i, key in enumerate(keys) if key is Ellipsis]
    if len(places) > 1:
        raise ValueError("an index has at most one ellipsis")
    if not places:
        return keys
    rank = rows.shape.rank
    if rank is None:
        raise ValueError("an ellipsis needs a RaggedTensor of known rank")
    taken = sum(key is not None for key in keys) - 1
    return [*keys[:places[0]], *[_ALL] * (rank - taken), *keys[places[0] + 1:]]


def _at(rows: Any, keys: list[Any]) -> Any:
    if not isinstance(rows, RaggedTensor):
        return rows[tuple(keys)] if keys else rows
    if not keys:
        return rows
    first, *rest = keys
    if first is None:
        inner = _at(rows, rest)
        count = inner.nrows() if isinstance(inner, RaggedTensor) else _length(inner, rows.row_splits)
        return RaggedTensor(inner, stack([basic.zeros_like(count), count]), internal=True)
    if isinstance(first, slice):
        return _inside(_rows(rows, first), rest)
    starts, limits = rows.row_splits[:-1], rows.row_splits[1:]
    return _at(rows.values[starts[first]:limits[first]], rest)


def _length(tensor: Tensor, like: Tensor) -> Tensor:
    return basic.shape(tensor, out_type=like.dtype)[0]


def _rows(rows: RaggedTensor, part: slice) -> RaggedTensor:
    if part == _ALL:
        return rows
    if part.step in (None, 1):
        starts, limits = rows.row_splits[:-1][part], rows.row_splits[1:][part]
        ends = concat([starts[:1], limits], axis=0)
        # No rows leave no start: then the splits are a single zero.
        ends = concat([ends, zeros([1], ends.dtype)], axis=0)[:maximum(_length(ends, to_tensor(0)), 1)]
        return RaggedTensor(rows.values[ends[0]:ends[-1]], ends - ends[0], internal=True)
    return gathered(rows, basic.range_(0, rows.nrows("int32"), 1)[part])


def gathered(rows: RaggedTensor, numbers: Tensor) -> RaggedTensor:
    """The rows with these numbers, which may have any known rank."""
    splits, values = ragged.ragged_gather(list(rows.nested_row_splits), rows.flat_values, numbers,
                                          OUTPUT_RAGGED_RANK=rows.ragged_rank + numbers.shape.rank - 1)
    for ends in reversed(splits):
        values = RaggedTensor(values, ends, internal=True)
    return values


def _inside(rows: RaggedTensor, keys: list[Any]) -> Any:
    """`keys` applied to each row."""
    if not keys:
        return rows
    first, *rest = keys
    if first is None:
        count = rows.nrows()
        ends = basic.range_(basic.zeros_like(count), count + 1, basic.ones_like(count))
        return RaggedTensor(_inside(rows, rest), ends, internal=True)
    if not isinstance(first, slice):
        raise ValueError("a number cannot select from rows of different lengths; a slice can")
    return _with_values(_of_each_row(rows, first), rest)


def _with_values(rows: RaggedTensor, keys: list[Any]) -> RaggedTensor:
    return rows.with_values(_at(rows.values, [_ALL, *keys])) if keys else rows


def _of_each_row(rows: RaggedTensor, part: slice) -> RaggedTensor:
    """The same slice of every row, with Python's meaning of numbers that are negative or too large."""
    if part == _ALL:
        return rows
    lengths = rows.row_lengths()
    step = 1 if part.step is None else part.step
    if not isinstance(step, int) or not step:
        raise ValueError(f"the step of a slice must be a number other than 0, got {part.step}")
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)
    first = _place(part.start, lengths, low, high, low if step > 0 else high)
    last = _place(part.stop, lengths, low, high, high if step > 0 else low)
    starts = rows.row_splits[:-1]
    splits, places = ragged.ragged_range(starts + first, starts + last, to_tensor(step, starts.dtype),
                                         Tsplits=starts.dtype)
    if isinstance(rows.values, RaggedTensor):
        return RaggedTensor(gathered(rows.values, places), splits, internal=True)
    return RaggedTensor(gather_v2(rows.values, places, 0), splits, internal=True)


def _place(number: Any, lengths: Tensor, low: Any, high: Any, default: Any) -> Tensor:
    """Where in each row a slice begins or ends."""
    if number is None:
        return default + basic.zeros_like(lengths)
    number = basic.cast(to_tensor(number), lengths.dtype) + basic.zeros_like(lengths)
    number = select(number < 0, number + lengths, number)
    return minimum(maximum(number, basic.cast(to_tensor(low), lengths.dtype)), high)


RaggedTensor.__getitem__ = getitem  # type: ignore[attr-defined]
