"""Ops that search for elements: nonzero ones, unique ones, the top k, insertion points; and the edit distance.

The number of results depends on the values, so most of these ops run on the host.
"""
import numpy as np

from evergraph import native
from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import at_least_rank, merge_size, normal_axis, with_rank
from evergraph.graph.traits import Memory
from evergraph.kernel import native_rows
from evergraph.kernel.rows import Rows, of_first, one_by_one
from evergraph.kernel.values import are_bytes, is_traced
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.entries import entries_of
from evergraph.ops.arrays.index import part_of
from evergraph.ops.arrays.limits import has_nan, without_nan
from evergraph.ops.arrays.reshape import axis_within, expand_dims, reshape, shape_tensor
from evergraph.ops.arrays.row_access import distinct

# ---- where

@of_first
def _where_in_rows(call, node, values, count):
    """The coordinates in all rows at once; an array if the rows have equally many."""
    rows = values[0].values
    if rows.ndim < 2:
        return one_by_one(call, node, values, count)
    found = np.stack(np.nonzero(rows), axis=1)
    counts = np.bincount(found[:, 0], minlength=count)
    if (counts == counts[0]).all():
        return [Rows(found[:, 1:].reshape(count, counts[0], rows.ndim - 1))]
    return [Rows(np.split(found[:, 1:], np.cumsum(counts)[:-1]))]


@op("Where(input: T, *, T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
    "bfloat16, uint16, complex128, half, uint32, uint64, bool} = bool) -> index: int64", on="host", grad=STOP,
    in_batches=_where_in_rows, fusion=entries_of, called={"input": "condition"})
def where(input):
    """The coordinates of the elements that are true or nonzero, one row for each."""
    if not np.ndim(input):
        raise invalid("a scalar has no coordinates")
    places = np.flatnonzero(input)
    result = np.empty((len(places), input.ndim), np.int64)
    for axis in range(input.ndim - 1, 0, -1):
        places, result[:, axis] = np.divmod(places, input.shape[axis])
    result[:, 0] = places
    return result


@where.shape
def _(input):
    return (None, None if input is None else len(input))


# ---- unique elements

def _numbered(keys):
    """The unique keys in order of appearance: (first position of each, index of every key, count of each)."""
    seen, first, numbers, counts = {}, [], [], []
    for position, key in enumerate(keys):
        number = seen.setdefault(key, len(seen))
        if number == len(first):
            first.append(position)
            counts.append(0)
        counts[number] += 1
        numbers.append(number)
    return np.array(first, np.int64), np.array(numbers, np.int64), np.array(counts, np.int64)


def _distinct(x):
    """`_numbered` for a vector."""
    if native.sparse is not None and x.dtype in _COUNTED:
        return _distinct_numbers(x)
    if native.strings is not None and x.dtype == object and are_bytes(x):
        return _distinct_strings(x)
    if x.dtype.kind not in "biuf" or x.size < 64:
        return _numbered(x.tolist())
    _, first, numbers, counts = np.unique(x, True, True, True, equal_nan=False)
    order = np.argsort(first)  # np.unique sorts by value, TensorFlow by first appearance
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[numbers.reshape(-1)], counts[order]


def _distinct_numbers(x):
    first, numbers = np.empty(x.size, np.int64), np.empty(x.size, np.int64)
    count = native.sparse.distinct(np.ascontiguousarray(x), x.itemsize == 8, first, numbers)
    return first[:count], numbers, None


def _distinct_strings(x):
    first, numbers = np.empty(x.size, np.int64), np.empty(x.size, np.int64)
    count = native.strings.distinct(np.ascontiguousarray(x), first, numbers)
    return first[:count], numbers, None


_COUNTED = (np.dtype(np.int32), np.dtype(np.int64))


def _distinct_along(x, axis):
    """(unique slices, index of each slice, counts) along an axis."""
    if np.size(axis) > 1:
        raise invalid("axis has more than one element")
    axis = axis_within(np.ravel(axis)[0], x.ndim) if np.size(axis) else None
    if x.ndim == 1:
        first, numbers, counts = _distinct(x)
        return x[first], numbers, np.bincount(numbers) if counts is None else counts
    if axis is None:
        raise invalid("unique expects a 1D vector.")
    rows = [tuple(row.ravel().tolist()) for row in np.moveaxis(x, axis, 0)]
    first, numbers, counts = _numbered(rows)
    return np.take(x, first, axis=axis), numbers, counts


