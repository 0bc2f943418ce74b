"""Ops that pick, place and find elements: evergraph/ops/arrays/index.py, gather.py, search.py and diagonal.py."""

import numpy as np

from tests.harness import bf16, bools, case, f16, f64, floats, i32, i64, ints, program, ref, resource, strings

x34 = floats(3, 4)
x234 = floats(2, 3, 4)
x5 = floats(5)
text = strings([["a", "bc", ""], ["d", "e", "f"]])
aligned = "TensorFlow 2.15's gradient puts short upper diagonals to the right"
distinct = f64([[3, 1, 2, 7], [4, 9, 8, 5], [0, 6, 11, 10]]).astype("float32")

SLICES = [
    case("Slice", x34, [1, 0], [2, 3]),
    case("Slice", x34, i64([1, 2]), i64([1, -1])),
    case("Slice", x34, i32([0, 1]), [2, 2]),
    case("Slice", text, [0, 1], [-1, 1]),
    case("Slice", x34, [1, 0], [3, 1]).fails("InvalidArgumentError"),
    case("Slice", x34, i32([2, 3]), [2, 2]).fails("InvalidArgumentError"),
    case("StridedSlice", x34, [0, 1], [3, 4], [1, 2], shrink_axis_mask=1),
    case("StridedSlice", x34, [2, -1], [0, -5], [-1, -2]),
    case("StridedSlice", x34, i32([0, 1]), i32([2, 3]), i32([1, 1])),
    case("StridedSlice", x234, i64([1, 2]), i64([2, 3]), i64([1, 1]), shrink_axis_mask=3),
    case("StridedSlice", x234, [0, 0, 1], [0, 0, 3], [1, 1, 1], ellipsis_mask=1, new_axis_mask=2),
    case("StridedSlice", x234, [0, 0, 0], [0, 2, 9], [1, 1, 1], begin_mask=4, end_mask=4, ellipsis_mask=1),
    case("StridedSlice", x34, [5, 0], [9, 2], [1, 1]),
    case("StridedSlice", text, [1, 0], [2, 9], [1, 2], shrink_axis_mask=1),
    case("StridedSlice", x34, np.zeros(0, "int32"), np.zeros(0, "int32"), np.zeros(0, "int32")),
    case("StridedSlice", x34, [3], [4], [1], shrink_axis_mask=1).fails("ValueError"),
    case("StridedSlice", x34, i32([3]), i32([4]), i32([1]), shrink_axis_mask=1).fails("InvalidArgumentError"),
    case("StridedSlice", x34, [0, 0, 0], [1, 1, 1], [1, 1, 1]).fails("ValueError"),
    case("StridedSlice", x34, [0], [1], [0]).fails("ValueError"),
    case("StridedSliceGrad", [3, 4], [0, 1], [3, 4], [1, 2], floats(3, 2)),
    case("StridedSliceGrad", i32([3, 4]), i32([2, -1]), i32([0, -5]), i32([-1, -2]), floats(2, 2)),
    case("StridedSliceGrad", [3, 4], i32([1, 0]), i32([2, 4]), [1, 1], floats(4), shrink_axis_mask=1, end_mask=2,
         begin_mask=2),
    case("StridedSliceAssign", ref(x34), [0, 1], [3, 4], [1, 2], floats(3, 2)),
    case("StridedSliceAssign", ref(x34), [1], [2], [1], floats(4), shrink_axis_mask=1),
    case("StridedSliceAssign", ref(x34), i32([-1, 2]), i32([0, 3]), [1, 1], 5.0, shrink_axis_mask=3),
    case("ResourceStridedSliceAssign", resource(x34), [2, 0], [0, 3], [-1, 1], floats(2, 3)),
    case("ResourceStridedSliceAssign", resource(x34), [0, 1], [3, 2], [1, 1], floats(3), shrink_axis_mask=2),
    case("TensorStridedSliceUpdate", x34, [0, 1], [3, 4], [1, 2], floats(3, 2)),
    case("TensorStridedSliceUpdate", x34, i32([1]), i32([2]), [1], floats(4), shrink_axis_mask=1),
]

