"""Rows of the table: shapes, slices, gathering, casts and what else moves elements."""

from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.opdef import OpDef
from evergraph.graph.shaping import denoted_shape
from evergraph.lite.model import Value
from evergraph.lite.site import TABLE, Row, Site, Unmapped, row
from evergraph.ops.arrays import basic, blocks, diagonal, gather, index, pad, reshape, search, segment
from evergraph.ops.math import reduce
from evergraph.ops.sparse import sparse

# ---- nothing to compute

_PASSING: tuple[OpDef, ...] = (
    basic.identity, basic.stop_gradient, basic.prevent_gradient, basic.check_numerics, basic.snapshot,
    basic.ensure_shape, basic.guarantee_const, basic.placeholder_with_default,
)
for _op in _PASSING:
    TABLE[_op] = Row((), lambda site: site.forward(site.inputs[0]))


@row(basic.identity_n)
def identity_n(site: Site) -> None:
    for place, value in enumerate(site.inputs):
        site.forward(value, place)


@row(basic.placeholder)
@row(basic.placeholder_v2)
def placeholder(site: Site) -> None:
    raise Unmapped("it is a placeholder, and none of the inputs")


# ---- shapes


@row(basic.shape, "SHAPE")
def shape(site: Site) -> None:
    site.give("SHAPE", site.inputs, outType=2 if site.outputs[0].dtype is dtypes.int32 else 4)


@row(basic.rank, "RANK")
def rank(site: Site) -> None:
    site.give("RANK", site.inputs)


@row(basic.size, "SHAPE", "REDUCE_PROD")
def size(site: Site) -> None:
    kind = site.outputs[0].dtype
    if kind is not dtypes.int32:
        raise Unmapped("only int32 sizes can be computed")
    sizes = site.make("SHAPE", site.inputs, (len(site.shape(0)),), kind, outType=2)
    site.give("REDUCE_PROD", [sizes, site.integers([0], "axes")], keepDims=False)


@row(gather.reshape, "RESHAPE")
def reshaped(site: Site) -> None:
    """A new shape of which one size alone is unknown is constant: that size is -1."""
    sizes = denoted_shape(site.node.inputs[1])
    if site.inputs[1].data is not None:
        target = site.integers([int(each) for each in np.ravel(site.inputs[1].data)])
    elif sizes is not None and sizes.count(None) <= 1:
        target = site.integers([-1 if each is None else each for each in sizes])
    else:
        site.give("RESHAPE", [site.inputs[0], site.as_int32(1)])
        return
    site.give("RESHAPE", [site.inputs[0], target], newShape=target.data.tolist())  # type: ignore[union-attr]


@row(reshape.squeeze, "SQUEEZE")
def squeeze(site: Site) -> None:
    axes = list(site.attr("squeeze_dims")) or [k for k, each in enumerate(site.shape(0)) if each == 1]
    site.give("SQUEEZE", site.inputs, squeezeDims=axes)


@row(reshape.expand_dims, "EXPAND_DIMS")
def expand_dims(site: Site) -> None:
    site.give("EXPAND_DIMS", [site.inputs[0], site.as_int32(1)])


@row(gather.transpose, "TRANSPOSE")
def transpose(site: Site) -> None:
    site.give("TRANSPOSE", [site.inputs[0], site.as_int32(1)])


@row(basic.broadcast_to, "BROADCAST_TO")
def broadcast_to(site: Site) -> None:
    site.give("BROADCAST_TO", [site.inputs[0], site.as_int32(1)])


@row(basic.fill, "FILL")
def fill(site: Site) -> None:
    site.give("FILL", [site.as_int32(0), site.inputs[1]])


@row(basic.ones_like, "SHAPE", "FILL")
def ones_like(site: Site) -> None:
    x = site.inputs[0]
    sizes = site.make("SHAPE", [x], (len(site.shape(0)),), dtypes.int32, outType=2)
    site.give("FILL", [sizes, site.scalar(1, x)])


@row(basic.range_, "RANGE")
def range_(site: Site) -> None:
    site.give("RANGE", site.inputs)


@row(basic.cast, "CAST")
def cast(site: Site) -> None:
    if site.inputs[0].dtype is site.outputs[0].dtype:
        site.forward(site.inputs[0])
    else:
        site.give("CAST", site.inputs)


# ---- joining and splitting


@row(reshape.concat_v2, "CONCATENATION")
def concat_v2(site: Site) -> None:
    site.give("CONCATENATION", site.inputs[:-1], axis=int(site.known(len(site.inputs) - 1)))