def _vector(x):
    if np.ndim(x) != 1:
        raise invalid(f"unique expects a 1D vector, not one of shape {list(np.shape(x))}")
    return x


@op("Unique(x: T, *, T: type, out_idx: index = int32) -> y: T, idx: out_idx", on="host")
def unique(x, node):
    """The unique elements of `x` in order of appearance, and the index of each element among them."""
    first, numbers, _ = _distinct(_vector(x))
    return x[first], numbers


@unique.shape
def _(x):
    return [(None,), with_rank(x, 1)]


def _unique_of_fixed_size(x, node):
    """Unique with a fixed output size: the unique elements in any order, padded with the largest integer.

    Elements that are distinct already stay in their order.
    """
    count = _vector(x).shape[0]
    if _is_distinct(node.inputs[0]):
        return x, np.arange(count)
    if not is_traced(x):
        return unique.kernel(x, node)
    return distinct(x)


unique.fixed_size_kernel = _unique_of_fixed_size


def _is_distinct(tensor):
    """Whether a vector has the elements that a Unique has returned, in that order."""
    while tensor.source.opdef.memory is Memory.VIEW and tensor._shape is not None and len(tensor._shape) == 1 \
            and tensor.source.opdef in (reshape, basic.identity):
        tensor = tensor.source.inputs[0]
    return tensor.source.opdef is unique and tensor.value_index == 0


@op("UniqueV2(x: T, axis: Taxis, *, T: type, Taxis: index = int64, out_idx: index = int32) -> y: T, idx: out_idx",
    on="host")
def unique_v2(x, axis):
    """The unique slices of `x` along `axis` in order of appearance, and the index of each slice among them."""
    return _distinct_along(x, axis)[:2]


def _unique_shapes(x, axis):
    """Static shapes of the unique slices along a known axis, and of their indices."""
    if x is None or axis is None:
        return None if x is None else (None,) * len(x), (None,)
    at = normal_axis(int(np.ravel(axis)[0]), len(x)) if axis.size and x else 0
    return (*x[:at], None, *x[at + 1:]), (x[at],)


@unique_v2.shape
def _(x, value_of):
    return list(_unique_shapes(x, value_of("axis")))


@op("UniqueWithCounts(x: T, *, T: type, out_idx: index = int32) -> y: T, idx: out_idx, count: out_idx", on="host")
def unique_with_counts(x):
    """Unique, with the number of occurrences of each unique element."""
    return _distinct_along(_vector(x), ())


@unique_with_counts.shape
def _(x):
    return [(None,), x, (None,)]  # a run says that `x` is no vector


@op("UniqueWithCountsV2(x: T, axis: Taxis, *, T: type, Taxis: index = int64, out_idx: index = int32) -> y: T, "
    "idx: out_idx, count: out_idx", on="host")
def unique_with_counts_v2(x, axis):
    """UniqueV2, with the number of occurrences of each unique slice."""
    return _distinct_along(x, axis)


@unique_with_counts_v2.shape
def _(x, value_of):
    return [*_unique_shapes(x, value_of("axis")), (None,)]


@op("ListDiff(x: T, y: T, *, T: type, out_idx: index = int32) -> out: T, idx: out_idx", on="host", grad=STOP)
def list_diff(x, y):
    """The difference of two lists: the elements of `x` that are not in `y`, in order, and their indices in `x`."""
    if np.ndim(x) != 1 or np.ndim(y) != 1:
        raise invalid(f"x and y should be 1D vectors, got shapes {list(np.shape(x))} and {list(np.shape(y))}")
    if x.dtype.kind in "iu":
        kept = np.flatnonzero(np.isin(x, y, invert=True))
    elif native.strings is not None and x.dtype == object and are_bytes(x) and are_bytes(y):
        first, numbers, _ = _distinct_strings(np.concatenate([y, x]))
        kept = np.flatnonzero(numbers[len(y):] >= np.searchsorted(first, len(y)))
    else:
        known = set(y.tolist())
        kept = np.array([at for at, item in enumerate(x.tolist()) if item not in known], np.int64)
    return x[kept], kept


@list_diff.shape
def _(x, y):
    with_rank(x, 1)
    with_rank(y, 1)
    return [(None,), (None,)]


# ---- top k


