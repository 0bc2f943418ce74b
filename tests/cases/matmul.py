"""Products of matrices: evergraph/ops/math/matmul.py, frontend/matmul.py."""

import itertools

import numpy as np

from tests.harness import bf16, case, f16, f64, floats, ints, program

flags = tuple(itertools.product((False, True), repeat=2))
complex34 = (floats(3, 4) + 1j * floats(3, 4, seed=1)).astype("complex64")


def turned(x, wanted):
    return np.swapaxes(x, -1, -2).copy() if wanted else x


CASES = [
    *[case("MatMul", turned(floats(3, 4), a), turned(floats(4, 2, seed=1), b), transpose_a=a, transpose_b=b)
      for a, b in flags],
    *[case("MatMul", turned(complex34, a), turned(complex34.T.copy(), b), transpose_a=a, transpose_b=b)
      for a, b in flags],
    case("MatMul", ints(2, 3), ints(3, 2)),
    case("MatMul", f64([[1, 2]]), f64([[3], [4]])),
    case("MatMul", f16([[1, 2]]), f16([[3], [4]])).no_differences("half precision"),
    case("MatMul", bf16([[1, 2]]), bf16([[3], [4]])).no_differences("half precision"),
    case("MatMul", floats(0, 3), floats(3, 2)),
    case("MatMul", floats(2, 0), floats(0, 3)),
    case("MatMul", floats(2, 3), floats(2, 3)).fails("ValueError"),
    case("MatMul", floats(2, 3, 1), floats(2, 3)).fails("ValueError"),
    case("SparseMatMul", floats(3, 4), floats(4, 2), a_is_sparse=True),
    case("SparseMatMul", floats(4, 3), floats(2, 4), transpose_a=True, transpose_b=True),
    *[case(op, turned(floats(2, 3, 4), x), turned(floats(2, 4, 2, seed=1), y), adj_x=x, adj_y=y)
      for op in ("BatchMatMul", "BatchMatMulV2") for x, y in flags],
    case("BatchMatMulV2", floats(3, 4), floats(2, 4, 2)),
    case("BatchMatMulV2", floats(5, 1, 3, 4), floats(2, 4, 2)),
    case("BatchMatMulV2", np.stack([complex34] * 2), complex34, adj_y=True),
    case("BatchMatMulV2", floats(2, 3, 4), floats(3, 4, 2)).fails("ValueError"),
]


@program(floats(2, 3, 4), floats(4, 3))
def batched(tf, a, b):
    return tf.matmul(a, b), tf.matmul(a, a, transpose_b=True), tf.matmul(a, a, adjoint_a=True)


@program(complex34)
def adjoint(tf, a):
    return tf.matmul(a, a, adjoint_a=True), tf.matmul(a, a, adjoint_b=True), tf.matmul([a], [a], transpose_b=True)


@program(floats(3, 4), floats(4, 2))
def sparse(tf, a, b):
    return tf.matmul(a, b, a_is_sparse=True)
