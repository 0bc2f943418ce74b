"""Fractional pooling: over regions of random sizes with a fractional mean (Graham, "Fractional Max-Pooling", 2014)."""

from __future__ import annotations

import zlib

import numpy as np

from evergraph.graph.opdef import op
from evergraph.graph.shaping import with_rank
from evergraph.kernel import philox
from evergraph.ops.arrays.basic import shape
from evergraph.ops.arrays.limits import floored
from evergraph.ops.nn.windows import invalid

_TYPES = "T: {float, double, int32, int64}"
_ATTRS = (
    "pooling_ratio: list(float) >= 4, pseudo_random: bool = False, overlapping: bool = False, "
    f"deterministic: bool = False, seed: int = 0, seed2: int = 0, {_TYPES}"
)
_RESULT = "output: T, row_pooling_sequence: int64, col_pooling_sequence: int64"


# ---- boundaries of regions


class _Words:
    """Random 32-bit words in TensorFlow's order."""

    def __init__(self, state):
        self._state = state

    def take(self, count):
        """The next words; the rest of the last block of four is dropped."""
        words = philox.first_words(self._state, count).astype(np.uint64)
        self._state = philox.advanced(np, self._state, -(-count // 4))
        return words


def _boundaries(size, count, words, pseudo_random):
    """The start of each of `count` regions along an axis, and the end of the last."""
    lengths = _spread(size, count, words) if pseudo_random else _shuffled(size, count, words)
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _spread(size, count, words):
    """Pseudo-random lengths: between multiples of size / count, all shifted by one random number."""
    step, least = size / count, size // count
    most = min((least + 2) / step - 1, (size + 1 - least) / step - (count - 1))
    high, low = words.take(2)
    random = np.uint64((1023 << 52) | (int(high) & 0xFFFFF) << 32 | int(low)).view(np.float64) - 1.0
    inner = np.ceil(step * (np.arange(1, count) + random * most))
    return np.diff(np.concatenate([[1], inner, [size + 1]])).astype(np.int64)


def _shuffled(size, count, words):
    """Random lengths: two that differ by one, in random order."""
    lengths = np.full(count, size // count, np.int64)
    lengths[: size % count] += 1
    for place, word in enumerate(words.take(count)[: count - 1]):
        other = place + int(word) % (count - place)
        lengths[[place, other]] = lengths[[other, place]]
    return lengths


def _check_ratio(ratio):
    if ratio[0] != 1 or ratio[3] != 1:
        raise invalid("Fractional Pooling is not yet supported on the batch or the channels: their pooling_ratio is 1.")
    if min(ratio) < 1:
        raise invalid(f"pooling_ratio cannot be smaller than 1, got {list(ratio)}")


def _sequences(value, pooling_ratio, pseudo_random, deterministic, seed, seed2, node):
    """(boundaries of rows, boundaries of columns)."""
    _check_ratio(pooling_ratio)
    if value.ndim != 4:
        raise invalid("value must be 4-dimensional.")
    if not deterministic and (seed or seed2):
        raise invalid("seeds have a meaning only with deterministic=True.")
    if deterministic and not seed and not seed2:
        seed = zlib.crc32(node.name.encode())  # the same regions in every run of this node
    words = _Words(philox.initial_state(seed, seed2))
    counts = [int(np.floor(size / ratio)) for size, ratio in zip(value.shape, pooling_ratio)]
    if min(counts[1:3]) < 1:
        raise invalid(f"the pooling ratios {list(pooling_ratio)} leave nothing of {value.shape}")
    return [_boundaries(value.shape[axis], counts[axis], words, pseudo_random) for axis in (1, 2)]


def _regions(sequence, size, overlapping):
    """The slice of each region; overlapping regions share one element with the next."""
    for begin, end in zip(sequence[:-1], sequence[1:]):
        yield slice(int(begin), min(int(end) + overlapping, size))


def _pooled(value, rows, columns, overlapping, function):
    down = list(_regions(rows, value.shape[1], overlapping))
    across = list(_regions(columns, value.shape[2], overlapping))
    lines = [np.stack([function(value[:, r, c]) for c in across], axis=1) for r in down]
    return np.stack(lines, axis=1)


def _shape(value, pooling_ratio):
    if min(pooling_ratio) <= 0:
        raise ValueError(f"pooling_ratio cannot be smaller than 1, got {list(pooling_ratio)}")
    value = with_rank(value, 4)
    output = tuple(None if size is None else int(np.floor(size / ratio)) for size, ratio in zip(value, pooling_ratio))
    return [output, *((None,) if size is None else (size + 1,) for size in output[1:3])]


# ---- ops


@op(f"FractionalMaxPool(value: T, *, {_ATTRS}) -> {_RESULT}", shape=_shape, on="host")
def fractional_max_pool(value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, node):
    """Fractional max pooling (Graham, 2014): the maximum of each region, and the region boundaries along both axes."""
    rows, columns = _sequences(value, pooling_ratio, pseudo_random, deterministic, seed, seed2, node)
    numbers = floored(np, value)
    return _pooled(numbers, rows, columns, overlapping, lambda region: region.max((1, 2))), rows, columns


@op(f"FractionalAvgPool(value: T, *, {_ATTRS}) -> {_RESULT}", shape=_shape, on="host")
def fractional_avg_pool(value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, node):
    """Fractional average pooling (Graham, 2014): the mean of each region, and the region boundaries along both axes."""
    rows, columns = _sequences(value, pooling_ratio, pseudo_random, deterministic, seed, seed2, node)
    return _pooled(value, rows, columns, overlapping, lambda region: region.mean((1, 2))), rows, columns


_SEQUENCES = "row_pooling_sequence: int64, col_pooling_sequence: int64"


def _each_region(sizes, rows, columns, overlapping):
    """(index of the region in the output, its slices of the input)."""
    for i, down in enumerate(_regions(rows, sizes[1], overlapping)):
        for j, across in enumerate(_regions(columns, sizes[2], overlapping)):
            yield i, j, down, across


@op(
    f"FractionalMaxPoolGrad(orig_input: T, orig_output: T, out_backprop: T, {_SEQUENCES}, *, "
    f"overlapping: bool = False, {_TYPES}) -> output: T",
    shape=lambda orig_input: with_rank(orig_input, 4),
    on="host",
)
def fractional_max_pool_grad(orig_input, out_backprop, row_pooling_sequence, col_pooling_sequence, overlapping):
    """The gradient of FractionalMaxPool: goes to the first maximal element of a region."""
    result = np.zeros_like(orig_input)
    batch, channel = np.indices((orig_input.shape[0], orig_input.shape[3]))
    sequences = row_pooling_sequence, col_pooling_sequence
    for i, j, down, across in _each_region(orig_input.shape, *sequences, overlapping):
        region = orig_input[:, down, across]
        width = region.shape[2]
        best = floored(np, region).reshape(region.shape[0], -1, region.shape[3]).argmax(1)
        result[batch, down.start + best // width, across.start + best % width, channel] += out_backprop[:, i, j]
    return result


@op(
    f"FractionalAvgPoolGrad(orig_input_tensor_shape: int64, out_backprop: T, {_SEQUENCES}, *, "
    f"overlapping: bool = False, {_TYPES}) -> output: T",
    on="host",
)
def fractional_avg_pool_grad(
    orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence, overlapping
):
    """The gradient of FractionalAvgPool: divided evenly among the elements of a region."""
    sizes = tuple(orig_input_tensor_shape.tolist())
    result = np.zeros(sizes, out_backprop.dtype)
    for i, j, down, across in _each_region(sizes, row_pooling_sequence, col_pooling_sequence, overlapping):
        count = (down.stop - down.start) * (across.stop - across.start)
        result[:, down, across] += (out_backprop[:, i, j] / count)[:, None, None].astype(result.dtype)
    return result


@fractional_avg_pool_grad.shape
def _(shape_of):
    said = shape_of("orig_input_tensor_shape")
    return (None,) * 4 if said is None else with_rank(said, 4)


@fractional_max_pool.grad
def _(op, dy, *unused):
    output, rows, columns = op.outputs
    return fractional_max_pool_grad(op.inputs[0], output, dy, rows, columns, overlapping=op.attrs["overlapping"])


@fractional_avg_pool.grad
def _(op, dy, *unused):
    _, rows, columns = op.outputs
    sizes = shape(op.inputs[0], out_type="int64")
    return fractional_avg_pool_grad(sizes, dy, rows, columns, overlapping=op.attrs["overlapping"])