def _top(xp, x, k):
    """The `k` largest elements of each row and their indices; ties in ascending order of index."""
    size = np.shape(x)[-1] if np.ndim(x) else 0
    if k < 0:
        raise invalid(f"Need k >= 0, got {k}")
    if np.ndim(x) < 1 or k > size:
        raise invalid(f"the last axis needs at least k = {k} columns, and has {size}")
    if xp is not np:
        import jax
        if native_rows.takes(x):
            places = native_rows.descending(x, k)
            return xp.take_along_axis(x, places, -1), places
        if not has_nan(x.dtype):
            return jax.lax.top_k(x, k)
        # XLA orders by bits, -0 below 0 and NaN by its sign; here zeros are equal and NaN is above all.
        places = jax.lax.top_k(xp.where(x == 0, 0, without_nan(xp, x, np.nan)).astype(x.dtype), k)[1]
        return xp.take_along_axis(x, places, -1), places
    order = _first_few(x, k) if 0 < _FEW * k <= size and size >= _LONG else _descending(x)[..., :k]
    return x.take(order) if x.ndim == 1 else np.take_along_axis(x, order, -1), order


_FEW, _LONG = 16, 1024  # the part of a row, and its length, for whose largest elements NumPy does not sort the row


def _descending(x):
    """The indices of each row's elements in descending order, equal ones by index; for NumPy."""
    # A stable sort of the reversed row, read backwards, keeps the earlier of equal elements first.
    return x.shape[-1] - 1 - np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]


def _first_few(x, k):
    """The first `k` of these, from the elements of a row that are not below the last of them."""
    rows = x.reshape(-1, x.shape[-1])
    order = np.empty((len(rows), k), np.int64)
    for at, row in enumerate(rows):
        places = np.flatnonzero(~(row < np.partition(row, -k)[-k]))
        order[at] = places[_descending(row[places])[:k]]
    return order.reshape(*x.shape[:-1], k)


def _top_shape(input, k):
    at_least_rank(input, 1)
    if input is None:
        return [None, None]
    if k is not None and input[-1] is not None and input[-1] < k:
        raise ValueError(f"input must have last dimension >= k = {k} but is {input[-1]}")
    return [(*input[:-1], k)] * 2


def _top_gradient(op, dy, _):
    """Scatters `dy` to the positions of the top elements."""
    x, places = op.inputs[0], op.outputs[1]
    mul, shape = lookup("Mul"), shape_tensor(op.inputs[0])
    size, found = part_of(shape, -1), part_of(shape_tensor(places), -1)
    rows = basic.size(x) if x._shape == () else lookup("Prod")(part_of(shape, None, -1), [0])
    offsets = expand_dims(mul(basic.range_(0, rows, 1), size), 1)
    flat = lookup("AddV2")(reshape(places, lookup("ConcatV2")([[-1], found], 0)), offsets)
    total = reshape(mul(rows, size), [1])
    spread = lookup("ScatterNd")(reshape(flat, [-1, 1]), reshape(dy, [-1]), total)
    return [reshape(spread, shape), *[None] * (len(op.inputs) - 1)]


@op("TopK(input: T, *, k: int >= 0, sorted: bool = True, T: real) -> values: T, indices: int32", grad=_top_gradient,
    memory=Memory.STORED)
def top_k(xp, input, k):
    """The `k` largest elements along the last axis and their indices, always sorted in descending order."""
    return _top(xp, input, k)


@top_k.shape
def _(input, k):
    return _top_shape(input, k)


@op("TopKV2(input: T, k: int32, *, sorted: bool = True, T: real) -> values: T, indices: int32", static=("k",),
    grad=_top_gradient, memory=Memory.STORED, later={"Tk": dtypes.int32, "index_type": dtypes.int32})
def top_k_v2(xp, input, k):
    """The `k` largest elements along the last axis and their indices, always sorted in descending order."""
    if np.ndim(k):
        raise invalid(f"k must be scalar, got shape {list(np.shape(k))}")
    return _top(xp, input, int(k))


@top_k_v2.shape
def _(input, k, value_of):
    with_rank(k, 0, "k")
    k = value_of("k")
    if k is not None and k < 0:
        raise ValueError(f"Need k >= 0, got {int(k)}")
    return _top_shape(input, None if k is None else int(k))