GATHERS = [
    case("Gather", x34, [2, 0, 2]),
    case("Gather", text, i64([[1], [0]])),
    case("Gather", x34, i32([3])).fails("InvalidArgumentError"),
    case("GatherV2", x34, [2, 0, 2], 0),
    case("GatherV2", x34, i64([[1, 3], [0, 0]]), 1),
    case("GatherV2", x234, i32(2), i64(-1)),
    case("GatherV2", text, [1], -2),
    case("GatherV2", x234, ints(2, 2, high=3), 1, batch_dims=1),
    case("GatherV2", x234, i32([[0, 3, 3], [1, 1, 2]]), 2, batch_dims=1),
    case("GatherV2", x234, ints(2, 3, 2, high=4), -1, batch_dims=2),
    case("GatherV2", x234, ints(2, 3, high=4), -1, batch_dims=-1),
    case("GatherV2", x34, i32([[1, 0], [7, 2]]), 0).fails("InvalidArgumentError"),
    case("GatherV2", x34, i32([-1]), 0).fails("InvalidArgumentError"),
    case("GatherV2", np.zeros((3, 0), np.float32), i32([7, -1]), 0),  # there is nothing to take
    case("GatherV2", np.zeros((0, 3), np.float32), i32([[7]]), 1),
    case("GatherV2", np.zeros((2, 3, 0), np.float32), i32([[7, 0], [1, 1]]), 1, batch_dims=1),
    case("Gather", np.zeros((3, 0), np.float32), i32([7])),
    case("GatherNd", x34, [[0, 1], [2, 3]]),
    case("GatherNd", x234, i64([[[1, 0]], [[0, 2]]])),
    case("GatherNd", x34, i32([[2], [0]])),
    case("GatherNd", x34, i32([2, 1])).no_grad("TensorFlow's ScatterNd needs a vector of updates"),
    case("GatherNd", text, [[1, 2]]),
    case("GatherNd", x34, np.zeros((2, 0), "int32")).no_grad("TensorFlow's ScatterNd needs an index"),
    case("GatherNd", x34, i32([[0, 4]])).fails("InvalidArgumentError"),
    case("OneHot", i32([1, 0, 3]), 3, 1.0, 0.0),
    case("OneHot", i64([[1], [-1]]), 2, 5, -5, axis=0),
    case("OneHot", ints(2, dtype="uint8", high=3), i32(4), True, False, axis=1),
    case("OneHot", i32([0, 1]), 2, "on", "off"),
    case("UnravelIndex", i32([7, 0, 11]), [3, 4]),
    case("UnravelIndex", i64(5), i64([2, 3])),
    case("UnravelIndex", i32([12]), [3, 4]).fails("InvalidArgumentError"),
]

SCATTERS = [
    case("ScatterNd", [[4], [1], [4]], floats(3), [6]),
    case("ScatterNd", i64([[0, 1], [1, 1]]), floats(2, 3), i64([2, 2, 3])),
    case("ScatterNd", i32([[0], [2]]), f16([1, 2]), [3]),
    case("ScatterNd", i32([[0], [0]]), bf16([1, 2]), [3]),
    case("ScatterNd", i32([[0], [5]]), floats(2), [4]).fails("InvalidArgumentError"),
    case("ScatterNdNonAliasingAdd", x5, [[4], [1], [4]], floats(3)),
    case("ScatterNdNonAliasingAdd", x34, i64([[1, 1]]), floats(1)),
    *[case(f"TensorScatter{how}", x34, i32([[2], [0]]), floats(2, 4)) for how in ("Update", "Add", "Sub")],
    *[case(f"TensorScatter{how}", x34, i64([[1, 3]]), floats(1)) for how in ("Update", "Add", "Sub")],
    case("TensorScatterAdd", x5, [[1], [1]], floats(2)),
    case("TensorScatterUpdate", text, [[0, 1]], strings(["z"])),
    case("TensorScatterAdd", x5, i32([[5]]), floats(1)).fails("InvalidArgumentError"),
    *[case(op, x34, i32([1, 0]), floats(2, 4)) for op in ("InplaceUpdate", "InplaceAdd", "InplaceSub")],
    case("DynamicPartition", x34, [1, 0, 1], num_partitions=3),
    case("DynamicPartition", x34, ints(3, 4, high=2), num_partitions=2),
    case("DynamicPartition", text, i32([1, 0]), num_partitions=2),
    case("DynamicPartition", x34, i32([0, 2, 0]), num_partitions=2).fails("InvalidArgumentError"),
    case("DynamicStitch", [i32([0, 2]), i32(1)], [floats(2, 3), floats(3)]),
    case("DynamicStitch", [i32([1, 0])], [text]),
    case("DynamicStitch", [i32([0, 1]), i32([1])], [ints(2), ints(1, seed=1)]),
    case("ParallelDynamicStitch", [i32([0, 2]), i32([[1], [3]])], [floats(2, 3), floats(2, 1, 3)]),
]

