"""Set operations along the last axis."""

import numpy as np

from tests.harness import case, i64, program

OPERATIONS = ("a-b", "b-a", "intersection", "union")
a = i64([[[9, 1, 1], [3, 4, 2]], [[5, 5, 5], [0, 7, 8]]])
b = i64([[[1, 2], [4, 4]], [[6, 9], [7, 0]]])
sparse = i64([[0, 0, 0], [0, 0, 2], [0, 1, 1], [1, 1, 0], [1, 1, 3]]), i64([1, 9, 4, 7, 7]), i64([2, 2, 4])
words = np.array([[b"x", b"y"], [b"z", b"z"]], object)
more_words = np.array([[b"y", b"w", b"a"], [b"z", b"", b"z"]], object)

CASES = [
    *[case("DenseToDenseSetOperation", a, b, set_operation=name) for name in OPERATIONS],
    *[case("DenseToDenseSetOperation", words, more_words, set_operation=name) for name in OPERATIONS],
    *[case("DenseToSparseSetOperation", a, *sparse, set_operation=name) for name in OPERATIONS],
    *[case("SparseToSparseSetOperation", *sparse, i64([[0, 0, 0], [1, 0, 1]]), i64([9, 3]), i64([2, 2, 2]),
           set_operation=name) for name in OPERATIONS],
    case("SetSize", *sparse),
    case("SetSize", np.zeros((0, 2), np.int64), i64([]), i64([3, 2])),
    case("DenseToDenseSetOperation", a, i64([[[1]], [[2]]]), set_operation="union").fails("ValueError"),
    case("SetSize", i64([[0, 1], [0, 0]]), i64([1, 2]), i64([1, 2])).fails("InvalidArgumentError"),
    case("SetSize", i64([[0, 5]]), i64([1]), i64([1, 2])).fails("InvalidArgumentError"),
]


@program(a, b, *sparse)
def of_dense_and_sparse(tf, a, b, *parts):
    s = tf.SparseTensor(*parts)
    results = [tf.sets.difference(s, a), tf.sets.difference(s, a, aminusb=False), tf.sets.difference(a, s),
               tf.sets.union(s, b), tf.sets.intersection(b, s), tf.sets.intersection(s, s)]
    return [tf.sets.size(s), *(part for r in results for part in (r.indices, r.values, r.dense_shape))]