@op("NthElement(input: T, n: int32, *, reverse: bool = False, T: real) -> values: T")
def nth_element(xp, input, n, reverse, check):
    """The order statistic along the last axis: the element at index `n` of the sorted row, descending if `reverse`."""
    if np.ndim(input) < 1 or np.ndim(n):
        raise invalid("input must have a last axis and n must be a scalar")
    size = np.shape(input)[-1]
    check((n >= 0) & (n < size), f"n must be in [0, {size})")
    if native_rows.takes(input):
        place = native_rows.nth(input, n if reverse else size - 1 - n)
        return xp.take_along_axis(input, place[..., None], -1)[..., 0]
    return xp.take(xp.sort(input, axis=-1), size - 1 - n if reverse else n, axis=-1, mode="clip")


@nth_element.shape
def _(input, n, value_of):
    at_least_rank(input, 1)
    if n is not None and len(n):
        raise ValueError(f"n must be scalar but has rank {len(n)}")
    place = value_of("n")
    if place is not None and place < 0:
        raise ValueError(f"n must be non-negative but is {int(place)}")
    if place is not None and input is not None and input[-1] is not None and input[-1] <= place:
        raise ValueError(f"Input must have last dimension > n = {int(place)} but is {input[-1]}")
    return None if input is None else input[:-1]


@nth_element.grad
def _(op, dy):
    # Elements equal to the result share the gradient.
    x, found = op.inputs[0], expand_dims(op.outputs[0], -1)
    equal = basic.cast(lookup("Equal")(found, x), DstT=dy.dtype.base_dtype)
    share = lookup("RealDiv")(equal, lookup("Sum")(equal, [-1], keep_dims=True))
    return [lookup("Mul")(share, expand_dims(dy, -1)), None]


@op("InTopK(predictions: float, targets: T, *, k: int, T: index = int32) -> precision: bool", grad=STOP)
def in_top_k(xp, predictions, targets, k):
    """Whether the target class is among the `k` largest predictions of its row; ties count as in the top k."""
    return _is_in_top(xp, predictions, targets, k)


@op("InTopKV2(predictions: float, targets: T, k: T, *, T: index = int32) -> precision: bool", grad=STOP)
def in_top_kv2(xp, predictions, targets, k):
    """Whether the target class is among the `k` largest predictions of its row; ties count as in the top k."""
    return _is_in_top(xp, predictions, targets, k)


def _is_in_top(xp, predictions, targets, k):
    if np.ndim(predictions) != 2 or np.shape(targets) != np.shape(predictions)[:1]:
        raise invalid(f"predictions must be 2-dimensional with a row for each of the targets: got shapes "
                      f"{list(np.shape(predictions))} and {list(np.shape(targets))}")
    classes = np.shape(predictions)[1]
    known = (targets >= 0) & (targets < classes)
    places = xp.clip(targets, 0, max(classes - 1, 0))
    if native_rows.takes(predictions) or xp is np and native_rows.takes_now(predictions):
        return known & (native_rows.ranks(predictions, places.astype(np.int32)) < k)
    chosen = xp.take_along_axis(predictions, places[:, None], 1)
    better = xp.sum(predictions > chosen, axis=1, dtype=np.int32)
    # A row with an infinite or NaN prediction has no ranking.
    return known & xp.all(xp.isfinite(predictions), axis=1) & (better < k)


def _in_top_shape(predictions, targets):
    return (merge_size(with_rank(predictions, 2)[0], with_rank(targets, 1)[0]),)


in_top_k.shape(_in_top_shape)
in_top_kv2.shape(_in_top_shape)


# ---- insertion points

def _places(xp, ordered, values, side):
    """The insertion index of each value in its sorted row: on the left or right of equal elements."""
    if np.ndim(ordered) != 2 or np.ndim(values) != 2 or np.shape(ordered)[0] != np.shape(values)[0]:
        raise invalid(f"sorted_inputs and values must be matrices with the same number of rows, got shapes "
                      f"{list(np.shape(ordered))} and {list(np.shape(values))}")
    if xp is np:
        found = [np.searchsorted(row, each, side) for row, each in zip(ordered, values, strict=True)]
        return np.stack(found) if found else np.zeros(np.shape(values), np.int64)
    if native_rows.takes(ordered, values):
        return native_rows.insertions(ordered, values, side == "right")
    compare = xp.less if side == "left" else xp.less_equal
    return xp.sum(compare(ordered[:, None, :], values[:, :, None]), axis=2, dtype=np.int32)