@row(reshape.concat, "CONCATENATION")
def concat(site: Site) -> None:
    site.give("CONCATENATION", site.inputs[1:], axis=int(site.known(0)))


@row(reshape.pack, "PACK")
def pack(site: Site) -> None:
    site.give("PACK", site.inputs, valuesCount=len(site.inputs), axis=int(site.attr("axis")))


@row(reshape.unpack, "UNPACK")
def unpack(site: Site) -> None:
    site.give("UNPACK", site.inputs, num=len(site.outputs), axis=int(site.attr("axis")))


@row(reshape.split, "SPLIT")
def split(site: Site) -> None:
    axis = site.constant(np.int32(site.known(0)), "axis")
    site.give("SPLIT", [axis, site.inputs[1]], numSplits=len(site.outputs))


@row(reshape.split_v, "SPLIT_V")
def split_v(site: Site) -> None:
    axis = site.constant(np.int32(site.known(2)), "axis")
    site.give("SPLIT_V", [site.inputs[0], site.as_int32(1), axis], numSplits=len(site.outputs))


# ---- slices


@row(index.slice_, "SLICE")
def slice_(site: Site) -> None:
    site.give("SLICE", [site.inputs[0], site.as_int32(1), site.as_int32(2)])


@row(index.strided_slice, "STRIDED_SLICE")
def strided_slice(site: Site) -> None:
    masks = {f"{name}Mask": int(site.attr(f"{word}_mask")) for name, word in (
        ("begin", "begin"), ("end", "end"), ("ellipsis", "ellipsis"), ("newAxis", "new_axis"),
        ("shrinkAxis", "shrink_axis"))}
    site.give("STRIDED_SLICE", [site.inputs[0], *(site.as_int32(place) for place in (1, 2, 3))], **masks)


@row(pad.pad, "PAD")
def pad_(site: Site) -> None:
    site.give("PAD", [site.inputs[0], site.as_int32(1)])


@row(pad.pad_v2, "PADV2")
def pad_v2(site: Site) -> None:
    site.give("PADV2", [site.inputs[0], site.as_int32(1), site.inputs[2]])


@row(pad.mirror_pad, "MIRROR_PAD")
def mirror_pad(site: Site) -> None:
    site.give("MIRROR_PAD", [site.inputs[0], site.as_int32(1)], mode=("REFLECT", "SYMMETRIC").index(site.attr("mode")))


@row(pad.tile, "TILE")
def tile(site: Site) -> None:
    site.give("TILE", [site.inputs[0], site.as_int32(1)])


@row(pad.reverse_v2, "REVERSE_V2")
def reverse_v2(site: Site) -> None:
    site.give("REVERSE_V2", [site.inputs[0], site.as_int32(1)])


@row(pad.reverse_sequence, "REVERSE_SEQUENCE")
def reverse_sequence(site: Site) -> None:
    site.give("REVERSE_SEQUENCE", site.inputs, seqDim=int(site.attr("seq_dim")), batchDim=int(site.attr("batch_dim")))


@row(pad.roll, "SLICE", "CONCATENATION")
def roll(site: Site) -> None:
    """One axis: its end, then its beginning."""
    shifts, axes, sizes = np.ravel(site.known(1)), np.ravel(site.known(2)), site.shape(0)
    value = site.inputs[0]
    for shift, axis in zip(shifts, axes):
        value = _rolled(site, value, int(shift), int(axis) % len(sizes))
    site.forward(value)


def _rolled(site: Site, value: Value, shift: int, axis: int) -> Value:
    sizes = value.shape or ()
    whole = sizes[axis]
    if whole is None:
        raise Unmapped("the size of a rolled axis is unknown")
    if not whole or not shift % whole:
        return value
    cut = whole - shift % whole

    def part(first: int, count: int) -> Value:
        begin = [first if k == axis else 0 for k in range(len(sizes))]
        counts = [count if k == axis else -1 for k in range(len(sizes))]
        result = tuple(count if k == axis else each for k, each in enumerate(sizes))
        return site.make("SLICE", [value, site.integers(begin, "begin"), site.integers(counts, "size")], result)

    return site.make("CONCATENATION", [part(cut, whole - cut), part(0, cut)], sizes, axis=axis)


# ---- gathering and choosing


@row(gather.gather_v2, "GATHER")
def gather_v2(site: Site) -> None:
    axis, batch_dims = int(site.known(2)), int(site.attr("batch_dims"))
    site.give("GATHER", site.inputs[:2], axis=axis, batchDims=batch_dims)


