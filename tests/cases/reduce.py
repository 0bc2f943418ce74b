"""Reductions, positions, running totals and counts."""

import numpy as np

from tests.harness import bf16, bools, case, f16, f64, floats, i32, i64, ints, program, strings

x34 = floats(3, 4)
x234 = floats(2, 3, 4)
z = (floats(2, 3, seed=1) + 1j * floats(2, 3, seed=2)).astype(np.complex64)
with_zeros = np.array([[2, 0, 3], [1, 4, 5], [0, 0, 2]], np.float32)
distinct = np.linspace(-2, 2, 12, dtype=np.float32)[np.random.RandomState(3).permutation(12)].reshape(3, 4)
numbers = ("Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm")

CASES = [
    *[case(op, distinct, [0]) for op in numbers],
    *[case(op, distinct, [0, 1]) for op in numbers],
    *[case(op, distinct, [-1], keep_dims=True) for op in numbers],
    *[case(op, distinct, i32([1])) for op in numbers],
    *[case(op, distinct[:1], [0]) for op in numbers],
    *[case(op, distinct[None, :, :1], [0, 2], keep_dims=True) for op in numbers],
    *[case(op, x234, [0, 2]) for op in numbers],
    *[case(op, x234, i32([2, 1]), keep_dims=True) for op in numbers],
    *[case(op, x234, i64([2, 1])) for op in ("Sum", "Max", "EuclideanNorm")],
    *[case(op, x34, 1) for op in ("Sum", "Max")],
    *[case(op, x34, i32([])) for op in ("Sum", "Mean", "Max")],
    *[case(op, x34.astype(np.float64), [1]) for op in numbers],
    *[case(op, f16(distinct), [1]) for op in ("Sum", "Mean", "Max")],
    *[case(op, bf16(distinct), [1]) for op in ("Sum", "Mean", "Max")],
    *[case(op, z, [0]) for op in ("Sum", "Mean", "Prod")],
    *[case(op, ints(3, 4, low=-9), [0]) for op in ("Sum", "Mean", "Prod", "Max", "Min")],
    *[case(op, ints(3, 4, low=-9, dtype=np.int64), [1]) for op in ("Sum", "Mean", "Prod", "Max", "Min")],
    case("Sum", np.full(4, 100, np.int8), [0]),
    case("Mean", np.full(4, 100, np.uint8), [0]),
    *[case(op, np.zeros((0, 3), np.float32), [0]).no_differences("infinite or no value at all")
      for op in ("Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm")],
    *[case(op, np.zeros((0, 3), np.float32), [1]) for op in ("Sum", "Max")],
    case("Max", np.zeros((0, 3), np.int32), [0]),
    case("Prod", with_zeros, [1]),
    case("Prod", with_zeros, [0, 1]),
    case("Max", np.array([[1, 3, 3], [2, 2, 2]], np.float32), [1]).no_differences("ties"),
    case("Min", np.array([[1, 1, 3], [2, 2, 2]], np.float32), [0, 1]).no_differences("ties"),
    case("Sum", x34, [2]).fails("ValueError"),
    case("Sum", x34, i32([2])).fails("InvalidArgumentError"),
    case("Sum", x34, i32([0, 0])).fails("InvalidArgumentError"),
    *[case(op, bools(3, 4), [1]) for op in ("All", "Any")],
    *[case(op, bools(3, 1), [1]) for op in ("All", "Any")],
    *[case(op, bools(3, 4), [0, 1], keep_dims=True) for op in ("All", "Any")],
    *[case(op, np.zeros((0, 2), bool), i32([0])) for op in ("All", "Any")],

    *[case(op, x34, 1) for op in ("ArgMax", "ArgMin")],
    *[case(op, x234, i32(-2)) for op in ("ArgMax", "ArgMin")],
    *[case(op, i32([3, 1, 3, 1]), 0, output_type="int32") for op in ("ArgMax", "ArgMin")],
    case("ArgMax", bf16(x34), 0),
    case("ArgMax", x34, 2).fails("ValueError"),
    case("ArgMax", np.zeros((0, 3), np.float32), i32(0)).fails("InvalidArgumentError"),

    *[case(op, x34, 1, exclusive=exclusive, reverse=reverse) for op in ("Cumsum", "Cumprod")
      for exclusive in (False, True) for reverse in (False, True)],
    *[case("CumulativeLogsumexp", x34, 1, exclusive=exclusive, reverse=reverse).no_differences("minus infinity")
      for exclusive in (False, True) for reverse in (False, True)],
    *[case(op, f64(x234), i32(-2)) for op in ("Cumsum", "Cumprod", "CumulativeLogsumexp")],
    *[case(op, ints(3, 4), i64(0)) for op in ("Cumsum", "Cumprod")],
    *[case(op, z, 0) for op in ("Cumsum", "Cumprod")],
    *[case("Cumprod", kind(with_zeros), 1, exclusive=exclusive).no_differences("TensorFlow's slope at 0 is 0")
      for kind in (np.float32, f64, bf16) for exclusive in (False, True)],
    case("Cumsum", x34, i32(2)).fails("InvalidArgumentError"),

    case("Bincount", ints(20, high=6), 6, np.zeros(0, np.int32)),
    case("Bincount", ints(20, high=6), i32(4), np.zeros(0, np.int64)),
    case("Bincount", ints(8, high=6), 6, floats(8)),
    case("Bincount", i32([1, -1]), 3, np.zeros(0, np.float32)).fails("InvalidArgumentError"),
    case("Bucketize", x34, boundaries=[-1.0, 0.0, 0.5]),
    case("Bucketize", i32([-5, 0, 3, 10, 100]), boundaries=[0.0, 10.0, 50.0]),
    case("Bucketize", f64([0.1, 0.5]), boundaries=[0.1, 0.5]),
    case("Bucketize", x34, boundaries=[1.0, 0.0]).fails("InvalidArgumentError"),
    case("HistogramFixedWidth", x34, [-1.0, 1.0], 5),
    case("HistogramFixedWidth", ints(20), i32([0, 10]), i32(5), dtype="int64"),
    case("HistogramFixedWidth", x34, np.array([1, -1], np.float32), 5).fails("InvalidArgumentError"),

    case("Cross", floats(2, 3), floats(2, 3, seed=1)),
    case("Cross", i32([1, 2, 3]), i32([4, 5, 6])),
    case("Cross", floats(2, 4), floats(2, 4)).fails("ValueError"),
]