def _places_shape(sorted_inputs, values):
    with_rank(sorted_inputs, 2)
    return with_rank(values, 2)


_BOUND = "(sorted_inputs: T, values: T, *, T: type, out_type: index = int32) -> output: out_type"


@op(f"LowerBound{_BOUND}", shape=_places_shape, grad=STOP)
def lower_bound(xp, sorted_inputs, values):
    """The first insertion index of each value that keeps its row sorted (searchsorted, left)."""
    return _places(xp, sorted_inputs, values, "left")


@op(f"UpperBound{_BOUND}", shape=_places_shape, grad=STOP)
def upper_bound(xp, sorted_inputs, values):
    """The last insertion index of each value that keeps its row sorted (searchsorted, right)."""
    return _places(xp, sorted_inputs, values, "right")


# ---- edit distance

@op("EditDistance(hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, truth_indices: int64, "
    "truth_values: T, truth_shape: int64, *, normalize: bool = True, T: type) -> output: float", on="host", grad=STOP)
def edit_distance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape,
                  normalize):
    """The Levenshtein distance from each hypothesis to its truth, divided by the truth's length if `normalize`."""
    if len(hypothesis_shape) != len(truth_shape) or len(truth_shape) < 2:
        raise invalid(f"hypothesis_shape and truth_shape must have the same length, at least 2: got "
                      f"{hypothesis_shape.tolist()} and {truth_shape.tolist()}")
    shape = np.maximum(hypothesis_shape, truth_shape)[:-1]
    codes = _codes(hypothesis_values, truth_values)
    guesses = _sequences(hypothesis_indices, codes[:len(hypothesis_values)], shape)
    truths = _sequences(truth_indices, codes[len(hypothesis_values):], shape)
    distances = _distances(*guesses, *truths).astype(np.float32)
    if normalize:
        lengths = np.diff(truths[1])
        with np.errstate(divide="ignore", invalid="ignore"):  # nothing to nothing is 0, and infinite from something
            distances = np.where(distances > 0, distances / lengths.astype(np.float32), np.float32(0))
    return distances.reshape(shape)


def _codes(*values):
    """Integers that are equal where values of these vectors are, one vector after the other."""
    values = np.concatenate(values)
    if values.dtype.kind in "iub":
        return values.astype(np.int64)
    known = {}
    return np.array([known.setdefault(value, len(known)) for value in values.tolist()], np.int64)


def _sequences(indices, values, shape):
    """A sequence for each position in all axes of a sparse tensor but the last: the items of all, and their starts."""
    places = indices[:, :-1]
    outside = ((places < 0) | (places >= shape)).any(axis=1)
    if outside.any():
        raise invalid(f"index {indices[outside.argmax()].tolist()} is outside of shape {shape.tolist()}")
    numbers = np.ravel_multi_index(tuple(places.T), tuple(shape)) if len(places) else np.zeros(0, np.int64)
    order = np.argsort(numbers, kind="stable")
    return values[order], np.searchsorted(numbers[order], np.arange(np.prod(shape) + 1))


def _distances(guesses, guess_starts, truths, truth_starts):
    """The distance of each pair of sequences."""
    result = np.zeros(len(guess_starts) - 1, np.int64)
    if native.pairs is not None:
        native.pairs.distances(guesses, guess_starts, truths, truth_starts, result)
        return result
    for at in range(len(result)):
        guess, truth = (items[starts[at]:starts[at + 1]].tolist()
                        for items, starts in ((guesses, guess_starts), (truths, truth_starts)))
        result[at] = _distance(guess, truth)
    return result


def _distance(guess, truth):
    """The Levenshtein distance of two lists, by dynamic programming one row at a time."""
    row = list(range(len(truth) + 1))
    for done, item in enumerate(guess, 1):
        last, row[0] = row[0], done
        for at, other in enumerate(truth, 1):
            last, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, last + (item != other))
    return row[-1]


@edit_distance.shape
def _(value_of):
    hypothesis, truth = value_of("hypothesis_shape"), value_of("truth_shape")
    if hypothesis is None or truth is None:
        return None
    if len(hypothesis) != len(truth):
        raise ValueError(f"hypothesis_shape has {len(hypothesis)} elements, truth_shape {len(truth)}")
    return tuple(int(size) for size in np.maximum(hypothesis, truth)[:-1])