SEARCHES = [
    case("Where", bools(3, 4)),
    case("Where", i32([0, 5, 0, -1])),
    case("Where", f64([[0.0, 0.5]])),
    case("Where", np.array(True)).fails("InvalidArgumentError"),
    case("Unique", i32([3, 1, 3, 2, 1])),
    case("Unique", ints(100, high=30, dtype="int64"), out_idx="int64"),
    case("Unique", strings(["b", "a", "b"])),
    case("Unique", np.zeros(0, "float32")),
    case("Unique", x34).fails("ValueError"),
    case("UniqueV2", i32([3, 1, 3]), np.zeros(0, "int64")),
    case("UniqueV2", ints(4, 2, high=2), i32([0])),
    case("UniqueV2", ints(2, 5, high=2), [1]),
    case("UniqueWithCounts", i64([3, 1, 3, 2, 1])),
    case("UniqueWithCounts", strings(["b", "a", "b"]), out_idx="int64"),
    case("UniqueWithCountsV2", ints(5, 2, high=2), i64([0])),
    case("UniqueWithCountsV2", i32([1, 1, 0]), np.zeros(0, "int32")),
    case("ListDiff", i32([1, 2, 3, 2, 5]), i32([2, 4])),
    case("ListDiff", strings(["a", "b"]), strings(["b"]), out_idx="int64"),
    case("TopKV2", distinct, 3),
    case("TopKV2", distinct[0], i32(2)),
    case("TopKV2", ints(2, 3, 4, dtype="uint8"), 4),
    case("TopKV2", x34, 0),
    case("TopKV2", distinct, 5).fails("ValueError"),
    case("NthElement", distinct, 1),
    case("NthElement", distinct[0], i32(0), reverse=True),
    case("NthElement", f64([2, 1, 2]), 1).no_differences("equal elements share the gradient"),
    case("NthElement", distinct, 4).fails("ValueError"),
    case("NthElement", distinct, i32(4)).fails("InvalidArgumentError"),
    case("InTopK", x34, i32([0, 3, 1]), k=2),
    case("InTopK", np.array([[1, np.inf], [1, 2], [2, 2]], "float32"), i64([0, 5, 1]), k=1),
    case("InTopKV2", x34, i32([0, 3, 1]), i32(1)),
    case("InTopKV2", x34, i64([2, 2, 2]), i64(3)),
    case("LowerBound", f64([[1, 3, 3, 5], [0, 1, 2, 3]]), f64([[3, 0, 6], [1.5, 2, -1]])),
    case("LowerBound", i32([[1, 2, 2]]), i32([[2, 3]]), out_type="int64"),
    case("UpperBound", f64([[1, 3, 3, 5], [0, 1, 2, 3]]), f64([[3, 0, 6], [1.5, 2, -1]])),
    case("UpperBound", i32([[1, 2, 2]]), i32([[2, 3]]), out_type="int64"),
    case("EditDistance", i64([[0, 0], [0, 1], [1, 0]]), i32([1, 2, 3]), i64([2, 2]), i64([[0, 0], [0, 1], [0, 2]]),
         i32([1, 3, 2]), i64([3, 3])),
    case("EditDistance", i64([[0, 0, 0], [1, 0, 0]]), strings(["a", "b"]), i64([2, 1, 1]), i64([[0, 0, 0], [0, 0, 1]]),
         strings(["a", "c"]), i64([2, 1, 2]), normalize=False),
]

DIAGONALS = [
    case("Diag", x5),
    case("Diag", ints(2, 3)),
    case("DiagPart", floats(3, 3)),
    case("DiagPart", floats(2, 3, 2, 3)),
    case("DiagPart", x34).fails("ValueError"),
    *[case(op, x34) for op in ("MatrixDiag", "MatrixDiagPart")],
    case("MatrixDiag", bools(3)),
    case("MatrixDiagPart", floats(2, 4, 3)),
    case("MatrixDiagPart", floats(2, 3, 3)),
    case("MatrixSetDiag", x234, floats(2, 3)),
    case("MatrixSetDiag", floats(4, 2), floats(2)),
    case("MatrixSetDiag", x34, floats(4)).fails("ValueError"),
    case("MatrixDiagV2", x34, 0, -1, -1, 0.0),
    case("MatrixDiagV2", floats(2, 3), 1, -1, -1, 9.0),
    case("MatrixDiagV2", floats(2, 3, 3), [-1, 1], 3, 4, 0.5),
    case("MatrixDiagV2", floats(2, 3), i32([-2, -1]), -1, 3, 0.0),
    case("MatrixDiagPartV2", x234, 0, 0.0),
    case("MatrixDiagPartV2", x34, -1, 0.0),
    case("MatrixDiagPartV2", x234, i32([-2, 0]), 7.0),
    case("MatrixDiagPartV2", x234, i32([-1, 2]), 7.0).no_grad(aligned),
    case("MatrixSetDiagV2", x34, floats(3), 1),
    case("MatrixSetDiagV2", x234, floats(2, 3, 3), [-2, 0]),
    case("MatrixSetDiagV2", x234, floats(2, 3, 3), [0, 2]).no_grad(aligned),
    case("MatrixSetDiagV2", x34, floats(2, 3), i32([-1, 0])),
    case("MatrixBandPart", x34, 1, 0),
    case("MatrixBandPart", x234, i64(-1), i64(1)),
    case("MatrixBandPart", ints(3, 3), i64(0), i64(-1)),
    case("MatrixBandPart", x34, i64(4), i64(0)).fails("InvalidArgumentError"),
]