@program(x234)
def reductions(tf, x):
    return [tf.reduce_sum(x), tf.reduce_sum(x, 1), tf.reduce_mean(x, [0, -1], keepdims=True), tf.reduce_max(x, axis=2),
            tf.reduce_min(x, reduction_indices=[0]), tf.reduce_prod(x, 0, keep_dims=True), tf.reduce_logsumexp(x),
            tf.reduce_logsumexp(x, 1), tf.reduce_logsumexp(x, [1, 2], keepdims=True), tf.math.reduce_std(x, 1),
            tf.math.reduce_variance(x), tf.math.reduce_euclidean_norm(x, 0), tf.reduce_all(x < 5),
            tf.reduce_any(x > 1, axis=1), tf.argmax(x), tf.argmin(x, 1),
            tf.argmax(x, dimension=2, output_type=tf.int32)]


@program(x34)
def axes_that_are_tensors(tf, x):
    axis = tf.placeholder_with_default(1, [])
    return tf.reduce_sum(x, axis), tf.gradients(tf.reduce_mean(x * x, axis), x)[0]


@program(x34, bools(3, 4), strings(["a", "", "b"]))
def nonzeros(tf, x, flags, texts):
    return [tf.count_nonzero(x), tf.count_nonzero(flags, axis=1), tf.count_nonzero(texts),
            tf.count_nonzero(tf.cast(x, tf.int32), 0, keepdims=True), tf.count_nonzero(x, dtype=tf.int32)]


@program(i32([1, 1, 5, 2]), floats(4), x34)
def counts(tf, values, weights, x):
    return [tf.bincount(values), tf.bincount(values, minlength=9), tf.bincount(values, maxlength=3),
            tf.bincount(values, weights=weights), tf.bincount(tf.zeros([0], tf.int32)),
            tf.histogram_fixed_width(x, [-1.0, 1.0], nbins=4), tf.histogram_fixed_width_bins(x, [-1.0, 1.0], nbins=4)]


counts = counts.repeated(2)  # the first run finds out what has to be known, and plans anew


@program(x34)
def running_totals(tf, x):
    return [tf.cumsum(x), tf.cumsum(x, 1, exclusive=True), tf.cumprod(x, -1, reverse=True),
            tf.math.cumulative_logsumexp(x, 1)]


@program(i32([1, 2, 2, 0]), i32([1, 2, 1, 0]), ints(4))
def confusion(tf, labels, predictions, weights):
    return [tf.confusion_matrix(labels, predictions), tf.confusion_matrix(labels, predictions, num_classes=5),
            tf.confusion_matrix(labels, tf.expand_dims(predictions, 1), dtype=tf.float32, weights=weights)]


confusion = confusion.repeated(2)  # the first run finds out what has to be known, and plans anew
