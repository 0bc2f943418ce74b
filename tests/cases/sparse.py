"""Sparse tensors: dense ones made of them, arithmetic, shapes, crosses, text."""

import numpy as np

from tests.harness import array, case, f64, floats, i32, i64, ints, program, strings

ORDERED = i64([[0, 1], [0, 3], [2, 0], [2, 2]])          # entries of a [3, 4] tensor
SHUFFLED = ORDERED[[2, 0, 3, 1]]
OTHER = i64([[0, 0], [0, 3], [1, 1], [2, 2], [2, 3]])
CUBE = i64([[0, 0, 1], [0, 2, 0], [1, 1, 1], [1, 2, 0], [1, 2, 1]])     # of a [2, 3, 2] tensor
NOTHING = np.zeros((0, 2), np.int64)
SHAPE, CUBE_SHAPE = i64([3, 4]), i64([2, 3, 2])
V4, V5 = floats(4), floats(5, seed=2)
KINK = "the entries left out change with the values"

CASES = [
    # ---- dense tensors
    case("SparseToDense", ORDERED, i64([3, 4]), V4, 0.5),
    case("SparseToDense", [[0, 1], [2, 0]], [3, 4], floats(2), 0.0),
    case("SparseToDense", i32([0, 3]), i32([5]), f64([1.5, 2.5]), f64(-1))
    .no_grad("TensorFlow wants a matrix of indices for it"),
    case("SparseToDense", i32(2), i32([5]), i32(7), 1),
    case("SparseToDense", ORDERED, SHAPE, np.float32(2), 0.0).no_grad("TensorFlow gives a scalar a vector's gradient"),
    case("SparseToDense", SHUFFLED, SHAPE, V4, 0.0, validate_indices=False),
    case("SparseToDense", ORDERED, SHAPE, strings(["a", "b", "c", "d"]), "-"),
    case("SparseToDense", ORDERED, SHAPE, np.array([True, False, True, True]), False),
    case("SparseToDense", NOTHING, SHAPE, floats(0), 3.0),
    case("SparseToDense", SHUFFLED, SHAPE, V4, 0.0).fails("InvalidArgumentError"),
    case("SparseToDense", ORDERED[[0, 0]], SHAPE, floats(2), 0.0).fails("InvalidArgumentError"),
    case("SparseToDense", ORDERED, i64([2, 4]), V4, 0.0).fails("InvalidArgumentError"),
    case("SparseToDense", ORDERED, i64([2]), V4, 0.0).fails("InvalidArgumentError"),
    case("SparseToDense", ORDERED, SHAPE, V5, 0.0).fails("InvalidArgumentError"),
    case("SparseToDense", ORDERED, SHAPE, V4, floats(2)).fails("InvalidArgumentError"),
    case("SparseTensorDenseAdd", ORDERED, V4, SHAPE, floats(3, 4)),
    case("SparseTensorDenseAdd", ORDERED[[0, 0, 1, 2]], V4, SHAPE, floats(3, 4)),
    case("SparseTensorDenseAdd", i32(SHUFFLED), ints(4), i32([3, 4]), ints(3, 4)),
    case("SparseTensorDenseAdd", ORDERED, V4, SHAPE, floats(3, 3)).fails("InvalidArgumentError"),
    case("SparseTensorDenseAdd", ORDERED, V4, i64([3, 2]), floats(3, 2)).fails("InvalidArgumentError"),
    # ---- products
    case("SparseTensorDenseMatMul", ORDERED, V4, SHAPE, floats(4, 2)),
    case("SparseTensorDenseMatMul", SHUFFLED, f64(V4), SHAPE, f64(floats(4, 2)), adjoint_a=False),
    case("SparseTensorDenseMatMul", ORDERED, V4, SHAPE, floats(3, 2), adjoint_a=True),
    case("SparseTensorDenseMatMul", ORDERED, V4, SHAPE, floats(2, 4), adjoint_b=True),
    case("SparseTensorDenseMatMul", ORDERED, V4, SHAPE, floats(2, 3), adjoint_a=True, adjoint_b=True),
    case("SparseTensorDenseMatMul", i32(ORDERED), V4, SHAPE, floats(4, 2)),
    case("SparseTensorDenseMatMul", ORDERED[[0, 0, 1, 2]], V4, SHAPE, floats(4, 2)),
    case("SparseTensorDenseMatMul", ORDERED, (V4 + 1j * V4[::-1]).astype(np.complex64), SHAPE,
         (floats(3, 2) * 1j + 1).astype(np.complex64), adjoint_a=True).no_grad("TensorFlow raises NotImplementedError"),
    case("SparseTensorDenseMatMul", NOTHING, floats(0), SHAPE, floats(4, 2)),
    case("SparseTensorDenseMatMul", ORDERED, ints(4), SHAPE, ints(4, 2)),
    case("SparseTensorDenseMatMul", ORDERED, V4, SHAPE, floats(3, 2)).fails("InvalidArgumentError"),
    case("SparseTensorDenseMatMul", ORDERED, V4, i64([3, 2]), floats(2, 2)).fails("InvalidArgumentError"),
    # ---- order and empty rows
    case("SparseReorder", SHUFFLED, V4, SHAPE),
    case("SparseReorder", CUBE[::-1].copy(), f64(V5), CUBE_SHAPE),
    case("SparseReorder", SHUFFLED, strings(["a", "b", "c", "d"]), SHAPE),
    case("SparseReorder", SHUFFLED, V5, SHAPE).fails("InvalidArgumentError"),
    case("SparseFillEmptyRows", ORDERED, V4, SHAPE, 0.5),
    case("SparseFillEmptyRows", i64([[1, 0], [3, 3]]), V4[:2], i64([6, 4]), np.float32(-1)),
    case("SparseFillEmptyRows", NOTHING, i64([]), SHAPE, i64(7)),
    case("SparseFillEmptyRows", NOTHING, floats(0), i64([0, 4]), 0.0),
    case("SparseFillEmptyRows", ORDERED, strings(["a", "b", "c", "d"]), [[3, 4]][0], "-").fails("TypeError"),
    case("SparseFillEmptyRows", ORDERED, strings(["a", "b", "c", "d"]), SHAPE, "-"),
    case("SparseFillEmptyRows", ORDERED, V4, i64([2, 4]), 0.0).fails("InvalidArgumentError"),
    case("SparseFillEmptyRows", ORDERED, V4, SHAPE, floats(1)).fails("ValueError"),
    case("SparseFillEmptyRowsGrad", i64([2, 1]), V5),
    case("SparseFillEmptyRowsGrad", i64([]), V5),
    case("SparseFillEmptyRowsGrad", i64([2, 5]), V5).fails("InvalidArgumentError"),
    # ---- sums and extremes of two
    case("SparseAdd", ORDERED, V4, SHAPE, OTHER, V5, SHAPE, 0.0),
    case("SparseAdd", ORDERED, V4, SHAPE, OTHER, V5, SHAPE, 2.5).no_differences(KINK),
    case("SparseAdd", ORDERED, i64([1, 2, 3, 4]), SHAPE, ORDERED, i64([1, -2, 3, -4]), SHAPE, i64(1)),
    case("SparseAdd", NOTHING, floats(0), SHAPE, OTHER, V5, SHAPE, 0.0),
    case("SparseAdd", ORDERED[[0, 0, 1, 1]], V4, SHAPE, ORDERED[[0, 1, 1]], V4[:3], SHAPE, 0.0)
    .no_grad("TensorFlow hands the gradient of repeated entries to the first of them"),
    case("SparseAdd", ORDERED, V4, SHAPE, OTHER, V5, i64([3, 5]), 0.0).fails("InvalidArgumentError"),
    case("SparseAdd", ORDERED, V4, SHAPE, CUBE, V5, CUBE_SHAPE, 0.0).fails("InvalidArgumentError"),
    case("SparseAddGrad", floats(7), ORDERED, OTHER, i64([[0, 0], [0, 1], [0, 3], [1, 1], [2, 0], [2, 2], [2, 3]])),
    case("SparseAddGrad", floats(2), ORDERED, OTHER, i64([[0, 0], [2, 0]])),
    case("SparseAddGrad", floats(3), ORDERED, OTHER, i64([[0, 0], [2, 0]])).fails("InvalidArgumentError"),
    *[case(f"SparseSparse{which}", ORDERED, V4, SHAPE, OTHER, V5, SHAPE).no_grad("TensorFlow has none")
      for which in ("Maximum", "Minimum")],
    case("SparseSparseMaximum", ORDERED, ints(4), SHAPE, NOTHING, ints(0), SHAPE),
    case("SparseSparseMaximum", ORDERED, V4, SHAPE, OTHER, V5, i64([3, 5])).fails("InvalidArgumentError"),
    # ---- with dense tensors
    *[case(f"SparseDenseCwise{which}", ORDERED, V4, SHAPE, dense + 3)
      for which in ("Mul", "Div") for dense in (floats(3, 4), floats(4), floats(3, 1), floats(1, 4))],
    case("SparseDenseCwiseAdd", ORDERED, V4, SHAPE, floats(3, 1)).no_grad("TensorFlow has none"),
    case("SparseDenseCwiseAdd", CUBE, V5, CUBE_SHAPE, floats(3, 1)).no_grad("TensorFlow has none"),
    case("SparseDenseCwiseMul", ORDERED, ints(4), SHAPE, ints(3, 4)),
    case("SparseDenseCwiseDiv", ORDERED, i32([7, -7, 9, -9]), SHAPE, i32([[2], [3], [-4]])),
    case("SparseDenseCwiseMul", ORDERED, V4, SHAPE, floats(3)).fails("InvalidArgumentError"),
    case("SparseDenseCwiseMul", ORDERED, V4, SHAPE, floats(1, 3, 4)).fails("InvalidArgumentError"),
    # ---- reductions
    *[case(f"SparseReduce{which}", ORDERED, V4, SHAPE, *axes) for which in ("Sum", "Max")
      for axes in (([1],), ([0],), ([-1, 0],), (i32([]),), (1,))],
    case("SparseReduceSum", CUBE, f64(V5), CUBE_SHAPE, [1], keep_dims=True),
    case("SparseReduceMax", CUBE, -np.abs(V5), CUBE_SHAPE, [2, 0], keep_dims=True),
    case("SparseReduceSum", SHUFFLED, V4, SHAPE, i32([0])),
    case("SparseReduceSum", NOTHING, floats(0), SHAPE, [0]),
    case("SparseReduceSum", ORDERED, V4, SHAPE, [2]).fails("InvalidArgumentError"),
    *[case(f"SparseReduce{which}Sparse", CUBE, V5, CUBE_SHAPE, axes, keep_dims=keep) for which in ("Sum", "Max")
      for axes, keep in (([1], False), ([0], True), ([0, 2], False), ([0, 1, 2], True))],
    case("SparseReduceSumSparse", NOTHING, floats(0), SHAPE, [0]),
    case("SparseReduceSumSparse", ORDERED, V4, SHAPE, [-3]).fails("InvalidArgumentError"),
    # ---- softmax
    case("SparseSoftmax", ORDERED, V4, SHAPE),
    case("SparseSoftmax", CUBE, f64(V5), CUBE_SHAPE),
    case("SparseSoftmax", NOTHING, floats(0), SHAPE),
    case("SparseSoftmax", i64([[0], [1]]), floats(2), i64([4])).fails("InvalidArgumentError"),
    case("SparseSoftmax", ORDERED, [1.0, 2.0, 3.0, 4.0], SHAPE),
    case("SparseTensorDenseAdd", ORDERED, [1.0, 2.0, 3.0, 4.0], SHAPE, [[0.0] * 4] * 3),
    case("SparseReduceMax", ORDERED, [1.0, 2.0, 3.0, 4.0], SHAPE, [1]),
    case("SparseTensorDenseMatMul", ORDERED, [1.0, 2.0, 3.0, 4.0], SHAPE, [[1.0], [2.0], [3.0], [4.0]]),
    case("SparseDenseCwiseMul", ORDERED, [1.0, 2.0, 3.0, 4.0], SHAPE, [[1.0], [2.0], [3.0]]),
    # ---- shapes
    case("SparseReshape", ORDERED, SHAPE, i64([2, 6])),
    case("SparseReshape", ORDERED, SHAPE, i64([-1])),
    case("SparseReshape", CUBE, CUBE_SHAPE, i64([3, -1, 2])),
    case("SparseReshape", ORDERED, SHAPE, i64([3, 4])),
    case("SparseReshape", NOTHING, i64([0, 4]), i64([2, 0])),
    case("SparseReshape", ORDERED, SHAPE, i64([5, -1])).fails("InvalidArgumentError"),
    case("SparseReshape", ORDERED, SHAPE, i64([3, 5])).fails("InvalidArgumentError"),
    case("SparseReshape", ORDERED, SHAPE, i64([-1, -1])).fails("InvalidArgumentError"),
    *[case("SparseConcat", [ORDERED, OTHER], [V4, V5], [SHAPE, i64([3, 4])], concat_dim=dim) for dim in (0, 1, -1)],
    case("SparseConcat", [ORDERED, NOTHING, OTHER], [V4, floats(0), V5], [SHAPE, i64([1, 4]), SHAPE], concat_dim=0),
    case("SparseConcat", [ORDERED, OTHER], [V4, V5], [SHAPE, i64([4, 4])], concat_dim=1).fails("InvalidArgumentError"),
    case("SparseConcat", [ORDERED, CUBE], [V4, V5], [SHAPE, CUBE_SHAPE], concat_dim=0).fails("ValueError"),
    case("SparseConcat", [ORDERED, OTHER], [V4, V5], [SHAPE, SHAPE], concat_dim=2).fails("InvalidArgumentError"),
    case("SparseSplit", i64(1), ORDERED, V4, SHAPE, num_split=2),
    case("SparseSplit", i64(1), ORDERED, V4, SHAPE, num_split=3),
    case("SparseSplit", i64(0), CUBE, strings(list("abcde")), CUBE_SHAPE, num_split=2),
    case("SparseSplit", i64(2), ORDERED, V4, SHAPE, num_split=2).fails("InvalidArgumentError"),
    case("SparseSplit", i64(0), ORDERED, V4, SHAPE, num_split=4).fails("InvalidArgumentError"),
    case("SparseSlice", ORDERED, V4, SHAPE, i64([0, 1]), i64([2, 3])),
    case("SparseSlice", CUBE, V5, CUBE_SHAPE, i64([1, 1, 0]), i64([4, 1, 2])),
    case("SparseSlice", ORDERED, V4, SHAPE, i64([2, 0]), i64([1, 4])),
    case("SparseSlice", ORDERED, V4, SHAPE, i64([0, 4]), i64([2, 3])),
    case("SparseSlice", ORDERED, V4, SHAPE, i64([0]), i64([2, 3])).fails("InvalidArgumentError"),
    case("SparseSliceGrad", floats(2), ORDERED, i64([0, 1]), i64([[0, 0], [0, 2]])),
    # ---- crosses
    case("SparseCross", [OTHER, ORDERED], [strings(list("abcde")), i64([1, 2, 3, 4])], [SHAPE, SHAPE],
         [strings([["x", "y"], ["z", "u"], ["v", "w"]])], hashed_output=False, num_buckets=0, hash_key=1,
         out_type="string", internal_type="string").fails("InvalidArgumentError"),
    case("SparseCross", [OTHER, ORDERED], [strings(list("abcde")), strings(list("1234"))], [SHAPE, SHAPE],
         [strings([["x", "y"], ["z", "u"], ["v", "w"]])], hashed_output=False, num_buckets=0, hash_key=1,
         out_type="string", internal_type="string"),
    case("SparseCross", [OTHER, ORDERED], [strings(list("abcde")), i64([1, 2, 3, 4])], [SHAPE, SHAPE],
         [i64([[5, 6], [7, 8], [9, 0]])], hashed_output=False, num_buckets=0, hash_key=1, out_type="string",
         internal_type="int64"),
    *[case("SparseCross", [OTHER, ORDERED], [strings(list("abcde")), i64([1, -2, 3, 4])], [SHAPE, SHAPE],
           [i64([[5, 6], [7, 8], [9, 0]])], hashed_output=True, num_buckets=buckets, hash_key=0xDECAFCAFFE,
           out_type="int64", internal_type="int64") for buckets in (0, 100)],
    case("SparseCross", [OTHER, ORDERED], [strings(list("abcde")), i64([1, 2, 3, 4])], [SHAPE, i64([4, 4])],
         [i64([[5, 6], [7, 8], [9, 0]])], hashed_output=True, num_buckets=0, hash_key=3, out_type="int64",
         internal_type="int64").fails("InvalidArgumentError"),
    # ---- text
    case("SerializeSparse", ORDERED, V4, SHAPE),
    case("SerializeSparse", ORDERED, strings(["a", "", "x" * 200, "d"]), SHAPE),
    case("SerializeSparse", i64([[0]]), array([True], "bool"), i64([1])),
    case("SerializeManySparse", ORDERED, V4, SHAPE),
    case("SerializeManySparse", CUBE, strings(list("abcde")), CUBE_SHAPE),
    case("SerializeManySparse", SHUFFLED, V4, SHAPE).fails("InvalidArgumentError"),
    case("SerializeManySparse", i64([[0]]), floats(1), i64([1])).fails("InvalidArgumentError"),
    case("DeserializeSparse", strings(["a", "b", "c"]), dtype="float32").fails("InvalidArgumentError"),
    case("DeserializeManySparse", strings([["a", "b", "c"]]), dtype="float32").fails("InvalidArgumentError"),
]