CASES = SLICES + GATHERS + SCATTERS + SEARCHES + DIAGONALS


@program(x234, i32(1), i64(2))
def indexing(tf, x, i, j):
    return [x[0], x[-1, 1:], x[..., 2], x[:, None, ::2], x[::-1, ..., tf.newaxis], x[i], x[0, i], x[:, :, j],
            x[tf.shape(x)[0] - 1, 0], x[x > 0], x[:, 1, 1:3], x[1, i, 0:2]]


@program(x34)
def strided_slices(tf, x):
    return [tf.slice(x, [0, 1], [2, -1]), tf.strided_slice(x, [0, 1], [3, 3]),
            tf.strided_slice(x, [1], [2], [1], end_mask=1)]


@program(x234, i32([1, 0]), ints(2, 2, high=3))
def gathering(tf, x, rows, columns):
    return [tf.gather(x, rows), tf.gather(x, rows, axis=2), tf.gather(x, columns, axis=1, batch_dims=1),
            tf.batch_gather(x, columns), tf.gather_nd(x, [[0, 1]]), tf.gather_nd(x, columns[:, :, None], batch_dims=1)]


@program(x34)
def gradients_of_rows(tf, x):
    """Gathers give gradients of some rows; sums, norms and broadcasts before them need all."""
    shifted = tf.gather(tf.nn.l2_loss(x) + x, [0, 1, 0])
    wide = tf.gather(x[:1] * tf.ones([3, 1]), [2, 1, 2])
    norms = tf.gather(tf.math.reduce_euclidean_norm(x, 1), [1, 0])
    means = tf.gather(tf.reduce_mean(x, 1) * tf.reduce_max(x, 1), [2, 2])
    return [tf.convert_to_tensor(tf.gradients(y, x)[0]) for y in (shifted, wide, norms, means)]


@program(x34, bools(3), bools(3, 4))
def masks(tf, x, rows, each):
    return [tf.boolean_mask(x, rows), tf.boolean_mask(x, each), tf.where(each), tf.where(each, x, -x),
            tf.where(rows, x, -x), tf.boolean_mask(x, [True, False, True, True], axis=1)]


@program(i32([1, 3, 0]))
def sequence_masks(tf, lengths):
    return [tf.sequence_mask(lengths), tf.sequence_mask(lengths, 4, dtype=tf.float32),
            tf.sequence_mask([[1], [2]], lengths[0] + 1), tf.one_hot(lengths, 3), tf.one_hot(lengths, 3, 5, 2, axis=0),
            tf.one_hot(lengths, 2, True, False)]


sequence_masks = sequence_masks.repeated(2)  # the first run finds out what has to be known, and plans anew


@program(x34, i32([2, 0, 1]))
def repeats(tf, x, counts):
    return [tf.repeat(x, 2, axis=1), tf.repeat(x, counts, axis=0), tf.repeat([1, 2, 3], counts)]


@program(floats(2), floats(3))
def meshgrids(tf, x, y):
    return [*tf.meshgrid(x, y), *tf.meshgrid(x, y, indexing="ij"), *tf.meshgrid([1, 2], [3], [4, 5])]


@program(distinct, i32([3, -2, 7]))
def sorting(tf, x, y):
    return [tf.sort(x), tf.sort(x, axis=0, direction="DESCENDING"), tf.argsort(x, axis=0), tf.argsort(y), tf.sort(y),
            *tf.nn.top_k(x, 2), tf.nn.in_top_k(x, [0, 1, 2], 2), tf.searchsorted([1, 3, 5], y),
            tf.searchsorted([[1.0, 3.0]], [[0.5, 3.0]], side="right")]


@program(i32([1, 2, 2, 3]))
def sets(tf, x):
    return [*tf.unique(x), *tf.unique_with_counts(x), *tf.setdiff1d(x, [2]), *tf.setdiff1d(x, [1], tf.int64)]


@program(x34)
def diagonals(tf, x):
    return [tf.matrix_diag(x[0]), tf.matrix_diag_part(x), tf.matrix_set_diag(x, [1.0, 2.0, 3.0]), tf.diag([1.0, 2.0]),
            tf.matrix_band_part(x, 0, -1), tf.matrix_diag_part(x, k=1), tf.matrix_diag([1.0, 2.0], k=-1)]


@program(x34)
def edit_distances(tf, x):
    guess = tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [2, 1])
    truth = tf.SparseTensor([[0, 0], [0, 1]], ["a", "b"], [2, 2])
    return [tf.edit_distance(guess, truth), tf.edit_distance(guess, truth, normalize=False)]
