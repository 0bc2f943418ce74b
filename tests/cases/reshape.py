"""Ops that change the shape or order of a tensor: evergraph/ops/arrays/reshape.py, pad.py and blocks.py."""

import numpy as np

from tests.harness import bools, case, f64, floats, i32, i64, ints, program, strings

x34 = floats(3, 4)
x234 = floats(2, 3, 4)
x1314 = floats(1, 3, 1, 4)
text = strings([["a", "bc", ""], ["d", "e", "f"]])
complex23 = (floats(2, 3) + 1j * floats(2, 3, seed=1)).astype("complex64")
image = floats(2, 4, 6, 3)
planes = floats(2, 3, 4, 6)

CASES = [
    case("Reshape", x34, [2, -1]),
    case("Reshape", x34, i64([6, 2])),
    case("Reshape", text, [3, 2]),
    case("Reshape", floats(0, 3), [0, -1, 1]),
    case("Reshape", floats(0, 3), [3, -1]),
    case("Reshape", floats(1), np.zeros(0, "int32")),
    case("Reshape", x34, [5, -1]).fails("ValueError"),
    case("Reshape", x34, i32([5, 2])).fails("InvalidArgumentError"),
    case("ExpandDims", x34, 1),
    case("ExpandDims", x34, i64(-1)),
    case("ExpandDims", text, -3),
    case("ExpandDims", x34, 4).fails("ValueError"),
    case("Squeeze", x1314),
    case("Squeeze", x1314, squeeze_dims=[0, -2]),
    case("Squeeze", strings([["a"]])),
    case("Squeeze", x1314, squeeze_dims=[1]).fails("ValueError"),
    case("Transpose", x234, [2, 0, 1]),
    case("Transpose", x234, i64([1, 0, 2])),
    case("Transpose", text, [1, 0]),
    case("Transpose", floats(), np.zeros(0, "int32")),
    case("Transpose", x234, i32([0, 0, 1])).fails("InvalidArgumentError"),
    case("ConjugateTranspose", complex23, [1, 0]),
    case("ConjugateTranspose", x34, i32([1, 0])),
    case("InvertPermutation", i32([2, 0, 1, 3])),
    case("InvertPermutation", i64([0])),
    case("InvertPermutation", i32([2, 2, 1])).fails("InvalidArgumentError"),
    case("Pack", [x34, floats(3, 4, seed=1)]),
    case("Pack", [x34, floats(3, 4, seed=1), floats(3, 4, seed=2)], axis=-1),
    case("Pack", [text, text], axis=1),
    case("Pack", [i32(1), i32(2)]),
    case("Pack", [x34, floats(4, 3)]).fails("ValueError"),
    case("Unpack", x34, num=3),
    case("Unpack", x234, num=4, axis=-1),
    case("Unpack", text, num=2),
    case("Unpack", x34, num=2).fails("ValueError"),
    case("Concat", 1, [x34, floats(3, 2)]),
    case("Concat", i32(0), [x34, floats(1, 4)]),
    case("ConcatV2", [x34, floats(3, 2)], 1),
    case("ConcatV2", [x34, floats(0, 4), floats(2, 4)], i64(-2)).no_grad("TensorFlow's takes an int32 axis only"),
    case("ConcatV2", [text, text], 0),
    case("ConcatV2", [x34, floats(3, 2)], 0).fails("ValueError"),
    case("ConcatV2", [x34, floats(3, 2)], 2).fails("ValueError"),
    case("ConcatOffset", 1, [i32([2, 3, 5]), i32([2, 7, 5]), i32([2, 5, 5])]),
    case("ConcatOffset", 0, [i32([2, 3]), i32([4, 3])]),
    case("ConcatOffset", 0, [i32([2, 3]), i32([4, 4])]).fails("InvalidArgumentError"),
    case("ParallelConcat", [floats(1, 4), floats(1, 4, seed=1)], shape=[2, 4]),
    case("Split", 1, x34, num_split=2),
    case("Split", i32(-2), x34, num_split=3),
    case("Split", 0, text, num_split=2),
    case("Split", 1, x34, num_split=3).fails("ValueError"),
    case("SplitV", x34, [1, 3], 1, num_split=2),
    case("SplitV", x34, i64([1, -1, 0]), -1, num_split=3),
    case("SplitV", text, [1, 2], 1, num_split=2),
    case("SplitV", x34, [1, 2], 1, num_split=2).fails("ValueError"),
    case("Tile", x34, [2, 1]),
    case("Tile", x34, i64([0, 3])),
    case("Tile", text, [1, 2]),
    case("Tile", x34, i32([1, -1])).fails("InvalidArgumentError"),
    case("Pad", x34, [[1, 2], [0, 1]]),
    case("Pad", x34, i64([[0, 0], [3, 0]])),
    case("Pad", ints(2, 3), [[1, 0], [0, 1]]),
    case("Pad", x34, i32([[1, -1], [0, 0]])).fails("InvalidArgumentError"),
    case("PadV2", x34, [[1, 2], [0, 1]], -1.5),
    case("PadV2", floats(3), i32([[1, 0]]), f64(7).astype("float32")),
    case("PadV2", bools(2, 2), [[1, 0], [0, 1]], True),
    case("MirrorPad", x34, [[1, 2], [3, 1]], mode="REFLECT"),
    case("MirrorPad", x34, i64([[3, 0], [2, 4]]), mode="SYMMETRIC"),
    case("MirrorPad", x34, i32([[3, 0], [0, 0]]), mode="REFLECT").fails("InvalidArgumentError"),
    case("MirrorPadGrad", floats(6, 8), [[1, 2], [3, 1]], mode="REFLECT"),
    case("MirrorPadGrad", floats(6, 10), i32([[3, 0], [2, 4]]), mode="SYMMETRIC"),
    case("Reverse", x34, [True, False]),
    case("Reverse", text, bools(2)),
    case("ReverseV2", x234, [0, -1]),
    case("ReverseV2", x34, i64([1])),
    case("ReverseV2", text, np.zeros(0, "int32")),
    case("ReverseV2", x34, [0, 0]).fails("ValueError"),
    case("ReverseSequence", floats(3, 5), i32([2, 0, 5]), seq_dim=1),
    case("ReverseSequence", floats(4, 2, 3), i64([3, 1]), seq_dim=0, batch_dim=1),
    case("ReverseSequence", text, i64([2, 3]), seq_dim=1),
    case("ReverseSequence", floats(2, 5), i32([2, 6]), seq_dim=1).fails("InvalidArgumentError"),
    case("Roll", x34, 1, 0),
    case("Roll", x34, i32([5, -1]), [1, 0]),
    case("Roll", text, i64(-1), i64(1)),
    case("SpaceToBatchND", image, [2, 3], [[0, 0], [0, 0]]),
    case("SpaceToBatchND", floats(1, 5, 2), i64([3]), i64([[1, 0]])),
    case("SpaceToBatchND", image, [3, 2], [[0, 0], [0, 0]]).fails("ValueError"),
    case("SpaceToBatch", image, [[1, 1], [0, 0]], block_size=2),
    case("BatchToSpaceND", floats(12, 2, 3, 1), [2, 3], [[1, 0], [0, 2]]),
    case("BatchToSpaceND", floats(4, 2, 3), i64([2]), i64([[0, 0]])),
    case("BatchToSpaceND", floats(5, 2, 3), [2], [[0, 0]]).fails("ValueError"),
    case("BatchToSpace", floats(8, 2, 3, 2), [[0, 1], [1, 0]], block_size=2),
    case("SpaceToDepth", image, block_size=2),
    case("SpaceToDepth", image, block_size=4).fails("ValueError"),
    case("DepthToSpace", floats(2, 2, 3, 8), block_size=2),
    case("DepthToSpace", floats(2, 2, 3, 9), block_size=3),
]


