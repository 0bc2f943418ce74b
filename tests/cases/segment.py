"""Sums, means and extrema of the rows of segments."""

import numpy as np

from tests.harness import bf16, case, f64, floats, i32, i64, ints, program

x63 = floats(6, 3)
order = i32([0, 0, 1, 3, 3, 3])
mixed = i32([2, 0, 2, -1, 0, 4])
picked = i32([0, 2, 2, 5, 1])
groups = i32([0, 0, 1, 1, 3])
plain = ("Sum", "Mean", "Prod", "Min", "Max")
unsorted = ("Sum", "Prod", "Min", "Max")
sparse = ("Sum", "Mean", "SqrtN")
with_zeros = np.array([[2, 0], [0, 3], [0, 1], [4, 5]], np.float32)

CASES = [
    *[case(f"Segment{op}", x63, order) for op in plain],
    *[case(f"Segment{op}", f64(floats(4)), i64([0, 1, 1, 2])) for op in plain],
    *[case(f"Segment{op}", ints(6, 2), order) for op in plain],
    *[case(f"Segment{op}", np.zeros((0, 2), np.float32), i32([])).no_grad("nothing there") for op in ("Sum", "Max")],
    case("SegmentProd", with_zeros, i32([0, 0, 0, 1])),
    case("SegmentMax", np.array([1, 1, 3], np.float32), i32([0, 0, 1])).no_differences("ties"),
    case("SegmentSum", x63, i32([0, 1, 0, 1, 1, 1])).fails("InvalidArgumentError"),
    case("SegmentSum", x63, i32([0, 1])).fails("InvalidArgumentError"),

    *[case(f"UnsortedSegment{op}", x63, mixed, 5).no_differences("huge numbers") for op in unsorted],
    *[case(f"UnsortedSegment{op}", x63, mixed, i32(6)).no_differences("huge numbers") for op in unsorted],
    *[case(f"UnsortedSegment{op}", x63, i32([1, 0, 1, 0, 0, 1]), i32(2)) for op in unsorted],
    *[case(f"UnsortedSegment{op}", floats(2, 3, 2), i32([[0, 1, 0], [2, 2, 1]]), 3) for op in unsorted],
    *[case(f"UnsortedSegment{op}", ints(6, 2, dtype=np.int64), i64(mixed), 5) for op in unsorted],
    case("UnsortedSegmentSum", bf16(x63), mixed, 5),
    case("UnsortedSegmentSum", np.zeros((0, 2), np.float32), i32([]), 3).no_grad("nothing there"),
    case("UnsortedSegmentProd", with_zeros, i32([0, 0, 0, 1]), 2),
    case("UnsortedSegmentMax", np.array([1, 1, 3], np.float32), i32([0, 0, 1]), 2).no_differences("ties"),
    case("UnsortedSegmentSum", x63, mixed, 3).fails("InvalidArgumentError"),
    case("UnsortedSegmentSum", x63, i32([0, 1]), 3).fails("ValueError"),

    *[case(f"SparseSegment{op}", x63, picked, groups) for op in sparse],
    *[case(f"SparseSegment{op}", f64(floats(6)), i64(picked), groups) for op in sparse],
    *[case(f"SparseSegment{op}WithNumSegments", x63, picked, groups, 6) for op in sparse],
    case("SparseSegmentSum", ints(6, 2), picked, groups),
    *[case(f"UnsortedSegment{op}", floats(3, 0), i32([0, 1, 9]), i32(2)).no_grad("TensorFlow 2's gather of empty rows "
      "looks at no indices either, 1.15's does") for op in ("Sum", "Max", "Prod")],
    case("SparseSegmentMean", x63, i32([0, 7]), i32([0, 0])).fails("InvalidArgumentError"),
    case("SparseSegmentMean", x63, i32([0, 1]), i32([1, 0])).fails("InvalidArgumentError"),
    case("SparseSegmentSumWithNumSegments", x63, picked, groups, i32(2)).fails("InvalidArgumentError"),
    *[case(f"SparseSegment{op}Grad", floats(4, 3), picked, groups, 6) for op in ("Mean", "SqrtN")],
    case("SparseSegmentMeanGrad", floats(4, 3), i32([0, 9, 2, 5, 1]), groups, i32(6)).fails("InvalidArgumentError"),
]


@program(x63, mixed)
def means_in_any_order(tf, x, ids):
    mean = tf.unsorted_segment_mean(x, ids, 5)
    return [mean, tf.unsorted_segment_sqrt_n(x, ids, 5), tf.gradients(mean * mean, x)[0]]


@program(x63)
def picked_rows(tf, x):
    return [tf.sparse_segment_mean(x, [0, 2, 1], [0, 0, 1]), tf.sparse_segment_sum(x, [0, 2], [0, 1], num_segments=4),
            tf.sparse.segment_sqrt_n(x, [1, 1], [0, 0])]