@row(gather.gather, "GATHER")
def gather_(site: Site) -> None:
    site.give("GATHER", site.inputs, axis=0, batchDims=0)


@row(gather.gather_nd, "GATHER_ND")
def gather_nd(site: Site) -> None:
    site.give("GATHER_ND", site.inputs)


@row(gather.scatter_nd, "SCATTER_ND")
def scatter_nd(site: Site) -> None:
    site.give("SCATTER_ND", [site.as_int32(0), site.inputs[1], site.as_int32(2)])


@row(gather.one_hot, "ONE_HOT")
def one_hot(site: Site) -> None:
    site.give("ONE_HOT", site.inputs, axis=int(site.attr("axis")))


@row(segment.select, "SELECT")
def select(site: Site) -> None:
    site.give("SELECT", site.inputs)


@row(segment.select_v2, "SELECT_V2")
def select_v2(site: Site) -> None:
    site.give("SELECT_V2", site.inputs)


@row(search.where, "WHERE")
def where(site: Site) -> None:
    if site.inputs[0].dtype is not dtypes.bool:
        raise Unmapped("WHERE takes booleans alone")
    site.give("WHERE", site.inputs)


@row(search.top_k_v2, "TOPK_V2")
def top_k_v2(site: Site) -> None:
    site.give("TOPK_V2", site.inputs)


@row(search.top_k, "TOPK_V2")
def top_k(site: Site) -> None:
    site.give("TOPK_V2", [site.inputs[0], site.constant(np.int32(site.attr("k")), "k")])


@row(search.unique, "UNIQUE")
def unique(site: Site) -> None:
    site.give("UNIQUE", site.inputs, idxOutType=2 if site.outputs[1].dtype is dtypes.int32 else 4)


@row(segment.segment_sum, "SEGMENT_SUM")
def segment_sum(site: Site) -> None:
    site.give("SEGMENT_SUM", [site.inputs[0], site.as_int32(1)])


def _unsorted(code: str, op: OpDef) -> None:
    TABLE[op] = Row((code,), lambda site: site.give(code, [site.inputs[0], site.as_int32(1), site.as_int32(2)]))


_unsorted("UNSORTED_SEGMENT_SUM", segment.unsorted_segment_sum)
_unsorted("UNSORTED_SEGMENT_MAX", segment.unsorted_segment_max)
_unsorted("UNSORTED_SEGMENT_MIN", segment.unsorted_segment_min)
_unsorted("UNSORTED_SEGMENT_PROD", segment.unsorted_segment_prod)


@row(sparse.sparse_to_dense, "SPARSE_TO_DENSE")
def sparse_to_dense(site: Site) -> None:
    site.give("SPARSE_TO_DENSE", site.inputs, validateIndices=bool(site.attr("validate_indices")))


@row(reduce.bucketize, "BUCKETIZE")
def bucketize(site: Site) -> None:
    site.give("BUCKETIZE", site.inputs, boundaries=[float(each) for each in site.attr("boundaries")])


# ---- diagonals and blocks


@row(diagonal.matrix_diag, "MATRIX_DIAG")
def matrix_diag(site: Site) -> None:
    site.give("MATRIX_DIAG", site.inputs)


@row(diagonal.matrix_set_diag, "MATRIX_SET_DIAG")
def matrix_set_diag(site: Site) -> None:
    site.give("MATRIX_SET_DIAG", site.inputs)


@row(blocks.space_to_batch_nd, "SPACE_TO_BATCH_ND")
def space_to_batch_nd(site: Site) -> None:
    site.give("SPACE_TO_BATCH_ND", [site.inputs[0], site.as_int32(1), site.as_int32(2)])


@row(blocks.batch_to_space_nd, "BATCH_TO_SPACE_ND")
def batch_to_space_nd(site: Site) -> None:
    site.give("BATCH_TO_SPACE_ND", [site.inputs[0], site.as_int32(1), site.as_int32(2)])


@row(blocks.space_to_depth, "SPACE_TO_DEPTH")
def space_to_depth(site: Site) -> None:
    _blocks(site, "SPACE_TO_DEPTH")


@row(blocks.depth_to_space, "DEPTH_TO_SPACE")
def depth_to_space(site: Site) -> None:
    _blocks(site, "DEPTH_TO_SPACE")


def _blocks(site: Site, code: str) -> None:
    if site.attr("data_format") != "NHWC":
        raise Unmapped(f"its data_format is {site.attr('data_format')}, not NHWC")
    site.give(code, site.inputs, blockSize=int(site.attr("block_size")))
