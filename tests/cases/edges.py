"""Infinities, NaN, ends of ranges and empty tensors, where tiers or TensorFlow once differed."""

import numpy as np

from tests.harness import array, case, f64, floats, i32, program, ref, resource

inf, nan = np.inf, np.nan


def f32(value):
    return array(value, "float32")


mixed = f32([[1, nan, 3], [nan, nan, nan], [nan, -inf, -2], [inf, nan, inf], [-inf, -inf, -inf], [2, -0.0, 0.0]])
whole = np.arange(16, dtype="float32").reshape(1, 4, 4, 1)
image = np.where(np.isin(whole, [0, 15]), nan, np.where(np.isin(whole, [2, 3, 6, 7]), -inf, whole)).astype("float32")
updates = f32([[1, nan, nan, nan], [nan, 3, 1, nan], [7, nan, 1, 0]])
held = f32([[nan, 1, 5, nan], [2, 2, 2, 2]])
by_row = [[0], [1], [1]]
products = f32([[inf, 2, 3], [0, inf, 2], [1e30, 1e30, 1e-30], [0, 0, 1], [nan, 2, 3]])
square = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
edge = "the value stands at an edge"

CASES = [
    case("ArgMax", mixed, 1),
    case("ArgMin", mixed, 1),
    case("ArgMax", mixed.astype("float64"), 0),
    case("Max", mixed, [1]).no_differences(edge),
    case("Min", mixed, [0]).no_differences(edge),
    case("Prod", products[:2], [1]).no_differences(edge),
    case("Prod", products[3:], i32([1]), keep_dims=True).no_differences(edge),
    case("Prod", floats(2, 3, 4), i32([2, 0])),
    case("Cumprod", products[3:], 1).no_differences(edge),
    case("Mean", array([2**63 + 2, 2**63 + 4, 7], "uint64"), [0]),
    case("Mean", array([2**31 - 1, 2**31 - 3, 3], "int32"), [0]),
    case("Mean", array([127, 125, 3], "int8"), [0]),
    *[case(op, np.zeros((0, 2), dtype), [0]).no_differences("nothing to change")
      for op in ("Max", "Min") for dtype in ("uint64", "int64", "uint8", "float32")],
    case("Complex", f32([1, nan, inf]), f32([inf, 2, nan])).no_grad("the weights are complex"),
    case("ClipByValue", f32([-3, 0, 3, nan]), f32([-1, nan, -1, -1]), f32([1, 1, nan, 1])).no_differences(edge),
    case("Pow", i32([3, -3, 2, 0]), i32([2**31 - 1, 2**30 + 1, 64, 0])),
    case("Maximum", mixed, np.ones_like(mixed)).no_differences(edge),
    case("Minimum", np.ones_like(mixed), mixed).no_differences(edge),
    case("TopKV2", f32([[0.0, -0.0, 0.0], [-inf, inf, 1]]), 3).no_differences(edge),

    case("MaxPool", image, **square).no_differences(edge),
    case("MaxPool", image, ksize=[1, 3, 3, 1], strides=[1, 1, 1, 1], padding="SAME").no_differences(edge),
    case("MaxPoolV2", image, [1, 2, 2, 1], [1, 2, 2, 1], padding="VALID").no_differences(edge),
    case("MaxPoolWithArgmax", image, **square).no_differences(edge),

    *[case(op, ref(held), [0, 1, 1], updates) for op in ("ScatterMin", "ScatterMax")],
    *[case(op, resource(held), [0, 1, 1], updates) for op in ("ResourceScatterMin", "ResourceScatterMax")],
    *[case(op, held, by_row, updates).no_grad("NaN is equal to nothing") for op in ("TensorScatterMin",
                                                                                   "TensorScatterMax")],

    case("SoftmaxCrossEntropyWithLogits", f32([[0, 1, -inf], [0, 1, -inf]]),
         f32([[1, 0, 0], [0.5, 0, 0.5]])).no_grad(edge),
    case("SparseSoftmaxCrossEntropyWithLogits", f32([[0, 1, -inf], [1, -inf, 3]]), [2, 0]).no_differences(edge),
    case("LeakyRelu", f64([-1, 3, -inf, nan])).no_differences(edge).tolerance(0),
    case("LeakyReluGrad", f64([-1, 3, -2, 5]), f64([-1, 1, 2, nan]), alpha=0.1).no_differences(edge).tolerance(0),
    case("ReluGrad", f32([inf, nan, -inf, 2]), f32([-1, 0, 1, nan])).no_grad(edge),
    case("Relu6Grad", f32([inf, nan, -inf, 2]), f32([-1, 7, 1, nan])).no_grad(edge),
]


