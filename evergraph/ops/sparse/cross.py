"""Feature crosses: every combination of a value from each column, row by row."""
import functools
import math

import numpy as np

from evergraph import native
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.ops.strings.hashing import fingerprints

_MULTIPLIER = np.uint64(0xC6A4A7935BD1E995)
_SEPARATOR = b"_X_"
_MOST_NATIVE = 32  # columns that native/sparse.c crosses
_MOST_SHARED = 1 << 16  # crosses of dense columns whose places are remembered


def joined_fingerprint(first, second):
    """Combines pairs of fingerprints; the order matters."""
    with np.errstate(over="ignore"):
        mixed = _shifted(second * _MULTIPLIER) * _MULTIPLIER
        mixed = (first ^ _MULTIPLIER ^ mixed) * _MULTIPLIER
        return _shifted(_shifted(mixed) * _MULTIPLIER)


def _shifted(bits):
    return bits ^ (bits >> np.uint64(47))


@op("SparseCross(indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs: dense_types, *, "
    "N: int >= 0, hashed_output: bool, num_buckets: int >= 0, hash_key: int, "
    "sparse_types: list({int64, string}) >= 0, dense_types: list({int64, string}) >= 0, out_type: {int64, string}, "
    "internal_type: {int64, string}) -> output_indices: int64, output_values: out_type, output_shape: int64",
    on="host", grad=STOP, shape=lambda: [(None, 2), (None,), (2,)])
def sparse_cross(indices, values, shapes, dense_inputs, hashed_output, num_buckets, hash_key, internal_type):
    """Crosses sparse and dense feature columns: strings joined by "_X_", or the hash bucket of each cross."""
    rows = _batch_size(shapes, dense_inputs)
    _check_columns(indices, values, shapes, dense_inputs, rows)
    if internal_type.hasobject and not hashed_output and any(v.dtype != object for v in (*values, *dense_inputs)):
        raise invalid("Input columns should be strings where internal_type is string")
    columns = [*((entries, _row_counts(at, rows, place)) for place, (at, entries) in enumerate(zip(indices, values))),
               *((dense.reshape(-1), _even(rows, dense.shape[1])) for dense in dense_inputs)]
    each = math.prod(dense.shape[1] for dense in dense_inputs)
    if dense_inputs and not indices and rows * each <= _MOST_SHARED:
        places, most = _even_crosses(rows, each)
        places = places.copy()
    else:
        places, most = _crosses(rows, [count for _, count in columns])
    shape = np.array([rows, most], np.int64)
    if hashed_output and native.sparse is not None and 0 < len(columns) <= _MOST_NATIVE:
        return places, _crossed_in_c(columns, len(places), num_buckets, hash_key), shape
    picks = _picks([count for _, count in columns], places)
    if hashed_output:
        found = _hashed([entries for entries, _ in columns], picks, num_buckets, hash_key)
    else:
        found = _joined([entries for entries, _ in columns], picks)
    return places, found, shape


def _crossed_in_c(columns, size, num_buckets, hash_key):
    """The hash buckets of so many crosses."""
    found, rest = np.empty(size, np.int64), (hash_key % 2**64, num_buckets or 2**63 - 1)
    given = [(np.ascontiguousarray(entries), entries.dtype == object, count) for entries, count in columns]
    try:
        native.sparse.cross(given, *rest, found)
    except TypeError:  # something is no string, and Python says so
        native.sparse.cross([(_as_numbers(entries), False, count) for entries, count in columns], *rest, found)
    return found


def _batch_size(shapes, dense_inputs):
    if shapes:
        return int(shapes[0][0]) if np.shape(shapes[0]) == (2,) else 0
    return np.shape(dense_inputs[0])[0] if dense_inputs and np.ndim(dense_inputs[0]) else 0


