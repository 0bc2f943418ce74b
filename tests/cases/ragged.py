"""Ragged tensors: evergraph/ops/arrays/ragged.py."""

import numpy as np

from tests.harness import case, f64, floats, i32, i64, ints, program, strings

IAE = "InvalidArgumentError"
five, pairs = floats(5), floats(5, 2)
splits, inner = i64([0, 2, 2, 5]), i64([0, 1, 1, 3, 5])
outer = i64([0, 1, 4])
SPLITS, IDS = ["ROW_SPLITS"], ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]


def settled(each):
    """The first run finds out which sizes have to be known and plans anew, so only the second compiles everything."""
    return each.repeated(2)


CASES = [
    case("RaggedRange", i32([0, 5, 8]), i32([3, 5, 12]), 1),
    case("RaggedRange", i32(0), i32([3, 5]), i32(2), Tsplits="int32"),
    case("RaggedRange", i64([5, 0]), i64([0, 5]), i64([-2, 2])),
    case("RaggedRange", f64(0), f64([1, 2]), f64(0.5)),
    case("RaggedRange", i32(5), i32(0), i32(1)),
    case("RaggedRange", i32(0), i32(5), i32(0)).fails(IAE),
    case("RaggedRange", i32([0]), i32([3, 4]), 1).fails("ValueError"),
    case("RaggedTensorToSparse", [splits], five),
    case("RaggedTensorToSparse", [i32([0, 2, 2, 5])], pairs),
    case("RaggedTensorToSparse", [outer, inner], five),
    case("RaggedTensorToSparse", [splits], strings(list("abcde"))),
    *[case("RaggedTensorToSparse", [i64(bad)], five).fails(IAE) for bad in ([0, 2, 4], [1, 5], [0, 3, 2, 5], [])],
    case("RaggedTensorToTensor", i64([-1, -1]), five, np.float32(0.5), [splits], row_partition_types=SPLITS),
    case("RaggedTensorToTensor", i64([2, 4]), five, np.float32(0.5), [splits], row_partition_types=SPLITS),
    case("RaggedTensorToTensor", [-1, 1], five, np.float32(0.5), [splits], row_partition_types=SPLITS),
    case("RaggedTensorToTensor", -1, five, np.float32(0), [i32([0, 2, 2, 5])], row_partition_types=SPLITS),
    case("RaggedTensorToTensor", i64([-1, -1, 2]), pairs, floats(2), [splits], row_partition_types=SPLITS),
    case("RaggedTensorToTensor", i64([-1, -1, -1]), five, np.float32(0), [outer, inner],
         row_partition_types=SPLITS * 2),
    case("RaggedTensorToTensor", i64([-1, -1]), five, np.float32(0), [i64(4), i64([0, 0, 2, 2, 2])],
         row_partition_types=IDS),
    case("RaggedTensorToTensor", i64([-1, -1, -1]), five, np.float32(0), [i64(2), i64([0, 0, 1]), i64([0, 0, 2, 2, 2])],
         row_partition_types=[*IDS, "VALUE_ROWIDS"]),
    case("RaggedTensorToTensor", i64([-1, -1]), strings(list("abcde")), strings("-"), [splits],
         row_partition_types=SPLITS),
    case("RaggedTensorToTensor", i64([3, 2]), np.zeros(0, "float32"), np.float32(7), [i64([0])],
         row_partition_types=SPLITS),
    case("RaggedTensorToTensor", i64([-1, -1]), five, np.float32(0), [i64([0, 3, 2, 5])],
         row_partition_types=SPLITS).fails(IAE),
    settled(case("RaggedGather", [splits], five, i32([2, 0, 0]), OUTPUT_RAGGED_RANK=1)),
    settled(case("RaggedGather", [splits], pairs, i64([[2, 0], [1, 1]]), OUTPUT_RAGGED_RANK=2)),
    settled(case("RaggedGather", [outer, inner], five, i32([1, 0]), OUTPUT_RAGGED_RANK=2)),
    case("RaggedGather", [splits], strings(list("abcde")), i32(2), OUTPUT_RAGGED_RANK=0),
    case("RaggedGather", [splits], five, i32([3]), OUTPUT_RAGGED_RANK=1).fails(IAE),
    case("RaggedGather", [splits], five, i32([-1]), OUTPUT_RAGGED_RANK=1).fails(IAE),
]