@program(ORDERED, V4, SHAPE)
def written_and_read(tf, indices, values, shape):
    one = tf.raw_ops.SerializeSparse(sparse_indices=indices, sparse_values=values, sparse_shape=shape)
    many = tf.raw_ops.SerializeManySparse(sparse_indices=indices, sparse_values=values, sparse_shape=shape)
    grid = tf.stack([tf.stack([one, one]), tf.stack([one, one])])
    return [*tf.raw_ops.DeserializeSparse(serialized_sparse=one, dtype=tf.float32),
            *tf.raw_ops.DeserializeSparse(serialized_sparse=grid, dtype=tf.float32),
            *tf.raw_ops.DeserializeManySparse(serialized_sparse=many, dtype=tf.float32)]


@program(ORDERED, V4, SHAPE)
def as_variants(tf, indices, values, shape):
    many = tf.raw_ops.SerializeManySparse(sparse_indices=indices, sparse_values=values, sparse_shape=shape,
                                          out_type=tf.variant)
    return list(tf.raw_ops.DeserializeSparse(serialized_sparse=many, dtype=tf.float32))


@program(ORDERED, V4, SHAPE)
def through_a_map(tf, indices, values, shape):
    numbers = tf.raw_ops.AddManySparseToTensorsMap(sparse_indices=indices, sparse_values=values, sparse_shape=shape,
                                                   shared_name="kept")
    return list(tf.raw_ops.TakeManySparseFromTensorsMap(sparse_handles=numbers[::-1], dtype=tf.float32,
                                                        shared_name="kept"))