def _check_columns(indices, values, shapes, dense_inputs, rows):
    for position, (at, entries, shape) in enumerate(zip(indices, values, shapes)):
        where = f"at position {position}"
        if np.ndim(at) != 2:
            raise invalid(f"indices should be a matrix, one row for each value; their shape is {list(np.shape(at))} "
                          f"{where}")
        if at.shape[1] != 2:
            raise invalid(f"an index has a row and a column, got {at.shape[1]} numbers {where}")
        if np.shape(entries) != at.shape[:1]:
            raise invalid(f"Expected size of values to be {at.shape[0]} got shape {list(np.shape(entries))} {where}")
        if np.shape(shape) != (2,):
            raise invalid(f"a sparse column has rows and columns, got {np.size(shape)} sizes {where}")
        if shape[0] != rows:
            raise invalid(f"Expected batch size {rows} got {shape[0]} {where}")
    for position, dense in enumerate(dense_inputs):
        if np.ndim(dense) != 2:
            raise invalid("Dense inputs should be a matrix, one row for each example; the one at position "
                          f"{position} has shape {list(np.shape(dense))}")
        if dense.shape[0] != rows:
            raise invalid(f"Expected batch size {rows} got {dense.shape[0]} at dense tensor {position}")


def _row_counts(at, rows, position):
    """How many entries each row of a sparse column has."""
    counts = np.empty(rows, np.int64)
    if native.sparse is not None and native.sparse.count_rows(np.ascontiguousarray(at), 2, counts):
        return counts
    if len(at) and not (0 <= at[:, 0].min() and at[:, 0].max() < rows):
        raise invalid(f"Expected rows in [0, {rows}), got {at[:, 0].min()} to {at[:, 0].max()} at position {position}")
    return np.bincount(at[:, 0], minlength=rows)


@functools.lru_cache(maxsize=8)
def _even(rows, count):
    """The numbers of values in each row of a dense column. All steps share them."""
    result = np.full(rows, count)
    result.flags.writeable = False
    return result


@functools.lru_cache(maxsize=8)
def _even_crosses(rows, count):
    """`_crosses` of dense columns, of which each row has so many. All steps share them."""
    return _crosses(rows, [_even(rows, count)])


def _crosses(rows, counts):
    """(the row of each cross and its number in the row, the most crosses that a row has)."""
    totals = functools.reduce(np.multiply, counts) if counts else np.prod([], dtype=np.int64)
    if native.sparse is not None and totals.dtype == np.int64 and totals.ndim:
        places = np.empty((int(totals.sum()), 2), np.int64)
        return places, native.sparse.turns(totals, places)
    return np.stack([np.repeat(np.arange(rows), totals), _turns(totals)], axis=1), totals.max(initial=0)


def _turns(counts):
    """0, 1, 2, ..., count - 1 for each row."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)


def _picks(counts, places):
    """For each column the index of the value in each cross; the last column varies fastest."""
    row, rest = places.T
    picks = []
    for count in reversed(counts):
        size = count[row]
        picks.append((np.cumsum(count) - count)[row] + rest % size)
        rest = rest // size
    return picks[::-1]


def _hashed(columns, picks, num_buckets, hash_key):
    result = np.full(len(picks[0]) if picks else 0, hash_key % 2**64, np.uint64)
    for entries, pick in zip(columns, picks):
        result = joined_fingerprint(result, _as_numbers(entries)[pick])
    # Without buckets the result must still fit an int64.
    return (result % np.uint64(num_buckets or 2**63 - 1)).astype(np.int64)


def _as_numbers(entries):
    """What a column adds to hashes: integers as they are, fingerprints of strings."""
    return fingerprints(entries) if entries.dtype == object else entries.astype(np.uint64)


def _joined(columns, picks):
    texts = [entries if entries.dtype == object else np.array([b"%d" % n for n in entries.tolist()], object)
             for entries in columns]
    found = np.empty(len(picks[0]) if picks else 0, object)
    found[:] = [_SEPARATOR.join(parts) for parts in zip(*(text[pick] for text, pick in zip(texts, picks)))]
    return found