@program(f32([1, nan, inf, 2]), array([True, False, False, True], bool))
def masked(tf, x, mask):
    return [tf.cast(mask, tf.float32) * x, x / tf.cast(mask, x.dtype), tf.cast(mask, tf.complex64) * 2]


@program(f32(np.zeros((0, 2))), i32([]), f32(np.zeros((2, 0))), i32([1, 0]))
def empty_parts(tf, rows, nowhere, narrow, places):
    return [tf.dynamic_stitch([nowhere], [rows]), tf.dynamic_stitch([nowhere, places], [narrow[:0], narrow]),
            *tf.dynamic_partition(rows, nowhere, 2), *tf.dynamic_partition(narrow, places, 2)]


@program(f32(np.zeros((1, 4, 4, 2))), f32(np.zeros((0, 2, 2, 1))))
def depthwise_without_filter(tf, x, filter):
    return tf.nn.depthwise_conv2d(x, filter, [1, 1, 1, 1], "SAME")


@program(floats(2, 3))
def concatenated_arrays(tf, x):
    some = tf.TensorArray(tf.float32, 2, infer_shape=False).write(0, x).write(1, x[:0])
    none = tf.TensorArray(tf.float32, 2, infer_shape=False).write(0, x[:0]).write(1, x[:0])
    narrow = tf.TensorArray(tf.float32, 2, infer_shape=False).write(0, x[:, :0]).write(1, x[:, :0])
    return [some.concat(), none.concat(), narrow.concat()]


def _concatenated_nothing(tf):
    return tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False).concat()


def _transposed(tf, x, filter):
    return tf.nn.conv2d_transpose(x, filter, [1, 4, 4, 1], [1, 1, 1, 1], "SAME")


def _singular_values(tf, x):
    return tf.svd(x, compute_uv=False)


@program(f32([inf, inf]), f32([-inf, 1, inf]), f32([1, 1, 2]))
def orders_of_infinities(tf, *rows):
    return [each for row in rows for each in (tf.is_non_decreasing(row), tf.is_strictly_increasing(row))]


broken = f32([[nan, 1], [2, 3]])
CASES += [
    case("BiasAddV1", floats(2, 3), floats(1)).fails("ValueError"),
    case("GatherNd", f32(np.zeros((0, 4))), np.zeros((2, 0), "int32")).fails("InvalidArgumentError"),
    case("UniqueV2", np.zeros((0, 2), "int32"), i32([0])),
    case("MaxPoolWithArgmax", f32(np.zeros((0, 4, 4, 1))), **square).fails("InvalidArgumentError"),
    case("MaxPoolV2", image, i32([1, 0, 2, 1]), i32([1, 2, 2, 1]), padding="VALID").fails("InvalidArgumentError"),
    case("DynamicStitch", [i32([0, 2**31 - 1])], [floats(2, 3)]).fails("InvalidArgumentError"),
    case("Fill", array([2**62, 3], "int64"), f32(1)).fails("InvalidArgumentError"),
    case("FakeQuantWithMinMaxVarsGradient", f32([1, -2, 3, 4]), f32([9, 0.1, -9, nan]), f32(-1), f32(1)).no_grad(edge),
    program()(_concatenated_nothing).fails("UnimplementedError"),
    program(floats(1, 4, 4, 3), floats(2, 2, 1, 2))(_transposed).fails("ValueError"),
    case("Conv2D", floats(1, 4, 4, 3), floats(2, 2, 2, 1), strides=[1, 1, 1, 1], padding="SAME").fails("ValueError"),
    case("MatMul", floats(2, 3), floats(2, 3)).fails("ValueError"),
    case("BiasAdd", floats(2, 3), floats(2)).fails("ValueError"),
    program(broken)(_singular_values).no_grad(edge),
    program(np.stack([broken, floats(2, 2)]))(_singular_values).no_grad(edge),
    case("Cholesky", f32([[nan, 1], [1, 3]])).no_grad(edge),
    case("SelfAdjointEigV2", broken).fails("InvalidArgumentError"),
    case("MatrixInverse", broken).fails("InvalidArgumentError"),
    case("MatrixSolve", broken, broken).fails("InvalidArgumentError"),
    case("Lu", broken).fails("InvalidArgumentError"),
    case("MatrixSquareRoot", f32(np.zeros((0, 0)))).no_grad("TensorFlow's fails"),
]