@program(x34)
def zeros_and_ones(tf, x):
    return [tf.zeros([2, 3]), tf.zeros(tf.shape(x), tf.int64), tf.zeros([tf.shape(x)[0], 2], tf.bool), tf.ones(3),
            tf.zeros_like(x), tf.ones_like(x, dtype=tf.int32), tf.zeros([2], tf.string), tf.fill([2], 7),
            tf.zeros([0, 2])]


@program(x34)
def asked_of_a_tensor(tf, x):
    return [tf.shape(x), tf.shape(x, out_type=tf.int64), tf.size(x), tf.rank(x), tf.identity(x),
            tf.broadcast_dynamic_shape(tf.shape(x), [2, 1, 1])]


@program(x34)
def shaped_anew(tf, x):
    return [tf.expand_dims(x, -1), tf.squeeze(tf.expand_dims(x, 0), 0), tf.transpose(x), tf.matrix_transpose(x),
            tf.reshape(x, [tf.shape(x)[1], -1]), tf.reverse(x, [1]),
            tf.reverse_sequence(x, [1, 2, 3], seq_axis=1, batch_axis=0)]


@program(x34, floats(3, 4, seed=1))
def joined_and_split(tf, x, y):
    return [tf.concat([x, y], 1), tf.concat(x, 0), tf.stack([x, y]), tf.stack([x, y], axis=2), tf.unstack(x, num=3),
            tf.split(x, 2, axis=1), tf.split(x, [1, 2], axis=0), tf.stack([1, 2]),
            tf.convert_to_tensor([[x[0, 0], 1.0]])]


@program(x34)
def framed(tf, x):
    return [tf.pad(x, [[1, 1], [0, 2]]), tf.pad(x, [[1, 1], [0, 2]], "reflect"),
            tf.pad(x, [[1, 0], [0, 0]], "SYMMETRIC"), tf.pad(x, [[1, 0], [0, 0]], constant_values=3)]


@program(floats(3), x34)
def identity_matrices(tf, x, y):
    return [tf.eye(3), tf.eye(2, 3), tf.eye(2, num_columns=1, batch_shape=[2], dtype=tf.int32), tf.matrix_diag(x),
            tf.eye(tf.shape(x)[0], batch_shape=tf.shape(y))]


@program(i32([5, 4]), image)
def space_and_batch(tf, sizes, x):
    paddings, crops = tf.required_space_to_batch_paddings(sizes, [2, 3])
    return [paddings, crops, *tf.required_space_to_batch_paddings([5, 4], [2, 3], [[1, 0], [0, 1]]),
            tf.batch_to_space(tf.space_to_batch(x, [[0, 0], [0, 0]], 2), [[0, 0], [0, 0]], 2),
            tf.space_to_depth(x, 2)]