@settled
@program(five, splits)
def made_of_splits(tf, x, s):
    rows = tf.RaggedTensor.from_row_splits(x, s)
    return [rows.row_lengths(), rows.value_rowids(), rows.nrows(), rows.bounding_shape(), rows.to_tensor(9.0), rows[0],
            rows[1:].to_tensor(), rows.row_starts(), rows.row_limits()]


@program(five)
def made_in_every_way(tf, x):
    make = tf.RaggedTensor
    return [make.from_row_lengths(x, [2, 0, 3]).row_splits, make.from_value_rowids(x, [0, 0, 2, 2, 2]).row_splits,
            make.from_value_rowids(x, [0, 0, 2, 2, 2], nrows=5).row_splits,
            make.from_row_starts(x, [0, 2, 2]).row_splits, make.from_row_limits(x, [2, 2, 5]).row_splits,
            make.from_nested_row_splits(x, [[0, 1, 4], [0, 1, 1, 3, 5]]).to_tensor(),
            make.from_nested_row_lengths(x, [[1, 3], [1, 0, 2, 2]]).to_tensor()]


@program(ints(2, 3, high=3), ints(2, 3, 2))
def made_of_dense(tf, x, y):
    make = tf.RaggedTensor.from_tensor
    found = []
    for rows in (make(x), make(x, lengths=[1, 3]), make(x, padding=0), make(y, ragged_rank=2), make(y, lengths=[2, 1])):
        found += [rows.flat_values, *rows.nested_row_splits]
    return found


@settled
@program(five, splits)
def changed(tf, x, s):
    rows = tf.RaggedTensor.from_row_splits(x, s)
    back = tf.RaggedTensor.from_sparse(rows.to_sparse())
    doubled = tf.ragged.map_flat_values(tf.add, rows, rows)
    return [back.values, back.row_splits, doubled.values, rows.with_row_splits_dtype(tf.int32).row_splits,
            tf.ragged.range([3, 0, 2]).values, tf.ragged.segment_ids_to_row_splits([0, 0, 2])]


@program(i32(0))
def constants(tf, x):
    found = [x]
    for rows in (tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1),
                 tf.ragged.constant([["a"], []]), tf.ragged.constant([[[]], []])):
        found += [rows.flat_values, *rows.nested_row_splits]
    return found


def from_variant(tf, encoded, rank, kind="float32", input_rank=-1):
    splits, values = tf.raw_ops.RaggedTensorFromVariant(
        encoded_ragged=encoded, input_ragged_rank=input_rank, output_ragged_rank=rank, Tvalues=kind, Tsplits=tf.int64)
    return [*splits, values]


def to_variant(tf, splits, values, batched):
    return tf.raw_ops.RaggedTensorToVariant(rt_nested_splits=splits, rt_dense_values=values, batched_input=batched)


@program(outer, inner, five)
def rows_as_variants(tf, outer, inner, values):
    whole = to_variant(tf, [outer, inner], values, False)
    rows = to_variant(tf, [outer, inner], values, True)
    return [*from_variant(tf, whole, 2), *from_variant(tf, rows, 2), *from_variant(tf, rows, 2, input_rank=1)]


@program(splits, strings(list("abcde")))
def flat_rows_as_variants(tf, splits, values):
    rows = to_variant(tf, [splits], values, True)
    return from_variant(tf, rows, 1, tf.string)


rows_as_variants = settled(rows_as_variants.no_grad("TensorFlow 1.15 has none"))
flat_rows_as_variants = settled(flat_rows_as_variants)
